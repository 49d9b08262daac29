import { frameAt, msAt } from '../frames.ts'
import type { Keep, Recipe, Removed, Word } from '../recipe.ts'
import { momentAt, timelineOf, type Piece, type Timeline } from '../timeline.ts'
import { freeId, type Command } from './command.ts'
import { withRemoved } from './cuts.ts'

/**
 * Cuts by hand on the line of the video. A passage is one piece of the timeline, named by its place in the order; an end
 * is named by a *source frame*: the first one seen, or the one after the last. What is taken from an end stands in
 * `removed` like any other cut, so the transcript shows it struck through; what is given back comes out of there. A
 * passage keeps at least one frame, reaches at most to its neighbour in the same recording, and no passage comes or goes
 * but by `splitAt` and `removePiece`. So a place in the order stays good while an end is moved.
 */
export type Edge = 'from' | 'to'

const trimmed = 'Trimmed by hand.'

/** Parts a passage in two at a timeline frame, which becomes the second part's first. Nothing that is seen changes. */
export const splitAt =
  (frame: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const piece = pieceAt(timeline, frame)
    const at = piece && piece.from + frame - piece.at
    // Inside of a crossfade both passages are seen: there is nothing to part.
    if (!piece || at === undefined || at <= piece.from + piece.fadeIn || at >= piece.to - piece.fadeOut) return recipe
    // A joint that rested here, because its passage was put back, goes on resting.
    const joints = recipe.joints.filter((one) => one.source !== piece.source || frameAt(one.at, timeline.fps) !== at)
    const next = parted({ ...recipe, joints }, piece, at)
    // A passage may get too short for its crossfade.
    return timelineOf(next).frames === timeline.frames ? next : recipe
  }

/** Sets an end of a passage to a source frame, as far as it can go; what comes later moves along. */
export const setPieceEdge =
  (index: number, edge: Edge, frame: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const piece = timeline.pieces[index]
    const reach = pieceReach(recipe, timeline, index, edge)
    if (!piece || !reach) return recipe
    const before = piece[edge]
    const at = Math.max(reach.from, Math.min(frame, reach.to))
    if (at === before) return recipe
    const isIn = edge === 'from' ? at > before : at < before
    const stretch = { from: Math.min(at, before), to: Math.max(at, before) }
    const next = isIn ? takenOut(recipe, piece, stretch) : givenBack(recipe, piece, edge, stretch)
    return withJoint(recipe, next, timeline, edge === 'from' ? index - 1 : index)
  }

/** Trims the passage under a timeline frame so that it begins with this frame, or ends before it. */
export const trimTo =
  (edge: Edge, frame: number): Command =>
  (recipe) => {
    const piece = pieceAt(timelineOf(recipe), frame)
    if (!piece || frame === piece.at) return recipe
    return setPieceEdge(piece.index, edge, piece.from + frame - piece.at)(recipe)
  }

/** Moves where a passage ends and the next one begins, by frames; the video stays as long as it is. */
export const rollJoint =
  (index: number, by: number): Command =>
  (recipe) => {
    const [first, second] = timelineOf(recipe).pieces.slice(index, index + 2)
    if (index < 0 || !first || !second || by === 0) return recipe
    // One side gives way first, and the other takes as much; where it cannot take all of it, both go so far.
    const roll = (frames: number): { next: Recipe; done: number } => {
      const [gives, takes] = frames > 0 ? (['from', 'to'] as const) : (['to', 'from'] as const)
      const [giver, taker] = frames > 0 ? [second, first] : [first, second]
      const given = setPieceEdge(giver.index, gives, giver[gives] + frames)(recipe)
      const gave = endOf(given, giver.index, gives) - giver[gives]
      const next = setPieceEdge(taker.index, takes, taker[takes] + gave)(given)
      return { next, done: endOf(next, taker.index, takes) - taker[takes] }
    }
    const { done } = roll(by)
    return done === 0 ? recipe : roll(done).next
  }

/** Sets an end of a passage to a source frame, and the neighbour’s end by as much: `rollJoint`, named by where it leads. */
export const rollEdge =
  (index: number, edge: Edge, frame: number): Command =>
  (recipe) => {
    const piece = timelineOf(recipe).pieces[index]
    return piece ? rollJoint(edge === 'from' ? index - 1 : index, frame - piece[edge])(recipe) : recipe
  }

/**
 * Shows another part of the recording in a passage's place, by frames: later on for more than 0. It stays as long, and goes as
 * far as what its ends may be given; its neighbours stay.
 */
