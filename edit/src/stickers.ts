import { enter, type Context2d } from './paint.ts'
import { stickerNames, type Layer } from './recipe.ts'
import type { Box, Size } from './safe-area.ts'
import type { Entrance } from './title-motion.ts'

/**
 * Our own stickers, drawn from the tables below by the painter: nothing is loaded, and browser and server draw the same.
 * Each has a unit of 100 by 100 (`tall`: another height); a shape is a path of it in the letters of SVG, absolute, M, L, C and Z.
 */

export type StickerName = (typeof stickerNames)[number]

/** A colour of its own, or the brand's. */
type Ink = 'brand' | `#${string}`
type Shape = { path: string; fill?: Ink; line?: { ink: Ink; width: number } }
type Drawing = { tall?: number; shapes: readonly Shape[] }

const [white, green, red, gold, dark] = ['#ffffff', '#1f9d55', '#d64533', '#f5b82e', '#0b1018'] as const

/** A circle as four curves. */
const disc = (x: number, y: number, r: number): string => {
  const c = r * 0.5523
  return (
    `M${x - r} ${y}C${x - r} ${y - c} ${x - c} ${y - r} ${x} ${y - r}C${x + c} ${y - r} ${x + r} ${y - c} ${x + r} ${y}` +
    `C${x + r} ${y + c} ${x + c} ${y + r} ${x} ${y + r}C${x - c} ${y + r} ${x - r} ${y + c} ${x - r} ${y}Z`
  )
}

const star = (spikes: number, inner: number): string => {
  const points = Array.from({ length: spikes * 2 }, (_, i) => {
    const [angle, r] = [(Math.PI * i) / spikes - Math.PI / 2, i % 2 === 0 ? 48 : inner]
    return `${(50 + r * Math.cos(angle)).toFixed(2)} ${(50 + r * Math.sin(angle)).toFixed(2)}`
  })
  return `M${points.join('L')}Z`
}

const drawings: Record<StickerName, Drawing> = {
  arrow: {
    tall: 60,
    shapes: [{ path: 'M6 48C14 14 46 2 82 26M62 33L84 27L80 6', line: { ink: 'brand', width: 10 } }],
  },
  ring: {
    tall: 70,
    shapes: [
      {
        path: 'M66 9C34 0 4 12 5 35C6 60 38 67 62 63C86 59 98 44 94 30C89 12 60 2 30 12',
        line: { ink: 'brand', width: 6 },
      },
    ],
  },
  underline: {
    tall: 24,
    shapes: [{ path: 'M4 9C30 3 66 3 96 7M14 19C38 13 64 13 86 16', line: { ink: 'brand', width: 6 } }],
  },
  tick: {
    shapes: [
      { path: disc(50, 50, 46), fill: green },
      { path: 'M27 52L44 69L75 34', line: { ink: white, width: 12 } },
    ],
  },
  cross: {
    shapes: [
      { path: disc(50, 50, 46), fill: red },
      { path: 'M33 33L67 67M67 33L33 67', line: { ink: white, width: 12 } },
    ],
  },
  star: { shapes: [{ path: star(5, 20), fill: gold }] },
  heart: {
    shapes: [
      {
        path: 'M50 90C20 66 4 50 4 31C4 16 15 7 27 7C37 7 45 12 50 21C55 12 63 7 73 7C85 7 96 16 96 31C96 50 80 66 50 90Z',
        fill: red,
      },
    ],
  },
  house: {
    shapes: [
      { path: 'M4 48L50 6L96 48L84 48L84 92L16 92L16 48Z', fill: 'brand' },
      { path: 'M41 92L41 62L59 62L59 92Z', fill: white },
      { path: 'M27 52L37 52L37 62L27 62ZM63 52L73 52L73 62L63 62Z', fill: white },
    ],
  },
  key: {
    tall: 50,
    shapes: [
      { path: 'M26 25L92 25M72 25L72 40M86 25L86 38', line: { ink: gold, width: 10 } },
      { path: disc(24, 25, 20), fill: gold },
      { path: disc(20, 25, 7), fill: dark },
    ],
  },
  percent: {
    shapes: [
      { path: star(12, 40), fill: 'brand' },
      { path: 'M66 32L34 68', line: { ink: white, width: 8 } },
      { path: `${disc(36, 36, 8)}${disc(64, 64, 8)}`, line: { ink: white, width: 6 } },
    ],
  },
  dollar: {
    shapes: [
      { path: disc(50, 50, 46), fill: green },
      {
        path: 'M66 36C62 24 36 24 35 38C34 53 66 47 66 62C66 77 37 76 33 63M50 20L50 80',
        line: { ink: white, width: 8 },
      },
    ],
  },
  question: {
    shapes: [
      { path: disc(50, 50, 46), fill: 'brand' },
      { path: 'M36 38C36 20 66 20 66 38C66 50 50 49 50 62', line: { ink: white, width: 10 } },
      { path: disc(50, 76, 6), fill: white },
    ],
  },
}

