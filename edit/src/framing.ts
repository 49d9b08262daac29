import type { Layer } from './recipe.ts'
import type { Box, Size } from './safe-area.ts'
import { steadyRoom } from './steady.ts'
import type { Zoom } from './timeline.ts'

/**
 * Which part of a picture is seen and where it lies, in whole dots: ffmpeg cuts no finer, so the render and the preview
 * both ask here and show the same.
 */

export type Point = { x: number; y: number }

/** The middle of the head stands so far down in the frame where there is room. */
const eyeLine = 0.38

/**
 * The part of the upright picture that fills the frame: as much as its shape allows, then nearer by a zoom that stands. Even
 * numbers, because colour is kept for two by two dots; the whole picture where nothing is cut off. `focus` is 0 for the
 * left or upper end and 1 for the other, as CSS's object-position.
 */
export const windowOf = (picture: Size, frame: Size, focus: Point, zoom: Zoom | null = null): Box => {
  const scale = Math.max(frame.width / picture.width, frame.height / picture.height)
  const [wide, high] = [frame.width / (scale * picture.width), frame.height / (scale * picture.height)]
  const near = zoom?.from ?? 1
  if (Math.min(wide, high) / near > 0.9999) return { x: 0, y: 0, ...picture }
  // What the zoom is pointed at stays where it is, as CSS's transform-origin.
  const at = zoom?.focus ?? focus
  const across = stretch(picture.width, wide, near, focus.x, at.x)
  const down = stretch(picture.height, high, near, focus.y, at.y)
  return { x: across.from, y: down.from, width: across.length, height: down.length }
}

/** Where a window is that goes evenly to another place, when `done` of the way, 0 to 1, lies behind it. Its size stays. */
export const windowBetween = (from: Box, to: Box, done: number): Box => ({
  ...from,
  x: Math.trunc(from.x + (to.x - from.x) * done + 0.5),
  y: Math.trunc(from.y + (to.y - from.y) * done + 0.5),
})

/** How much of the picture's width and height a frame shows. */
export const partSeen = (picture: Size, frame: Size): Size => {
  const ratio = frame.width / frame.height / (picture.width / picture.height)
  return { width: Math.min(1, ratio), height: Math.min(1, 1 / ratio) }
}

/** A frame cuts away more than a scrap of the picture: what stays in it must be chosen. */
export const isCut = (picture: Size, frame: Size): boolean => {
  const { width, height } = partSeen(picture, frame)
  return Math.min(width, height) < 0.95
}

/** Where a frame is put on the picture for the head at `at` (its height a part of the picture's), as object-position. */
export const positionFor = (picture: Size, frame: Size, at: Point, head = 0): Point => {
  const seen = partSeen(picture, frame)
  const left = within(0, at.x - seen.width / 2, 1 - seen.width)
  // The whole head comes before its place; one that is higher than the frame is seen in its middle.
  const half = head / 2 + 0.01
  const wanted = at.y - Math.max(eyeLine * seen.height, Math.min(half, seen.height / 2))
  const top = within(0, wanted, 1 - seen.height)
  const share = (start: number, part: number) => (part > 0.9999 ? 0.5 : start / (1 - part))
  return { x: share(left, seen.width), y: share(top, seen.height) }
}

/** Where a place of the picture is seen in a frame that is put there; outside of it below 0 or above 1. */
export const inFrame = (picture: Size, frame: Size, position: Point, at: Point): Point => {
  const seen = partSeen(picture, frame)
  return {
    x: (at.x - position.x * (1 - seen.width)) / seen.width,
    y: (at.y - position.y * (1 - seen.height)) / seen.height,
  }
}

/** A picture that is brought nearer from frame to frame, in dots of the frame: how large it is, and where the part that is seen begins. */
export const pushedTo = ({ from, to, focus }: Zoom, frame: Size, done: number): Box => {
  const zoom = from + (to - from) * done
  const [width, height] = [Math.trunc(frame.width * zoom + 0.5), Math.trunc(frame.height * zoom + 0.5)]
  const x = Math.trunc((width - frame.width) * focus.x + 0.5)
  const y = Math.trunc((height - frame.height) * focus.y + 0.5)
  return { x, y, width, height }
}

/** A crop as `windowOf` takes it. */
export const cropOf = (near: number | undefined, focus: Point): Zoom | null =>
  near === undefined || near === 1 ? null : { from: near, to: near, focus }

/** So near a crop brings B-roll at most. */
export const mostNear = 4

/** So many degrees a picture is turned at most to be straight. */
export const mostTurn = 15

/**
 * How large a picture that fills the frame is made before it is turned around the frame's middle by so many degrees, with the
 * clock, so that none of the frame's corners is empty; in whole and even dots.
 */
export const turnedSize = (frame: Size, degrees: number): Size => {
  const angle = (Math.abs(degrees) * Math.PI) / 180
  const longer = Math.max(frame.width / frame.height, frame.height / frame.width)
  const scale = Math.cos(angle) + longer * Math.sin(angle)
  const up = (dots: number) => 2 * Math.ceil((dots * scale) / 2 - 1e-6)
  return { width: up(frame.width), height: up(frame.height) }
}

/** How large a picture that fills the frame is made before it is turned and held steady. */
export const enlargedSize = (frame: Size, degrees: number, isSteady: boolean): Size =>
  turnedSize(isSteady ? steadyRoom(frame) : frame, degrees)

/** Where a logo or picture lies: its longer side is `size` of the frame's shorter one, a margin away from the corner. */
export const placeOf = (
  layer: Pick<Extract<Layer, { kind: 'logo' | 'picture' }>, 'place' | 'size'>,
  picture: Size,
  frame: Size,
): Box => {
  if (layer.place === 'full') return { x: 0, y: 0, ...frame }
  const short = Math.min(frame.width, frame.height)
  const scale = (layer.size * short) / Math.max(picture.width, picture.height)
  const width = Math.max(2, even(picture.width * scale))
  const height = Math.max(2, even(picture.height * scale))
  const margin = even(short * 0.05)
  const [top, left] = [layer.place.startsWith('top'), layer.place.endsWith('left')]
  if (layer.place === 'centre')
    return { x: even((frame.width - width) / 2), y: even((frame.height - height) / 2), width, height }
  return {
    x: left ? margin : frame.width - width - margin,
    y: top ? margin : frame.height - height - margin,
    width,
    height,
  }
}

/** Of one side the part that is seen, in whole and even dots. */
const stretch = (whole: number, share: number, near: number, focus: number, at: number) => {
  const most = 2 * Math.floor(whole / 2)
  const seen = Math.min(1, share)
  const length = Math.max(2, Math.min(most, even((seen / near) * whole)))
  const from = ((1 - seen) * focus + seen * at * (1 - 1 / near)) * whole
  return { from: Math.max(0, Math.min(most - length, even(from))), length }
}

const even = (value: number): number => 2 * Math.round(value / 2)

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))
