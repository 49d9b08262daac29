import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { subscriptions } from '@clear-to-post/contract/subscriptions'
import { mostRefunds } from '@clear-to-post/domain/plans'
import { isServiceAdmin } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import type { Job } from '../kernel/work.ts'
import { PaymentAway, PaymentRefused, payments } from '../outside/payments/payments.ts'
import { refuseRefund, syncFromProvider } from './mirror.ts'
import { isByCard, leftOf, paymentById, waysOf } from './overview.ts'

type Given = CallRequest<typeof subscriptions.giveBack>['body']

/**
 * Gives a part of a payment back, to the card or to the payer's good: written down with who and why in this transaction, and
 * done by a job. `left` is what the giver saw: two who answer one complaint give once. Throws `payment.not-found`,
 * `tenant.service-only`, `refund.changed` where something else is left by now, `refund.too-much`, `refund.not-by-card`,
 * `refund.no-credit`.
 */
export const giveBack = async (tx: Tx, caller: Caller, chargeId: string, given: Given): Promise<void> => {
  if (!isServiceAdmin(caller)) throw refusal('tenant.service-only')
  await holdSession(tx, caller)
  const { amount, way, reason } = given
  await asService(tx, () => tx.rows(sql`select from charge where id = ${chargeId} for no key update`))
  // Read after the lock, so that what somebody else gives back is counted.
  const row = await paymentById(tx, caller, chargeId)
  if (!row) throw refusal('payment.not-found')
  if (row.payer_id === caller.id)
    throw refusal('tenant.service-only', 'Nobody gives their own payment back. Ask another admin.')
  const left = leftOf(row)
  if (given.left !== left) throw refusal('refund.changed')
  if (amount > left) throw refusal('refund.too-much')
  if (row.refunds.length >= mostRefunds)
    throw refusal('refund.too-much', 'Something was given back 20 times already. Do the rest at the payment service.')
  if (!waysOf(row).includes(way)) throw refusal(way === 'card' ? 'refund.not-by-card' : 'refund.no-credit')
  await asService(tx, async () => {
    const { id } = (await tx.first(sql<{ id: string }>`
      insert into refund (charge_id, user_id, tenant_id, kind, amount, currency, reason, by_id)
      values (${chargeId}, ${row.is_company ? null : row.payer_id}, ${row.is_company ? row.payer_id : null}, ${way}, ${amount},
        ${row.currency}, ${reason}, ${caller.id}) returning id`))!
    await enqueue(tx, 'refund', { refundId: id })
  })
}

/**
 * Asks the provider, with the row's id as the key: however often it runs, it is given back once. What the provider says of the
 * payment is read before anything is given, which weighs what went back in both ways and by other hands, and before the row is
 * settled: until then the row counts beside it, so never too little is counted. What stands there already, its answer lost, is
 * weighed no more.
 */
export const refundJob: Job<'refund'> = {
  name: 'refund',
  atOnce: 1,
  run: async ({ refundId }, { database }) => {
    const row = await database.asSystem((tx) => findWaiting(tx, refundId))
    if (!row) return
    const { charge_id: chargeId, customer_id: customerId, kind, amount, currency } = row
    const refuse = () => database.asSystem((tx) => refuseRefund(tx, refundId, chargeId))
    const readPayment = () => syncFromProvider(database, { kind: isByCard(row) ? 'charge' : 'invoice', id: chargeId })
    const give = async (): Promise<void> => {
      if (kind === 'card') return payments().refund({ chargeId, amount, refundId })
      // Who pays was erased at the provider: nothing stands to nobody's good.
      if (customerId === null) throw new PaymentRefused('payment.declined')
      await payments().credit({ customerId, amount, currency, refundId })
    }
    const isGiven = async () =>
      kind === 'card'
        ? payments().isGiven({ refundId, chargeId })
        : customerId !== null && (await payments().isGiven({ refundId, customerId }))
    try {
      await readPayment()
      if (!(await isGiven())) {
        const weighed = await database.asSystem((tx) => weigh(tx, chargeId, refundId))
        if (weighed === 'too much') return await refuse()
        if (weighed === 'unsettled') throw new PaymentAway('another refund of this payment is not settled yet')
      }
      await give()
      if (kind === 'card') await readPayment()
    } catch (error) {
      // A service without keys refuses nothing for good.
      if (!(error instanceof PaymentRefused) || error.reason !== 'payment.declined') throw error
      return refuse()
    }
    await settle(database, refundId)
    if (customerId !== null) await syncFromProvider(database, { kind: 'customer', id: customerId })
  },
}

const findWaiting = (tx: Tx, id: string) =>
  tx.first(sql<{
    charge_id: string
    payment_type: string
    kind: 'card' | 'credit'
    amount: number
    currency: string
    customer_id: string | null
  }>`
    select r.charge_id, p.payment_type, r.kind, r.amount, r.currency, c.id as customer_id
    from refund r join charge p on p.id = r.charge_id
      left join customer c on c.user_id = r.user_id or c.tenant_id = r.tenant_id
    where r.id = ${id} and r.state = 'waiting'`)

/**
 * Whether more would go back of a payment than was paid. Its refunds go one after the other, in the order in which they were
 * asked for: an earlier one that waits may be in what was read already, and a later one has not begun.
 */
const weigh = async (tx: Tx, chargeId: string, refundId: string): Promise<'right' | 'too much' | 'unsettled'> => {
  const { over, earlier, later } = (await tx.first(sql<{ over: number; earlier: number; later: number }>`
    select (given_back(c.id) + c.credited - c.price)::integer as over,
      coalesce(sum(r.amount) filter (where (r.created_at, r.id) < (own.created_at, own.id)), 0)::integer as earlier,
      coalesce(sum(r.amount) filter (where (r.created_at, r.id) > (own.created_at, own.id)), 0)::integer as later
    from charge c join refund own on own.id = ${refundId}
      left join refund r on r.charge_id = c.id and r.state = 'waiting'
    where c.id = ${chargeId} group by c.id, own.id`))!
  if (earlier > 0) return 'unsettled'
  return over - later > 0 ? 'too much' : 'right'
}

const settle = async (database: Database, id: string): Promise<void> => {
  await database.asSystem((tx) =>
    tx.count(sql`update refund set state = 'done', settled_at = now() where id = ${id} and state = 'waiting'`),
  )
}
