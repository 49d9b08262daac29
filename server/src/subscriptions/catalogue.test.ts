import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '@clear-to-post/contract/audit'
import { catalogue, type ProductForm, type SoldProduct } from '@clear-to-post/contract/catalogue'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { anyChange, buyer, cards, checkout, passDays, post, settle } from '../../test/buying.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { PaymentAway, PaymentRefused, payments, usePayments } from '../outside/payments/payments.ts'
import { reconcile } from './mirror.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const refused = outcome
const month = {
  currency: 'usd',
  price: 9_900,
  interval: 'month' as const,
  projectsPerMonth: 4,
  revisionsPerProject: 1,
  turnaroundHours: 48,
}
const form = (more: Partial<ProductForm> = {}): ProductForm => ({
  name: 'Starter',
  subtitle: 'One video a week',
  description: 'Four videos a month.',
  position: 1,
  couponId: null,
  isActive: true,
  plans: [month, { ...month, interval: 'year', price: 99_000 }],
  ...more,
})
const make = (more: Partial<ProductForm> = {}) => as(admin)(catalogue.createProduct, { body: form(more) })
const formOf = ({ name, subtitle, description, position, couponId, isActive, plans, version }: SoldProduct) => ({
  name,
  subtitle,
  description,
  position,
  couponId,
  isActive,
  version,
  plans: plans.flatMap(({ isActive: isSold, subscribers: _subscribers, ...plan }) => (isSold ? [plan] : [])),
})
const change = (product: SoldProduct, more: object, requestId?: string) =>
  as(admin)(
    catalogue.updateProduct,
    { params: { productId: product.id }, body: { ...formOf(product), ...more } },
    requestId === undefined ? undefined : { requestId },
  )
const coupon = (id: string, more: object) => as(admin)(catalogue.createCoupon, { body: { id, ...more } })
const listed = async (id: string) =>
  (await callAs(service, null)(subscriptions.publicProducts, {})).find((product) => product.id === id)
const active = (person: Person) => as(person)(subscriptions.active, {})
const charged = async (person: Person) =>
  (await as(person)(subscriptions.charges, {})).map(({ price }) => price).toReversed()

test('a product that an ADMIN makes is on the public page, can be bought, and the audit log says who made it', async () => {
  const product = await make()
  expect(await listed(product.id)).toMatchObject({
    name: 'Starter',
    descriptions: { subtitle: 'One video a week' },
    plans: [
      { price: 9_900, interval: 'month', metadata: { projectsPerMonth: 4 } },
      { price: 99_000, interval: 'year' },
    ],
  })
  const person = await buyer(service, product.plans[0]!.id)
  expect(await active(person)).toMatchObject({ product: { name: 'Starter' }, renewalPrice: 9_900 })
  const { items } = await as(admin)(audit.list, { query: { wheres: [`subjectId:eq:${product.id}`] } })
  expect(items).toMatchObject([{ kind: 'product', act: 'added', actor: { id: admin.id } }])
})

