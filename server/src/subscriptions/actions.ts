import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import type { Subscription } from '@clear-to-post/contract/subscriptions'
import { startOfMonth } from '@clear-to-post/domain/calendar'
import {
  boughtForNothing,
  entitlement,
  isFull,
  isPaidUp,
  lackOf,
  stopsBefore,
  type Lack,
  type PlanFull,
  type SubmitRights,
  type SubscriptionFacts,
} from '@clear-to-post/domain/plans'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import { enqueue, type Jobs } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { isFreeVideoUsed } from './free-video.ts'
import { presentSubscription } from './present.ts'
import { extrasUsed, freeUsed, freeUsedFor, takeSpare, usedFor } from './extras-store.ts'
import {
  endSubscriptions,
  lockPlan,
  planUse,
  productById,
  rightsOf,
  runningSubscriptions,
  subscriptionsOfTenants,
  unknownProducts,
  type SubscriptionRow,
} from './store.ts'
import { sees } from '@clear-to-post/domain/access'

export { isEntitled } from '../kernel/entitled.ts'
export { giveFreeVideoBack, useFreeVideo } from './free-video.ts'

/** A person's rights, the subscription that gives it, and what is lacking where none does. */
export type Entitlement = SubmitRights & {
  subscriptionId: string | null
  planId: string | null
  /** Its officer pays it, and no company. */
  isOwn: boolean
  lack: Lack | null
  /** Is it known that the plan stops before a moment? False without a plan. */
  stopsBefore: (moment: Date) => boolean
}

/**
 * A person's rights to submit: by the running subscription of their tenant, else by their own, else the free
 * project of their mailbox, and what they bought beside it. The transaction's actor is the person, the service, or ADMIN or QA in reach; of
 * anyone else they see no right. `project`: a company's plan counts for no video of another company, and what somebody bought is
 * not for one of a company where they are no more.
 */
export const submitRightsOf = async (
  tx: Tx,
  userId: string,
  now: Date,
  project?: { tenant_id: string | null },
): Promise<Entitlement> => {
  const [rights, subscriptions] = await Promise.all([rightsOf(tx, userId), runningSubscriptions(tx, userId)])
  const facts = subscriptions
    .filter(({ tenant_id: payer }) => payer === null || (project?.tenant_id ?? payer) === payer)
    .map(factsOf)
  const counting = entitlement(facts, now)
  return {
    plan: counting?.plan ?? null,
    freeProjectUsed: await isFreeUsed(tx, rights, now),
    spareExtras: rights && !isElsewhere(rights, project) ? rights.spare : 0,
    subscriptionId: counting?.row.id ?? null,
    planId: counting?.row.plan_id ?? null,
    isOwn: counting?.ofTenant === false,
    lack: lackOf(facts, now),
    stopsBefore: (moment) => counting !== undefined && stopsBefore(counting, moment),
  }
}

const isElsewhere = (officer: { tenant_id: string | null }, project?: { tenant_id: string | null }): boolean =>
  officer.tenant_id !== null && (project?.tenant_id ?? officer.tenant_id) !== officer.tenant_id

/**
 * Holds the plan that entitles somebody, until the transaction ends: nobody else submits on it or changes it meanwhile.
 * Answers why it pays for no more videos of a month, null where it does; for a month that begins later its payments are asked
 * about when it has begun. Throws
 * `subscription.changing` while what was used of it is being settled, and where it is another plan than the rights tell of.
 */
export const holdPlan = (
  tx: Tx,
  { subscriptionId, planId, plan }: Pick<Entitlement, 'subscriptionId' | 'planId' | 'plan'>,
  month: string,
  now: Date,
): Promise<{ planIsFull: PlanFull | null }> =>
  asService(tx, async () => {
    if (subscriptionId === null || plan === null) return { planIsFull: null }
    await lockPlan(tx, subscriptionId)
    const { plan_id, changing_until, seats, paid, paid_seats, held, most, used } = await planUse(
      tx,
      subscriptionId,
      month,
    )
    if (plan_id !== planId || (changing_until !== null && changing_until > now)) throw refusal('subscription.changing')
    if (seats !== null && isFull(plan, seats, paid)) return { planIsFull: 'seats' }
    const isAhead = startOfMonth(month, firstZone) > now
    return { planIsFull: !isAhead && isPaidUp(plan, { seats: paid_seats, held, most, used }) ? 'payments' : null }
  })

/** Where a month begins first on earth. */
const firstZone = 'Pacific/Kiritimati'

// Of an address that is not verified nothing is said: it may be a stranger's, who would be asked about by signing up.
const isFreeUsed = async (tx: Tx, rights: Awaited<ReturnType<typeof rightsOf>>, now: Date): Promise<boolean> => {
  if (!rights || rights.free_projects > 0) return true
  return rights.verified_email !== null && (await isFreeVideoUsed(tx, rights.verified_email, now))
}

