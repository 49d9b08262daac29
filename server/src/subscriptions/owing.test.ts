import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { runSandbox } from '../stand-ins/payments/billing.ts'
import { moveClock } from '../stand-ins/payments/clock.ts'
import { addPlans, anyChange, buyer, checkout, passDays, post, settle } from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { PaymentAway, payments, usePayments } from '../outside/payments/payments.ts'

/** What a payer owes for a change that is not paid, and more videos that cost no more. */
let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
})
afterAll(() => service.close())
const as = (person: Person) => callConfirmed(service, person)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
/** As if the running year had begun so long ago. */
const age = ({ tenantId }: Company, ago: string) =>
  service.database.asSystem(async (tx) => {
    const started = sql`date_trunc('second', now()) - ${ago}::interval`
    await tx.count(sql`
      update subscription_period p set starts = ${started}, ends = ${started} + interval '1 year' from subscription s
      where s.id = p.subscription_id and s.tenant_id = ${tenantId}`)
    await tx.count(sql`
      update subscription set current_period_start = ${started}, current_period_end = ${started} + interval '1 year'
      where tenant_id = ${tenantId}`)
    await tx.count(sql`
      update sandbox_object o set body = body || jsonb_build_object('anchor', s.current_period_start,
        'periodStart', s.current_period_start, 'periodEnd', s.current_period_end)
      from subscription s where o.id = s.provider_id and s.tenant_id = ${tenantId}`)
  })
