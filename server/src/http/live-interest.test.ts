import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import type { LiveEvents } from '@clear-to-post/contract/live'
import { submitProject } from '../../test/factories.ts'
import { callAs, makeOfficer, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let origin: string
beforeAll(async () => {
  service = await openService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
})
afterAll(() => service.close())

type Heard = { name: string; data: Record<string, unknown> }

/** What a page hears that watches this, from its first byte on; `again` counts. */
const listen = async ({ token }: Person, query: string) => {
  const response = await fetch(`${origin}/api/events${query}`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const heard: Heard[] = []
  let rest = ''
  void (async () => {
    for await (const part of response.body!) {
      rest += Buffer.from(part).toString()
      const parts = rest.split('\n\n')
      rest = parts.pop()!
      for (const text of parts) {
        const [, name, data] = /event: (\S+)\ndata: (.*)$/.exec(text) ?? []
        if (name !== undefined) heard.push({ name, data: JSON.parse(data!) as Record<string, unknown> })
      }
    }
  })()
  return heard
}
const hears = (heard: Heard[], name: string) => expect.poll(() => heard.map((one) => one.name)).toContain(name)
const idsIn = (heard: Heard[]) =>
  heard.flatMap(({ name, data }) =>
    name === 'projects'
      ? (data as LiveEvents['projects']).projectIds
      : 'projectId' in data
        ? [data['projectId'] as string]
        : [],
  )
/** So many events of one project of that company, as many transactions of another server would tell them. */
const tell = (projectId: string, tenantId: string | null, count = 1) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      insert into news (told) select json_build_object('type', 'project', 'projectId', ${projectId}::text, 'status', 0, 'seq', n,
        'verb', 'create', 'userId', null, 'tenantId', ${tenantId}::text) from generate_series(1, ${count}) n`),
  )

test('a stream hears of the project that it watches and of no other one, and of its own person’s all the same', async () => {
  const [officer, other] = [await makeOfficer(service), await makeOfficer(service)]
  const admin = await makePerson(service, 'ADMIN')
  const [watched, unwatched] = [await submitProject(service, officer), await submitProject(service, other)]
  const heard = await listen(admin, `?watch=project:${watched.id}`)
  const own = await listen(other, `?watch=project:${watched.id}`)
  for (const one of [heard, own]) await hears(one, 'again')
  const cancel = (project: { id: string }, whose: Person) =>
    callAs(service, whose)(projects.cancel, { params: { projectId: project.id } })
  await cancel(unwatched, other)
  await cancel(watched, officer)
  await expect.poll(() => idsIn(heard)).toContain(watched.id)
  expect(idsIn(heard)).not.toContain(unwatched.id)
  await expect.poll(() => idsIn(own)).toContain(unwatched.id)
  // It watches what it may not see, and hears nothing of it.
  expect(idsIn(own)).not.toContain(watched.id)
})

test('a list hears of a thousand changes by one hint at once and one after two seconds, with the ids of what changed', async () => {
  const { tenantId } = await makeOfficer(service)
  const qa = await makePerson(service, 'QA', { tenantId })
  const heard = await listen(qa, '?watch=projects')
  await hears(heard, 'again')
  const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  await tell(first, tenantId, 500)
  await hears(heard, 'projects')
  await tell(second, tenantId, 500)
  await expect.poll(() => idsIn(heard), { timeout: 10_000 }).toContain(second)
  const hints = heard.filter(({ name }) => name === 'projects')
  expect(heard.map(({ name }) => name)).toEqual(['again', ...hints.map(() => 'projects')])
  // The thousand may have been read in more than one look; each hint after the first closes a window of two seconds.
  expect(hints.length).toBeLessThanOrEqual(3)
  expect(new Set(idsIn(heard))).toEqual(new Set([first, second]))
})

test('a list of one company hears of no other company’s changes, and a list of the whole service of all of them', async () => {
  const [one, other] = [await makeOfficer(service), await makeOfficer(service)]
  const lists = await Promise.all(
    [one.tenantId, other.tenantId, null].map(async (tenantId) =>
      listen(await makePerson(service, 'Editor', { tenantId }), '?watch=projects'),
    ),
  )
  for (const heard of lists) await hears(heard, 'again')
  const [ofOne, ofOther, ofNone] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`)
  await tell(ofOne!, one.tenantId)
  await tell(ofOther!, other.tenantId)
  await tell(ofNone!, null)
  await expect.poll(() => idsIn(lists[2]!).toSorted(), { timeout: 10_000 }).toEqual([ofOne, ofOther, ofNone])
  expect(idsIn(lists[0]!)).toEqual([ofOne])
  expect(idsIn(lists[1]!)).toEqual([ofOther])
})

test('a hint names a hundred projects at most and says that there are more', async () => {
  const { tenantId } = await makeOfficer(service)
  const heard = await listen(await makePerson(service, 'QA', { tenantId }), '?watch=projects')
  await hears(heard, 'again')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into news (told) select json_build_object('type', 'project', 'projectId', gen_random_uuid(), 'status', 0, 'seq', n,
        'verb', 'create', 'userId', null, 'tenantId', ${tenantId}::text) from generate_series(1, 300) n`),
  )
  await expect.poll(() => heard.some(({ data }) => data['isMore'] === true), { timeout: 10_000 }).toBe(true)
  expect(heard.every(({ data }) => ((data['projectIds'] as string[] | undefined) ?? []).length <= 100)).toBe(true)
})

test('a page that comes back within a minute is told what it missed, and reads again only after longer', async () => {
  const { tenantId } = await makeOfficer(service)
  const qa = await makePerson(service, 'QA', { tenantId })
  const stays = await listen(await makePerson(service, 'QA', { tenantId }), '?watch=projects')
  await hears(stays, 'again')
  // The server remembers from when it began to listen; a page counts its answers as a little older than they are.
  const slackMs = 2000
  const listening = performance.now()
  await expect.poll(() => performance.now() - listening, { timeout: 10_000 }).toBeGreaterThan(slackMs)
  const [before, watched] = ['d', 'e'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`)
  const begun = performance.now()
  await tell(before!, tenantId)
  await tell(watched!, tenantId)
  await expect.poll(() => new Set(idsIn(stays)), { timeout: 10_000 }).toEqual(new Set([before, watched]))
  const age = Math.ceil(performance.now() - begun) + slackMs
  const back = await listen(qa, `?watch=projects,project:${watched}&age=${age}`)
  await hears(back, 'projects')
  expect(back.map(({ name }) => name)).toEqual(['project', 'projects'])
  expect(idsIn(back)).toEqual([watched, before])
  const late = await listen(qa, '?watch=projects&age=86000000')
  await hears(late, 'again')
  expect(late.map(({ name }) => name)).toEqual(['again'])
})

test('a stream that watches what nobody can watch is refused in words', async () => {
  const qa = await makePerson(service, 'QA')
  for (const query of [
    '?watch=everything',
    '?watch=project:1',
    '?age=-1',
    `?watch=${'projects,'.repeat(60)}projects`,
  ]) {
    const answer = await fetch(`${origin}/api/events${query}`, { headers: { authorization: `Bearer ${qa.token}` } })
    expect({ query, status: answer.status, code: ((await answer.json()) as { code: string }).code }).toEqual({
      query,
      status: 400,
      code: 'request.invalid',
    })
  }
})
