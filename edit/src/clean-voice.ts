/**
 * The voice made clean, in this order: rumble out (high-pass), noise down, sharp s down, loud words gently lowered. One
 * program for both places: the browser's preview runs it in an audio worklet, the render over the decoded sound. It looks
 * at the sound in overlapping slices and only ever lowers what it hears there, so it can add nothing of its own.
 */

export const cleanSteps = ['rumble', 'noise', 'sharpness', 'level'] as const
export type CleanStep = (typeof cleanSteps)[number]

export type VoiceCleaner = {
  /** Changes the samples in place, −1 to 1, both channels as long as each other; they come out `delay` samples later. */
  process: (left: Float32Array, right: Float32Array) => void
  /** Listens without an answer, so that the room's noise is known before the first word. */
  learn: (left: Float32Array, right: Float32Array) => void
  /** Samples between what goes in and comes out. */
  delay: number
}

/** A change of it means another sound from the same recipe. */
export const cleanVersion = 1

const rumbleHz = 80
/** Noise goes down by no more, in dB: what is left hides what a deeper cut would let be heard. */
const mostNoise = 14
/** Where an s lies, and how much of a slice's power may lie there before it is lowered, by at most so many dB. */
const sharpHz = 5000
const sharpShare = 0.4
const mostSharp = 6
/** Above what is usual for this voice, two decibels become one. */
const ratio = 2

/** A cleaner for sound of so many samples a second; what it has heard it keeps. `steps`: only these of its steps. */
export const voiceCleaner = (rate: number, steps: readonly CleanStep[] = cleanSteps): VoiceCleaner => {
  const [hasRumble, hasNoise, hasSharpness, hasLevel] = cleanSteps.map((step) => steps.includes(step))
  // About 21 ms, four of them over each moment.
  const size = 2 ** Math.round(Math.log2(rate / 46))
  const hop = size / 4
  const half = size / 2
  const window = Float64Array.from({ length: size }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / size))
  const fft = transform(size)
  const [rumbleLeft, rumbleRight] = [highPass(rumbleHz, rate), highPass(rumbleHz, rate)]
  const room = roomNoise(half + 1, rate / hop)
  const loudness = level(rate / hop)
  const [inLeft, inRight] = [new Float64Array(size), new Float64Array(size)]
  const [outLeft, outRight] = [new Float64Array(size), new Float64Array(size)]
  const [re, im] = [new Float64Array(size), new Float64Array(size)]
  const [power, gains, before] = [new Float64Array(half + 1), new Float64Array(half + 1), new Float64Array(half + 1)]
  const sharpFrom = Math.round((sharpHz * size) / rate)
  const least = 10 ** (-mostNoise / 20)
  let sharpness = 1
  let filled = 0

  const slice = (isHeard: boolean) => {
    // Both channels in one transform: one real, the other imaginary.
    for (let i = 0; i < size; i++) {
      re[i] = inLeft[i]! * window[i]!
      im[i] = inRight[i]! * window[i]!
    }
    fft(re, im)
    for (let k = 0; k <= half; k++) {
      const other = (size - k) % size
      power[k] = (re[k]! ** 2 + im[k]! ** 2 + re[other]! ** 2 + im[other]! ** 2) / 2
    }
    const noise = room(power)
    if (!isHeard) return
    let [all, sharp, quiet] = [0, 0, 0]
    for (let k = 0; k <= half; k++) {
      let gain = 1
      if (hasNoise && noise[k]! > 0) {
        // How far the voice stands over the noise: by what was found a slice ago, and a little by this one. Otherwise
        // single peaks of the noise would come through and ring.
        const over = Math.max(0, power[k]! / noise[k]! - 1)
        const ahead = 0.96 * (before[k]! / noise[k]!) + 0.04 * over
        gain = Math.max(least, ahead / (1 + ahead))
      }
      gains[k] = gain
      const left = gain * gain * power[k]!
      before[k] = left
      all += left
      quiet += noise[k]!
      if (k >= sharpFrom) sharp += left
    }
    if (hasSharpness) {
      const share = all > 0 ? sharp / all : 0
      const isVoice = all > 4 * quiet
      const goal = isVoice && share > sharpShare ? Math.max(10 ** (-mostSharp / 20), Math.sqrt(sharpShare / share)) : 1
      sharpness += (goal - sharpness) * (goal < sharpness ? 0.5 : 0.15)
      for (let k = sharpFrom; k <= half; k++) gains[k]! *= sharpness
    }
    const lowered = hasLevel ? loudness(all, quiet) : 1
    for (let k = 0; k <= half; k++) {
      const gain = gains[k]! * lowered
      re[k]! *= gain
      im[k]! *= gain
      const other = size - k
      if (k > 0 && k < half) {
        re[other]! *= gain
        im[other]! *= gain
      }
    }
    fft(im, re)
    // Four windows, squared, add up to two over each moment.
    for (let i = 0; i < size; i++) {
      outLeft[i]! += (re[i]! * window[i]!) / (2 * size)
      outRight[i]! += (im[i]! * window[i]!) / (2 * size)
    }
  }

  const run = (left: Float32Array, right: Float32Array, isHeard: boolean) => {
    for (let i = 0; i < left.length; i++) {
      const at = size - hop + filled
      inLeft[at] = hasRumble ? rumbleLeft(left[i]!) : left[i]!
      inRight[at] = hasRumble ? rumbleRight(right[i]!) : right[i]!
      if (isHeard) {
        left[i] = outLeft[filled]!
        right[i] = outRight[filled]!
      }
      if (++filled < hop) continue
      filled = 0
      outLeft.copyWithin(0, hop).fill(0, size - hop)
      outRight.copyWithin(0, hop).fill(0, size - hop)
      slice(isHeard)
      inLeft.copyWithin(0, hop)
      inRight.copyWithin(0, hop)
    }
  }
  return {
    process: (left, right) => run(left, right, true),
    learn: (left, right) => run(left.slice(), right.slice(), false),
    delay: size,
  }
}