/** The subscription that counts for a person, else the newest that runs at all (paused, or unpaid). */
export const subscriptionOf = async (tx: Reader, userId: string, now: Date): Promise<SubscriptionRow | undefined> => {
  const facts = (await runningSubscriptions(tx, userId)).map(factsOf)
  return (entitlement(facts, now) ?? facts[0])?.row
}

export { receiveEvent } from './mirror.ts'
export { tellWhoPayBeside, whoPayBeside } from './beside.ts'

/** What the domain reads of a row. */
export const factsOf = (row: SubscriptionRow): SubscriptionFacts & { row: SubscriptionRow } => ({
  status: row.status,
  ofTenant: row.tenant_id !== null,
  periodStart: row.current_period_start,
  owedSince: row.owed_since,
  pausedFrom: row.paused_from,
  endsAt: row.ends_at,
  isSurplus: row.is_surplus,
  plan: row.plan_metadata,
  row,
})

/** The running subscriptions of tenants, by tenant, as far as the transaction's actor may see them; the price for an admin. */
export const tenantSubscriptions = async (
  tx: Tx,
  { role }: Caller,
  tenantIds: readonly string[],
): Promise<Map<string, z.input<typeof Subscription>>> => {
  const rows = await subscriptionsOfTenants(tx, tenantIds)
  const products = new Map<string, Awaited<ReturnType<typeof productById>>>()
  for (const { product_id } of rows)
    if (!products.has(product_id)) products.set(product_id, await productById(tx, product_id))
  const viewer = { pays: false, looksAfter: sees(role, 'subscription.price'), spareExtras: null }
  return new Map(rows.map((row) => [row.tenant_id!, presentSubscription(row, products.get(row.product_id)!, viewer)]))
}

/** Those of these product and plan ids that do not exist. */
export const unknownOf = (tx: Tx, ids: { products: readonly string[]; plans: readonly string[] }): Promise<string[]> =>
  unknownProducts(tx, ids)

/** Ends whatever a person pays for themselves, here and at the provider. Runs as the service. */
export const endOwnSubscriptions = async (tx: Tx, userId: string): Promise<void> => {
  for (const { provider_id } of await endSubscriptions(tx, userId))
    if (provider_id !== null) await enqueue(tx, 'endSubscription', { providerId: provider_id })
}

/**
 * A company lost an admin or was switched off or on, or a person was shut out or let in again: their open payment pages are
 * closed, a plan of who is off ends with its period, and that of who is back goes on. A page that was asked for in this very moment is closed by the
 * second look.
 */
export const payerChanged = async (tx: Tx, payer: Jobs['payer-standing'], now: Date): Promise<void> => {
  await enqueue(tx, 'payer-standing', payer)
  await enqueue(tx, 'payer-standing', payer, { startAfter: new Date(now.getTime() + 5 * 60_000) })
}

/** The number of a tenant's seats changed: what it pays for them follows. */
export const seatsChanged = (tx: Tx, tenantId: string): Promise<void> => enqueue(tx, 'seats', { tenantId })

/** Videos bought by themselves that stand in each of these months, for a company; a month without one is absent. */
export const extrasByMonth = async (
  tx: Reader,
  userId: string,
  months: readonly string[],
  tenantId: string | null,
): Promise<Map<string, number>> =>
  new Map((await extrasUsed(tx, userId, months, tenantId)).map(({ month, extras }) => [month, extras]))

/** Uses a video bought by itself for a company's video of this month. Throws `project.quota-used` when none is left. */
export const takeExtra = async (tx: Tx, userId: string, month: string, tenantId: string | null): Promise<void> => {
  if (!(await takeSpare(tx, userId, month, tenantId))) throw refusal('project.quota-used')
}

/** A video that was bought by itself and used for a company's video of this month is spare again. */
export const freeExtra = async (tx: Tx, userId: string, month: string, tenantId: string | null): Promise<void> =>
  void (await freeUsed(tx, userId, month, tenantId))

/**
 * Videos that were bought by themselves and stand in a month for no video are spare again. `videos`: of each company, or of none,
 * those of the month that wait, or entered the queue on what was bought.
 */
export const freeIdleExtras = async (
  tx: Tx,
  userId: string,
  month: string,
  videos: readonly { company: string | null; videos: number }[],
): Promise<void> => {
  const used = await usedFor(tx, userId, month)
  const companies = new Set([...videos, ...used].map(({ company }) => company))
  const stands = Array.from(companies, (company) => ({
    company,
    videos: videos.find((one) => one.company === company)?.videos ?? 0,
    bought: used.find((one) => one.company === company)?.bought ?? 0,
  }))
  for (const idle of boughtForNothing(stands)) await freeUsedFor(tx, userId, month, idle.company, idle.videos)
}
