import { captionStyles } from '@clear-to-post/domain/captions'
import type { Captions } from './recipe.ts'
import { safeArea, type Box, type Size } from './safe-area.ts'

/** Between two words, in em; wide enough for the mark behind the spoken one. */
export const space = 0.32

export const lineHeight = 1.3
export const emojiSize = 1.12

/** With the gap before it. */
export const emojiWidth = emojiSize + space * 0.7

/** A part of the frame's shorter side: on a phone that is as small as its own smallest text. */
const leastSize = 0.036

/** Sizes of letters as parts of the frame's shorter side. */
const uprightSizes = { large: 0.086, medium: 0.08, small: 0.068 }
const wideSizes = { large: 0.068, medium: 0.06, small: 0.051 }

/** `least`: the part of its size that a page may shrink to, `alone` that of a single long word. */
export type CaptionLook = {
  lines: 1 | 2
  emoji: boolean
  size: number
  safe: Box
  width: number
  least: number
  alone: number
}

export const lookOf = ({ style, size }: Captions, frame: Size): CaptionLook => {
  const ratio = frame.width / frame.height
  const short = Math.min(frame.width, frame.height)
  const { lines, hasEmoji, size: step } = captionStyles[style]
  const own = (ratio < 0.8 ? uprightSizes : wideSizes)[step]
  const safe = safeArea(frame)
  const most = short * Math.max(own * size, leastSize)
  const floor = (part: number) => Math.max(part, (short * leastSize) / most)
  return {
    lines,
    emoji: hasEmoji,
    size: most,
    safe,
    width: safe.width,
    least: floor(0.8),
    alone: floor(0.6),
  }
}
