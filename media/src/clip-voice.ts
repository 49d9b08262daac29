import { dice } from './clip-paint.ts'

/** `syllables` are the moments the mouth is open, in seconds; `samples` are 16-bit mono at `rate`. */
export type Voice = { rate: number; samples: Buffer; syllables: [from: number, to: number][] }

const rate = 24_000
/** First and second formant in Hz of a few vowels. */
const vowels = [
  [700, 1150],
  [480, 1750],
  [320, 2200],
  [500, 950],
  [350, 900],
  [600, 1500],
] as const

/**
 * Something that sounds like a person talking next door: a voice's pulse through two resonances, in syllables, words
 * and sentences with breaths between them. No words, but everything that listens to loudness hears speech.
 */
export function murmur(seconds: number, seed: number, pauses: readonly (readonly [number, number])[] = []): Voice {
  const random = dice(seed)
  const sound = new Float64Array(Math.ceil(seconds * rate))
  const syllables: Voice['syllables'] = []
  const pitch = 105 + 95 * random()
  for (let i = 0; i < sound.length; i++) sound[i] = 0.0012 * (random() - 0.5)
  for (let at = 0.35; at < seconds - 0.9; at += 0.35 + 0.4 * random()) {
    const words = 4 + Math.floor(4 * random())
    for (let word = 0; word < words && at < seconds - 0.9; word++) {
      const count = 1 + Math.floor(2.6 * random())
      for (let i = 0; i < count && at < seconds - 0.6; i++) {
        const lasts = 0.11 + 0.09 * random()
        const pause = pauses.find(([from, to]) => at + lasts > from && at < to)
        if (pause) at = pause[1]
        const tone = pitch * (1.12 - 0.22 * (word / words) + 0.06 * (random() - 0.5))
        sing(
          sound,
          at,
          lasts,
          tone,
          vowels[Math.floor(random() * vowels.length)] ?? [500, 1500],
          0.75 + 0.25 * random(),
        )
        syllables.push([round(at + 0.02), round(at + lasts - 0.02)])
        at += lasts + 0.02
      }
      at += 0.05 + 0.05 * random()
    }
  }
  const samples = Buffer.alloc(sound.length * 2)
  for (const [i, value] of sound.entries()) samples.writeInt16LE(Math.round(32_767 * Math.tanh(value)), i * 2)
  return { rate, samples, syllables }
}

function sing(
  into: Float64Array,
  at: number,
  lasts: number,
  tone: number,
  vowel: readonly [number, number],
  loud: number,
) {
  const from = Math.round(at * rate)
  const length = Math.round(lasts * rate)
  const filters = [resonance(vowel[0], 90), resonance(vowel[1], 130)] as const
  let phase = 0
  for (let i = 0; i < length && from + i < into.length; i++) {
    phase += (tone * (1 - (0.05 * i) / length)) / rate
    // One period of a voice: open for a little more than half of it, closing faster than it opened.
    const turn = phase % 1
    const pulse =
      turn < 0.4 ? Math.sin((Math.PI * turn) / 0.8) ** 2 : turn < 0.56 ? Math.cos((Math.PI * (turn - 0.4)) / 0.32) : 0
    const shape = Math.min(1, i / (0.03 * rate), (length - i) / (0.06 * rate)) * (1 - (0.45 * i) / length)
    into[from + i] =
      (into[from + i] ?? 0) + 0.13 * loud * shape * (filters[0](pulse - 0.3) + 0.5 * filters[1](pulse - 0.3))
  }
}

/** A two-pole filter that rings at one frequency, with a gain of about 1 there. */
function resonance(frequency: number, width: number): (input: number) => number {
  const r = Math.exp((-Math.PI * width) / rate)
  const a = 2 * r * Math.cos((2 * Math.PI * frequency) / rate)
  const gain = (1 - r) * 14
  let one = 0
  let two = 0
  return (input) => {
    const output = gain * input + a * one - r * r * two
    two = one
    one = output
    return output
  }
}

function round(time: number): number {
  return Math.round(time * 1000) / 1000
}
