import { openKernel, type Kernel } from './face-kernel.ts'
import type { Model, Shape, Step } from './face-model.ts'

/**
 * Runs a network of `face-model.ts`. Pictures and what becomes of them lie row by row, the channels of a point beside each
 * other.
 */
export type Network = {
  /** How many values go in. */
  size: number
  /** The outputs, in their order; they are overwritten by the next run. */
  run: (input: Float32Array) => Float32Array[]
}

export function networkOf(model: Model): Network {
  const sizeOf = (shape: Shape) => shape.reduce((product, side) => product * side, 1)
  const sizes = model.shapes.map((shape, place) => model.weights.get(place)?.length ?? sizeOf(shape))
  // Weights lie there turned, too, and pictures with room around them, for each step that needs them so.
  const kernel = openKernel(4 * sizes.reduce((sum, size) => sum + size, 0), 4 * sizes.length)
  const values = sizes.map((size, place) => {
    const own = kernel.room(size)
    own.set(model.weights.get(place) ?? [])
    return own
  })
  const of = (place: number | undefined) => ({
    values: values[place ?? -1]!,
    shape: planeOf(model.shapes[place ?? -1]!),
  })
  const work = model.steps.map((step) =>
    workOf(kernel, step, step.from.map(of), of(step.to), model.shapes[step.from[1] ?? -1]),
  )
  const input = values[model.input]!
  return {
    size: input.length,
    run: (given) => {
      input.set(given)
      for (const one of work) one()
      return model.outputs.map((place) => values[place]!)
    },
  }
}

type Plane = { height: number; width: number; channels: number }
type Tensor = { values: Float32Array; shape: Plane }

function planeOf([height = 1, width = 1, channels = 1]: Shape): Plane {
  return { height, width, channels }
}

function workOf(loops: Kernel, step: Step, from: readonly Tensor[], to: Tensor, kernel: Shape | undefined): () => void {
  const [one, other, third] = from as [Tensor, Tensor, Tensor]
  switch (step.kind) {
    case 'conv':
      return kernel?.[0] === 1 && step.stride === 1
        ? mixChannels(loops, one, other.values, third.values, to)
        : convolution(loops, one, other.values, third.values, to, planeOf(kernel!), step.stride)
    case 'depthwise':
      return channelByChannel(loops, one, other.values, third.values, to, planeOf(kernel!), step.stride)
    case 'add':
      return () => add(one.values, other.values, to.values)
    case 'relu':
      return () => withoutNegatives(one.values, to.values)
    case 'half':
      return () => halve(one, to)
    case 'double':
      return () => double(one, to)
    case 'channels':
      return () => addChannels(one, to)
    case 'same':
      return () => to.values.set(one.values)
  }
}

/** Each point by itself: most of the work. */
function mixChannels(loops: Kernel, from: Tensor, weights: Float32Array, bias: Float32Array, to: Tensor): () => void {
  const [x, y] = [from.values, to.values]
  const ins = from.shape.channels
  const outs = to.shape.channels
  const points = to.shape.height * to.shape.width
  if (points % 4 === 0 && outs % 4 === 0) {
    const turned = loops.room(ins * outs)
    for (let i = 0; i < ins; i++) for (let out = 0; out < outs; out++) turned[i * outs + out] = weights[out * ins + i]!
    return () => loops.mix(x.byteOffset, turned.byteOffset, bias.byteOffset, y.byteOffset, points, ins, outs)
  }
  return () => {
    for (let point = 0; point < points; point++)
      for (let out = 0; out < outs; out++)
        y[point * outs + out] = dot(x, point * ins, weights, out * ins, ins, bias[out]!)
  }
}

function dot(x: Float32Array, at: number, weights: Float32Array, from: number, length: number, start: number): number {
  let sum = start
  for (let i = 0; i < length; i++) sum += x[at + i]! * weights[from + i]!
  return sum
}

/**
 * A picture with empty room around it, so that a kernel reads the same for each of its points. Where the two sides differ
 * the far one has more, as TensorFlow's `SAME` has it. `fill` copies the picture in; the room stays empty.
 */
function roomAround(
  loops: Kernel,
  { values, shape: { height, width, channels } }: Tensor,
  to: Plane,
  kernel: Plane,
  stride: number,
) {
  const before = (from: number, points: number, side: number) =>
    Math.floor(Math.max(0, (points - 1) * stride + side - from) / 2)
  const above = before(height, to.height, kernel.height)
  const left = before(width, to.width, kernel.width)
  const wide = Math.max(left + width, (to.width - 1) * stride + kernel.width)
  const high = Math.max(above + height, (to.height - 1) * stride + kernel.height)
  const roomy = loops.room(high * wide * channels)
  const line = width * channels
  const fill = () => {
    for (let row = 0; row < height; row++)
      roomy.set(values.subarray(row * line, (row + 1) * line), ((row + above) * wide + left) * channels)
  }
  return { values: roomy, wide, fill }
}

