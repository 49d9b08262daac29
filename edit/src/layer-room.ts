import { layerKinds } from './layer-kinds.ts'
import type { Layer, Recipe } from './recipe.ts'
import { layerWindowsIn, timelineOf, type Timeline, type Window } from './timeline.ts'

/** Which most of `layerKinds` a recipe exceeds with its layers of a kind; null where it keeps both. */
export const isBeyond = (
  recipe: Recipe,
  kind: Layer['kind'],
  timeline: Timeline = timelineOf(recipe),
): 'times' | 'at-once' | null => {
  const { mostTimes, mostAtOnce } = layerKinds[kind]
  const windowsOf = layerWindowsIn(timeline)
  const there: Window[] = []
  for (const layer of recipe.layers) {
    if (layer.kind !== kind || !layer.on) continue
    there.push(...windowsOf(layer))
    if (there.length > mostTimes) return 'times'
  }
  return atOnce(there) > mostAtOnce ? 'at-once' : null
}

/** What a command makes of a recipe's layers, unless those of a kind come to be more than there may be by it. */
export const withinRoom = (before: Recipe, after: Recipe, kind: Layer['kind']): Recipe => {
  if (after === before) return before
  const timeline = timelineOf(before)
  return isBeyond(after, kind, timeline) && !isBeyond(before, kind, timeline) ? before : after
}

/** How many of them are there at the same frame at most. */
const atOnce = (windows: readonly Window[]): number => {
  const begins = windows.map(({ from }) => from).toSorted((a, b) => a - b)
  const ends = windows.map(({ to }) => to).toSorted((a, b) => a - b)
  let over = 0
  let most = 0
  begins.forEach((from, begun) => {
    while (ends[over]! <= from) over++
    most = Math.max(most, begun + 1 - over)
  })
  return most
}
