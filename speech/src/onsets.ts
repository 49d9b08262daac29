/**
 * Where a word really begins. The acoustic model sees slices of 26 ms and thinks in states; within some hundredths of a
 * second of its answer the sound itself tells more: it changes most where one word becomes the next, an S begins where
 * the hiss rises, and nothing voiced begins in a closed mouth's silence.
 */
export type Onset = {
  /** As the recogniser has it, ms. */
  at: number
  /** It cannot lie outside of these, ms. */
  from: number
  to: number
  /** The word's first phone. */
  phone: string
}

const rate = 16_000
/** ms between two looks. */
const step = 5
const size = 256
const edges = [100, 300, 500, 750, 1000, 1350, 1750, 2200, 2800, 3500, 4500, 6000, 7800]
const [voiceBands, hissBands] = [
  [1, 9],
  [9, 12],
] as const

/** How far the change may pull (a weight's width), how far it may look, and how much of each side it hears; ms. */
const pull = 20
const reach = 80
const side = 25

/** The onset in whole ms. */
export function refineOnset(samples: Int16Array, { at, from, to, phone }: Onset): number {
  const look = looking(samples, Math.max(0, at - 140), at + 240)
  const inside = (ms: number) => ms >= from && ms <= to
  if (/^(S|Z|SH)$/.test(phone)) {
    const risen = hissRise(look, at - 100, at + 120)
    if (risen !== undefined && inside(risen) && Math.abs(risen - at) <= 120) return risen
  }
  if (/^([AEIOU].|W|Y|L|R|ER)$/.test(phone)) {
    const opened = opening(look, at)
    if (opened !== undefined && inside(opened)) return opened
  }
  let best = at
  let most = -1
  for (let ms = Math.max(from, at - reach); ms <= Math.min(to, at + reach); ms += step) {
    const weight = Math.exp(-((ms - at) ** 2) / (2 * pull * pull))
    const change = look.change(ms) * weight
    if (change > most) [best, most] = [ms, change]
  }
  return Math.round(best)
}

type Look = ReturnType<typeof looking>

/** The bands' energies, dB, over [start, end) of the recording, by the ms. */
function looking(samples: Int16Array, start: number, end: number) {
  const first = Math.floor(start / step)
  const count = Math.ceil(end / step) - first
  const rows = Array.from({ length: count }, (_, i) => bands(samples, ((first + i) * step * rate) / 1000))
  const row = (ms: number) => rows[Math.min(count - 1, Math.max(0, Math.round(ms / step) - first))]!
  const sum = (ms: number, [low, high]: readonly [number, number]) =>
    10 *
    Math.log10(
      row(ms)
        .slice(low, high)
        .reduce((total, db) => total + 10 ** (db / 10), 0),
    )
  return {
    voice: (ms: number) => sum(ms, voiceBands),
    hiss: (ms: number) => sum(ms, hissBands),
    /** How different the sound is after a moment from before it, dB on average. */
    change(ms: number): number {
      const mean = (from: number) => {
        const total = Array<number>(edges.length - 1).fill(0)
        for (let at = from; at < from + side; at += step) row(at).forEach((db, i) => (total[i]! += db))
        return total.map((db) => db / (side / step))
      }
      const [before, after] = [mean(ms - side), mean(ms)]
      return before.reduce((total, db, i) => total + Math.abs(db - after[i]!), 0) / before.length
    },
  }
}

/** Where the hiss has come half-way up to its height. */
function hissRise(look: Look, start: number, end: number): number | undefined {
  let peak = start
  for (let ms = start; ms < end; ms += step) if (look.hiss(ms) > look.hiss(peak)) peak = ms
  let low = Infinity
  for (let ms = start; ms <= peak; ms += step) low = Math.min(low, look.hiss(ms))
  if (look.hiss(peak) - low < 8) return undefined
  const half = (look.hiss(peak) + low) / 2
  let ms = peak
  while (ms > start && look.hiss(ms - step) > half) ms -= step
  return Math.round(ms)
}

/** Where the voice comes in, if the recogniser's onset lies in the silence of a closed mouth. */
function opening(look: Look, at: number): number | undefined {
  let peak = -Infinity
  for (let ms = at; ms < at + 200; ms += step) peak = Math.max(peak, look.voice(ms))
  const open = (ms: number) => look.voice(ms) > peak - 20
  if (open(at) || open(at + step) || open(at + 2 * step)) return undefined
  for (let ms = at + 3 * step; ms < at + 120; ms += step) if (open(ms)) return Math.round(ms)
  return undefined
}

const window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (size - 1)))

function bands(samples: Int16Array, middle: number): number[] {
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  for (let i = 0; i < size; i++) real[i] = (samples[middle - size / 2 + i] ?? 0) * window[i]!
  transform(real, imaginary)
  return edges.slice(1).map((high, band) => {
    const [from, to] = [Math.ceil((edges[band]! * size) / rate), Math.ceil((high * size) / rate)]
    let power = 0
    for (let i = from; i < to; i++) power += real[i]! ** 2 + imaginary[i]! ** 2
    return 10 * Math.log10(power / (to - from) + 1000)
  })
}

const turns = {
  cos: Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((-2 * Math.PI * k) / size)),
  sin: Float64Array.from({ length: size / 2 }, (_, k) => Math.sin((-2 * Math.PI * k) / size)),
}

/** Fast Fourier transform of `size` numbers in place. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const n = real.length
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[real[i], real[j]] = [real[j]!, real[i]!]
      ;[imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!]
    }
  }
  for (let length = 2; length <= n; length <<= 1) {
    const half = length >> 1
    for (let k = 0; k < half; k++) {
      // The turns of a shorter transform are among those of the whole.
      const [cos, sin] = [turns.cos[(k * n) / length]!, turns.sin[(k * n) / length]!]
      for (let i = k; i < n; i += length) {
        const [a, b] = [real[i + half]!, imaginary[i + half]!]
        const [x, y] = [a * cos - b * sin, a * sin + b * cos]
        real[i + half] = real[i]! - x
        imaginary[i + half] = imaginary[i]! - y
        real[i]! += x
        imaginary[i]! += y
      }
    }
  }
}
