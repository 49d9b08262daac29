import type { TakeLog } from '@clear-to-post/domain/take-log'
import { moveWords } from './commands/order.ts'
import { plain } from './emoji.ts'
import { isFiller } from './english.ts'
import type { Recipe, Removed, Word } from './recipe.ts'
import { spokenWords } from './timeline.ts'
import { longest, sharedWith } from './tries.ts'

/**
 * Takes in which an officer said one sentence anew, after the take itself. Each is played where its sentence was said; what
 * was said there goes, with the reason and a switch. One of which no sentence is found stays where it is: a person chooses.
 * `taken`: the span of words that go, with the silence around them.
 */
export const withSaidAnew = (
  recipe: Recipe,
  logs: ReadonlyMap<string, TakeLog>,
  taken: (words: Word[], why: string) => Omit<Removed, 'id'>[],
): Recipe => {
  let now = recipe
  const done = new Map<string, string>()
  for (const { id: source } of recipe.sources) {
    const sentence = logs.get(source)?.sentence
    if (sentence === undefined) continue
    const heard = spokenWords(now).map(({ word }) => word)
    const anew = heard.filter((word) => word.source === source)
    const isOfTake = (word: Word) => word.source !== source && logs.get(word.source)?.sentence === undefined
    // Said anew twice, the first time is the one that goes.
    const earlier = done.get(sentence)
    const before = earlier
      ? heard.filter((word) => word.source === earlier)
      : (foundIn(heard.filter(isOfTake), sentence) ?? foundIn(heard.filter(isOfTake), textOf(anew)))
    if (anew.length === 0 || !before?.length) continue
    const next = heard.slice(heard.indexOf(before.at(-1)!) + 1).find((word) => word.source !== source)
    const why = `The officer said this sentence anew: “${cut(textOf(before))}”.`
    const removed = taken(before, why).map((one, i) => ({ ...one, id: `r${now.removed.length + 1 + i}` }))
    if (now.removed.length + removed.length > mostRemoved) break
    now = moveWords(
      anew.map(({ id }) => id),
      next?.id ?? null,
    )({ ...now, removed: [...now.removed, ...removed] })
    done.set(sentence, source)
  }
  return now
}

/**
 * Of what was said the words that are this sentence, seven of ten the same, in one take; the last of several. What is longer
 * than a sentence is found nowhere: the work is that of `words` times a sentence's, whoever speaks how long.
 */
const foundIn = (words: readonly Word[], sentence: string): Word[] | null => {
  const wanted = sentence.split(/\s+/).map(plain).filter(Boolean)
  if (wanted.length === 0 || wanted.length > longest) return null
  const said = words.filter((word) => !isFiller(word))
  const texts = said.map(({ text }) => plain(text))
  const least = wanted.length < 3 ? wanted.length : Math.ceil(0.7 * wanted.length)
  const ofSentence = new Set(wanted)
  // How many words of the sentence's stand in each stretch of its length: where there are too few, no order is right.
  const until = texts.map(() => 0)
  texts.forEach((text, i) => (until[i] = (until[i - 1] ?? 0) + (ofSentence.has(text) ? 1 : 0)))
  const held = (from: number) =>
    until[Math.min(from + wanted.length, texts.length) - 1]! - (from > 0 ? until[from - 1]! : 0)
  const inSentence = sharedWith(wanted, texts)
  let best: { from: number; same: number } | null = null
  for (let from = 0; from + least <= said.length; from++) {
    // Nothing begins with what the sentence does not hold.
    if (!ofSentence.has(texts[from]!) || held(from) < least) continue
    const same = inSentence(from, Math.min(from + wanted.length, texts.length))
    if (same >= least && same >= (best?.same ?? 0)) best = { from, same }
  }
  if (best === null) return null
  const { from } = best
  const found = said.slice(from, from + wanted.length).filter(({ source }) => source === said[from]!.source)
  while (!ofSentence.has(plain(found.at(-1)!.text))) found.pop()
  return words.slice(words.indexOf(found[0]!), words.indexOf(found.at(-1)!) + 1)
}

/** What a recipe holds (read-recipe.ts). */
const mostRemoved = 5000

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

/** Enough to know which sentence is meant. */
const cut = (text: string): string => {
  const words = text.split(' ')
  return words.length > 8 || text.length > 160 ? `${words.slice(0, 8).join(' ').slice(0, 160)} …` : text
}
