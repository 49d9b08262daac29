import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../src/kernel/database.ts'
import type { Service } from './service.ts'

/** What has become of an upload: its state, its jobs, and its bytes while they wait to be checked. */
export const arrivedAt = (service: () => Service) => {
  const inQuarantine = (id: string): string => join(service().config.dataDir, 'media', 'quarantine', id)
  return {
    /** Undefined where there is no such upload. */
    stateOf: async (id: string): Promise<string | undefined> =>
      (
        await service().database.asSystem((tx) =>
          tx.first(sql<{ state: string }>`select state from asset where id = ${id}`),
        )
      )?.state,
    /** How many times it was given to be checked. */
    jobsOf: async (id: string): Promise<number> =>
      (await service().database.asSystem((tx) =>
        tx.first(
          sql<{ n: number }>`select count(*) as n from pgboss.job where name = 'ingest' and data->>'assetId' = ${id}`,
        ),
      ))!.n,
    inQuarantine,
    /** As `hashOf` says it. */
    quarantined: async (id: string): Promise<string> => hashOf(await readFile(inQuarantine(id))),
  }
}

/** SHA-256, in hex. */
export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
