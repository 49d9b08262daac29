import { sql, type Tx } from '../db/tenant.ts'

/** Whose quota: the month's count of a plan, or the one free project. */
type Whose = { userId: string; isFree: boolean }

/** Projects counted for a month. Locks the count until the transaction ends, so that two submissions cannot share the last one. */
export const quotaUsed = async (tx: Tx, userId: string, month: string): Promise<number> => {
  await tx.count(
    sql`insert into quota_use (user_id, month, used) values (${userId}, ${month}, 0) on conflict do nothing`,
  )
  return (await tx.first(sql<{ used: number }>`
    select used from quota_use where user_id = ${userId} and month = ${month} for update`))!.used
}

export const useQuota = async (tx: Tx, { userId, isFree }: Whose, month: string): Promise<void> => {
  if (isFree) await tx.count(sql`update person set free_projects = free_projects + 1 where id = ${userId}`)
  else
    await tx.count(sql`
      insert into quota_use (user_id, month, used) values (${userId}, ${month}, 1)
      on conflict (user_id, month) do update set used = quota_use.used + 1`)
}

export const giveQuotaBack = async (tx: Tx, { userId, isFree }: Whose, month: string): Promise<void> => {
  if (isFree) await tx.count(sql`update person set free_projects = greatest(free_projects - 1, 0) where id = ${userId}`)
  else
    await tx.count(
      sql`update quota_use set used = used - 1 where user_id = ${userId} and month = ${month} and used > 0`,
    )
}

/** Projects counted for each of these months; a month without a count is absent. */
export const countedByMonth = async (
  tx: Tx,
  userId: string,
  months: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await tx.rows(sql<{ month: string; used: number }>`
    select month, used from quota_use where user_id = ${userId} and month = any(${months as string[]})`)
  return new Map(rows.map(({ month, used }) => [month, used]))
}
