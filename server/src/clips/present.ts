import type { Clip } from '@clear-to-post/contract/clips'
import { mayWriteClips } from '@clear-to-post/domain/access'
import { assetsById, presentAsset } from '../assets/actions.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import type { ClipRow } from './store.ts'

/** Clips with their files and what the caller may do with them; one whose file is gone is left out. */
export const presentClips = async (
  tx: Reader,
  caller: Caller,
  rows: readonly ClipRow[],
  now: Date,
): Promise<Clip[]> => {
  const files = await assetsById(
    tx,
    rows.map(({ asset_id }) => asset_id),
  )
  return rows.flatMap((row) => {
    const file = files.get(row.asset_id)
    return file
      ? [
          {
            id: row.id,
            tenantId: row.tenant_id,
            ...(row.tenant_name === null ? {} : { tenantName: row.tenant_name }),
            title: row.title,
            tags: row.tags,
            asset: presentAsset(file, now),
            addedAt: row.added_at.toISOString(),
            isRemoved: row.removed_at !== null,
            actions: mayWriteClips(caller, { tenantId: row.tenant_id }) ? (['change'] as const).slice() : [],
          },
        ]
      : []
  })
}