test('a new price is for new subscriptions: who has the plan keeps its price, quota and turnaround', async () => {
  const product = await make()
  const [plan] = product.plans
  const early = await buyer(service, plan!.id)
  const tenantId = await makeTenant(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set default_plan_id = ${plan!.id} where id = ${tenantId}`),
  )
  const changed = await change(product, {
    plans: [{ ...formOf(product).plans[0]!, price: 12_900, projectsPerMonth: 3 }, formOf(product).plans[1]!],
  })
  expect(changed.plans.map((one) => [one.price, one.isActive, one.subscribers])).toEqual([
    [12_900, true, 0],
    [99_000, true, 0],
    [9_900, false, 1],
  ])
  expect((await listed(product.id))?.plans.map(({ price }) => price)).toEqual([12_900, 99_000])
  expect(await active(early)).toMatchObject({
    renewalPrice: 9_900,
    plan: { id: plan!.id, metadata: { projectsPerMonth: 4 } },
  })
  await passDays(service, 32)
  expect(await charged(early)).toEqual([9_900, 9_900])
  const late = await makePerson(service, 'User')
  expect(await refused(checkout(service, late, plan!.id))).toBe('plan.not-found')
  await buyer(service, changed.plans[0]!.id, late)
  expect(await charged(late)).toEqual([12_900])
  // Newcomers of companies get what is sold.
  const [company] = await service.database.asSystem((tx) =>
    tx.rows(sql<{ plan: string }>`select default_plan_id as plan from tenant where id = ${tenantId}`),
  )
  expect(company!.plan).toBe(changed.plans[0]!.id)
  // The terms of before are the plan of before: no second one of the same.
  const back = await change(changed, { plans: formOf(product).plans })
  expect(back.plans.filter((one) => one.isActive).map(({ id }) => id)).toEqual(product.plans.map(({ id }) => id))
  expect(back.plans).toHaveLength(3)
})

test('a product that is retired is not sold, who has it keeps it, and it can be sold again', async () => {
  const product = await make()
  const person = await buyer(service, product.plans[0]!.id)
  const retired = await change(product, { isActive: false })
  expect(await listed(product.id)).toBeUndefined()
  expect(await active(person)).toMatchObject({ status: 'active', product: { id: product.id } })
  const late = await makePerson(service, 'User')
  expect(await refused(checkout(service, late, product.plans[0]!.id))).toBe('plan.not-found')
  // The round that reads everything of the provider's leaves it so.
  await reconcile(service.database, new Date(), true)
  expect(await listed(product.id)).toBeUndefined()
  await change(retired, { isActive: true })
  expect(await listed(product.id)).toBeDefined()
})

test('of two who change one product at once the later is told, and the same request changes it once', async () => {
  const product = await make()
  const requestId = randomUUID()
  const once = await change(product, { name: 'Steady' }, requestId)
  expect(await change(product, { name: 'Steady' }, requestId)).toEqual(once)
  expect(await refused(change(product, { name: 'Another' }))).toBe('product.changed')
  // Begun and not ended by somebody else.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update product set changing_until = now() + interval '1 minute', changing_by = 'somebody' where id = ${product.id}`),
  )
  expect(await refused(change(once, { name: 'Another' }))).toBe('product.changing')
  const createId = randomUUID()
  const twice = []
  for (let again = 0; again < 2; again++)
    twice.push(await as(admin)(catalogue.createProduct, { body: form() }, { requestId: createId }))
  expect(twice[1]).toEqual(twice[0])
})

test('a change of which the provider gave no answer is asked again by the same request alone', async () => {
  const product = await make()
  const real = payments()
  usePayments({ ...real, saveProduct: () => Promise.reject(new PaymentAway('no answer')) })
  const requestId = randomUUID()
  try {
    expect(await refused(change(product, { name: 'Away' }, requestId))).toBe('payment.unavailable')
  } finally {
    usePayments(real)
  }
  expect(await refused(change(product, { name: 'Other' }))).toBe('product.changing')
  expect(await change(product, { name: 'Away' }, requestId)).toMatchObject({ name: 'Away' })
  expect(await refused(change(product, { name: 'Other' }))).toBe('product.changed')
})

test('a change that the provider finds invalid is refused in its words, and the next one is not kept waiting', async () => {
  const product = await make()
  const real = payments()
  const says = { field: 'name', words: 'Invalid string: too long' }
  usePayments({ ...real, saveProduct: () => Promise.reject(new PaymentRefused('payment.refused', undefined, says)) })
  try {
    await expect(change(product, { name: 'Odd' })).rejects.toMatchObject({
      code: 'payment.refused',
      message: 'The payment service does not take this: Invalid string: too long',
      issues: [{ path: 'name', message: 'Invalid string: too long' }],
    })
  } finally {
    usePayments(real)
  }
  expect(await change(product, { name: 'Steady' })).toMatchObject({ name: 'Steady' })
})

