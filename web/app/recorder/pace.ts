/** What a take says of how fast somebody reads: words of usual length that were passed, and how long somebody spoke, ms. */
export type Read = { words: number; speakingMs: number }

/** The last paces, words a minute, oldest first. */
const mostKept = 3
const leastWords = 20
const leastMs = 8000

/** The paces of the last takes with that of this one; as they were where it is too short to tell. */
export const withPace = (
  paces: readonly number[],
  { words, speakingMs }: Read,
  { least, most }: { least: number; most: number },
): number[] => {
  if (words < leastWords || speakingMs < leastMs) return [...paces]
  const pace = Math.round(words / (speakingMs / 60_000))
  return [...paces, Math.max(least, Math.min(most, pace))].slice(-mostKept)
}

/** The pace of the last takes, to five words a minute; null before the first. */
export const usualPace = (paces: readonly number[]): number | null =>
  paces.length === 0 ? null : Math.round(paces.reduce((sum, one) => sum + one, 0) / paces.length / 5) * 5
