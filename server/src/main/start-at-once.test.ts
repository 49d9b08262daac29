import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { isLong } from '../../test/random.ts'
import { readConfig } from '../kernel/config.ts'
import { openMigratedDatabase } from './database.ts'
import { startHttp } from './http.ts'

const [servers, rounds] = isLong ? [16, 50] : [6, 1]

it.for([['an empty database', 'template0'], ...(isLong ? [['a migrated database', undefined]] : [])])(
  `${servers} servers that start at once on %s all come up`,
  { timeout: 3_600_000 },
  async ([, template]) => {
    const failed: string[] = []
    for (let round = 1; round <= rounds; round++) {
      const database = await freshDatabase(template)
      const folder = await aFolder()
      const starts = await Promise.allSettled(
        Array.from({ length: servers }, (_, n) => startAndStop(database.ownerUrl, join(folder, `host-${n}`))),
      )
      failed.push(...starts.flatMap((one) => (one.status === 'rejected' ? [`round ${round}: ${one.reason}`] : [])))
      await database.drop()
      if (isLong) console.log(`round ${round}: ${failed.length} failed starts so far`)
    }
    expect(failed).toEqual([])
  },
)

it('a server defines queues and grants while no other one can', async () => {
  const database = await freshDatabase()
  const DATA_DIR = await aFolder()
  const other = new pg.Client({ connectionString: database.superuserUrl })
  await other.connect()
  onTestFinished(async () => {
    await other.end()
    await database.drop()
  })
  // The queues' definitions are held, so the server stands in the middle of them.
  await other.query('begin; lock table pgboss.queue in access exclusive mode')
  const config = readConfig({ DATABASE_URL: database.ownerUrl, DATA_DIR, LOG_LEVEL: 'silent', SEED: 'none' })
  const opened = openMigratedDatabase(config, { log: () => {} })
  const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'pgboss.queue'::regclass`
  await expect.poll(async () => (await other.query(waiting)).rows[0].n).toBe(1)
  const held = `select count(*)::int as n from pg_locks where granted and locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`
  expect((await other.query(held)).rows[0].n).toBe(1)
  await other.query('rollback')
  await (await opened).close()
})

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-starts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const startAndStop = async (DATABASE_URL: string, DATA_DIR: string): Promise<void> => {
  const config = readConfig({ DATABASE_URL, DATA_DIR, LOG_LEVEL: 'silent', SEED: 'none', PORT: '0', HOST: '127.0.0.1' })
  const { appUrl } = await openMigratedDatabase(config, { log: () => {} })
  const http = await startHttp({ config, appUrl })
  await http.close()
}