type Company = { tenantId: string; boss: Person }
/** A company that is invoiced by e-mail; its first invoice is open. */
const company = async (seats: number, planId: string): Promise<Company> => {
  const tenantId = await makeTenant(service, seats)
  await rows(sql`update tenant set charge_by_email = true where id = ${tenantId}`)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  await checkout(service, boss, planId)
  await settle(service)
  return { tenantId, boss }
}
/** The jobs that a change or a payment left, as a worker does them. */
const work = async ({ tenantId }: Company) => {
  for (let some = 1; some > 0;) {
    const jobs = await rows(
      sql`delete from pgboss.job where name = 'seats' and data->>'tenantId' = ${tenantId} returning id`,
    )
    some = jobs.length
    if (some > 0) await registry.seats.run({ tenantId }, jobContext(service))
    await settle(service)
  }
}
const seats = async (of: Company, totalUsersAllowed: number) => {
  await as(admin)(tenants.update, { body: { tenantId: of.tenantId, data: { totalUsersAllowed } } })
  await work(of)
}
const pay = async (of: Company) => {
  for (const { paid, status, receiptUrl } of await as(of.boss)(subscriptions.charges, {}))
    if (!paid && status === 'open') await post(service, receiptUrl, {})
  await work(of)
}
const stands = async ({ tenantId }: Company) => {
  const [row] = await rows(sql<{
    quantity: number
    status: string
    videos: number
    plan: string
    credit: number
    open: number
  }>`
    select s.quantity, s.status, s.plan_id as plan, s.credit, (
        select sum(p.videos)::integer from subscription_period p where p.subscription_id = s.id) as videos, (
        select coalesce(sum(c.price), 0)::float8 from charge c where c.tenant_id = s.tenant_id and c.status = 'open') as open
    from subscription s where s.tenant_id = ${tenantId}`)
  return row!
}
const refused = (call: Promise<unknown>) =>
  call.then(
    () => ({ code: 'done', message: '' }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )
const change = async ({ boss }: Company, planId: string) => {
  await as(boss)(subscriptions.updatePlan, anyChange(planId))
  await settle(service)
}

describe('while an invoice of a company’s plan is open', () => {
  it('seats that were mistyped and put right owe nothing, and the period holds what it held', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await pay(one)
    await age(one, '20 days')
    const paid = await stands(one)
    expect(paid).toMatchObject({ quantity: 10, videos: 480, open: 0, credit: 0 })
    for (let times = 0; times < 2; times++) {
      await seats(one, 100)
      expect(await stands(one)).toMatchObject({ quantity: 100, videos: 4800, open: 9_000_000 })
      await seats(one, 10)
      expect(await stands(one)).toEqual(paid)
    }
    // What is paid comes back as it did before.
    await seats(one, 5)
    const { credit, videos } = await stands(one)
    expect(credit).toBeGreaterThan(450_000)
    expect(Math.abs(videos - (480 - (240 * credit) / 500_000))).toBeLessThanOrEqual(1)
  })

  it('they do so also when its two weeks are over, and the plan runs again', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await pay(one)
    const paid = await stands(one)
    await seats(one, 100)
    await passDays(service, 15)
    expect((await stands(one)).status).toBe('past_due')
    await seats(one, 10)
    expect(await stands(one)).toEqual(paid)
  })

  it('they do so also once a card was tried on the invoice, and failed', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await pay(one)
    const paid = await stands(one)
    await seats(one, 100)
    // The hosted page of an invoice takes a card, and each try is a charge of its own.
    await rows(sql`
      insert into charge (id, tenant_id, created_at, paid, receipt_url, status, price, credit, refunded, disputed, currency, payment_type,
        description, reading)
      select 'tried on ' || id, tenant_id, created_at + interval '1 day', false, '', 'failed', price, 0, 0, 0, currency, 'card', '', reading
      from charge where tenant_id = ${one.tenantId} and status = 'open'`)
    await seats(one, 10)
    expect(await stands(one)).toEqual(paid)
  })

  it('seats put right after a period has ended, before the news of it, leave the invoice of the new one', async () => {
    const [small] = await addPlans(service)
    const one = await company(10, small!)
    await pay(one)
    await seats(one, 100)
    await service.database.asSystem((tx) => moveClock(tx, 32 * 86_400_000))
    await runSandbox(service.database, new Date())
    const invoices = () =>
      rows(sql<{ price: number; status: string }>`
        select (o.body->>'price')::float8 as price, o.body->>'status' as status
        from sandbox_object o join customer c on c.id = o.customer_id
        where c.tenant_id = ${one.tenantId} and o.kind = 'invoice' order by o.created_at, price`)
    const before = await invoices()
    expect(before.at(-1)).toEqual({ price: 1_000_000, status: 'open' })
    await as(admin)(tenants.update, { body: { tenantId: one.tenantId, data: { totalUsersAllowed: 10 } } })
    await registry.seats.run({ tenantId: one.tenantId }, jobContext(service))
    expect(await invoices()).toEqual(before)
  })

  it('fewer seats than were paid wait for its payment, and come back then', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await pay(one)
    await seats(one, 11)
    await seats(one, 7)
    expect(await stands(one)).toMatchObject({ quantity: 11, videos: 528, open: 100_000, credit: 0 })
    await pay(one)
    const { quantity, credit, open, videos } = await stands(one)
    expect([quantity, open]).toEqual([7, 0])
    expect(credit).toBeGreaterThan(399_000)
    expect(videos).toBeGreaterThanOrEqual(7 * 48)
  })

  it('its first one keeps the seats that it was written for until it is paid', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await seats(one, 1)
    await seats(one, 10)
    expect(await stands(one)).toMatchObject({ quantity: 10, videos: 480, open: 1_000_000 })
    await seats(one, 1)
    expect(await stands(one)).toMatchObject({ quantity: 10, open: 1_000_000 })
    await pay(one)
    const { quantity, credit } = await stands(one)
    expect(quantity).toBe(1)
    expect(credit).toBeGreaterThan(899_000)
  })

  it('a bigger plan goes back to the one that was paid, and to no other, in words that say so', async () => {
    const [small, big] = await addPlans(service)
    const [other] = await addPlans(service)
    const one = await company(2, small!)
    const first = await refused(change(one, big!))
    expect([first.code, first.message]).toEqual(['subscription.owes', expect.stringContaining('Pay it first')])
    await pay(one)
    const paid = await stands(one)
    await change(one, big!)
    expect(await stands(one)).toMatchObject({ plan: big, videos: 16, open: 20_000 })
    const asked = [
      () => as(one.boss)(subscriptions.previewPlan, { query: { planId: other! } }),
      () => as(one.boss)(subscriptions.updatePlan, anyChange(other!)),
    ]
    for (const ask of asked) {
      const { code, message } = await refused(ask())
      const words = expect.stringContaining('choose the plan that you had before (Steady, monthly)')
      expect([code, message]).toEqual(['subscription.owes', words])
    }
    const preview = await callAs(service, one.boss)(subscriptions.previewPlan, { query: { planId: small! } })
    expect(preview).toMatchObject({ credit: 0, charge: 0, due: 0, renewalPrice: 20_000 })
    await change(one, small!)
    expect(await stands(one)).toEqual(paid)
    // Once it is paid, a change settles as it always did.
    await change(one, big!)
    await pay(one)
    await change(one, small!)
    expect((await stands(one)).credit).toBeGreaterThan(19_900)
  })

  it('nothing goes back once more was used than was paid, or another period runs', async () => {
    const [small] = await addPlans(service)
    const one = await company(1, small!)
    await pay(one)
    await seats(one, 3)
    const members = [await makePerson(service, 'User', { tenantId: one.tenantId })]
    members.push(await makePerson(service, 'User', { tenantId: one.tenantId }))
    const sendIn = async (member: Person, n: number) => {
      for (let i = 0; i < n; i++) {
        await submitProject(service, member, { title: 'Rates' })
        await letDayPass(service)
      }
    }
    await sendIn(members[0]!, 4)
    await sendIn(members[1]!, 1)
    // No other plan is advised that would be refused, too.
    const words = async (of: Company) => (await refused(change(of, (await addPlans(service))[1]!))).message
    expect(await words(one)).toMatch(/Pay it first.*If it is a mistake, write to us/)
    await rows(sql`update person set is_disabled = true where id = ${members[1]!.id}`)
    await seats(one, 1)
    expect(await stands(one)).toMatchObject({ quantity: 3, open: 20_000 })
    const two = await company(1, small!)
    await pay(two)
    await seats(two, 3)
    expect(await words(two)).toMatch(/write to us: with the seats that you had before/)
    await passDays(service, 32)
    await seats(two, 1)
    expect(await stands(two)).toMatchObject({ quantity: 3, open: 50_000 })
  })
})

