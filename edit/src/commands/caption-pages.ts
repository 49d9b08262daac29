import { cutText } from '@clear-to-post/domain/cut-text'
import type { Page } from '../captions.ts'
import { unrecognised } from '../drawn.ts'
import type { Captions, Recipe, Word } from '../recipe.ts'
import { breakBefore, withOverride } from './captions.ts'
import type { Command } from './command.ts'
import { acceptWords, longestText } from './words.ts'

/**
 * Captions as they stand on the picture: whole pages of words. What is done to a page is said of its words, by the same
 * overrides that the transcript writes, so both always show the same.
 */

/** The words of the recipe that a page shows, in its order; several that were written in one’s place are that one. */
export const wordsOfPage = (recipe: Recipe, page: Page): Word[] => {
  const words = new Map(recipe.words.map((word) => [word.id, word]))
  const named = page.lines.flat().map(({ id }) => wordBehind(words, id))
  return [...new Set(named)].filter((word) => word !== undefined)
}

/** What a word says in the captions. */
const shownText = ({ captions }: Recipe, { id, text }: Word): string => captions.overrides[id]?.text ?? text

export type ShownWord = { id: string; text: string }

export const shownWords = (recipe: Recipe, words: readonly Word[]): ShownWord[] =>
  words.map((word) => ({ id: word.id, text: shownText(recipe, word) }))

/** The text of a page, as it is written in a field. */
export const pageText = (recipe: Recipe, words: readonly Word[]): string =>
  words
    .map((word) => shownText(recipe, word))
    .filter(Boolean)
    .join(' ')

/**
 * A text for several words: what was kept of the old one stays with its word, what was written instead of some words is
 * shared among them one by one, and what is more goes with the last of them.
 */
export const textsByWord = (old: readonly string[], text: string): string[] => {
  const before = old.flatMap((shown, word) => partsOf(shown).map((part) => ({ part, word })))
  const now = partsOf(text)
  const kept = commonParts(
    before.map(({ part }) => part),
    now,
  )
  const parts: string[][] = old.map(() => [])
  let [b, n] = [0, 0]
  for (const [nextB, nextN] of [...kept, [before.length, now.length] as const]) {
    const fresh = now.slice(n, nextN)
    const replaced = [...new Set(before.slice(b, nextB).map(({ word }) => word))]
    // With nothing to take the place of, it goes with the word before it, at the very start with the first.
    const places = replaced.length > 0 ? replaced : [before[b - 1]?.word ?? before[b]?.word ?? 0]
    fresh.forEach((part, i) => parts[places[Math.min(i, places.length - 1)]!]?.push(part))
    if (nextB < before.length) parts[before[nextB]!.word]!.push(now[nextN]!)
    ;[b, n] = [nextB + 1, nextN + 1]
  }
  return parts.map((own) => own.join(' '))
}

/** Writes the text of a page that reads as `before` shows it, however it reads by now. Words that changed are looked at. */
export const writePage =
  (before: readonly ShownWord[], text: string): Command =>
  (recipe) => {
    const texts = textsByWord(
      before.map((one) => one.text),
      text,
    )
    const words = before.flatMap(({ id }, i) => {
      const word = recipe.words.find((one) => one.id === id)
      return word ? [{ word, text: texts[i]! }] : []
    })
    const written = words.reduce((now, one) => withText(now, one.word, one.text), recipe)
    if (written === recipe) return recipe
    // Who writes it otherwise has not found when it is said.
    const changed = words.filter((one, i) => one.text !== before[i]!.text && !one.word.estimated)
    return acceptWords(changed.map(({ word }) => word.id))(written)
  }

/** The word before which a page is split at a place in its text; null at its beginning and where nothing follows. */
export const wordAt = (before: readonly ShownWord[], text: string, place: number): string | null => {
  const ahead = text.slice(0, place)
  // Within a word the split is before it.
  const count = partsOf(ahead).length - (/\S$/.test(ahead) && /^\S/.test(text.slice(place)) ? 1 : 0)
  const texts = textsByWord(
    before.map((one) => one.text),
    text,
  )
  let passed = 0
  for (const [i, own] of texts.entries()) {
    if (count > 0 && passed >= count && own !== '') return before[i]!.id
    passed += partsOf(own).length
  }
  return null
}

/** Where a page may begin: at any of its own words and of the page’s before it, but for the first, which stays with that. */
export const pageStarts = (recipe: Recipe, pages: readonly Page[], index: number): { id: string; frame: number }[] => {
  const [before, page] = [pages[index - 1], pages[index]]
  if (!before || !page) return []
  const words = new Map(recipe.words.map((word) => [word.id, word]))
  return [...before.lines.flat().slice(1), ...page.lines.flat()].flatMap(({ id, from }) =>
    words.has(id) ? [{ id, frame: from }] : [],
  )
}

