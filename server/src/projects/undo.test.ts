import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
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
