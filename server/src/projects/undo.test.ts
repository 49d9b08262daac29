import { afterAll, beforeAll, expect, it } from 'vitest'
import { Status } from '@clear-to-post/domain/workflow'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { faultsOf } from '../../test/ledger.ts'
import { jobContext, runLeftWork } from '../../test/mails.ts'
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
import { advance } from './advance.ts'
import { runDue } from './due.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let editor: Person
let admin: Person

beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  ;[editor, admin] = await Promise.all([makePerson(service, 'Editor'), makePerson(service, 'ADMIN')])
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)

it('an undo takes back the step that was on the screen, and none that came after it', async () => {
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Rate lock', assets: [source] } })
  const params = { projectId: id }
  const seen = await as(admin)(projects.start, { body: { projectId: id } })
  await as(admin)(projects.assign, { params, body: { editorId: editor.id } })
  const late = as(admin)(projects.rollback, { params, body: { seq: seen.seq } })
  await expect(late).rejects.toMatchObject({ code: 'project.changed' })
  const { status, seq } = await as(admin)(projects.find, { params })
  expect(status).toBe(seen.status)
  expect(await as(admin)(projects.rollback, { params, body: { seq } })).toMatchObject({ status: 0 })
})

it('a cancellation and an assignment take no step that came after what was on the screen', async () => {
  const source = await makeVideo(service, officer)
  const seen = await as(officer)(projects.create, { body: { title: 'Points', assets: [source] } })
  const params = { projectId: seen.id }
  const given = await as(admin)(projects.assign, { params, body: { editorId: editor.id, seq: seen.seq } })
  expect(given).toMatchObject({ editorId: editor.id })
  const changed = { code: 'project.changed' }
  const canceled = as(officer)(projects.cancel, { params, query: { seq: seen.seq } })
  await expect(canceled).rejects.toMatchObject(changed)
  const taken = as(admin)(projects.assign, { params, body: { editorId: null, seq: seen.seq } })
  await expect(taken).rejects.toMatchObject(changed)
  expect(await as(admin)(projects.find, { params })).toMatchObject({ seq: given.seq, editorId: editor.id })
  expect(await as(officer)(projects.cancel, { params, query: { seq: given.seq } })).toMatchObject({ status: 6 })
})

it('a video names the step that a rollback would take back, to whoever may, and none that a rollback passes over', async () => {
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Escrow', assets: [source] } })
  const params = { projectId: id }
  const named = async (person: Person) => (await as(person)(projects.find, { params })).undoable
  expect(await named(admin)).toBeUndefined()
  const begun = await as(editor)(projects.start, { body: { projectId: id } })
  await as(admin)(projects.assign, { params, body: { editorId: (await makePerson(service, 'Editor')).id } })
  const step = { seq: begun.seq, verb: 'start', title: 'Editing started' }
  expect(await named(admin)).toEqual(step)
  expect(await named(officer)).toBeUndefined()
  const { items } = await as(admin)(projects.list, { query: { wheres: `id:eq:${id}` } })
  expect(items[0]!.undoable).toEqual(step)
  expect(await as(admin)(projects.rollback, { params })).not.toHaveProperty('undoable')
})

