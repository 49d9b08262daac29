import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { verbs, type Verb } from '@clear-to-post/domain/workflow'
import { jobContext, mailsTo } from '../../test/mails.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { runDue } from '../projects/due.ts'
import { projectEventJob } from './jobs.ts'
import { stepCause, turnCause } from './store.ts'

let service: Service
type Role = 'officer' | 'editor' | 'otherEditor' | 'qa' | 'tenantQa' | 'foreignQa' | 'admin' | 'tenantAdmin'
const people = {} as Record<Role, Person>
beforeAll(async () => {
  service = await openService()
  people.officer = await makeOfficer(service)
  const { tenantId } = people.officer
  const foreign = await makeTenant(service)
  people.editor = await makePerson(service, 'Editor')
  people.otherEditor = await makePerson(service, 'Editor', { tenantId })
  people.qa = await makePerson(service, 'QA')
  people.tenantQa = await makePerson(service, 'QA', { tenantId })
  people.foreignQa = await makePerson(service, 'QA', { tenantId: foreign })
  people.admin = await makePerson(service, 'ADMIN')
  people.tenantAdmin = await makePerson(service, 'ADMIN', { tenantId })
})
afterAll(() => service.close())

const as = (role: Role) => callAs(service, people[role])
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const later = new Date(Date.now() + 3 * 86_400_000).toISOString()
const muchLater = new Date(Date.now() + 9 * 86_400_000).toISOString()

/** Runs the notification jobs of a project's new steps. Returns who was notified of the last one, and how. */
const heard = async (id: string): Promise<{ verb: Verb; told: string[] }> => {
  const events = await rows(sql<{ seq: number; verb: Verb }>`
    select seq, verb from project_event where project_id = ${id} order by seq`)
  const { seq, verb } = events.at(-1)!
  await projectEventJob.run({ projectId: id, seq }, jobContext(service))
  const told = await rows(sql<{ user_id: string; title: string }>`
    select user_id, title from notification
    where cause in (${stepCause(id, seq)}, ${turnCause(id, seq)}) and status <> 'deleted'`)
  const roleOf = (userId: string) => Object.entries(people).find(([, person]) => person.id === userId)![0]
  return { verb, told: told.map(({ user_id, title }) => `${roleOf(user_id)}: ${title}`).toSorted() }
}
const inbox = async (role: Role) => (await as(role)(notifications.list, {})).items.map(({ title }) => title)
const clear = () => Promise.all((Object.keys(people) as Role[]).map((role) => as(role)(notifications.clear, {})))

type Step = [of: string, by: (id: string) => Promise<unknown>, told: string[]]
const params = (projectId: string) => ({ params: { projectId } })
const start =
  (role: Role = 'editor') =>
  (projectId: string) =>
    as(role)(projects.start, { body: { projectId } })
const send = async (id: string) =>
  as('editor')(projects.send, {
    ...params(id),
    body: { finalVideoId: await makeVideo(service, people.editor, { id, tenantId: people.officer.tenantId! }) },
  })
const approve = (id: string) => as('qa')(projects.approve, params(id))
const deny = (id: string) =>
  as('qa')(projects.deny, {
    ...params(id),
    body: { denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }, categories: ['cut'] },
  })
const review = (role: Role) => (id: string) =>
  as(role)(projects.review, { ...params(id), body: { revision: 'Shorter' } })
const schedule = (role: Role) => (id: string) =>
  as(role)(projects.schedule, { ...params(id), body: { publishAt: later } })
const reschedule = (id: string) => as('officer')(projects.reschedule, { ...params(id), body: { publishAt: muchLater } })
const unschedule = (role: Role) => (id: string) => as(role)(projects.unschedule, params(id))
const cancel = (role: Role) => (id: string) => as(role)(projects.cancel, params(id))
const assign = (to: Role) => (id: string) =>
  as('admin')(projects.assign, { ...params(id), body: { editorId: people[to].id } })
const rollback = (id: string) => as('admin')(projects.rollback, params(id))
const withoutPlan = async (act: () => Promise<unknown>) => {
  const set = (status: string) =>
    service.database.asSystem((tx) => tx.count(sql`update subscription set status = ${status}`))
  await set('canceled')
  await act()
  await set('active')
}
const reviewers = ['qa: A cut to review', 'tenantQa: A cut to review']
const nextMonth = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7)

