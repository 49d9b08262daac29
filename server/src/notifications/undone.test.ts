import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { audiences, corrections, endedBy, isStillTrue, type Message, type Step } from '@clear-to-post/domain/audiences'
import { isStep, Status, verbs, workflow, type Verb } from '@clear-to-post/domain/workflow'
import { jobContext } from '../../test/mails.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { addEvent } from '../projects/store.ts'
import { projectEventJob } from './jobs.ts'
import { notify } from './notify.ts'

let service: Service
let officer: Person, editor: Person, admin: Person
beforeAll(async () => {
  service = await openService()
  editor = await makePerson(service, 'Editor')
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const unread = async (projectId: string) =>
  (
    await rows(sql<{ said: string }>`
      select metadata->>'step' || ': ' || title as said from notification
      where about = ${projectId} and opened_at is null and status <> 'deleted' order by 1`)
  ).map(({ said }) => said)
/** By which channels they are about to leave. */
const leaving = async (projectId: string) =>
  (
    await rows(sql<{ said: string }>`
      select n.metadata->>'step' || ': ' || n.title || ' by ' || w.channel as said
      from notification n, lateral (
        select channel from notification_waiting where notification_id = n.id
        union all select 'email' from mail where key = 'notice:' || n.id and state = 'waiting') w
      where n.about = ${projectId} and n.status <> 'deleted' order by 1`)
  ).map(({ said }) => said)

const leadsTo: Partial<Record<Verb, readonly Status[]>> = {
  release: [Status.submitted],
  start: [Status.inProgress],
  send: [Status.waitingApproval],
  approve: [Status.completed, Status.scheduled],
  deny: [Status.denied],
  review: [Status.revisioning],
  schedule: [Status.scheduled],
  unschedule: [Status.completed],
  publish: [Status.completed],
  cancel: [Status.canceled],
}
const said = (
  [
    [audiences, ''],
    [corrections, 'undo '],
  ] as const
).flatMap(([table, before]) =>
  (Object.entries(table) as [Verb, readonly Message[]][]).flatMap(([verb, messages]) =>
    messages
      .filter(({ to }) => to === 'user' || to === 'editor')
      .map((message) => ({ step: `${before}${verb}` as Step, message })),
  ),
)

/** Of an officer of its own: nobody sends in that many on one day. */
const made = async () => {
  officer = await makeOfficer(service)
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Rates', assets: [await makeVideo(service, officer)] },
  })
  await rows(sql`update project set editor_id = ${editor.id} where id = ${id} returning id`)
  return id
}
const tell = (projectId: string, seq: number, { step, message }: (typeof said)[number]) =>
  service.database.asSystem((tx) =>
    notify(
      tx,
      {
        ...message,
        cta: null,
        metadata: { projectId, seq, step },
        cause: `${projectId} ${step} ${message.to}`,
        about: projectId,
      },
      [(message.to === 'user' ? officer : editor).id],
      new Date(),
    ),
  )
const take = async (
  projectId: string,
  verb: Verb,
  {
    seq,
    from,
    to,
    undoes = null,
  }: {
    seq: number
    from: Status
    to: Status
    undoes?: number | null
  },
) => {
  await service.database.asSystem((tx) =>
    addEvent(tx, {
      projectId,
      seq,
      verb,
      from,
      to,
      undoes,
      userId: officer.id,
      tenantId: officer.tenantId,
      title: verb,
      description: '',
      metadata: {},
      caller: admin as never,
      at: new Date(),
      before: isStep(verb) ? {} : null,
      counted: {},
    }),
  )
  await rows(sql`update project set seq = ${seq} where id = ${projectId} returning id`)
}
const work = (projectId: string, seq: number) => projectEventJob.run({ projectId, seq }, jobContext(service))

const steps = verbs.filter(isStep)
test.each(steps)(
  'a notification that %s ended unread stands there again, and leaves as it would have, once it is undone',
  async (verb) => {
    let ended = 0
    for (const from of workflow[verb].from)
      for (const to of leadsTo[verb]!) {
        const over = endedBy(verb, to)
        const before = said.filter(
          ({ step, message }) =>
            isStillTrue(message, [], [from]) && over.some((one) => one.step === step && one.title === message.title),
        )
        if (before.length === 0) continue
        const id = await made()
        for (const one of before) await tell(id, 1, one)
        const [stood, left] = [await unread(id), await leaving(id)]
        await take(id, verb, { seq: 2, from, to })
        await work(id, 2)
        for (const one of stood) expect(await unread(id)).not.toContain(one)
        await take(id, 'rollback', { seq: 3, from: to, to: from, undoes: 2 })
        for (let again = 0; again < 2; again++) await work(id, 3)
        expect((await unread(id)).filter((one) => stood.includes(one))).toEqual(stood)
        expect((await leaving(id)).filter((one) => left.includes(one))).toEqual(left)
        ended += before.length
      }
    expect(ended).toBeGreaterThan(0)
  },
)

const ready = said.find(({ step, message }) => step === 'approve' && message.to === 'user')!
test('a notification is mailed once, stays away from whoever put it away, and stays ended by a later step', async () => {
  const id = await made()
  await tell(id, 1, ready)
  await rows(sql`update mail set state = 'sent', settled_at = now() where state = 'waiting' returning id`)
  const revise = async (seq: number) => {
    await take(id, 'review', { seq, from: Status.completed, to: Status.revisioning })
    await work(id, seq)
  }
  const undo = (seq: number) =>
    take(id, 'rollback', { seq, from: Status.revisioning, to: Status.completed, undoes: seq - 1 })
  await revise(2)
  await undo(3)
  await work(id, 3)
  expect(await unread(id)).toContain('approve: Your video is ready')
  expect(await leaving(id)).not.toContain('approve: Your video is ready by email')
  // Another step came before anybody looked at the undone one.
  await revise(4)
  await undo(5)
  await take(id, 'review', { seq: 6, from: Status.completed, to: Status.revisioning })
  for (const seq of [5, 6]) await work(id, seq)
  expect(await unread(id)).not.toContain('approve: Your video is ready')
  await undo(7)
  await work(id, 7)
  expect(await unread(id)).toContain('approve: Your video is ready')
  await as(officer)(notifications.clear, {})
  await revise(8)
  await undo(9)
  await work(id, 9)
  expect(await unread(id)).not.toContain('approve: Your video is ready')
})

test('an officer told late hears what is true again, though a step came between and was undone', async () => {
  const id = await made()
  await take(id, 'approve', { seq: 2, from: Status.waitingApproval, to: Status.completed })
  await take(id, 'review', { seq: 3, from: Status.completed, to: Status.revisioning })
  await take(id, 'rollback', { seq: 4, from: Status.revisioning, to: Status.completed, undoes: 3 })
  for (const seq of [4, 2, 3]) await work(id, seq)
  expect(await unread(id)).toContain('approve: Your video is ready')
})
