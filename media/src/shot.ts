import { secondsAt, type Fps } from '@clear-to-post/edit/frames'
import type { Balance } from '@clear-to-post/edit/balance'
import { gradeOf } from '@clear-to-post/edit/colour'
import { cropOf, enlargedSize, windowBetween, windowOf, type Point } from '@clear-to-post/edit/framing'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Box } from '@clear-to-post/edit/safe-area'
import { steadyAt, steadyRoom, type Steadied, type SteadyPath } from '@clear-to-post/edit/steady'
import type { Zoom } from '@clear-to-post/edit/timeline'
import { sumOf } from './input.ts'
import { ordinary, type Size } from './picture.ts'
import type { VideoTrack } from './probe.ts'

export type ShotView = {
  fps: Fps
  size: Size
  /** First frame on the source's clock, and how many. Of what is played faster or slower, on the clock of how it is played. */
  from: number
  frames: number
  /** How fast it is played; missing: as it was recorded. */
  speed?: number | undefined
  /** A crop that stands, pointed at the focus; missing: as much as the frame's shape allows. */
  near?: number | undefined
  /** Degrees, with the clock, so that it is straight; missing: as it was recorded. */
  turn?: number | undefined
  /** How each frame of its source is to be moved, so that it is held steady; missing: as it was filmed. */
  steady?: SteadyPath | undefined
  zoom: Zoom | null
  /** Which part of a picture of another shape is seen: 0 the left or upper end, 1 the other, as CSS's object-position. */
  focus: Point
  /** Where that part has gone evenly after the last frame; missing: it stays. */
  focusTo?: Point | undefined
  colour: Recipe['colour']
  /** Of the source that is seen. */
  balance?: Balance | undefined
}

/**
 * Where to start reading, in seconds, so that frame `from` is exactly the frame that the whole file would show there: at
 * least half a second early, because the picture that is seen at a moment may have begun before it, and on a
 * whole millisecond where frames allow it, because there every clock that cameras use has a tick, else on a whole second.
 * `last` is the frame of the source's last picture: what comes after it shows that picture, which has to be read.
 * What is played at another `speed` is read at its own clock, counted by `pace`, filters that come before all others.
 */
