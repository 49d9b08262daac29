import type { PlanMetadata } from '@clear-to-post/domain/plans'
import { reaches, sql, type Caller, type Reader, type Tx } from '../db/tenant.ts'

export type ProductRow = {
  id: string
  name: string
  descriptions: { description: string; subtitle: string }
  metadata: { position: number; [key: string]: unknown }
  percent_off: number
  plans: { id: string; currency: string; price: number; interval: 'month' | 'year'; metadata: PlanMetadata }[]
}

/** What we sell, ascending by the metadata's position, each product's plans by rank and price. */
export const productsOnSale = (tx: Reader) =>
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

/** One product on the shelf. */
export const productOnSale = async (tx: Tx, id: string) =>
  (await productsOnSale(tx)).find((product) => product.id === id)

export type SubscriptionRow = {
  id: string
  status: string
  start_date: Date
  current_period_start: Date | null
  current_period_end: Date | null
  tenant_id: string | null
  plan_id: string
  product_id: string
}

/** A person's running subscription: the tenant's before their own. */
export const runningSubscription = (tx: Tx, userId: string) =>
  tx.first(sql<SubscriptionRow>`
    select s.*, l.product_id from person p
    join subscription s on s.user_id = p.id or s.tenant_id = (select t.id from tenant t where t.id = p.tenant_id and t.is_active)
    join plan l on l.id = s.plan_id
    where p.id = ${userId} and s.status in ('active', 'trialing', 'past_due')
    order by s.tenant_id nulls last, s.start_date desc, s.id limit 1`)

/** Every product with its plans, also those no longer sold: somebody may still have one. */
export const productById = (tx: Tx, id: string) =>
  tx.first(sql<ProductRow>`
    select p.id, p.name, p.descriptions, p.metadata, p.percent_off, coalesce((
      select json_agg(json_build_object('id', l.id, 'currency', l.currency, 'price', l.price, 'interval', l.interval,
                                        'metadata', l.metadata))
      from plan l where l.product_id = p.id), '[]') as plans
    from product p where p.id = ${id}`)

/** What the caller's tenant lets its people choose; null allows everything. */
export const allowedProducts = async (tx: Tx, tenantId: string | null): Promise<string[] | null> =>
  (
    await tx.first(sql<{ allowed: string[] | null }>`
    select allowed_products as allowed from tenant where id = ${tenantId}::uuid`)
  )?.allowed ?? null

export const personInReach = async (tx: Tx, caller: Caller, userId: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from person where id = ${userId} and ${reaches(caller, sql`tenant_id`)}`)) !== undefined

/** One running subscription a tenant, the newest. */
export const subscriptionsOfTenants = (tx: Tx, tenantIds: readonly string[]) =>
  tx.rows(sql<SubscriptionRow>`
    select distinct on (s.tenant_id) s.*, l.product_id from subscription s join plan l on l.id = s.plan_id
    where s.tenant_id = any(${tenantIds}::uuid[]) and s.status in ('active', 'trialing', 'past_due')
    order by s.tenant_id, s.start_date desc, s.id`)

export const unknownProducts = async (
  tx: Tx,
  { products, plans }: { products: readonly string[]; plans: readonly string[] },
): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select g.id from unnest(${products}::text[]) as g (id) where not exists (select from product p where p.id = g.id)
      union all
      select g.id from unnest(${plans}::text[]) as g (id) where not exists (select from plan p where p.id = g.id)`)
  ).map(({ id }) => id)

export const endSubscriptions = (tx: Tx, userId: string) =>
  tx.count(sql`
    update subscription set status = 'canceled' where user_id = ${userId} and status in ('active', 'trialing', 'past_due')`)
