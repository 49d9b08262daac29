import { givenBack, type MonthUse } from '@clear-to-post/domain/plans'
import { asService, sql, type Tx } from '../db/tenant.ts'
import { extrasByMonth, freeExtra, takeExtra } from '../subscriptions/actions.ts'

/** What is counted for a month. Locks the count until the transaction ends, so that two submissions cannot share the last one. */
export const quotaUsed = (tx: Tx, userId: string, month: string): Promise<MonthUse> =>
  // Whoever takes a counted step, the service counts it: the officer may stand in no company that this actor serves.
  asService(tx, async () => {
    await tx.count(
      sql`insert into quota_use (user_id, month, used) values (${userId}, ${month}, 0) on conflict do nothing`,
    )
    const { used } = (await tx.first(sql<{ used: number }>`
      select used from quota_use where user_id = ${userId} and month = ${month} for update`))!
    return { used, extras: (await extrasByMonth(tx, userId, [month])).get(month) ?? 0 }
  })

/** Counts one project of a month by this right. Throws `project.quota-used` when the last bought video went meanwhile. */
export const useQuota = (tx: Tx, userId: string, month: string, right: 'plan' | 'free' | 'extra'): Promise<void> =>
  asService(tx, async () => {
    if (right === 'free')
      return void (await tx.count(sql`update person set free_projects = free_projects + 1 where id = ${userId}`))
    if (right === 'extra') await takeExtra(tx, userId, month)
    await tx.count(sql`
      insert into quota_use (user_id, month, used) values (${userId}, ${month}, 1)
      on conflict (user_id, month) do update set used = quota_use.used + 1`)
  })

export const giveQuotaBack = (
  tx: Tx,
  { userId, isFree }: { userId: string; isFree: boolean },
  month: string,
): Promise<void> =>
  asService(tx, async () => {
    if (isFree)
      return void (await tx.count(
        sql`update person set free_projects = greatest(free_projects - 1, 0) where id = ${userId}`,
      ))
    const left = givenBack(await quotaUsed(tx, userId, month))
    if (left.extraFreed) await freeExtra(tx, userId, month)
    await tx.count(sql`update quota_use set used = ${left.used} where user_id = ${userId} and month = ${month}`)
  })

/** What is counted for each of these months; a month without a count is absent. */
export const countedByMonth = async (
  tx: Tx,
  userId: string,
  months: readonly string[],
): Promise<Map<string, MonthUse>> => {
  const rows = await tx.rows(sql<{ month: string; used: number }>`
    select month, used from quota_use where user_id = ${userId} and month = any(${months as string[]})`)
  const extras = await extrasByMonth(tx, userId, months)
  return new Map(rows.map(({ month, used }) => [month, { used, extras: extras.get(month) ?? 0 }]))
}
