import { useMemo } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { edits, type RenderAhead } from '@clear-to-post/contract/edits'
import { heldSources } from '@clear-to-post/edit/commands/steady'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { steadyPath, type Shake, type SteadyPath } from '@clear-to-post/edit/steady'
import { query } from '../../api.ts'

/** How the frames of the recordings are moved that are held steady, by the recording's id, as far as that was measured. */
export type SteadyPaths = ReadonlyMap<string, SteadyPath>

export const useSteadyPaths = (projectId: string, recipe: Recipe): SteadyPaths => {
  const { data } = useQuery(query(edits.ahead, { params: { projectId } }))
  const held = useMemo(() => heldSources(recipe), [recipe])
  const { sources, output } = recipe
  const wanted = held.flatMap((id) => {
    const found = shakeOf(data, sources.find((source) => source.id === id)?.assetId, output.fps)
    return found?.url ? [{ id, assetId: found.assetId, url: found.url }] : []
  })
  const paths = useQueries({
    // Asked for once: the address is signed and changes, what was measured does not.
    queries: wanted.map(({ assetId, url }) => ({
      queryKey: ['shake', assetId, output.fps],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const response = await fetch(url, { signal })
        if (!response.ok) throw new Error(`The shake answered ${response.status}`)
        return steadyPath((await response.json()) as Shake)
      },
      staleTime: Infinity,
      retry: 1,
    })),
    combine: (results) => results.map((result) => result.data),
  })
  const ids = wanted.map(({ id }) => id).join(' ')
  return useMemo(
    () => new Map(ids.split(' ').flatMap((id, i) => (paths[i] ? [[id, paths[i]] as const] : []))),
    [ids, paths],
  )
}

/** Of what is held steady: whether it is still measured, or could not be. */
export type SteadyState = 'measured' | 'waiting' | 'unknown'

export const useSteadyState = (projectId: string, recipe: Recipe): SteadyState => {
  const { data } = useQuery(query(edits.ahead, { params: { projectId } }))
  const found = heldSources(recipe).map((id) =>
    shakeOf(data, recipe.sources.find((source) => source.id === id)?.assetId, recipe.output.fps),
  )
  if (found.some((one) => one === undefined)) return 'waiting'
  return found.some((one) => one!.url === null) ? 'unknown' : 'measured'
}

const shakeOf = (ahead: RenderAhead | undefined, assetId: string | undefined, fps: Recipe['output']['fps']) =>
  ahead?.shakes.find((one) => one.assetId === assetId && one.fps.num === fps.num && one.fps.den === fps.den)
