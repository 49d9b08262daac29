import type { Recipe } from './recipe.ts'
import type { Timeline } from './timeline.ts'

/** As long as a fade of the voice may be, ms. */
export const longestFadeMs = 10_000

/** How long the voice of a passage comes up at its start and goes at its end, in seconds; 0: at once. */
export type VoiceFades = { fadeIn: number; fadeOut: number }

/**
 * The fades of all passages of the timeline, in the order of playing. Where something is cut out of a passage its fades stay at
 * its own ends; none is longer than what is heard there.
 */
export const voiceFades = ({ keep }: Pick<Recipe, 'keep'>, { pieces, fps }: Timeline): VoiceFades[] => {
  const keeps = new Map(keep.map((one) => [one.id, one]))
  return pieces.map((piece, i) => {
    const { fadeInMs = 0, fadeOutMs = 0 } = keeps.get(piece.keep) ?? {}
    const length = ((piece.to - piece.from) * fps.den) / fps.num
    const within = (ms: number, isEnd: boolean) => (isEnd ? Math.min(ms / 1000, length) : 0)
    return {
      fadeIn: within(fadeInMs, pieces[i - 1]?.keep !== piece.keep),
      fadeOut: within(fadeOutMs, pieces[i + 1]?.keep !== piece.keep),
    }
  })
}

/** What the fades leave of a voice, 0 to 1, so many seconds after its passage began and before it ends. */
export const voiceFadeAt = ({ fadeIn, fadeOut }: VoiceFades, since: number, left: number): number => {
  const part = (seconds: number, of: number) => (of > 0 ? Math.max(0, Math.min(1, seconds / of)) : 1)
  return part(since, fadeIn) * part(left, fadeOut)
}
