import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { tenants } from '@clear-to-post/contract/tenants'
import { fileUrl } from '../assets/addresses.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makePicture,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  subscribe,
  type Service,
} from '../../test/service.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('each step of setting up a company is done when its fact is there, and for that company alone', async () => {
  const tenantId = await makeTenant(service)
  const other = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const [editor, qa] = [await makePerson(service, 'Editor'), await makePerson(service, 'QA')]
  const done = async (by = admin, id = tenantId) =>
    (await callAs(service, by)(tenants.setUp, { params: { tenantId: id } })).steps
      .filter(({ isDone }) => isDone)
      .map(({ key }) => key)
  expect(await done()).toEqual([])

  const officer = await makePerson(service, 'User', { tenantId })
  expect(await done()).toEqual(['officers'])
  const logo = fileUrl(await makePicture(service, admin), 'original.png', new Date())
  const set = (data: object) => callConfirmed(service, admin)(tenants.update, { body: { tenantId, data } })
  await set({ preferences: { logoUrl: logo } })
  expect(await done()).toEqual(['officers'])
  await set({ preferences: { logoUrl: logo, primaryColor: '#2647e0' } })
  await set({ nmlsNumber: '123456' })
  expect(await done()).toEqual(['officers', 'brand'])
  await set({ licenceStates: ['CA'] })
  await subscribe(service, { tenantId })
  expect(await done()).toEqual(['officers', 'brand', 'licences', 'plan'])

  const project = await submitProject(service, officer)
  expect(await done()).toEqual(['officers', 'brand', 'licences', 'plan', 'video'])
  const at = { params: { projectId: project.id } }
  await callAs(service, editor)(projects.start, { body: { projectId: project.id } })
  const finalVideoId = await makeVideo(service, editor, project)
  await callAs(service, editor)(projects.send, { ...at, body: { finalVideoId } })
  expect(await done()).toHaveLength(5)
  await callAs(service, qa)(projects.approve, at)
  expect(await done()).toHaveLength(6)

  expect(await done(other, other.tenantId!)).toEqual([])
  expect(await outcome(done(other))).toBe('tenant.none')
})
