import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Heard } from '@clear-to-post/edit/tries'
import { loudOf } from '../../ui/player-peaks.ts'

/** How loud the recordings are heard to be, of those of which it is known. */
export const useHeard = (sources: Recipe['sources'], assets: ReadonlyMap<string, Asset>): Heard => {
  const heard = useQueries({
    queries: sources.map(({ assetId }) => loudOf(assetId, assets.get(assetId)?.peaksUrl)),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(
    () => new Map(sources.flatMap(({ id }, i) => (heard[i] ? [[id, heard[i]] as const] : []))),
    [sources, heard],
  )
}
