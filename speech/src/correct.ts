import type { Recipe, Word } from '@clear-to-post/edit/recipe'
import type { Glossary } from './glossary.ts'
import { plainWord, readScript, type ScriptWord } from './script.ts'
import type { HeardWord } from './transcriber.ts'
import type { Transcript, Unsaid } from './transcript.ts'

const fillers = /^(um+|uh+|er+m?|hm+|mhm|ah+)$/

/** Writes terms as the glossary wants them: what a transcriber mistakes for them, and their capitals. */
export function withGlossary(heard: readonly HeardWord[], glossary: Glossary): HeardWord[] {
  const wanted = glossary
    .flatMap(({ term, mistaken = [] }) =>
      [term, ...mistaken].map((said) => ({ term, said: said.split(/\s+/).map(plainWord) })),
    )
    .filter(({ said }) => said.every(Boolean))
    .toSorted((a, b) => b.said.length - a.said.length)
  const out: HeardWord[] = []
  for (let at = 0; at < heard.length;) {
    const match = wanted.find(({ said }) =>
      said.every((word, i) => heard[at + i] && bare(heard[at + i]!.text) === word),
    )
    if (!match) {
      out.push(heard[at++]!)
      continue
    }
    const group = heard.slice(at, at + match.said.length)
    const last = group.at(-1)!
    // A possessive and the sentence's own marks stay.
    const own = /(['\u2019]s)?[^\p{L}\p{N}]*$/u.exec(last.text)?.[0] ?? ''
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
export function againstScript(
  heard: readonly HeardWord[],
  script: string,
  source: string,
): { words: Word[]; unsaid: Unsaid[] } {
  const written = readScript(script)
  const word = (one: HeardWord, i: number, more: Partial<Word>): Word => {
    const filler = fillers.test(plainWord(one.text)) ? ({ mark: 'filler' } as const) : {}
    const { text, start, end } = one
    return {
      id: `${source}-w${i + 1}`,
      source,
      start,
      end,
      text: text.slice(0, 100),
      confidence: one.confidence,
      origin: 'heard',
      ...(one.estimated ? { estimated: true } : {}),
      ...filler,
      ...more,
    }
  }
  if (written.length === 0) return { words: heard.map((one, i) => word(one, i, {})), unsaid: [] }
  const matches = matched(heard, written)
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
      const filler = fillers.test(plainWord(one.text))
      words.push(word(one, words.length, filler ? {} : { mark: 'off-script' }))
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
      run.length > 0 ? [{ id: i === 0 ? id : `${id}.${i}`, source, at, text: run.join(' ').slice(0, 2000) }] : [],
    )
  })
}

/** Heard number → script numbers, in order. Numbers are laid side by side as they are spoken, word by word. */
function matched(heard: readonly HeardWord[], written: readonly ScriptWord[]): Map<number, Set<number>> {
  const said = heard.flatMap(({ text }, of) =>
    readScript(text)
      .flatMap(spokenWords)
      .map((word) => ({ word, of })),
  )
  const meant = written.flatMap((one, of) => spokenWords(one).map((word) => ({ word, of })))
  const score: Float32Array[] = [new Float32Array(meant.length + 1)]
  said.forEach(({ word }, i) => {
    const [before, row] = [score[i]!, new Float32Array(meant.length + 1)]
    for (let j = 1; j <= meant.length; j++)
      row[j] = Math.max(before[j]!, row[j - 1]!, before[j - 1]! + alike(word, meant[j - 1]!.word))
    score.push(row)
  })
  const pairs: [number, number][] = []
  for (let i = said.length, j = meant.length; i > 0 && j > 0;) {
    if (score[i]![j] === score[i - 1]![j]) i--
    else if (score[i]![j] === score[i]![j - 1]) j--
    else pairs.unshift([said[--i]!.of, meant[--j]!.of])
  }
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

/** `$400,000` and `four hundred thousand dollars` are the same when spoken. */
function spokenWords({ units }: ScriptWord): string[] {
  return units.flatMap((unit) => unit[0]!.map((word) => word.toLowerCase()))
}

/** 1 for the same word, less for a near miss, 0 for another word. */
function alike(a: string, b: string): number {
  if (a === b) return 1
  if (skeleton(a).length > 1 && skeleton(a) === skeleton(b)) return 0.6
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
      last.text = `${last.text} ${text}`.slice(0, 2000)
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
