import { useQueries, useQuery } from '@tanstack/react-query'
import { assets, type Asset } from '@clear-to-post/contract/assets'
import { query } from '../../api.ts'
import { picturesInHand } from './pictures-in-hand.ts'
import { phaseOf, phaseOfUpload, type Phase } from './phase.ts'
import { useUploads, type Upload } from './uploads.ts'

/** A file on its way or waiting to be used: this browser's upload, the service's asset, or both. */
export type Waiting = {
  key: string
  name: string
  upload: Upload | undefined
  asset: Asset | undefined
  phase: Phase
}

/**
 * Every file of mine that belongs to no project yet, and the staff's cuts on their way; oldest first. `asOf`: when the service was
 * last asked, in `Date.now()` time.
 */
export const useWaiting = (): { items: Waiting[]; isPending: boolean; asOf: number } => {
  const uploads = useUploads()
  const unused = useQuery({
    ...query(assets.unused, {}),
    // Live events tell first; this is for the times when they do not arrive.
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? 4000 : false),
  })
  const cuts = useQueries({
    queries: uploads
      .filter(({ projectId, assetId, state }) => projectId !== undefined && assetId !== null && state === 'sent')
      .map(({ assetId }) => ({
        ...query(assets.find, { params: { assetId: assetId! } }),
        refetchInterval: ({ state }: { state: { data?: Asset } }) =>
          state.data === undefined || isMoving(state.data) ? (3000 as const) : (false as const),
      })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  })

  const takes = (unused.data?.items ?? []).filter(({ assetId }) => !picturesInHand.has(assetId))
  const known = new Map([...takes, ...cuts].map((asset) => [asset.assetId, asset]))
  const mine = uploads.flatMap((upload): Waiting[] => {
    const asset = upload.assetId === null ? undefined : known.get(upload.assetId)
    if (asset) known.delete(asset.assetId)
    // Submitted or thrown away meanwhile: the fresh list no longer has it.
    const isGone =
      upload.state === 'sent' && !asset && upload.projectId === undefined && unused.dataUpdatedAt > (upload.sentAt ?? 0)
    if (isGone) return []
    const phase = phaseOfUpload(upload, asset)
    return [{ key: upload.key, name: upload.fileName, upload, asset, phase }]
  })
  const others = [...known.values()].reverse().map((asset): Waiting => ({
    key: asset.assetId,
    name: asset.fileName,
    upload: undefined,
    asset,
    phase: phaseOf(asset),
  }))
  return { items: [...others, ...mine], isPending: unused.isPending, asOf: unused.dataUpdatedAt }
}

const isMoving = ({ state }: Asset): boolean => state !== 'ready' && state !== 'rejected' && state !== 'failed'
