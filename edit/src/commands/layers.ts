import { clipSpeeds } from '../clip-time.ts'
import { frameAt, msAt } from '../frames.ts'
import { layerKinds } from '../layer-kinds.ts'
import { withinRoom } from '../layer-room.ts'
import type { ClipMotion, Layer, Recipe, Span } from '../recipe.ts'
import { momentAt, timelineOf, windowsOf, type Timeline, type Window } from '../timeline.ts'
import { freeId, type Command } from './command.ts'
import { runsOf } from './cuts.ts'

/** A file of a B-roll library as far as a place for it depends on it. */
export type ClipFile = {
  assetId: string
  /** Milliseconds; null for a still picture, which lasts as long as its place. */
  durationMs: number | null
}

/** A layer that is seen while a passage is; the others are always seen, except over cards. */
export type Placed = Layer & { span: Span }
export type BRoll = Extract<Placed, { kind: 'b-roll' }>

/** So many layers a recipe has at most. */
const most = 200

export const placedOf = ({ layers }: Pick<Recipe, 'layers'>): Placed[] =>
  layers.filter((layer): layer is Placed => layer.span !== null)

/** The B-roll of a recipe that has a place. */
export const bRollOf = (recipe: Pick<Recipe, 'layers'>): BRoll[] =>
  placedOf(recipe).filter((layer) => layer.kind === 'b-roll')

/** Milliseconds of the video that lie under a passage: what is cut out of it does not count. */
export const shownMs = (recipe: Recipe, span: Span, timeline: Timeline = timelineOf(recipe)): number =>
  msAt(shownFrames(timeline, span), timeline.fps)

/** The same in frames: what is to stay exactly as long is counted in them. */
export const shownFrames = (timeline: Timeline, span: Span): number =>
  windowsOf(timeline, span).reduce((sum, { from, to }) => sum + to - from, 0)

/**
 * Covers the picture with a clip while these words are heard; the voice goes on. Where the clip is shorter than the words,
 * it covers as many of them as it lasts. What lay there before makes room.
 */
export const coverWords =
  (ids: Iterable<string>, clip: ClipFile): Command =>
  (recipe) => {
    const wanted = new Set(ids)
    const timeline = timelineOf(recipe)
    let fromMs = 0
    let covered = recipe
    for (const { run } of runsOf(recipe, (word) => wanted.has(word.id))) {
      const span = fitted(timeline, spanOf(run), leftOf(clip, fromMs))
      if (!span) continue
      const layer: BRoll = {
        id: freeId('b', covered.layers),
        kind: 'b-roll',
        assetId: clip.assetId,
        fromMs: clip.durationMs === null ? 0 : fromMs,
        focus: { x: 0.5, y: 0.5 },
        span,
        on: true,
      }
      covered = withPlaced(covered, layer, timeline)
      fromMs += shownMs(recipe, span, timeline)
    }
    return covered
  }

/**
 * Sets an end of a layer to a frame of the video (`to`: the frame after the last one seen). It stays in its recording,
 * beside its neighbours, and no longer than the clip lasts. An end that is moved over the other one stops a frame before
 * it. With its start the clip's own start moves along, so that what is seen later stays where it is.
 */
export const setLayerEdge =
  (
    id: string,
    edge: 'from' | 'to',
    frame: number,
    clip: Pick<ClipFile, 'durationMs'> = { durationMs: null },
  ): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const layer = placedOf(recipe).find((one) => one.id === id)
    const windows = layer ? windowsOf(timeline, layer.span) : []
    const [first, last] = [windows[0], windows.at(-1)]
    if (!layer || !first || !last) return recipe
    const speed = speedOf(layer)
    const shownFrom = layer.kind === 'b-roll' ? layer.fromMs : 0
    if (edge === 'to') {
      const at = sourceFrame(timeline, layer.span.source, Math.max(frame, first.from + 1) - 1)
      if (at === null) return recipe
      const end = momentAt(recipe, layer.span.source, at + 1)
      const span = fitted(timeline, between(recipe, layer, { ...layer.span, end }), leftOf(clip, shownFrom, speed))
      return span ? withinRoom(recipe, withLayer(recipe, layer, { span }), layer.kind) : recipe
    }
    const at = sourceFrame(timeline, layer.span.source, Math.min(frame, last.to - 1))
    if (at === null) return recipe
    const span = between(recipe, layer, { ...layer.span, start: momentAt(recipe, layer.span.source, at) })
    const longer = shownMs(recipe, span, timeline) - shownMs(recipe, layer.span, timeline)
    const fromMs = clip.durationMs === null ? 0 : Math.max(0, Math.round(shownFrom - longer * speed))
    const fits = fitted(timeline, span, leftOf(clip, fromMs, speed))
    if (!fits) return recipe
    const part = layer.kind === 'b-roll' ? { span: fits, fromMs } : { span: fits }
    return withinRoom(recipe, withLayer(recipe, layer, part), layer.kind)
  }

