import { coversOf, type Cover } from './covers.ts'
import { focusOf, type Glide } from './focus.ts'
import { isBy } from './layer-kinds.ts'
import { frameAt, msAt, type Fps } from './frames.ts'
import type { Keep, Layer, Move, Recipe, Span, Word } from './recipe.ts'
import { firstPlace, grouped, leastWithin, meeting, topmost } from './sorted.ts'

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
  const left = whatIsLeft(recipe)
  const jointIn = joints(recipe)
  const pieces = recipe.keep
    .flatMap((keep) => left(keep).map(([from, to]) => ({ keep: keep.id, source: keep.source, from, to })))
    .map((piece, index) => ({ ...piece, index, at: 0, fadeIn: 0, fadeOut: 0 }))
  const keeps = new Map(recipe.keep.map((keep) => [keep.id, keep]))
  let at = open
  pieces.forEach((piece, i) => {
    const before = pieces[i - 1]
    if (before) {
      const gapEnd = before.keep === piece.keep ? piece.from : frameAt(keeps.get(before.keep)!.end, fps)
      const joint = jointIn(before.source, before.to, gapEnd)
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
export const windowsOf = (timeline: Timeline, span: Span): Window[] => windowsIn(timeline)(span)

/** The same for many passages: what is asked again and again is prepared once. */
export const windowsIn = (timeline: Timeline): ((span: Span) => Window[]) => {
  const piecesIn = meeting(timeline.pieces, (piece) => piece)
  return ({ source, start, end }) => {
    const windows: Window[] = []
    const [first, last] = [frameAt(start, timeline.fps), frameAt(end, timeline.fps)]
    for (const piece of piecesIn(source, first, last)) {
      const from = Math.max(piece.from, first)
      const to = Math.min(piece.to, last)
      if (from >= to) continue
      const window = { from: piece.at + from - piece.from, to: piece.at + to - piece.from }
      const before = windows.at(-1)
      if (before && window.from <= before.to) before.to = window.to
      else windows.push(window)
    }
    return windows
  }
}

/** Where layers are seen or heard: over their passages, and without one from the opening card to the closing one. */
export const layerWindowsIn = (timeline: Timeline): ((layer: Pick<Layer, 'span'>) => Window[]) => {
  const windows = windowsIn(timeline)
  const body = { from: timeline.open, to: timeline.frames - timeline.close }
  return ({ span }) => (span ? windows(span) : [body])
}

/** A word that is heard, where it is heard. A word belongs to the piece that holds its middle; cut words end with it. */
export type Spoken = Window & { word: Word; piece: number }

export const spokenWords = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Spoken[] => {
  const { fps } = timeline
  const bySource = grouped(
    recipe.words
      .map((word, order) => ({
        word,
        order,
        from: frameAt(word.start, fps),
        to: frameAt(word.end, fps),
        middle: frameAt((word.start + word.end) / 2, fps),
      }))
      .toSorted((a, b) => a.middle - b.middle),
    ({ word }) => word.source,
  )
  return timeline.pieces.flatMap((piece) => {
    const words = bySource.get(piece.source) ?? []
    const first = firstPlace(words.length, (i) => words[i]!.middle >= piece.from)
    const end = firstPlace(words.length, (i) => words[i]!.middle >= piece.to)
    return words
      .slice(first, end)
      .toSorted((a, b) => a.order - b.order)
      .map(({ word, from, to }) => {
        const start = Math.min(Math.max(from, piece.from), piece.to - 1)
        const end = Math.max(Math.min(to, piece.to), start + 1)
        return { word, piece: piece.index, from: piece.at + start - piece.from, to: piece.at + end - piece.from }
      })
  })
}

/** How near the picture is, at a segment's first frame and after its last; it changes evenly between the two. */
export type Zoom = { from: number; to: number; focus: { x: number; y: number } }
/** A stretch of one source, from a source frame on. Without a `focus` the frame's own point counts. */
export type Shot = {
  source: string
  from: number
  zoom: Zoom | null
  focus?: Glide | undefined
  /** Degrees, with the clock; missing: as it was recorded. */
  turn?: number | undefined
  /** Held steady, as far as it is known how it was shaken. */
  steady?: true | undefined
}
/**
 * What lies over a segment: frames within the segment, how many frames of the layer were shown before, and of how many.
 * `whole`: the frames of the video in which it is seen this time, beyond the segment's ends too. `cover`: of B-roll.
 */
export type Overlay = Window & { layer: string; shown: number; of: number; whole: Window; cover?: Cover }

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
  const focus = focusOf(recipe)
  const zoomOf = zooms(recipe, timeline, focus)
  const keeps = new Map(recipe.keep.map((keep) => [keep.id, keep]))
  const shotOf = (piece: Piece, from: number, to: number, by: number): Shot => {
    const [first, after] = [focus.at(piece.source, from, by), focus.at(piece.source, to, by)]
    const { turn, steady } = keeps.get(piece.keep) ?? {}
    return {
      source: piece.source,
      from,
      zoom: zoomOf(piece, from, to, by),
      ...(first && after && { focus: { from: first.position, to: after.position } }),
      ...(turn && { turn }),
      ...(steady && { steady }),
    }
  }
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
        out: shotOf(before, outFrom, before.to, outFrom),
        in: shotOf(piece, piece.from, piece.from + piece.fadeIn, piece.from + piece.fadeIn - 1),
      })
    }
    const first = piece.from + piece.fadeIn
    const last = piece.to - piece.fadeOut
    const points = [first, last, ...zoomOf.edges(source, first, last), ...focus.edges(source, first, last)]
    if (options.longest) {
      const least = leastOf(options.longest)
      for (let at = Math.ceil(first / options.longest) * options.longest; at < last; at += options.longest)
        if (at - first >= least && last - at >= least) points.push(at)
    }
    const inside = [...new Set(points)].filter((point) => point >= first && point <= last).toSorted((a, b) => a - b)
    inside.slice(1).forEach((to, i) => {
      const from = inside[i]!
      bare.push({
        kind: 'shot',
        at: piece.at + from - piece.from,
        frames: to - from,
        shot: shotOf(piece, from, to, from),
      })
    })
  })
  if (timeline.close)
    bare.push({ kind: 'card', card: 'close', at: timeline.frames - timeline.close, frames: timeline.close })
  const windowsOf = layerWindowsIn(timeline)
  const layers = recipe.layers
    .filter((layer) => layer.on && isBy('file', layer))
    .map((layer) => ({ layer, windows: windowsOf(layer) }))
  const clips = layers.flatMap(({ layer, windows }) => (layer.kind === 'b-roll' ? { ...layer, windows } : []))
  const covers = new Map(coversOf(clips, timeline.fps).map((own, i) => [clips[i]!.id, own]))
  const overlays = overlaysOf(
    bare,
    layers.map(({ layer: { id }, windows }) => ({ id, windows, covers: covers.get(id) })),
  )
  return bare.map((segment, i) => ({ ...segment, overlays: segment.kind === 'card' ? [] : overlays[i]! }))
}

