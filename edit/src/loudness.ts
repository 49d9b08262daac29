import { gainOf } from './commands/sound.ts'
import { musicSpan } from './music.ts'
import type { Recipe } from './recipe.ts'
import type { Timeline } from './timeline.ts'
import { voiceFadeAt, voiceFades } from './voice-fades.ts'

/**
 * How loud a file is heard to be, as EBU R 128 measures it: LUFS over 0.4 s around moments that lie evenly, the first of them
 * at `first` seconds. Nothing is quieter than −70. As the panel plays it: 3 dB louder than for the
 * render where a browser gives one channel to both sides.
 */
export type Loud = { first: number; perSecond: number; lufs: number[] }

/** LUFS; what is quieter is not a voice, and would only become loud noise. */
export const quietest = -50

/** LUFS of silence, and of what is too short to be measured: shorter than one of the measured stretches, in seconds. */
const silent = -70
const shortest = 0.4

/** LUFS that music is mixed to mostly: of a piece that could not be measured this is the best guess. */
const usualMusic = -14

/**
 * By how many decibels voice and music are made louder in the finished file: the voice comes to `loudness`, if that is told, and
 * the music to `gain` beside it. `voice` and `song` are LUFS as the passages and the piece of music were recorded.
 */
export const levelsOf = (
  { loudness, gain }: { loudness: number | null; gain: number },
  voice: number,
  song: number,
): { voice: number; music: number } => ({
  voice: loudness === null || voice < quietest ? 0 : loudness - voice,
  music: Math.max(-40, Math.min(30, (loudness ?? 0) + gain - (song > silent ? song : usualMusic))),
})

/** LUFS of all passages in their places with their gains and fades; null while a recording's own loudness is not known. */
export const voiceLoudness = (recipe: Recipe, timeline: Timeline, heard: ReadonlyMap<string, Loud>): number | null => {
  const { pieces, fps } = timeline
  const fades = voiceFades(recipe, timeline)
  const blocks: number[] = []
  for (const [i, piece] of pieces.entries()) {
    const loud = heard.get(piece.source)
    if (!loud) return null
    const [from, to] = [piece.from, piece.to].map((frame) => (frame * fps.den) / fps.num) as [number, number]
    const gain = gainOf(recipe, piece)
    const faded = (at: number) => gain + 20 * Math.log10(voiceFadeAt(fades[i]!, at - from, to - at))
    const { first, perSecond } = loud
    const place = placeOf(loud, from)
    blocks.push(...within(loud, from, to).map((lufs, n) => lufs + faded(first + (place + n) / perSecond)))
  }
  return gated(blocks)
}

/** LUFS of what is heard of a piece of music, before gain and fades. Lengths in seconds. */
export const musicLoudness = (
  music: NonNullable<Recipe['sound']['music']>,
  loud: Loud,
  { video, piece }: { video: number; piece: number },
): number => {
  const { starts, end } = musicSpan(music, video, piece)
  return playedLoudness(loud, starts, end, piece)
}

/** LUFS of so many seconds of a piece from a moment of it on; after its end it begins again. Silence where they are too few. */
export const playedLoudness = (loud: Loud, starts: number, seconds: number, piece: number): number => {
  // The render measures what is played alone.
  if (seconds < shortest) return silent
  const blocks: number[] = []
  for (let at = 0, from = piece > 0 ? starts % piece : starts; at < seconds && piece > from; from = 0) {
    const to = Math.min(piece, from + seconds - at)
    blocks.push(...within(loud, from, to))
    at += to - from
  }
  return gated(blocks)
}

/** LUFS of a stretch of a recording, in seconds. */
export const loudnessWithin = (loud: Loud, from: number, to: number): number => gated(within(loud, from, to))

const within = (loud: Loud, from: number, to: number): number[] =>
  loud.lufs.slice(placeOf(loud, from), placeOf(loud, to))

/** Which of its numbers is the first one at or after a moment. */
const placeOf = ({ first, perSecond }: Loud, seconds: number): number =>
  Math.max(0, Math.ceil((seconds - first) * perSecond - 1e-6))

/** The mean of what is heard: neither silence counts, nor what lies 10 dB under the mean of the rest. */
const gated = (blocks: readonly number[]): number => {
  const mean = (all: readonly number[]) =>
    all.length === 0 ? silent : 10 * Math.log10(all.reduce((sum, lufs) => sum + 10 ** (lufs / 10), 0) / all.length)
  const heard = blocks.filter((lufs) => lufs > silent)
  const floor = mean(heard) - 10
  return Math.max(silent, mean(heard.filter((lufs) => lufs > floor)))
}