/** Moves where one page ends and the next, `index`, begins: to the word nearest to a timeline frame. */
export const setPageStart =
  (pages: readonly Page[], index: number, frame: number): Command =>
  (recipe) => {
    const starts = pageStarts(recipe, pages, index)
    const first = pages[index]?.lines[0]?.[0]?.id
    const [nearest] = starts.toSorted((a, b) => Math.abs(a.frame - frame) - Math.abs(b.frame - frame))
    if (!nearest || first === undefined) return recipe
    const breaks = starts.map(({ id }) => ({ id, own: recipe.captions.overrides[id]?.break }))
    const isThere = breaks.every(({ id, own }) => (id === first ? own !== 'joined' : own !== 'page'))
    if (nearest.id === first && isThere) return recipe
    // Where the layout itself ended the page, it must be told to go on; a break of the editor’s own just moves.
    const rest = starts.reduce((now, { id }) => {
      const own = now.captions.overrides[id]?.break
      if (id === first && own !== 'page') return breakBefore(id, 'joined')(now)
      return own === 'page' ? breakBefore(id, null)(now) : now
    }, recipe)
    return breakBefore(nearest.id, 'page')(rest)
  }

/** Where a text stands in the captions: the words of each place. Whole words, whatever their case and punctuation. */
export const findInCaptions = (recipe: Recipe, text: string): string[][] =>
  matches(recipe, text).map((match) => [...new Set(match.map(({ word }) => word.id))])

/** Writes another text wherever one stands; punctuation around it stays. */
export const replaceInCaptions =
  (find: string, text: string): Command =>
  (recipe) => {
    const fresh = partsOf(text)
    const changed = new Map<string, string[]>()
    const partsNow = (word: Word) => changed.get(word.id) ?? partsOf(shownText(recipe, word))
    for (const match of matches(recipe, find)) {
      const texts = match.map((_, i) => {
        if (fresh.length === match.length) return fresh[i]!
        return i === 0 ? fresh.join(' ') : ''
      })
      // What stood around the match stands around what takes its place.
      const [first, last] = [match[0]!.part, match.at(-1)!.part]
      const filled = texts.findLastIndex((one) => one !== '')
      if (filled >= 0) {
        texts[0] = around(first).before + texts[0]!
        texts[filled] = texts[filled]! + around(last).after
      }
      match.forEach(({ word, at }, i) => {
        const parts = [...partsNow(word)]
        parts[at] = texts[i]!
        changed.set(word.id, parts)
      })
    }
    return recipe.words.reduce((now, word) => {
      const parts = changed.get(word.id)
      return parts ? withText(now, word, parts.filter(Boolean).join(' ')) : now
    }, recipe)
  }

const withText = (recipe: Recipe, word: Word, text: string): Recipe => {
  const clean = cutText(text, longestText.word)
  const { text: _, ...rest }: Captions['overrides'][string] = recipe.captions.overrides[word.id] ?? {}
  if (clean === shownText(recipe, word)) return recipe
  return withOverride(recipe, word.id, clean === word.text ? rest : { ...rest, text: clean })
}

type Part = { word: Word; at: number; part: string }

const matches = (recipe: Recipe, text: string): Part[][] => {
  const wanted = partsOf(text).map(bare).filter(Boolean)
  if (wanted.length === 0) return []
  const parts = recipe.words
    .filter((word) => shownText(recipe, word) !== unrecognised)
    .flatMap((word) => partsOf(shownText(recipe, word)).map((part, at): Part => ({ word, at, part })))
  const bares = parts.map(({ part }) => bare(part))
  const found: Part[][] = []
  for (let i = 0; i + wanted.length <= parts.length; i++) {
    if (!wanted.every((one, n) => bares[i + n] === one)) continue
    found.push(parts.slice(i, i + wanted.length))
    i += wanted.length - 1
  }
  return found
}

const wordBehind = (words: ReadonlyMap<string, Word>, id: string): Word | undefined => {
  const own = words.get(id)
  const cut = Math.max(id.lastIndexOf('+'), id.lastIndexOf('~'))
  return own ?? (cut > 0 ? wordBehind(words, id.slice(0, cut)) : undefined)
}

const partsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** A word without case and the punctuation around it. */
const bare = (part: string): string =>
  part.slice(around(part).before.length, part.length - around(part).after.length).toLowerCase()

const around = (part: string): { before: string; after: string } => {
  const [before] = /^[^\p{L}\p{N}]*/u.exec(part)!
  const [after] = before === part ? [''] : /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(part)!
  return { before, after }
}

/** The places of the longest row of parts that both have, in both. */
const commonParts = (one: readonly string[], other: readonly string[]): (readonly [number, number])[] => {
  const longest = Array.from({ length: one.length + 1 }, () => Array.from({ length: other.length + 1 }, () => 0))
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      longest[i]![j] =
        one[i] === other[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!)
  const common: [number, number][] = []
  for (let i = 0, j = 0; i < one.length && j < other.length;)
    if (one[i] === other[j]) common.push([i++, j++])
    else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++
    else j++
  return common
}
