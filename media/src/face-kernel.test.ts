import { expect, it } from 'vitest'
import { openKernel } from './face-kernel.ts'

const filled = <A extends Float32Array>(array: A, seed: number): A => {
  for (let i = 0; i < array.length; i++) array[i] = Math.sin(7.1 * i + seed)
  return array
}

it('every output of a point is its bias and the weighted sum of its inputs', () => {
  const [points, ins, outs] = [8, 5, 12]
  const { room, mix } = openKernel(1000, 4)
  const [x, weights, bias] = [points * ins, ins * outs, outs].map((length, seed) => filled(room(length), seed)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const y = room(points * outs)
  mix(x.byteOffset, weights.byteOffset, bias.byteOffset, y.byteOffset, points, ins, outs)
  for (let point = 0; point < points; point++)
    for (let out = 0; out < outs; out++) {
      let sum = bias[out]!
      for (let i = 0; i < ins; i++) sum += x[point * ins + i]! * weights[i * outs + out]!
      expect(y[point * outs + out], `${point} ${out}`).toBeCloseTo(sum, 5)
    }
})

it('a channel of a point is its bias and the nine around it, weighted, and its neighbours stay as they are', () => {
  const [channels, wide] = [8, 6]
  const { room, cover } = openKernel(1000, 4)
  const x = filled(room(wide * 5 * channels), 1)
  const [weights, bias, y] = [filled(room(9 * channels), 2), filled(room(channels), 3), room(2 * channels)]
  cover(x.byteOffset, weights.byteOffset, bias.byteOffset, y.byteOffset, channels, wide * channels * 4)
  for (let channel = 0; channel < channels; channel++) {
    let sum = bias[channel]!
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 3; column++)
        sum += x[(row * wide + column) * channels + channel]! * weights[(3 * row + column) * channels + channel]!
    expect(y[channel], `${channel}`).toBeCloseTo(sum, 5)
  }
  expect([...y.subarray(channels)]).toEqual(Array.from({ length: channels }, () => 0))
})