export function seekFor(
  from: number,
  fps: Fps,
  last = Infinity,
  speed = 1,
): { seconds: number; skip: number; pace: string[] } {
  if (speed !== 1) {
    const { seconds } = seekFor(Math.floor(from * speed), fps, Math.floor(last * speed))
    const ahead = secondsAt(from, fps) - seconds / speed
    const skip = Math.floor((ahead * fps.num) / fps.den + 1e-6)
    const early = (ahead - secondsAt(skip, fps)).toFixed(6)
    // Of a clock that ticks as seldom as there are pictures the slower ones would be lost.
    return { seconds, skip, pace: [`settb=AVTB,setpts=PTS/${speed}-${early}/TB`] }
  }
  const second = Math.max(1, Math.round(fps.num / fps.den))
  const early = Math.ceil(second / 2)
  const step = Math.min(second, fps.num / commonDivisor(fps.num, 1000 * fps.den))
  const start = Math.max(0, Math.floor((Math.min(from, last) - early) / step) * step)
  return { seconds: secondsAt(start, fps), skip: from - start, pace: [] }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** Comes first, once for all shots that are read in one go: frames that are left out need no work. */
export function atRate(fps: Fps): string {
  return `fps=${rate(fps)}:start_time=0`
}

/** Comes next where more frames are shown than the source has: its last picture stands for so many more. */
export function standing(frames: number, fps: Fps): string {
  return `tpad=stop=${frames + Math.round(fps.num / fps.den)}:stop_mode=clone`
}

/** Filters from what is read from `seekFor` on, at the video's rate, for a shot that begins after `skip` frames. */
export function shotFilters(video: VideoTrack, view: ShotView, skip: number): string[] {
  const { size, frames } = view
  const still = view.zoom?.from === view.zoom?.to
  const at = (focus: Point) => windowOf(video, size, focus, still && view.zoom ? view.zoom : cropOf(view.near, focus))
  return [
    `trim=start_frame=${skip}:end_frame=${skip + frames}`,
    'setpts=PTS-STARTPTS',
    ...(view.focusTo
      ? following(video, { from: at(view.focus), to: at(view.focusTo), frames })
      : cutOut(video, at(view.focus))),
    ...turned(
      video,
      view,
      steadied(video, view, (done) => windowBetween(at(view.focus), at(view.focusTo ?? view.focus), done)),
    ),
    ...(view.zoom && !still ? pushed(view.zoom, size, frames) : []),
  ]
}

/** Comes last. The last picture may end a little before the sound; a source that lacks more than that is noticed. */
export function lasting(fps: Fps): string {
  return `tpad=stop=${Math.round(fps.num / fps.den)}:stop_mode=clone`
}

/** Filters for a picture of one frame: a photograph that stands in for moving B-roll. */
export function stillFilters(
  video: VideoTrack,
  view: Pick<ShotView, 'fps' | 'frames' | 'size' | 'focus' | 'colour' | 'balance' | 'zoom' | 'near' | 'turn'>,
): string[] {
  const { size, zoom } = view
  return [
    ...cutOut(video, windowOf(video, size, view.focus, cropOf(view.near, view.focus))),
    ...turned(video, view),
    `loop=loop=-1:size=1,settb=${view.fps.den}/${view.fps.num},setpts=N,fps=${rate(view.fps)}`,
    ...(zoom && zoom.from !== zoom.to ? pushed(zoom, size, view.frames) : []),
  ]
}

export function rate({ num, den }: Fps): string {
  return den === 1 ? `${num}` : `${num}/${den}`
}

/** Cuts the part out of the picture, which ffmpeg itself has turned upright, and whose dots may be no squares yet. */
export function cutOut(picture: Size, { x, y, width, height }: Box): string[] {
  if (width === picture.width && height === picture.height) return []
  const [wide, high] = [`iw/${picture.width}`, `ih/${picture.height}`]
  return [`crop=w=${width}*${wide}:h=${height}*${high}:x=${x}*${wide}:y=${y}*${high}`]
}

/** The part of the picture goes to another place from frame to frame, as `windowBetween` says. Odd dots too, as in `pushed`. */
function following(picture: Size, { from, to, frames }: { from: Box; to: Box; frames: number }): string[] {
  const [wide, high] = [`iw/${picture.width}`, `ih/${picture.height}`]
  const way = (start: number, end: number) => `trunc(${start}+${end - start}*n/${frames}+0.5)`
  const [x, y] = [way(from.x, to.x), way(from.y, to.y)]
  return [`crop=w=${from.width}*${wide}:h=${from.height}*${high}:x='${x}*${wide}':y='${y}*${high}':exact=1`]
}

function sized(video: VideoTrack, size: Size): string[] {
  // Nothing to convert: then this costs nothing where the size is right already.
  if (video.pixelFormat === 'yuv420p' && video.matrix === 'bt709' && !video.hdr)
    return [
      `scale=w=${size.width}:h=${size.height}:flags=bilinear`,
      'setsar=1',
      'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
    ]
  return ordinary(video, size)
}

/** The grade on video's own values: luma from 16 to 235, the differences around 128, of the 224 that they have. */
function graded({ colour, balance }: Pick<ShotView, 'colour' | 'balance'>): string[] {
  const grade = gradeOf(colour, balance)
  if (!grade) return []
  const n = (value: number) => value.toFixed(4)
  const { times, plus } = grade.luma
  // Around the middle grey, where contrast turns.
  const luma = `clip((val-125.5)*${n(times)}+${n(16 + 219 * (plus + times / 2))},16,235)`
  const chroma = ({ times, plus }: { times: number; plus: number }) =>
    `clip((val-128)*${n(times)}+${n(128 + 224 * plus)},16,240)`
  return [`lutyuv=y='${luma}':u='${chroma(grade.blue)}':v='${chroma(grade.red)}'`]
}

/** In the frame's size and colours, straight and steady: made larger, turned around its middle, and each frame moved by its own. */
function turned(
  video: VideoTrack,
  view: Pick<ShotView, 'size' | 'colour' | 'balance' | 'turn'>,
  moves: readonly Steadied[] = [],
): string[] {
  const { size, turn = 0 } = view
  const isSteady = moves.length > 0
  if (!turn && !isSteady) return [...sized(video, size), ...graded(view)]
  const room = isSteady ? steadyRoom(size) : size
  const radians = (turn * Math.PI) / 180
  const turns = moves.map((move) => Math.round(1e6 * (radians + move.turn)))
  const angle = isSteady ? `'(${byFrame(turns)})/1000000'` : radians.toFixed(6)
  const [left, top] = [(room.width - size.width) / 2, (room.height - size.height) / 2]
  const [x, y] = [byFrame(moves.map((move) => left - move.x)), byFrame(moves.map((move) => top - move.y))]
  return [
    ...sized(video, enlargedSize(size, turn, isSteady)),
    ...graded(view),
    ...(isSteady && turns.every((one) => one === 0) ? [] : [`rotate=a=${angle}:ow=${room.width}:oh=${room.height}`]),
    ...(isSteady ? [`crop=w=${size.width}:h=${size.height}:x='${x}':y='${y}':exact=1`] : []),
    'setsar=1',
  ]
}

/** How each frame of a view is moved, so that it is held steady. */
function steadied(
  picture: Size,
  { steady, from, frames, size, turn }: ShotView,
  windowAt: (done: number) => Box,
): Steadied[] {
  if (!steady) return []
  return Array.from({ length: frames }, (_, i) =>
    steadyAt(steady, from + i, { picture, window: windowAt(i / frames), size, turn }),
  )
}

/** An expression that has each of these whole numbers at its frame. */
function byFrame(values: readonly number[]): string {
  const steps = values.flatMap((value, i) => {
    const step = value - (values[i - 1] ?? 0)
    return i === 0 || step !== 0 ? [i === 0 ? `${value}` : `gte(n,${i})*(${step})`] : []
  })
  return sumOf(steps)
}

/** Nearer from frame to frame, as `pushedTo` says. Odd dots too: even ones alone would be seen to step. */
function pushed({ from, to, focus }: Zoom, { width, height }: Size, frames: number): string[] {
  const zoom = `(${from.toFixed(6)}+${((to - from) / frames).toFixed(9)}*n)`
  const wide = `trunc(${width}*${zoom}+0.5)`
  const high = `trunc(${height}*${zoom}+0.5)`
  const x = `trunc((${wide}-${width})*${focus.x.toFixed(4)}+0.5)`
  const y = `trunc((${high}-${height})*${focus.y.toFixed(4)}+0.5)`
  return [
    `scale=w='${wide}':h='${high}':eval=frame:flags=bilinear`,
    `crop=w=${width}:h=${height}:x='${x}':y='${y}':exact=1`,
    'setsar=1',
  ]
}
