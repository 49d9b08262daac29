import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import {
  addPlans,
  anyChange,
  anyResume,
  anySingle,
  buyer,
  cards,
  passDays,
  settle,
  useCard,
} from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import { isLong, seeded, seedOfRun } from '../../test/random.ts'
import { callAs, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import { postTo } from '../stand-ins/payments/pages.ts'
import { registry } from '../main/registry.ts'
import { signatureOf } from '../outside/payments/events.ts'
import { payments, usePayments, type Snapshot } from '../outside/payments/payments.ts'
import { sandboxSecret } from '../stand-ins/payments/events.ts'
import { handleEvent, keepAll, reconcile, sweepEvents } from './mirror.ts'

let service: Service
let plans: string[]
beforeAll(async () => {
  service = await openService()
  plans = await addPlans(service)
})
afterAll(() => service.close())

const asSystem = <T>(work: (tx: Tx) => Promise<T>) => service.database.asSystem(work)

/** Everything stored of a payer that was read of the provider, without the times of reading. */
const kept = (tx: Tx, userId: string) =>
  tx.rows(sql<{ row: unknown }>`
    select to_jsonb(s) - 'reading' - 'id' - 'before_change' as row from subscription s where user_id = ${userId}
    union all select to_jsonb(c) - 'reading' from charge c where user_id = ${userId}
    union all select to_jsonb(x) - 'reading' - 'subscription_id' from extra_project x where user_id = ${userId}
    order by 1`)
const forget = async (tx: Tx, userId: string) => {
  await tx.count(sql`delete from subscription where user_id = ${userId}`)
  await tx.count(sql`delete from charge where user_id = ${userId}`)
  await tx.count(sql`update extra_project set state = 'started', reading = 0 where user_id = ${userId}`)
}

describe('the payment webhook', () => {
  const body = (id: string) =>
    JSON.stringify({
      id,
      object: 'event',
      type: 'customer.subscription.updated',
      created: 1,
      data: { object: { id: 'sub_1', object: 'subscription' } },
    })
  const knock = async (sent: string, signature: string | undefined) =>
    service.app.inject({
      method: 'POST',
      url: '/webhooks/payments',
      headers: { 'content-type': 'application/json', ...(signature ? { 'stripe-signature': signature } : {}) },
      payload: sent,
    })
  const sign = async (text: string, at = new Date()) => signatureOf(text, await asSystem(sandboxSecret), at)
  const isKept = async (id: string) =>
    (await asSystem((tx) => tx.rows(sql`select 1 from payment_event where id = ${id}`))).length

  it('accepts only bytes with a recent, valid signature of the provider', async () => {
    const text = body('evt_door')
    const signature = await sign(text)
    const refused: [string, string, string | undefined][] = [
      ['another secret', text, await signatureOf(text, 'whsec_other', new Date())],
      ['a changed body', text.replace('sub_1', 'sub_2'), signature],
      ['the same, written anew', JSON.stringify(JSON.parse(text), null, 1), signature],
      ['an old recording', text, await sign(text, new Date(Date.now() - 301_000))],
      ['no signature', text, undefined],
      ['nonsense', text, 't=1,v1=00'],
      ['nothing', '', signature],
      ['no event', '"x"', await sign('"x"')],
    ]
    for (const [what, sent, signed] of refused) {
      const response = await knock(sent, signed)
      expect({ what, status: response.statusCode, code: response.json().code }).toEqual({
        what,
        status: 400,
        code: 'payment.bad-event',
      })
    }
    expect(await isKept('evt_door')).toBe(0)
    expect((await knock(text, signature)).statusCode).toBe(200)
    expect((await knock(text, signature)).statusCode).toBe(200)
    expect(await isKept('evt_door')).toBe(1)
    const jobs = await asSystem((tx) => tx.rows(sql`select 1 from pgboss.job where data->>'eventId' = 'evt_door'`))
    expect(jobs).toHaveLength(1)
  })

  it('keeps an event when the process is killed after its receipt or during its effect, and applies it once', async () => {
    const officer = await buyer(service, plans[0]!)
    const { id } = (await asSystem((tx) =>
      tx.first(sql<{ id: string }>`
      select object_id as id from payment_event where type = 'customer.subscription.created' order by received_at desc limit 1`),
    ))!
    const before = await asSystem((tx) => kept(tx, officer.id))
    await asSystem((tx) => forget(tx, officer.id))
    const text = body('evt_killed').replace('sub_1', id)
    expect((await knock(text, await sign(text))).statusCode).toBe(200)
    // However far a run gets before it dies (0: it never began), the next one finds everything as it was.
    for (let lives = 0; lives < 4; lives++) {
      let left = lives
      const dying: Database = {
        ...service.database,
        asSystem: (work) => {
          if (left-- === 0) throw new Error('killed')
          return service.database.asSystem(work)
        },
      }
      await expect(handleEvent(dying, 'evt_killed')).rejects.toThrow('killed')
    }
    await settle(service)
    await registry.payment.run({ eventId: 'evt_killed' }, jobContext(service))
    const after = await asSystem((tx) => kept(tx, officer.id))
    expect(after.filter(({ row }) => 'plan_id' in (row as object))).toEqual(
      before.filter(({ row }) => 'plan_id' in (row as object)),
    )
  })
})

describe('payment events in any order', () => {
  let officer: Person
  /** The provider's objects after each of six steps in order, and all of them at the end. */
  let steps: Snapshot[][]
  let everything: Snapshot[]
  let end: unknown[]

  beforeAll(async () => {
    officer = await makePerson(service, 'User')
    steps = []
    everything = []
    const look = async (step: () => Promise<unknown>) => {
      await step()
      await settle(service)
      // An event is about what changed.
      const before = new Set(everything.map((one) => JSON.stringify(one)))
      everything = await everythingOf(officer)
      steps.push(everything.filter((one) => !before.has(JSON.stringify(one))))
    }
    const call = callAs(service, officer)
    await look(() => buyer(service, plans[0]!, officer))
    await look(() => call(subscriptions.charge, anySingle))
    await look(() => call(subscriptions.updatePlan, anyChange(plans[1]!)))
    await look(() => call(subscriptions.pause, {}))
    await look(() => call(subscriptions.resume, anyResume))
    await look(() => useCard(service, officer, cards.fails))
    expect(steps.map((changed) => changed.length)).toEqual([2, 2, 2, 1, 1, 1])
    end = await asSystem((tx) => kept(tx, officer.id))
    expect(end.length).toBe(5)
  })

  const everythingOf = async ({ id }: Person): Promise<Snapshot[]> => {
    const customer = (await asSystem((tx) =>
      tx.first(sql<{ id: string }>`select id from customer where user_id = ${id}`),
    ))!
    const all: Snapshot[] = []
    for await (const one of payments().everything(new Date(0)))
      if (!('customerId' in one) || one.customerId === customer.id) all.push(one)
    // A purchase brings its charge along.
    return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
  }

  // Every order goes through the tables. What many orders begin with is written once: a savepoint leads back to it.
  // The short form goes on from each order of three readings in one of the six ways.
  const orders = isLong ? 720 : 120
  it(`${orders} orders of six readings, each written twice with one missing, lead to the same state`, async () => {
    const random = seeded(seedOfRun())
    const [all, isEnd] = [[0, 1, 2, 3, 4, 5], JSON.stringify(end)]
    let [ends, found] = [0, 0]
    await asSystem(async (tx) => {
      // A reading carries the number of the step it began at, whenever its write comes.
      const write = (step: number) => keepAll(tx, steps[step]!, step + 1)
      const check = async (what: string) => {
        const left = await kept(tx, officer.id)
        if (JSON.stringify(left) !== isEnd) expect(left, what).toEqual(end)
      }
      const walk = async (order: number[]): Promise<void> => {
        const rest = all.filter((step) => !order.includes(step))
        if (rest.length === 0) {
          for (const step of order) await write(step)
          await check(`${order}, and once more`)
          ends++
          return
        }
        const here = `at_${order.length}`
        await tx.count(sql.raw(`savepoint ${here}`))
        const back = () => tx.count(sql.raw(`rollback to savepoint ${here}`))
        for (const step of isLong || order.length < 3 ? rest : [random.one(rest)]) {
          await write(step)
          await walk([...order, step])
          await back()
        }
        if (rest.length > 1) return
        // Five of six came; the round reads everything.
        await keepAll(tx, everything, 7)
        await check(`${order}, without ${rest}`)
        found++
        await back()
      }
      await forget(tx, officer.id)
      await walk([])
      for (const [index, snapshots] of steps.entries()) await keepAll(tx, snapshots, index + 1)
    })
    expect([ends, found]).toEqual([orders, orders])
  }, 300_000)

  it('shuffled, repeated and lost events of the webhook lead to the same state after the sweep or reconciliation', async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const events = await asSystem((tx) =>
      tx.rows(sql<{ id: string; type: string; kind: string; about: string }>`
      select e.id, e.type, o.kind, e.object_id as about from sandbox_event e join sandbox_object o on o.id = e.object_id
      where o.customer_id = (select id from customer where user_id = ${officer.id}) order by e.seq`),
    )
    expect(events.length).toBeGreaterThanOrEqual(6)
    const secret = await asSystem(sandboxSecret)
    for (let round = 0; round < 4; round++) {
      await asSystem(async (tx) => {
        await forget(tx, officer.id)
        await tx.count(sql`delete from payment_event`)
      })
      const lost = random.one(events)
      const shuffled = [...events, ...events].map((event) => ({ event, at: random.next() })).sort((a, b) => a.at - b.at)
      for (const { event } of shuffled) {
        if (event === lost) continue
        const { id, type, kind, about } = event
        const text = JSON.stringify({
          id,
          object: 'event',
          type,
          created: 1,
          data: { object: { id: about, object: kind } },
        })
        expect(await postTo(service.app)(text, await signatureOf(text, secret, new Date()))).toBe(true)
        if (random.next() < 0.5) await settle(service)
      }
      await settle(service)
      if (round % 2 === 0) expect(await reconcile(service.database, new Date(), true)).toBe(true)
      else {
        await asSystem(async (tx) => {
          await tx.count(sql`update sandbox_event set delivered_at = null where id = ${lost.id}`)
          await tx.count(sql`update payment_round set at = '-infinity', done_at = '-infinity'`)
        })
        expect(await sweepEvents(service.database, new Date())).toBe(1)
        await settle(service)
      }
      expect(await asSystem((tx) => kept(tx, officer.id)), `round ${round}, PROVE_SEED=${seed}`).toEqual(end)
    }
  })

  it('the reconciliation runs once a day, however many workers ask for it', async () => {
    const now = new Date(Date.now() + 2 * 86_400_000)
    const made = await Promise.all([1, 2, 3, 4].map(() => reconcile(service.database, now)))
    expect(made.filter(Boolean)).toHaveLength(1)
  })

  it('one turn by a clock that is ahead keeps no later round waiting, and none of its events is missed', async () => {
    const now = Date.now()
    const ahead = new Date(now + 365 * 86_400_000)
    await asSystem((tx) => tx.count(sql`update payment_round set at = '-infinity', done_at = '-infinity'`))
    await sweepEvents(service.database, ahead)
    expect(await reconcile(service.database, ahead)).toBe(true)
    const provider = payments()
    const asked: Date[] = []
    usePayments({
      ...provider,
      missed: (since) => {
        asked.push(since)
        return provider.missed(since)
      },
    })
    try {
      for (const minutes of [0, 1, 6]) await sweepEvents(service.database, new Date(now + minutes * 60_000))
    } finally {
      usePayments(provider)
    }
    expect(asked.map((since) => since.getTime() < now)).toEqual([true, true])
    expect(await reconcile(service.database, new Date(now))).toBe(true)
    expect(await reconcile(service.database, new Date(now + 60_000))).toBe(false)
  })

  it('a subscription that the provider does not know is ended here', async () => {
    const other = await buyer(service, plans[0]!)
    await asSystem((tx) =>
      tx.count(
        sql`delete from sandbox_object where kind = 'subscription' and customer_id = (select id from customer where user_id = ${other.id})`,
      ),
    )
    await reconcile(service.database, new Date(), true)
    await expect(callAs(service, other)(subscriptions.active, {})).rejects.toMatchObject({ code: 'subscription.none' })
    expect(await passDays(service, 1)).toBeUndefined()
  })
})