/** Moves a layer along the video by frames, as long as before; it stays in its recording and beside its neighbours. */
export const moveLayer =
  (id: string, by: number): Command =>
  (recipe) => {
    const timeline = timelineOf(recipe)
    const layer = placedOf(recipe).find((one) => one.id === id)
    const [first] = layer ? windowsOf(timeline, layer.span) : []
    if (!layer || !first || by === 0) return recipe
    const { source } = layer.span
    const at = sourceFrame(timeline, source, first.from + by)
    if (at === null) return recipe
    const length = shownFrames(timeline, layer.span)
    const span = spanFromFrame(recipe, timeline, { source, frame: at }, length)
    if (!span || shownFrames(timeline, span) < length) return recipe
    if (rivalsOf(recipe, layer).some((one) => overlap(one.span, span))) return recipe
    return withinRoom(recipe, withLayer(recipe, layer, { span }), layer.kind)
  }

/** Chooses which part of the clip is seen: from `fromMs` of it on. It never runs out before its place ends, if it can. */
export const slipLayer =
  (id: string, fromMs: number, clip: ClipFile): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    if (!layer || clip.durationMs === null) return recipe
    return withLayer(recipe, layer, { fromMs: Math.round(Math.max(0, Math.min(fromMs, spareMs(recipe, layer, clip)))) })
  }

/**
 * How fast a clip is played, 1 as it was recorded. Its place stays; where the clip would run out in it, it begins earlier, as
 * far as it can.
 */
export const setLayerSpeed =
  (id: string, wanted: number, clip: ClipFile): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    if (!layer || clip.durationMs === null) return recipe
    const within = Math.max(clipSpeeds.least, Math.min(clipSpeeds.most, wanted))
    const next = { ...layer, speed: Math.round(within * 100) / 100 }
    const fromMs = Math.min(layer.fromMs, spareMs(recipe, next, clip))
    if (next.speed === speedOf(layer)) return recipe
    return withoutMissing(recipe, { ...next, fromMs, speed: next.speed === 1 ? undefined : next.speed })
  }

/** The latest moment of a clip from which it lasts as long as its place, ms; never below 0. */
export const spareMs = (
  recipe: Recipe,
  layer: BRoll,
  { durationMs }: Pick<ClipFile, 'durationMs'>,
  timeline?: Timeline,
): number => Math.max(0, Math.floor((durationMs ?? 0) - shownMs(recipe, layer.span, timeline) * speedOf(layer)))

/** What stays in the picture where a side of the clip has to be cut away; parts of its width and height. */
export const focusLayer =
  (id: string, point: Partial<BRoll['focus']>): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    const part = (value: number) => Math.max(0, Math.min(1, value))
    const { x, y } = { ...layer.focus, ...point }
    return withLayer(recipe, layer, { focus: { x: part(x), y: part(y) } })
  }

/** How B-roll comes and goes (undefined: at once). */
export const setClipMotion =
  (id: string, motion: ClipMotion | undefined): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    return layer && layer.motion !== motion ? withoutMissing(recipe, { ...layer, motion }) : recipe
  }

