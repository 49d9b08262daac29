import { randomBytes } from 'node:crypto'
import { sql, type Tx } from '../../kernel/database.ts'
import type { Card, CustomerOwner } from '../../outside/payments/payments.ts'

/** What the sandbox keeps of each thing. Times are ISO instants of its own clock. */
export type Bodies = {
  clock: { aheadMs: number }
  customer: {
    whose: CustomerOwner
    name: string
    email: string
    card: SandboxCard | null
    credit: number
    credits?: string[]
    isForgotten?: boolean
  }
  subscription: {
    status: 'active' | 'past_due' | 'canceled'
    planId: string
    quantity: number
    percentOff: number
    /** Taken off each invoice beside the percent; both until a moment, absent: for good. Whose coupon it is. */
    amountOff?: number
    discountEnds?: string | null
    couponId?: string | null
    /** Those that changes of plan took away. */
    formerCoupons?: string[]
    startedAt: string
    /** Periods are counted from here, so that the 31st stays the 31st. */
    anchor: string
    periods: number
    periodStart: string
    periodEnd: string
    pausedFrom: string | null
    endsAtPeriodEnd: boolean
    /** Absent while it runs. */
    endedAt?: string
    /** By the service, and no wish of the customer's. */
    isEndedByService?: boolean
    daysUntilDue: number | null
    /** The void invoice of a change that was taken back: what runs was paid before it. */
    takenBack?: string
    /** A renewal is a draft for an hour: what is charged, or invoiced, then. */
    draft?: number
    /** A renewal that failed: what is owed, and how often it was tried. */
    owed: number
    attempts: number
  }
  charge: {
    paid: boolean
    status: string
    price: number
    currency: string
    description: string
    card: Card | null
    /** What was to the good and paid the rest. */
    credit?: number
    /** What was given back of it, by its key. */
    refunds?: Record<string, number>
    /** Its bank takes no refund: each ends as failed a day later. */
    failsRefunds?: true
    /** What its bank took back. */
    disputed?: number
    /** What it was charged for; absent: a video by itself. */
    subscriptionId?: string
  }
  invoice: {
    status: 'open' | 'paid' | 'void'
    price: number
    currency: string
    description: string
    credit?: number
    subscriptionId: string
  }
  refund: { refundId: string; chargeId: string; status: 'succeeded' | 'failed' }
  payment_intent: { purchaseId: string; status: 'succeeded' | 'failed'; chargeId: string }
  'checkout.session': {
    planId: string
    quantity: number
    percentOff: number
    amountOff?: number
    months?: number | null
    couponId?: string | null
    doneUrl: string
    backUrl: string
    subscriptionId: string | null
    /** A newer page was opened. */
    isClosed?: boolean
  }
  portal: { backUrl: string; isClosed?: boolean }
  /** By whose request it was made; its terms stand in our own tables. */
  coupon: { key: string }
}
export type Kind = keyof Bodies
export type SandboxObject<K extends Kind = Kind> = {
  id: string
  kind: K
  customerId: string | null
  createdAt: Date
  body: Bodies[K]
}

/** A card that moves no money. What it does is in its number. */
export type SandboxCard = Card & { pays: 'always' | 'never'; later?: 'fails refunds' | 'takes back' }

const columns = sql`id, kind, customer_id as "customerId", created_at as "createdAt", body`

export const findObject = <K extends Kind>(tx: Tx, kind: K, id: string) =>
  tx.first(sql<SandboxObject<K>>`select ${columns} from sandbox_object where id = ${id} and kind = ${kind}`)

/** Locked, so that nothing else happens to it meanwhile. */
export const lockObject = <K extends Kind>(tx: Tx, kind: K, id: string) =>
  tx.first(sql<SandboxObject<K>>`select ${columns} from sandbox_object where id = ${id} and kind = ${kind} for update`)

export const objectsOf = <K extends Kind>(tx: Tx, kind: K, customerId: string) =>
  tx.rows(sql<SandboxObject<K>>`
    select ${columns} from sandbox_object where customer_id = ${customerId} and kind = ${kind} order by created_at desc, id desc`)

export const allOf = <K extends Kind>(tx: Tx, kind: K, since: Date) =>
  tx.rows(sql<SandboxObject<K>>`
    select ${columns} from sandbox_object where kind = ${kind} and created_at >= ${since} order by created_at, id`)

/** False when there is one of this id. */
export const addObject = async <K extends Kind>(
  tx: Tx,
  object: { id: string; kind: K; customerId: string | null; createdAt: Date; body: Bodies[K]; dueAt?: Date | null },
): Promise<boolean> =>
  (await tx.count(sql`
    insert into sandbox_object (id, kind, customer_id, due_at, body, created_at)
    values (${object.id}, ${object.kind}, ${object.customerId}, ${object.dueAt ?? null}, ${JSON.stringify(object.body)}, ${object.createdAt})
    on conflict (id) do nothing`)) === 1

export const saveObject = <K extends Kind>(
  tx: Tx,
  { id, body }: { id: string; kind: K; body: Bodies[K] },
  dueAt: Date | null = null,
) => tx.count(sql`update sandbox_object set body = ${JSON.stringify(body)}, due_at = ${dueAt} where id = ${id}`)

/** What was paid stays, without a name, a card or a page. */
export const forgetCustomer = async (tx: Tx, customerId: string): Promise<void> => {
  await tx.count(sql`
    update sandbox_object set body = body || '{"name": "", "email": "", "card": null, "isForgotten": true}'
    where kind = 'customer' and id = ${customerId}`)
  await tx.count(sql`
    update sandbox_object set body = body || '{"card": null}' where kind = 'charge' and customer_id = ${customerId}`)
  await tx.count(sql`
    delete from sandbox_object where kind in ('checkout.session', 'portal') and customer_id = ${customerId}`)
}

/** The next thing that must do something by itself, locked; another process takes another one. */
export const nextDue = (tx: Tx, now: Date) =>
  tx.first(sql<SandboxObject>`
    select ${columns} from sandbox_object where due_at <= ${now} order by due_at, id limit 1 for update skip locked`)

export type SoldPlan = {
  id: string
  price: number
  currency: string
  interval: 'month' | 'year'
  product: string
}

/** What the sandbox sells is what our own tables list: it has no catalogue of its own. */
export const soldPlan = async (tx: Tx, id: string): Promise<SoldPlan> => {
  const plan = await tx.first(sql<SoldPlan>`
    select l.id, l.price, l.currency, l.interval, p.name as product
    from plan l join product p on p.id = l.product_id where l.id = ${id}`)
  if (!plan) throw new Error(`The sandbox sells no plan ${id}`)
  return plan
}

export const newId = (prefix: string): string => `${prefix}_sandbox_${randomBytes(12).toString('hex')}`
