import type { CallReply } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import { jobs as calls, type GivenUpJob } from '@clear-to-post/contract/jobs'
import type { PageQuery } from '@clear-to-post/contract/page'
import { jobKinds, type JobKind } from '@clear-to-post/domain/job-kinds'
import { isServiceAdmin } from '@clear-to-post/domain/roles'
import type { Caller, Tx } from '../kernel/database.ts'
import { givenUpCounts, letRest, sendAgain, type Which } from '../kernel/given-up.ts'
import { page } from '../kernel/page.ts'
import { asService } from '../kernel/tenancy.ts'
import { redacted } from './redacted.ts'
import { givenUpPage, givenUpSelect, subjectsOf, type GivenUpRow, type SubjectRow } from './store.ts'

/**
 * Jobs that used up their tries, for the service's ADMIN: which they are, and what becomes of them. Throws `tenant.service-only` for
 * an ADMIN of one company.
 */
export const listGivenUp = async (
  tx: Tx,
  caller: Caller,
  query: PageQuery,
): Promise<CallReply<typeof calls.givenUp>> => {
  requireService(caller)
  return asService(tx, async () => {
    const { rows, nextCursor } = await page(tx, calls.givenUp.page, givenUpPage, query, givenUpSelect)
    const found = await subjectsOf(
      tx,
      rows.map(({ id }) => id),
    )
    const subjects = new Map(found.map((one) => [one.job_id, one]))
    return { items: rows.map((row) => present(row, subjects.get(row.id))), nextCursor }
  })
}

export const countGivenUp = async (tx: Tx, caller: Caller): Promise<CallReply<typeof calls.counts>> => {
  requireService(caller)
  const found = await asService(tx, () => givenUpCounts(tx))
  const counts = Map.groupBy(found, ({ name }) => kindOf(name))
  return {
    items: [...counts].map(([kind, same]) => ({ kind, count: same.reduce((sum, { count }) => sum + count, 0) })),
  }
}

/** Sends them again, or lets them rest; answers of how many that was done. */
export const settleGivenUp = async (
  tx: Tx,
  caller: Caller,
  act: 'send-again' | 'let-rest',
  which: Which,
): Promise<{ count: number }> => {
  requireService(caller)
  return { count: await asService(tx, () => (act === 'send-again' ? sendAgain(tx, which) : letRest(tx, which))) }
}

const requireService = (caller: Caller): void => {
  if (!isServiceAdmin(caller)) throw refusal('tenant.service-only')
}

const kindOf = (name: string): JobKind | 'earlier' => jobKinds.find((kind) => kind === name) ?? 'earlier'

const present = (row: GivenUpRow, subject: SubjectRow | undefined): GivenUpJob => {
  const kind = kindOf(row.kind)
  return {
    id: row.id,
    kind,
    at: row.at.toISOString(),
    ...(row.asked_at === null ? {} : { askedAt: row.asked_at.toISOString() }),
    // The first try is no repetition.
    ...(row.retry_count === null ? {} : { tries: row.retry_count + 1 }),
    why: redacted(row.why),
    ...(subject?.tenant_id ? { company: { id: subject.tenant_id, name: subject.tenant_name! } } : {}),
    ...(subject?.project_id ? { project: { id: subject.project_id, title: subject.title! } } : {}),
    sentBefore: row.sent_before,
    actions: kind === 'earlier' ? ['let-rest'] : ['send-again', 'let-rest'],
  }
}
