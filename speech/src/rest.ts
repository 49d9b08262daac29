import { setImmediate } from 'node:timers/promises'

/** So much of a recording is gone through at once, samples: ten seconds. */
const piece = 160_000

/**
 * Goes through a whole recording in pieces [from, to) and lets everybody else have their turn after each: an hour of sound
 * is sixty million samples, and it is the service's own thread that looks at them.
 */
export async function inPieces(samples: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < samples; from += piece) {
    work(from, Math.min(samples, from + piece))
    await othersTurn()
  }
}

/** Whatever else waits for this thread is done first. */
export const othersTurn = (): Promise<void> => setImmediate()