/** Exactly who is notified of each step, as rows of steps that follow each other. */
const stories: Record<string, { by?: Role; submitMonth?: string; created: string[]; steps: Step[] }> = {
  'from submission to publishing, with a denial and a revision': {
    created: [],
    steps: [
      ['start', start(), ['officer: Editing started']],
      ['send', send, reviewers],
      ['deny', deny, ['editor: Back to you']],
      ['start', start(), ['officer: Editing started']],
      ['send', send, reviewers],
      ['approve', approve, ['editor: Approved', 'officer: Your video is ready']],
      ['schedule', schedule('officer'), []],
      ['reschedule', reschedule, []],
      ['unschedule', unschedule('officer'), []],
      ['schedule', schedule('admin'), ['officer: Scheduled']],
      ['unschedule', unschedule('qa'), ['officer: Unscheduled']],
      ['schedule', schedule('officer'), []],
      ['publish', () => runDue(service.database, new Date(Date.parse(later) + 1000)), ['officer: Time to post']],
      ['review', review('officer'), ['editor: Revision requested']],
      ['cancel', cancel('tenantAdmin'), ['editor: Canceled', 'officer: Canceled']],
    ],
  },
  'a project that an ADMIN submits for an officer and assigns': {
    by: 'admin',
    created: ['officer: Sent in for you'],
    steps: [
      ['reorder', (projectId) => as('admin')(projects.reorder, { body: { projectId, position: 1 } }), []],
      ['assign', assign('editor'), ['editor: New work for you']],
      ['assign', assign('otherEditor'), ['editor: No longer yours', 'otherEditor: New work for you']],
      ['assign', assign('editor'), ['editor: New work for you', 'otherEditor: No longer yours']],
      ['start', start(), ['officer: Editing started']],
      ['rollback', rollback, ['editor: A step was undone']],
      ['cancel', cancel('officer'), ['editor: Canceled']],
    ],
  },
  'a project that an ADMIN starts on after its editor was given it, and once more after a denial': {
    created: [],
    steps: [
      ['assign', assign('editor'), ['editor: New work for you']],
      ['start', start('admin'), ['editor: No longer yours', 'officer: Editing started']],
      ['assign', assign('editor'), ['editor: New work for you']],
      ['send', send, reviewers],
      ['deny', deny, ['editor: Back to you']],
      ['start', start('admin'), ['editor: No longer yours', 'officer: Editing started']],
    ],
  },
  'a project for a later month': {
    submitMonth: nextMonth,
    created: [],
    steps: [
      // Its officer hears of it once for all that wait, by the notice that release.test.ts looks at.
      ['hold', () => withoutPlan(() => runDue(service.database, new Date(`${nextMonth}-02T12:00:00Z`))), []],
      ['release', () => runDue(service.database, new Date(`${nextMonth}-15T12:00:00Z`)), ['officer: In the queue']],
    ],
  },
}

const told = new Set<Verb>()
for (const [name, { by = 'officer', submitMonth, created, steps }] of Object.entries(stories))
  test(`the right people are notified: ${name}`, async () => {
    const { id } = await as(by)(projects.create, {
      body: {
        title: 'Rates',
        assets: [await makeVideo(service, people.officer)],
        ...(by === 'officer' ? {} : { userId: people.officer.id }),
        ...(submitMonth ? { submitMonth } : {}),
      },
    })
    expect(await heard(id)).toEqual({ verb: 'create', told: created })
    told.add('create')
    for (const [verb, act, expected] of steps) {
      await act(id)
      expect(await heard(id)).toEqual({ verb, told: expected })
      told.add(verb as Verb)
    }
  })

test('every verb is covered by these cases', () => {
  expect(verbs.filter((verb) => !told.has(verb))).toEqual([])
})

test('the officer of a video that was approved for a time is not told to schedule it', async () => {
  const said = async (...acts: ((id: string) => Promise<unknown>)[]) => {
    await submitted(start(), send, ...acts)
    const { items } = await as('officer')(notifications.list, {})
    return items.filter(({ title }) => title === 'Your video is ready').map(({ body }) => body)
  }
  expect(await said(approve)).toEqual(['“Rates” passed review. Watch it, download it or schedule it.'])
  const forTime = (id: string) => as('qa')(projects.approve, { ...params(id), body: { publishAt: later } })
  expect(await said(forTime)).toEqual([
    '“Rates” passed review and is scheduled. Watch it, download it or choose another time.',
  ])
})

const submitted = async (...acts: ((id: string) => Promise<unknown>)[]) => {
  await clear()
  const { id } = await as('officer')(projects.create, {
    body: { title: 'Rates', assets: [await makeVideo(service, people.officer)] },
  })
  for (const act of acts) {
    await act(id)
    await heard(id)
  }
  return id
}
const addressOf = async (role: Role) =>
  (await rows(sql<{ email: string }>`select email from person where id = ${people[role].id}`))[0]!.email

