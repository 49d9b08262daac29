import type { Layer } from './recipe.ts'
import type { Box, Size } from './safe-area.ts'
import type { Zoom } from './timeline.ts'

/**
 * Which part of a picture is seen and where it lies, in whole dots: ffmpeg cuts no finer, so the render and the preview
 * both ask here and show the same.
 */

export type Point = { x: number; y: number }

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

/** A picture that is brought nearer from frame to frame, in dots of the frame: how large it is, and where the part that is seen begins. */
export const pushedTo = ({ from, to, focus }: Zoom, frame: Size, done: number): Box => {
  const zoom = from + (to - from) * done
  const [width, height] = [Math.trunc(frame.width * zoom + 0.5), Math.trunc(frame.height * zoom + 0.5)]
  const x = Math.trunc((width - frame.width) * focus.x + 0.5)
  const y = Math.trunc((height - frame.height) * focus.y + 0.5)
  return { x, y, width, height }
}

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
