import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { addPlans, buyer, checkout, passDays, settle } from '../../test/buying.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { PaymentAway, payments, usePayments, type Payments } from '../outside/payments/payments.ts'
import { closed } from '../outside/payments/closed.ts'
import { tellOfPayers } from './customers.ts'
import { subscriptionsData } from './personal-data.ts'

let service: Service
let plan: string
let admin: Person
beforeAll(async () => {
  service = await openService()
  plan = (await addPlans(service))[0]!
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
})
afterAll(() => service.close())
const as = (person: Person) => callConfirmed(service, person)
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
const personOf = ({ id }: Person) =>
  service.database.asSystem((tx) =>
    tx.first(sql<{ name: string; email: string }>`select name, email from person where id = ${id}`),
  )
type Payer = { tenantId: string } | { userId: string }
const customerOf = async (payer: Payer) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      select id from customer where tenant_id = ${'tenantId' in payer ? payer.tenantId : null}::uuid
        or user_id = ${'userId' in payer ? payer.userId : null}::uuid`),
  ))!.id
/** Who the provider knows a payer as, after the periodic task. */
const known = async (payer: Payer) => {
  await tellOfPayers(service.database)
  await settle(service)
  const id = await customerOf(payer)
  return service.database.asSystem((tx) =>
    tx.first(sql<{ name: string; email: string }>`
      select body->>'name' as name, body->>'email' as email from sandbox_object where id = ${id}`),
  )
}
/** Whom the provider is told of by one round, of these payers. */
const toldOf = async (among: Payer[], over: Partial<Payments> = {}): Promise<number[]> => {
  const [provider, ids] = [payments(), await Promise.all(among.map(customerOf))]
  const told: number[] = []
  const updateCustomer: Payments['updateCustomer'] = async (id, who) => {
    if (ids.includes(id)) told.push(ids.indexOf(id))
    await (over.updateCustomer ?? provider.updateCustomer)(id, who)
  }
  usePayments({ ...provider, ...over, updateCustomer })
  try {
    await tellOfPayers(service.database)
  } finally {
    usePayments(provider)
  }
  return told.sort()
}

describe('the payment service knows a payer as who they are now', () => {
  it('a company by its name and its first admin who can sign in, whatever became of the one who bought', async () => {
    const tenantId = await makeTenant(service, 5)
    await write(sql`update tenant set charge_by_email = true where id = ${tenantId}`)
    const [first, second, third] = [
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId }),
    ]
    await checkout(service, first, plan)
    await settle(service)
    const email = async () => (await known({ tenantId }))!.email
    const of = async (person: Person) => (await personOf(person))!.email
    expect(await email()).toBe(await of(first))
    await as(admin)(accounts.update, { body: { userId: first.id, isDisabled: true } })
    expect(await email()).toBe(await of(second))
    await as(admin)(accounts.update, { body: { userId: first.id, isDisabled: false } })
    expect(await email()).toBe(await of(first))
    await as(admin)(accounts.update, { body: { userId: first.id, role: 'QA' } })
    expect(await email()).toBe(await of(second))
    await as(second)(accounts.remove, {})
    expect(await email()).toBe(await of(third))
    await as(admin)(tenants.update, { body: { tenantId, data: { name: 'Harbor Lane Lending' } } })
    expect(await known({ tenantId })).toEqual({ name: 'Harbor Lane Lending', email: await of(third) })
    // Nobody reads what nobody may: it is mailed to no one until there is an admin again.
    await as(admin)(accounts.update, { body: { userId: third.id, tenantId: await makeTenant(service, 2) } })
    expect(await email()).toBe('')
    await passDays(service, 31)
    const next = await makePerson(service, 'ADMIN', { tenantId })
    expect(await email()).toBe(await of(next))
    expect((await as(next)(subscriptions.charges, {})).map(({ status }) => status)).toEqual(['open', 'open'])
  })

  it('a person by the name and address that they have now, and never again once they are removed', async () => {
    const officer = await buyer(service, plan)
    const payer = { userId: officer.id }
    expect(await known(payer)).toEqual(await personOf(officer))
    await write(sql`update person set name = 'Ada Reyes', email = ${`${officer.id}@new.test`} where id = ${officer.id}`)
    const id = await customerOf(payer)
    expect(await known(payer)).toEqual({ name: 'Ada Reyes', email: `${officer.id}@new.test` })
    await as(officer)(accounts.remove, {})
    await subscriptionsData.eraseOutside!({ customerIds: [id] } as never, service.database)
    await tellOfPayers(service.database)
    // As if it had been under way meanwhile.
    await payments().updateCustomer(id, { name: 'Ada Reyes', email: 'ada@new.test' })
    const body = await service.database.asSystem((tx) =>
      tx.first(sql<{ body: object }>`select body from sandbox_object where id = ${id}`),
    )
    expect(body).toMatchObject({ body: { name: '', email: '' } })
  })

  it('and is told once of each change; one that it refuses keeps no other waiting, and comes again in an hour', async () => {
    const officers = [await buyer(service, plan), await buyer(service, plan), await buyer(service, plan)]
    const payers = officers.map(({ id }) => ({ userId: id }))
    expect(await toldOf(payers)).toEqual([0, 1, 2])
    expect(await toldOf(payers)).toEqual([])
    for (const { id } of officers) await write(sql`update person set name = 'Another' where id = ${id}`)
    const refused = await customerOf(payers[1]!)
    const { updateCustomer: update } = payments()
    const updateCustomer: Payments['updateCustomer'] = (id, who) =>
      id === refused ? Promise.reject(new Error('not taken')) : update(id, who)
    await expect(toldOf(payers, { updateCustomer })).rejects.toThrow('1 customers')
    expect((await Promise.all(payers.map(known))).map((who) => who!.name === 'Another')).toEqual([true, false, true])
    expect(await toldOf(payers)).toEqual([])
    await write(sql`update customer set try_after = try_after - interval '1 hour' where id = ${refused}`)
    expect(await toldOf(payers)).toEqual([1])
  })

  it('and while it does not answer, or payments are closed, it is asked no further', async () => {
    const officers = [await buyer(service, plan), await buyer(service, plan)]
    let asked = 0
    const away = () => Promise.reject(new PaymentAway(`no answer ${++asked}`))
    const payers = officers.map(({ id }) => ({ userId: id }))
    await expect(toldOf(payers, { updateCustomer: away })).rejects.toThrow('no answer 1')
    expect(asked).toBe(1)
    // Whoever was tried waits for an hour; the other was not, and is told as soon as somebody answers.
    expect(await toldOf(payers)).toHaveLength(1)
    for (const { id } of officers) await write(sql`update person set name = 'Once more' where id = ${id}`)
    await write(sql`update customer set try_after = '-infinity'`)
    const stopped = AbortSignal.abort()
    await tellOfPayers(service.database, stopped)
    expect(await toldOf(payers, { ...closed(), updateCustomer: away })).toEqual([])
    expect(await toldOf(payers)).toEqual([0, 1])
  })
})
