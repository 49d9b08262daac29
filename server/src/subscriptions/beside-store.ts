import { hasDutySql } from '../kernel/domain-sql.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { entitlesNow, goesOnCharging } from '../kernel/entitled.ts'
import { isOver } from '../kernel/notice-over.ts'

/**
 * Of this person, or of everybody of this company: who goes on paying a plan of their own while one that their company pays counts
 * for them and was not told of these two plans, and who was told and it is so no more. Whoever was told before it ended, and it is
 * so again, is told again. As the service.
 */
export const paidBeside = async (tx: Tx, { userId, tenantId }: { userId?: string; tenantId?: string }, now: Date) => {
  const isWho = userId === undefined ? sql`p.tenant_id = ${tenantId}` : sql`p.id = ${userId}`
  const beside = sql`
    select distinct on (p.id) p.id as user_id, t.name as company, 'paid beside ' || o.id || ' ' || s.id as cause
    from person p join tenant t on t.id = p.tenant_id and t.is_active
    join subscription o on o.user_id = p.id and ${goesOnCharging} join subscription s on s.tenant_id = t.id and ${entitlesNow(now)}
    where ${isWho} and not p.is_disabled and ${hasDutySql(sql`p.role`, 'film')}
    order by p.id, s.start_date, s.id, o.id`
  const isOfThem = sql`n.user_id = b.user_id and starts_with(n.cause, b.cause)`
  const untold = await tx.rows(sql<{ user_id: string; company: string; cause: string }>`
    select b.user_id, b.company, b.cause || coalesce((
      select ' ' || count(*) from notification n where ${isOfThem} and ${isOver} having count(*) > 0), '') as cause
    from (${beside}) b where not exists (select from notification n where ${isOfThem} and not ${isOver})`)
  const over = await tx.rows(sql<{ user_id: string; cause: string }>`
    with beside as (${beside})
    select n.user_id, n.cause from person p join notification n on n.user_id = p.id
    where ${isWho} and exists (select from subscription o where o.user_id = p.id)
      and starts_with(n.cause, 'paid beside ') and not ${isOver} and not exists (select from beside b where ${isOfThem})`)
  return { untold, over }
}