it('an assignment outlives the step before it that is undone, and a cut counts for the editor who made it', async () => {
  const [qa, other] = [await makePerson(service, 'QA'), await makePerson(service, 'Editor')]
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Deposit', assets: [await makeVideo(service, officer)] },
  })
  const params = { projectId: id }
  const assign = (to: Person) => as(admin)(projects.assign, { params, body: { editorId: to.id } })
  // One that was taken into the queue again stays with whom it was given to.
  await as(editor)(projects.start, { body: { projectId: id } })
  await assign(other)
  expect(await as(admin)(projects.rollback, { params })).toMatchObject({ status: 0, editorId: other.id })
  await as(other)(projects.start, { body: { projectId: id } })
  const finalVideoId = await makeVideo(service, other, { id, tenantId: officer.tenantId })
  await as(other)(projects.send, { params, body: { finalVideoId } })
  await as(qa)(projects.deny, {
    params,
    body: { denyFeedback: { criteria: [{ ...feedbackCriteria[0]!, score: 4 }] }, categories: ['cut'] },
  })
  await assign(editor)
  expect(await as(qa)(projects.rollback, { params })).toMatchObject({ status: 3, editorId: editor.id })
  await as(qa)(projects.approve, { params })
  const { counted } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ counted: { goal: { editorId: string } } }>`
      select counted from project_event where project_id = ${id} and verb = 'approve'`),
  ))!
  expect(counted.goal.editorId).toBe(other.id)
  // What was not decided since goes back with its step.
  const taken = await as(officer)(projects.create, {
    body: { title: 'Closing', assets: [await makeVideo(service, officer)] },
  })
  await as(editor)(projects.start, { body: { projectId: taken.id } })
  const undone = await as(admin)(projects.rollback, { params: { projectId: taken.id } })
  expect(undone.editorId).toBeUndefined()
  expect(await faultsOf(service)).toEqual([])
})

it('an undone start leaves a video to everybody where the editor who had it before can start it no more', async () => {
  const leaver = await makePerson(service, 'Editor')
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Closing day', assets: [await makeVideo(service, officer)] },
  })
  const params = { projectId: id }
  await as(admin)(projects.assign, { params, body: { editorId: leaver.id } })
  await as(leaver)(projects.start, { body: { projectId: id } })
  await as(admin)(accounts.update, { body: { userId: leaver.id, isDisabled: true } })
  const companyAdmin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  // A company's ADMIN undoes no start of the service's people, and sees none of them.
  await expect(as(companyAdmin)(projects.rollback, { params })).rejects.toMatchObject({ code: 'project.forbidden' })
  expect(await as(admin)(projects.rollback, { params })).not.toHaveProperty('editorId')
  expect(await as(editor)(projects.start, { body: { projectId: id } })).toMatchObject({ editorId: editor.id })
})

it('a video that an editor had begun is told to the ADMINs in reach when the editor leaves, once for each step', async () => {
  const leaver = await makePerson(service, 'Editor')
  const companyAdmin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  const { id } = await as(officer)(projects.create, {
    body: { title: 'First home', assets: [await makeVideo(service, officer)] },
  })
  await as(leaver)(projects.start, { body: { projectId: id } })
  const told = async (person: Person) => {
    await runLeftWork(service)
    const jobs = await service.database.asSystem((tx) =>
      tx.rows(
        sql<{
          data: Parameters<typeof projectEventJob.run>[0]
        }>`select data from pgboss.job where name = 'project-event'`,
      ),
    )
    for (const { data } of jobs) await projectEventJob.run(data, jobContext(service))
    const { items } = await as(person)(notifications.list, {})
    return items.map(({ body }) => body).filter((body) => body.includes('First home'))
  }
  const words = ['The editor of “First home” cannot go on with it. Assign somebody else.']
  const shutOut = (isDisabled: boolean) => as(admin)(accounts.update, { body: { userId: leaver.id, isDisabled } })
  await shutOut(true)
  expect(await told(companyAdmin)).toEqual(words)
  await shutOut(false)
  await as(await current(leaver))(accounts.remove, { query: {} })
  expect(await told(companyAdmin)).toEqual(words)
  expect(await told(admin)).toEqual(words)
  expect(await told(await makePerson(service, 'ADMIN', { tenantId: (await makeOfficer(service)).tenantId }))).toEqual(
    [],
  )
})