/** Lets the own sound of B-roll be heard, beside the voice and lower under speech, dB; null: it is not heard. */
export const setClipSound =
  (id: string, sound: Partial<NonNullable<BRoll['sound']>> | null): Command =>
  (recipe) => {
    const layer = bRollOf(recipe).find((one) => one.id === id)
    if (!layer || (sound === null && layer.sound === undefined)) return recipe
    if (sound === null) return withoutMissing(recipe, { ...layer, sound: undefined })
    const { gain, duck } = { ...clipSound.usual, ...layer.sound, ...sound }
    const within = ([least, most]: readonly [number, number], db: number) =>
      Math.max(least, Math.min(most, Math.round(db)))
    return withLayer(recipe, layer, {
      sound: { gain: within(clipSound.gain, gain), duck: within(clipSound.duck, duck) },
    })
  }

/** How loud the sound of B-roll may be, and what it begins with: a street behind a voice. */
export const clipSound = { gain: [-40, 6], duck: [0, 40], usual: { gain: -12, duck: 8 } } as const

export const switchLayer =
  (id: string, on: boolean): Command =>
  (recipe) => {
    const layer = recipe.layers.find((one) => one.id === id)
    if (!layer || layer.on === on) return recipe
    return withinRoom(recipe, replaced(recipe, { ...layer, on }), layer.kind)
  }

export const removeLayer =
  (id: string): Command =>
  (recipe) =>
    recipe.layers.some((layer) => layer.id === id)
      ? { ...recipe, layers: recipe.layers.filter((layer) => layer.id !== id) }
      : recipe

/** Milliseconds at the end of a layer's place in which its clip has run out: its last picture stands. */
export const stillMs = (
  recipe: Recipe,
  layer: BRoll,
  { durationMs }: Pick<ClipFile, 'durationMs'>,
  timeline?: Timeline,
): number => {
  if (durationMs === null) return 0
  const shown = shownMs(recipe, layer.span, timeline)
  return Math.max(0, Math.min(shown, shown - leftOf({ durationMs }, layer.fromMs, speedOf(layer))))
}

/** How long a clip goes on from a moment of it, ms of the video. */
const leftOf = ({ durationMs }: Pick<ClipFile, 'durationMs'>, fromMs: number, speed = 1): number =>
  durationMs === null ? Infinity : (durationMs - fromMs) / speed

const speedOf = (layer: Layer): number => (layer.kind === 'b-roll' ? (layer.speed ?? 1) : 1)

const spanOf = (words: readonly Span[]): Span => ({
  source: words[0]!.source,
  start: words[0]!.start,
  end: Math.max(...words.map(({ end }) => end)),
})

const overlap = (one: Span, other: Span): boolean =>
  one.source === other.source && one.start < other.end && other.start < one.end

/** From a frame of a recording on as long as this is seen; shorter where the recording ends before. Null where nothing is. */
export const spanFromFrame = (
  recipe: Recipe,
  timeline: Timeline,
  { source, frame }: { source: string; frame: number },
  frames: number,
): Span | null => {
  const end = recipe.sources.find(({ id }) => id === source)?.durationMs ?? 0
  return fittedTo(timeline, { source, start: momentAt(recipe, source, frame), end }, frames)
}

/** The passage, shortened so that no more than `mostMs` of it is seen; null where nothing of it is. */
const fitted = (timeline: Timeline, span: Span, mostMs: number): Span | null =>
  fittedTo(
    timeline,
    span,
    mostMs === Infinity ? Infinity : Math.floor((mostMs * timeline.fps.num) / (timeline.fps.den * 1000)),
  )

const fittedTo = (timeline: Timeline, span: Span, mostFrames: number): Span | null => {
  if (span.end <= span.start) return null
  const { fps } = timeline
  let left = mostFrames
  let seen = false
  const places = placesIn(timeline, span)
  for (const { from, to } of places) {
    if (left <= 0) break
    seen = true
    if (to - from > left) return { ...span, end: Math.min(span.end, msAt(from + left, fps)) }
    left -= to - from
    if (left <= 0) return to === places.at(-1)?.to ? span : { ...span, end: Math.min(span.end, msAt(to, fps)) }
  }
  return seen ? span : null
}

/** The source frames of a passage that are seen, in the order of the source. */
const placesIn = (timeline: Timeline, { source, start, end }: Span): Window[] =>
  timeline.pieces
    .filter((piece) => piece.source === source)
    .map((piece) => ({
      from: Math.max(piece.from, frameAt(start, timeline.fps)),
      to: Math.min(piece.to, frameAt(end, timeline.fps)),
    }))
    .filter(({ from, to }) => from < to)
    .toSorted((a, b) => a.from - b.from)

