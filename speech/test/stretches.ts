import type { Place } from '../src/grammar.ts'
import type { Stretch } from '../src/reading/stretches.ts'

/** A stretch before it has its time. */
type Part = Stretch extends infer One
  ? One extends unknown
    ? Omit<One, 'start' | 'end'> & { long: number }
    : never
  : never

export const word = (place: number, long = 300, score = -10): Part => ({ kind: 'place', place, score, long })
export const words = (first: number, last: number): Part[] =>
  Array.from({ length: last - first + 1 }, (_, n) => word(first + n))
export const other = (sounds: string, long = 300): Part => ({ kind: 'other', sounds: sounds.split(' '), long })
export const pause = (long = 200): Part => ({ kind: 'silence', long })

/** One after the other from 0, each as long as it says, ms. */
export function inTime(...parts: Part[]): Stretch[] {
  let at = 0
  return parts.map(({ long, ...part }) => ({ ...part, start: at, end: (at += long) }) as Stretch)
}

/** What it became, in short: `w3` a word of the script, `um` a filler, `[AA L]` sounds beside it, `_` a pause. */
export const short = (list: readonly Stretch[]): string =>
  list
    .map((one) => {
      if (one.kind === 'place') return `w${one.place}`
      if (one.kind === 'other') return `[${one.sounds.join(' ')}]`
      return one.kind === 'filler' ? one.text : '_'
    })
    .join(' ')

/** A script of so many words in sentences of so many, said as `phones`, or each in a way of its own. */
export const scriptOf = (count: number, { sentence = 5, phones = 'K AA T' } = {}): Place[] =>
  Array.from({ length: count }, (_, i) => ({
    phones: [phones],
    sentenceStart: i > 0 && i % sentence === 0,
    clauseStart: false,
  }))
