import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { sql } from '../kernel/database.ts'
import { makeStaff } from '../../test/factories.ts'
import { runNotices } from '../../test/mails.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
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

/** A post on a company's LinkedIn account whose answer got lost, and which was taken back since: nobody knows whether it is there. */
const unknownPost = async (before = async (_officer: Person): Promise<void> => {}) => {
  const staff = await makeStaff(service)
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const account = await connectAccount(service, admin, 'linkedin')
  await as(admin)(publishing.letOfficer, { params: { connectionId: account.id, userId: officer.id } })
  const { projectId } = await approvedVideo(service, officer, staff)
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId: account.id, words: `Gone ${randomUUID()}` }],
    },
  })
  const seenBy = async (person: Person) => (await as(person)(publishing.posts, { params: { projectId } })).items[0]!
  const { id } = await seenBy(admin)
  await workOnPost(service, id, inHours(1.5))
  await standIns.control({
    faults: [{ network: 'linkedin', method: 'POST', path: '^/rest/posts', skip: 0, kind: 'lost-after' }],
  })
  await workOnPost(service, id, inHours(2.001))
  await as(officer)(projects.unschedule, { params: { projectId } })
  await before(officer)
  await workOnPost(service, id, inHours(2.1))
  return { id, tenantId, admin, officer, seenBy }
}

it('admins are asked about a lost post of an officer who is shut out', async () => {
  const asked = (id: string) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ people: string[] }>`
        select array(select jsonb_array_elements_text(data -> 'userIds')) as people
        from pgboss.job where name = 'notice' and data::text like ${`%post ${id} lose%`}`),
    )
  const here = await unknownPost()
  expect(await asked(here.id)).toEqual([{ people: [here.officer.id] }])
  const gone = await unknownPost(async ({ id }) => {
    await service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = true where id = ${id}`))
  })
  expect(await asked(gone.id)).toEqual([{ people: [gone.admin.id] }])
})

it('a company’s admin alone says whether a post is there of which nobody knows, once its officer is gone', async () => {
  const answers = { confirm: 'live', deny: 'withdrawn' } as const
  for (const [answer, end] of Object.entries(answers) as [keyof typeof answers, string][])
    for (const how of ['removed', 'disabled', 'moved'] as const) {
      const { id, tenantId, admin, officer, seenBy } = await unknownPost()
      const params = { postId: id }
      const say = (person: Person) =>
        outcome(
          answer === 'confirm'
            ? as(person)(publishing.confirm, { params, body: {} })
            : as(person)(publishing.deny, { params }),
        )
      expect(await seenBy(admin)).toMatchObject({ state: 'unconfirmed', actions: [] })
      expect((await seenBy(officer)).actions).toEqual(expect.arrayContaining(['confirm', 'deny']))
      expect(await say(admin)).toBe('post.not-found')

      if (how === 'removed') await callConfirmed(service, officer)(accounts.remove, {})
      else
        await service.database.asSystem(async (tx) =>
          how === 'disabled'
            ? tx.count(sql`update person set is_disabled = true where id = ${officer.id}`)
            : tx.count(sql`update person set tenant_id = ${await makeTenant(service)} where id = ${officer.id}`),
        )
      expect(await seenBy(admin), how).toMatchObject({ state: 'unconfirmed', actions: ['confirm', 'deny'] })
      const editor = await makePerson(service, 'Editor', { tenantId })
      expect((await seenBy(editor)).actions, how).toEqual([])
      const others = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
      const everybodys = await makePerson(service, 'ADMIN')
      expect([await say(editor), await say(others), await say(everybodys)], how).toEqual([
        'access.forbidden',
        'post.not-found',
        'post.not-found',
      ])
      expect(await say(admin), `${how}, ${answer}`).toBe('done')
      expect(await seenBy(admin), how).toMatchObject({ state: end, actions: [] })
      const record = await service.database.asSystem((tx) =>
        tx.rows(sql<{ by: string }>`
          select detail ->> 'by' as by from post_event where post_id = ${id} and actor_id = ${admin.id}`),
      )
      expect(record).toEqual([{ by: 'its company’s admin' }])
      const told = await service.database.asSystem((tx) =>
        tx.count(sql`select from pgboss.job where name = 'notice' and data::text like ${`%post ${id} live%`}`),
      )
      expect(told, how).toBe(0)
    }
})

it('an officer who was shut out hears of the posts that were taken back once they are let in again, each once', async () => {
  const staff = await makeStaff(service)
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const account = await connectAccount(service, officer, 'youtube')
  const scheduled = async () => {
    const { projectId } = await approvedVideo(service, officer, staff)
    const params = { projectId }
    const posts = [{ connectionId: account.id, words: `Shut ${randomUUID()}`, title: 'Rates' }]
    await as(officer)(projects.schedule, { params, body: { publishAt: inHours(2).toISOString(), posts } })
    const post = async () => (await as(await again())(publishing.posts, { params })).items[0]!
    return { post, id: (await post()).id }
  }
  const shut = (isDisabled: boolean) =>
    callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, isDisabled } })
  /** Their session ended with that: they sign in again. */
  const again = async (): Promise<Person> => {
    const { securityStamp } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ securityStamp: number }>`
        select security_stamp as "securityStamp" from person where id = ${officer.id}`),
    ))!
    return { ...officer, token: await service.identity.signIdToken({ ...officer, securityStamp }) }
  }
  const told = async () => {
    await runNotices(service)
    return (await as(await again())(notifications.list, {})).items.filter(
      ({ title }) => title === 'Not posted on YouTube',
    )
  }
  const [gone, early] = [await scheduled(), await scheduled()]
  await shut(true)
  await workOnPost(service, gone.id, inHours(1.5))
  await runNotices(service)
  // A worker tells it once, and nobody was there to hear it.
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from pgboss.job where name = 'notice' and data::text like ${`%post ${gone.id} withdraw%`}`),
  )
  await shut(false)
  expect([(await gone.post()).state, (await early.post()).state]).toEqual(['withdrawn', 'scheduled'])
  expect(await told()).toEqual([expect.objectContaining({ body: expect.stringContaining('you were shut out') })])
  expect((await gone.post()).actions).toContain('repeat')
  // Shut out once more, they hear of it no second time, nor of what they have scheduled again.
  await as(await again())(publishing.repeat, { params: { postId: gone.id } })
  for (const isDisabled of [true, false]) await shut(isDisabled)
  expect(await told()).toHaveLength(1)
})
