import { frameAt } from './frames.ts'
import { inFrame, positionFor, type Point } from './framing.ts'
import type { Doubt, Hold, Person } from './person.ts'
import { sizeOf, type Focus, type Recipe, type Removed, type Source, type Span } from './recipe.ts'
import { firstPlace, grouped, topmost } from './sorted.ts'

/**
 * What stays in the frame where a picture of another shape is cut: of each passage the place of the person in the
 * recording (`recipe.focus`), from which every shape of frame takes its own part; else the frame's one point for all.
 */

/** Which part of the picture is seen, as CSS's object-position: at a stretch's first frame and after its last, evenly between. */
export type Glide = { from: Point; to: Point }

/** Milliseconds in which the picture follows somebody who goes to another place: as long as the way takes, within these. */
const glideMs = { least: 1200, most: 4000 } as const

/** Before and after a passage that was cut out a change of place may be put into it so early or late, ms. */
const nearCut = 600

/** What counts at a source frame: where the frame is put, and where in it the head is. */
export type Framed = { position: Point; head: Point }

/** The focus of a recipe's sources, prepared to be asked for many frames; null where the frame's own point counts. */
export const focusOf = (recipe: Recipe) => {
  const { fps } = recipe.output
  const frame = sizeOf(recipe)
  const placed = (recipe.focus ?? [])
    .filter(({ on }) => on)
    .map((one) => ({ ...one, from: frameAt(one.start, fps), until: frameAt(one.end, fps) }))
    .filter(({ from, until }) => from < until)
  type Placed = (typeof placed)[number]
  const sources = new Map(recipe.sources.map((source) => [source.id, source]))
  const bySource = new Map(
    [...grouped(placed, ({ source }) => source)].map(([source, own]) => {
      const { points, tops } = topmost(own.map(({ from, until }) => ({ from, to: until })))
      return [source, { points, counts: tops.map((top) => (top === undefined ? undefined : own[top])) }]
    }),
  )
  const onTop = (source: string, at: number): Placed | undefined => {
    const here = bySource.get(source)
    return here?.counts[firstPlace(here.points.length, (i) => here.points[i]! > at) - 1]
  }
  const framedBy = (one: Placed, picture: Source, at: number): Framed => {
    const share = within(0, (at - one.from) / (one.until - one.from), 1)
    const place = one.to
      ? { x: one.at.x + (one.to.x - one.at.x) * share, y: one.at.y + (one.to.y - one.at.y) * share }
      : one.at
    const position = positionFor(picture, frame, place, one.head)
    const head = inFrame(picture, frame, position, place)
    return { position, head: { x: within(0, head.x, 1), y: within(0, head.y, 1) } }
  }
  return {
    /** Under what counts at frame `by`, at frame `at`. */
    at: (source: string, at: number, by = at): Framed | null => {
      const [one, picture] = [onTop(source, by), sources.get(source)]
      return one && picture ? framedBy(one, picture, at) : null
    },
    /** Where another focus begins to count, from `first` to `last`. */
    edges: (source: string, first: number, last: number): number[] => {
      const points = bySource.get(source)?.points ?? []
      const from = firstPlace(points.length, (i) => points[i]! >= first)
      return points.slice(
        from,
        firstPlace(points.length, (i) => points[i]! > last),
      )
    },
  }
}

type Draft = Omit<Focus, 'id'>

/** The decisions for one recording: its person's places, how the picture goes from one to the next, and what is not sure. */
export const focusFor = (
  { id: source, durationMs }: Pick<Source, 'id' | 'durationMs'>,
  { holds, doubts }: Person,
  removed: readonly (Span & Pick<Removed, 'on'>)[] = [],
): Draft[] => {
  const cuts = removed.filter((one) => one.on && one.source === source)
  const rule = { source, by: 'rule', on: true } as const
  const [only] = doubts
  if (holds.length === 0)
    return only
      ? [{ ...rule, start: 0, end: durationMs, at: { x: 0.5, y: 0.4 }, unsure: true, why: why(only), on: false }]
      : []
  const isUnsure = only !== undefined && only.kind !== 'lost'
  const doubt = isUnsure ? { unsure: true as const } : {}
  const drafts: Draft[] = []
  let start = 0
  holds.forEach((hold, i) => {
    const next = holds[i + 1]
    const way = next ? wayBetween(hold, next, cuts) : { start: durationMs, end: durationMs }
    const at = placeOf(hold)
    if (way.start > start)
      drafts.push({
        ...rule,
        ...doubt,
        start,
        end: way.start,
        at,
        head: hold.height,
        why: only && isUnsure ? why(only) : whyHeld(hold),
      })
    if (next && way.end > way.start) {
      const head = Math.max(hold.height, next.height)
      drafts.push({
        ...rule,
        ...doubt,
        start: way.start,
        end: way.end,
        at,
        to: placeOf(next),
        head,
        why: 'The picture follows the person.',
      })
    }
    start = way.end
  })
  // Over what is held there: the place is the last one that was known.
  for (const one of doubts.filter(({ kind }) => kind === 'lost')) {
    const hold = holds.findLast((known) => known.start <= one.start) ?? holds[0]!
    drafts.push({
      ...rule,
      start: one.start,
      end: one.end,
      at: placeOf(hold),
      head: hold.height,
      unsure: true,
      why: why(one),
    })
  }
  return drafts
    .map((draft) => ({ ...draft, start: Math.round(draft.start), end: Math.round(draft.end) }))
    .filter(({ start, end }) => end > start)
}

/** Nobody sees a change of place that happens in what is cut out; else the picture glides. */
const wayBetween = (before: Hold, after: Hold, cuts: readonly Span[]): { start: number; end: number } => {
  const cut = cuts.find(({ start, end }) => end > before.end - nearCut && start < after.start + nearCut)
  if (cut) {
    const at = within(before.start, (cut.start + cut.end) / 2, after.end)
    return { start: at, end: at }
  }
  const middle = (before.end + after.start) / 2
  const half = within(glideMs.least / 2, (after.start - before.end) / 2, glideMs.most / 2)
  return {
    start: Math.max((before.start + before.end) / 2, middle - half),
    end: Math.min((after.start + after.end) / 2, middle + half),
  }
}

const placeOf = ({ x, y }: Hold): Point => ({ x, y })

const whyHeld = ({ x }: Hold): string => {
  const side = x < 0.42 ? 'left of the middle' : x > 0.58 ? 'right of the middle' : 'in the middle'
  return `The person is ${side}: the frame stays on the head.`
}

const why = ({ kind, start, end }: Doubt): string =>
  ({
    two: 'More than one person is seen. The frame stays on one of them.',
    lost: `Nobody is seen for ${Math.round((end - start) / 1000)} s. The frame stays where it was.`,
    seldom: 'Somebody is seen for a moment only.',
    restless: 'The person moves about a lot.',
  })[kind]

/**
 * Decisions of which nobody is sure and that nobody has answered: no point that a person set counts in their whole place.
 */
export const unsureOf = ({ focus = [] }: Pick<Recipe, 'focus'>): Focus[] =>
  focus.filter((one) => one.unsure && !isAnswered(one, focus))

/** A person's own place counts wherever this one is. */
export const isAnswered = ({ source, start, end }: Span, focus: readonly Focus[]): boolean =>
  focus.some((own) => own.by === 'person' && own.on && own.source === source && own.start <= start && own.end >= end)

/** A person has decided: nobody is asked about it any more. */
export const answered = (one: Focus): Focus => {
  const { unsure, ...decided } = one
  return unsure ? decided : one
}

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))