export const slipPiece =
  (index: number, by: number): Command =>
  (recipe) => {
    const piece = timelineOf(recipe).pieces[index]
    if (!piece || by === 0) return recipe
    const [grows, gives] = by > 0 ? (['to', 'from'] as const) : (['from', 'to'] as const)
    const longer = setPieceEdge(index, grows, piece[grows] + by)(recipe)
    const done = endOf(longer, index, grows) - piece[grows]
    const next = setPieceEdge(index, gives, piece[gives] + done)(longer)
    // What cannot give as much was not slipped but cut.
    return endOf(next, index, gives) - piece[gives] === done ? next : recipe
  }

/** Takes a passage out; what comes later moves up. The last one stays: a video shows something. */
export const removePiece =
  (index: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const piece = timeline.pieces[index]
    if (!piece || timeline.pieces.length === 1) return recipe
    return takenOut(recipe, piece, piece)
  }

/** The source frames between which an end of a passage can be set, both of them included. Null where there is none. */
export const pieceReach = (
  recipe: Recipe,
  timeline: Timeline,
  index: number,
  edge: Edge,
): { from: number; to: number } | null => {
  const piece = timeline.pieces[index]
  if (!piece) return null
  const { fps, pieces } = timeline
  const source = recipe.sources.find(({ id }) => id === piece.source)!
  const others = pieces.filter((one) => one !== piece && one.source === piece.source)
  // The keep beside gives way but for a frame; what any other plays, or may play again, is not played twice.
  const beside = neighbourKeep(recipe, piece, edge)
  const keeps = recipe.keep.filter((keep) => keep.source === piece.source && keep.id !== piece.keep && keep !== beside)
  if (edge === 'from') {
    const limits = [
      ...others.map(({ to }) => to),
      ...keeps.map((keep) => frameAt(keep.end, fps)),
      ...(beside ? [frameAt(beside.start, fps) + 1] : []),
    ]
    return { from: Math.max(0, ...limits.filter((at) => at <= piece.from)), to: piece.to - 1 }
  }
  const limits = [
    ...others.map(({ from }) => from),
    ...keeps.map((keep) => frameAt(keep.start, fps)),
    ...(beside ? [frameAt(beside.end, fps) - 1] : []),
  ]
  const last = frameAt(source.durationMs, fps)
  return { from: piece.from + 1, to: Math.min(last, ...limits.filter((at) => at >= piece.to)) }
}

/** The word into which a source frame would cut, more than a breath from both of its ends. Null between words. */
export const wordAcross = (recipe: Recipe, source: string, frame: number): Word | null => {
  const ms = msAt(frame, recipe.output.fps)
  return (
    recipe.words.find(
      (word) => word.source === source && ms > word.start + withinWordMs && ms < word.end - withinWordMs,
    ) ?? null
  )
}

/** Word times are good to about this; nearer to an end of a word no cut is heard as one. */
const withinWordMs = 40

/** The passage at a timeline frame; of two in a crossfade the one that begins. */
const pieceAt = ({ pieces }: Timeline, frame: number): Piece | undefined =>
  pieces.findLast((piece) => frame >= piece.at && frame < piece.at + piece.to - piece.from)

const endOf = (recipe: Recipe, index: number, edge: Edge): number => timelineOf(recipe).pieces[index]![edge]

/** The keep that goes on where this piece's ends, in the order of playing as in the recording. */
const neighbourKeep = (recipe: Recipe, { keep: id }: Piece, edge: Edge): Keep | undefined => {
  const { fps } = recipe.output
  const at = recipe.keep.findIndex((keep) => keep.id === id)
  const [keep, other] = [recipe.keep[at]!, recipe.keep[edge === 'from' ? at - 1 : at + 1]]
  // One that is shorter than a frame is not seen, and has nothing to give.
  if (!other || other.source !== keep.source || frameAt(other.start, fps) === frameAt(other.end, fps)) return undefined
  const meets =
    edge === 'from'
      ? frameAt(other.end, fps) === frameAt(keep.start, fps)
      : frameAt(other.start, fps) === frameAt(keep.end, fps)
  return meets ? other : undefined
}

type Stretch = { from: number; to: number }

