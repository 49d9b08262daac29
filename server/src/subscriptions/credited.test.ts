import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPlans, buyer } from '../../test/buying.ts'
import { isProof, partOfWalk } from '../../test/random.ts'
import { openService, type Person, type Service } from '../../test/service.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { payments, type Snapshot } from '../outside/payments/payments.ts'
import { noteCredited } from './change.ts'
import { claimExtra, extraDescription } from './extras-store.ts'
import { keepAll } from './mirror.ts'
import { subscriptionPaidBy, type SubscriptionRow } from './store.ts'

let service: Service
let person: Person
let row: SubscriptionRow
let plan: Extract<Snapshot, { kind: 'subscription' }>
let purchaseId: string
beforeAll(async () => {
  service = await openService()
  person = await buyer(service, (await addPlans(service))[0]!)
  await service.database.asSystem(async (tx) => {
    row = (await subscriptionPaidBy(tx, { userId: person.id }))!
    const whose = { userId: person.id, requestId: 'one more', subscriptionId: row.id }
    purchaseId = (await claimExtra(tx, { ...whose, price: videos.price, currency: 'usd' })).id
    // Each walk says anew which payments there are.
    await tx.count(sql`delete from charge where user_id = ${person.id}`)
  })
  const [read] = await payments().read({ kind: 'subscription', id: row.provider_id! })
  plan = read as typeof plan
})
afterAll(() => service.close())

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
const first = { id: 'ch_first', price: 10_000, createdAt: at(1), description: 'A plan' }
const videos = { id: 'ch_video', price: 2_475, createdAt: at(2), description: extraDescription }
const next = { id: 'ch_next', price: 10_000, createdAt: at(3), description: 'A plan' }

const payment = (of: typeof first, refunded = 0): Snapshot => ({
  kind: 'charge',
  customerId: plan.customerId,
  subscriptionId: null,
  paid: true,
  receiptUrl: '',
  status: 'succeeded',
  credit: 0,
  refunded,
  disputed: 0,
  currency: 'usd',
  paymentType: 'card',
  card: null,
  ...of,
})

/** What may happen; a reading has the number of when it was made, whenever it is kept. */
const eventsOf = (tx: Tx, credit: number) => {
  const keep = (reading: number, snapshot: Snapshot) => keepAll(tx, [snapshot], 1_000_000 + reading)
  return {
    bought: () => keep(1, payment(first)),
    heard: () => keep(2, payment(videos)),
    linked: () => keep(3, { kind: 'purchase', purchaseId, state: 'paid', chargeId: videos.id }),
    credited: () => noteCredited(tx, row, { credit, by: 'a change' }),
    refunded: () => keep(4, payment(first, 4_000)),
    renewed: () => keep(5, payment(next)),
    ended: () => keep(6, { ...plan, status: 'canceled' }),
  }
}
type Event = keyof ReturnType<typeof eventsOf>

/** What is left of each payment, and what waits for the plan's next one. */
const endOf = async (tx: Tx) => {
  const paid = await tx.rows(sql<{ id: string; room: number }>`
    select id, (price - credited - given_back(id))::integer as room from charge where user_id = ${person.id}`)
  const ahead = (await tx.first(sql<{ sum: number }>`
    select sum(credited_ahead)::integer as sum from subscription where user_id = ${person.id}`))!.sum
  const left = Object.fromEntries(paid.map(({ id, room }) => [id, Math.max(0, room)]))
  return { left, waits: ahead - paid.reduce((sum, { room }) => sum + Math.min(0, room), 0) }
}
type End = Awaited<ReturnType<typeof endOf>>

/** Every order of these events with how it ends. What many orders begin with is written once: a savepoint leads back to it. */
const everyOrder = async (events: readonly Event[], credit: number) => {
  const ends = new Map<string, { order: readonly Event[]; end: End }>()
  await service.database.asSystem(async (tx) => {
    const happens = eventsOf(tx, credit)
    const walk = async (order: readonly Event[]): Promise<void> => {
      const rest = events.filter((one) => !order.includes(one))
      if (rest.length === 0) return void ends.set(order.join(), { order, end: await endOf(tx) })
      const here = `at_${order.length}`
      await tx.count(sql.raw(`savepoint ${here}`))
      for (const event of rest) {
        await happens[event]()
        await walk([...order, event])
        await tx.count(sql.raw(`rollback to savepoint ${here}`))
      }
    }
    await walk([])
  })
  return ends
}

/** The same order with the payment known as a single video's when it is heard of. */
const knownFirst = (order: readonly Event[]): Event[] =>
  order.filter((one) => one !== 'linked').flatMap((one) => (one === 'heard' ? ['linked', one] : [one]))
const sumOf = (amounts: Record<string, number>) => Object.values(amounts).reduce((sum, one) => sum + one, 0)

// A sixth of the orders: those in which the plan does not end, too.
const { share, options } = partOfWalk(6)
const orders = 720 / share

// As much as both payments are; beyond all of them; within the video's.
for (const credit of isProof ? [11_000, 30_000, 1_000] : [11_000])
  for (const more of ['refunded', 'renewed'] as const)
    test(
      `of $${credit / 100} credited by a change, a single video’s payment takes nothing in every order, also ${more}`,
      { ...options, timeout: 600_000 },
      async () => {
        const events = ['bought', 'heard', 'linked', 'credited', more, 'ended'] as const
        const ends = await everyOrder(share > 1 ? events.slice(0, -1) : events, credit)
        expect(ends.size).toBe(orders)
        for (const { order, end } of ends.values()) {
          const model = ends.get(knownFirst(order).join())!.end
          expect(end.left[videos.id], order.join()).toBe(videos.price)
          expect([sumOf(end.left), end.waits], order.join()).toEqual([sumOf(model.left), model.waits])
          // Which of two payments it is that was heard of first, a later link does not know: it goes by when they were made.
          const isInTurn = !order.includes('renewed') || order.indexOf('bought') < order.indexOf('renewed')
          if (isInTurn) expect(end, order.join()).toEqual(model)
        }
      },
    )
