import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, buyer, cards, settle } from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { runNotices } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { PaymentAway, payments, usePayments } from '../outside/payments/payments.ts'
import { runSandbox } from '../stand-ins/payments/billing.ts'
import { addEvent } from '../stand-ins/payments/events.ts'
import { beginReading, keep, reconcile, sweepEvents } from './mirror.ts'
import { noteOwing } from './owing.ts'

/** What banks and people at the payment provider do by themselves: what its payer sees, and what the plan gives. */
let service: Service
let plans: string[]
beforeAll(async () => {
  service = await openService()
  plans = await addPlans(service)
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
const day = 86_400_000
/** Bought so many days ago, for a year. */
const bought = async (days: number, card = cards.pays): Promise<Person> => {
  const person = await buyer(service, plans[2]!, undefined, card)
  const ago = `${days} days`
  // The free video is none of the plan's.
  await rows(sql`update person set free_projects = 1 where id = ${person.id}`)
  const customer = sql`(select id from customer where user_id = ${person.id})`
  await rows(sql`
    update sandbox_object set created_at = created_at - ${ago}::interval, body = case kind when 'subscription'
      then body || jsonb_build_object('anchor', now() - ${ago}::interval, 'startedAt', now() - ${ago}::interval,
        'periodStart', now() - ${ago}::interval, 'periodEnd', now() - ${ago}::interval + interval '1 year') else body end
    where customer_id = ${customer}`)
  await rows(sql`update charge set created_at = created_at - ${ago}::interval where user_id = ${person.id}`)
  await rows(
    sql`update payment_event set handled_at = null where object_id in (select id from sandbox_object where customer_id = ${customer})`,
  )
  await settle(service)
  return person
}
const chargeOf = async (person: Person) =>
  (await rows(sql<{ id: string }>`select id from charge where user_id = ${person.id} order by created_at limit 1`))[0]!
    .id
/** Something happens to a charge at the provider; whether an event of it comes, is another thing. */
const atProvider = async (person: Person, change: object, event?: string) => {
  const id = await chargeOf(person)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update sandbox_object set body = body || ${JSON.stringify(change)}::jsonb where id = ${id}`)
    if (event) await addEvent(tx, event, id, new Date())
  })
  await settle(service)
}
const sent = async (person: Person) => {
  await letDayPass(service)
  return outcome(submitProject(service, person, { title: 'Rates' }))
}
const told = async ({ id }: Person) => {
  await runNotices(service)
  return (await rows(sql<{ title: string }>`select title from notification where user_id = ${id} order by id`)).map(
    ({ title }) => title,
  )
}
const seen = async (person: Person) =>
  (await as(person)(subscriptions.charges, {})).map(({ price, status, paid }) => [price, status, paid])

/** As if everything of a payer had happened so many days earlier: only the time that went by is longer. */
const goBy = async ({ id }: Person, days: number) => {
  const ago = sql`make_interval(days => ${days})`
  const customer = sql`(select id from customer where user_id = ${id})`
  const earlier = (key: string) => sql`${key}::text, (body->>${key})::timestamptz - ${ago}`
  await rows(sql`
    update sandbox_object set created_at = created_at - ${ago}, due_at = due_at - ${ago}, body = case kind when 'subscription' then body || jsonb_build_object(
      ${earlier('anchor')}, ${earlier('startedAt')}, ${earlier('periodStart')}, ${earlier('periodEnd')}) else body end
    where customer_id = ${customer}`)
  await rows(sql`
    update charge set created_at = created_at - ${ago}, taken_back_at = taken_back_at - ${ago} where user_id = ${id}`)
  await rows(sql`
    update subscription set covered_since = covered_since - ${ago}, current_period_start = current_period_start - ${ago},
      current_period_end = current_period_end - ${ago} where user_id = ${id}`)
  await rows(sql`
    update subscription_period set starts = starts - ${ago}, ends = ends - ${ago}
    where subscription_id in (select id from subscription where user_id = ${id})`)
  await rows(sql`
    update payment_event set handled_at = null where object_id in (select id from sandbox_object where customer_id = ${customer})`)
  await settle(service)
}
const change = async (person: Person, planId: string) => {
  await as(person)(subscriptions.updatePlan, { body: { planId } })
  await settle(service)
}

describe('a payment that its bank took back', () => {
  it('is told to its payer once; two weeks after that the plan takes no new video, until it is won', async () => {
    const officer = await bought(20)
    for (let twice = 0; twice < 2; twice++) await atProvider(officer, { disputed: 100_000 }, 'charge.dispute.created')
    expect(await told(officer)).toEqual(['Your bank took a payment back'])
    const { graceUntil } = await as(officer)(subscriptions.active, {})
    expect(Math.round((new Date(graceUntil!).getTime() - Date.now()) / day)).toBe(14)
    await goBy(officer, 13)
    expect(await sent(officer)).toBe('done')
    await goBy(officer, 2)
    expect(await sent(officer)).toBe('project.no-plan')
    expect((await as(officer)(subscriptions.previewPlan, { query: { planId: plans[0]! } })).credit).toBe(0)
    await atProvider(officer, { disputed: 0 }, 'charge.dispute.closed')
    expect(await sent(officer)).toBe('done')
    expect((await as(officer)(subscriptions.active, {})).graceUntil).toBeUndefined()
    expect(await told(officer)).toEqual(['Your bank took a payment back'])
  })

  it('leaves the plan where a part of it came back alone, and where we had given it back wholly', async () => {
    const [part, gift] = [await bought(20), await bought(20)]
    await payments().refund({ chargeId: await chargeOf(gift), amount: 100_000, refundId: 'before the bank' })
    await settle(service)
    await atProvider(part, { disputed: 40_000 }, 'charge.dispute.created')
    await atProvider(gift, { disputed: 100_000 }, 'charge.dispute.created')
    for (const one of [part, gift]) await goBy(one, 15)
    expect([await sent(part), await sent(gift)]).toEqual(['done', 'done'])
  })

  it('of a period that is over takes nothing from the one that is paid', async () => {
    const officer = await bought(20)
    await rows(sql`
      update sandbox_object set created_at = created_at - interval '1 year' where id = ${await chargeOf(officer)}`)
    await rows(sql`update charge set created_at = created_at - interval '1 year' where user_id = ${officer.id}`)
    await atProvider(officer, { disputed: 100_000 }, 'charge.dispute.created')
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('done')
  })

  it.each([
    ['before', 2, 0, 100_000],
    ['before', 0, 2, 10_000],
    ['after', 0, 2, 10_000],
  ] as const)(
    '%s its plan was changed and paid anew stops nothing: plan %i to %i',
    async (when, from, to, disputed) => {
      const officer = await buyer(service, plans[from]!)
      await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
      await goBy(officer, 3)
      const takeBack = () => atProvider(officer, { disputed }, 'charge.dispute.created')
      if (when === 'before') await takeBack()
      await change(officer, plans[to]!)
      if (when === 'after') {
        await goBy(officer, 10)
        await takeBack()
      }
      expect((await as(officer)(subscriptions.active, {})).graceUntil).toBeUndefined()
      await goBy(officer, 15)
      expect(await sent(officer)).toBe('done')
    },
  )

  it('stops the month that its credit alone paid for', async () => {
    const officer = await bought(20)
    await change(officer, plans[0]!)
    await atProvider(officer, { disputed: 100_000 }, 'charge.dispute.created')
    expect(await sent(officer)).toBe('done')
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
  })

  it('stops the year that its credit paid for but for some dollars', async () => {
    const officer = await bought(2)
    await change(officer, plans[0]!)
    await goBy(officer, 2)
    await change(officer, plans[2]!)
    await atProvider(officer, { disputed: 100_000 }, 'charge.dispute.created')
    expect(await sent(officer)).toBe('done')
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
  })

  it('of a second plan that was undone stops nothing of the first one', async () => {
    const officer = await bought(20)
    const { id: chargeId } = (
      await rows(sql<{ id: string }>`
        with first as (select * from subscription where user_id = ${officer.id}),
        second as (
          insert into subscription (provider_id, user_id, plan_id, status, start_date, reading)
          select provider_id || ' second', user_id, plan_id, 'canceled', now() - interval '5 days', reading from first)
        insert into charge (id, user_id, created_at, paid, receipt_url, status, price, credit, refunded, disputed, currency, payment_type,
          description, reading, taken_back_at)
        select id || ' second', user_id, now() - interval '5 days' + interval '3 seconds', true, '', 'succeeded', price, 0, 0, price,
          currency, 'card', '', reading, now() - interval '4 days' from charge where user_id = ${officer.id} returning id`)
    )[0]!
    await service.database.asSystem((tx) => noteOwing(tx, { user_id: officer.id, tenant_id: null }))
    expect((await as(officer)(subscriptions.active, {})).graceUntil).toBeUndefined()
    expect(await seen(officer)).toHaveLength(2)
    // The first one's own would.
    await rows(sql`update charge set created_at = created_at + interval '2 days' where id = ${chargeId}`)
    await service.database.asSystem((tx) => noteOwing(tx, { user_id: officer.id, tenant_id: null }))
    expect((await as(officer)(subscriptions.active, {})).graceUntil).toBeDefined()
  })

  it('says until when the plan goes on, also where it was charged an hour after its period began', async () => {
    const officer = await bought(12)
    const id = await chargeOf(officer)
    const later = sql`set created_at = created_at + interval '62 minutes' where id = ${id}`
    await rows(sql`update sandbox_object ${later}`)
    await rows(sql`update charge ${later}`)
    await atProvider(officer, { disputed: 100_000 }, 'charge.dispute.created')
    const { status, graceUntil } = await as(officer)(subscriptions.active, {})
    expect([status, Math.round((new Date(graceUntil!).getTime() - Date.now()) / day)]).toEqual(['active', 14])
  })
})

describe('credit that came out of a payment which its bank took back', () => {
  /** A month later everything that is due is renewed. */
  const renew = async (person: Person) => {
    await goBy(person, 32)
    await runSandbox(service.database, new Date())
    await settle(service)
  }
  const takeBack = (person: Person, disputed = 100_000) => atProvider(person, { disputed }, 'charge.dispute.created')
  const lastPaid = async ({ id }: Person) => {
    const [last] = await rows(sql<{ price: number; credit: number }>`
      select price::float8 as price, credit::float8 as credit from charge where user_id = ${id} order by created_at desc limit 1`)
    return last
  }
  const creditOf = async (person: Person) => (await as(person)(subscriptions.active, {})).credit ?? 0
  const creditAtProvider = async ({ id }: Person, credit: number) => {
    await service.database.asSystem(async (tx) => {
      const [customer] = await tx.rows(sql<{ id: string }>`
        update sandbox_object set body = body || ${JSON.stringify({ credit })}::jsonb
        where kind = 'customer' and id = (select id from customer where user_id = ${id}) returning id`)
      await addEvent(tx, 'customer.updated', customer!.id, new Date())
    })
    await settle(service)
  }
  /** A year that became months, the second of which its credit paid for. */
  const yearInMonths = async () => {
    const officer = await bought(20)
    await change(officer, plans[0]!)
    await renew(officer)
    expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
    return officer
  }

  it.each(['before', 'after'])(
    'stops months two weeks after it was told, %s the first that it renewed, until it is won',
    async (when) => {
      const officer = await bought(20)
      await change(officer, plans[0]!)
      if (when === 'before') await takeBack(officer)
      await renew(officer)
      expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
      if (when === 'before') {
        expect(await sent(officer)).toBe('project.no-plan')
        await atProvider(officer, { disputed: 0 }, 'charge.dispute.closed')
      }
      await takeBack(officer)
      const { graceUntil } = await as(officer)(subscriptions.active, {})
      expect(Math.round((new Date(graceUntil!).getTime() - Date.now()) / day)).toBe(14)
      await goBy(officer, 13)
      expect(await sent(officer)).toBe('done')
      await goBy(officer, 2)
      expect(await sent(officer)).toBe('project.no-plan')
      await renew(officer)
      expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
      expect(await sent(officer)).toBe('project.no-plan')
      await atProvider(officer, { disputed: 0 }, 'charge.dispute.closed')
      expect(await sent(officer)).toBe('done')
      await renew(officer)
      expect(await sent(officer)).toBe('done')
    },
  )

  it('stops a month that is renewed before its payment is heard of, too, and none that costs nothing', async () => {
    const officer = await yearInMonths()
    await takeBack(officer)
    const note = () => service.database.asSystem((tx) => noteOwing(tx, { user_id: officer.id, tenant_id: null }))
    const owes = async () => (await as(officer)(subscriptions.active, {})).graceUntil !== undefined
    await rows(sql`delete from charge where user_id = ${officer.id} and price = 0`)
    await rows(sql`update subscription set credit = credit + 10000 where user_id = ${officer.id}`)
    await note()
    expect(await owes()).toBe(true)
    await rows(sql`update subscription set percent_off = 100 where user_id = ${officer.id}`)
    await note()
    expect(await owes()).toBe(false)
    // A coupon that has ended takes nothing off.
    await rows(sql`update subscription set discount_ends = current_period_start where user_id = ${officer.id}`)
    await note()
    expect(await owes()).toBe(true)
  })

  it('stops a year that it paid for the most part, and the months that this year became', async () => {
    const officer = await yearInMonths()
    await change(officer, plans[2]!)
    const year = (await lastPaid(officer))!
    expect(year.credit).toBeGreaterThan(year.price)
    await takeBack(officer)
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
    await change(officer, plans[0]!)
    for (let months = 0; months < 3; months++) {
      await renew(officer)
      expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
    }
    expect(await sent(officer)).toBe('project.no-plan')
  })

  it('is known of a payment whichever reading says it, and in whatever order they are kept', async () => {
    const officer = await yearInMonths()
    await change(officer, plans[2]!)
    const { price, credit } = (await lastPaid(officer))!
    const [{ id }] = (await rows(sql<{ id: string }>`
      delete from charge where user_id = ${officer.id} and price = ${price} returning id`)) as [{ id: string }]
    const whole = (await payments().read({ kind: 'charge', id })).filter((one) => one.kind === 'charge')
    const alone = whole.map((one) => ({ ...one, credit: 0 }))
    const [first, second, third] = await service.database.asSystem(async (tx) => [
      await beginReading(tx),
      await beginReading(tx),
      await beginReading(tx),
    ])
    await keep(service.database, alone, second)
    expect(await lastPaid(officer)).toEqual({ price, credit: 0 })
    for (const [snapshots, reading] of [[whole, first] as const, [alone, third] as const]) {
      await keep(service.database, snapshots, reading)
      expect(await lastPaid(officer)).toEqual({ price, credit })
    }
  })

  it('stops another plan that its payer buys out of it', async () => {
    const officer = await yearInMonths()
    await takeBack(officer)
    const [{ provider_id: id }] = (await rows(sql<{ provider_id: string }>`
      select provider_id from subscription where user_id = ${officer.id}`)) as [{ provider_id: string }]
    await payments().end(id, 'by hand')
    await settle(service)
    await goBy(officer, 15)
    await buyer(service, plans[0]!, officer)
    expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
    expect(await sent(officer)).toBe('project.no-plan')
  })

  it('stops no period that a card paid for, nor what is renewed out of credit of that period later', async () => {
    const officer = await yearInMonths()
    await takeBack(officer)
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
    // Staff took what was left of it away at the provider.
    await creditAtProvider(officer, 0)
    await change(officer, plans[2]!)
    expect((await lastPaid(officer))!.credit).toBe(0)
    expect(await sent(officer)).toBe('done')
    await change(officer, plans[0]!)
    for (let months = 0; months < 2; months++) await renew(officer)
    expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
    expect((await as(officer)(subscriptions.active, {})).graceUntil).toBeUndefined()
    expect(await sent(officer)).toBe('done')
  })

  it.each(['nothing of it', 'the less of it'])(
    'is used after credit that came from elsewhere: of a month, of whose payment %s was credited',
    async (what) => {
      const officer = await buyer(service, plans[what === 'nothing of it' ? 0 : 1]!)
      await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
      if (what === 'the less of it') await change(officer, plans[0]!)
      const bad = await creditOf(officer)
      expect(bad > 0).toBe(what === 'the less of it')
      await creditAtProvider(officer, bad + 20_000)
      await takeBack(officer, what === 'nothing of it' ? 10_000 : 20_000)
      for (let months = 0; months < 2; months++) {
        await renew(officer)
        expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
        expect(await sent(officer)).toBe('done')
      }
      await renew(officer)
      expect(await sent(officer)).toBe(what === 'nothing of it' ? 'done' : 'project.no-plan')
      await renew(officer)
      expect(await lastPaid(officer)).toMatchObject({ credit: 0 })
      expect(await sent(officer)).toBe('done')
    },
  )

  it('is not what another payment of its period, that stands, can have given', async () => {
    const officer = await buyer(service, plans[0]!)
    await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
    for (const plan of [plans[1]!, plans[0]!]) await change(officer, plan)
    await takeBack(officer, 10_000)
    await renew(officer)
    const { price, credit } = (await lastPaid(officer))!
    expect(credit).toBeGreaterThan(price)
    expect(await sent(officer)).toBe('done')
  })

  it('counts with what an admin gave back of the payment as credit', async () => {
    const officer = await buyer(service, plans[0]!)
    await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
    const admin = await makePerson(service, 'ADMIN', { tenantId: null })
    await rows(sql`
      insert into refund (charge_id, user_id, kind, amount, currency, state, reason, by_id)
      values (${await chargeOf(officer)}, ${officer.id}, 'credit', 10000, 'usd', 'done', 'A late cut', ${admin.id})`)
    await creditAtProvider(officer, 10_000)
    await renew(officer)
    expect(await lastPaid(officer)).toEqual({ price: 0, credit: 10_000 })
    await takeBack(officer, 10_000)
    expect(await sent(officer)).toBe('done')
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
  })
})

it('a refund by hand at the provider is seen by its payer, gives no credit, and leaves the plan as a gift', async () => {
  const officer = await bought(20)
  await payments().refund({ chargeId: await chargeOf(officer), amount: 100_000, refundId: 'by-hand' })
  await settle(service)
  expect(await seen(officer)).toEqual([[100_000, 'refunded', true]])
  expect(await sent(officer)).toBe('done')
  expect((await as(officer)(subscriptions.previewPlan, { query: { planId: plans[0]! } })).credit).toBe(0)
})

describe('webhooks', () => {
  it('that come late, twice and in another order leave what stands at the provider, and tell of it once', async () => {
    const officer = await bought(20)
    const id = await chargeOf(officer)
    await service.database.asSystem(async (tx) => {
      // Taken back, and returned, before any news of either; the older news comes last, and each twice.
      for (const event of [
        'charge.dispute.closed',
        'charge.dispute.created',
        'charge.succeeded',
        'charge.dispute.created',
      ])
        await addEvent(tx, event, id, new Date(Date.now() - 3 * day))
    })
    await settle(service)
    expect([await sent(officer), await told(officer)]).toEqual(['done', []])
  })

  it('that are lost for a day, while the provider is away too, are asked for as soon as it answers', async () => {
    const officer = await bought(20)
    const start = Date.now() + 365 * day
    await sweepEvents(service.database, new Date(start))
    const provider = payments()
    const away = () => {
      throw new PaymentAway('It does not answer')
    }
    usePayments({ ...provider, missed: away, everything: away })
    for (let hour = 1; hour <= 24; hour++) {
      await expect(sweepEvents(service.database, new Date(start + (hour * day) / 24))).rejects.toThrow('answer')
      const asked = reconcile(service.database, new Date(start + (hour * day) / 24))
      if (hour === 1) await expect(asked).rejects.toThrow('answer')
      else await asked.catch(() => {})
    }
    const asked: Date[] = []
    usePayments({ ...provider, missed: (since) => (asked.push(since), provider.missed(since)) })
    try {
      await service.database.asSystem(async (tx) => {
        const id = await chargeOf(officer)
        await tx.count(sql`update sandbox_object set body = body || '{"disputed": 100000}' where id = ${id}`)
        await addEvent(tx, 'charge.dispute.created', id, new Date())
      })
      // Nothing of it is known yet: the plan is as it was.
      expect(await sent(officer)).toBe('done')
      await sweepEvents(service.database, new Date(start + day + 600_000))
    } finally {
      usePayments(provider)
    }
    expect(asked[0]!.getTime()).toBeLessThanOrEqual(start)
    await settle(service)
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
    // The daily round failed a day long: it is made within the hour, and not a day later.
    expect(await reconcile(service.database, new Date(start + day + 2 * 3_600_000))).toBe(true)
  })

  it('and events that never come at all are made up for by the daily round', async () => {
    const officer = await bought(20)
    await atProvider(officer, { disputed: 100_000 })
    expect(await sent(officer)).toBe('done')
    await reconcile(service.database, new Date(), true)
    await goBy(officer, 15)
    expect(await sent(officer)).toBe('project.no-plan')
    expect((await callAs(service, officer)(subscriptions.active, {})).status).toBe('active')
  })
})
