import { takeLimits } from '@clear-to-post/edit/take-limits'

/** What would be said about the file later, said while it can still be changed. Null: nothing is known yet. */
export type Check = 'good' | 'quiet' | 'silent' | 'loud' | 'dark' | 'bright' | null

/** By the loudest moment of the last seconds, dBFS: nothing at all, too quiet, or so loud that it will crackle. */
export const checkSound = (peakDb: number | null): Check => {
  if (peakDb === null) return null
  if (peakDb < -70) return 'silent'
  if (peakDb < takeLimits.quietDb) return 'quiet'
  return peakDb > -1 ? 'loud' : 'good'
}

/** By the mean of the picture's light, 0 to 255. */
export const checkLight = (light: number | null): Check => {
  if (light === null) return null
  if (light < takeLimits.darkLight) return 'dark'
  return light > takeLimits.brightLight ? 'bright' : 'good'
}

/** The mean light of a small picture's points, RGBA, as video codes it (BT.709). */
export const lightOf = (points: Uint8ClampedArray): number => {
  let sum = 0
  for (let at = 0; at < points.length; at += 4)
    sum += 0.2126 * points[at]! + 0.7152 * points[at + 1]! + 0.0722 * points[at + 2]!
  return sum / Math.max(1, points.length / 4)
}
