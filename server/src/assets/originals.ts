import type { Light } from '@clear-to-post/edit/balance'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { Probe } from '@clear-to-post/media/probe'
import { sql, type Reader } from '../kernel/database.ts'
import { storage } from '../outside/storage.ts'
import { isForProject, type AssetRow } from './store.ts'

/**
 * What a job needs of a checked file: where it lies, its sha-256, what was found in it, what its pictures are like
 * (missing where an earlier release examined the file), and where its proxy lies (missing until it is made).
 */
export type Original = {
  path: string
  hash: string
  probe: Probe
  light?: Light | undefined
  proxy?: string | undefined
  /** The file of how loud it is heard to be. */
  peaks?: string | undefined
  /** What its recorder noted; missing of a file that was chosen. */
  log?: TakeLog | undefined
}

/**
 * The originals of these files, by id, as far as they are still there; `for`: and as far as this project's edit may show
 * them. For the service's own jobs.
 */
export const originalsOf = async (
  tx: Reader,
  ids: readonly string[],
  { for: projectId }: { for?: string } = {},
): Promise<Map<string, Original>> => {
  const rows = await tx.rows(sql<
    Pick<AssetRow, 'id' | 'derived'> & { sha256: string; probe: Probe; take_log: TakeLog | null }
  >`
    select id, derived, sha256, probe, take_log from asset
    where id = any(${ids}) and state = 'ready' and sha256 is not null and probe is not null
      and ${projectId === undefined ? sql`true` : isForProject(projectId)}`)
  const found = await Promise.all(
    rows.map(async ({ id, derived: { original, light, proxy, peaks }, sha256, probe, take_log }) => {
      if (!original || !(await isThere(id, original))) return []
      const madeOf = async (name: string | undefined) =>
        name && (await isThere(id, name)) ? storage().path(id, name) : undefined
      const made = { proxy: await madeOf(proxy), peaks: await madeOf(peaks) }
      return [
        [
          id,
          { path: storage().path(id, original), hash: sha256, probe, light, log: take_log ?? undefined, ...made },
        ] as const,
      ]
    }),
  )
  return new Map(found.flat())
}

/** A disk that lost a file is known at once, not after every try of a job. */
const isThere = async (id: string, name: string): Promise<boolean> => {
  const file = await storage().open(id, name)
  await file?.close()
  return file !== undefined
}
