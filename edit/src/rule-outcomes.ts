import { withoutRule, type OutcomeName } from '@clear-to-post/domain/first-cut'
import { isFiller } from './english.ts'
import { isAnswered } from './focus.ts'
import { isCut } from './framing.ts'
import { removalReasons, sizeOf, type Recipe, type Removed, type Span, type Word } from './recipe.ts'
import { coverageOf } from './removals.ts'
import { firstPlace, grouped } from './sorted.ts'
import { saidAgain } from './tries.ts'

/** Decisions of one rule that were sent as the rule had made them, those that were not, and the same thing done by hand. */
export type Outcome = { kept: number; undone: number; added: number }
export type Outcomes = Partial<Record<OutcomeName, Outcome>>

/**
 * What became of a first cut in the recipe that was rendered, by rule. A decision to take something out is kept where at least
 * half of its time is still out, by that rule or by hand; one that only offers to (off the script) where less is. Rules of which
 * nothing is to be said are left out.
 */
export const outcomesOf = (first: Recipe, rendered: Recipe): Outcomes => {
  const found: Outcomes = {}
  const count = (name: OutcomeName, what: keyof Outcome) => {
    found[name] ??= { kept: 0, undone: 0, added: 0 }
    found[name][what]++
  }
  const judge = (name: OutcomeName, isKept: boolean) => count(name, isKept ? 'kept' : 'undone')

  const on = (removed: readonly Removed[]) => removed.filter((one) => one.on)
  // What another rule takes out there is that rule's.
  const outBy = new Map(
    removalReasons.map((reason) => [
      reason,
      coverageOf(on(rendered.removed).filter((one) => one.by === 'person' || one.reason === reason)),
    ]),
  )
  for (const one of first.removed)
    if (one.by === 'rule' && one.reason !== 'by-hand')
      judge(one.reason, isMostlyOut(outBy.get(one.reason)!, one) === one.on)
  const moves = new Set(rendered.moves.filter((move) => move.on).map(({ id }) => id))
  for (const move of first.moves) if (move.by === 'rule' && move.on) judge('move', moves.has(move.id))
  // Where the frame cuts nothing away nobody saw what was decided.
  const cut = new Set(rendered.sources.filter((source) => isCut(source, sizeOf(rendered))).map(({ id }) => id))
  const places = (rendered.focus ?? []).filter(({ on, source }) => on && cut.has(source))
  for (const one of first.focus ?? [])
    if (one.by === 'rule' && one.on && cut.has(one.source))
      judge('person', places.some(({ id }) => id === one.id) && !isAnswered(one, places))
  if (first.close?.on) judge('card', rendered.close?.on === true)
  else if (rendered.close?.on) count('card', 'added')

  const [outBefore, ruleMissing] = [coverageOf(on(first.removed)), rulesMissing(rendered)]
  for (const one of on(rendered.removed))
    if (one.by === 'person' && !isMostlyOut(outBefore, one)) count(ruleMissing(one), 'added')
  for (const move of rendered.moves) if (move.by === 'person' && move.on) count('move', 'added')
  for (const { by } of places) if (by === 'person') count('person', 'added')
  return found
}

/** Is at least half of a stretch taken out? */
const isMostlyOut = ({ within }: ReturnType<typeof coverageOf>, span: Span): boolean =>
  2 * within(span) >= span.end - span.start

/** The rule that would have taken a stretch out had it seen it; what only offers itself is its rule's own decision, undone. */
const rulesMissing = (rendered: Recipe): ((cut: Span) => OutcomeName) => {
  const givenUp = new Set(
    saidAgain(rendered).flatMap(({ tries }) =>
      tries.filter(({ isIn }) => !isIn).flatMap((one) => one.words.map(({ id }) => id)),
    ),
  )
  const bySource = new Map(
    [...grouped(rendered.words, ({ source }) => source)].map(([source, words]) => {
      const sorted = words
        .map((word) => ({ word, middle: (word.start + word.end) / 2 }))
        .toSorted((a, b) => a.middle - b.middle)
      const inOrder = sorted.map(({ word }) => word)
      const isBroken = (word: Word) => word.mark === 'broken-off' || givenUp.has(word.id)
      return [
        source,
        {
          middles: sorted.map(({ middle }) => middle),
          fillers: sums(inOrder.map((_, i) => isFiller(inOrder, i))),
          broken: sums(inOrder.map(isBroken)),
        },
      ] as const
    }),
  )
  return ({ source, start, end }) => {
    const { middles, fillers, broken } = bySource.get(source) ?? { middles: [], fillers: [0], broken: [0] }
    const [from, to] = [start, end].map((at) => firstPlace(middles.length, (place) => middles[place]! >= at)) as [
      number,
      number,
    ]
    const are = (counted: readonly number[]) => counted[to]! - counted[from]! === to - from
    return to === from ? 'silence' : are(fillers) ? 'filler' : are(broken) ? 'broken-off' : withoutRule
  }
}

/** How many hold before each place, and of all. */
const sums = (holds: readonly boolean[]): number[] => {
  const found = [0]
  for (const one of holds) found.push(found.at(-1)! + (one ? 1 : 0))
  return found
}
