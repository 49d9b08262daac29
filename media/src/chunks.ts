import { createHash } from 'node:crypto'
import { firstFrame, pushAt } from '@clear-to-post/edit/clip-time'
import { coverEntrance } from '@clear-to-post/edit/covers'
import { frameAt, type Fps } from '@clear-to-post/edit/frames'
import { placeOf, windowOf } from '@clear-to-post/edit/framing'
import { kindsInOrder } from '@clear-to-post/edit/layer-kinds'
import { pinnedLook, stretchesOf, type PinnedLook } from '@clear-to-post/edit/pinned-motion'
import { sizeOf, type Layer, type Recipe } from '@clear-to-post/edit/recipe'
import type { ToneLoop } from '@clear-to-post/edit/room-tone'
import type { SteadyPath } from '@clear-to-post/edit/steady'
import type { Entrance } from '@clear-to-post/edit/title-motion'
import { leastOf, segmentsOf, timelineOf, type Overlay, type Segment, type Shot } from '@clear-to-post/edit/timeline'
import { bandFilters, bandInput, bandOf, type Band, type State } from './band.ts'
import { chunkVersion, clock, pictureEncoder, type Quality } from './encoder.ts'
import { graphed, options, safeInput } from './input.ts'
import type { Size } from './picture.ts'
import type { Probe, VideoTrack } from './probe.ts'
import { atRate, cutOut, lasting, rate, seekFor, shotFilters, standing, stillFilters, type ShotView } from './shot.ts'

/** What a recipe names by an asset's id: its sha-256, what `probe` found, and how it was shaken. Where the files lie is told to `render`. */
export type Material = {
  hash: string
  probe: Probe
  /** How its frames are moved where they are held steady; missing: nobody measured it. */
  steady?: SteadyPath | undefined
  /** The room that is heard in it; missing: there is none, or nobody looked. */
  tone?: ToneLoop | undefined
}

/** All that is painted, on the video's own frames. Tracks lie over everything else, the first one lowest. */
export type Painted<P> = { tracks: readonly (readonly State<P>[])[]; cards: readonly State<P>[] }

/** A stretch of the video that is kept by itself. Two chunks with the same key show the same. */
export type Chunk<P> = Encoding<P> & { key: string; scene: Scene }

/** What one ffmpeg reads and encodes. */
export type Encoding<P> = {
  kind: Scene['kind']
  /** First frame in the video, and how many. */
  at: number
  frames: number
  inputs: ChunkInput<P>[]
  /** ffmpeg's filter graph; its end is called `v`. */
  graph: string
}

export type ChunkInput<P> = { asset: string; probe: Probe; seconds: number } | { band: Band<P> }

export type PictureJob<P> = {
  recipe: Recipe
  materials: ReadonlyMap<string, Material>
  painted: Painted<P>
  quality: Quality
}

/** Seconds after which a long passage is split: as far apart as key frames, so that a changed word costs little. */
const longestSeconds = 2
/** What is encoded at once is no longer, so that there is work for every core, and a kill costs little. */
const mostSeconds = 9
/** What lies between two shots of one source is read and thrown away up to here: a start of its own costs as much. */
const gapSeconds = 4

/** The video's chunks in order. Pure: no file is looked at. Throws an Error for an asset that is not there. */
export function chunksOf<P>(job: PictureJob<P>): Chunk<P>[] {
  const longest = framesIn(longestSeconds, job.recipe.output.fps)
  return scenesOf(segmentsOf(job.recipe, { longest }), longest).map((scene) => chunk(job, scene))
}

/**
 * The chunks of these places, in order, in groups that are encoded at once: neighbours of one source that lie near each
 * other in it, as every start costs the way from a key frame.
 */
