import { sql, type Tx } from './database.ts'
import { enqueue, enqueueEach, type JobName, type Jobs } from './queue.ts'

/** Long work waits below all other of its kind; a lane with `quickFrom` above it is kept free of it. */
export const longPriority = -1_000_000_000

/**
 * Enqueues a job in the turn of its company, and within the company in the turn of its owner, over all hosts: of everybody
 * who waits one goes after the other, however many each of them has. Who comes anew begins at the place of what runs now, so
 * nobody is passed for ever. `company` is left out where there is none. `isLong`: among the long ones. With `oneEach` each
 * owner has one running in a worker.
 */
export const enqueueInTurn = async <Name extends JobName>(
  tx: Tx,
  name: Name,
  data: Jobs[Name],
  {
    owner,
    company = owner,
    isLong = false,
    startAfter,
  }: { owner: string; company?: string | undefined; isLong?: boolean; startAfter?: Date | undefined },
): Promise<void> => {
  const top = isLong ? longPriority : 0
  // `round`: how many of the owner's are before it. A company's place is behind those of its own of the same round or before.
  const turn = (await tx.first(sql<{ round: number; place: number }>`
    with open as materialized (
      select j.state < 'active' as waits, j.start_after <= now() as may_go, j.group_id, ${top}::integer - j.priority as place, j.data->'turn'->>'company' as company,
        (j.data->'turn'->>'round')::integer as round
      from pgboss.job j
      where j.name = ${name} and j.state <= 'active' and (j.priority <= ${longPriority}::integer) = ${isLong}),
    own as (select coalesce(max(round) + 1, 0) as round from open where group_id = ${owner})
    select own.round, greatest(0,
      (select least(max(place) filter (where not waits), min(place) filter (where waits and may_go)) from open),
      (select max(place) + 1 from open o where o.company = ${company} and o.round <= own.round)) as place
    from own`))!
  const { round, place } = turn
  await enqueue(
    tx,
    name,
    { ...data, turn: { company, round } },
    { owner, priority: top - place, ...(startAfter && { startAfter }) },
  )
}

/**
 * Enqueues many jobs of a kind that nobody waits for, in the turns of their companies: behind all that was enqueued by itself,
 * one of each company after the other, and of a company in this order. Who has none waiting begins with those that go next, and what
 * waits for its next try goes when it may.
 */
export const enqueueAllInTurn = async <Name extends JobName>(
  tx: Tx,
  name: Name,
  all: readonly { data: Jobs[Name]; company: string }[],
): Promise<void> => {
  if (all.length === 0) return
  const companies = [...new Set(all.map(({ company }) => company))]
  // Both by an index of the queue's (queue.ts): of a hundred thousand that wait, a few rows are read. How far a company's reach
  // is said by the last of those that were enqueued at once, for it is the last one to go.
  const open = await tx.rows(sql<{ company: string; next: number }>`
    with waits as not materialized (
      select j.priority, j.start_after, j.data->'turn'->>'company' as company from pgboss.job j
      where j.name = ${name} and j.state < 'active' and not j.blocked and j.priority between ${longPriority + 1}::integer and -1),
    begins as (select coalesce(
      (select -1 - priority from waits where start_after <= now() order by priority desc limit 1), 0) as at)
    select c.company, greatest(begins.at,
      (select -priority from waits w where w.company = c.company order by priority limit 1)) as next
    from unnest(${companies}::text[]) c(company), begins`)
  const next = new Map(open.map((one) => [one.company, one.next]))
  const lastOf = new Map(all.map(({ company }, at) => [company, at]))
  await enqueueEach(
    tx,
    name,
    all.map(({ data, company }, at) => {
      const place = next.get(company) ?? 0
      next.set(company, place + 1)
      return { data: at === lastOf.get(company) ? { ...data, turn: { company } } : data, priority: -1 - place }
    }),
  )
}
