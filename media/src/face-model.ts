/**
 * Reads a trained network from a TensorFlow Lite file: its steps and its weights. Only what the detector of faces is made
 * of (docs/decisions/0438); every other step is refused by an Error.
 */

/** Height, width and channels; of weights also the outputs. All of one picture: the first number of a tensor is 1. */
export type Shape = readonly number[]

/** One step: from the tensors `from` to the tensor `to`, by their places in `shapes`. */
export type Step = { from: readonly number[]; to: number } & (
  | { kind: 'conv' | 'depthwise'; stride: number }
  | { kind: 'add' | 'relu' | 'half' | 'double' | 'channels' | 'same' }
)

export type Model = {
  shapes: readonly Shape[]
  /** The values of those tensors that are trained, by their place. */
  weights: ReadonlyMap<number, Float32Array>
  steps: readonly Step[]
  input: number
  outputs: readonly number[]
}

/** The file's numbers of its operators. */
const operators: Record<number, Step['kind'] | 'widen'> = {
  0: 'add',
  3: 'conv',
  4: 'depthwise',
  6: 'widen',
  17: 'half',
  19: 'relu',
  22: 'same',
  23: 'double',
  34: 'channels',
}

/** The file's numbers of types: full floats and half ones, and whole numbers that only say how a step is done. */
const types = { float32: 0, float16: 1 } as const

export function readModel(file: Buffer): Model {
  const table = tables(file)
  const model = table.at(0)
  const codes = model.tables(1).map((code) => code.byte(0))
  const [graph] = model.tables(2)
  if (!graph) throw new Error('This file holds no network.')
  const buffers = model.tables(4)
  const tensors = graph.tables(0).map((one) => ({ shape: one.ints(0), type: one.byte(1), buffer: one.int(2) }))
  const weights = new Map<number, Float32Array>()
  tensors.forEach(({ type, buffer }, place) => {
    const bytes = buffers[buffer]?.bytes(0)
    if (bytes && bytes.length > 0 && type === types.float32) weights.set(place, floats(bytes))
    if (bytes && bytes.length > 0 && type === types.float16) weights.set(place, halves(bytes))
  })
  const steps: Step[] = []
  for (const one of graph.tables(3)) {
    const code = codes[one.int(0)] ?? -1
    const kind = operators[code]
    const [from, [to]] = [one.ints(1), one.ints(2)]
    if (kind === undefined || to === undefined) throw new Error(`Step ${code} of a network is none that is known here.`)
    if (kind === 'widen') {
      // Half floats are widened once, while reading.
      const narrow = weights.get(from[0] ?? -1)
      if (narrow) weights.set(to, narrow)
    } else if (kind === 'conv' || kind === 'depthwise') {
      steps.push({ kind, from, to, stride: one.table(4).byte(1) })
    } else steps.push({ kind, from, to })
  }
  const [input] = graph.ints(1)
  if (input === undefined) throw new Error('This network takes nothing in.')
  return { shapes: tensors.map(({ shape }) => shape.slice(1)), weights, steps, input, outputs: graph.ints(2) }
}

function floats(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
}

function halves(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => half(bytes.readUInt16LE(2 * i)))
}

/** A float of 16 bits: a sign, five bits of exponent, ten of fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) throw new Error('A weight of a network is no number.')
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/**
 * The tables of a FlatBuffers file: fields by their number, each behind an offset; a field that is not there is 0 or empty.
 * A place outside of the file throws a RangeError.
 */
function tables(file: Buffer) {
  const follow = (place: number) => place + file.readUInt32LE(place)
  const open = (start: number) => {
    const index = start - file.readInt32LE(start)
    const size = file.readUInt16LE(index)
    /** Where a field is; 0 where it is missing. */
    const field = (number: number) => {
      const offset = 4 + 2 * number < size ? file.readUInt16LE(index + 4 + 2 * number) : 0
      return offset && start + offset
    }
    const list = (number: number) => {
      const place = field(number)
      const first = place && follow(place)
      return { length: place && file.readUInt32LE(first), first: first + 4 }
    }
    return {
      byte: (number: number): number => (field(number) ? file.readInt8(field(number)) : 0),
      int: (number: number): number => (field(number) ? file.readUInt32LE(field(number)) : 0),
      ints: (number: number): number[] => {
        const { length, first } = list(number)
        return Array.from({ length }, (_, i) => file.readInt32LE(first + 4 * i))
      },
      bytes: (number: number): Buffer => {
        const { length, first } = list(number)
        return file.subarray(first, first + length)
      },
      table: (number: number): Table => open(follow(field(number))),
      tables: (number: number): Table[] => {
        const { length, first } = list(number)
        return Array.from({ length }, (_, i) => open(follow(first + 4 * i)))
      },
    }
  }
  type Table = {
    byte: (number: number) => number
    int: (number: number) => number
    ints: (number: number) => number[]
    bytes: (number: number) => Buffer
    table: (number: number) => Table
    tables: (number: number) => Table[]
  }
  return { at: (place: number): Table => open(follow(place)) }
}