it('a plan on its way back is used by nobody until it is there, and seats asked for meanwhile come after it', async () => {
  const [small] = await addPlans(service)
  const one = await company(1, small!)
  await pay(one)
  await seats(one, 3)
  const provider = payments()
  usePayments({ ...provider, putBack: () => Promise.reject(new PaymentAway('It does not answer')) })
  await as(admin)(tenants.update, { body: { tenantId: one.tenantId, data: { totalUsersAllowed: 1 } } })
  const asked = registry.seats.run({ tenantId: one.tenantId }, jobContext(service))
  expect((await refused(asked)).message).toBe('It does not answer')
  usePayments(provider)
  await settle(service)
  // The mark of its change ends by itself.
  await rows(sql`update subscription set changing_until = now() where tenant_id = ${one.tenantId}`)
  expect(await stands(one)).toMatchObject({ quantity: 3, videos: 12, open: 0 })
  const member = await makePerson(service, 'User', one)
  const sent = () => refused(submitProject(service, member, { title: 'Rates' }))
  expect((await sent()).code).toBe('subscription.changing')
  await seats(one, 2)
  await work(one)
  expect(await stands(one)).toMatchObject({ quantity: 2, videos: 8, open: 10_000 })
  expect((await sent()).code).toBe('done')
})

describe('an invoice that was made void by other hands', () => {
  const voided = async (of: Company) => {
    const [{ provider_id: id }] = (await rows(sql<{ provider_id: string }>`
      select provider_id from subscription where tenant_id = ${of.tenantId}`)) as [{ provider_id: string }]
    await payments().voidOpen(id, 'by hand')
    await settle(service)
    await work(of)
  }

  it('pays for nothing: a smaller plan gives no credit for what nobody paid', async () => {
    const [small, big] = await addPlans(service)
    const one = await company(2, big!)
    await voided(one)
    expect(await stands(one)).toMatchObject({ plan: big, status: 'active', open: 0, videos: 16 })
    const preview = await callAs(service, one.boss)(subscriptions.previewPlan, { query: { planId: small! } })
    expect(preview).toMatchObject({ credit: 0, due: 0 })
    await change(one, small!)
    expect(await stands(one)).toMatchObject({ plan: small, credit: 0, open: 0 })
    expect((await as(one.boss)(subscriptions.charges, {})).map(({ status, paid }) => [status, paid])).toEqual([
      ['void', false],
    ])
  })

  it('also when it was overdue: the plan runs again, and gives no credit', async () => {
    const [small, big] = await addPlans(service)
    const one = await company(2, big!)
    await passDays(service, 15)
    expect((await stands(one)).status).toBe('past_due')
    await voided(one)
    expect((await stands(one)).status).toBe('active')
    await change(one, small!)
    expect((await stands(one)).credit).toBe(0)
  })

  it('leaves the way back to what was paid: seats put right hold what they held, and come back as what they are', async () => {
    const [, , year] = await addPlans(service)
    const one = await company(10, year!)
    await pay(one)
    const paid = await stands(one)
    await seats(one, 100)
    await voided(one)
    expect(await stands(one)).toMatchObject({ quantity: 100, videos: 4800, open: 0 })
    await seats(one, 10)
    expect(await stands(one)).toEqual(paid)
    await seats(one, 5)
    expect((await stands(one)).credit).toBeGreaterThan(499_000)
    // Up again is no way back: it is charged.
    await seats(one, 10)
    expect(await stands(one)).toMatchObject({ quantity: 10, credit: 0 })
  })
})

