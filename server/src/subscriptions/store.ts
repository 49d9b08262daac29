import type { PlanMetadata } from '@clear-to-post/domain/plans'
import { sql, type Tx } from '../db/tenant.ts'

export type ProductRow = {
  id: string
  name: string
  descriptions: { description: string; subtitle: string }
  metadata: { position: number; [key: string]: unknown }
  percent_off: number
  plans: { id: string; currency: string; price: number; interval: 'month' | 'year'; metadata: PlanMetadata }[]
}

/** What we sell, ascending by the metadata's position, each product's plans by rank and price. */
export const productsOnSale = (tx: Tx) =>
  tx.rows(sql<ProductRow>`
    select p.id, p.name, p.descriptions, p.metadata, p.percent_off, coalesce((
      select json_agg(json_build_object('id', l.id, 'currency', l.currency, 'price', l.price, 'interval', l.interval,
                                        'metadata', l.metadata)
                      order by (l.metadata->>'rank')::integer, l.price, l.id)
      from plan l where l.product_id = p.id), '[]') as plans
    from product p where p.is_active order by (p.metadata->>'position')::numeric, p.id`)

/** A person's free project, and the plan that counts: the tenant's before their own. Undefined: nobody we may see. */
export const entitlementOf = (tx: Tx, userId: string) =>
  tx.first(sql<{ free_projects: number; plan: PlanMetadata | null }>`
    select p.free_projects, (
      select l.metadata from subscription s join plan l on l.id = s.plan_id
      where s.status in ('active', 'trialing', 'past_due')
        and (s.user_id = p.id or s.tenant_id = (select t.id from tenant t where t.id = p.tenant_id and t.is_active))
      order by s.tenant_id nulls last, s.start_date desc, s.id limit 1) as plan
    from person p where p.id = ${userId}`)
