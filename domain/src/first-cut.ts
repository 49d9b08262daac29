/** Quick speakers say four words a second. */
const wordsPerSecond = 5

/** Far more than words have, with the marks and spaces around them. */
const charactersPerWord = 20

/** Room for what is written and not said: headings, notes for the speaker, another opening. */
const unsaidWords = 200

/** From here on the recordings of one video are long work: their words take minutes to find. */
const longFromMs = 10 * 60_000

/** How long the words of one video's recordings are looked for; those that come later stay without. Well within its job's time. */
export const mostListeningMs = 20 * 60_000

/** A word is a run of letters; of a number every digit counts, as it is said for itself or as a word of its own. */
const word = /\p{L}[\p{L}\p{M}'’]{0,79}|\p{N}/gu

/** How many words of a script may stand for recordings of this length together, ms. */
export const mostScriptWords = (recordedMs: number): number =>
  Math.floor((recordedMs / 1000) * wordsPerSecond) + unsaidWords

/** Why a script is no script of recordings of this length together (ms), with what to do; null when it may be one. */
export const refusedScript = (script: string, recordedMs: number): string | null => {
  const words = script.match(word)?.length ?? 0
  const most = mostScriptWords(recordedMs)
  const next = 'Give only the words that are said in them.'
  if (words > most)
    return `This script has ${words} words, and no more than ${most} can be said in these recordings. ${next}`
  return script.length > most * charactersPerWord ? `This script is too long for these recordings. ${next}` : null
}

/** Are recordings of this length together (ms) long work? */
export const isLongFirstCut = (recordedMs: number): boolean => recordedMs >= longFromMs

/** The rules of the first cut: what each decides stands in `edit/src/first-cut.ts`, its numbers in `first-cut-rules.ts`. */
export const firstCutRules = ['silence', 'filler', 'broken-off', 'off-script', 'move', 'person', 'card'] as const
export type FirstCutRule = (typeof firstCutRules)[number]

/** What a person decided where no rule is about it: words taken out that nothing marks. */
export const withoutRule = 'none'
export const outcomeNames = [...firstCutRules, withoutRule] as const
export type OutcomeName = (typeof outcomeNames)[number]
