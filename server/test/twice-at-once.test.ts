import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { admits } from './ids.ts'
import { partOfWalk, seedOfRun } from './random.ts'
import { samplesOf } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { confirmedLately, makePerson, openService, type Person, type Service } from './service.ts'
import { awaitCallsOf } from '../src/accounts/actions.ts'
import { sql } from '../src/kernel/database.ts'

/**
 * Each writing call is asked several times at once, by one person and by two: whoever comes second is answered or refused in
 * words. An answer of 500 is a race that only an index has noticed.
 */
let service: Service
let stage: Stage
beforeAll(async () => {
  service = await openService()
  stage = await openStage(service)
})
afterAll(() => service.close())

const { share, options } = partOfWalk(2)
const seed = seedOfRun()
const writing = everyCall.filter(({ shape }) => shape.method !== 'GET').filter((_, at) => at % share === seed % share)
const times = 4

const words = 'a writing call that is asked several times at once is answered or refused, and never fails'
it(words, { ...options, timeout: 300_000 }, async () => {
  const failed: string[] = []
  let asked = 0
  for (const { name, shape } of writing) {
    const people = [stage.officer, stage.editor, stage.qa, stage.admin].filter((person) => admits(shape, person))
    const ask = async (person: Person) => {
      const { params, query, body } = samplesOf(stage)[name]!()
      const response = await service.app.inject({
        method: shape.method,
        url: addressOf(shape, params, query),
        headers: { authorization: `Bearer ${(await confirmedLately(service, person)).token}` },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      asked += 1
      return response.statusCode
    }
    // What ends the session of whoever asks is asked by nobody else after it.
    for (const person of people.slice(0, 2)) {
      const statuses = await Promise.all(Array.from({ length: times }, () => ask(person)))
      if (statuses.some((status) => status >= 500)) failed.push(`${name} as ${person.role}: ${statuses.join()}`)
    }
    const mixed = await Promise.all(people.map(ask))
    if (mixed.some((status) => status >= 500)) failed.push(`${name} by several: ${mixed.join()}`)
  }
  expect(failed, `PROVE_SEED=${seed}`).toEqual([])
  expect(asked).toBeGreaterThan(writing.length * times)
})

it('of six calls by which one person changes their own place at once, each is answered', async () => {
  const officer = await makePerson(service, 'User', { tenantId: stage.tenantId })
  const change = () =>
    service.database.inTenant(officer, async (tx) => {
      // Each holds the lock together with the others before the first wants it alone, when it runs again, too.
      await tx.rows(sql`select pg_sleep(0.4)`)
      await awaitCallsOf(tx, officer.id)
      return 'done'
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, change))
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual(
    Array.from({ length: 6 }, () => 'done'),
  )
}, 120_000)
