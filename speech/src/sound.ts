import { inPieces } from './rest.ts'
import type { Silence } from './transcript.ts'

/** Loudness in slices of 10 ms, in dB below full scale, each over 20 ms. */
export type Levels = { db: Float32Array; /** Below this nobody speaks. */ quiet: number }

const rate = 16_000
const hop = rate / 100
/** No room is as still as this, dB below full scale. */
const dead = -85

/** How loud a recording is over its time, and where between its noise and its voice the line lies. */
export async function levelsOf(samples: Int16Array): Promise<Levels> {
  const count = Math.floor(samples.length / hop)
  const db = new Float32Array(count)
  await inPieces(count * hop, (begin, end) => {
    for (let slice = begin / hop; slice < end / hop; slice++) {
      const from = Math.max(0, slice * hop - hop / 2)
      const to = Math.min(samples.length, from + 2 * hop)
      let power = 0
      // The first difference takes away hum and the rumble of a hand on the phone.
      for (let i = from + 1; i < to; i++) power += (samples[i]! - 0.97 * samples[i - 1]!) ** 2
      db[slice] = 10 * Math.log10(power / (to - from) / 32_768 ** 2 + 1e-9)
    }
  })
  // Editing programs and some phones put dead silence between sounds, which says nothing of the room.
  const sorted = db.filter((level) => level > dead).toSorted()
  const pick = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? -90
  const [floor, voice] = [pick(0.05), pick(0.9)]
  return { db, quiet: Math.max(voice - 38, floor + Math.min(12, Math.max(4, (voice - floor) * 0.35))) }
}

/** The quiet stretches of at least `least` ms inside [start, end), their ends where the sound really falls and rises. */
export function quietIn({ db, quiet }: Levels, start: number, end: number, least: number): Silence[] {
  const found: Silence[] = []
  const last = Math.min(db.length, Math.floor(end / 10))
  let from = -1
  let loud = 0
  for (let at = Math.ceil(start / 10); at <= last; at++) {
    const still = at < last && db[at]! < quiet
    if (still) {
      if (from < 0) from = at
      loud = 0
      continue
    }
    if (from < 0) continue
    // A click of a tongue or a chair is not speech.
    if (at < last && ++loud <= 3) continue
    const to = at < last ? at - loud + 1 : at
    if ((to - from) * 10 >= least) found.push({ start: from * 10, end: Math.min(to * 10, end) })
    from = -1
    loud = 0
  }
  return found
}
