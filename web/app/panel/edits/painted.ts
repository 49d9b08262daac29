import type { CaptionState } from '@clear-to-post/edit/caption-track'
import type { Box, Size } from '@clear-to-post/edit/safe-area'

/**
 * Paints as the render will. Shadows do not follow a canvas's scale, so it is painted in the output's own pixels and then
 * made smaller; `canvas` has the size in which it is seen, `part` is the part of the frame that is seen.
 */
export const paintInto = (
  canvas: HTMLCanvasElement,
  frame: Size,
  paint: ((context: CanvasRenderingContext2D) => void) | null,
  { x, y, width, height }: Box = { x: 0, y: 0, ...frame },
): void => {
  const ctx = canvas.getContext('2d')
  if (!ctx || canvas.width === 0) return
  ctx.clearRect(0, 0, canvas.width, canvas.height)
  if (!paint) return
  if (sheet.width !== frame.width || sheet.height !== frame.height)
    Object.assign(sheet, { width: frame.width, height: frame.height })
  const context = sheet.getContext('2d')!
  context.clearRect(0, 0, frame.width, frame.height)
  paint(context)
  ctx.imageSmoothingQuality = 'high'
  ctx.drawImage(sheet, x, y, width, height, 0, 0, canvas.width, canvas.height)
}

/** The state at a timeline frame. */
export const stateAt = (states: readonly CaptionState[], frame: number): CaptionState | null => {
  let [low, high] = [0, states.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const state = states[middle]!
    if (frame < state.from) high = middle - 1
    else if (frame >= state.to) low = middle + 1
    else return state
  }
  return null
}

/** Gives a canvas as many dots as it has on the screen; true when that changed it. */
export const fitDots = (canvas: HTMLCanvasElement): boolean => {
  const dots = Math.min(3, devicePixelRatio || 1)
  const [width, height] = [Math.round(canvas.clientWidth * dots), Math.round(canvas.clientHeight * dots)]
  if (canvas.width === width && canvas.height === height) return false
  Object.assign(canvas, { width, height })
  return true
}

const sheet = document.createElement('canvas')
