/** How much louder a voice has become by being cleaned, found while it is played. */

/** The power of a stretch of sound before and after the cleaner, as sums of squares. */
export type Powers = { before: number; after: number }

/** Sums up squares, without the rumble that ears and loudness meters hardly count. */
export const powerMeter = (rate: number) => {
  const keeps = Math.exp((-2 * Math.PI * 150) / rate)
  let [sum, last, high] = [0, 0, 0]
  return {
    take: (samples: Float32Array): void => {
      for (const sample of samples) {
        high = keeps * (high + sample - last)
        last = sample
        sum += high * high
      }
    },
    /** What came since it was asked last. */
    spent: (): number => {
      const all = sum
      sum = 0
      return all
    },
  }
}

/** What is heard before anything is said of it: so many stretches, two seconds; and the power of one that is no pause, about −55 dB. */
const least = { stretches: 5, power: 0.05 } as const

/**
 * Decibels by which what went through the cleaner is louder, 0 until enough was heard. Of each stretch the power counts, so pauses
 * hardly do.
 */
export class CleanedLevel {
  #before = 0
  #after = 0
  #heard = 0

  take({ before, after }: Powers): void {
    // A pause tells nothing, nor does what the cleaner, which is behind by a moment, holds back.
    if (before < least.power || after < least.power) return
    this.#before += before
    this.#after += after
    this.#heard++
  }

  louder(): number {
    return this.#heard < least.stretches ? 0 : 10 * Math.log10(this.#after / this.#before)
  }
}
