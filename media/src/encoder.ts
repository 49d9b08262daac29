import type { Fps } from '@clear-to-post/edit/frames'
import { options } from './input.ts'

/** `final` is what is published; `preview` is half as wide and high, made in a fraction of the time. */
export type Quality = 'final' | 'preview'

/** Change it when anything about making chunks changes that their plans do not show: chunks of another number are made anew. */
export const chunkVersion = 3

const settings = {
  // Less than the preset’s lookahead: 50 MB less for each chunk, for a file 7 % smaller a hair below the preset’s quality.
  final: '-c:v libx264 -preset veryfast -x264-params rc-lookahead=3 -crf 21 -profile:v high -level:v 4.2',
  preview: '-c:v libx264 -preset ultrafast -crf 26 -profile:v high -level:v 4.2',
} satisfies Record<Quality, string>

/**
 * Options for H.264 that any two chunks share, so that they can be joined as they are: closed groups of pictures, a key
 * frame at least every two seconds, one clock, Rec.709.
 */
export function pictureEncoder(quality: Quality, fps: Fps): string[] {
  return [
    ...options(`${settings[quality]} -pix_fmt yuv420p -flags +cgop -g ${Math.round((2 * fps.num) / fps.den)}`),
    ...options('-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709'),
  ]
}

/** Ticks a second of the video track: every frame begins on one. */
export function clock({ num }: Fps): number {
  // Fine enough for players that dislike coarse clocks.
  return num * Math.max(1, Math.ceil(10_000 / num))
}

/** How many ticks one frame lasts. */
export function ticks(fps: Fps): number {
  return (clock(fps) / fps.num) * fps.den
}

export const soundRate = 48_000

export const soundEncoder = options(`-c:a aac -b:a 160k -ar ${soundRate} -ac 2`)

/** The first sample of a frame; rounded once, so that no length adds up to a drift. */
export function sampleAt(frame: number, { num, den }: Fps): number {
  return Math.round((frame * soundRate * den) / num)
}
