import type { PlanMetadata } from '@clear-to-post/domain/plans'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { isRunning } from '../kernel/entitled.ts'

export type SoldPlanRow = {
  id: string
  currency: string
  price: number
  interval: 'month' | 'year'
  metadata: PlanMetadata
  is_active: boolean
  subscribers: number
}

export type SoldProductRow = {
  id: string
  name: string
  descriptions: { description: string; subtitle: string }
  metadata: { position: number; [key: string]: unknown }
  is_active: boolean
  /** First those on sale, by rank and price. */
  plans: SoldPlanRow[]
}

const soldProduct = sql`p.id, p.name, p.descriptions, p.metadata, p.is_active, coalesce((
  select json_agg(json_build_object('id', l.id, 'currency', l.currency, 'price', l.price, 'interval', l.interval,
      'metadata', l.metadata, 'is_active', l.is_active, 'subscribers', (
        select count(*)::integer from subscription s where s.plan_id = l.id and ${isRunning}))
    order by l.is_active desc, (l.metadata->>'rank')::integer, l.price, l.id)
  from plan l where l.product_id = p.id), '[]') as plans`

/** All that was ever sold, what is sold first, in the order of the page. */
export const soldProducts = (tx: Reader) =>
  tx.rows(sql<SoldProductRow>`
    select ${soldProduct} from product p order by p.is_active desc, (p.metadata->>'position')::numeric, p.id limit 100`)

export const soldProductById = (tx: Reader, id: string) =>
  tx.first(sql<SoldProductRow>`select ${soldProduct} from product p where p.id = ${id}`)

export type CouponRow = {
  id: string
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  months: number | null
  redeem_by: Date | null
  most_uses: number | null
  uses: number
  is_valid: boolean
  used_by: string[]
}

const couponRow = sql`c.id, c.percent_off::double precision as percent_off, c.amount_off, c.currency, c.months, c.redeem_by,
  c.most_uses, c.uses, c.is_valid, array(
    select p.name from product p where p.metadata->>'coupon' = c.id
    union all
    select t.name from tenant t where upper(t.default_coupon_code) = upper(c.id) order by 1 limit 20) as used_by`

/** Those that can be used first, each with twenty of those that name it. */
export const allCoupons = (tx: Reader) =>
  tx.rows(sql<CouponRow>`select ${couponRow} from coupon c order by c.is_valid desc, c.id limit 200`)

export const couponById = (tx: Reader, id: string) =>
  tx.first(sql<CouponRow>`select ${couponRow} from coupon c where c.id = ${id}`)

/** Whether a code is or ever was a coupon's, however it is written. */
export const wasCoupon = async (tx: Reader, id: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from coupon where upper(id) = upper(${id})`)) !== undefined

/** How long a change may take at the provider, with its repeats. */
const changeMs = 3 * 60_000

/** Marks a product as being changed, until it is or the mark ends; false while another change is under way. For the service. */
export const beginProductChange = async (
  tx: Tx,
  id: string,
  { by, now }: { by: string; now: Date },
): Promise<boolean> =>
  (await tx.count(sql`
    update product set changing_until = ${new Date(now.getTime() + changeMs)}, changing_by = ${by}
    where id = ${id} and (changing_until is null or changing_until <= ${now} or changing_by = ${by})`)) === 1

/** Takes the mark of a change away. For the service. */
export const endProductChange = (tx: Tx, id: string, by: string) =>
  tx.count(sql`update product set changing_until = null, changing_by = null where id = ${id} and changing_by = ${by}`)

/** Newcomers of companies get the plan that is sold instead of one that is no longer. For the service. */
export const replaceDefaultPlan = (tx: Tx, retired: string, sold: string) =>
  tx.count(sql`update tenant set default_plan_id = ${sold} where default_plan_id = ${retired}`)
