/** Loudness of what a microphone gave, in dBFS; −100 for silence. `samples` from −1 to 1. */
export const levelOf = (samples: Float32Array): number => {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const power = sum / Math.max(1, samples.length)
  return power > 1e-10 ? 10 * Math.log10(power) : -100
}

/** Whether somebody is speaking, and how loud their room is. */
export type Voice = {
  isSpeaking: boolean
  /** The room without the voice, dBFS. */
  floorDb: number
  /** The quietest moments of this stretch and of the one before, and how long this one has lasted, ms. */
  quietest: readonly [now: number, before: number]
  stretchMs: number
  /** For how long the level has spoken against `isSpeaking`, ms. */
  otherwiseMs: number
}

export const silence: Voice = { isSpeaking: false, floorDb: -60, quietest: [0, -60], stretchMs: 0, otherwiseMs: 0 }

/** Above the room by that much, it is a voice. */
const aboveFloorDb = 9
/** And never below that: a quiet room's own noise is no voice. */
const leastDb = -55
const attackMs = 150
const releaseMs = 400
/** Whoever speaks breathes within two of these. */
const stretchMost = 2500

/** Hears the next `dtMs` of a level: speaking begins after 150 ms above the room and ends after 400 ms below. */
export const hear = (before: Voice, db: number, dtMs: number): Voice => {
  const isLoud = db > Math.max(leastDb, before.floorDb + aboveFloorDb)
  // The room is what is heard in the quietest moments of the last seconds: voices have gaps, rooms have none.
  const [now, last] = [Math.min(before.quietest[0], db), before.quietest[1]]
  const isFull = before.stretchMs + dtMs >= stretchMost
  const room = {
    floorDb: Math.min(now, last),
    quietest: isFull ? ([0, now] as const) : ([now, last] as const),
    stretchMs: isFull ? 0 : before.stretchMs + dtMs,
  }
  if (isLoud === before.isSpeaking) return { ...room, isSpeaking: isLoud, otherwiseMs: 0 }
  const otherwiseMs = before.otherwiseMs + dtMs
  const isOver = otherwiseMs >= (isLoud ? attackMs : releaseMs)
  return { ...room, isSpeaking: isOver ? isLoud : before.isSpeaking, otherwiseMs: isOver ? 0 : otherwiseMs }
}
