import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { sql } from '../kernel/database.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  subscribe,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)

it('a post that its network works on while its officer removes their account is followed to its end', async () => {
  const staff = await makeStaff(service)
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const account = await connectAccount(service, admin, 'facebook')
  await as(admin)(publishing.letOfficer, { params: { connectionId: account.id, userId: officer.id } })
  const { projectId } = await approvedVideo(service, officer, staff)
  const words = `Gone ${randomUUID()}`
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: { publishAt: inHours(2).toISOString(), posts: [{ connectionId: account.id, words }] },
  })
  const seen = async () => (await as(admin)(publishing.posts, { params: { projectId } })).items[0]!
  const { id } = await seen()
  await workOnPost(service, id, inHours(1.5))
  await workOnPost(service, id, inHours(2.001))
  expect((await seen()).state).toBe('processing')
  await callConfirmed(service, officer)(accounts.remove, {})
  for (const hours of [2.1, 2.2, 2.3]) await workOnPost(service, id, inHours(hours))

  expect(await seen()).toMatchObject({ state: 'live', account: account.name, actions: ['remove'] })
  const stored = await service.database.asSystem((tx) =>
    tx.first(sql`select words, title, handles, failure_words, next_at from post where id = ${id}`),
  )
  expect(stored).toEqual({ words: '', title: null, handles: {}, failure_words: null, next_at: null })
  const told = await service.database.asSystem((tx) =>
    tx.rows(sql<{ title: string; people: string[] }>`
      select data -> 'notice' ->> 'title' as title, array(select jsonb_array_elements_text(data -> 'userIds')) as people
      from pgboss.job where name = 'notice' and data::text like ${`%post ${id} live%`}`),
  )
  expect(told).toEqual([{ title: 'Posted on Facebook', people: [admin.id] }])
  await as(admin)(publishing.takeDown, { params: { postId: id } })
  expect((await standIns.timeline('facebook')).timeline.filter((entry) => entry.words === words)).toEqual([])
})
