import type { Beat } from './beats.ts'
import type { Recipe } from './recipe.ts'

type Music = NonNullable<Recipe['sound']['music']>

/**
 * Where the music is heard, in seconds: from `starts` of the piece on, until `end` of the video. A piece that is heard once
 * ends with itself; else it begins again until the video ends. `pieceSeconds`: how long it is, null while nobody knows.
 * Where it is to end on a beat it begins up to a beat later.
 */
export const musicSpan = (
  { fromMs = 0, once, beat }: Music,
  videoSeconds: number,
  pieceSeconds: number | null,
): { starts: number; end: number } => {
  const starts = pieceSeconds === null || pieceSeconds <= 0 ? fromMs / 1000 : (fromMs / 1000) % pieceSeconds
  const ends = once && pieceSeconds !== null ? Math.min(videoSeconds, pieceSeconds - starts) : videoSeconds
  if (!beat || ends < videoSeconds) return { starts, end: ends }
  const length = pieceSeconds !== null && pieceSeconds > 0 ? pieceSeconds : Infinity
  const later = onBeat(beat, starts, videoSeconds, length)
  return once && length - later < videoSeconds ? { starts, end: ends } : { starts: later, end: ends }
}

/** The first start from `starts` on from which the video's end falls on a beat of the piece, which goes round. */
const onBeat = (beat: Beat, starts: number, video: number, length: number): number => {
  const [first, every] = [beat.firstMs / 1000, beat.everyMs / 1000]
  const round = (seconds: number) => (length === Infinity ? seconds : seconds % length)
  const wait = (end: number) => (((first - end) % every) + every) % every
  const end = round(starts + video)
  const later = wait(end)
  // Over the piece's own end the beats begin anew.
  return round(starts + (end + later < length ? later : length - end + wait(0)))
}

/** The moments of the video on which a beat of its music falls; none where no beat is known. Seconds. */
export const beatsHeard = (music: Music, videoSeconds: number, pieceSeconds: number | null): number[] => {
  if (!music.beat) return []
  const { starts, end } = musicSpan(music, videoSeconds, pieceSeconds)
  const [first, every] = [music.beat.firstMs / 1000, music.beat.everyMs / 1000]
  const length = pieceSeconds !== null && pieceSeconds > 0 ? pieceSeconds : Infinity
  const found: number[] = []
  for (let begun = -starts; begun < end; begun += length) {
    const last = Math.min(end, begun + length)
    for (let n = Math.max(0, Math.ceil((-begun - first) / every)); begun + first + n * every < last - 1e-6; n++)
      found.push(begun + first + n * every)
  }
  return found
}

/** What the fades leave of the music at a moment of the video, 0 to 1; nothing after `end`. Seconds. */
export const musicFade = ({ fadeInMs = 0, fadeOutMs }: Music, seconds: number, end: number): number => {
  if (seconds >= end) return 0
  const rises = fadeInMs > 0 ? (seconds * 1000) / fadeInMs : 1
  const falls = fadeOutMs > 0 ? ((end - seconds) * 1000) / fadeOutMs : 1
  return Math.max(0, Math.min(1, rises)) * Math.max(0, Math.min(1, falls))
}
