import { turnedSize } from '@clear-to-post/edit/framing'
import type { Box, Size } from '@clear-to-post/edit/safe-area'

/**
 * Lays a picture that is drawn over the whole frame so that `window`, a part of it in its own dots, fills the frame.
 * `pushed` brings that nearer, in dots of a frame of `frame`'s size; `turned` then turns it around the frame's middle.
 */
export const framed = (
  picture: Size,
  window: Box,
  {
    pushed,
    turned,
  }: { pushed?: { to: Box; frame: Size } | undefined; turned?: { degrees: number; frame: Size } | undefined } = {},
) => {
  const [wide, high] = pushed ? [pushed.to.width / pushed.frame.width, pushed.to.height / pushed.frame.height] : [1, 1]
  const left = (window.x / window.width) * wide + (pushed ? pushed.to.x / pushed.frame.width : 0)
  const top = (window.y / window.height) * high + (pushed ? pushed.to.y / pushed.frame.height : 0)
  const [across, down] = [(picture.width / window.width) * wide, (picture.height / window.height) * high]
  return {
    objectFit: 'fill',
    transformOrigin: '0 0',
    transform: `${turned ? straight(turned.degrees, turned.frame) : ''}translate(${percent(-left)}, ${percent(-top)}) scale(${across.toFixed(6)}, ${down.toFixed(6)}) ${turn}`,
  } as const
}

const straight = (degrees: number, frame: Size): string => {
  const { width, height } = turnedSize(frame, degrees)
  const scale = `${(width / frame.width).toFixed(6)}, ${(height / frame.height).toFixed(6)}`
  return `translate(50%, 50%) rotate(${degrees}deg) scale(${scale}) translate(-50%, -50%) `
}

/** Nobody sees it. What is not turned a browser lays on whole dots of the screen, and a push would step. */
const turn = 'rotate(0.00001deg)'

const percent = (part: number): string => `${(100 * part).toFixed(4)}%`
