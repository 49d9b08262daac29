import { sql, type Reader, type Tx } from './database.ts'
import { deadLetter, type JobName } from './queue.ts'

/** A job that used up its tries. Its data names rows; that of a notice holds the title of its video. */
export type GivenUpJob = { id: string; name: JobName; data: Record<string, unknown>; at: Date; why: string }

/** Jobs that were given up and not sent again since, the newest first, a hundred at most; they are kept for two weeks. */
export const givenUpJobs = (tx: Reader): Promise<GivenUpJob[]> =>
  tx.rows(sql<GivenUpJob>`
    select id, coalesce(source_name, name) as name, data, created_on as at,
      coalesce(source_output->>'message', output->>'message', 'its worker died') as why
    from pgboss.job where name = ${deadLetter} and state < 'active' order by created_on desc, id limit 100`)

/** How many there are, by what they are. */
export const givenUpCounts = (tx: Reader): Promise<{ name: string; count: number }[]> =>
  tx.rows(sql<{ name: string; count: number }>`
    select coalesce(source_name, 'job') as name, count(*)::integer as count from pgboss.job
    where name = ${deadLetter} and state < 'active' group by 1 order by 2 desc, 1`)

/**
 * Sends jobs again, each to where it came from, with all its tries: one of this id, or all of this kind. Answers how many. A
 * job reads the rows that it names when it runs, so one that is no longer needed does nothing.
 */
export const sendAgain = async (tx: Tx, which: { id: string } | { name: JobName }): Promise<number> => {
  const filter = 'id' in which ? { ids: [which.id] } : { sourceName: which.name }
  const sent = await tx.queue.boss.redrive(deadLetter, { ...filter, db: tx })
  if ('name' in which) tx.enqueued.add(which.name)
  return sent
}
