import { useEffect, type RefObject } from 'react'
import type { Layer } from '@clear-to-post/edit/recipe'
import { layerWindowsIn, type Timeline, type Window } from '@clear-to-post/edit/timeline'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'

/** When a layer is seen, in frames of the video; one without a span from the opening card to the closing one. */
export const windowsFor = (layer: Layer, timeline: Timeline): Window[] => layerWindowsIn(timeline)(layer)

/** How many frames of a layer were seen before this one; null where it is not seen. */
export const shownOf = (windows: readonly Window[], at: number): number | null => {
  let before = 0
  for (const { from, to } of windows) {
    if (at >= from && at < to) return before + at - from
    before += to - from
  }
  return null
}

/** What stands for a layer on the picture is seen while the layer is. */
export const useShownWhileSeen = (
  element: RefObject<HTMLElement | null>,
  layer: Layer,
  { player, timeline }: { player: TimelinePlayer; timeline: Timeline },
): void =>
  useEffect(() => {
    const windows = windowsFor(layer, timeline)
    return player.onTime((seconds) => {
      const isOn = shownOf(windows, frameOf(seconds, timeline.fps)) !== null
      element.current?.style.setProperty('visibility', isOn ? 'visible' : 'hidden')
    })
  }, [element, layer, player, timeline])
