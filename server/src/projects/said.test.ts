import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../kernel/database.ts'
import { letDayPass } from '../../test/factories.ts'
import {
  callConfirmed,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let stranger: Awaited<ReturnType<typeof makeOfficer>>
let editor: Person
let qa: Person

beforeAll(async () => {
  service = await openService()
  ;[officer, stranger] = [await makeOfficer(service), await makeOfficer(service)]
  ;[editor, qa] = await Promise.all([makePerson(service, 'Editor'), makePerson(service, 'QA')])
})
beforeEach(() => letDayPass(service))
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const at = ({ id }: { id: string }) => ({ params: { projectId: id } })
const tour = { address: '12 Harbor Lane', price: '$485,000', beds: '3', baths: '2' }
const submit = async (more = {}) => {
  const source = await makeVideo(service, officer)
  return as(officer)(projects.create, { body: { title: 'Rate lock', assets: [source], ...more } })
}
const upload = (project: { id: string }) => makeVideo(service, editor, { id: project.id, tenantId: officer.tenantId })
const start = (project: { id: string }) => as(editor)(projects.start, { body: { projectId: project.id } })
const send = (project: { id: string }, finalVideoId: string) =>
  as(editor)(projects.send, { ...at(project), body: { finalVideoId } })
const deny = (project: { id: string }) =>
  as(qa)(projects.deny, {
    ...at(project),
    body: { denyFeedback: { criteria: [{ ...feedbackCriteria[0]!, score: 4 }] }, categories: ['cut'] },
  })
const finished = async () => {
  const project = await submit()
  await start(project)
  await send(project, await upload(project))
  await as(qa)(projects.approve, at(project))
  return project
}

describe('a file that was judged', () => {
  it('is not sent again after its denial, nor after its approval', async () => {
    const project = await submit()
    await start(project)
    const file = await upload(project)
    await send(project, file)
    await deny(project)
    await start(project)
    const again = { code: 'project.same-cut', kind: 'conflict', message: expect.stringContaining('cut 1') }
    await expect(send(project, file)).rejects.toMatchObject(again)
    const better = await upload(project)
    await send(project, better)
    await as(qa)(projects.approve, at(project))
    await as(officer)(projects.review, { ...at(project), body: { revision: 'Slower' } })
    await start(project)
    await expect(send(project, better)).rejects.toMatchObject({ code: 'project.same-cut' })
    expect(await as(editor)(projects.find, at(project))).toMatchObject({ status: 1, cuts: 2 })
  })

  it('is sent again where its sending was taken back before anybody judged it', async () => {
    const project = await submit()
    await start(project)
    const file = await upload(project)
    await send(project, file)
    const admin = await makePerson(service, 'ADMIN')
    const unsent = async () => (await as(editor)(projects.find, at(project))).unsentCuts?.map(({ assetId }) => assetId)
    expect(await unsent()).toBeUndefined()
    await as(admin)(projects.rollback, at(project))
    expect(await unsent()).toEqual([file])
    expect(await send(project, file)).toMatchObject({ status: 3, currentCut: 2 })
  })
})

describe('the words of an officer beside the video', () => {
  it('the house of a tour is kept with the project and shown to its editor', async () => {
    const project = await submit({ captionStyle: 4, tour })
    expect(await as(editor)(projects.find, at(project))).toMatchObject({ tour })
    expect(await submit()).not.toHaveProperty('tour')
  })

  it('the brand kit stands in the brief of who works on the video, and in nobody else’s', async () => {
    const preferences = {
      bRoll: 'Keys on a table',
      facebookLink: 'https://facebook.com/olivia',
      instagramLink: 'https://instagram.com/olivia',
    }
    await as(officer)(accounts.update, { body: { preferences } })
    const project = await submit()
    for (const who of [editor, qa]) expect((await as(who)(projects.find, at(project))).kit).toEqual({ ...preferences })
    expect(await as(officer)(projects.find, at(project))).not.toHaveProperty('kit')
  })

  it('how many changes are left is told with the project', async () => {
    const project = await finished()
    const { revisionsLeft } = await as(officer)(projects.find, at(project))
    const asked = await as(officer)(projects.review, { ...at(project), body: { revision: 'Slower' } })
    expect(asked.revisionsLeft).toBe(revisionsLeft! - 1)
  })
})

describe('the question after a finished video', () => {
  it('is asked of its officer alone, once it is finished, and its answer reaches staff', async () => {
    const waits = await submit()
    expect(await as(officer)(projects.find, at(waits))).not.toHaveProperty('asksAnswer')
    const body = { score: 9, words: 'Just right' }
    await expect(as(officer)(projects.answer, { ...at(waits), body })).rejects.toMatchObject({
      code: 'project.not-finished',
    })
    const project = await finished()
    expect(await as(officer)(projects.find, at(project))).toMatchObject({ asksAnswer: true })
    expect(await as(qa)(projects.find, at(project))).not.toHaveProperty('asksAnswer')
    await expect(as(stranger)(projects.answer, { ...at(project), body })).rejects.toMatchObject({
      code: 'project.not-found',
    })
    await as(officer)(projects.answer, { ...at(project), body: { score: 3 } })
    await as(officer)(projects.answer, { ...at(project), body })
    const query = { wheres: 'answerScore:gte:0', orderBy: 'answered:desc' }
    const [newest] = (await as(qa)(projects.list, { query })).items
    expect(newest).toMatchObject({ id: project.id, answer: body })
  })

  it('is not asked of an officer who does not want to be asked', async () => {
    const project = await finished()
    await as(officer)(accounts.update, { body: { preferences: { isFeedbackEnabled: false } } })
    expect(await as(officer)(projects.find, at(project))).not.toHaveProperty('asksAnswer')
    await as(officer)(accounts.update, { body: { preferences: { isFeedbackEnabled: true } } })
    expect(await as(officer)(projects.find, at(project))).toMatchObject({ asksAnswer: true })
  })
})

describe('the board', () => {
  it('finds videos by title and by officer, and counts what is late, due soon and nobody’s', async () => {
    const admin = await makePerson(service, 'ADMIN')
    const found = async (words: string, who: Person = admin) =>
      (await as(who)(projects.list, { query: { perPage: 100, wheres: `search:contains:${words}` } })).items
    await finished()
    const project = await submit({ title: 'Escrow in plain words' })
    const ids = (items: { id: string }[]) => items.map(({ id }) => id)
    expect(ids(await found('escrow in'))).toEqual([project.id])
    expect(ids(await found(officer.name))).toContain(project.id)
    // A stranger's name leads an officer to nothing.
    expect(await found(officer.name, stranger)).toEqual([])
    expect(await found('100%')).toEqual([])
    const until = new Date(Date.now() + 40 * 86_400_000).toISOString()
    const before = await as(admin)(projects.triage, { query: { until } })
    await service.database.asSystem((tx) =>
      tx.count(sql`update project set due_by = now() - interval '1 hour' where id = ${project.id}`),
    )
    const after = await as(admin)(projects.triage, { query: { until } })
    expect(after).toMatchObject({
      late: before.late + 1,
      dueSoon: before.dueSoon - 1,
      unassigned: before.unassigned,
      turnaroundHours: expect.any(Number),
    })
    expect(after.turnaroundHours).toBeGreaterThanOrEqual(0)
    const late = { query: { wheres: [`dueBy:lt:${new Date().toISOString()}`, 'isAssigned:eq:false'] } }
    expect(ids((await as(admin)(projects.list, late)).items)).toEqual([project.id])
    await start(project)
    expect(await as(admin)(projects.triage, { query: { until } })).toMatchObject({ unassigned: after.unassigned - 1 })
  })
})