test('a coupon is used as often as it can be, however many pages were opened with it before', async () => {
  await coupon('ONCE', { percentOff: 50, mostUses: 1 })
  const product = await make({ couponId: 'ONCE' })
  const people = [
    await makePerson(service, 'User'),
    await makePerson(service, 'User'),
    await makePerson(service, 'User'),
  ]
  const pages: string[] = []
  for (const person of people) pages.push(await checkout(service, person, product.plans[0]!.id))
  const shown = []
  for (const page of pages) shown.push(await post(service, page, { number: cards.pays }))
  expect(shown[0]!.statusCode).toBe(303)
  for (const { body } of shown.slice(1)) {
    expect(body).toContain('was used up meanwhile. Nothing was charged.')
    // No card helps: the way on is back to the plans.
    expect(body).not.toContain('<form')
    expect(body).toContain('Back to the plans')
  }
  expect(await Promise.all(people.map(charged))).toEqual([[4_950], [], []])
  const { coupons } = await as(admin)(catalogue.list, {})
  expect(coupons.find(({ id }) => id === 'ONCE')).toMatchObject({ uses: 1, mostUses: 1 })
  // At once: each page opens with the coupon, and one of them has it.
  await coupon('ONE-OF-TWO', { percentOff: 50, mostUses: 1 })
  const other = await make({ couponId: 'ONE-OF-TWO' })
  const both = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const opened: string[] = []
  for (const person of both) opened.push(await checkout(service, person, other.plans[0]!.id))
  const pay = (url: string) =>
    service.app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `number=${cards.pays}`,
    })
  await Promise.all(opened.map(pay))
  await settle(service)
  expect((await Promise.all(both.map(charged))).flat()).toEqual([4_950])
  // The plan is sold at its whole price from then on.
  await buyer(service, product.plans[0]!.id, people[1]!)
  expect(await charged(people[1]!)).toEqual([9_900])
})

test('a coupon of an amount is taken off for its months, then the whole price is charged', async () => {
  await coupon('THREE', { amountOff: 2_000, currency: 'usd', months: 3, mostUses: 1 })
  const product = await make({ couponId: 'THREE' })
  expect(await listed(product.id)).toMatchObject({
    percentOff: 0,
    plans: [{ offer: { amountOff: 2_000, periods: 3 } }, { offer: { amountOff: 2_000, periods: 1 } }],
  })
  const person = await buyer(service, product.plans[0]!.id)
  expect(await active(person)).toMatchObject({ amountOff: 2_000, renewalPrice: 7_900 })
  // It was used as often as it can be.
  const { coupons } = await as(admin)(catalogue.list, {})
  expect(coupons.find(({ id }) => id === 'THREE')).toMatchObject({ uses: 1, state: 'used-up', usedBy: ['Starter'] })
  expect((await listed(product.id))?.plans[0]).not.toHaveProperty('offer')
  const late = await buyer(service, product.plans[0]!.id)
  expect(await charged(late)).toEqual([9_900])
  for (let days = 0; days < 4; days++) await passDays(service, 31)
  expect(await charged(person)).toEqual([7_900, 7_900, 7_900, 9_900, 9_900])
  expect(await active(person)).toMatchObject({ renewalPrice: 9_900 })
  expect(await active(person)).not.toHaveProperty('amountOff')
})

