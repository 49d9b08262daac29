import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { openDatabase, sql, type Database, type Reader, type Tx } from './database.ts'
import { patienceOfPeople, type DatabasePatience } from './pool.ts'

let service: Service
let people: Person[]
beforeAll(async () => {
  service = await openService()
  people = []
  for (let n = 0; n < 4; n++)
    people.push(await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service), name: `Admin ${n}` }))
})
afterAll(() => service.close())

/** Connections that are this test's alone. */
const open = (max: number, patience: Partial<DatabasePatience> = {}): Database => {
  const opened = openDatabase(service.urls.appUrl, {
    queue: service.queue,
    max,
    patience: { ...patienceOfPeople, ...patience },
  })
  onTestFinished(() => opened.close())
  return opened
}

/** Who the database believes to be asking, and whose people it shows. */
const seen = (tx: Reader) =>
  tx.rows(sql<{ actor: string; name: string; tenant: string }>`
    select actor_id() as actor, name, tenant_id as tenant from person where role = 'ADMIN' order by name`)
const shownTo = ({ id, name, tenantId }: Person) => [{ actor: id, name, tenant: tenantId }]

const cut = async (tx: Reader) => {
  const [{ pid }] = (await tx.rows(sql<{ pid: number }>`select pg_backend_pid() as pid`)) as [{ pid: number }]
  // It is looking while it ends.
  await Promise.all([
    tx.rows(sql`select pg_sleep(5)`),
    service.database.asSystem((other) => other.rows(sql`select pg_terminate_backend(${pid})`)),
  ])
}

/** Bounded for itself alone: the next call has all the time that it takes on a busy machine. */
const tooLong = async (tx: Reader) => {
  await tx.rows(sql`select set_config('statement_timeout', '100', true)`)
  await tx.rows(sql`select pg_sleep(20)`)
}

it('a session that has ended spoils no statement of the next caller on its connection', async () => {
  const [first, second] = people as [Person, Person]
  for (let n = 0; n < 20; n++) {
    const one = open(1)
    const ended = one.readOnly({ ...first, securityStamp: 2 }, seen)
    const next = one.readOnly(second, seen)
    await expect(ended).rejects.toMatchObject({ code: 'CT401' })
    expect(await next).toEqual(shownTo(second))
  }
})

it('a reading call whose session has ended is refused, also where its work passes over that', async () => {
  const [first] = people as [Person]
  const ended = service.database.readOnly({ ...first, securityStamp: 2 }, (tx) => seen(tx).catch(() => 'nothing found'))
  await expect(ended).rejects.toMatchObject({ code: 'CT401' })
})

it('a value that cannot be written spoils its statement for no later caller on the connection', async () => {
  const [first, second] = people as [Person, Person]
  const one = open(1)
  const itself: { itself?: unknown } = {}
  itself.itself = itself
  for (const begin of [one.readOnly, one.inTenant] as Database['readOnly'][]) {
    const ask = (who: Person, value: unknown) => begin(who, (tx) => tx.rows(sql`select ${value}::jsonb as value`))
    // Often enough for a name.
    for (let n = 0; n < 6; n++) await ask(first, { n })
    await expect(ask(first, itself)).rejects.toThrow('circular')
    expect(await ask(second, { n: 7 })).toEqual([{ value: { n: 7 } }])
  }
})

it.each([
  ['was cut', cut, {}],
  ['had no answer in time', (tx: Reader) => tx.rows(sql`select pg_sleep(20)`), { answerMs: 3000 }],
  ['took the database too long', tooLong, {}],
  ['failed', (tx: Reader) => tx.rows(sql`select 1 / 0`), {}],
])('the next caller on the connection of a reading call that %s is answered', async (_, work, patience) => {
  const [first, second] = people as [Person, Person]
  const one = open(1, patience)
  const failing = one.readOnly(first, work as (tx: Reader) => Promise<unknown>)
  const next = one.readOnly(second, seen)
  await expect(failing).rejects.toThrow()
  expect(await next).toEqual(shownTo(second))
})

it('a statement that comes after the end of its call is not asked in the next one’s transaction', async () => {
  const [first, second] = people as [Person, Person]
  const one = open(1)
  for (const begin of [one.readOnly, one.inTenant] as Database['readOnly'][]) {
    const { promise: isNext, resolve: nextBegins } = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const failing = begin(first, async (tx) => {
      await seen(tx)
      late = isNext.then(() => seen(tx))
      late.catch(() => {})
      throw new Error('ended')
    })
    await expect(failing).rejects.toThrow('ended')
    await one.readOnly(second, async (tx) => {
      expect(await seen(tx)).toEqual(shownTo(second))
      nextBegins()
      await expect(late).rejects.toThrow('has ended')
      expect(await seen(tx)).toEqual(shownTo(second))
    })
  }
})

it('a writing call that passes over a statement’s failure is not answered as done: nothing of it stands', async () => {
  const [first] = people as [Person]
  const change = (tx: Tx) => tx.count(sql`update person set time_zone = 'Asia/Tokyo' where id = ${first.id}`)
  const passingOver = service.database.inTenant(first, async (tx) => {
    await change(tx)
    await tx.rows(sql`select 1 / 0`).catch(() => {})
    return 'done'
  })
  await expect(passingOver).rejects.toThrow('nothing of it stands')
  expect(await service.database.readOnly(first, seen)).toEqual(shownTo(first))
})

it('of many reading and writing calls at once, some cut, failing or ended, none is answered as another’s', async () => {
  const few = open(3)
  const ends: ((tx: Reader) => Promise<unknown>)[] = [
    (tx) => tx.rows(sql`select 1 / 0`),
    tooLong,
    (tx) => Promise.all([tx.rows(sql`select 1 / 0`), seen(tx), tx.rows(sql`select pg_sleep(0.05)`)]),
    cut,
    async () => {
      throw new Error('refused')
    },
  ]
  let answers = 0
  const failures: string[] = []
  const calls = Array.from({ length: 160 }, async (__, n) => {
    const person = people[n % people.length]!
    await setTimeout(n % 7)
    if (n % 5 === 0) return few.readOnly(person, ends[(n / 5) % ends.length]!).catch(() => {})
    if (n % 5 === 1) return few.readOnly({ ...person, securityStamp: 2 }, seen).catch(() => {})
    const call =
      n % 5 === 2
        ? few.inTenant(person, async (tx) => {
            const found = await seen(tx)
            await tx.count(sql`update person set time_zone = 'UTC' where id = ${person.id}`)
            return found
          })
        : few.readOnly(person, async (tx) => (await seen(tx), seen(tx)))
    return call.then(
      (found) => {
        expect(found).toEqual(shownTo(person))
        answers++
      },
      (error: Error & { code?: string }) => void failures.push(`${error.code} ${error.message}`),
    )
  })
  await Promise.all(calls)
  expect(failures).toEqual([])
  expect(answers).toBe(96)
})
