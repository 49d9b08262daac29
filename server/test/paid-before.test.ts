import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { reports } from '@clear-to-post/contract/reports'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { sql } from '../src/kernel/database.ts'
import { callAs, callConfirmed, confirmed, makePerson, makeTenant, type Person, type Service } from './service.ts'
import { restoreConditions, walls } from './walls.ts'

/** What an officer paid themselves, before, in and between their stays in companies: docs/decisions/1236. */
let service: Service
let first: string, second: string, planId: string
let admin: Person, ofFirst: Person, ofSecond: Person, officer: Person
const dayMs = 86_400_000

const pay = (what: string, at: Date, who = officer) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, last4, brand, reading,
        description)
      values (${what + who.id}, ${who.id}, ${at}, true, 'https://pay.example/receipt', 'succeeded', 4900, 'usd', 'card', '4242', 'visa', 1,
        ${what})`),
  )
const havePlan = (status: string, from: Date, until: Date) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      insert into subscription (id, user_id, plan_id, status, start_date, current_period_start, current_period_end)
      values (${randomUUID()}, ${officer.id}, ${planId}, ${status}, ${from}, ${from}, ${until})`),
  )
/** Answers since when they are there. */
const move = async (to: string) => {
  await callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, tenantId: to } })
  const { since } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ since: Date }>`select since from membership where person_id = ${officer.id} and until is null`),
  ))!
  return since
}
const readBy = async (who: Person) => {
  const read = callAs(service, who)
  const words = (rows: readonly { description?: string | undefined }[]) =>
    rows.map(({ description }) => description).toSorted()
  const of = await read(subscriptions.chargesOf, { params: { payerId: officer.id } }).catch(() => [])
  return {
    payments: words(
      (await read(subscriptions.payments, { query: {} })).items.filter(({ payer }) => payer.id === officer.id),
    ),
    chargesOf: words(of),
  }
}
const both = (...words: string[]) => ({ payments: words.toSorted(), chargesOf: words.toSorted() })
const moneyOf = async (who: Person, from: Date, to: Date) => {
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const { currencies } = await callAs(service, who)(reports.money, {
    query: { from: day(from), to: day(to), timezone: 'UTC' },
  })
  return currencies[0]?.total.paid ?? 0
}
/** What row-level security shows, whatever a query says: as much as the queries do, where it binds nobody. */
const rowsFor = async (wall: string, who: Person) =>
  wall === 'the queries’ own conditions alone'
    ? (await readBy(who)).payments.length
    : service.database.inTenant(who, (tx) => tx.count(sql`select from charge where user_id = ${officer.id}`))

describe.each(Object.entries(walls))('%s', (wall, open) => {
  beforeAll(async () => {
    service = await open()
    ;[first, second] = [await makeTenant(service), await makeTenant(service)]
    admin = await makePerson(service, 'ADMIN')
    ofFirst = await makePerson(service, 'ADMIN', { tenantId: first })
    ofSecond = await makePerson(service, 'ADMIN', { tenantId: second })
    officer = await makePerson(service, 'User', { tenantId: first })
    planId = randomUUID()
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`
      insert into product (id, name, descriptions, metadata)
      values (${planId}, 'Solo', '{"description":"","subtitle":""}', '{"position":1}')`)
      await tx.count(sql`
      insert into plan (id, product_id, currency, price, interval, metadata) values (${planId}, ${planId}, 'usd', 4900, 'month', '{}')`)
    })
  })
  afterAll(async () => {
    restoreConditions()
    await service.close()
  })

  test('a company reads of an officer’s own payments those that were made while they were in it', async () => {
    const now = Date.now()
    const ago = (days: number) => new Date(now - days * dayMs)
    const [from, to] = [ago(60), ago(-2)]
    await pay('at the first', ago(30))
    await havePlan('canceled', ago(50), ago(20))
    expect([await readBy(ofFirst), await moneyOf(ofFirst, from, to), await rowsFor(wall, ofFirst)]).toEqual([
      both('at the first'),
      4900,
      1,
    ])
    expect((await callAs(service, ofFirst)(subscriptions.plans, { query: {} })).items).toHaveLength(1)

    const moved = await move(second)
    await pay('just before the move', new Date(moved.getTime() - 1))
    await pay('at the second', new Date(moved.getTime() + 1))
    expect([await readBy(ofSecond), await moneyOf(ofSecond, from, to), await rowsFor(wall, ofSecond)]).toEqual([
      both('at the second'),
      4900,
      1,
    ])
    expect([await readBy(ofFirst), await moneyOf(ofFirst, from, to), await rowsFor(wall, ofFirst)]).toEqual([
      both(),
      0,
      0,
    ])
    // A stay that is split by another role is one stay, and of what had ended before nothing is seen; a plan that runs is.
    await callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, isDisabled: true } })
    await callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, isDisabled: false } })
    expect(await readBy(ofSecond)).toEqual(both('at the second'))
    // Of plans the queries alone ask it.
    if (wall !== 'row-level security alone')
      expect((await callAs(service, ofSecond)(subscriptions.plans, { query: {} })).items).toEqual([])
    await havePlan('active', ago(10), ago(-20))
    const plans = await callAs(service, ofSecond)(subscriptions.plans, { query: {} })
    expect(plans.items.map(({ state }) => state).filter((state) => state !== 'ended')).toEqual(['running'])

    const all = ['at the first', 'just before the move', 'at the second']
    expect(await readBy(admin)).toEqual(both(...all))
    // Their sessions ended with the moves.
    const { stamp } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${officer.id}`),
    ))!
    const signedInAnew = await confirmed(service, { ...officer, tenantId: second, securityStamp: stamp })
    expect(
      (await callAs(service, signedInAnew)(subscriptions.charges, {})).map(({ description }) => description).toSorted(),
    ).toEqual(all.toSorted())

    await move(first)
    expect(await readBy(ofFirst)).toEqual(both('at the first', 'just before the move'))
    expect(await readBy(ofSecond)).toEqual(both())
  })

  test('a payment in the very moment of a move belongs to the company that somebody came to', async () => {
    officer = await makePerson(service, 'User', { tenantId: first })
    // As exact as the membership: a number of milliseconds would cut it.
    await move(second)
    await service.database.asSystem((tx) =>
      tx.count(sql`
      insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, reading, description)
      select 'edge', ${officer.id}, since, true, '', 'succeeded', 4900, 'usd', 'card', 1, 'the edge'
      from membership where person_id = ${officer.id} and until is null`),
    )
    expect([await readBy(ofSecond), await rowsFor(wall, ofSecond)]).toEqual([both('the edge'), 1])
    await move(first)
    expect([await readBy(ofFirst), await rowsFor(wall, ofFirst)]).toEqual([both(), 0])
  })

  test('an admin of a company reads their own payments of before, and its other admins do not', async () => {
    officer = await makePerson(service, 'ADMIN', { tenantId: first })
    // Not by a call, which would end the session that they read with.
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set tenant_id = ${second} where id = ${officer.id}`),
    )
    await pay('of their own', new Date(Date.now() - dayMs))
    const themselves = await confirmed(service, { ...officer, tenantId: second })
    expect(await readBy(themselves)).toEqual(both('of their own'))
    expect(await readBy(ofSecond)).toEqual(both())
  })
})