test(
  'a coupon of some months is given to each payer once, though they end their plan and buy again',
  { tags: 'long' },
  async () => {
    await coupon('FIRST', { percentOff: 90, months: 1 })
    await coupon('ALWAYS', { percentOff: 10 })
    const product = await make({ couponId: 'FIRST' })
    const planId = product.plans[0]!.id
    const person = await buyer(service, planId)
    const seen = async (who: Person) => {
      const all = await as(who)(subscriptions.products, {})
      const { percentOff, plans } = all.find(({ id }) => id === product.id)!
      return [percentOff, plans[0]!.offer?.percentOff ?? 0]
    }
    const buyAgain = async (who: Person) => {
      const { url } = await as(who)(subscriptions.portal, {})
      const what = await service.database.asSystem((tx) =>
        tx.first(sql<{ id: string }>`
        select provider_id as id from subscription
        where (user_id = ${who.id} or tenant_id = ${who.tenantId}::uuid) and status = 'active'`),
      )
      await post(service, url, { do: 'end', what: what!.id })
      await passDays(service, 32)
      await buyer(service, planId, who)
    }
    expect(await charged(person)).toEqual([990])
    // What a later reading no longer lists was given all the same.
    await passDays(service, 32)
    await reconcile(service.database, new Date(), true)
    expect(await charged(person)).toEqual([990, 9_900])
    await buyAgain(person)
    expect(await charged(person)).toEqual([990, 9_900, 9_900])
    expect(await seen(person)).toEqual([0, 0])
    // Of somebody else nothing is known; of a company it is the company.
    expect(await seen(await makePerson(service, 'User'))).toEqual([90, 90])
    const tenantId = await makeTenant(service)
    const manager = await buyer(service, planId, await makePerson(service, 'ADMIN', { tenantId }))
    const inCompany = async () =>
      service.database.asSystem((tx) =>
        tx.rows(sql<{ percent_off: number }>`
        select percent_off::float8 from subscription where tenant_id = ${tenantId} order by start_date`),
      )
    expect(await inCompany()).toEqual([{ percent_off: 90 }])
    expect(await seen(manager)).toEqual([0, 0])
    expect(await seen(await makePerson(service, 'User', { tenantId }))).toEqual([90, 90])
    // One that is for good is given each time.
    const other = await make({ couponId: 'ALWAYS' })
    const loyal = await buyer(service, other.plans[0]!.id)
    const { url } = await as(loyal)(subscriptions.portal, {})
    const [plan] = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`select provider_id as id from subscription where user_id = ${loyal.id}`),
    )
    await post(service, url, { do: 'end', what: plan!.id })
    await passDays(service, 32)
    await buyer(service, other.plans[0]!.id, loyal)
    expect(await charged(loyal)).toEqual([8_910, 8_910])
  },
)

test('one request id with other forms makes no product of both', async () => {
  const requestId = randomUUID()
  const forms = [1, 2, 3].map((n) => ({ ...form(), name: `Once ${n}`, plans: [{ ...month, price: 10_000 * n }] }))
  const create = (body: (typeof forms)[number]) => as(admin)(catalogue.createProduct, { body }, { requestId })
  const made = [await create(forms[0]!), ...(await Promise.all(forms.slice(1).map(create)))]
  expect(made.map(({ name, plans }) => [name, plans.map(({ price }) => price)])).toEqual(
    forms.map(({ name, plans }) => [name, plans.map(({ price }) => price)]),
  )
  expect((await create(forms[0]!)).id).toBe(made[0]!.id)
})

test('of several who make one coupon at once, one makes it and its terms stand', async () => {
  const asked = Array.from({ length: 6 }, (_, i) => coupon('AT-ONCE', { percentOff: 10 + i }))
  const answers = await Promise.allSettled(asked)
  const made = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))
  expect(made).toHaveLength(1)
  expect(refusals).toEqual(Array.from({ length: 5 }, () => 'coupon.taken'))
  const { coupons } = await as(admin)(catalogue.list, {})
  expect(coupons.find(({ id }) => id === 'AT-ONCE')).toMatchObject({ percentOff: made[0]!.percentOff })
})

test('a change of plan takes the coupon of the plan that it leads to, and leaves that of the plan before', async () => {
  await coupon('NINETY', { percentOff: 90, mostUses: 2 })
  await coupon('A-MONTH', { percentOff: 50, months: 1 })
  const [cheap, plain, half] = [
    await make({ couponId: 'NINETY' }),
    await make({ name: 'Steady' }),
    await make({ name: 'Team', couponId: 'A-MONTH' }),
  ]
  const [monthly, yearly] = cheap.plans.map((plan) => plan.id) as [string, string]
  const to = async (who: Person, planId: string) => {
    const preview = await as(who)(subscriptions.previewPlan, { query: { planId } })
    await as(who)(subscriptions.updatePlan, anyChange(planId))
    await settle(service)
    const { percentOff, renewalPrice } = await active(who)
    return { charge: preview.charge, shown: preview.renewalPrice, percentOff, renewalPrice }
  }
  const uses = async (id: string) => (await as(admin)(catalogue.list, {})).coupons.find((one) => one.id === id)!.uses
  const person = await buyer(service, monthly)
  expect(await charged(person)).toEqual([990])
  const inFull = { charge: 99_000, shown: 99_000, percentOff: 0, renewalPrice: 99_000 }
  expect(await to(person, plain.plans[1]!.id)).toEqual(inFull)
  // It was used, whoever has it now; within its product it goes along.
  expect(await uses('NINETY')).toBe(1)
  const other = await buyer(service, monthly)
  expect(await to(other, yearly)).toMatchObject({ charge: 9_900, percentOff: 90, renewalPrice: 9_900 })
  expect(await uses('NINETY')).toBe(2)
  // Where a coupon is, it is given: once, if it is one of some months.
  expect(await to(other, half.plans[0]!.id)).toMatchObject({ charge: 4_950, shown: 9_900, percentOff: 50 })
  expect(await to(other, plain.plans[0]!.id)).toMatchObject({ percentOff: 0, shown: 9_900, renewalPrice: 9_900 })
  expect(await to(other, half.plans[1]!.id)).toEqual(inFull)
})

