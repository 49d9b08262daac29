import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { submitProject } from '../../test/factories.ts'
import { jobContext, runLeftWork } from '../../test/mails.ts'
import {
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { projectEventJob } from '../notifications/jobs.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let admin: Person
let editor: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  admin = await makePerson(service, 'ADMIN')
  editor = await makePerson(service, 'Editor')
})
afterAll(() => service.close())
const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))

const runEvents = async () => {
  const jobs = await rows(sql<{ data: Parameters<typeof projectEventJob.run>[0] }>`
    delete from pgboss.job where name = 'project-event' returning data`)
  for (const { data } of jobs) await projectEventJob.run(data, jobContext(service))
}
const sentCut = async (title: string) => {
  const { id } = await submitProject(service, officer, { title })
  await as(editor)(projects.start, { body: { projectId: id } })
  const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
  await as(editor)(projects.send, { params: { projectId: id }, body: { finalVideoId } })
  await runEvents()
  return id
}
/** Who of these was told that a cut waits. */
const hearersOf = async (id: string, people: Record<string, Person>) => {
  await runLeftWork(service)
  await runEvents()
  const told = await rows(sql<{ user_id: string }>`
    select user_id from notification where about = ${id} and title = 'A cut to review' and status <> 'deleted'`)
  return Object.keys(people).filter((name) => told.some(({ user_id: userId }) => userId === people[name]!.id))
}

const ways: Record<string, (who: Person) => Promise<unknown>> = {
  'remove their account': (who) => as(who)(accounts.remove, { query: {} }),
  'are shut out': ({ id: userId }) => as(admin)(accounts.update, { body: { userId, isDisabled: true } }),
  'edit instead': ({ id: userId }) => as(admin)(accounts.update, { body: { userId, role: 'Editor' } }),
  'are moved': async ({ id: userId }) =>
    as(admin)(accounts.update, { body: { userId, tenantId: await makeTenant(service) } }),
}
for (const [how, goes] of Object.entries(ways))
  it(`a cut that waits is told to who remains when its reviewers ${how}, the last one’s to the ADMINs`, async () => {
    const [qa, other] = [await makePerson(service, 'QA'), await makePerson(service, 'QA')]
    await rows(sql`update person set is_disabled = true where id = ${other.id} returning id`)
    const id = await sentCut(`Cut of who ${how}`)
    const people = { qa, other, admin }
    expect(await hearersOf(id, people)).toEqual(['qa'])
    await rows(sql`update person set is_disabled = false where id = ${other.id} returning id`)
    await goes(qa)
    // A removed person's own notices are gone with them.
    const isRemoved = how === 'remove their account'
    expect(await hearersOf(id, people)).toEqual(isRemoved ? ['other'] : ['qa', 'other'])
    const later = await makePerson(service, 'QA')
    await goes(await makePerson(service, 'QA'))
    expect(await hearersOf(id, { later }), 'somebody who remains was told').toEqual([])
    await rows(sql`update person set is_disabled = true where id = ${later.id} returning id`)
    await goes(other)
    expect(await hearersOf(id, people)).toEqual(isRemoved ? ['admin'] : ['qa', 'other', 'admin'])
  })

it('a video is assigned to nobody who is being shut out, and what an editor was given before that goes back', async () => {
  const leaver = await makePerson(service, 'Editor')
  const [late, early] = [await submitProject(service, officer), await submitProject(service, officer)]
  const assign = ({ id }: { id: string }) =>
    outcome(as(admin)(projects.assign, { params: { projectId: id }, body: { editorId: leaver.id } }))
  expect(await assign(early)).toBe('done')
  const assigned = await service.database.asSystem(async (tx) => {
    await tx.count(sql`update person set is_disabled = true where id = ${leaver.id}`)
    const meanwhile = assign(late)
    await expect
      .poll(() =>
        Promise.race([meanwhile, rows(sql`select from pg_locks where not granted`).then((all) => all.length)]),
      )
      .not.toBe(0)
    return { meanwhile }
  })
  expect(await assigned.meanwhile).toBe('account.not-found')
  await as(admin)(accounts.update, { body: { userId: leaver.id, isDisabled: true } })
  await runLeftWork(service)
  expect(await as(admin)(projects.find, { params: { projectId: early.id } })).not.toHaveProperty('editorId')
})

it('work that comes back while its editor is shut out is told to the ADMINs, whichever of both ends first', async () => {
  const leaver = await makePerson(service, 'Editor')
  const qa = await makePerson(service, 'QA')
  const { id } = await submitProject(service, officer, { title: 'Denied meanwhile' })
  const params = { projectId: id }
  await as(leaver)(projects.start, { body: { projectId: id } })
  const finalVideoId = await makeVideo(service, leaver, { id, tenantId: officer.tenantId })
  await as(leaver)(projects.send, { params, body: { finalVideoId } })
  await as(admin)(accounts.update, { body: { userId: leaver.id, isDisabled: true } })
  // As it was seen by a step that ended, and was told of, before: its editor may still sign in.
  await rows(sql`update person set is_disabled = false where id = ${leaver.id} returning id`)
  const denyFeedback = { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }
  await as(qa)(projects.deny, { params, body: { denyFeedback, categories: ['cut'] } })
  await runEvents()
  await rows(sql`update person set is_disabled = true where id = ${leaver.id} returning id`)
  await runLeftWork(service)
  await runEvents()
  const told = await rows(sql<{ user_id: string }>`
    select user_id from notification where about = ${id} and title = 'Give it to another editor'`)
  expect(told.map(({ user_id: userId }) => userId)).toContain(admin.id)
})
