import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { firstPlace } from '@clear-to-post/edit/sorted'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { peaksOf } from '../../ui/player-peaks.ts'
import type { Loudest } from '../../ui/player-ruler.tsx'
import { partsOf } from './timeline-player.ts'

/** How loud the video is between two of its shares, as far as its sources' peaks are loaded. */
export const useLoudest = (recipe: Recipe, timeline: Timeline, assets: ReadonlyMap<string, Asset>): Loudest => {
  const { sources } = recipe
  const heard = useQueries({
    queries: sources.map(({ assetId }) => peaksOf(assetId, assets.get(assetId)?.peaksUrl)),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(
    () =>
      loudestIn(
        timeline,
        new Map(sources.flatMap(({ id, durationMs }, i) => (heard[i] ? [[id, { peaks: heard[i], durationMs }]] : []))),
      ),
    [timeline, sources, heard],
  )
}

type Heard = ReadonlyMap<string, { peaks: readonly number[]; durationMs: number }>

/** The sources’ loudness in the order in which it is heard, between two shares of the video; silent where nothing is known. */
export const loudestIn = (timeline: Timeline, heard: Heard): Loudest => {
  const { num, den } = timeline.fps
  const parts = partsOf(timeline)
  return (from, to) => {
    const [first, last] = [from * timeline.frames, to * timeline.frames]
    let loudest = 0
    for (let i = firstPlace(parts.length, (p) => parts[p]!.to > first); parts[i] && parts[i]!.from < last; i++) {
      const part = parts[i]!
      const source = part.kind === 'piece' ? heard.get(part.piece.source) : undefined
      if (part.kind !== 'piece' || !source) continue
      // A peak for each slice of the source; frames of the source are as long as those of the video.
      const scale = (source.peaks.length * 1000 * den) / (source.durationMs * num)
      const at = (frame: number) => (part.piece.from + frame - part.piece.at) * scale
      const start = Math.floor(at(Math.max(first, part.from)))
      const end = Math.max(start + 1, at(Math.min(last, part.to)))
      for (let p = start; p < end; p++) loudest = Math.max(loudest, source.peaks[p] ?? 0)
    }
    return loudest
  }
}
