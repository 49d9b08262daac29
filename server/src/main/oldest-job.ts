import type { WorkClass } from '../kernel/lanes.ts'
import { sql, type Reader } from '../kernel/database.ts'
import { deadLetter } from '../kernel/queue.ts'
import type { Job } from '../kernel/work.ts'
import { registry } from './registry.ts'

/** Seconds that the oldest job which could run now has waited, of one class or of all; 0 when none does. */
export const oldestJob = async (tx: Reader, workClass?: WorkClass): Promise<number> =>
  (await tx.first(sql<{ age: number | null }>`
    select extract(epoch from now() - min(greatest(created_on, start_after)))::float as age from pgboss.job
    where state < 'active' and start_after <= now() and name <> ${deadLetter}
      and (${workClass === undefined} or name = any(${namesOf(workClass)}::text[]))`))!.age ?? 0

const namesOf = (workClass: WorkClass | undefined): string[] =>
  (Object.values(registry) as Job[]).filter((job) => (job.class ?? 'rest') === workClass).map(({ name }) => name)
