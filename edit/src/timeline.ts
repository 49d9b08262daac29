import { frameAt, msAt, type Fps } from './frames.ts'
import type { Recipe, Removed, Span, Word } from './recipe.ts'

/**
 * Where everything of a recipe stands in the finished video. All numbers are frames of the output's rate: a *source
 * frame* counts from the source's start, a *timeline frame* from the video's. Cut points are rounded once, on the
 * source's clock; so neighbours fit without a gap and every length is an exact sum.
 */

/** A passage played without interruption. */
export type Piece = {
  /** Its place in the order of playing. */
  index: number
  /** The `keep` it belongs to. */
  keep: string
  source: string
  /** First source frame and the one after the last. */
  from: number
  to: number
  /** Timeline frame of its first frame. */
  at: number
  /** Frames it shares with the piece before and after, by crossfade. */
  fadeIn: number
  fadeOut: number
}

export type Timeline = {
  fps: Fps
  pieces: Piece[]
  /** Frames of the cards. */
  open: number
  close: number
  /** Frames of the whole video. */
  frames: number
}

export const timelineOf = (recipe: Recipe): Timeline => {
  const { fps } = recipe.output
  const card = (one: Recipe['open']) => (one?.on ? frameAt(one.lengthMs, fps) : 0)
  const open = card(recipe.open)
  const close = card(recipe.close)
  const pieces = recipe.keep
    .flatMap((keep) =>
      without(keep, recipe.removed, fps).map(([from, to]) => ({ keep: keep.id, source: keep.source, from, to })),
    )
    .map((piece, index) => ({ ...piece, index, at: 0, fadeIn: 0, fadeOut: 0 }))
  const keeps = new Map(recipe.keep.map((keep) => [keep.id, keep]))
  let at = open
  pieces.forEach((piece, i) => {
    const before = pieces[i - 1]
    if (before) {
      const gapEnd = before.keep === piece.keep ? piece.from : frameAt(keeps.get(before.keep)!.end, fps)
      const joint = recipe.joints.find((one) => {
        const frame = frameAt(one.at, fps)
        return one.source === before.source && frame >= before.to && frame <= gapEnd
      })
      if (joint?.kind === 'crossfade') {
        // Each piece keeps a frame that is its own alone.
        const spare = Math.min(before.to - before.from - before.fadeIn, Math.floor((piece.to - piece.from) / 2)) - 1
        before.fadeOut = piece.fadeIn = Math.max(0, Math.min(frameAt(joint.lengthMs, fps), spare))
      }
      at -= piece.fadeIn
    }
    piece.at = at
    at += piece.to - piece.from
  })
  return { fps, pieces, open, close, frames: at + close }
}

/** Where a source frame is seen: once as a rule, never when it was removed, more often when a passage is played twice. */
export const placesOf = (timeline: Timeline, source: string, frame: number): number[] =>
  timeline.pieces
    .filter((piece) => piece.source === source && frame >= piece.from && frame < piece.to)
    .map((piece) => piece.at + frame - piece.from)

/** What is seen at a timeline frame; in a crossfade both, the one that weighs more first. Cards show no source. */
export const shownAt = (timeline: Timeline, at: number): { piece: Piece; frame: number }[] =>
  timeline.pieces
    .filter((piece) => at >= piece.at && at < piece.at + piece.to - piece.from)
    .map((piece) => ({ piece, frame: piece.from + at - piece.at }))
    .toSorted((one, other) => weight(other.piece, at) - weight(one.piece, at))

/**
 * Where a moment of a source is in the video, in milliseconds; a removed moment is where the next kept one is, so that a
 * player always lands somewhere. Null when nothing of the source follows.
 */
export const timelineMs = (timeline: Timeline, source: string, ms: number): number | null => {
  const frame = frameAt(ms, timeline.fps)
  const [place] = placesOf(timeline, source, frame)
  if (place !== undefined) return msAt(place, timeline.fps)
  const next = timeline.pieces
    .filter((piece) => piece.source === source && piece.from > frame)
    .toSorted((a, b) => a.from - b.from)[0]
  return next ? msAt(next.at, timeline.fps) : null
}

/** Which moment of which source a moment of the video shows; null over a card. */
export const sourceMs = (timeline: Timeline, ms: number): { source: string; ms: number } | null => {
  const [shown] = shownAt(timeline, frameAt(ms, timeline.fps))
  return shown ? { source: shown.piece.source, ms: msAt(shown.frame, timeline.fps) } : null
}

