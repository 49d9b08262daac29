import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { editorsTurns, turns } from '@clear-to-post/domain/audiences'
import { isStep, Status, statuses, statusValues, verbs, workflow, type Verb } from '@clear-to-post/domain/workflow'
import { jobContext } from '../../test/mails.ts'
import { partOfWalk, seedOfRun } from '../../test/random.ts'
import {
  callConfirmed,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { projectEventJob } from '../notifications/jobs.ts'
import { runDue } from './due.ts'
import { leftWorkJob } from './jobs.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let admin: Person
let editor: Person
let qa: Person
beforeAll(async () => {
  service = await openService()
  ;[admin, editor, qa] = await Promise.all([
    makePerson(service, 'ADMIN'),
    makePerson(service, 'Editor'),
    makePerson(service, 'QA'),
  ])
})
beforeEach(async () => {
  officer = await makeOfficer(service)
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const shutOut = async (is: boolean) => {
  await rows(sql`update person set is_disabled = ${is} where id = ${editor.id} returning id`)
  if (is) await leftWorkJob.run({ userId: editor.id, tenantId: null }, jobContext(service))
}

const params = (projectId: string) => ({ params: { projectId } })
const dayAhead = () => new Date(Date.now() + 86_400_000).toISOString()
const month = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7)
const submit = async (submitMonth?: string): Promise<string> =>
  (
    await as(officer)(projects.create, {
      body: {
        title: 'Rate lock',
        assets: [await makeVideo(service, officer)],
        ...(submitMonth === undefined ? {} : { submitMonth }),
      },
    })
  ).id
const whenDue = async (id: string) => {
  await rows(sql`update project set due_at = '9998-01-01' where id <> ${id} and due_at is not null returning id`)
  const [due] = await rows(sql<{ at: Date }>`select due_at as at from project where id = ${id}`)
  await runDue(service.database, new Date(Math.max(due!.at.getTime(), Date.now()) + 1000))
}
const inPlan = (status: string) => rows(sql`update subscription set status = ${status} returning id`)

/** How each verb is done, by whoever may; the workflow's table asks for a row of every one. */
const acts: Record<Verb, (id: string) => Promise<unknown>> = {
  create: () => submit(),
  release: whenDue,
  hold: async (id) => {
    await inPlan('canceled')
    await whenDue(id)
    await inPlan('active')
  },
  start: (projectId) => as(admin)(projects.start, { body: { projectId } }),
  send: async (id) =>
    as(admin)(projects.send, {
      ...params(id),
      body: { finalVideoId: await makeVideo(service, editor, { id, tenantId: officer.tenantId! }) },
    }),
  approve: (id) => as(qa)(projects.approve, params(id)),
  deny: (id) =>
    as(admin)(projects.deny, {
      ...params(id),
      body: { denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }, categories: ['cut'] },
    }),
  review: (id) => as(admin)(projects.review, { ...params(id), body: { revision: 'Shorter' } }),
  schedule: (id) => as(officer)(projects.schedule, { ...params(id), body: { publishAt: dayAhead() } }),
  unschedule: (id) => as(officer)(projects.unschedule, params(id)),
  reschedule: (id) => as(officer)(projects.reschedule, { ...params(id), body: { publishAt: dayAhead() } }),
  publish: whenDue,
  cancel: (id) => as(admin)(projects.cancel, params(id)),
  rollback: (id) => as(admin)(projects.rollback, params(id)),
  reorder: (projectId) => as(admin)(projects.reorder, { body: { projectId, position: 1 } }),
  assign: (id) => as(admin)(projects.assign, { ...params(id), body: { editorId: admin.id } }),
}

type Way = { name: string; submitMonth?: string; steps: Verb[] }
const begun: Verb[] = ['start']
const sent: Verb[] = [...begun, 'send']
const approved: Verb[] = [...sent, 'approve']
/** A video in each status, the editor's as far as it can be anybody's. */
const ways: Record<Status, Way[]> = {
  [Status.submitted]: [{ name: 'assigned', steps: [] }],
  [Status.inProgress]: [{ name: 'begun', steps: begun }],
  [Status.waitingApproval]: [{ name: 'sent', steps: sent }],
  [Status.denied]: [{ name: 'denied', steps: [...sent, 'deny'] }],
  [Status.completed]: [{ name: 'approved', steps: approved }],
  [Status.revisioning]: [{ name: 'to be revised', steps: [...approved, 'review'] }],
  [Status.scheduled]: [
    { name: 'scheduled', steps: [...approved, 'schedule'] },
    { name: 'waiting for its month', submitMonth: month, steps: [] },
    { name: 'waiting for its month again', submitMonth: month, steps: ['unschedule', 'assign', 'rollback'] },
  ],
  [Status.canceled]: [
    { name: 'canceled while begun', steps: [...begun, 'cancel'] },
    { name: 'canceled while it waited', steps: ['cancel'] },
    { name: 'canceled while its cut waited', steps: [...sent, 'cancel'] },
  ],
}

const seqOf = async (id: string) => (await rows(sql<{ seq: number }>`select seq from project where id = ${id}`))[0]!.seq

/** Tells of all steps, and answers what keeps the video from going on; nothing where somebody knows that it is their turn. */
const standsStill = async (id: string): Promise<string | null> => {
  const [project] = await rows(sql<{ status: Status; editor_id: string | null }>`
    select status, editor_id from project where id = ${id}`)
  const { status, editor_id: editorId } = project!
  const jobs = await rows(sql<{ data: Parameters<typeof projectEventJob.run>[0] }>`
    delete from pgboss.job where name = 'project-event' and data->>'projectId' = ${id} returning data`)
  for (const { data } of jobs.toSorted((a, b) => a.data.seq - b.data.seq))
    await projectEventJob.run(data, jobContext(service))
  const told = await rows(sql<{ user_id: string; title: string }>`
    select user_id, title from notification where about = ${id} and status <> 'deleted' and metadata->>'step' = 'turn'`)
  const hears = (who: Person, title: string) => told.some((one) => one.user_id === who.id && one.title === title)
  const [is] = await rows(
    sql<{ disabled: boolean }>`select is_disabled as disabled from person where id = ${editor.id}`,
  )
  const isGone = is!.disabled && editorId === editor.id
  const tellsOfGone = hears(admin, turns[Status.denied]!.title)
  if (status === Status.submitted && isGone) return 'it waits in the queue for who is gone'
  if (tellsOfGone !== (isGone && editorsTurns.includes(status)))
    return tellsOfGone ? 'an ADMIN is asked for another editor for nothing' : 'no ADMIN knows that its editor is gone'
  const tellsOfCut = hears(qa, turns[Status.waitingApproval]!.title)
  if (tellsOfCut !== (status === Status.waitingApproval))
    return tellsOfCut ? 'a reviewer is asked for nothing' : 'no reviewer knows that its cut waits'
  return null
}

const doneVerbs = new Set<Verb>()
const undoneVerbs = new Set<Verb>()
const standing = async ({ submitMonth, steps }: Way): Promise<string> => {
  const id = await submit(submitMonth)
  for (const verb of submitMonth === undefined ? (['assign', ...steps] as const) : steps) {
    if (verb === 'assign') await as(admin)(projects.assign, { ...params(id), body: { editorId: editor.id } })
    else if (verb === 'start') await as(editor)(projects.start, { body: { projectId: id } })
    else await acts[verb](id)
  }
  return id
}

const { share, options } = partOfWalk(4)
let place = seedOfRun() % share

for (const status of statusValues)
  for (const way of ways[status])
    it(`somebody knows whose turn it is after each step of a video ${way.name}, its editor gone`, options, async () => {
      const found: string[] = []
      const look = async (id: string, after: string) => {
        const fault = await standsStill(id)
        if (fault) found.push(`${after}: ${fault}`)
      }
      for (const verb of verbs.filter((one) => (workflow[one].from as readonly Status[]).includes(status)))
        for (const isGoneBefore of [true, false]) {
          if (place++ % share !== 0) continue
          const name = `${verb}, the editor gone ${isGoneBefore ? 'before' : 'after'} it`
          try {
            const id = await standing(way)
            const [before] = await rows(sql<{ status: Status }>`select status from project where id = ${id}`)
            expect(before!.status, name).toBe(status)
            if (isGoneBefore) await shutOut(true)
            const from = await seqOf(id)
            const outcome = await acts[verb](id).then(
              () => 'done',
              (error: unknown) => (error as { code?: string }).code ?? String(error),
            )
            if (outcome !== 'done') {
              // The table's own exceptions: what was approved alone is scheduled, what has a file is not released…
              expect(outcome, name).toMatch(/^project\.(wrong-status|nothing-to-roll-back)$/)
              continue
            }
            if ((await seqOf(id)) === from) continue
            doneVerbs.add(verb)
            if (!isGoneBefore) await shutOut(true)
            await look(id, name)
            if (!isStep(verb)) continue
            const back = await acts.rollback(id).then(
              () => 'done',
              (error: unknown) => (error as { code?: string }).code ?? String(error),
            )
            if (back !== 'done') continue
            undoneVerbs.add(verb)
            await look(id, `${name}, and undone`)
          } finally {
            await shutOut(false)
          }
        }
      expect(found).toEqual([])
    })

it.skipIf(share > 1)('that walk does every verb, and undoes every step', options, () => {
  expect(verbs.filter((verb) => verb !== 'create' && !doneVerbs.has(verb))).toEqual([])
  expect(verbs.filter((verb) => isStep(verb) && !undoneVerbs.has(verb))).toEqual([])
  expect(Object.keys(ways)).toEqual(Object.keys(statuses))
})

const told = async (id: string, who: Person) => {
  const jobs = await rows(sql<{ data: Parameters<typeof projectEventJob.run>[0] }>`
    delete from pgboss.job where name = 'project-event' and data->>'projectId' = ${id} returning data`)
  for (const { data } of jobs.toSorted((a, b) => a.data.seq - b.data.seq))
    await projectEventJob.run(data, jobContext(service))
  const said = await rows(sql<{ title: string }>`
    select title from notification where about = ${id} and user_id = ${who.id} and status <> 'deleted' order by delivered_at, id`)
  return said.map(({ title }) => title)
}

it('a cut is told to reviewers who may approve it, and where none of its reviewers may approve, to admins', async () => {
  const roles = (of: Person, role: string) =>
    rows(sql`update person set role = ${role} where id = ${of.id} returning id`)
  const other = await makePerson(service, 'Editor')
  /** A cut of the editor's, who reviews by now, sent by another one: who is told that it waits. */
  const waits = async (reviewers: Person[]) => {
    const id = await standing({ name: 'begun', steps: begun })
    const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId! })
    await as(admin)(projects.assign, { ...params(id), body: { editorId: other.id } })
    await as(other)(projects.send, { ...params(id), body: { finalVideoId } })
    await roles(qa, 'Editor')
    for (const one of reviewers) await roles(one, 'QA')
    try {
      const heard = []
      for (const who of [editor, qa, admin]) if ((await told(id, who)).includes('A cut to review')) heard.push(who)
      return heard
    } finally {
      await roles(editor, 'Editor')
      await roles(qa, 'QA')
    }
  }
  expect(await waits([editor, qa])).toEqual([qa])
  expect(await waits([editor])).toEqual([admin])
})

