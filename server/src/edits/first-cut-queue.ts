import { isLongFirstCut } from '@clear-to-post/domain/first-cut'
import { sourcesOfProject } from '../assets/actions.ts'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { enqueueInTurn } from '../kernel/enqueue-in-turn.ts'
import type { EditedProject } from './store.ts'

/**
 * Has the first cut of a project made in the turn of its company (of its officer, where there is none): whoever has many
 * that wait goes behind who has few. One that waits already does it.
 */
export const enqueueFirstCut = async (
  tx: Tx,
  { id, tenant_id, user_id }: Pick<EditedProject, 'id' | 'tenant_id' | 'user_id'>,
): Promise<void> => {
  const waits = await tx.first(sql<{ name: string }>`
    select j.name from pgboss.job j
    where j.name = 'first-cut' and j.state < 'active' and j.data->>'projectId' = ${id} limit 1`)
  if (waits) return
  const isLong = isLongFirstCut(await recordedMs(tx, id))
  await enqueueInTurn(tx, 'first-cut', { projectId: id }, { owner: tenant_id ?? user_id, isLong })
}

/** How long a project's recordings are together, ms. */
export const recordedMs = async (tx: Reader, projectId: string): Promise<number> =>
  (await sourcesOfProject(tx, projectId))
    .filter(({ type }) => type === 'video')
    .reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0)
