import { createHash } from 'node:crypto'
import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import type { catalogue, ProductForm, Terms } from '@clear-to-post/contract/catalogue'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { isServiceAdmin } from '@clear-to-post/domain/roles'
import type { OpenContext } from '../kernel/call.ts'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { payments, type ProductOrder, type Snapshot } from '../outside/payments/payments.ts'
import {
  allCoupons,
  beginProductChange,
  couponById,
  endProductChange,
  replaceDefaultPlan,
  soldProductById,
  soldProducts,
  wasCoupon,
  type CouponRow,
  type SoldPlanRow,
  type SoldProductRow,
} from './catalogue-store.ts'
import { beginReading, keepAll } from './mirror.ts'
import { asking } from './paying.ts'

/**
 * What is sold, changed by the service's ADMIN. The provider is asked first, without a transaction, and what it answers is
 * kept with their name in the audit log. A plan's terms never change: other terms are another plan, and the one before is
 * sold no more; who has it keeps it.
 */
type Context = Pick<OpenContext, 'database' | 'now' | 'requestId'> & { caller: Caller }
type Sold = CallReply<typeof catalogue.updateProduct>
type SoldCoupon = CallReply<typeof catalogue.createCoupon>

/** Everything that is or was sold. Throws `tenant.service-only`. */
export const readCatalogue = async (
  tx: Reader,
  caller: Caller,
  now: Date,
): Promise<CallReply<typeof catalogue.list>> => {
  requireSeller(caller)
  const [products, coupons] = [await soldProducts(tx), await allCoupons(tx)]
  return { products: products.map(presentSold), coupons: coupons.map((one) => presentCoupon(one, now)) }
}

