import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '@clear-to-post/contract/catalogue'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { addPlans, anyChange, buyer, passDays, settle } from '../../test/buying.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { moveClock } from '../stand-ins/payments/clock.ts'

/** Nobody pays more than they were shown when they pressed. */
let service: Service
let small: string, big: string, year: string
beforeAll(async () => {
  service = await openService()
  ;[small, big, year] = (await addPlans(service)) as [string, string, string]
})
afterAll(() => service.close())
const as = (person: Person) => callConfirmed(service, person)
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
const seats = ({ tenantId }: { tenantId: string }, n: number) =>
  write(sql`update tenant set total_users_allowed = ${n} where id = ${tenantId}`)
/** What was charged, or invoiced, so far. */
const charged = async (person: Person) =>
  (await as(person)(subscriptions.charges, {})).reduce((sum, { price, credit = 0 }) => sum + price + credit, 0)
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ code, message }: { code: string; message: string }) => (code === 'price.changed' ? message : code),
  )
const isDearer = expect.stringMatching(
  /^This costs something else by now: .*\. Nothing was charged\. Look at it again\.$/,
)
/** A company whose plan is paid by card. */
const company = async (n = 3, plan = small) => {
  const tenantId = await makeTenant(service, n)
  return { tenantId, boss: await buyer(service, plan, await makePerson(service, 'ADMIN', { tenantId })) }
}
const look = async (person: Person, planId: string) => {
  const preview = await as(person)(subscriptions.previewPlan, { query: { planId } })
  const { due, fromCredit, renewalPrice, at } = preview
  const press = () =>
    outcome(as(person)(subscriptions.updatePlan, { body: { planId, shown: { due, fromCredit, renewalPrice, at } } }))
  return { ...preview, press }
}
const plan = async (person: Person) => (await as(person)(subscriptions.active, {})).plan?.id

describe('a change of plan', () => {
  it('is refused where seats were raised since its preview, and charges what the new one says', async () => {
    const of = await company()
    const before = await charged(of.boss)
    const shown = await look(of.boss, year)
    await seats(of, 9)
    expect(await shown.press()).toEqual(isDearer)
    await settle(service)
    expect([await charged(of.boss), await plan(of.boss)]).toEqual([before, small])
    const again = await look(of.boss, year)
    expect(await shown.press()).toContain(
      `$${(again.due / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} now, and $9,000.00`,
    )
    expect(await again.press()).toBe('done')
    await settle(service)
    expect(await charged(of.boss)).toBe(before + again.due)
  })

  it('that costs less by now is made, and charges the less', async () => {
    const of = await company()
    const before = await charged(of.boss)
    const shown = await look(of.boss, year)
    await seats(of, 1)
    expect(await shown.press()).toBe('done')
    await settle(service)
    expect(await charged(of.boss)).toBeLessThan(before + shown.due)
  })

  it('is refused where only what follows costs more, or the credit that it counted on is used', async () => {
    const of = await company(3, year)
    const less = await look(of.boss, small)
    await seats(of, 4)
    expect([less.due < 0, await less.press()]).toEqual([true, isDearer])
    await seats(of, 3)
    await as(of.boss)(subscriptions.updatePlan, anyChange(small))
    await settle(service)
    const byCredit = await look(of.boss, big)
    expect(byCredit.fromCredit).toBe(byCredit.due)
    await write(sql`
      update sandbox_object o set body = o.body || '{"credit":100}' from customer c
      where o.id = c.id and c.tenant_id = ${of.tenantId}`)
    expect(await byCredit.press()).toEqual(isDearer)
    expect(await plan(of.boss)).toBe(small)
  })

  it('charges to the cent what was shown up to an hour before, and asks to look again after that', async () => {
    const { boss } = await company(3000)
    const late = await company(3000)
    // Bought some days ago.
    await write(sql`update subscription_period set recorded_at = recorded_at - interval '2 days'`)
    const before = await charged(boss)
    const early = await look(boss, year)
    const old = await look(late.boss, year)
    await service.database.asSystem((tx) => moveClock(tx, 50 * 60_000))
    expect((await look(boss, year)).due).toBeGreaterThan(early.due)
    expect(await early.press()).toBe('done')
    await settle(service)
    expect(await charged(boss)).toBe(before + early.due)
    await service.database.asSystem((tx) => moveClock(tx, 20 * 60_000))
    expect(await old.press()).toEqual(isDearer)
    expect(await (await look(late.boss, year)).press()).toBe('done')
  })

  it('gives nobody the time between for nothing who goes from month to year and back again and again', async () => {
    const { boss } = await company(3000)
    await write(sql`update subscription_period set recorded_at = recorded_at - interval '2 days'`)
    const pressed = []
    for (const [to, minutes] of [
      [year, 50],
      [small, 9],
      [year, 9],
      [small, 9],
    ] as const) {
      const seen = await look(boss, to)
      await service.database.asSystem((tx) => moveClock(tx, minutes * 60_000))
      pressed.push(await seen.press())
      await settle(service)
    }
    expect(pressed).toEqual(['done', 'done', 'done', isDearer])
  })

  it('is reckoned as of no moment that is long over or still to come', async () => {
    const { boss } = await company()
    const press = (due: number, at: string) =>
      outcome(
        as(boss)(subscriptions.updatePlan, {
          body: { planId: year, shown: { due, fromCredit: 0, renewalPrice: 300_000, at } },
        }),
      )
    const first = await look(boss, year)
    await passDays(service, 10)
    const now = await look(boss, year)
    expect(now.due).toBeGreaterThan(first.due + 5000)
    expect(await press(first.due, first.at)).toEqual(isDearer)
    expect(await press(first.due, '2000-01-01T00:00:00Z')).toEqual(isDearer)
    // By a later moment more would be due.
    expect(await press(now.due + 50, '2100-01-01T00:00:00Z')).toBe('done')
  })
})

