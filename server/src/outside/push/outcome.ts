/**
 * What became of a message. `gone`: this device will never hear again. `later`: not taken, or nobody knows; try again,
 * not before `retryAt` where the service said when. `failed`: it will never be taken.
 */
export type Outcome =
  | { state: 'sent' }
  | { state: 'gone'; error: string }
  | { state: 'failed'; error: string }
  | { state: 'later'; error: string; retryAt?: Date }

/** What an answer of a push service's with this status means. Every service says the same things by the same numbers. */
export const deliveryOutcome = (
  status: number,
  retryAfter: string | undefined,
  error: string,
  now = Date.now(),
): Outcome => {
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone', error }
  if (status === 429 || status >= 500 || status === 408) {
    const retryAt = retryMoment(retryAfter, now)
    return { state: 'later', error, ...(retryAt ? { retryAt } : {}) }
  }
  return { state: 'failed', error }
}

/** `Retry-After` as a moment (RFC 9110: seconds or a date), at most a day away; undefined when it says nothing. */
export const retryMoment = (text: string | undefined, now: number): Date | undefined => {
  if (!text) return undefined
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(Math.min(Math.max(at, now), now + 86_400_000))
}
