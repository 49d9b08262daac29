import { afterAll, beforeAll, expect, it } from 'vitest'
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