it('an undone step is told again to nobody who never knew of it, as its editor leaves', async () => {
  const id = await standing({ name: 'begun', steps: begun })
  await rows(sql`
    insert into notification_quiet (user_id, from_time, until_time) values (${officer.id}, '00:00', '23:59') returning user_id`)
  await acts.cancel(id)
  expect(await told(id, officer)).toContain('Canceled')
  await acts.rollback(id)
  const before = await told(id, officer)
  expect(before).not.toContain('Not canceled after all')
  await shutOut(true)
  try {
    expect(await told(id, officer)).toEqual(before)
    expect(await told(id, admin)).toContain('Give it to another editor')
  } finally {
    await shutOut(false)
  }
})

it('an unread notice of a video is withdrawn by every step that leads where it is not true', async () => {
  const id = await standing({ name: 'approved', steps: approved })
  expect(await told(id, officer)).toEqual(['Your video is ready'])
  await acts.schedule(id)
  expect(await told(id, officer)).toEqual(['Your video is ready'])
  // Not by an undone step alone: canceled, it is neither ready nor the editor’s any more.
  await acts.cancel(id)
  expect(await told(id, officer)).toEqual(['Canceled'])
  expect(await told(id, editor)).toEqual(['Canceled'])
  await acts.rollback(id)
  await rows(sql`update notification set opened_at = null where about = ${id} returning id`)
  await acts.unschedule(id)
  await acts.review(id)
  expect(await told(id, officer)).toEqual(['Another round'])
  expect(await told(id, editor)).toEqual(['Revision requested'])
  const other = await makePerson(service, 'Editor')
  await as(admin)(projects.assign, { ...params(id), body: { editorId: other.id } })
  expect(await told(id, other)).toEqual(['New work for you'])
  // Nothing is left to do for whom it was given to meanwhile.
  await acts.rollback(id)
  expect(await told(id, other)).not.toContain('New work for you')
})