describe('a plan that holds more videos and costs no more', () => {
  it.each([55, 50])('begins a period of its own, at its price: by a coupon of %i %%', async (percent) => {
    const [small] = await addPlans(service, 4)
    const [, big] = await addPlans(service, 10)
    const code = `MORE${percent}`
    await rows(sql`insert into coupon (id, percent_off, months) values (${code}, ${percent}, 3)`)
    await rows(sql`
      update product set percent_off = ${percent}, metadata = metadata || ${JSON.stringify({ coupon: code })}::jsonb
      where id = (select product_id from plan where id = ${big!})`)
    const officer = await buyer(service, small!)
    for (let i = 0; i < 4; i++) {
      await submitProject(service, officer, { title: 'Rates' })
      await letDayPass(service)
    }
    const price = (20_000 * (100 - percent)) / 100
    const preview = await as(officer)(subscriptions.previewPlan, { query: { planId: big! } })
    expect(preview).toMatchObject({ credit: 0, charge: price, due: price })
    await as(officer)(subscriptions.updatePlan, anyChange(big!))
    await settle(service)
    const periods = await rows(sql<{ videos: number }>`
      select p.videos from subscription_period p join subscription s on s.id = p.subscription_id
      where s.user_id = ${officer.id} order by p.starts`)
    expect(periods.map(({ videos }) => videos)).toEqual([4, 20])
    const paid = await rows(
      sql<{ price: number }>`select price from charge where user_id = ${officer.id} order by created_at`,
    )
    expect(paid.map((charge) => charge.price)).toEqual([10_000, price])
    // What comes back later may have been paid before this period.
    const [{ covered_since: since }] = (await rows(sql<{ covered_since: Date | null }>`
      select covered_since from subscription where user_id = ${officer.id}`)) as [{ covered_since: Date | null }]
    expect(since).not.toBeNull()
  })
})