/** Source frames out of a piece. Trims in a row are one cut, not many beside each other. */
const takenOut = (recipe: Recipe, piece: Piece, { from, to }: Stretch): Recipe => {
  const { fps } = recipe.output
  const [start, end] = [momentAt(recipe, piece.source, from), momentAt(recipe, piece.source, to)]
  const beside = recipe.removed.find(
    (one) =>
      one.on &&
      one.source === piece.source &&
      one.why === trimmed &&
      (frameAt(one.end, fps) === from || frameAt(one.start, fps) === to),
  )
  if (!beside)
    return withRemoved(recipe, [
      { id: '', source: piece.source, start, end, reason: 'by-hand', by: 'person', why: trimmed, on: true },
    ])
  const wider = { ...beside, start: Math.min(beside.start, start), end: Math.max(beside.end, end) }
  return { ...recipe, removed: inOrder(recipe, recipe.removed.with(recipe.removed.indexOf(beside), wider)) }
}

/** Source frames back to the end of a piece: what was taken out of them is taken out no longer. */
const givenBack = (recipe: Recipe, piece: Piece, edge: Edge, { from, to }: Stretch): Recipe => {
  const { fps } = recipe.output
  const [start, end] = [momentAt(recipe, piece.source, from), momentAt(recipe, piece.source, to)]
  const removed = recipe.removed.flatMap((one): Removed[] => {
    const [first, last] = [frameAt(one.start, fps), frameAt(one.end, fps)]
    if (!one.on || one.source !== piece.source || first >= to || last <= from) return [one]
    // All of it comes back: a rule's decision keeps its switch, a cut by hand is as if it had not been.
    if (first >= from && last <= to) return one.by === 'rule' ? [{ ...one, on: false }] : []
    return [edge === 'from' ? { ...one, end: start } : { ...one, start: end }]
  })
  // What lies between two keeps belongs to neither, or to the one beside: their border goes along.
  const neighbour = neighbourKeep(recipe, piece, edge)
  const keep = recipe.keep.map((one) => {
    if (one.id === piece.keep)
      return edge === 'from' ? { ...one, start: Math.min(one.start, start) } : { ...one, end: Math.max(one.end, end) }
    if (one !== neighbour) return one
    return edge === 'from' ? { ...one, end: Math.min(one.end, start) } : { ...one, start: Math.max(one.start, end) }
  })
  const next = { ...recipe, keep, removed: inOrder(recipe, removed) }
  // Nothing is left between this passage and the one beside it: the cut stays as a split, so that both keep their ends.
  const joined = timelineOf(next).pieces.find(
    (one) => one.source === piece.source && one.from < from && one.to > to && one.keep === piece.keep,
  )
  return joined ? parted(next, joined, edge === 'from' ? from : to) : next
}

/** A piece's keep in two, at a source frame; the second part has the new id. */
export const parted = (recipe: Recipe, piece: Piece, at: number): Recipe => {
  const ms = momentAt(recipe, piece.source, at)
  const keep = recipe.keep.flatMap((one) => {
    if (one.id !== piece.keep) return [one]
    // Its voice fades at its own ends, not where it is parted.
    const { fadeInMs: _, ...second } = one
    const { fadeOutMs: __, ...first } = one
    return [
      { ...first, end: ms },
      { ...second, id: freeId('k', recipe.keep), start: ms },
    ]
  })
  return { ...recipe, keep }
}

/** How two passages met goes along with where they meet: the joint after the piece `index` of the timeline `before`. */
const withJoint = (recipe: Recipe, next: Recipe, before: Timeline, index: number): Recipe => {
  const [first, second] = before.pieces.slice(index, index + 2)
  const [left, right] = timelineOf(next).pieces.slice(index, index + 2)
  if (index < 0 || !first || !second?.fadeIn || !left || right?.fadeIn) return next
  const { fps } = before
  const keepEnd = frameAt(recipe.keep.find(({ id }) => id === first.keep)!.end, fps)
  const gapEnd = first.keep === second.keep ? second.from : keepEnd
  const joint = next.joints.find((one) => {
    const at = frameAt(one.at, fps)
    return one.kind === 'crossfade' && one.source === first.source && at >= first.to && at <= gapEnd
  })
  if (!joint) return next
  const at = momentAt(next, first.source, left.to)
  return { ...next, joints: next.joints.map((one) => (one === joint ? { ...one, at } : one)) }
}

const inOrder = (recipe: Recipe, removed: Removed[]): Removed[] => {
  const order = new Map(recipe.sources.map(({ id }, i) => [id, i]))
  return removed.toSorted((a, b) => order.get(a.source)! - order.get(b.source)! || a.start - b.start)
}