/** For each keep the source frames of it that remain, as [from, to). */
const whatIsLeft = ({ removed, output: { fps } }: Recipe): ((keep: Keep) => [number, number][]) => {
  const outOf = new Map<string, [number, number][]>()
  for (const [source, spans] of grouped(
    removed.filter(({ on }) => on),
    (one) => one.source,
  )) {
    const merged: [number, number][] = []
    const frames = spans
      .map(({ start, end }): [number, number] => [frameAt(start, fps), frameAt(end, fps)])
      // Shorter than a frame it takes nothing out, and parts nothing.
      .filter(([start, stop]) => start < stop)
      .toSorted((a, b) => a[0] - b[0])
    for (const span of frames) {
      const last = merged.at(-1)
      if (last && span[0] <= last[1]) last[1] = Math.max(last[1], span[1])
      else merged.push(span)
    }
    outOf.set(source, merged)
  }
  return (keep) => {
    const out = outOf.get(keep.source) ?? []
    const end = frameAt(keep.end, fps)
    const rest: [number, number][] = []
    let from = frameAt(keep.start, fps)
    for (let i = firstPlace(out.length, (at) => out[at]![1] > from); i < out.length && out[i]![0] < end; i++) {
      const [start, stop] = out[i]!
      if (start > from) rest.push([from, start])
      from = stop
    }
    if (from < end) rest.push([from, end])
    return rest
  }
}

/** The joint at a source frame within [from, to]; of several the first in the recipe. */
const joints = (recipe: Recipe) => {
  const inOrder = recipe.joints
    .map((joint, order) => ({ joint, order, frame: frameAt(joint.at, recipe.output.fps) }))
    .toSorted((a, b) => a.frame - b.frame)
  const bySource = new Map(
    [...grouped(inOrder, ({ joint }) => joint.source)].map(([source, list]) => [
      source,
      { list, first: leastWithin(list.map(({ order }) => order)) },
    ]),
  )
  return (source: string, from: number, to: number): Recipe['joints'][number] | undefined => {
    const here = bySource.get(source)
    if (!here) return undefined
    const { list, first } = here
    const start = firstPlace(list.length, (i) => list[i]!.frame >= from)
    const end = firstPlace(list.length, (i) => list[i]!.frame > to)
    return recipe.joints[first(start, end)]
  }
}

