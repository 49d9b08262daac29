import type { PlanMetadata, Standing } from '@clear-to-post/domain/plans'
import { sql, type Tx } from '../db/tenant.ts'

/** A person's standing right to submit: the tenant's running subscription counts first, the person's own second. */
export const standingOf = async (tx: Tx, userId: string): Promise<Standing> => {
  const row = await tx.first(sql<{ plan: PlanMetadata | null; free_project_used: boolean }>`
    select u.free_project_used, (
      select p.metadata from subscription s join plan p on p.id = s.plan_id
      where (s.tenant_id = u.tenant_id or s.user_id = u.id) and s.status in ('active', 'trialing', 'past_due')
      order by s.tenant_id is null, s.start_date desc limit 1
    ) as plan
    from person u where u.id = ${userId}`)
  return { plan: row?.plan ?? null, freeProjectUsed: row?.free_project_used ?? true }
}
