// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { addPlans, anyChange, anyResume, anySingle, buyer, cards, checkout, post, settle } from '../../test/buying.ts'
import { cutAt, cuts, isReading, placesThatAsk, type Cut, type Made } from '../../test/cuts.ts'
import { submitProject } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { addEvent } from '../stand-ins/payments/events.ts'
import { subscriptionsData } from './personal-data.ts'
import { paymentTasks } from './jobs.ts'

/**
 * Everything that is done with the payment provider, cut at each of its calls there. Once the service runs again, without anybody
 * asking for it once more, all of it was done or nothing: no plan is bigger than what was paid, and nothing is paid twice.
 */
let service: Service
let admin: Person
let plans: string[]
beforeAll(async () => {
  // What is killed is an error of the call that died with it.
  service = await openService({ LOG_LEVEL: 'silent' })
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
  plans = await addPlans(service)
})
afterAll(() => service.close())
const as = (person: Person, requestId?: string) => {
  const call = callConfirmed(service, person)
  return ((shape, input) => call(shape, input, requestId ? { requestId } : {})) as typeof call
}
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))

type Scene = { person: Person; tenantId?: string }
type Course = {
  begin: () => Promise<Scene>
  /** What somebody asks for, or a job does; a job is done again after a cut, a person asks no more. */
  go: (scene: Scene) => Promise<unknown>
  isJob?: true
}

const officer = async (plan = 0): Promise<Scene> => ({ person: await buyer(service, plans[plan]!) })
const company = async (seats = 2, isPaid = true): Promise<Scene & { tenantId: string }> => {
  const tenantId = await makeTenant(service, seats)
  await rows(sql`update tenant set charge_by_email = true where id = ${tenantId}`)
  const person = await makePerson(service, 'ADMIN', { tenantId })
  if (isPaid) {
    await checkout(service, person, plans[0]!)
    await settle(service)
    await pay({ person, tenantId })
  }
  return { person, tenantId }
}
const pay = async ({ person }: Scene) => {
  for (const { paid, status, receiptUrl } of await as(person)(subscriptions.charges, {}))
    if (!paid && status === 'open') await post(service, receiptUrl, {})
}
const setSeats = async ({ tenantId }: Scene, totalUsersAllowed: number) => {
  await as(admin)(tenants.update, { body: { tenantId: tenantId!, data: { totalUsersAllowed } } })
}
const seats = ({ tenantId }: Scene) => registry.seats.run({ tenantId: tenantId! }, jobContext(service))
const standing = ({ person, tenantId }: Scene) =>
  registry['payer-standing'].run(tenantId ? { tenantId } : { userId: person.id }, jobContext(service))
const change =
  (plan: number) =>
  ({ person }: Scene) =>
    as(person)(subscriptions.updatePlan, anyChange(plans[plan]!))
const jobOf = async (name: 'surplus' | 'refund' | 'endSubscription', { person }: Scene) => {
  const [one] = await rows(sql<{ data: never }>`
    select data from pgboss.job where name = ${name} and (data->>'refundId' in (select id::text from refund where user_id = ${person.id})
      or data->>'providerId' in (select provider_id from subscription where user_id = ${person.id}))`)
  return registry[name].run(one!.data, jobContext(service))
}
const refunded = async (way: 'card' | 'credit'): Promise<Scene> => {
  const scene = await officer()
  const [charge] = await rows(sql<{ id: string }>`select id from charge where user_id = ${scene.person.id}`)
  const body = { amount: 2500, way, reason: 'Late', left: 10_000 }
  await as(admin)(subscriptions.giveBack, { params: { chargeId: charge!.id }, body })
  return scene
}