/** A source frame in milliseconds, for what is written down: a recording may end before the middle of its last frame. */
export const momentAt = ({ sources, output }: Recipe, source: string, frame: number): number =>
  Math.min(msAt(frame, output.fps), sources.find(({ id }) => id === source)?.durationMs ?? Infinity)

/** From a timeline frame to the one after the last. */
export type Window = { from: number; to: number }

/** Where a passage is seen, joined where it goes on without interruption. */
export const windowsOf = (timeline: Timeline, { source, start, end }: Span): Window[] => {
  const windows: Window[] = []
  for (const piece of timeline.pieces) {
    if (piece.source !== source) continue
    const from = Math.max(piece.from, frameAt(start, timeline.fps))
    const to = Math.min(piece.to, frameAt(end, timeline.fps))
    if (from >= to) continue
    const window = { from: piece.at + from - piece.from, to: piece.at + to - piece.from }
    const last = windows.at(-1)
    if (last && window.from <= last.to) last.to = window.to
    else windows.push(window)
  }
  return windows
}

/** A word that is heard, where it is heard. A word belongs to the piece that holds its middle; cut words end with it. */
export type Spoken = Window & { word: Word; piece: number }

export const spokenWords = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Spoken[] => {
  const { fps } = timeline
  const bySource = new Map<string, { word: Word; from: number; to: number; middle: number }[]>()
  for (const word of recipe.words) {
    const from = frameAt(word.start, fps)
    const list = bySource.get(word.source) ?? []
    bySource.set(word.source, list)
    list.push({ word, from, to: frameAt(word.end, fps), middle: frameAt((word.start + word.end) / 2, fps) })
  }
  return timeline.pieces.flatMap((piece) =>
    (bySource.get(piece.source) ?? [])
      .filter(({ middle }) => middle >= piece.from && middle < piece.to)
      .map(({ word, from, to }) => {
        const start = Math.min(Math.max(from, piece.from), piece.to - 1)
        const end = Math.max(Math.min(to, piece.to), start + 1)
        return { word, piece: piece.index, from: piece.at + start - piece.from, to: piece.at + end - piece.from }
      }),
  )
}

/** How near the picture is, at a segment's first frame and after its last; it changes evenly between the two. */
export type Zoom = { from: number; to: number; focus: { x: number; y: number } }
/** A stretch of one source, from a source frame on. */
export type Shot = { source: string; from: number; zoom: Zoom | null }
/** What lies over a segment: frames within the segment, and how many frames of the layer were shown before. */
export type Overlay = Window & { layer: string; shown: number }

/** What is rendered at once: a stretch that needs nothing of its neighbours. */
export type Segment = {
  /** Timeline frame of its first frame, and how many frames it has. */
  at: number
  frames: number
  overlays: Overlay[]
} & (
  | { kind: 'shot'; shot: Shot }
  | { kind: 'crossfade'; out: Shot; in: Shot }
  | { kind: 'card'; card: 'open' | 'close' }
)

/** Scraps cost more than they are worth: nothing shorter is split off, so a stretch may be longer by twice as much. */
export const leastOf = (longest: number): number => longest / 4

/**
 * The video as segments in order: a card, a stretch of one piece under one move, a crossfade. Their frames add up to the
 * timeline's. `longest` splits long stretches at whole multiples of it on the source's clock, so that a cut elsewhere
 * moves no split point; no stretch gets longer than half as much again.
 */