/** How much of the picture is this piece's, at a frame where it is shown. */
const weight = (piece: Piece, at: number): number => {
  const since = at - piece.at + 0.5
  const left = piece.to - piece.from - since
  if (since < piece.fadeIn) return since / piece.fadeIn
  return left < piece.fadeOut ? left / piece.fadeOut : 1
}

/** The zoom of a stretch [from, to) of a piece, under the move that counts at source frame `by`. The later move wins. */
const zooms = (recipe: Recipe, timeline: Timeline, { at: framedAt }: ReturnType<typeof focusOf>) => {
  const { fps } = timeline
  const moves = recipe.moves
    .filter((move) => move.on && move.scale > 1)
    .map((move) => ({ ...move, from: frameAt(move.start, fps), to: frameAt(move.end, fps) }))
  type Placed = Move & Window
  // Between two neighbouring edges of moves the same one counts throughout.
  const bySource = new Map(
    [...grouped(moves, ({ source }) => source)].map(([source, own]) => {
      const { points, tops } = topmost(own)
      return [source, { edges: points, counts: tops.map((top) => (top === undefined ? undefined : own[top])) }]
    }),
  )
  const moveAt = (source: string, frame: number): Placed | undefined => {
    const here = bySource.get(source)
    return here?.counts[firstPlace(here.edges.length, (i) => here.edges[i]! > frame) - 1]
  }
  const piecesIn = meeting(timeline.pieces, (piece) => piece)
  const spread = new Map<Placed, { before: Map<number, number>; kept: number }>()
  // A push goes on evenly over what is kept of its passage, whatever was cut out of it.
  const spreadOf = (move: Placed) => {
    const known = spread.get(move)
    if (known) return known
    let kept = 0
    const before = new Map<number, number>()
    for (const piece of piecesIn(move.source, move.from, move.to)) {
      before.set(piece.index, kept)
      kept += Math.min(piece.to, move.to) - Math.max(piece.from, move.from)
    }
    const fresh = { before, kept }
    spread.set(move, fresh)
    return fresh
  }
  const zoomOf = (piece: Piece, from: number, to: number, by: number): Zoom | null => {
    const move = moveAt(piece.source, by)
    if (!move) return null
    // Without a point of its own a move comes nearer to the head.
    const focus = move.focus ?? framedAt(piece.source, from, by)?.head ?? recipe.frame.focus
    if (move.kind === 'punch-in') return { from: move.scale, to: move.scale, focus }
    const { before, kept } = spreadOf(move)
    const scaleAt = (frame: number) => {
      const done = before.get(piece.index)! + frame - Math.max(piece.from, move.from)
      return 1 + (move.scale - 1) * Math.min(1, Math.max(0, done / kept))
    }
    return { from: scaleAt(from), to: scaleAt(to), focus }
  }
  /** Where a move begins or ends, from `first` to `last`. */
  zoomOf.edges = (source: string, first: number, last: number): number[] => {
    const edges = bySource.get(source)?.edges ?? []
    const from = firstPlace(edges.length, (i) => edges[i]! >= first)
    return edges.slice(
      from,
      firstPlace(edges.length, (i) => edges[i]! > last),
    )
  }
  return zoomOf
}

/** For each of the segments, which follow each other without a gap, what lies over it; layers in their order. */
const overlaysOf = (
  segments: readonly { at: number; frames: number }[],
  layers: readonly { id: string; windows: Window[]; covers: readonly Cover[] | undefined }[],
): Overlay[][] => {
  const overlays = segments.map((): Overlay[] => [])
  for (const { id, windows, covers } of layers) {
    let before = 0
    const of = windows.reduce((sum, { from, to }) => sum + to - from, 0)
    for (const [place, window] of windows.entries()) {
      // A passage of which no frame is left lies over nothing.
      if (window.from >= window.to) continue
      const cover = covers?.[place]
      const end = window.to + (cover?.under ?? 0)
      let i = firstPlace(segments.length, (place) => segments[place]!.at + segments[place]!.frames > window.from)
      for (; i < segments.length && segments[i]!.at < end; i++) {
        const { at, frames } = segments[i]!
        const from = Math.max(window.from, at)
        const to = Math.min(end, at + frames)
        overlays[i]!.push({
          layer: id,
          from: from - at,
          to: to - at,
          shown: before + from - window.from,
          of,
          whole: window,
          ...(cover && { cover }),
        })
      }
      before += window.to - window.from
    }
  }
  return overlays
}
