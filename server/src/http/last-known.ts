import { setTimeout as sleep } from 'node:timers/promises'
import { asNobodys } from '../kernel/asker.ts'

/**
 * Asks `read` each time, one at a time, and answers what it says; where it takes longer than `patienceMs` or fails, what it
 * said last (`first` before that). Once it was late nobody waits for it again until it has answered: it goes on in the
 * background. Never throws.
 */
export const lastKnown = <T>(
  read: () => Promise<T>,
  { first, onError, patienceMs = 300 }: { first: T; onError: (error: unknown) => void; patienceMs?: number },
): (() => Promise<T>) => {
  let known = first
  let isLate = false
  let reading: Promise<void> | undefined
  const ask = async () => {
    try {
      known = await read()
      isLate = false
    } catch (error) {
      if (!isLate) onError(error)
      isLate = true
    } finally {
      reading = undefined
    }
  }
  return async () => {
    reading ??= asNobodys(ask)
    if (isLate) return known
    const patience = new AbortController()
    const late = sleep(patienceMs, true, { signal: patience.signal, ref: false }).catch(() => false)
    if ((await Promise.race([reading, late])) === true) isLate = true
    patience.abort()
    return known
  }
}
