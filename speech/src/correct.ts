import { cutText } from '@clear-to-post/domain/cut-text'
import { isHum } from '@clear-to-post/edit/english'
import type { Recipe, Word } from '@clear-to-post/edit/recipe'
import type { Glossary } from './glossary.ts'
import { othersTurn } from './rest.ts'
import { plainWord, readScript, type ScriptWord } from './script.ts'
import type { HeardWord } from './transcriber.ts'
import type { Transcript, Unsaid } from './transcript.ts'

/** Writes terms as the glossary wants them: what a transcriber mistakes for them, and their capitals. */
export function withGlossary(heard: readonly HeardWord[], glossary: Glossary): HeardWord[] {
  const wanted = glossary
    .flatMap(({ term, mistaken = [] }) =>
      [term, ...mistaken].map((said) => ({ term, said: said.split(/\s+/).map(plainWord) })),
    )
    .filter(({ said }) => said.every(Boolean))
    .toSorted((a, b) => b.said.length - a.said.length)
  const byFirst = Map.groupBy(wanted, ({ said }) => said[0]!)
  const plain = heard.map(({ text }) => bare(text))
  const out: HeardWord[] = []
  for (let at = 0; at < heard.length;) {
    const match = byFirst.get(plain[at]!)?.find(({ said }) => said.every((word, i) => plain[at + i] === word))
    if (!match) {
      out.push(heard[at++]!)
      continue
    }
    const group = heard.slice(at, at + match.said.length)
    const last = group.at(-1)!
    // A possessive and the sentence's own marks stay.
    const own = /(?:['\u2019]s|(?<![^\p{L}\p{N}]))[^\p{L}\p{N}]*$/u.exec(last.text)?.[0] ?? ''
    const text = match.term + own
    // A term of several words keeps a word each where the counts are the same.
    const terms = match.term.split(/\s+/)
    if (terms.length === group.length && terms.length > 1)
      out.push(...group.map((word, i) => ({ ...word, text: i === group.length - 1 ? terms[i]! + own : terms[i]! })))
    else
      out.push({
        text,
        start: group[0]!.start,
        end: last.end,
        confidence: Math.min(...group.map(({ confidence }) => confidence)),
        ...(group.some(({ estimated }) => estimated) ? { estimated: true } : {}),
      })
    at += match.said.length
  }
  return out
}

/**
 * Lays what was heard beside the script: what both have is written as in the script; what only one has is marked. Without
 * a script everything stands as it was heard.
 */
export async function againstScript(
  heard: readonly HeardWord[],
  script: string,
  source: string,
): Promise<{ words: Word[]; unsaid: Unsaid[] }> {
  const written = readScript(script)
  const word = (one: HeardWord, i: number, more: Partial<Word>): Word => {
    const { text, start, end } = one
    return {
      id: `${source}-w${i + 1}`,
      source,
      start,
      end,
      text: cutText(text, 100),
      confidence: one.confidence,
      origin: 'heard',
      ...(one.estimated ? { estimated: true } : {}),
      ...more,
    }
  }
  // What the script has is meant, also where it is written like a hum: a name, or "mm".
  const hummed = ({ text }: HeardWord) => (isHum(text) ? ({ mark: 'filler' } as const) : undefined)
  if (written.length === 0) return { words: heard.map((one, i) => word(one, i, { ...hummed(one) })), unsaid: [] }
  const matches = await matched(heard, written)
  const words: Word[] = []
  let last = -1
  heard.forEach((one, i) => {
    const known = [...(matches.get(i) ?? [])]
    // Several heard words for one written: "four hundred thousand dollars" for $400,000.
    if (known[0] === last && words.length > 0) {
      words.at(-1)!.end = one.end
      known.shift()
      if (known.length === 0) return
    }
    if (known.length === 0) {
      last = -1
      words.push(word(one, words.length, hummed(one) ?? { mark: 'off-script' }))
      return
    }
    const step = (one.end - one.start) / known.length
    known.forEach((w, n) => {
      const part = { ...one, start: Math.round(one.start + n * step), end: Math.round(one.start + (n + 1) * step) }
      words.push(word(part, words.length, { text: written[w]!.text, origin: 'script' }))
    })
    last = known.at(-1)!
  })
  return { words, unsaid: missing(matches, heard, written, source) }
}

/** Of several takes of one script, each holds a part: only what none of them says is missing. */
export function unsaidInAll(takes: readonly Pick<Transcript, 'unsaid'>[], script: string): Recipe['unsaid'] {
  const [first, ...others] = takes
  const words = readScript(script)
  const everywhere = (n: number) => others.every(({ unsaid }) => unsaid.some(({ from, to }) => n >= from && n <= to))
  return (first?.unsaid ?? []).flatMap(({ id, source, at, from, to }) => {
    const runs: string[][] = [[]]
    for (let n = from; n <= to; n++)
      if (everywhere(n)) runs.at(-1)!.push(words[n]!.text)
      else if (runs.at(-1)!.length > 0) runs.push([])
    return runs.flatMap((run, i) =>
      run.length > 0 ? [{ id: i === 0 ? id : `${id}.${i}`, source, at, text: cutText(run.join(' '), 2000) }] : [],
    )
  })
}

/** Heard number → script numbers, in order. Numbers are laid side by side as they are spoken, word by word. */
async function matched(heard: readonly HeardWord[], written: readonly ScriptWord[]): Promise<Map<number, Set<number>>> {
  const said = heard.flatMap(({ text }, of) =>
    readScript(text)
      .flatMap(spokenWords)
      .map((word) => ({ word, of })),
  )
  const meant = written.flatMap((one, of) => spokenWords(one).map((word) => ({ word, of })))
  // More than that is no recording that is taken here, nor its script: nothing is matched.
  if (said.length * meant.length > mostCells) return new Map()
  const alikeAt = await likenesses(
    said.map(({ word }) => word),
    meant.map(({ word }) => word),
  )
  // Of the way back one byte for each cell, so that an hour of speech fits into memory.
  const width = meant.length + 1
  const way = new Uint8Array((said.length + 1) * width)
  let before = new Float32Array(width)
  for (let i = 0; i < said.length; i++) {
    const row = new Float32Array(width)
    for (let j = 1; j < width; j++) {
      row[j] = Math.max(before[j]!, row[j - 1]!, before[j - 1]! + alikeAt(i, j - 1))
      way[(i + 1) * width + j] = row[j] === before[j] ? ways.up : row[j] === row[j - 1] ? ways.left : ways.pair
    }
    before = row
    await othersTurn()
  }
  const pairs: [number, number][] = []
  for (let i = said.length, j = meant.length; i > 0 && j > 0;) {
    const step = way[i * width + j]
    if (step === ways.up) i--
    else if (step === ways.left) j--
    else pairs.push([said[--i]!.of, meant[--j]!.of])
  }
  pairs.reverse()
  // Half a number is another number.
  const whole = new Map<number, number>()
  meant.forEach(({ of }) => whole.set(of, (whole.get(of) ?? 0) + 1))
  const got = new Map<number, number>()
  pairs.forEach(([, w]) => got.set(w, (got.get(w) ?? 0) + 1))
  const matches = new Map<number, Set<number>>()
  for (const [h, w] of pairs)
    if (got.get(w)! / whole.get(w)! > 0.6) matches.set(h, (matches.get(h) ?? new Set()).add(w))
  return matches
}

const ways = { up: 0, left: 1, pair: 2 } as const
/** An hour and a half of quick speech beside its script. */
const mostCells = 200_000_000
/** Pairs of different words that are looked at letter by letter: an hour of speech has some two million. */
const mostLetterPairs = 4_000_000

/** How alike the words of two texts are, by their places. Each pair of different words is looked at once. */
const likenesses = async (
  said: readonly string[],
  meant: readonly string[],
): Promise<(i: number, j: number) => number> => {
  const [ours, theirs] = [distinct(said), distinct(meant)]
  const pairs = ours.words.length * theirs.words.length
  if (pairs > mostLetterPairs) return (i, j) => (said[i] === meant[j] ? 1 : 0)
  const known = new Float32Array(pairs)
  for (const [a, one] of ours.words.entries()) {
    for (const [b, other] of theirs.words.entries()) known[a * theirs.words.length + b] = alike(one, other)
    await othersTurn()
  }
  return (i, j) => known[ours.places[i]! * theirs.words.length + theirs.places[j]!]!
}

const distinct = (words: readonly string[]): { words: Heard[]; places: number[] } => {
  const placeOf = new Map<string, number>()
  const places = words.map((word) => placeOf.get(word) ?? placeOf.set(word, placeOf.size).size - 1)
  return { words: [...placeOf.keys()].map((word) => ({ word, bones: skeleton(word) })), places }
}

type Heard = { word: string; bones: string }

/** `$400,000` and `four hundred thousand dollars` are the same when spoken. */
function spokenWords({ units }: ScriptWord): string[] {
  return units.flatMap((unit) => unit[0]!.map((word) => word.toLowerCase()))
}

/** 1 for the same word, less for a near miss, 0 for another word. */
function alike({ word: a, bones }: Heard, { word: b, bones: others }: Heard): number {
  if (a === b) return 1
  if (bones.length > 1 && bones === others) return 0.6
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 2) return 0
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const before = row
    row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
  }
  return row[b.length]! / Math.max(a.length, b.length) <= 0.34 ? 0.6 : 0
}

