import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
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
import { sql } from '../db/tenant.ts'

let service: Service
let origin: string
beforeAll(async () => {
  service = await openService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
})
afterAll(() => service.close())

/** What a page that listens hears, and whether its stream is over. */
const listen = async ({ token }: Person) => {
  const response = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const heard = { text: '', isOver: false }
  void (async () => {
    for await (const part of response.body!) heard.text += Buffer.from(part).toString()
    heard.isOver = true
  })()
  await expect.poll(() => heard.text).toContain('event: again')
  return heard
}

test('who is shut out, changes role or company, or leaves hears nothing more at once', async () => {
  const [admin, officer] = [await makePerson(service, 'ADMIN'), await makeOfficer(service)]
  const { tenantId } = officer
  const watching = await listen(admin)
  const staff = await Promise.all(Array.from({ length: 4 }, () => makePerson(service, 'QA', { tenantId })))
  const streams = await Promise.all(staff.map(listen))
  const change = (at: number, body: object) =>
    callAs(service, admin)(accounts.update, { body: { userId: staff[at]!.id, ...body } })
  await change(0, { isDisabled: true })
  await change(1, { role: 'User' })
  await change(2, { tenantId: await makeTenant(service) })
  await callAs(service, staff[3]!)(accounts.remove, { query: {} })
  await expect.poll(() => streams.map(({ isOver }) => isOver)).toEqual([true, true, true, true])

  const body = { title: 'Seen', assets: [await makeVideo(service, officer)] }
  const { id } = await callAs(service, officer)(projects.create, { body })
  await expect.poll(() => watching.text).toContain(id)
  expect(watching.isOver).toBe(false)
  for (const { text } of streams) expect(text).not.toContain(id)
})

test('a file that belongs to no project yet is news for who sends it', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  const qa = await makePerson(service, 'QA', { tenantId })
  const [own, others] = [await listen(officer), await listen(qa)]
  const draft = await makeVideo(service, officer)
  const move = (id: string) =>
    service.database.asSystem((tx) => tx.count(sql`update asset set progress = 0.5 where id = ${id}`))
  await move(draft)
  await expect.poll(() => own.text).toContain(draft)
  // Told later, so what came before has come.
  const marker = await makeVideo(service, qa)
  await move(marker)
  await expect.poll(() => others.text).toContain(marker)
  expect(others.text).not.toContain(`"assetId":"${draft}","projectId":null`)
})
