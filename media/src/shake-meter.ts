import { shakeUnit, type Shake } from '@clear-to-post/edit/steady'
import type { Fps } from '@clear-to-post/edit/frames'
import type { Size } from './picture.ts'

/**
 * How a camera was moved from picture to picture, found by laying each grey picture over the one before it: first as small
 * ones, where large moves are small, then finer. What moves by itself before the camera counts less the more it differs.
 */

/** A grey picture with the places that tell a move: where its light changes most. */
type Level = Size & { light: Float32Array; points: Points }
type Points = { at: Int32Array; across: Float32Array; down: Float32Array }
type Move = { x: number; y: number; turn: number }

const levels = 3
/** So many places tell a move well enough. */
const mostPoints = 3000
/** How much speaks against a move, in squared steps of light for each place: where nothing tells, nothing moved. */
const stillness = 0.3
/** So often a move is made better, at each level; it ends earlier where nothing changes any more. */
const mostRounds = 10

/** Takes grey pictures of this size, one byte for each dot, in their order; `done` tells how the camera was moved before each. */
export function shakeMeter(size: Size, fps: Fps) {
  const moves: Move[] = []
  let before: Level[] | null = null
  return {
    take(picture: Uint8Array): void {
      const now = pyramid(picture, size)
      moves.push(before ? between(before, now) : { x: 0, y: 0, turn: 0 })
      before = now
    },
    done(): Shake {
      const whole = (value: number) => Math.max(-32_767, Math.min(32_767, Math.round(value / shakeUnit)))
      return {
        version: 1,
        fps,
        x: moves.map(({ x }) => whole(x / size.width)),
        y: moves.map(({ y }) => whole(y / size.width)),
        turn: moves.map(({ turn }) => whole(turn)),
      }
    },
  }
}

/** From the smallest level to the largest. */
function pyramid(picture: Uint8Array, size: Size): Level[] {
  const all: Level[] = []
  let light: Float32Array = Float32Array.from(picture)
  let { width, height } = size
  for (let level = 0; level < levels; level++) {
    all.unshift({ width, height, light, points: pointsOf(light, width, height) })
    light = halved(light, width, height)
    ;[width, height] = [width >> 1, height >> 1]
  }
  return all
}

function halved(light: Float32Array, width: number, height: number): Float32Array {
  const [wide, high] = [width >> 1, height >> 1]
  const small = new Float32Array(wide * high)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = 2 * y * width + 2 * x
      small[y * wide + x] = (light[at]! + light[at + 1]! + light[at + width]! + light[at + width + 1]!) / 4
    }
  return small
}

function pointsOf(light: Float32Array, width: number, height: number): Points {
  const rim = 2
  // How steep it is, in whole steps; the steepest quarter counts, and flat ground tells nothing.
  const steep = new Uint8Array(width * height)
  const counts = new Uint32Array(256)
  let count = 0
  for (let y = rim; y < height - rim; y++)
    for (let x = rim; x < width - rim; x++) {
      const at = y * width + x
      const [across, down] = [light[at + 1]! - light[at - 1]!, light[at + width]! - light[at - width]!]
      steep[at] = Math.min(255, Math.sqrt(across * across + down * down))
      counts[steep[at]!]!++
      count++
    }
  let least = 255
  for (let over = 0; least > 2 && over < count / 4; least--) over += counts[least]!
  const chosen: number[] = []
  for (let at = 0; at < steep.length; at++) if (steep[at]! > least) chosen.push(at)
  const every = Math.max(1, chosen.length / mostPoints)
  const at = Int32Array.from({ length: Math.floor(chosen.length / every) }, (_, i) => chosen[Math.floor(i * every)]!)
  return {
    at,
    across: Float32Array.from(at, (one) => (light[one + 1]! - light[one - 1]!) / 2),
    down: Float32Array.from(at, (one) => (light[one + width]! - light[one - width]!) / 2),
  }
}