test('an approval rolled back before anybody read of it leaves what was said before it, and no mail', async () => {
  const id = await submitted(start(), send, approve)
  expect(await inbox('officer')).toContain('Your video is ready')
  await rollback(id)
  expect((await heard(id)).told).toEqual(reviewers)
  expect(await inbox('officer')).toEqual(['Editing started'])
  expect(await inbox('editor')).toEqual([])
  expect(await mailsTo(service, await addressOf('officer'))).toEqual([])
})

test('a person who read a notification that became untrue is notified again, until it is true again', async () => {
  const id = await submitted(start(), send, approve)
  expect((await mailsTo(service, await addressOf('officer'))).map(({ subject }) => subject)).toEqual([
    'Your video is ready',
  ])
  await rollback(id)
  expect((await heard(id)).told).toEqual(['officer: Not ready yet', ...reviewers])
  expect(await inbox('officer')).toEqual(['Not ready yet', 'Editing started'])
  await approve(id)
  await heard(id)
  expect(await inbox('officer')).toEqual(['Your video is ready'])
})

test('a denial withdraws the other reviewers’ notification, and a late job notifies nobody of what is no longer true', async () => {
  const id = await submitted(start(), send)
  expect(await inbox('tenantQa')).toEqual(['A cut to review'])
  await deny(id)
  await heard(id)
  expect(await inbox('tenantQa')).toEqual([])
  expect(await inbox('foreignQa')).toEqual([])
  const again = await submitted(start())
  await send(again)
  await approve(again)
  const { verb } = await heard(again)
  expect(verb).toBe('approve')
  await projectEventJob.run({ projectId: again, seq: 3 }, jobContext(service))
  expect(await inbox('tenantQa')).toEqual([])
})

test('an editor whose denied video an ADMIN has started on reads that it is theirs again once that is undone', async () => {
  for (const hasRead of [true, false]) {
    const id = await submitted(start(), send, deny)
    await start('admin')(id)
    await heard(id)
    expect(await inbox('editor')).toEqual(['No longer yours'])
    if (hasRead) await as('editor')(notifications.readAll, { query: {} })
    await rollback(id)
    expect((await heard(id)).told.filter((one) => one.startsWith('editor'))).toEqual(
      hasRead ? ['editor: Yours again'] : [],
    )
    expect(await inbox('editor')).toContain('Back to you')
    expect(await inbox('editor')).not.toContain('No longer yours')
  }
})

test('a cut that waits again after an undone step is told to its reviewers, and only while it waits', async () => {
  for (const step of [approve, deny, cancel('admin')]) {
    const id = await submitted(start(), send, step)
    expect(await inbox('qa')).not.toContain('A cut to review')
    await rollback(id)
    expect((await heard(id)).told).toEqual(expect.arrayContaining(reviewers))
    await cancel('admin')(id)
    await heard(id)
    expect(await inbox('tenantQa')).not.toContain('A cut to review')
  }
})

test('a cut that nobody reviews is told to the ADMINs who may approve it', async () => {
  const isReviewer = (is: boolean) => rows(sql`update person set is_disabled = ${!is} where role = 'QA' returning id`)
  const id = await submitted()
  // The company's ADMIN has a part in it.
  await rows(sql`
    insert into edit_author (project_id, person_id, tenant_id, since)
    select id, ${people.tenantAdmin.id}, tenant_id, now() from project where id = ${id} returning person_id`)
  await start()(id)
  await isReviewer(false)
  try {
    await send(id)
    expect((await heard(id)).told).toEqual(['admin: A cut to review'])
    await as('admin')(projects.approve, params(id))
    await heard(id)
    expect(await inbox('admin')).toEqual([])
  } finally {
    await isReviewer(true)
  }
})

test('a video that comes back to an editor who is gone is told to the ADMINs who can give it to another', async () => {
  const id = await submitted(start(), send, approve)
  await clear()
  const shutOut = (is: boolean) =>
    rows(sql`update person set is_disabled = ${is} where id = ${people.editor.id} returning id`)
  await shutOut(true)
  try {
    await review('officer')(id)
    expect((await heard(id)).told).toEqual([
      'admin: Give it to another editor',
      'tenantAdmin: Give it to another editor',
    ])
    await assign('otherEditor')(id)
    expect((await heard(id)).told).toEqual(['otherEditor: New work for you'])
    expect(await inbox('tenantAdmin')).toEqual([])
  } finally {
    await shutOut(false)
  }
  // The same where they edit no more, or for another company.
  const other = await makeTenant(service)
  for (const change of [sql`role = 'QA'`, sql`tenant_id = ${other}`]) {
    const denied = await submitted(start(), send)
    await rows(sql`update person set ${change} where id = ${people.editor.id} returning id`)
    await deny(denied)
    expect((await heard(denied)).told).toContain('tenantAdmin: Give it to another editor')
    await rows(sql`update person set role = 'Editor', tenant_id = null where id = ${people.editor.id} returning id`)
  }
})
