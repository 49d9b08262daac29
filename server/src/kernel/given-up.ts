import type { GivenUpAct } from '@clear-to-post/domain/job-kinds'
import type { RawBuilder } from 'kysely'
import { sql, type Reader, type Tx } from './database.ts'
import { deadLetter, type JobName } from './queue.ts'

/** A job that used up its tries. Its data names rows; that of a notice holds the title of its video. */
export type GivenUpJob = { id: string; name: JobName; data: Record<string, unknown>; at: Date; why: string }

/** The words of the last error of a job `j` that was given up. */
export const lastWords = sql`coalesce(j.source_output->>'message', j.output->>'message', 'its worker died')`
/** Of jobs `j`: was given up, and nobody has decided yet what becomes of it. */
export const isGivenUp = sql`j.name = ${deadLetter} and j.state < 'active'`

/** Jobs that were given up and not sent again since, the newest first, a hundred at most; they are kept for two weeks. */
export const givenUpJobs = (tx: Reader): Promise<GivenUpJob[]> =>
  tx.rows(sql<GivenUpJob>`
    select j.id, coalesce(j.source_name, j.name) as name, j.data, j.created_on as at, ${lastWords} as why
    from pgboss.job j where ${isGivenUp} order by j.created_on desc, j.id limit 100`)

/** How many there are, by what they are. */
export const givenUpCounts = (tx: Reader): Promise<{ name: string; count: number }[]> =>
  tx.rows(sql<{ name: string; count: number }>`
    select coalesce(j.source_name, 'job') as name, count(*)::integer as count from pgboss.job j
    where ${isGivenUp} group by 1 order by 2 desc, 1`)

/** Which jobs: of these ids, or all of a kind. */
export type Which = { ids: readonly string[] } | { name: JobName }

/** So many are settled at once at most, the oldest first. */
const mostAtOnce = 1000

/**
 * Sends jobs again, each to where it came from, with all its tries, and writes that down. Answers how many. A job reads the rows
 * that it names when it runs, so one that is no longer needed does nothing. As the service.
 */
export const sendAgain = async (tx: Tx, which: Which): Promise<number> => {
  const found = await hold(
    tx,
    sql`${asked(which)} and exists (select from pgboss.queue q where q.name = j.source_name)`,
  )
  if (found.length === 0) return 0
  await settle(tx, found, 'send-again')
  const sent = await tx.queue.boss.redrive(deadLetter, { ids: found, limit: found.length, db: tx })
  if (sent !== found.length) throw new Error(`${found.length} jobs were to be sent again, and ${sent} were`)
  if ('name' in which) tx.enqueued.add(which.name)
  return sent
}

/** Lets jobs rest: nobody is reminded of them any more. Answers how many. As the service. */
export const letRest = async (tx: Tx, which: Which): Promise<number> => {
  const found = await hold(tx, asked(which))
  if (found.length === 0) return 0
  await settle(tx, found, 'let-rest')
  await tx.queue.boss.cancel(deadLetter, found, { db: tx })
  return found.length
}

const asked = (which: Which): RawBuilder<unknown> =>
  'ids' in which ? sql`j.id = any(${[...which.ids]}::uuid[])` : sql`j.source_name = ${which.name}`

// Whoever else settles one at this moment is waited for, and then it is theirs.
const hold = async (tx: Tx, condition: RawBuilder<unknown>): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select j.id from pgboss.job j where ${isGivenUp} and ${condition}
      order by j.created_on, j.id limit ${mostAtOnce} for update of j`)
  ).map(({ id }) => id)

const settle = (tx: Tx, ids: readonly string[], act: GivenUpAct): Promise<number> =>
  tx.count(sql`
    insert into settled_job (id, first_id, kind, act)
    select j.id, coalesce(j.source_root_id, j.source_id, j.id), coalesce(j.source_name, j.name), ${act}
    from pgboss.job j where j.name = ${deadLetter} and j.id = any(${[...ids]}::uuid[])`)