it('a step undone after the time of its video leaves it finished, and its officer hears that the time has passed', async () => {
  const qa = await makePerson(service, 'QA')
  const undone: Record<string, (id: string, publishAt: Date) => Promise<unknown>> = {
    unschedule: (id) => as(officer)(projects.unschedule, { params: { projectId: id } }),
    review: (id) => as(officer)(projects.review, { params: { projectId: id }, body: { revision: 'Shorter' } }),
    cancel: (id) => as(admin)(projects.cancel, { params: { projectId: id } }),
    publish: (_id, publishAt) => runDue(service.database, new Date(publishAt.getTime() + 1000)),
  }
  for (const [verb, act] of Object.entries(undone))
    for (const isLate of [false, true]) {
      const title = `Past ${verb} ${isLate}`
      const { id } = await as(officer)(projects.create, {
        body: { title, assets: [await makeVideo(service, officer)] },
      })
      const params = { projectId: id }
      await as(editor)(projects.start, { body: params })
      const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
      await as(editor)(projects.send, { params, body: { finalVideoId } })
      await as(qa)(projects.approve, { params })
      const publishAt = new Date(Date.now() + 3_600_000)
      await as(officer)(projects.schedule, { params, body: { publishAt: publishAt.toISOString() } })
      await act(id, publishAt)
      const now = new Date(publishAt.getTime() + (isLate ? 60_000 : -60_000))
      await service.database.inTenant(admin, (tx) => advance(tx, admin, id, 'rollback', {}, now))
      const after = () =>
        service.database.asSystem((tx) =>
          tx.first(sql`select status, publish_at, due_at from project where id = ${id}`),
        )
      expect(await after(), title).toEqual(
        isLate
          ? { status: 2, publish_at: null, due_at: null }
          : { status: 7, publish_at: publishAt, due_at: publishAt },
      )
      const jobs = await service.database.asSystem((tx) =>
        tx.rows(sql<{ data: Parameters<typeof projectEventJob.run>[0] }>`
          select data from pgboss.job where name = 'project-event' and data->>'projectId' = ${id}
          order by (data->>'seq')::integer`),
      )
      for (const { data } of jobs) await projectEventJob.run(data, jobContext(service))
      const { items } = await as(officer)(notifications.list, {})
      const told = items.filter(({ body }) => body.includes(title)).map((one) => one.title)
      expect(told.includes('Its time has passed'), title).toBe(isLate)
      if (isLate) expect(told, title).not.toContain('Scheduled again')
      // In time it goes out at its moment.
      await runDue(service.database, new Date(publishAt.getTime() + 120_000))
      expect(await after(), title).toEqual({ status: 2, publish_at: null, due_at: null })
    }
})

/** The same person, who has signed in anew. */
const current = async (person: Person): Promise<Person> => {
  const { stamp } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${person.id}`),
  ))!
  const caller = { ...person, securityStamp: stamp }
  return { ...caller, token: await service.identity.signIdToken(caller) }
}

it('a time that was chosen after an approval stays when the approval is undone, and the next one is for it', async () => {
  const qa = await makePerson(service, 'QA')
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Chosen later', assets: [await makeVideo(service, officer)] },
  })
  const params = { projectId: id }
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const approved = async (body?: { publishAt: string }) => {
    await as(editor)(projects.start, { body: { projectId: id } })
    const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
    await as(editor)(projects.send, { params, body: { finalVideoId } })
    return as(qa)(projects.approve, { params, ...(body ? { body } : {}) })
  }
  const [first, second, third] = [inDays(2), inDays(4), inDays(6)]
  await approved({ publishAt: first })
  await as(officer)(projects.reschedule, { params, body: { publishAt: second } })
  await as(qa)(projects.rollback, { params })
  expect(await as(qa)(projects.approve, { params })).toMatchObject({ status: Status.scheduled, publishAt: second })
  // Of the approval after a revision, too; one without another time brings back what was before it.
  await as(officer)(projects.review, { params, body: { revision: 'Shorter' } })
  expect(await approved()).toMatchObject({ publishAt: second })
  await as(officer)(projects.reschedule, { params, body: { publishAt: third } })
  await as(qa)(projects.rollback, { params })
  expect(await as(qa)(projects.approve, { params, body: { publishAt: first } })).toMatchObject({ publishAt: first })
  await as(qa)(projects.rollback, { params })
  expect(await as(qa)(projects.approve, { params })).toMatchObject({ publishAt: third })
})
