import type { Layer } from '@clear-to-post/edit/recipe'
import type { Box } from './band.ts'
import type { Size } from './picture.ts'

type Placed = Extract<Layer, { kind: 'logo' | 'picture' }>

/** Where a logo or picture lies: its longer side is `size` of the frame's shorter one, a margin away from the corner. */
export function placeOf(layer: Pick<Placed, 'place' | 'size'>, picture: Size, frame: Size): Box {
  const even = (value: number) => 2 * Math.round(value / 2)
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