test('a company’s own coupon goes along to each plan, and is used once', async () => {
  await coupon('TENTH', { percentOff: 10, months: 12, mostUses: 1 })
  const [first, next] = [await make(), await make({ name: 'Steady' })]
  const tenantId = await makeTenant(service, 2)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set default_coupon_code = 'tenth' where id = ${tenantId}`),
  )
  const manager = await buyer(service, first.plans[0]!.id, await makePerson(service, 'ADMIN', { tenantId }))
  expect(await active(manager)).toMatchObject({ percentOff: 10, renewalPrice: 17_820 })
  await as(manager)(subscriptions.updatePlan, anyChange(next.plans[1]!.id))
  await settle(service)
  expect(await active(manager)).toMatchObject({ percentOff: 10, discountEnds: expect.any(String) })
  // No longer the company's, it stays behind.
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set default_coupon_code = null where id = ${tenantId}`),
  )
  await as(manager)(subscriptions.updatePlan, anyChange(first.plans[1]!.id))
  await settle(service)
  expect(await active(manager)).toMatchObject({ percentOff: 0, renewalPrice: 198_000 })
})

test('a change of plan gives back no more than was paid, after the coupon of the running period has ended', async () => {
  for (const [id, off] of [
    ['HALF-A-MONTH', { percentOff: 50 }],
    ['SOME-A-MONTH', { amountOff: 50_000, currency: 'usd' }],
  ] as const) {
    await coupon(id, { ...off, months: 1 })
    const product = await make({ couponId: id })
    const [monthly, yearly] = product.plans.map((plan) => plan.id) as [string, string]
    const person = await buyer(service, yearly)
    const [paid] = await charged(person)
    await passDays(service, 32)
    const preview = await as(person)(subscriptions.previewPlan, { query: { planId: monthly } })
    expect(preview.credit).toBeGreaterThan(0)
    expect(preview.credit).toBeLessThan(paid!)
    expect(preview.due).toBe(preview.charge - preview.credit)
  }
})