export const segmentsOf = (recipe: Recipe, options: { longest?: number } = {}): Segment[] => {
  const timeline = timelineOf(recipe)
  const zoomOf = zooms(recipe, timeline)
  const bare: (Segment extends infer S ? (S extends S ? Omit<S, 'overlays'> : never) : never)[] = []
  if (timeline.open) bare.push({ kind: 'card', card: 'open', at: 0, frames: timeline.open })
  timeline.pieces.forEach((piece) => {
    const { source } = piece
    const before = timeline.pieces[piece.index - 1]
    if (before && piece.fadeIn) {
      const outFrom = before.to - piece.fadeIn
      bare.push({
        kind: 'crossfade',
        at: piece.at,
        frames: piece.fadeIn,
        // Each side stays under the move that its own neighbour is under.
        out: { source: before.source, from: outFrom, zoom: zoomOf(before, outFrom, before.to, outFrom) },
        in: {
          source,
          from: piece.from,
          zoom: zoomOf(piece, piece.from, piece.from + piece.fadeIn, piece.from + piece.fadeIn - 1),
        },
      })
    }
    const first = piece.from + piece.fadeIn
    const last = piece.to - piece.fadeOut
    const points = [first, last, ...zoomOf.edges(piece)]
    if (options.longest) {
      const least = leastOf(options.longest)
      for (let at = Math.ceil(first / options.longest) * options.longest; at < last; at += options.longest)
        if (at - first >= least && last - at >= least) points.push(at)
    }
    const inside = [...new Set(points)].filter((point) => point >= first && point <= last).toSorted((a, b) => a - b)
    inside.slice(1).forEach((to, i) => {
      const from = inside[i]!
      const shot = { source, from, zoom: zoomOf(piece, from, to, from) }
      bare.push({ kind: 'shot', at: piece.at + from - piece.from, frames: to - from, shot })
    })
  })
  if (timeline.close)
    bare.push({ kind: 'card', card: 'close', at: timeline.frames - timeline.close, frames: timeline.close })
  const layers = recipe.layers
    .filter((layer) => layer.on)
    .map((layer) => ({
      id: layer.id,
      windows: layer.span
        ? windowsOf(timeline, layer.span)
        : [{ from: timeline.open, to: timeline.frames - timeline.close }],
    }))
  return bare.map((segment) => ({ ...segment, overlays: segment.kind === 'card' ? [] : overlaysOf(segment, layers) }))
}

/** Source frames of a keep that remain, as [from, to). */
const without = (keep: Span, removed: readonly Removed[], fps: Fps): [number, number][] => {
  const end = frameAt(keep.end, fps)
  const out = removed
    .filter((one) => one.on && one.source === keep.source)
    .map((one) => [frameAt(one.start, fps), frameAt(one.end, fps)] as const)
    // Shorter than a frame it takes nothing out, and parts nothing.
    .filter(([start, stop]) => start < stop)
    .toSorted((a, b) => a[0] - b[0])
  const rest: [number, number][] = []
  let from = frameAt(keep.start, fps)
  for (const [start, stop] of out) {
    if (start >= end) break
    if (stop <= from) continue
    if (start > from) rest.push([from, start])
    from = stop
  }
  if (from < end) rest.push([from, end])
  return rest
}

/** How much of the picture is this piece's, at a frame where it is shown. */
const weight = (piece: Piece, at: number): number => {
  const since = at - piece.at + 0.5
  const left = piece.to - piece.from - since
  if (since < piece.fadeIn) return since / piece.fadeIn
  return left < piece.fadeOut ? left / piece.fadeOut : 1
}

/** The zoom of a stretch [from, to) of a piece, under the move that counts at source frame `by`. The later move wins. */
const zooms = (recipe: Recipe, timeline: Timeline) => {
  const { fps } = timeline
  const moves = recipe.moves
    .filter((move) => move.on && move.scale > 1)
    .map((move) => {
      const range = { from: frameAt(move.start, fps), to: frameAt(move.end, fps) }
      // A push goes on evenly over what is kept of its passage, whatever was cut out of it.
      let kept = 0
      const before = new Map<number, number>()
      for (const piece of timeline.pieces) {
        if (piece.source !== move.source) continue
        before.set(piece.index, kept)
        kept += Math.max(0, Math.min(piece.to, range.to) - Math.max(piece.from, range.from))
      }
      return { ...move, ...range, before, kept }
    })
  const zoomOf = (piece: Piece, from: number, to: number, by: number): Zoom | null => {
    const move = moves.findLast((one) => one.source === piece.source && by >= one.from && by < one.to)
    if (!move) return null
    const focus = move.focus ?? recipe.frame.focus
    if (move.kind === 'punch-in') return { from: move.scale, to: move.scale, focus }
    const scaleAt = (frame: number) => {
      const done = move.before.get(piece.index)! + frame - Math.max(piece.from, move.from)
      return 1 + (move.scale - 1) * Math.min(1, Math.max(0, done / move.kept))
    }
    return { from: scaleAt(from), to: scaleAt(to), focus }
  }
  zoomOf.edges = (piece: Piece) =>
    moves.filter((move) => move.source === piece.source).flatMap((move) => [move.from, move.to])
  return zoomOf
}

const overlaysOf = (
  { at, frames }: { at: number; frames: number },
  layers: { id: string; windows: Window[] }[],
): Overlay[] =>
  layers.flatMap(({ id, windows }) => {
    let before = 0
    return windows.flatMap((window) => {
      const from = Math.max(window.from, at)
      const to = Math.min(window.to, at + frames)
      const shown = before + from - window.from
      before += window.to - window.from
      return from < to ? [{ layer: id, from: from - at, to: to - at, shown }] : []
    })
  })
