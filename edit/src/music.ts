import type { Recipe } from './recipe.ts'

type Music = NonNullable<Recipe['sound']['music']>

/**
 * Where the music is heard, in seconds: from `starts` of the piece on, until `end` of the video. A piece that is heard once
 * ends with itself; else it begins again until the video ends. `pieceSeconds`: how long it is, null while nobody knows.
 */
export const musicSpan = (
  { fromMs = 0, once }: Music,
  videoSeconds: number,
  pieceSeconds: number | null,
): { starts: number; end: number } => {
  const starts = pieceSeconds === null || pieceSeconds <= 0 ? fromMs / 1000 : (fromMs / 1000) % pieceSeconds
  if (!once || pieceSeconds === null) return { starts, end: videoSeconds }
  return { starts, end: Math.min(videoSeconds, pieceSeconds - starts) }
}

/** What the fades leave of the music at a moment of the video, 0 to 1; nothing after `end`. Seconds. */
export const musicFade = ({ fadeInMs = 0, fadeOutMs }: Music, seconds: number, end: number): number => {
  if (seconds >= end) return 0
  const rises = fadeInMs > 0 ? (seconds * 1000) / fadeInMs : 1
  const falls = fadeOutMs > 0 ? ((end - seconds) * 1000) / fadeOutMs : 1
  return Math.max(0, Math.min(1, rises)) * Math.max(0, Math.min(1, falls))
}
