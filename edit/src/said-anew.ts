import type { TakeLog } from '@clear-to-post/domain/take-log'
import { moveWords } from './commands/order.ts'
import { plain } from './emoji.ts'
import { endsSentence, isFiller } from './english.ts'
import type { Recipe, Removed, Word } from './recipe.ts'
import { firstPlace } from './sorted.ts'
import { spokenWords } from './timeline.ts'
import { likeness, longest, sharedWith } from './tries.ts'

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

/** Words from a place up to before another; so many of them are a sentence's. */
type Stretch = { from: number; to: number; same: number }

/**
 * Of what was said the words that are this sentence, seven of ten the same, in one take; of several a whole sentence rather
 * than a part of a longer one, and the last. They end with a sentence, and take nothing of its neighbours along. What is
 * longer than a sentence is found nowhere: the work is that of `words` times a sentence's, whoever speaks how long.
 */
const foundIn = (words: readonly Word[], sentence: string): Word[] | null => {
  const written = sentence.split(/\s+/).filter((text) => plain(text) !== '')
  if (written.length === 0 || written.length > longest) return null
  const wanted = written.map(plain)
  const share = wanted.length < 3 ? 1 : likeness
  const least = Math.ceil(share * wanted.length)
  const said = words.filter((_, i) => !isFiller(words, i))
  const texts = said.map(({ text }) => plain(text))
  const ofSentence = new Set(wanted)
  // How many words of the sentence's stand in each stretch: where there are too few, no order is right.
  const held = countedIn(texts.map((text) => ofSentence.has(text)))
  // What is known to be beside the script is of no other sentence.
  const own = countedIn(said.map(({ mark }) => !mark))
  const takeEnds = said.map(() => said.length)
  for (let i = said.length - 2; i >= 0; i--)
    takeEnds[i] = said[i]!.source === said[i + 1]!.source ? takeEnds[i + 1]! : i + 1
  const inSentence = sharedWith(wanted, texts)
  const ends = said.flatMap(({ text, mark }, i) => (!mark && endsSentence(text, said[i + 1]?.text) ? [i + 1] : []))
  // Mostly one; said anew, there may be more.
  const sentences = Math.max(1, written.filter((text, i) => endsSentence(text, written[i + 1])).length)

  const stretchFrom = (from: number, atLeast: number): Stretch | null => {
    const end = ends[firstPlace(ends.length, (n) => ends[n]! > from) + sentences - 1] ?? said.length
    const last = Math.min(from + 2 * wanted.length, takeEnds[from]!, end)
    // Nothing begins with what the sentence does not hold.
    if (!ofSentence.has(texts[from]!) || last < from + least || held(from, last) < atLeast) return null
    const shared = [0, ...inSentence(from, last)]
    // As far as it goes on to be the sentence, by more than every other word; to its end also by every other one.
    const worth = (n: number) => shared[n]! - own(from, from + n) / 2
    let length = least
    for (let n = least + 1; n <= last - from; n++)
      if (worth(n) > worth(length) || (from + n === end && worth(n) === worth(length))) length = n
    const same = shared[length]!
    return same < least || same < share * own(from, from + length) ? null : { from, to: from + length, same }
  }

  const bounds = new Set([0, ...ends])
  const isWhole = ({ from, to }: Stretch) =>
    (bounds.has(from) || said[from]!.source !== said[from - 1]?.source) && (bounds.has(to) || to === takeEnds[from])

  /** Of two that hold equally many words, the second of which begins no earlier. */
  const isBetter = (later: Stretch, first: Stretch): boolean => {
    if (isWhole(later) !== isWhole(first)) return isWhole(later)
    return later.from >= first.to || later.to - later.from < first.to - first.from
  }

  let best: Stretch | null = null
  for (let from = 0; from + least <= said.length; from++) {
    const found = stretchFrom(from, Math.max(least, best?.same ?? 0))
    if (!found || found.same < (best?.same ?? 0)) continue
    if (best === null || found.same > best.same || isBetter(found, best)) best = found
  }
  return best && words.slice(words.indexOf(said[best.from]!), words.indexOf(said[best.to - 1]!) + 1)
}

/** Asks how many are true, from a place up to before another. */
const countedIn = (list: readonly boolean[]): ((from: number, to: number) => number) => {
  const until = [0]
  for (const one of list) until.push(until.at(-1)! + (one ? 1 : 0))
  return (from, to) => until[to]! - until[from]!
}

/** What a recipe holds (read-recipe.ts). */
const mostRemoved = 5000

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

/** Enough to know which sentence is meant. */
const cut = (text: string): string => {
  const words = text.split(' ')
  return words.length > 8 || text.length > 160 ? `${words.slice(0, 8).join(' ').slice(0, 160)} …` : text
}