export function groupsOf(chunks: readonly Chunk<unknown>[], places: readonly number[], fps: Fps): number[][] {
  const [most, gap] = [framesIn(mostSeconds, fps), framesIn(gapSeconds, fps)]
  const groups: number[][] = []
  let frames = 0
  for (const place of places) {
    const group = groups.at(-1)
    const [before, next] = [chunks[group?.at(-1) ?? -1], chunks[place]!]
    const isNear = before !== undefined && chunks[place - 1] === before && follows(before.scene, next.scene, gap)
    if (group && isNear && frames + next.frames <= most) {
      group.push(place)
      frames += next.frames
    } else {
      groups.push([place])
      frames = next.frames
    }
  }
  return groups
}

function follows(before: Scene, next: Scene, gap: number): boolean {
  if (before.kind !== 'shots' || next.kind !== 'shots') return false
  const [last, first] = [before.shots.at(-1)!, next.shots[0]!]
  const skipped = first.from - (last.from + last.frames)
  return first.source === last.source && skipped >= 0 && skipped <= gap
}

/** Chunks of one group as what is encoded at once. */
export function encodingOf<P>(job: PictureJob<P>, chunks: readonly Chunk<P>[]): Encoding<P> {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const whole = chunks.map(({ scene }) => scene).reduce(joined)
  return encoding(job, whole)
}

/** Two scenes of one group as one. Shots that go on alike become one shot. */
function joined(before: Scene, next: Scene): Scene {
  if (before.kind !== 'shots' || next.kind !== 'shots') throw new Error('Only shots of one source are read in one go')
  const shots = [...before.shots]
  for (const shot of next.shots) {
    const last = shots.at(-1)!
    if (shot.from === last.from + last.frames && isStill(last) && isStill(shot) && sameView(last, shot))
      shots[shots.length - 1] = { ...last, frames: last.frames + shot.frames }
    else shots.push(shot)
  }
  return { ...before, shots, frames: before.frames + next.frames, overlays: overlaysOf(before, next) }
}

function isStill({ zoom, focus }: Shot): boolean {
  return (zoom === null || zoom.from === zoom.to) && (!focus || isSame(focus.from, focus.to))
}