/** How large a sticker is: its longer side as a part of the frame's shorter one. */
export const stickerSizes = { least: 0.05, most: 1, usual: 0.28 } as const

/** A sticker in its place. Pixels of the output frame. */
export type Sticker = {
  name: StickerName
  /** Its middle. */
  x: number
  y: number
  width: number
  height: number
  /** Degrees with the clock. */
  turn: number
  brand: string
  /** Around all of it, its white rim and its shadow included. */
  box: Box
  /** On its way. Missing: it stands. */
  entrance?: Entrance
}

/** The same on its way; null: where it stands. */
export const stickerEntering = (sticker: Sticker, entrance: Entrance | null): Sticker =>
  entrance
    ? { ...sticker, entrance, box: { ...sticker.box, height: sticker.box.height + entrance.below * sticker.height } }
    : sticker

export const stickerOf = (
  { name, at, size, turn = 0 }: Pick<Extract<Layer, { kind: 'sticker' }>, 'name' | 'at' | 'size' | 'turn'>,
  frame: Size,
  { primary }: { primary: string },
): Sticker => {
  const width = size * Math.min(frame.width, frame.height)
  const height = (width * (drawings[name].tall ?? 100)) / 100
  const [x, y] = [at.x * frame.width, at.y * frame.height]
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const rim = width * 0.12
  const [wide, high] = [cos * width + sin * height + 2 * rim, sin * width + cos * height + 2 * rim]
  return {
    name,
    x,
    y,
    width,
    height,
    turn,
    brand: primary,
    box: { x: x - wide / 2, y: y - high / 2, width: wide, height: high },
  }
}

/** Paints a sticker: a soft shadow, a white rim around all of its shapes, and these. */
export const paintSticker = <P>(context: Context2d<P>, sticker: Sticker): void => {
  const { name, x, y, width, height, turn, brand, box, entrance } = sticker
  const { shapes } = drawings[name]
  const unit = width / 100
  const angle = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle) * unit, Math.sin(angle) * unit]
  const [middleX, middleY] = [50, height / unit / 2]
  const at = (px: number, py: number): [number, number] => {
    const [dx, dy] = [px - middleX, py - middleY]
    return [x + dx * cos - dy * sin, y + dx * sin + dy * cos]
  }
  const trace = (path: string) => {
    context.beginPath()
    for (const [, letter, numbers] of path.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers!.trim().split(/\s+/).map(Number)
      if (letter === 'M') context.moveTo(...at(a, b))
      else if (letter === 'L') context.lineTo(...at(a, b))
      else if (letter === 'C') context.bezierCurveTo(...at(a, b), ...at(c, d), ...at(e, f))
      else context.closePath()
    }
  }
  const ink = (one: Ink) => (one === 'brand' ? brand : one)
  context.save()
  if (entrance) enter(context, { x: x - width / 2, y: y - height / 2, width, height }, box, entrance)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.strokeStyle = white
  const rims = [true, false]
  for (const isShadowed of rims) {
    context.shadowColor = isShadowed ? 'rgba(5, 9, 16, 0.4)' : 'rgba(0, 0, 0, 0)'
    context.shadowBlur = unit * 5
    for (const { path, line } of shapes) {
      context.lineWidth = (line ? line.width + 6 : 6) * unit
      trace(path)
      context.stroke()
    }
  }
  for (const { path, fill, line } of shapes) {
    trace(path)
    if (fill) {
      context.fillStyle = ink(fill)
      context.fill()
    }
    if (line) {
      context.strokeStyle = ink(line.ink)
      context.lineWidth = line.width * unit
      context.stroke()
    }
  }
  context.restore()
}
