import { inPieces } from './rest.ts'

/**
 * Sound as those who listen to speech know it. Noise suppression and joined recordings leave digital silence between the
 * words, which no room has: the recogniser measures a voice against what is around it, and does not hear the tries that
 * were given up. So digital silence gets the hiss of a quiet room, fifty decibels below the voice, and a voice that is very
 * quiet is raised first. What a room or a microphone has left of its own stays as it is, and no sample moves.
 */
export async function withRoomNoise(samples: Int16Array): Promise<Int16Array> {
  const powers = await powersOf(samples)
  const voice = Math.sqrt(powers.toSorted()[Math.floor(0.95 * (powers.length - 1))] ?? 0)
  // Where nothing at all is heard, there is nothing to listen to.
  if (voice < 1) return samples
  const gain = voice < quiet ? Math.min(mostGain, aim / voice) : 1
  const hiss = noise((voice * gain) / below)
  const heard = new Int16Array(samples.length)
  await inPieces(samples.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const isStill = powers[Math.min(powers.length - 1, Math.floor(i / slice))]! < still
      heard[i] = Math.max(-32_768, Math.min(32_767, Math.round(samples[i]! * gain + (isStill ? hiss() : 0))))
    }
  })
  return heard
}

/** Samples in 10 ms. */
const slice = 160
/** A mean square below which 10 ms are digitally silent: 84 dB below full scale. */
const still = 4
/** As a factor, 50 dB. */
const below = 316
/** A voice below 38 dB under full scale is raised to 26, thirtyfold at most. */
const [quiet, aim, mostGain] = [412, 1640, 30]

/** The mean square of every 10 ms. */
async function powersOf(samples: Int16Array): Promise<Float64Array> {
  const powers = new Float64Array(Math.max(1, Math.floor(samples.length / slice)))
  await inPieces(powers.length * slice, (from, to) => {
    for (let n = from / slice; n < to / slice; n++)
      for (let i = n * slice; i < Math.min(samples.length, (n + 1) * slice); i++) powers[n]! += samples[i]! ** 2 / slice
  })
  return powers
}

/** The same noise for every recording, so that its words are found alike each time: the sum of three even throws. */
function noise(root: number): () => number {
  let seed = 1
  const even = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32 - 0.5
  }
  // Each throw has a variance of 1/12.
  return () => (even() + even() + even()) * 2 * root
}
