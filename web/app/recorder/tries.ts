import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { Script } from './prompter.ts'

/** A sentence of the script and when each of its tries began in the take, ms; the last one is the one that counts. */
export type Tried = { text: string; tries: readonly number[] }

/** Words that were passed faster than that were moved by hand, not read, ms. */
const leastMs = 400

/** The sentences that were read in a take, in the script's order. A try begins where the prompter came to its sentence anew. */
export const triesIn = (script: Script, { again, shown }: TakeLog): Tried[] => {
  const tries: number[][] = script.begins.map(() => [])
  let last: { sentence: number; at: number } | null = null
  const leave = (at: number) => {
    if (last && at - last.at >= leastMs) tries[last.sentence]!.push(last.at)
    last = null
  }
  let before = -1
  for (const [word, at] of shown) {
    const sentence = script.sentenceOf[word]
    if (sentence === undefined) continue
    // Between two looks at the words the officer may have gone back by saying so.
    const isAgain = again.some(({ ms }) => ms > before && ms <= at)
    if (last === null || last.sentence !== sentence || isAgain) {
      leave(at)
      last = { sentence, at }
    }
    before = at
  }
  leave(Number.POSITIVE_INFINITY)
  return tries.flatMap((begun, sentence) =>
    begun.length === 0 ? [] : [{ text: textOf(script, sentence), tries: begun }],
  )
}

const textOf = (script: Script, sentence: number): string =>
  script.parts
    .flatMap((part) => (part.kind === 'word' && script.sentenceOf[part.word] === sentence ? [part.text] : []))
    .join(' ')