test('a coupon that is retired or over takes nothing off any more, and who used it keeps what it takes off', async () => {
  await coupon('half-off', { percentOff: 50 })
  const product = await make({ couponId: 'HALF-OFF' })
  const person = await buyer(service, product.plans[0]!.id)
  expect(await active(person)).toMatchObject({ percentOff: 50, renewalPrice: 4_950 })
  expect(await refused(coupon('HALF-OFF', { percentOff: 10 }))).toBe('coupon.taken')
  for (let again = 0; again < 2; again++)
    expect(await as(admin)(catalogue.retireCoupon, { params: { couponId: 'HALF-OFF' } })).toMatchObject({
      state: 'retired',
      uses: 1,
    })
  expect(await listed(product.id)).toMatchObject({ percentOff: 0 })
  // Made anew, it would work at once wherever the old one is named.
  expect(await refused(coupon('HALF-OFF', { percentOff: 90 }))).toBe('coupon.taken')
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into coupon (id, percent_off, is_valid) values ('welcome', 5, false)`),
  )
  expect(await refused(coupon('WELCOME', { percentOff: 90 }))).toBe('coupon.taken')
  await passDays(service, 32)
  expect(await charged(person)).toEqual([4_950, 4_950])
  expect(await active(person)).toMatchObject({ renewalPrice: 4_950 })
  // A product keeps a coupon that is over; another one cannot be given it.
  await change(product, { name: 'Steady' })
  expect(await refused(make({ couponId: 'HALF-OFF' }))).toBe('coupon.not-found')
  // Its last day is over.
  await coupon('SOON', { percentOff: 20, redeemBy: new Date(Date.now() + 86_400_000).toISOString() })
  const other = await make({ couponId: 'SOON' })
  expect(await listed(other.id)).toMatchObject({ percentOff: 20 })
  await service.database.asSystem((tx) => tx.count(sql`update coupon set redeem_by = now() where id = 'SOON'`))
  expect(await listed(other.id)).toMatchObject({ percentOff: 0 })
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  expect(await refused(coupon('PAST', { percentOff: 20, redeemBy: yesterday }))).toBe('coupon.too-late')
  const inFiveYears = new Date(Date.now() + 5 * 366 * 86_400_000).toISOString()
  expect(await refused(coupon('FAR', { percentOff: 20, redeemBy: inFiveYears }))).toBe('coupon.too-far')
  expect(await refused(as(admin)(catalogue.retireCoupon, { params: { couponId: 'NONE' } }))).toBe('coupon.not-found')
})

test('of a company’s coupon and the product’s own the one that makes its seats cheaper is used', async () => {
  await coupon('TEN-DOLLARS', { amountOff: 1_000, currency: 'usd' })
  await coupon('EIGHT', { percentOff: 8 })
  const product = await make({ couponId: 'TEN-DOLLARS' })
  const tenantId = await makeTenant(service, 3)
  const manager = await makePerson(service, 'ADMIN', { tenantId })
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set default_coupon_code = 'eight' where id = ${tenantId}`),
  )
  // Of one seat ten dollars are more, of three eight percent.
  expect((await listed(product.id))?.plans[0]).toMatchObject({ offer: { amountOff: 1_000 } })
  const mine = await as(manager)(subscriptions.products, {})
  expect(mine.find(({ id }) => id === product.id)?.plans[0]).toMatchObject({ offer: { percentOff: 8, amountOff: 0 } })
  await buyer(service, product.plans[0]!.id, manager)
  expect(await active(manager)).toMatchObject({ quantity: 3, percentOff: 8, renewalPrice: 27_324 })
  await settle(service)
})

test('a company’s ADMIN neither sees nor changes what is sold, and what makes no sense is refused', async () => {
  const tenantId = await makeTenant(service)
  const manager = await makePerson(service, 'ADMIN', { tenantId })
  expect(await refused(as(manager)(catalogue.list, {}))).toBe('tenant.service-only')
  expect(await refused(as(manager)(catalogue.createProduct, { body: form() }))).toBe('tenant.service-only')
  expect(await refused(as(manager)(catalogue.createCoupon, { body: { id: 'MINE', percentOff: 99 } }))).toBe(
    'tenant.service-only',
  )
  const product = await make()
  const body = { ...formOf(product), name: 'Mine' }
  const asked = as(manager)(catalogue.updateProduct, { params: { productId: product.id }, body })
  expect(await refused(asked)).toBe('tenant.service-only')
  expect(await refused(as(manager)(catalogue.retireCoupon, { params: { couponId: 'HALF-OFF' } }))).toBe(
    'tenant.service-only',
  )
  expect(await refused(make({ plans: [month, month] }))).toBe('plan.twice')
  expect(await refused(make({ couponId: 'NONE' }))).toBe('coupon.not-found')
  const plans = [{ ...month, id: 'price_of_another' }]
  expect(await refused(change(product, { plans }))).toBe('plan.not-found')
  const unknown = { params: { productId: 'prod_none' }, body: formOf(product) }
  expect(await refused(as(admin)(catalogue.updateProduct, unknown))).toBe('product.not-found')
  expect(await refused(make({ plans: [{ ...month, currency: 'xyz' }] }))).toBe('request.invalid')
  for (const more of [
    { amountOff: 100, currency: 'jpy' },
    {},
    { percentOff: 10, amountOff: 100, currency: 'usd' },
    { amountOff: 100 },
  ])
    expect(await refused(coupon('ODD', more))).toBe('request.invalid')
})