/** What of a word is heard of its spelling, roughly: lone and loan. */
function skeleton(word: string): string {
  return word.replace(/[aeiouyhw']/g, '').replace(/(.)\1+/g, '$1')
}

function missing(
  matches: ReadonlyMap<number, ReadonlySet<number>>,
  heard: readonly HeardWord[],
  written: readonly ScriptWord[],
  source: string,
): Unsaid[] {
  const pairs = [...matches].flatMap(([h, ws]) => [...ws].map((w) => [h, w] as const))
  const found = new Set(pairs.map(([, w]) => w))
  const list: Unsaid[] = []
  written.forEach(({ text }, j) => {
    if (found.has(j)) return
    const last = list.at(-1)
    if (last?.to === j - 1) {
      last.text = cutText(`${last.text} ${text}`, 2000)
      last.to = j
      return
    }
    const after = pairs.find(([, w]) => w > j)?.[0]
    const before = pairs.findLast(([, w]) => w < j)?.[0]
    const at = after !== undefined ? heard[after]!.start : before !== undefined ? heard[before]!.end : 0
    list.push({ id: `${source}-u${list.length + 1}`, source, at, text, from: j, to: j })
  })
  return list
}

/** A heard word without the marks and the possessive that its sentence gave it. */
function bare(text: string): string {
  return plainWord(text).replace(/'s$/, '')
}
