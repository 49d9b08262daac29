import { useEffect, useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Clip } from '@clear-to-post/contract/clips'
import { edits, type Edit } from '@clear-to-post/contract/edits'
import type { ClipFile } from '@clear-to-post/edit/commands/layers'
import { clipsNamed, type Recipe } from '@clear-to-post/edit/recipe'
import { keyOf } from '../../api.ts'

/** The clips that the edit shows, by their files: as the service knows them, and those that were chosen a moment ago. */
export const useClips = (edit: Edit) => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Clip>>(() => new Map())
  const clips = useMemo(
    () => new Map([...chosen, ...edit.clips.map((clip) => [clip.asset.assetId, clip] as const)]),
    [chosen, edit.clips],
  )
  return {
    clips: clips as ReadonlyMap<string, Clip>,
    know: (clip: Clip) => setChosen((before) => new Map(before).set(clip.asset.assetId, clip)),
  }
}

export type Clips = ReturnType<typeof useClips>

/** Work that was kept in the browser may name clips that this page has not heard of: they are asked for once it is saved. */
export const useMissingClips = (
  edit: Edit,
  recipe: Recipe,
  { isSaved, assets }: { isSaved: boolean; assets: ReadonlyMap<string, unknown> },
): void => {
  const client = useQueryClient()
  const missing = clipsNamed(recipe)
    .filter((id) => !assets.has(id))
    .join(' ')
  const { projectId } = edit
  useEffect(() => {
    if (missing !== '' && isSaved)
      void client.invalidateQueries({ queryKey: keyOf(edits.find, { params: { projectId } }) })
  }, [client, projectId, missing, isSaved])
}

/** What a place for a clip depends on. */
export const fileOf = ({ asset }: Pick<Clip, 'asset'>): ClipFile => ({
  assetId: asset.assetId,
  durationMs: asset.type === 'picture' ? null : Math.floor((asset.duration ?? 0) * 1000),
})