/** Which frame of this source a frame of the video shows; beyond the source's own part, the nearest of it. Null without one. */
const sourceFrame = (timeline: Timeline, source: string, frame: number): number | null => {
  let nearest: { away: number; at: number } | null = null
  for (const piece of timeline.pieces) {
    if (piece.source !== source) continue
    const last = piece.at + piece.to - piece.from - 1
    const inside = Math.max(piece.at, Math.min(last, frame))
    const away = Math.abs(frame - inside)
    if (!nearest || away < nearest.away) nearest = { away, at: piece.from + inside - piece.at }
  }
  return nearest?.at ?? null
}

/** The layers beside which this one stays. */
const rivalsOf = (recipe: Recipe, { id, kind, span }: Placed): Placed[] =>
  layerKinds[kind].isAlone
    ? placedOf(recipe).filter((one) => one.id !== id && one.kind === kind && one.span.source === span.source)
    : []

/** The passage as far as its layer's neighbours let it go. */
const between = (recipe: Recipe, layer: Placed, span: Span): Span => {
  const others = rivalsOf(recipe, layer)
  const before = others.filter((one) => one.span.start < layer.span.start).map((one) => one.span.end)
  const after = others.filter((one) => one.span.start >= layer.span.start).map((one) => one.span.start)
  return { ...span, start: Math.max(span.start, ...before), end: Math.min(span.end, ...after) }
}

/** The recipe with a new layer; what of its kind lies under it is shortened, parted or gone. */
export const withPlaced = (recipe: Recipe, fresh: Placed, timeline: Timeline = timelineOf(recipe)): Recipe => {
  const { span } = fresh
  const rivals: readonly Layer[] = rivalsOf(recipe, fresh)
  const kept: Layer[] = []
  for (const layer of recipe.layers) {
    if (!rivals.includes(layer) || layer.span === null || !overlap(layer.span, span)) {
      kept.push(layer)
      continue
    }
    const { start, end } = layer.span
    if (start < span.start) kept.push({ ...layer, span: { ...layer.span, end: span.start } })
    if (end > span.end) {
      const skipped = shownMs(recipe, { ...layer.span, end: span.end }, timeline)
      // Of the two parts of one that was parted the second is new.
      const id =
        start < span.start ? freeId(layerKinds[layer.kind].letter, [...recipe.layers, ...kept, fresh]) : layer.id
      const rest = { id, span: { ...layer.span, start: span.end } }
      const later = Math.round(skipped * speedOf(layer))
      kept.push(layer.kind === 'b-roll' ? { ...layer, ...rest, fromMs: layer.fromMs + later } : { ...layer, ...rest })
    }
  }
  return kept.length < most ? withinRoom(recipe, { ...recipe, layers: [...kept, fresh] }, fresh.kind) : recipe
}

/** A layer that is new, over its passage; nothing where the recipe is full or its passage empty. */
export const addPlaced =
  (fresh: NewPlaced): Command =>
  (recipe) =>
    fresh.span.end > fresh.span.start
      ? withPlaced(recipe, { ...fresh, id: freeId(layerKinds[fresh.kind].letter, recipe.layers) } as Placed)
      : recipe

type NewPlaced = Placed extends infer L ? (L extends Placed ? Omit<L, 'id'> : never) : never

export const withLayer = <L extends Layer>(recipe: Recipe, layer: L, part: Partial<L>): Recipe => {
  const next = { ...layer, ...part }
  if (JSON.stringify(next) === JSON.stringify(layer) || (next.span && next.span.end <= next.span.start)) return recipe
  return replaced(recipe, next)
}

/** In the place of the layer of its id; parts that are undefined are left out, as a document has them. */
export const withoutMissing = (recipe: Recipe, next: Layer): Recipe =>
  replaced(recipe, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as Layer)

const replaced = (recipe: Recipe, next: Layer): Recipe => ({
  ...recipe,
  layers: recipe.layers.map((one) => (one.id === next.id ? next : one)),
})
