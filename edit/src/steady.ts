import type { Fps } from './frames.ts'
import type { Box, Size } from './safe-area.ts'

/**
 * A picture that was held by an unsteady hand made steady: the camera's way is made smooth, and each frame is shifted and turned
 * by what it is beside that. How a recording was shaken is measured once; what follows from it is counted here, for the render and the
 * preview alike, on the recording's own clock: whatever is cut, the same frame is moved in the same way.
 */

/**
 * How what is seen moved from the frame before, for each frame of a recording at `fps`, in `shakeUnit`s: to the right and down in parts
 * of the picture's width, and with the clock in radians around its middle.
 */
export type Shake = { version: 1; fps: Fps; x: number[]; y: number[]; turn: number[] }

/** What one of a shake's whole numbers is. */
export const shakeUnit = 1 / 131_072

/** How each frame is to be moved, in parts of the picture's width and in radians, before it is held to the room there is. */
export type SteadyPath = { x: Float64Array; y: Float64Array; turn: Float64Array }

/** A steady picture is so much nearer: that is the room its frames are moved in. */
export const steadyNear = 1.12

/** Faster than this is a shaking hand, slower a way that was meant; seconds. */
const calmSeconds = 0.6

/** Of the room at the frame's edges, how much may be used up by turning. */
const turnShare = 0.4

export const steadyPath = ({ fps, x, y, turn }: Shake): SteadyPath => ({
  x: besideItsWay(x, fps),
  y: besideItsWay(y, fps),
  turn: besideItsWay(turn, fps),
})

/** How far what is seen stands beside its own smooth way, at each frame, with the other sign. */
export const besideItsWay = (steps: readonly number[], fps: Fps): Float64Array => {
  const sigma = (calmSeconds * fps.num) / fps.den
  let sum = 0
  const way = Float64Array.from(steps, (step) => (sum += step * shakeUnit))
  const reach = Math.ceil(2.5 * sigma)
  const weights = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp(-(i * i) / (2 * sigma * sigma)))
  // What those up to each weigh together, both sides.
  let both = 0
  const all = weights.map((weight, i) => (both += i === 0 ? weight : 2 * weight))
  return way.map((here, at) => {
    let smooth = weights[0]! * here
    // As far to one side as to the other: at an end a steady way stays where it goes.
    const far = Math.min(reach, at, way.length - 1 - at)
    for (let i = 1; i <= far; i++) smooth += weights[i]! * (way[at - i]! + way[at + i]!)
    return smooth / all[far]! - here
  })
}

/** The frame with the room around it in which it is moved; whole and even dots. */
export const steadyRoom = ({ width, height }: Size): Size => ({
  width: 2 * Math.round((width * steadyNear) / 2),
  height: 2 * Math.round((height * steadyNear) / 2),
})

/** How a frame is moved: whole dots of the frame to the right and down, and radians with the clock around its middle. */
export type Steadied = { x: number; y: number; turn: number }

/** What a frame of a recording needs so that it stands still, held to the room there is. */
export const steadyAt = (
  path: SteadyPath,
  frame: number,
  {
    picture,
    window,
    size,
    turn = 0,
  }: {
    picture: Size
    /** The part of the picture that fills the frame. */
    window: Box
    size: Size
    /** The degrees that all of it is turned by. */
    turn?: number | undefined
  },
): Steadied => {
  const last = path.x.length - 1
  if (last < 0) return { x: 0, y: 0, turn: 0 }
  const at = Math.max(0, Math.min(last, frame))
  const room = steadyRoom(size)
  const [wide, high] = [(room.width - size.width) / 2, (room.height - size.height) / 2]
  const mostTurn = turnShare * Math.min(wide / (size.height / 2), high / (size.width / 2))
  const turned = held(path.turn[at]!, mostTurn)
  // It turns around the window's middle and not the picture's.
  const [fromX, fromY] = [
    (window.x + window.width / 2 - picture.width / 2) / picture.width,
    (window.y + window.height / 2 - picture.height / 2) / picture.width,
  ]
  const dots = (size.width * picture.width) / window.width
  const across = dots * (path.x[at]! - turned * fromY)
  const down = dots * (path.y[at]! + turned * fromX)
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const used = (side: number) => (Math.abs(turned) * side) / 2 + 1
  return {
    x: Math.round(held(across * cos - down * sin, wide - used(size.height))),
    y: Math.round(held(across * sin + down * cos, high - used(size.width))),
    turn: turned,
  }
}

/** Little stays as it is; what is more comes near to the most and never beyond it. */
const held = (value: number, most: number): number => (most <= 0 ? 0 : most * Math.tanh(value / most))
