/**
 * The only place where milliseconds become frames and frames become milliseconds. Milliseconds (whole numbers, on a
 * source's own clock) are what people and files say; frames are what is computed with. A moment is rounded once, on its
 * way in; every sum after that is one of whole frames.
 */

/** Frames a second as a fraction: 30/1, or 30000/1001 as cameras count. */
export type Fps = { num: number; den: number }

/** The frame whose start is nearest to the moment; halfway counts upwards. */
export const frameAt = (ms: number, { num, den }: Fps): number =>
  Math.floor((2 * ms * num + den * 1000) / (2 * den * 1000))

/** The whole millisecond nearest to the frame's start. `frameAt` leads back to the same frame below 500 frames a second. */
export const msAt = (frame: number, { num, den }: Fps): number => Math.round((frame * den * 1000) / num)

/** The frame's start in seconds, as ffmpeg wants it; exact to the microsecond. */
export const secondsAt = (frame: number, { num, den }: Fps): number => Math.round((frame * den * 1e6) / num) / 1e6