/** Sells a new product. The same request makes it once. Throws `coupon.not-found`, `plan.twice`. */
export const createProduct = async (context: Context, form: ProductForm): Promise<Sold> => {
  const key = keyOf(context, 'product', form)
  const id = `prod_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
  const made = await asCaller(context, async (tx) => {
    await requireSale(tx, context, form)
    return soldProductById(tx, id)
  })
  if (made) return presentSold(made)
  const plans = orderedPlans([], form.plans, form.position)
  const order = { ...orderOf(id, form), isNew: true, plans, retired: [] }
  return sell(context, order, key)
}

/**
 * Sells a product as the form says from now on. Nothing happens where it is sold so already. Throws `product.not-found`,
 * `product.changed` where it is not what was looked at, `product.changing`, `plan.not-found`, `plan.twice`, `coupon.not-found`.
 */
export const updateProduct = async (
  context: Context,
  id: string,
  { version, ...form }: ProductForm & { version: string },
): Promise<Sold> => {
  const key = keyOf(context, `product ${id}`, form)
  const { order, row } = await asCaller(context, async (tx) => {
    const row = await soldProductById(tx, id)
    if (!row) throw refusal('product.not-found')
    await requireSale(tx, context, form, couponOf(row))
    if (form.plans.some((plan) => plan.id !== undefined && !row.plans.some((one) => one.id === plan.id)))
      throw refusal('plan.not-found')
    const plans = orderedPlans(row.plans, form.plans, form.position)
    const retired = row.plans.filter((one) => one.is_active && !plans.some((plan) => plan.id === one.id))
    const order = { ...orderOf(id, form), isNew: false, plans, retired: retired.map((one) => one.id) }
    if (isSoldSo(row, order)) return { row, order: null }
    if (versionOf(row) !== version) throw refusal('product.changed')
    const isOurs = await asService(tx, () => beginProductChange(tx, id, { by: key, now: new Date() }))
    if (!isOurs) throw refusal('product.changing')
    return { row, order }
  })
  if (order === null) return presentSold(row)
  let isUnknown = false
  try {
    return await sell(context, order, key).catch((error: unknown) => {
      // Refused, nothing was changed; what became of it is unknown otherwise, and the mark stays until it ends.
      isUnknown = !(error instanceof Refusal) || error.code === 'payment.unavailable'
      throw error
    })
  } finally {
    if (!isUnknown) await context.database.asSystem((tx) => endProductChange(tx, id, key))
  }
}

/** Makes a coupon. Throws `coupon.taken` for each code that ever was one, `coupon.too-late`, `coupon.too-far`. */
export const createCoupon = async (
  context: Context,
  terms: CallRequest<typeof catalogue.createCoupon>['body'],
): Promise<SoldCoupon> => {
  const { id, percentOff, amountOff, currency, months, redeemBy, mostUses } = terms
  await asCaller(context, async (tx) => {
    await requireSession(tx, context)
    if (redeemBy !== undefined && new Date(redeemBy) <= context.now) throw refusal('coupon.too-late')
    if (redeemBy !== undefined && !isWithinYears(new Date(redeemBy), context.now)) throw refusal('coupon.too-far')
    // Also one that is retired: products and companies that name it would have the new one at once.
    if (await wasCoupon(tx, id)) throw refusal('coupon.taken')
  })
  await keepAsked(context, () =>
    payments().createCoupon({
      id,
      percentOff: percentOff ?? null,
      amountOff: amountOff ?? null,
      currency: currency ?? null,
      months: months ?? null,
      redeemBy: redeemBy === undefined ? null : new Date(redeemBy),
      mostUses: mostUses ?? null,
      key: keyOf(context, `coupon ${id}`, terms),
    }),
  )
  return readCoupon(context, id)
}

/** The provider keeps the end of a coupon for five years, a day less by any clock. */
const isWithinYears = (end: Date, now: Date): boolean => {
  const last = new Date(now)
  last.setUTCFullYear(last.getUTCFullYear() + mostCouponYears)
  return end.getTime() < last.getTime() - 86_400_000
}
const mostCouponYears = 5

/** Lets nobody use a coupon any more. One that is retired stays so. Throws `coupon.not-found`. */
export const retireCoupon = async (context: Context, id: string): Promise<SoldCoupon> => {
  const row = await asCaller(context, async (tx) => {
    await requireSession(tx, context)
    return couponById(tx, id)
  })
  if (!row) throw refusal('coupon.not-found')
  if (row.is_valid) await keepAsked(context, () => payments().retireCoupon(id))
  return readCoupon(context, id)
}

/** Asks the provider to sell it, keeps what it answers, and gives companies' newcomers the plans that replace others. */
const sell = async (context: Context, order: ProductOrder, key: string): Promise<Sold> => {
  await keepAsked(
    context,
    () => payments().saveProduct({ ...order, key }),
    async (tx) => {
      const sold = (await soldProductById(tx, order.id))?.plans ?? []
      for (const id of order.retired) {
        const before = sold.find((one) => one.id === id)
        const instead = sold.find((one) => one.is_active && one.interval === before?.interval)
        if (instead) await replaceDefaultPlan(tx, id, instead.id)
      }
    },
  )
  return presentSold((await asCaller(context, (tx) => soldProductById(tx, order.id)))!)
}

// In a transaction of the caller's, so that the audit log says who it was.
const keepAsked = async (
  context: Context,
  ask: () => Promise<Snapshot[]>,
  then: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> => {
  const reading = await context.database.asSystem(beginReading)
  const snapshots = await asking(ask)
  await asCaller(context, (tx) =>
    asService(tx, async () => {
      await keepAll(tx, snapshots, reading)
      await then(tx)
    }),
  )
}

const readCoupon = async (context: Context, id: string): Promise<SoldCoupon> =>
  presentCoupon((await asCaller(context, (tx) => couponById(tx, id)))!, context.now)

const requireSeller = (caller: Caller): void => {
  if (!isServiceAdmin(caller)) throw refusal('tenant.service-only')
}

const requireSession = async (tx: Tx, { caller }: Context): Promise<void> => {
  requireSeller(caller)
  await holdSession(tx, caller)
}

// A coupon that it has already may be over: then it stays, and takes nothing off.
const requireSale = async (tx: Tx, context: Context, form: ProductForm, had: string | null = null): Promise<void> => {
  await requireSession(tx, context)
  const terms = form.plans.map((plan) => termsKey(plan))
  if (new Set(terms).size < terms.length) throw refusal('plan.twice')
  if (form.couponId === null || form.couponId === had) return
  const coupon = await couponById(tx, form.couponId)
  if (!coupon || presentCoupon(coupon, context.now).state !== 'usable') throw refusal('coupon.not-found')
}

const orderOf = (id: string, { name, subtitle, description, position, couponId, isActive }: ProductForm) => ({
  id,
  name,
  descriptions: { description, subtitle },
  position,
  couponId,
  isActive,
})

/** The plans of a form, each as the one that has its terms, also one that was retired; else as a new one. */
const orderedPlans = (
  known: readonly SoldPlanRow[],
  wanted: ProductForm['plans'],
  position: number,
): ProductOrder['plans'] =>
  wanted.map(({ id: _id, currency, price, interval, ...holds }) => {
    const key = termsKey({ currency, price, interval, ...holds })
    const same = known.find((one) => termsKey(termsOf(one)) === key)
    return same
      ? { id: same.id, isBack: !same.is_active, currency, price, interval, metadata: same.metadata }
      : { id: null, isBack: false, currency, price, interval, metadata: { ...holds, rank: Math.round(position) } }
  })

const termsOf = ({ currency, price, interval, metadata }: SoldPlanRow): Terms => {
  const { projectsPerMonth, revisionsPerProject, turnaroundHours } = metadata
  return { currency, price, interval, projectsPerMonth, revisionsPerProject, turnaroundHours }
}

const termsKey = ({
  currency,
  price,
  interval,
  projectsPerMonth,
  revisionsPerProject,
  turnaroundHours,
}: Terms): string => JSON.stringify([currency, price, interval, projectsPerMonth, revisionsPerProject, turnaroundHours])

const couponOf = ({ metadata }: SoldProductRow): string | null => {
  const { coupon } = metadata
  return typeof coupon === 'string' && coupon !== '' ? coupon : null
}

const isSoldSo = (row: SoldProductRow, order: ProductOrder): boolean =>
  order.retired.length === 0 &&
  order.plans.every(({ id, isBack }) => id !== null && !isBack) &&
  row.name === order.name &&
  row.descriptions.subtitle === order.descriptions.subtitle &&
  row.descriptions.description === order.descriptions.description &&
  row.metadata.position === order.position &&
  couponOf(row) === order.couponId &&
  row.is_active === order.isActive

const versionOf = (row: SoldProductRow): string => {
  const plans = row.plans.filter((one) => one.is_active).map(({ id }) => id)
  const all = [row.name, row.descriptions, row.metadata.position, couponOf(row), row.is_active, plans.toSorted()]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16)
}

const presentSold = (row: SoldProductRow): Sold => ({
  id: row.id,
  name: row.name,
  subtitle: row.descriptions.subtitle,
  description: row.descriptions.description,
  position: row.metadata.position,
  couponId: couponOf(row),
  isActive: row.is_active,
  version: versionOf(row),
  plans: row.plans.map((plan) => ({
    id: plan.id,
    ...termsOf(plan),
    isActive: plan.is_active,
    subscribers: plan.subscribers,
  })),
})

const presentCoupon = (row: CouponRow, now: Date): SoldCoupon => ({
  id: row.id,
  percentOff: row.percent_off,
  amountOff: row.amount_off,
  currency: row.currency,
  months: row.months,
  redeemBy: row.redeem_by?.toISOString() ?? null,
  mostUses: row.most_uses,
  uses: row.uses,
  state: stateOf(row, now),
  usedBy: row.used_by,
})

// The provider says of one that is over or used up that nobody can use it, as of one that was retired.
const stateOf = ({ is_valid, redeem_by, most_uses, uses }: CouponRow, now: Date): SoldCoupon['state'] =>
  redeem_by !== null && redeem_by <= now
    ? 'over'
    : most_uses !== null && uses >= most_uses
      ? 'used-up'
      : is_valid
        ? 'usable'
        : 'retired'

/** The same request asks for the same once; with other words it is another request. */
const keyOf = ({ caller, requestId }: Context, verb: string, asked: object): string =>
  `${verb} ${caller.id} ${requestId} ${createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 16)}`

const asCaller = <T>({ database, caller }: Context, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.inTenant(caller, work)