/** A second-order high-pass after Butterworth. */
const highPass = (hz: number, rate: number): ((sample: number) => number) => {
  const turn = (2 * Math.PI * hz) / rate
  const alpha = Math.sin(turn) / Math.SQRT2
  const scale = 1 + alpha
  const [b, a1, a2] = [(1 + Math.cos(turn)) / 2 / scale, (-2 * Math.cos(turn)) / scale, (1 - alpha) / scale]
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return (x) => {
    const y = b * (x - 2 * x1 + x2) - a1 * y1 - a2 * y2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    return y
  }
}

/**
 * What the room sounds like without a voice: in each band the least power of the last second and a half, for nobody
 * speaks so long in every band. Least is less than usual; what it is multiplied by was measured on steady noise.
 */
const roomNoise = (bands: number, slicesPerSecond: number): ((power: Float64Array) => Float64Array) => {
  const usual = 2.6
  const stretch = Math.max(1, Math.round(0.25 * slicesPerSecond))
  const stretches: Float64Array[] = []
  const smooth = new Float64Array(bands)
  const noise = new Float64Array(bands)
  /** The least of the stretches that are over. */
  const before = new Float64Array(bands).fill(Infinity)
  let now = new Float64Array(bands).fill(Infinity)
  let count = 0
  return (power) => {
    const isFirst = count === 0 && stretches.length === 0
    // Whoever begins with a word has no quiet moment to go by yet.
    const isKnown = stretches.length > 1
    for (let k = 0; k < bands; k++) {
      const value = isFirst ? power[k]! : 0.85 * smooth[k]! + 0.15 * power[k]!
      smooth[k] = value
      if (value < now[k]!) now[k] = value
      noise[k] = isKnown ? usual * (now[k]! < before[k]! ? now[k]! : before[k]!) : 0
    }
    if (++count >= stretch) {
      count = 0
      stretches.push(now)
      if (stretches.length > 6) stretches.shift()
      now = new Float64Array(bands).fill(Infinity)
      for (let k = 0; k < bands; k++) before[k] = Math.min(...stretches.map((one) => one[k]!))
    }
    return noise
  }
}

/** How much a slice is lowered: by half of what it is above what this voice usually has, in decibels. */
const level = (slicesPerSecond: number): ((all: number, quiet: number) => number) => {
  const slowly = 1 / (2 * slicesPerSecond)
  let usual = 0
  let over = 0
  return (all, quiet) => {
    if (all > 4 * quiet && all > 0) usual += usual === 0 ? all : (all - usual) * slowly
    const above = usual > 0 && all > usual ? 10 * Math.log10(all / usual) : 0
    const goal = above * (1 - 1 / ratio)
    // Down within a hundredth of a second, up again within a sixth.
    const within = goal > over ? 0.01 : 0.16
    over += (goal - over) * (1 - Math.exp(-1 / (within * slicesPerSecond)))
    return 10 ** (-over / 20)
  }
}

/** The discrete Fourier transform of `size` points, a power of two, in place; with its arguments swapped, its inverse times `size`. */
const transform = (size: number): ((re: Float64Array, im: Float64Array) => void) => {
  const cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sin = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  const bits = Math.log2(size)
  const mirrored = Uint32Array.from({ length: size }, (_, i) => {
    let turned = 0
    for (let bit = 0; bit < bits; bit++) turned |= ((i >> bit) & 1) << (bits - 1 - bit)
    return turned
  })
  return (re, im) => {
    for (let i = 0; i < size; i++) {
      const j = mirrored[i]!
      if (j <= i) continue
      const x = re[i]!
      const y = im[i]!
      re[i] = re[j]!
      im[i] = im[j]!
      re[j] = x
      im[j] = y
    }
    for (let long = 2; long <= size; long *= 2) {
      const mid = long / 2
      const step = size / long
      for (let start = 0; start < size; start += long) {
        for (let i = 0; i < mid; i++) {
          const a = start + i
          const b = a + mid
          const c = cos[i * step]!
          const s = sin[i * step]!
          const x = re[b]! * c + im[b]! * s
          const y = im[b]! * c - re[b]! * s
          re[b] = re[a]! - x
          im[b] = im[a]! - y
          re[a]! += x
          im[a]! += y
        }
      }
    }
  }
}
