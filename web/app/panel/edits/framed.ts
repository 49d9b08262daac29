import { enlargedSize } from '@clear-to-post/edit/framing'
import type { Box, Size } from '@clear-to-post/edit/safe-area'
import type { Steadied } from '@clear-to-post/edit/steady'

/** By how many degrees a picture is turned, and how it is moved where it is held steady. */
type Turned = { degrees: number; frame: Size; steady?: Steadied | undefined }

/**
 * Lays a picture that is drawn over the whole frame so that `window`, a part of it in its own dots, fills the frame.
 * `turned` turns that around the frame's middle, and moves it where it is held steady; `pushed` then brings it nearer, in dots of a
 * frame of `frame`'s size.
 */
export const framed = (
  picture: Size,
  window: Box,
  { pushed, turned }: { pushed?: { to: Box; frame: Size } | undefined; turned?: Turned | undefined } = {},
) => {
  const [left, top] = [window.x / window.width, window.y / window.height]
  const [across, down] = [picture.width / window.width, picture.height / window.height]
  const steps = [
    ...(pushed ? [laid(pushed.to, pushed.frame)] : []),
    ...(turned ? [straight(turned)] : []),
    `translate(${percent(-left)}, ${percent(-top)}) scale(${across.toFixed(6)}, ${down.toFixed(6)})`,
    turn,
  ]
  return { objectFit: 'fill', transformOrigin: '0 0', transform: steps.join(' ') } as const
}

/**
 * A little over the frame's edges: a picture whose edge lies on the frame's own, and which is turned by what nobody sees, has a
 * last column or row that lets a part of the dark behind it through.
 */
const over = 0.02

const laid = ({ x, y, width, height }: Box, frame: Size): string =>
  `translate(${percent(-(x + over) / frame.width)}, ${percent(-(y + over) / frame.height)}) scale(${((width + 2 * over) / frame.width).toFixed(9)}, ${((height + 2 * over) / frame.height).toFixed(9)})`

const straight = ({ degrees, frame, steady }: Turned): string => {
  const { width, height } = enlargedSize(frame, degrees, steady !== undefined)
  const scale = `${(width / frame.width).toFixed(6)}, ${(height / frame.height).toFixed(6)}`
  const { x, y, turn } = steady ?? { x: 0, y: 0, turn: 0 }
  const [right, down] = [percent(0.5 + x / frame.width), percent(0.5 + y / frame.height)]
  const angle = degrees + (turn * 180) / Math.PI
  return `translate(${right}, ${down}) rotate(${angle}deg) scale(${scale}) translate(-50%, -50%)`
}

/** Nobody sees it. What is not turned a browser lays on whole dots of the screen, and a push would step. */
const turn = 'rotate(0.00001deg)'

const percent = (part: number): string => `${(100 * part).toFixed(7)}%`