/** What a kernel covers is laid side by side for each point; then each point is worked on by itself. */
function convolution(
  loops: Kernel,
  from: Tensor,
  weights: Float32Array,
  bias: Float32Array,
  to: Tensor,
  kernel: Plane,
  stride: number,
) {
  const { channels } = from.shape
  const room = roomAround(loops, from, to.shape, kernel, stride)
  const row = kernel.width * channels
  const size = kernel.height * row
  const points = to.shape.height * to.shape.width
  const patches: Tensor = {
    values: loops.room(points * size),
    shape: { height: to.shape.height, width: to.shape.width, channels: size },
  }
  const mix = mixChannels(loops, patches, weights, bias, to)
  return () => {
    room.fill()
    for (let point = 0; point < points; point++) {
      const [down, across] = [Math.floor(point / to.shape.width), point % to.shape.width]
      for (let i = 0; i < kernel.height; i++) {
        const at = ((down * stride + i) * room.wide + across * stride) * channels
        for (let j = 0; j < row; j++) patches.values[point * size + i * row + j] = room.values[at + j]!
      }
    }
    mix()
  }
}

/** Every channel with a kernel of its own, of three by three points. */
function channelByChannel(
  loops: Kernel,
  from: Tensor,
  w: Float32Array,
  bias: Float32Array,
  to: Tensor,
  kernel: Plane,
  stride: number,
) {
  if (kernel.height !== 3 || kernel.width !== 3) throw new Error('A kernel of a network is not three by three.')
  const room = roomAround(loops, from, to.shape, kernel, stride)
  const { channels, height, width } = to.shape
  if (channels % 4 !== 0) throw new Error('The channels of a network are no multiple of four.')
  const size = Float32Array.BYTES_PER_ELEMENT * channels
  const below = room.wide * size
  return () => {
    room.fill()
    let y = to.values.byteOffset
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++, y += size) {
        const x = room.values.byteOffset + row * stride * below + column * stride * size
        loops.cover(x, w.byteOffset, bias.byteOffset, y, channels, below)
      }
  }
}

function add(one: Float32Array, other: Float32Array, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = one[i]! + other[i]!
}

function withoutNegatives(from: Float32Array, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = from[i]! > 0 ? from[i]! : 0
}

/** Of two by two points the greatest. */
function halve({ values: x, shape: { width, channels } }: Tensor, { values: y, shape }: Tensor): void {
  const below = width * channels
  let at = 0
  for (let row = 0; row < shape.height; row++)
    for (let column = 0; column < shape.width; column++) {
      const from = (2 * row * width + 2 * column) * channels
      for (let i = from; i < from + channels; i++)
        y[at++] = Math.max(x[i]!, x[i + channels]!, x[i + below]!, x[i + below + channels]!)
    }
}

/** Twice as large each way; the middles of points stay where they are. */
function double({ values: x, shape: { height, width, channels } }: Tensor, { values: y, shape }: Tensor): void {
  const between = (place: number, length: number) => {
    const at = Math.max(0, (place + 0.5) / 2 - 0.5)
    const first = Math.min(length - 1, Math.floor(at))
    return { first, next: Math.min(length - 1, first + 1), share: at - first }
  }
  const columns = Array.from({ length: shape.width }, (_, column) => between(column, width))
  let at = 0
  for (let row = 0; row < shape.height; row++) {
    const r = between(row, height)
    for (const c of columns) {
      const upper = (r.first * width + c.first) * channels
      const right = (c.next - c.first) * channels
      const below = (r.next - r.first) * width * channels
      for (let i = upper; i < upper + channels; i++) {
        const top = x[i]! + (x[i + right]! - x[i]!) * c.share
        const bottom = x[i + below]! + (x[i + below + right]! - x[i + below]!) * c.share
        y[at++] = top + (bottom - top) * r.share
      }
    }
  }
}

/** More channels, the new ones empty. */
function addChannels({ values: x, shape: { channels } }: Tensor, { values: y, shape }: Tensor): void {
  for (let from = 0, at = 0; from < x.length; from += channels, at += shape.channels)
    y.set(x.subarray(from, from + channels), at)
}