function sameView(one: Shot, other: Shot): boolean {
  return (
    isSame(one.zoom, other.zoom) &&
    isSame(one.focus, other.focus) &&
    one.turn === other.turn &&
    one.steady === other.steady
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function framesIn(seconds: number, { num, den }: Fps): number {
  return Math.round((seconds * num) / den)
}

/** What is seen in one stretch: a segment, or several shots of one source, one after the other as they were filmed. */
export type Scene = Pick<Segment, 'at' | 'frames' | 'overlays'> &
  (Exclude<Segment, { kind: 'shot' }> | { kind: 'shots'; shots: (Shot & { frames: number })[] })

/**
 * Shots that lie near each other in their source are read and encoded at once: every start costs the way from a key frame.
 * They are parted where a long passage is split, or at the first cut where no such point could be set. So a source always
 * falls apart in the same way, whatever changes elsewhere, into chunks of at most one and a half times `longest`.
 */
function scenesOf(segments: readonly Segment[], longest: number): Scene[] {
  // No passage is split so near before a point that it would begin here.
  const stretch = (from: number) => Math.floor((from + leastOf(longest)) / longest)
  const scenes: Scene[] = []
  for (const segment of segments) {
    const { at, frames, overlays } = segment
    if (segment.kind !== 'shot') {
      scenes.push(segment)
      continue
    }
    const shot = { ...segment.shot, frames }
    const before = scenes.at(-1)
    if (before?.kind === 'shots' && before.frames + frames <= 1.5 * longest && goesOn(before.shots, shot)) {
      before.overlays = overlaysOf(before, segment)
      before.shots.push(shot)
      before.frames += frames
    } else scenes.push({ kind: 'shots', shots: [shot], at, frames, overlays })
  }
  return scenes

  function goesOn(shots: readonly (Shot & { frames: number })[], next: Shot): boolean {
    const [first, last] = [shots[0], shots.at(-1)]
    if (!first || !last || last.source !== next.source) return false
    const end = last.from + last.frames
    if (next.from === end) return next.from % longest !== 0
    return next.from > end && stretch(next.from) === stretch(first.from)
  }
}

/** What lies over two stretches as one, in which nothing begins anew. */
function overlaysOf(before: Pick<Scene, 'frames' | 'overlays'>, after: Pick<Scene, 'overlays'>): Overlay[] {
  const all = [...before.overlays]
  for (const { from, to, ...overlay } of after.overlays) {
    const { layer, shown } = overlay
    const same = all.findIndex(
      (one) => one.layer === layer && one.to === before.frames && from === 0 && one.shown + one.to - one.from === shown,
    )
    if (same >= 0) all[same] = { ...all[same]!, to: before.frames + to }
    else all.push({ ...overlay, from: before.frames + from, to: before.frames + to })
  }
  return all
}

/** Frames of the whole video. */
export function lengthOf(recipe: Recipe): number {
  return timelineOf(recipe).frames
}

/** The size of the picture: the recipe's, or half of it for a preview. */
export function pictureSize(recipe: Recipe, quality: Quality): Size {
  const { width, height } = sizeOf(recipe)
  if (quality === 'final') return { width, height }
  return { width: 2 * Math.round(width / 4), height: 2 * Math.round(height / 4) }
}

/**
 * ffmpeg's arguments for an encoding: `files` by asset, `bands` by the number of the input. It becomes a file for each of
 * `parts`, its chunks' lengths in frames; they begin with a key frame, and are called by `partFile`.
 */
export function chunkArguments(
  { inputs, graph, frames }: Encoding<unknown>,
  given: { files: ReadonlyMap<string, string>; bands: readonly string[]; threads: number; parts: readonly number[] },
  { fps, quality }: { fps: Fps; quality: Quality },
): string[] {
  const { threads, parts } = given
  return [
    ...inputs.flatMap((input, i) =>
      'band' in input
        ? bandInput(given.bands[i] ?? '', input.band, fps)
        : [
            ...options(`-threads ${threads}`),
            ...(input.seconds > 0 ? options(`-ss ${input.seconds}`) : []),
            ...safeInput(given.files.get(input.asset) ?? '', input.probe),
          ],
    ),
    ...graphed(graph, threads),
    ...options(`-map [v] -frames:v ${frames}`),
    ...pictureEncoder(quality, fps),
    ...options(`-threads ${threads} -map_metadata -1`),
    ...inParts(parts, fps),
  ]
}

/** The name of a part of an encoding. */
export function partFile(part: number): string {
  return `part${part}.mp4`
}

function inParts(parts: readonly number[], fps: Fps): string[] {
  const timescale = `video_track_timescale ${clock(fps)}`
  if (parts.length === 1) return options(`-${timescale} -f mp4 -y file:${partFile(0)}`)
  let at = 0
  const starts = parts.slice(0, -1).map((frames) => (at += frames))
  const seconds = starts.map((frame) => ((frame * fps.den) / fps.num).toFixed(6))
  return [
    ...options(`-force_key_frames ${seconds.join(',')} -avoid_negative_ts disabled -f segment`),
    ...options(`-segment_frames ${starts.join(',')} -reset_timestamps 1 -segment_format mp4`),
    ...options(`-segment_format_options ${timescale.replace(' ', '=')} -y file:part%d.mp4`),
  ]
}

function chunk<P>(job: PictureJob<P>, scene: Scene): Chunk<P> {
  const made = encoding(job, scene)
  const shown = made.inputs.map((input) =>
    'band' in input
      ? [input.band.box, input.band.states.map(({ state, frames }) => [state?.key ?? '', frames])]
      : [material(job, input.asset).hash, input.seconds],
  )
  const encoder = pictureEncoder(job.quality, job.recipe.output.fps)
  return { ...made, key: hash([chunkVersion, made.frames, made.graph, shown, encoder]), scene }
}

function encoding<P>(job: PictureJob<P>, scene: Scene): Encoding<P> {
  const { recipe, quality } = job
  const { at, frames } = scene
  const size = pictureSize(recipe, quality)
  const parts: Parts<P> = { ...job, fps: recipe.output.fps, size, inputs: [], steps: [], last: '' }
  base(parts, scene)
  for (const overlay of scene.overlays.toSorted((a, b) => order(recipe, a) - order(recipe, b) || below(a, b)))
    lay(parts, layerOf(recipe, overlay), overlay, scene)
  // A card says all that is to be said on it.
  for (const track of scene.kind === 'card' ? [job.painted.cards] : job.painted.tracks) {
    const band = bandOf(track, at, frames, sizeOf(recipe))
    if (band) layBand(parts, band)
  }
  // Newer ffmpegs forget the rate at every change of time: it is said once more.
  const graph = [...parts.steps, `[${parts.last}]format=yuv420p,fps=${rate(parts.fps)}[v]`].join(';')
  return { kind: scene.kind, at, frames, inputs: parts.inputs, graph }
}

export function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** A graph while it grows: `last` is the name of the picture so far. */
type Parts<P> = PictureJob<P> & { fps: Fps; size: Size; inputs: ChunkInput<P>[]; steps: string[]; last: string }

function base<P>(parts: Parts<P>, scene: Scene): void {
  const { fps, size } = parts
  const { frames } = scene
  parts.last = 'base'
  if (scene.kind === 'card') {
    parts.steps.push(`color=c=black:s=${size.width}x${size.height}:r=${rate(fps)},format=yuv420p[base]`)
  } else if (scene.kind === 'shots') {
    shots(parts, scene.shots, 'base')
  } else {
    const side = (shot: Shot, name: string) => shots(parts, [{ ...shot, frames }], name)
    const [out, into] = [side(scene.out, 'out'), side(scene.in, 'in')]
    const seconds = ((frames * fps.den) / fps.num).toFixed(6)
    // A rate is asked for once more: cutting out the frames let it be forgotten.
    for (const side of [out, into]) parts.steps.push(`[${side}]fps=${rate(fps)}[${side}x]`)
    parts.steps.push(`[${out}x][${into}x]xfade=transition=fade:duration=${seconds}:offset=0[base]`)
  }
}

/** Shots of one source, one after the other, read in one go. */
function shots<P>(parts: Parts<P>, all: readonly (Shot & { frames: number })[], name: string): string {
  const { recipe, fps, size } = parts
  const source = all[0]?.source
  const found = recipe.sources.find(({ id }) => id === source)
  const asset = found?.assetId ?? source ?? ''
  const { colour } = recipe
  const balance = found?.balance
  return moving(
    parts,
    asset,
    all.map(({ from, frames, zoom, focus, turn, steady }) => ({
      from,
      frames,
      zoom,
      turn,
      steady: steady && material(parts, asset).steady,
      colour,
      balance,
      fps,
      size,
      focus: focus?.from ?? recipe.frame.focus,
      ...(focus && !isSame(focus.from, focus.to) && { focusTo: focus.to }),
    })),
    name,
  )
}

function moving<P>(parts: Parts<P>, asset: string, views: readonly ShotView[], name: string): string {
  const { fps } = parts
  const { probe } = material(parts, asset)
  const video = picture(probe, asset)
  const [first] = views
  if (!first) throw new Error('There is nothing to show')
  const still = probe.kind === 'picture'
  const { speed = 1 } = first
  const last = video.lastMs === undefined ? Infinity : frameAt(video.lastMs / speed, fps)
  const { seconds, skip, pace } = seekFor(first.from, fps, last, speed)
  const n = parts.inputs.push({ asset, probe, seconds: still ? 0 : seconds }) - 1
  const filters = (view: ShotView) => shotFilters(video, view, skip + view.from - first.from).join(',')
  const input = `[${n}:${video.stream}]`
  const missing = Math.max(...views.map(({ from, frames }) => from + frames)) - (last + 1)
  const read = [...pace, atRate(fps), ...(missing > 0 ? [standing(missing, fps)] : [])].join(',')
  if (still) parts.steps.push(`${input}${stillFilters(video, first).join(',')}[${name}]`)
  else if (views.length === 1) parts.steps.push(`${input}${read},${filters(first)},${lasting(fps)}[${name}]`)
  else {
    const names = (what: string) => views.map((_, i) => `[${name}${what}${i}]`)
    const [parted, shown] = [names('r'), names('s')]
    parts.steps.push(
      `${input}${read},split=${views.length}${parted.join('')}`,
      ...views.map((view, i) => `${parted[i]}${filters(view)}${shown[i]}`),
      // Counted anew: one frame alone does not tell concat how long it lasts.
      `${shown.join('')}concat=n=${views.length},settb=${fps.den}/${fps.num},setpts=N,${lasting(fps)}[${name}]`,
    )
  }
  return name
}

function order(recipe: Recipe, overlay: Overlay): number {
  return kindsInOrder.indexOf(layerOf(recipe, overlay).kind)
}

/** B-roll that goes on under what comes after it lies below that. */
function below(one: Overlay, other: Overlay): number {
  const goesOn = ({ cover }: Overlay) => (cover && cover.under > 0 ? cover.whole.from : Infinity)
  const [a, b] = [goesOn(one), goesOn(other)]
  return a === b ? 0 : a - b
}

function layerOf(recipe: Recipe, { layer }: Overlay): Layer {
  const found = recipe.layers.find(({ id }) => id === layer)
  if (!found) throw new Error(`There is no layer ${layer}`)
  return found
}

function lay<P>(
  parts: Parts<P>,
  layer: Layer,
  { from, to, shown, of, whole: window, cover }: Overlay,
  { at, frames }: Pick<Scene, 'at' | 'frames'>,
): void {
  const { fps, size, inputs } = parts
  const whole = (start: number, end: number) => start === 0 && end === frames
  // By time, half a frame early: overlay counts frames in its own way.
  const second = (frame: number) => (((frame - 0.5) * fps.den) / fps.num).toFixed(4)
  const enabled = (start: number, end: number) =>
    whole(start, end) ? '' : `:enable='between(t,${second(start)},${second(end)})'`
  const name = `l${inputs.length}`
  if (layer.kind === 'b-roll') {
    const start = firstFrame(layer, fps) + shown
    const colour = { brightness: 0, contrast: 0, saturation: 0, warmth: 0 }
    const { focus, speed, near, turn } = layer
    const push = { from: pushAt(layer, shown, of), to: pushAt(layer, shown + to - from, of), focus }
    const zoom = push.to > 1 ? push : null
    const view = { from: start, frames: to - from, zoom, focus, colour, fps, size, speed, near, turn }
    const label = moving(parts, layer.assetId, [view], name)
    const looks = Array.from({ length: to - from }, (_, i) =>
      cover ? coverEntrance(layer, cover, fps, at + from + i) : null,
    )
    const steps = [...covering(looks, size), ...(from > 0 ? [`setpts=PTS+${from}`] : [])]
    // B-roll that is too short stays on its last picture.
    parts.steps.push(`[${label}]${steps.length > 0 ? steps.join(',') : 'null'}[${name}w]`)
    over(parts, `${name}w`, `eof_action=repeat${enabled(from, to)}`)
  } else if (layer.kind === 'picture' || layer.kind === 'logo') {
    const { probe } = material(parts, layer.assetId)
    const video = picture(probe, layer.assetId)
    const box = placeOf(layer, video, size)
    const n = inputs.push({ asset: layer.assetId, probe, seconds: 0 }) - 1
    const looks = stretchesOf(layer, window, { from: at + from, to: at + to }, fps)
    const step = `[${n}:${video.stream}]${pasted(video, box, layer.place === 'full')}`
    if (looks.length === 1 && !looks[0]!.entrance) {
      parts.steps.push(`${step}[${name}]`)
      over(parts, name, `x=${box.x}:y=${box.y}${enabled(from, to)}`)
      return
    }
    // Each frame on its way is a picture of its own, made once.
    parts.steps.push(`${step},split=${looks.length}${looks.map((_, i) => `[${name}i${i}]`).join('')}`)
    for (const [i, { from: start, to: end, entrance }] of looks.entries()) {
      const look = pinnedLook(box, entrance ?? { opacity: 1, below: 0, size: 1, shown: 1 })
      const way = entrance ? onItsWay(look, box) : ['null']
      parts.steps.push(`[${name}i${i}]${way.join(',')}[${name}s${i}]`)
      over(parts, `${name}s${i}`, `x=${look.box.x}:y=${look.box.y}${enabled(start - at, end - at)}`)
    }
  }
}

/** Filters for B-roll that is on its way in some of its frames: each of those by itself, the others untouched. */
function covering(looks: readonly (Entrance | null)[], size: Size): string[] {
  const whole = { x: 0, y: 0, ...size }
  const steps = looks.flatMap((entrance, i) => {
    if (!entrance) return []
    const { opacity, shown } = pinnedLook(whole, entrance)
    return [
      ...(opacity < 1 ? [`lutyuv=a='val*${opacity.toFixed(5)}':enable='eq(n,${i})'`] : []),
      ...(shown < size.width
        ? [`drawbox=x=${shown}:y=0:w=${size.width - shown}:h=ih:color=black@0:t=fill:replace=1:enable='eq(n,${i})'`]
        : []),
    ]
  })
  return steps.length > 0 ? ['format=yuva420p', ...steps] : []
}

/** What a picture that lies in `box` when it stands looks like on its way there. */
function onItsWay({ box: { width, height }, opacity, shown }: PinnedLook, box: Size): string[] {
  return [
    ...(width === box.width && height === box.height ? [] : [`scale=w=${width}:h=${height}:flags=bicubic`]),
    ...(shown < width ? [`crop=w=${shown}:h=${height}:x=0:y=0`] : []),
    ...(opacity < 1 ? ['format=yuva420p', `lutyuv=a='val*${opacity.toFixed(5)}'`] : []),
    'null',
  ]
}

/** A picture in the colours of video, its clear parts kept. */
function pasted(video: VideoTrack, { width, height }: Size, full: boolean): string {
  const matrix = video.matrix === 'rgb' ? '' : `:in_color_matrix=${video.matrix}`
  const cut = full ? cutOut(video, windowOf(video, { width, height }, { x: 0.5, y: 0.5 })) : []
  return [
    ...cut,
    `scale=w=${width}:h=${height}:flags=bicubic${matrix}:out_color_matrix=bt709:out_range=tv`,
    `format=${video.alpha ? 'yuva420p' : 'yuv420p'}`,
  ].join(',')
}

function layBand<P>(parts: Parts<P>, band: Band<P>): void {
  const n = parts.inputs.push({ band }) - 1
  const half = (value: number) => (parts.quality === 'preview' ? 2 * Math.round(value / 4) : value)
  const box = { x: half(band.box.x), y: half(band.box.y), width: half(band.box.width), height: half(band.box.height) }
  parts.steps.push(`[${n}:v]${bandFilters(band, box, parts.fps).join(',')}[b${n}]`)
  over(parts, `b${n}`, `eof_action=pass:x=${box.x}:y=${box.y}`)
}

function over<P>(parts: Parts<P>, what: string, how: string): void {
  const name = `o${parts.steps.length}`
  const end = how.includes('eof_action') ? how : `eof_action=repeat:${how}`
  parts.steps.push(`[${parts.last}][${what}]overlay=${end}[${name}]`)
  parts.last = name
}

function picture(probe: Probe, asset: string): VideoTrack {
  if (!probe.video) throw new Error(`Asset ${asset} has no picture`)
  return probe.video
}

function material({ materials }: Pick<PictureJob<unknown>, 'materials'>, asset: string): Material {
  const found = materials.get(asset)
  if (!found) throw new Error(`Asset ${asset} is not at hand`)
  return found
}