/** With a bigger plan, whose invoice is open. */
const bigger = async (): Promise<Scene> => {
  const scene = await company()
  await change(1)(scene)
  await settle(service)
  return scene
}
const withSeats = async (totalUsersAllowed: number, then?: number): Promise<Scene> => {
  const scene = await company()
  for (const seatsNow of then === undefined ? [totalUsersAllowed] : [totalUsersAllowed, then]) {
    if (seatsNow === then) await seats(scene).then(() => settle(service))
    await setSeats(scene, seatsNow)
  }
  return scene
}
const switched = async (isActive: boolean): Promise<Scene> => {
  const tenantId = await makeTenant(service, 2)
  const scene = { tenantId, person: await makePerson(service, 'ADMIN', { tenantId }) }
  await buyer(service, plans[0]!, scene.person)
  await checkout(service, scene.person, plans[0]!).catch(() => {})
  for (const now of isActive ? [false, true] : [false]) {
    await rows(sql`update tenant set is_active = ${now} where id = ${tenantId}`)
    if (isActive && !now) await standing(scene).then(() => settle(service))
  }
  return scene
}
const usedAndTakenBack = async (): Promise<Scene> => {
  const scene = await officer()
  await as(scene.person)(subscriptions.charge, anySingle)
  await settle(service)
  // Of the plan and for nothing there is no other.
  await rows(sql`update person set free_projects = 1 where id = ${scene.person.id}`)
  for (let videos = 0; videos < 5; videos++) await submitProject(service, scene.person, { title: 'Rates' })
  const [video] = await rows(sql<{ charge_id: string }>`
    select charge_id from extra_project where user_id = ${scene.person.id} and used_month is not null`)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      update sandbox_object set body = jsonb_set(body, '{disputed}', body->'price') where id = ${video!.charge_id}`)
    await addEvent(tx, 'charge.dispute.created', video!.charge_id, new Date())
  })
  await settle(service)
  return scene
}
const twoPlans = async (): Promise<Scene> => {
  const person = await makePerson(service, 'User')
  const pages = await Promise.all([0, 1].map((plan) => checkout(service, person, plans[plan]!)))
  await rows(sql`update sandbox_object set body = body - 'isClosed' where kind = 'checkout.session'`)
  for (const page of pages) await post(service, page, { number: cards.pays })
  return { person }
}
const removed = async (): Promise<Scene> => {
  const scene = await officer()
  await as(scene.person)(accounts.remove, {})
  return scene
}
/** Paid on a page that was open when they were removed. */
const paidLate = async (): Promise<Scene> => {
  const person = await makePerson(service, 'User')
  const page = await checkout(service, person, plans[0]!)
  await as(person)(accounts.remove, {})
  await post(service, page, { number: cards.pays })
  return { person }
}
const erase = async ({ person }: Scene) => {
  const [{ traces }] = (await rows(sql<{ traces: never }>`
    select work->'traces' as traces from removal where person_id = ${person.id}`)) as [{ traces: never }]
  return subscriptionsData.eraseOutside!(traces, service.database)
}

const courses: Record<string, Course> = {
  'a payment page for a first plan': {
    begin: async () => ({ person: await makePerson(service, 'User') }),
    go: ({ person }) => checkout(service, person, plans[0]!),
  },
  'a first plan by e-mail': {
    begin: () => company(2, false),
    go: ({ person }) => checkout(service, person, plans[0]!),
  },
  'the page for cards and invoices': { begin: officer, go: ({ person }) => as(person)(subscriptions.portal, {}) },
  'a bigger plan by card': { begin: officer, go: change(1) },
  'a smaller plan by card': { begin: () => officer(2), go: change(0) },
  'a bigger plan by an invoice': { begin: company, go: change(1) },
  'a bigger plan taken back to the one that was paid': { begin: bigger, go: change(0) },
  'more seats': { begin: () => withSeats(5), go: seats, isJob: true },
  'seats taken back to those that were paid': { begin: () => withSeats(5, 2), go: seats, isJob: true },
  'a pause': { begin: officer, go: ({ person }) => as(person)(subscriptions.pause, {}) },
  'the end of a pause': {
    begin: async () => {
      const scene = await officer()
      await as(scene.person)(subscriptions.pause, {})
      await settle(service)
      return scene
    },
    go: ({ person }) => as(person)(subscriptions.resume, anyResume),
  },
  'a single video': { begin: officer, go: ({ person }) => as(person)(subscriptions.charge, anySingle) },
  'a single video that the card does not pay': {
    begin: async () => {
      const scene = await officer()
      await rows(sql`
        update sandbox_object set body = jsonb_set(body, '{card,pays}', '"never"')
        where id = (select id from customer where user_id = ${scene.person.id})`)
      return scene
    },
    go: ({ person }) => as(person)(subscriptions.charge, anySingle).catch(() => {}),
  },
  'a used single video that its bank took back': {
    begin: usedAndTakenBack,
    go: ({ person }) => as(person)(subscriptions.charge, { body: { ...anySingle.body, forOwed: true } }),
  },
  'a payer who is switched off': { begin: () => switched(false), go: standing, isJob: true },
  'a payer who is switched on again': { begin: () => switched(true), go: standing, isJob: true },
  'a plan that was paid beside another': { begin: twoPlans, go: (scene) => jobOf('surplus', scene), isJob: true },
  'a refund to a card': { begin: () => refunded('card'), go: (scene) => jobOf('refund', scene), isJob: true },
  'a credit': { begin: () => refunded('credit'), go: (scene) => jobOf('refund', scene), isJob: true },
  'the plan of a removed person': { begin: removed, go: (scene) => jobOf('endSubscription', scene), isJob: true },
  'what the provider knows of a removed person': { begin: removed, go: erase, isJob: true },
  'a plan that was paid after its person was removed': { begin: paidLate, go: erase, isJob: true },
}

/** What is sold is asked for with one call each, whose answer alone is kept; who a customer is, is told again until it is known. */
const walkedElsewhere: Made[] = [
  'subscriptions/catalogue.ts createCoupon',
  'subscriptions/catalogue.ts retireCoupon',
  'subscriptions/catalogue.ts saveProduct',
  'subscriptions/customers.ts updateCustomer',
]

/**
 * What is kept of a payer, here and there, in whole hundreds: prorations differ by a cent a second. Who is known there and has bought
 * nothing, and what a card did not pay, is nothing.
 */
const look = async ({ person, tenantId }: Scene) => {
  const who = tenantId ?? person.id
  const customer = sql`(select id from sandbox_object where kind = 'customer' and ${who} in (body->'whose'->>'userId', body->'whose'->>'tenantId'))`
  const [here, periods, there] = [
    await rows(sql`
      select s.plan_id, s.quantity, s.status, s.paused_from is not null as paused, s.ends_at is not null as ends,
        round(s.credit / 100.0)::integer as credit, s.owed_since is not null as owes
      from subscription s where s.user_id = ${who} or s.tenant_id = ${who} order by 1, 2, 3`),
    await rows(sql`
      select p.videos from subscription_period p join subscription s on s.id = p.subscription_id
      where s.user_id = ${who} or s.tenant_id = ${who} order by 1`),
    await rows(sql`
      select o.kind, o.body->>'status' as status, o.body->>'planId' as plan, o.body->>'quantity' as quantity,
        round(coalesce((o.body->>'price')::numeric, (o.body->>'credit')::numeric, 0) / 100)::integer as amount,
        o.body->>'refunds' is not null as refunded, o.body->>'endsAtPeriodEnd' as ends
      from sandbox_object o where (o.customer_id in ${customer} or o.id in ${customer}) and kind not in ('portal', 'checkout.session', 'refund')
        and coalesce(o.body->>'status', '') <> 'failed' and (kind <> 'customer' or o.body->>'credit' <> '0')
      order by 1, 2, 3, 4, 5`),
  ]
  const charges = await rows(sql`
    select round(price / 100.0)::integer as price, status, paid, refunded from charge
    where (user_id = ${who} or tenant_id = ${who}) and status <> 'failed' order by 1, 2, 3`)
  const videos = await rows(sql`
    select state, used_month is not null as used from extra_project where user_id = ${who} and state <> 'failed' order by 1, 2`)
  return { here, periods, charges, videos, there }
}

/**
 * The service runs again: marks end by themselves, jobs are done once more, its tasks look, and what happened is heard of. Without
 * the daily round, which reads everything.
 */
const runAgain = async (course: Course, scene: Scene) => {
  await rows(sql`update subscription set changing_until = now() - interval '1 second' where changing_until is not null`)
  if (course.isJob) await course.go(scene)
  await settle(service)
  for (let looks = 0; looks < 2; looks++) {
    await rows(sql`update payment_round set at = '-infinity', done_at = '-infinity'`)
    const later = new Date(Date.now() + 3_600_000)
    for (const { name, run } of paymentTasks(service.database))
      if (name !== 'payments compared' && name !== 'payers told of') await run(later, AbortSignal.timeout(60_000))
    if (scene.tenantId) await seats(scene)
    await settle(service)
  }
}

describe('work that is cut between two calls to the payment provider', () => {
  const walked = new Set<Made>()

  for (const [name, course] of Object.entries(courses))
    it(`is done wholly or not at all: ${name}`, async () => {
      const whole = await course.begin()
      const before = await look(whole)
      const calls = await cutAt(service, () => course.go(whole))
      for (const call of calls) walked.add(call)
      await runAgain(course, whole)
      const done = await look(whole)
      const outcomes = course.isJob ? [done] : [done, before]
      for (const [call, made] of calls.entries())
        for (const cut of isReading(made) ? (['killed before'] satisfies Cut[]) : cuts) {
          const scene = await course.begin()
          await cutAt(service, () => course.go(scene), { call, cut })
          await runAgain(course, scene)
          const what = `${cut}: call ${call + 1} of ${calls.length}, ${made}`
          const after = await look(scene)
          if (!outcomes.some((one) => JSON.stringify(one) === JSON.stringify(after))) expect(after, what).toEqual(done)
        }
    })

  it('is walked from every place of the source that asks for a change', () => {
    expect([...walked, ...walkedElsewhere].filter((made) => !isReading(made)).toSorted()).toEqual(placesThatAsk())
  })
})
