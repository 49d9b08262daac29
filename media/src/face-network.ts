import type { Model, Shape, Step } from './face-model.ts'

/**
 * Runs a network of `face-model.ts` in plain JavaScript. Pictures and what becomes of them lie row by row, the channels of
 * a point beside each other.
 */
export type Network = {
  /** How many values go in. */
  size: number
  /** The outputs, in their order; they are overwritten by the next run. */
  run: (input: Float32Array) => Float32Array[]
}

export function networkOf(model: Model): Network {
  const sizeOf = (shape: Shape) => shape.reduce((product, side) => product * side, 1)
  const values = model.shapes.map((shape, place) => model.weights.get(place) ?? new Float32Array(sizeOf(shape)))
  const of = (place: number | undefined) => ({
    values: values[place ?? -1]!,
    shape: planeOf(model.shapes[place ?? -1]!),
  })
  const work = model.steps.map((step) => workOf(step, step.from.map(of), of(step.to), model.shapes[step.from[1] ?? -1]))
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

function workOf(step: Step, from: readonly Tensor[], to: Tensor, kernel: Shape | undefined): () => void {
  const [one, other, third] = from as [Tensor, Tensor, Tensor]
  switch (step.kind) {
    case 'conv':
      return kernel?.[0] === 1 && step.stride === 1
        ? () => mixChannels(one, other.values, third.values, to)
        : convolution(one, other.values, third.values, to, planeOf(kernel!), step.stride)
    case 'depthwise':
      return channelByChannel(one, other.values, third.values, to, planeOf(kernel!), step.stride)
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

/** Each point by itself: most of the work. Two points and four outputs at a time, so that what was read is used again. */
function mixChannels(from: Tensor, weights: Float32Array, bias: Float32Array, to: Tensor): void {
  const [x, y] = [from.values, to.values]
  const ins = from.shape.channels
  const outs = to.shape.channels
  const points = to.shape.height * to.shape.width
  let point = 0
  for (; point + 2 <= points; point += 2) {
    const first = point * ins
    const second = first + ins
    let out = 0
    for (; out + 4 <= outs; out += 4) {
      let [a, b, c, d] = [bias[out]!, bias[out + 1]!, bias[out + 2]!, bias[out + 3]!]
      let [e, f, g, h] = [a, b, c, d]
      const k = out * ins
      const l = k + ins
      const m = l + ins
      const n = m + ins
      for (let i = 0; i < ins; i++) {
        const u = x[first + i]!
        const v = x[second + i]!
        const p = weights[k + i]!
        const q = weights[l + i]!
        const r = weights[m + i]!
        const s = weights[n + i]!
        a += u * p
        b += u * q
        c += u * r
        d += u * s
        e += v * p
        f += v * q
        g += v * r
        h += v * s
      }
      const at = point * outs + out
      y[at] = a
      y[at + 1] = b
      y[at + 2] = c
      y[at + 3] = d
      y[at + outs] = e
      y[at + outs + 1] = f
      y[at + outs + 2] = g
      y[at + outs + 3] = h
    }
    for (; out < outs; out++) {
      y[point * outs + out] = dot(x, first, weights, out * ins, ins, bias[out]!)
      y[(point + 1) * outs + out] = dot(x, second, weights, out * ins, ins, bias[out]!)
    }
  }
  for (; point < points; point++)
    for (let out = 0; out < outs; out++)
      y[point * outs + out] = dot(x, point * ins, weights, out * ins, ins, bias[out]!)
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
function roomAround({ values, shape: { height, width, channels } }: Tensor, to: Plane, kernel: Plane, stride: number) {
  const before = (from: number, points: number, side: number) =>
    Math.floor(Math.max(0, (points - 1) * stride + side - from) / 2)
  const above = before(height, to.height, kernel.height)
  const left = before(width, to.width, kernel.width)
  const wide = Math.max(left + width, (to.width - 1) * stride + kernel.width)
  const high = Math.max(above + height, (to.height - 1) * stride + kernel.height)
  const roomy = new Float32Array(high * wide * channels)
  const line = width * channels
  const fill = () => {
    for (let row = 0; row < height; row++)
      roomy.set(values.subarray(row * line, (row + 1) * line), ((row + above) * wide + left) * channels)
  }
  return { values: roomy, wide, fill }
}

/** What a kernel covers is laid side by side for each point; then each point is worked on by itself. */
function convolution(
  from: Tensor,
  weights: Float32Array,
  bias: Float32Array,
  to: Tensor,
  kernel: Plane,
  stride: number,
) {
  const { channels } = from.shape
  const room = roomAround(from, to.shape, kernel, stride)
  const row = kernel.width * channels
  const size = kernel.height * row
  const points = to.shape.height * to.shape.width
  const patches: Tensor = {
    values: new Float32Array(points * size),
    shape: { height: to.shape.height, width: to.shape.width, channels: size },
  }
  return () => {
    room.fill()
    for (let point = 0; point < points; point++) {
      const [down, across] = [Math.floor(point / to.shape.width), point % to.shape.width]
      for (let i = 0; i < kernel.height; i++) {
        const at = ((down * stride + i) * room.wide + across * stride) * channels
        for (let j = 0; j < row; j++) patches.values[point * size + i * row + j] = room.values[at + j]!
      }
    }
    mixChannels(patches, weights, bias, to)
  }
}

/** Every channel with a kernel of its own, of three by three points. */
function channelByChannel(
  from: Tensor,
  w: Float32Array,
  bias: Float32Array,
  to: Tensor,
  kernel: Plane,
  stride: number,
) {
  if (kernel.height !== 3 || kernel.width !== 3) throw new Error('A kernel of a network is not three by three.')
  const room = roomAround(from, to.shape, kernel, stride)
  const { channels: c, height, width } = to.shape
  const x = room.values
  const y = to.values
  const below = room.wide * c
  return () => {
    room.fill()
    let at = 0
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        let k = (row * stride * room.wide + column * stride) * c
        for (let i = 0; i < c; i++, k++) {
          const m = k + below
          const n = m + below
          const upper = x[k]! * w[i]! + x[k + c]! * w[i + c]! + x[k + 2 * c]! * w[i + 2 * c]!
          const mid = x[m]! * w[i + 3 * c]! + x[m + c]! * w[i + 4 * c]! + x[m + 2 * c]! * w[i + 5 * c]!
          const lower = x[n]! * w[i + 6 * c]! + x[n + c]! * w[i + 7 * c]! + x[n + 2 * c]! * w[i + 8 * c]!
          y[at++] = bias[i]! + upper + mid + lower
        }
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
