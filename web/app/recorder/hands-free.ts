/** What is known while a recorder waits for a voice or a clap: for how long it has listened, its room, and a voice so far. */
export type Waiting = { heardMs: number; floorDb: number; loudMs: number }

export const untouched: Waiting = { heardMs: 0, floorDb: 0, loudMs: 0 }

/** So long it gets to know its room, in which the press that began it dies away, too. */
const roomMs = 1000
/** A voice is that much louder than the room, for so long. */
const voiceDb = 12
const voiceMs = 200
/** A clap is heard at once. */
const clapDb = 30
const leastClapDb = -25
/** Whatever the room: a whisper far away starts nothing. */
const leastVoiceDb = -50

/** Hears the next `dtMs` of a level in dBFS; `isCalled`: somebody spoke or clapped, and the take may begin. */
export const listenFor = (before: Waiting, db: number, dtMs: number): Waiting & { isCalled: boolean } => {
  const heardMs = before.heardMs + dtMs
  if (heardMs <= roomMs) return { heardMs, floorDb: Math.min(before.floorDb, db), loudMs: 0, isCalled: false }
  // A room may grow quieter, never louder: what is louder is a voice.
  const floorDb = Math.min(before.floorDb, db)
  const loudMs = db > Math.max(leastVoiceDb, floorDb + voiceDb) ? before.loudMs + dtMs : 0
  const isClap = db > Math.max(leastClapDb, floorDb + clapDb)
  return { heardMs, floorDb, loudMs, isCalled: isClap || loudMs >= voiceMs }
}
