import { withoutRule, type OutcomeName } from '@clear-to-post/domain/first-cut'
import { isFiller } from './english.ts'
import { isAnswered } from './focus.ts'
import { isCut } from './framing.ts'
import { sizeOf, type Recipe, type Removed, type Span } from './recipe.ts'
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

  for (const one of first.removed) {
    if (one.by !== 'rule' || one.reason === 'by-hand') continue
    // What another rule takes out there is that rule's.
    const own = rendered.removed.filter(({ by, reason }) => by === 'person' || reason === one.reason)
    judge(one.reason, isMostlyOut(own, one) === one.on)
  }
  for (const move of first.moves)
    if (move.by === 'rule' && move.on)
      judge(
        'move',
        rendered.moves.some(({ id, on }) => id === move.id && on),
      )
  // Where the frame cuts nothing away nobody saw what was decided.
  const cut = new Set(rendered.sources.filter((source) => isCut(source, sizeOf(rendered))).map(({ id }) => id))
  const places = (rendered.focus ?? []).filter(({ on, source }) => on && cut.has(source))
  for (const one of first.focus ?? [])
    if (one.by === 'rule' && one.on && cut.has(one.source))
      judge('person', places.some(({ id }) => id === one.id) && !isAnswered(one, places))
  if (first.close?.on) judge('card', rendered.close?.on === true)
  else if (rendered.close?.on) count('card', 'added')

  for (const one of rendered.removed)
    if (one.by === 'person' && one.on && !isMostlyOut(first.removed, one)) count(ruleMissing(rendered, one), 'added')
  for (const move of rendered.moves) if (move.by === 'person' && move.on) count('move', 'added')
  for (const { by } of places) if (by === 'person') count('person', 'added')
  return found
}

/** Is at least half of a stretch taken out? */
const isMostlyOut = (removed: readonly Removed[], { source, start, end }: Span): boolean => {
  let [out, reached] = [0, start]
  const inside = removed
    .filter((one) => one.on && one.source === source && one.end > start && one.start < end)
    .toSorted((a, b) => a.start - b.start)
  for (const one of inside) {
    const [from, to] = [Math.max(reached, one.start), Math.min(end, one.end)]
    if (to <= from) continue
    out += to - from
    reached = to
  }
  return 2 * out >= end - start
}

/** The rule that would have taken it out had it seen it; what only offers itself is its rule's own decision, undone. */
const ruleMissing = (rendered: Recipe, cut: Removed): OutcomeName => {
  const words = rendered.words.filter((word) => {
    const middle = (word.start + word.end) / 2
    return word.source === cut.source && middle >= cut.start && middle < cut.end
  })
  if (words.length === 0) return 'silence'
  if (words.every(isFiller)) return 'filler'
  const givenUp = new Set(
    saidAgain(rendered).flatMap(({ tries }) =>
      tries.filter(({ isIn }) => !isIn).flatMap((one) => one.words.map(({ id }) => id)),
    ),
  )
  return words.every((word) => word.mark === 'broken-off' || givenUp.has(word.id)) ? 'broken-off' : withoutRule
}