it('a plan that is invoiced by e-mail begins for no more than its page said', async () => {
  const tenantId = await makeTenant(service, 2)
  await write(sql`update tenant set charge_by_email = true where id = ${tenantId}`)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  const begin = (renewalPrice: number) =>
    outcome(as(boss)(subscriptions.checkout, { body: { planId: small, shown: { due: 20_000, renewalPrice } } }))
  await seats({ tenantId }, 6)
  expect(await begin(20_000)).toEqual(isDearer)
  await seats({ tenantId }, 2)
  expect(await begin(19_999)).toEqual(isDearer)
  await settle(service)
  expect(await charged(boss)).toBe(0)
  expect(await begin(20_000)).toBe('done')
  await settle(service)
  expect(await charged(boss)).toBe(20_000)
})

it('the payment page opens for no more than was said, now and once the coupon of a month has ended', async () => {
  const admin = await makePerson(service, 'ADMIN', { tenantId: null })
  await as(admin)(catalogue.createCoupon, { body: { id: 'HALF-ONCE', percentOff: 50, months: 1 } })
  const tenantId = await makeTenant(service, 2)
  await write(sql`update tenant set default_coupon_code = 'HALF-ONCE' where id = ${tenantId}`)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  const open = (due: number, renewalPrice: number) =>
    outcome(as(boss)(subscriptions.checkout, { body: { planId: small, shown: { due, renewalPrice } } }))
  expect(await open(9_999, 20_000)).toEqual(isDearer)
  expect(await open(10_000, 19_999)).toEqual(isDearer)
  expect(await open(10_000, 20_000)).toBe('done')
  await write(sql`update coupon set redeem_by = now() where id = 'HALF-ONCE'`)
  expect(await open(10_000, 20_000)).toContain('$200.00 now, and $200.00 each period')
})

it('a single video costs no more than its button said, and nothing is bought where it would', async () => {
  const person = await buyer(service, small)
  const before = await charged(person)
  const buy = (due: number) => outcome(as(person)(subscriptions.charge, { body: { shown: { due } } }))
  expect(await buy(2_499)).toEqual(isDearer)
  await settle(service)
  expect(await charged(person)).toBe(before)
  expect(await buy(2_500)).toBe('done')
  await settle(service)
  expect(await charged(person)).toBe(before + 2_500)
})

it('a plan that was to go on for nothing is not charged when its paid period has ended meanwhile', async () => {
  const person = await buyer(service, small)
  await as(person)(subscriptions.pause, {})
  const before = await charged(person)
  const goOn = (due: number, renewalPrice: number) =>
    outcome(as(person)(subscriptions.resume, { body: { shown: { due, renewalPrice } } }))
  await passDays(service, 40)
  expect(await goOn(0, 10_000)).toEqual(isDearer)
  expect(await goOn(10_000, 9_999)).toEqual(isDearer)
  await settle(service)
  expect(await charged(person)).toBe(before)
  expect(await goOn(10_000, 10_000)).toBe('done')
  await settle(service)
  expect(await charged(person)).toBe(before + 10_000)
})
