import type { Flaw, Recipe } from './recipe.ts'
import { meeting } from './sorted.ts'
import { layerWindowsIn, windowsIn, type Timeline, type Window } from './timeline.ts'

/**
 * How long a flaw of a recording's picture is at least, ms: one black picture is seen, and a person may hold still for a second.
 * And how many of them a recipe holds.
 */
export const flawLimits = { black: 1, frozen: 1500, most: 500 } as const

/** So much of a stretch must be seen, in frames; of a frozen one less is no pause in anybody's eyes. */
const leastSeen = ({ num, den }: Timeline['fps']) => ({ black: 1, frozen: Math.round(num / den) })

/** Where flaws of a kind are seen in the video: timeline frames. What B-roll or a whole picture lies over is not. */
export const flawsSeen = (recipe: Recipe, timeline: Timeline, kind: Flaw['kind']): number[] => {
  const coveredBy = layerWindowsIn(timeline)
  const least = leastSeen(timeline.fps)[kind]
  const covers = recipe.layers
    .flatMap((layer): Window[] => {
      const isWhole = layer.kind === 'b-roll' || (layer.kind === 'picture' && layer.place === 'full')
      return layer.on && isWhole ? coveredBy(layer) : []
    })
    .toSorted((a, b) => a.from - b.from)
  const coversIn = meeting(covers, (window) => ({ source: 'video', ...window }))
  return (recipe.flaws ?? [])
    .filter((flaw) => flaw.kind === kind)
    .flatMap(windowsIn(timeline))
    .flatMap((window) => without(window, coversIn('video', window.from, window.to)))
    .flatMap(({ from, to }) => (to - from >= least ? from : []))
}

/** What the covers, in order of their starts, leave of a window. */
const without = ({ from, to }: Window, covers: readonly Window[]): Window[] => {
  const left: Window[] = []
  let at = from
  for (const cover of covers) {
    if (cover.to <= at || cover.from >= to) continue
    if (cover.from > at) left.push({ from: at, to: cover.from })
    at = Math.max(at, cover.to)
  }
  if (at < to) left.push({ from: at, to })
  return left
}
