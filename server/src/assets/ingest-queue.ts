import { sql, type Tx } from '../kernel/database.ts'
import { enqueueInTurn } from '../kernel/enqueue-in-turn.ts'

/** Enqueues the ingest of a file in the turn of its author and their company. `isLong`: among the long ones. */
export const enqueueIngest = async (
  tx: Tx,
  assetId: string,
  { isLong = false, startAfter }: { isLong?: boolean; startAfter?: Date } = {},
): Promise<void> => {
  const author = await tx.first(sql<{ id: string; tenant_id: string | null }>`
    select a.author_id as id, p.tenant_id from asset a left join person p on p.id = a.author_id where a.id = ${assetId}`)
  if (!author) return
  const { id: owner, tenant_id } = author
  await enqueueInTurn(
    tx,
    'ingest',
    { assetId, ...(isLong && { isLong }) },
    { owner, company: tenant_id ?? undefined, isLong, startAfter },
  )
}
