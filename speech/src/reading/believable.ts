import type { Place } from '../grammar.ts'
import { mostOfAWord } from './said.ts'
import { setAside, type Stretch } from './stretches.ts'

/** Fitting at most so much worse than this speaker's words usually do, a word is as clear as the others; a factor. */
const clear = 1.03
/** So many words in a row, fitting at most so much worse than usual (a factor), are not heard by chance. */
const firmRuns = [
  { words: 5, worse: 1.6 },
  { words: 4, worse: clear },
]
/** What may be heard between two words that follow each other, ms: a hesitation, not other words. */
const hesitation = 300
/** So many places further is still "on by what was left out": three words are left out at most. */
const furthestOn = 4

/** Words of the script that follow each other, from its place `first` to `last`; `beside`: what was heard before them, ms. */
type Run = { words: Stretch[]; first: number; last: number; beside: number }

/**
 * Whoever says something else is heard by the grammar as scraps of the script, a word here and a word there. Many words in
 * a row are no chance; a few are believed only where they lead from such a row to such a row: on by what was left out, or
 * back to what was begun. The rest is taken for something beside the script.
 */
export function keepBelievable(list: readonly Stretch[], script: readonly Place[]): Stretch[] {
  const { runs, after } = runsOf(list)
  const usual = misfit(list)
  const isFirm = ({ words }: Run) =>
    firmRuns.some(
      ({ words: least, worse }) => words.length >= Math.min(least, script.length) && misfit(words) <= usual * worse,
    )
  if (!runs.some(isFirm)) return [...list]
  const lost = new Set<Stretch>()
  for (const { before, weak, next } of weakRuns(runs, isFirm)) {
    const chain = [before, ...weak, next]
    if (chain.every((to, n) => n === 0 || leads(chain[n - 1], to, after, script))) continue
    // A word that nothing else says, in its place and as clear as the others, is the end or the beginning of a row.
    let reached = before?.last ?? -1
    for (const { words, first, last } of weak) {
      const isInPlace = first > reached && last < (next?.first ?? script.length)
      if (isInPlace && misfit(words) <= usual * clear) reached = last
      else for (const one of words) lost.add(one)
    }
  }
  return setAside(list, lost)
}

/** The runs in their order, and what was heard beside the script after the last one, ms. */
function runsOf(list: readonly Stretch[]): { runs: Run[]; after: number } {
  const runs: Run[] = []
  let beside = 0
  for (const one of list) {
    if (one.kind === 'silence') continue
    if (one.kind !== 'place') {
      beside += one.end - one.start
      continue
    }
    const run = runs.at(-1)
    if (run && one.place === run.last + 1 && beside <= hesitation) {
      run.words.push(one)
      run.last = one.place
    } else runs.push({ words: [one], first: one.place, last: one.place, beside })
    beside = 0
  }
  return { runs, after: beside }
}

/** Runs that are not firm and follow each other, with the firm ones around them. */
function weakRuns(runs: readonly Run[], isFirm: (run: Run) => boolean) {
  const found: { before: Run | undefined; weak: Run[]; next: Run | undefined }[] = []
  runs.forEach((run, i) => {
    if (isFirm(run)) return
    const last = found.at(-1)
    if (last && last.weak.at(-1) === runs[i - 1]) last.weak.push(run)
    else found.push({ before: runs[i - 1], weak: [run], next: undefined })
    found.at(-1)!.next = runs[i + 1]
  })
  return found
}

/** Does the script lead from one run to the next? At its ends it does unless much is said beside it. */
function leads(from: Run | undefined, to: Run | undefined, after: number, script: readonly Place[]): boolean {
  if ((to?.beside ?? after) > mostOfAWord) return false
  if (!from || !to) return true
  const on = to.first - from.last
  if (on <= 0) return to.first >= from.first
  const { sentenceStart, clauseStart } = script[to.first]!
  return on <= furthestOn || (to.beside === 0 && (sentenceStart || clauseStart))
}

/** How badly the words fit how the model would have them said: half of the time spoken fits better. */
function misfit(list: readonly Stretch[]): number {
  const words = list.flatMap((one) => (one.kind === 'place' ? [one] : [])).toSorted((a, b) => b.score - a.score)
  const total = words.reduce((sum, { start, end }) => sum + end - start, 0)
  let passed = 0
  return -(words.find(({ start, end }) => (passed += end - start) >= total / 2)?.score ?? 0)
}