/** How what is seen moved from one picture to the next, in dots of the largest level and radians around its middle. */
function between(before: readonly Level[], now: readonly Level[]): Move {
  let move: Move = { x: 0, y: 0, turn: 0 }
  for (const [i, level] of before.entries()) {
    if (i > 0) move = { x: move.x * 2, y: move.y * 2, turn: move.turn }
    const better = matched(level, now[i]!, move)
    // What cannot be told stands still.
    if (!better) return { x: 0, y: 0, turn: 0 }
    move = better
  }
  return move
}

function matched(before: Level, now: Level, from: Move): Move | null {
  const { width, height, light, points } = before
  const count = points.at.length
  if (count < 50) return null
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2]
  const off = new Float32Array(count)
  let { x: moveX, y: moveY, turn } = from
  for (let round = 0; round < mostRounds; round++) {
    let [sum, seen, away] = [0, 0, 0]
    for (let i = 0; i < count; i++) {
      const at = points.at[i]!
      const [x, y] = [(at % width) - middleX, Math.floor(at / width) - middleY]
      const [toX, toY] = [x - turn * y + moveX + middleX, y + turn * x + moveY + middleY]
      const [left, top] = [Math.floor(toX), Math.floor(toY)]
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
        off[i] = NaN
        continue
      }
      const [partX, partY] = [toX - left, toY - top]
      const there = top * width + left
      const upper = now.light[there]! * (1 - partX) + now.light[there + 1]! * partX
      const lower = now.light[there + width]! * (1 - partX) + now.light[there + width + 1]! * partX
      off[i] = upper * (1 - partY) + lower * partY - light[at]!
      sum += off[i]!
      seen++
    }
    if (seen < count / 3) return null
    // The camera may have made all of it brighter.
    const brighter = sum / seen
    for (let i = 0; i < count; i++) if (!Number.isNaN(off[i]!)) away += Math.abs(off[i]! - brighter)
    const usual = Math.max(1, (1.5 * away) / seen)
    let [xx, xy, xt, yy, yt, tt, bx, by, bt] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < count; i++) {
      if (Number.isNaN(off[i]!)) continue
      const at = points.at[i]!
      const [x, y] = [(at % width) - middleX, Math.floor(at / width) - middleY]
      const [gx, gy] = [points.across[i]!, points.down[i]!]
      const gt = x * gy - y * gx
      const error = off[i]! - brighter
      const share = 1 / (1 + (error / usual) ** 2)
      const weight = share * share
      xx += weight * gx * gx
      xy += weight * gx * gy
      xt += weight * gx * gt
      yy += weight * gy * gy
      yt += weight * gy * gt
      tt += weight * gt * gt
      bx += weight * gx * error
      by += weight * gy * error
      bt += weight * gt * error
    }
    const [rest, around] = [stillness * seen, stillness * seen * middleX * middleX]
    const solved = solve(
      [xx + rest, xy, xt, yy + rest, yt, tt + around],
      [bx + rest * moveX, by + rest * moveY, bt + around * turn],
    )
    if (!solved) return null
    const [dx, dy, dt] = solved
    moveX -= dx
    moveY -= dy
    turn -= dt
    if (Math.abs(moveX) > width / 4 || Math.abs(moveY) > height / 4 || Math.abs(turn) > 0.2) return null
    if (Math.abs(dx) + Math.abs(dy) + Math.abs(dt) * middleX < 0.005) break
  }
  return { x: moveX, y: moveY, turn }
}

/** Three equations whose matrix is the same on both sides of its diagonal; null where they do not tell. */
function solve(
  [a, b, c, d, e, f]: [number, number, number, number, number, number],
  [x, y, z]: [number, number, number],
): [number, number, number] | null {
  const [ca, cb, cc] = [d * f - e * e, c * e - b * f, b * e - c * d]
  const whole = a * ca + b * cb + c * cc
  if (!(Math.abs(whole) > 1e-9 * Math.abs(a * d * f))) return null
  const [cd, ce, cf] = [a * f - c * c, b * c - a * e, a * d - b * b]
  return [(ca * x + cb * y + cc * z) / whole, (cb * x + cd * y + ce * z) / whole, (cc * x + ce * y + cf * z) / whole]
}
