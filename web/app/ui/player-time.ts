/** Times of the player. Seconds inside (as `<video>` has them), whole milliseconds at the edge (as comments have them). */

/** Frame rates that cameras and editors use; a measured one snaps to the nearest. */
const rates = [24000 / 1001, 24, 25, 30000 / 1001, 30, 48, 50, 60000 / 1001, 60] as const

/** What we step by until the video has told its rate. */
export const usualRate = 30

/** Frames a second from the distance of two neighbouring frames in seconds, or null when it fits no known rate. */
export const rateOf = (seconds: number): number | null => {
  if (!(seconds > 0)) return null
  const near = rates.reduce((best, rate) => (Math.abs(rate - 1 / seconds) < Math.abs(best - 1 / seconds) ? rate : best))
  return Math.abs(near - 1 / seconds) / near < 0.04 ? near : null
}

/** The time in the middle of the frame `by` frames away: a seek to a frame's edge may show either neighbour. */
export const frameFrom = (seconds: number, by: number, rate: number, end: number): number => {
  // An end that is not known yet is no end.
  const last = end > 0 ? Math.max(0, Math.ceil(end * rate) - 1) : Infinity
  const frame = Math.min(last, Math.max(0, Math.floor(seconds * rate + 1e-3) + by))
  return (frame + 0.5) / rate
}

/** `0:07`, `2:04`, `1:02:03`. */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds + 1e-6))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** `0:07.42`: with hundredths, for a single frame. */
export const preciseClock = (seconds: number): string => {
  const hundredths = Math.max(0, Math.floor(seconds * 100 + 1e-6))
  return `${clock(hundredths / 100)}.${two(hundredths % 100)}`
}

/** “1 minute 7 seconds”, for ears. */
export const spoken = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds + 1e-6))
  const [m, s] = [Math.floor(whole / 60), whole % 60]
  return [m > 0 && `${m} minute${m === 1 ? '' : 's'}`, `${s} second${s === 1 ? '' : 's'}`].filter(Boolean).join(' ')
}

/** The distance of the ruler's ticks in seconds: fine and labelled, so that labels stay `room` pixels apart. */
export const tickSteps = (duration: number, width: number, room = 64): { fine: number; labelled: number } => {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
  const labelled = steps.find((step) => (step / duration) * width >= room) ?? 3600
  const fine = [0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 300, 600].filter(
    (step) =>
      step < labelled && (step / duration) * width >= 5 && Number.isInteger(Math.round((labelled / step) * 1e6) / 1e6),
  )
  return { fine: fine[0] ?? labelled, labelled }
}

const two = (n: number): string => String(n).padStart(2, '0')
