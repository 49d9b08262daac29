import { workSpans, type Availability } from './availability.ts'

/** What editors are paid by: a minute of approved video, or an hour that they had a video in hand. */
export const rateUnits = ['minute', 'hour'] as const
export type RateUnit = (typeof rateUnits)[number]
/** `amount` in the currency's smallest unit. */
export type Rate = { unit: RateUnit; amount: number; currency: string }

/** A video in an editor's hands: begun, and its cut sent to approval. */
export type InHand = { startedAt: Date; sentAt: Date }

/**
 * The milliseconds that an editor had videos in hand within their own hours, of cuts sent in a month that begins at `monthStart`:
 * what lies upon each other counts once, also where an earlier month has counted it. A video that was in hand outside of all
 * hours counts as long as it took. `laps` are those whose cut was sent by the month's end, with those of the months before
 * that lie upon them.
 */
export const inHandMs = (laps: readonly InHand[], availability: Availability, monthStart: Date): number => {
  const spansOf = ({ startedAt, sentAt }: InHand): Span[] => {
    const spans = workSpans(availability, startedAt, sentAt)
    return spans.length > 0 ? spans : [{ start: startedAt.getTime(), end: sentAt.getTime() }]
  }
  const before = laps.filter(({ sentAt }) => sentAt < monthStart).flatMap(spansOf)
  return lengthOf(laps.flatMap(spansOf)) - lengthOf(before)
}

/** What is to be paid, in the currency's smallest unit, rounded to the nearest, a half up. */
export const payOf = (
  { unit, amount }: Rate,
  { lengthMs, inHandMs }: { lengthMs: number; inHandMs: number },
): number => {
  const [ms, per] = unit === 'minute' ? [lengthMs, 60_000] : [inHandMs, 3_600_000]
  return Number((2n * BigInt(Math.round(ms)) * BigInt(amount) + BigInt(per)) / (2n * BigInt(per)))
}

type Span = { start: number; end: number }

// Together, what lies upon each other once.
const lengthOf = (spans: readonly Span[]): number => {
  let [length, until] = [0, -Infinity]
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    length += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return length
}
