import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { makeStaff, submitProject } from '../../test/factories.ts'
import {
  callAs,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import type { JobContext } from '../kernel/work.ts'
import { forgetOldNotices, projectEventJob } from './jobs.ts'

let service: Service
let officer: Person, editor: Person, qa: Person, admin: Person
beforeAll(async () => {
  service = await openService()
  officer = await makePerson(service, 'User')
  ;({ editor, qa, admin } = await makeStaff(service))
  await subscribe(service, { userId: officer.id })
})
afterAll(() => service.close())

const tell = (projectId: string, seq: number) =>
  projectEventJob.run({ projectId, seq }, { database: service.database } as JobContext)
const told = async (person: Person) =>
  (await callAs(service, person)(notifications.list, {})).items.map(({ title, body }) => `${title}: ${body}`)
const clear = () =>
  Promise.all([officer, editor, qa, admin].map((person) => callAs(service, person)(notifications.clear, {})))
const submit = async (title: string) => submitProject(service, officer, { title })

test('each step notifies the right people once, and never the person who took it', async () => {
  await clear()
  const { id, seq } = await submit('A $& {title} video')
  await tell(id, seq)
  expect(await told(officer)).toEqual([])

  const started = await callAs(service, editor)(projects.start, { body: { projectId: id } })
  await Promise.all([1, 2, 3, 4].map(() => tell(id, started.seq)))
  await tell(id, started.seq)
  expect(await told(officer)).toEqual(['Editing started: An editor started on “A $& {title} video”.'])
  expect(await told(editor)).toEqual([])

  const finalVideoId = await makeVideo(service, editor, { id })
  const sent = await callAs(service, editor)(projects.send, { params: { projectId: id }, body: { finalVideoId } })
  const approved = await callAs(service, qa)(projects.approve, { params: { projectId: id } })
  for (const seq of [sent.seq, approved.seq]) await tell(id, seq)
  expect((await told(officer))[0]).toMatch(/^Your video is ready: /)
  expect(await told(editor)).toEqual(['Approved: “A $& {title} video” passed review.'])
  // What waited for a reviewer is over.
  expect(await told(qa)).toEqual([])

  const [first] = (await callAs(service, officer)(notifications.list, {})).items
  expect(first).toMatchObject({
    userId: officer.id,
    status: 'delivered',
    cta: { url: `/panel/projects/${id}` },
    metadata: { projectId: id, seq: approved.seq, verb: 'approve' },
  })
})

test('an editor whose claim is rolled back is notified', async () => {
  await clear()
  const { id } = await submit('Taken back')
  const started = await callAs(service, editor)(projects.start, { body: { projectId: id } })
  const undone = await callAs(service, admin)(projects.rollback, { params: { projectId: id } })
  for (const seq of [started.seq, undone.seq]) await tell(id, seq)
  expect(await told(editor)).toEqual(['A step was undone: Your start on “Taken back” was rolled back.'])
})

test('an editor who moved to another company gets no notification with a title of the old one', async () => {
  const elsewhere = await makeTenant(service)
  const verbs = ['send', 'cancel', 'undo', 'unassign'] as const
  for (const verb of verbs)
    for (const isMoved of [false, true]) {
      const moved = await makePerson(service, 'Editor')
      const { id } = await submit(`Moved ${verb}`)
      const params = { projectId: id }
      await callAs(service, moved)(projects.start, { body: { projectId: id } })
      if (verb === 'send') {
        const finalVideoId = await makeVideo(service, moved, { id })
        await callAs(service, moved)(projects.send, { params, body: { finalVideoId } })
      }
      if (isMoved)
        await service.database.asSystem((tx) =>
          tx.count(sql`update person set tenant_id = ${elsewhere} where id = ${moved.id}`),
        )
      const { seq } = await {
        send: () => callAs(service, qa)(projects.approve, { params }),
        cancel: () => callAs(service, admin)(projects.cancel, { params }),
        undo: () => callAs(service, admin)(projects.rollback, { params }),
        unassign: () => callAs(service, admin)(projects.assign, { params, body: { editorId: editor.id } }),
      }[verb]()
      await tell(id, seq)
      const said = await service.database.asSystem((tx) =>
        tx.rows(sql`select from notification where user_id = ${moved.id}`),
      )
      expect({ verb, isMoved, hears: said.length }).toEqual({ verb, isMoved, hears: isMoved ? 0 : 1 })
    }
})

test('the job fails when its event does not exist, so that it is tried again', async () => {
  const { id } = await submit('Nothing more')
  await expect(tell(id, 99)).rejects.toThrow(/no event 99/)
})

test('notifications are listed newest first, marked as read once, and deleted, each person’s own only', async () => {
  const add = (person: Person, count: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into notification (user_id, title, body, cause, delivered_at)
        select ${person.id}, 'n' || n, '', 'test:' || n, now() - make_interval(mins => n) from generate_series(1, ${count}) n`),
    )
  await clear()
  await add(officer, 5)
  await add(editor, 1)
  const list = (query: object) => callAs(service, officer)(notifications.list, { query: query as never })
  const first = await list({ perPage: 3 })
  const rest = await list({ perPage: 3, cursor: first.nextCursor! })
  expect([...first.items, ...rest.items].map(({ title }) => title)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5'])
  expect(rest.nextCursor).toBeNull()

  const params = { id: first.items[0]!.id }
  const opened = await callAs(service, officer)(notifications.read, { params })
  expect(opened.openedAt).toBeDefined()
  expect((await callAs(service, officer)(notifications.read, { params })).openedAt).toBe(opened.openedAt)
  await expect(callAs(service, editor)(notifications.read, { params })).rejects.toMatchObject({
    code: 'notification.not-found',
  })
  await expect(callAs(service, admin)(notifications.read, { params })).rejects.toMatchObject({
    code: 'notification.not-found',
  })

  const titles = async (wheres: string) => (await list({ wheres })).items.map(({ title }) => title)
  expect(await titles('opened:eq:true')).toEqual(['n1'])
  expect(await titles('opened:eq:false')).toEqual(['n2', 'n3', 'n4', 'n5'])

  // A notification that arrives while older ones are cleared stays.
  const [, second] = first.items
  await callAs(service, officer)(notifications.clear, { query: { until: second!.deliveredAt } })
  expect((await list({})).items.map(({ title }) => title)).toEqual(['n1'])
  expect(await callAs(service, officer)(notifications.clear, {})).toEqual({ success: true })
  expect((await list({})).items).toEqual([])
  expect((await list({ wheres: 'status:eq:deleted', perPage: 100 })).items.length).toBeGreaterThanOrEqual(5)
  await expect(callAs(service, officer)(notifications.read, { params })).rejects.toMatchObject({
    code: 'notification.not-found',
  })
  expect((await callAs(service, editor)(notifications.list, {})).items).toHaveLength(1)
})

test('notices past 180 days and beyond a person’s newest 2,000 are forgotten, and nobody else’s', async () => {
  const [many, few] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const add = (person: Person, n: number, days: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into notification (user_id, title, body, cause, delivered_at)
        select ${person.id}, 'Old', '', 'test:' || ${days}::integer || ':' || n, now() - make_interval(days => ${days}::integer, secs => n)
        from generate_series(1, ${n}::integer) n`),
    )
  const countOf = (person: Person) =>
    service.database.asSystem(
      async (tx) => (await tx.rows(sql`select from notification where user_id = ${person.id}`)).length,
    )
  await add(many, mostKept.notices + 7, 1)
  await add(few, 3, mostKept.noticeDays + 1)
  await add(few, 5, mostKept.noticeDays - 1)
  expect(await forgetOldNotices(service.database, new Date())).toBe(10)
  expect([await countOf(many), await countOf(few)]).toEqual([mostKept.notices, 5])
  expect(await forgetOldNotices(service.database, new Date())).toBe(0)
  // The newest stay.
  const oldest = await service.database.asSystem((tx) =>
    tx.first(sql<{ cause: string }>`
      select cause from notification where user_id = ${many.id} order by delivered_at limit 1`),
  )
  expect(oldest?.cause).toBe(`test:1:${mostKept.notices}`)
})
