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
  const any = nearby(between.any, rate)
  const same = nearby(between.same, rate)
  const choose = (emoji: Emoji, from: number) => {
    any.add('', from)
    same.add(emoji, from)
  }
  chosen.forEach((emoji, at) => emoji && choose(emoji, words[at]!.from))
  for (const { emoji, last } of hits) {
    const { from } = words[last]!
    if (any.has('', from) || same.has(emoji, from)) continue
    chosen[last] = emoji
    choose(emoji, from)
  }
  return chosen
}

/** Moments by name, to ask whether one of a name is nearer than so many seconds. Frames of `rate`. */
const nearby = (seconds: number, rate: number) => {
  // Of each stretch of that length its first moment and its last: one of those of three stretches is near, or none is.
  const stretches = new Map<string, { first: number; last: number }>()
  const stretchOf = (from: number) => Math.floor(from / (seconds * rate))
  const isNear = (one: number, other: number) => Math.abs(one - other) / rate < seconds
  return {
    add: (name: string, from: number): void => {
      const key = `${name} ${stretchOf(from)}`
      const { first, last } = stretches.get(key) ?? { first: from, last: from }
      stretches.set(key, { first: Math.min(first, from), last: Math.max(last, from) })
    },
    has: (name: string, from: number): boolean =>
      [-1, 0, 1].some((away) => {
        const found = stretches.get(`${name} ${stretchOf(from) + away}`)
        return found !== undefined && (isNear(found.first, from) || isNear(found.last, from))
      }),
  }
}
