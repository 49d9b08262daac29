import { emojiAt, isEmoji, type Emoji } from './emoji.ts'
import type { Captions } from './recipe.ts'

/** Seconds between two emoji, and between two of the same. */
const between = { any: 3, same: 12 }

/**
 * Which words get an emoji: those an editor chose, then the dictionary's, longer entries first, because they say more.
 * Never two within three seconds nor the same within twelve: they mark, they do not decorate.
 */
export const chooseEmojis = (
  words: readonly { id: string; text: string; from: number }[],
  byHand: Captions['emoji'],
  rate: number,
): (Emoji | null)[] => {
  const chosen: (Emoji | null)[] = words.map(({ id }) => (isEmoji(byHand[id] ?? '') ? (byHand[id] as Emoji) : null))
  const texts = words.map(({ text }) => text)
  const hits = words
    .flatMap((_, at) => {
      const hit = emojiAt(texts, at)
      return hit ? [{ ...hit, at, last: at + hit.words - 1 }] : []
    })
    .filter(({ at, last }) => words.slice(at, last + 1).every(({ id }) => byHand[id] === undefined))
    .toSorted((a, b) => b.words - a.words || a.at - b.at)
  for (const { emoji, last } of hits) {
    const near = chosen.some((other, at) => {
      if (!other) return false
      const apart = Math.abs(words[at]!.from - words[last]!.from) / rate
      return apart < between.any || (other === emoji && apart < between.same)
    })
    if (!near) chosen[last] = emoji
  }
  return chosen
}
