import type { Fps } from './frames.ts'
import type { Recipe } from './recipe.ts'
import { spokenWords, type Timeline } from './timeline.ts'

/** How long music takes to go down and up again, in seconds. */
export const rampSeconds = 0.25
/** Music stays down in a shorter pause. */
const pauseSeconds = 0.8

/** Where music goes under the voice, in seconds of the video: while words are heard, without words under all pieces. */
export const voicedIn = (recipe: Recipe, timeline: Timeline): [from: number, to: number][] => {
  const second = (frame: number, { num, den }: Fps) => (frame * den) / num
  const spoken = spokenWords(recipe, timeline).map(({ from, to }) => [from, to] as const)
  const all = timeline.pieces.map(({ at, from, to }) => [at, at + to - from] as const)
  const merged: [number, number][] = []
  for (const window of (spoken.length ? spoken : all).toSorted((a, b) => a[0] - b[0])) {
    const [from, to] = [second(window[0], timeline.fps), second(window[1], timeline.fps)]
    const last = merged.at(-1)
    if (last && from - last[1] < pauseSeconds) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** The music's volume at a moment, 1 where nobody speaks; `duck` in dB. */
export const duckedAt = (voiced: readonly (readonly [number, number])[], duck: number, seconds: number): number => {
  const inside = voiced.reduce((sum, [from, to]) => {
    const deep = Math.min(seconds - from + rampSeconds, to + rampSeconds - seconds) / rampSeconds
    return sum + Math.max(0, Math.min(1, deep))
  }, 0)
  return 10 ** ((-duck / 20) * Math.min(1, inside))
}
