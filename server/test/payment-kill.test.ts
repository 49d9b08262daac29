// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { sql, type Tx } from '../src/kernel/database.ts'
import { signatureOf } from '../src/outside/payments/events.ts'
import { payloadOf, sandboxSecret, type SandboxEvent } from '../src/stand-ins/payments/events.ts'
import { addPlans, anyChange, anyResume, anySingle, buyer, settle } from './buying.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { callAs, openService, type Service } from './service.ts'

/** Real processes on one database: the server is killed (-9) while events come in, the worker while it handles them. */
const kills = isLong ? 15 : 1

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const asSystem = <T>(work: (tx: Tx) => Promise<T>) => service.database.asSystem(work)
const start = (part: 'http' | 'worker') =>
  startProcess('server/test/killed-server.ts', [part, service.urls.appUrl, service.config.dataDir])

it(
  `${kills} kills at the payment webhook and ${kills + 1} in an event’s effect lose nothing and double nothing`,
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const [small, big] = await addPlans(service)
    const officer = await buyer(service, small!)
    const call = callAs(service, officer)
    await call(subscriptions.charge, anySingle)
    await call(subscriptions.updatePlan, anyChange(big!))
    await call(subscriptions.pause, {})
    await call(subscriptions.resume, anyResume)
    await settle(service)
    // But for what is the service's own and goes with the rows that are deleted below.
    const kept = () =>
      asSystem((tx) =>
        tx.rows(sql`
          select to_jsonb(s) - 'reading' - 'id' - 'before_change' as row from subscription s union all
          select to_jsonb(c) - 'reading' from charge c union all
          select to_jsonb(x) - 'reading' - 'subscription_id' from extra_project x order by 1`),
      )
    const [end, events, secret] = [
      await kept(),
      await asSystem((tx) =>
        tx.rows(sql<SandboxEvent>`
          select e.seq, e.id, e.type, o.kind, e.object_id as "objectId", e.created_at as "createdAt"
          from sandbox_event e join sandbox_object o on o.id = e.object_id order by e.seq`),
      ),
      await asSystem(sandboxSecret),
    ]
    expect(events.length).toBeGreaterThanOrEqual(8)
    // As if no event had arrived yet, and without a reconciliation that would repair losses.
    await asSystem(async (tx) => {
      for (const table of ['subscription', 'charge', 'payment_event']) await tx.count(sql.raw(`delete from ${table}`))
      await tx.count(sql`update extra_project set state = 'started', reading = 0`)
      await tx.count(sql`delete from pgboss.job where name = 'payment'`)
      await tx.count(sql`update payment_round set at = now()`)
    })

    // The provider sends each event twice, and again until it gets a 200.
    let door = start('http')
    let taken = 0
    const say = async (event: SandboxEvent) => {
      const body = payloadOf(event)
      for (;;) {
        const { said } = await door
        const headers = {
          'content-type': 'application/json',
          'stripe-signature': await signatureOf(body, secret, new Date()),
        }
        const answer = await fetch(`${said}/webhooks/payments`, { method: 'POST', headers, body }).catch(() => null)
        if (answer?.ok) return void taken++
        await sleep(10)
      }
    }
    const provider = async () => {
      const all = [...events].map((event) => ({ event, at: random.next() })).sort((a, b) => a.at - b.at)
      for (const { event } of all) await say(event)
    }
    const killer = async () => {
      for (let kill = 0; kill < kills; kill++) {
        const at = taken + random.whole(1, 6)
        const { end: die } = await door
        while (taken < at && taken < 2 * events.length) await sleep(1)
        await sleep(random.next() * 5)
        door = start('http')
        await die('SIGKILL')
      }
    }
    await Promise.all([provider(), provider(), killer()])
    // The last one dies with everything received and nothing done.
    await (await door).end('SIGKILL')
    const count = async (query: ReturnType<typeof sql>) => (await asSystem((tx) => tx.rows(query))).length
    expect(await count(sql`select from payment_event where handled_at is null`), `PROVE_SEED=${seed}`).toBe(
      events.length,
    )
    expect(await count(sql`select from pgboss.job where name = 'payment'`), `PROVE_SEED=${seed}`).toBe(events.length)

    // This lock keeps the first worker from writing a subscription: it is killed in the middle of an effect.
    const holder = new pg.Client({ connectionString: service.urls.superuserUrl })
    await holder.connect()
    await holder.query('begin; lock table subscription in access exclusive mode')
    let worker: Started = await start('worker')
    while ((await count(sql`select from pgboss.job where name = 'payment' and state = 'active'`)) === 0) await sleep(20)
    await sleep(100)
    for (let kill = 0; kill <= kills; kill++) {
      await worker.end('SIGKILL')
      if (kill === 0) await holder.query('rollback')
      // What the queue does when heartbeats are missed, without the wait.
      await asSystem((tx) =>
        tx.count(sql`
          update pgboss.job set state = 'retry', start_after = now(), retry_count = 0
          where name = 'payment' and state = 'active'`),
      )
      worker = await start('worker')
      if (kill < kills) await sleep(random.next() * 60)
    }
    while ((await count(sql`select from payment_event where handled_at is null`)) > 0) await sleep(50)
    await worker.end('SIGKILL')
    await holder.end()
    expect(await kept(), `PROVE_SEED=${seed}`).toEqual(end)
    if (isLong)
      console.log(`payments: ${events.length} events, ${taken} deliveries, ${2 * kills + 2} kills, seed ${seed}`)
  },
  isLong ? 600_000 : 180_000,
)
