import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { freePort } from '../../test/free-port.ts'
import { jobContext, runNotices } from '../../test/mails.ts'
import { callConfirmed, makePerson, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { endIdTokens } from '../identity/actions.ts'
import { exportJob, personalDataTasks } from './jobs.ts'

/** Its bucket does not answer. */
let service: Service
beforeAll(async () => {
  service = await openService({
    STORAGE: 'bucket',
    BUCKET_URL: `http://127.0.0.1:${await freePort()}/none`,
    BUCKET_REGION: 'us-east-1',
    BUCKET_KEY_ID: 'key',
    BUCKET_SECRET: 'secret',
  })
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const jobOf = async ({ id }: Person) => {
  const [job] = await rows<{ id: string; data: Parameters<typeof exportJob.run>[0] }>(sql`
    select j.id, j.data from pgboss.job j join data_export e on j.data->>'exportId' = e.id::text
    where j.name = 'export' and e.person_id = ${id}`)
  return job!
}
const titles = async (person: Person) => {
  await runNotices(service)
  return (await as(person)(notifications.list, {})).items.map(({ title }) => title)
}
const givenUp = 'Your data could not be gathered'

test('an export whose last try meets no bucket fails, its person is told, and asks anew', async () => {
  const person = await makePerson(service, 'User')
  const again = async () => {
    await as(person)(accounts.startExport, {})
    const { data } = await jobOf(person)
    await expect(exportJob.run(data, jobContext(service))).rejects.toThrow()
    expect(await as(person)(accounts.dataExport, {})).toMatchObject({ state: 'waiting' })
    await exportJob.run(data, jobContext(service, { attempt: 4, lastAttempt: true }))
    expect(await as(person)(accounts.dataExport, {})).toMatchObject({ state: 'failed' })
  }
  await again()
  expect(await titles(person)).toEqual([givenUp])
  // The folder of the first cannot be dropped either.
  await again()
  expect(await titles(person)).toEqual([givenUp, givenUp])
})

test('an export that waits without a job that lives fails within minutes, and whoever may still have it is told', async () => {
  const people = await Promise.all(['User', 'User', 'User'].map(() => makePerson(service, 'User')))
  const [lost, moved, waits] = people as [Person, Person, Person]
  for (const person of people) await as(person)(accounts.startExport, {})
  // Their workers died at the last try.
  for (const person of [lost, moved])
    await rows(sql`update pgboss.job set state = 'failed' where id = ${(await jobOf(person)).id}`)
  await service.database.asSystem((tx) => endIdTokens(tx, moved.id))
  const sweep = async (minutes: number) => {
    const task = personalDataTasks(service.database).find(({ name }) => name === 'lost data downloads')!
    await task.run(new Date(Date.now() + minutes * 60_000), new AbortController().signal)
  }
  await sweep(1)
  expect(await as(lost)(accounts.dataExport, {})).toMatchObject({ state: 'waiting' })
  await sweep(11)
  await sweep(11)
  expect(await as(lost)(accounts.dataExport, {})).toMatchObject({ state: 'failed' })
  expect(await as(waits)(accounts.dataExport, {})).toMatchObject({ state: 'waiting' })
  expect(await outcome(as(waits)(accounts.startExport, {}))).toBe('account.export-waiting')
  expect([await titles(lost), await titles(waits)]).toEqual([[givenUp], []])
  expect(await titles({ ...moved, securityStamp: 2 })).toEqual([])
  expect(await outcome(as(lost)(accounts.startExport, {}))).toBe('done')
})
