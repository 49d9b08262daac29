/** A steady beat of a piece of music: the first one and how long it is to the next, ms; both in parts of one, too. */
export type Beat = { firstMs: number; everyMs: number }

/** How far apart beats lie, seconds: 180 to 70 a minute. Of what lies between two of them nothing is asked. */
const range = { least: 60 / 180, most: 60 / 70 } as const

/** Two neighbours among the tempos that are tried differ by so much: over three minutes by a tenth of a beat. */
const step = 0.0004

/** How much of all that begins must begin together with the beat, 0 to 1; what has none reaches 0.15. */
const steady = 0.22

/**
 * The beat of a piece from its loudest samples, `perSecond` slices of a second; null where it has no steady one. What begins
 * is laid on a circle that goes round once a beat: where all of it comes to lie on one side, that is the tempo, and the side
 * is the moment.
 */
export const steadyBeat = (peaks: readonly number[], perSecond: number): Beat | null => {
  const begins = onsets(peaks, perSecond)
  const weight = begins.reduce((sum, { strength }) => sum + strength, 0)
  if (begins.length < 8 || weight === 0) return null
  const fitOf = (every: number): Fit => {
    let [x, y] = [0, 0]
    for (const { at, strength } of begins) {
      const angle = (2 * Math.PI * at) / every
      x += strength * Math.cos(angle)
      y += strength * Math.sin(angle)
    }
    return { every, share: Math.hypot(x, y) / weight, angle: Math.atan2(y, x) }
  }
  const fitted = (least: number, most: number, step: number): Fit => {
    let best = fitOf(least)
    for (let every = least * (1 + step); every <= most; every *= 1 + step) {
      const fit = fitOf(every)
      if (fit.share > best.share) best = fit
    }
    return best
  }
  const around = (every: number) => fitted(every * (1 - 2 * step), every * (1 + 2 * step), step / 20)
  const found = around(fitted(range.least, range.most, step).every)
  // What begins between the beats makes a beat of half the length fit as well: the slower one is what a foot taps.
  const slower = 2 * found.every <= range.most ? around(2 * found.every) : found
  const best = slower.share > 0.3 * found.share ? slower : found
  if (best.share < steady) return null
  const first = ((best.angle / (2 * Math.PI) + 1) % 1) * best.every
  return { firstMs: first * 1000, everyMs: best.every * 1000 }
}

type Fit = { every: number; share: number; angle: number }

/** Where it gets louder at once, and by how much; seconds. */
const onsets = (peaks: readonly number[], perSecond: number): { at: number; strength: number }[] => {
  const rises = peaks.map((peak, i) => (i === 0 ? 0 : Math.max(0, Math.log1p(peak) - Math.log1p(peaks[i - 1]!))))
  const mean = rises.reduce((sum, rise) => sum + rise, 0) / Math.max(1, rises.length)
  return rises.flatMap((rise, i) =>
    rise > 2 * mean && rise >= (rises[i + 1] ?? 0) && rise > rises[i - 1]!
      ? [{ at: (i + 0.5) / perSecond, strength: rise }]
      : [],
  )
}
