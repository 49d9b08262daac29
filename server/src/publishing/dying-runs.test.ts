import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { sql } from '../kernel/database.ts'
import type { Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { runPost } from './run.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const scheduled = async (network: Network) => {
  const { projectId } = await approvedVideo(service, officer, staff)
  const { id: connectionId } = await connectAccount(service, officer, network)
  const words = `Dies ${randomUUID()}`
  const params = { projectId }
  const body = { publishAt: inHours(2).toISOString(), posts: [{ connectionId, words }] }
  await callAs(service, officer)(projects.schedule, { params, body })
  const shown = async () => (await callAs(service, officer)(publishing.posts, { params })).items[0]!
  const { id } = await shown()
  const at = async (hours: number) => {
    await standIns.control({ now: inHours(hours).getTime() })
    return inHours(hours)
  }
  const told = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ title: string; body: string }>`
        select data -> 'notice' ->> 'title' as title, data -> 'notice' ->> 'body' as body
        from pgboss.job where name = 'notice' and data -> 'notice' -> 'metadata' ->> 'postId' = ${id}`),
    )
  return {
    id,
    shown,
    told,
    work: async (hours: number) => workOnPost(service, id, await at(hours)),
    /** A run whose worker dies at the request that brings the file; `closing`: it was closing, and had said so. */
    dies: async (hours: number, closing?: AbortController) => {
      const now = await at(hours)
      let dead = () => {}
      const died = new Promise<void>((resolve) => (dead = resolve))
      const ask: Ask = (to, request) => {
        if (!(request?.body instanceof Blob)) return networks().ask(to, request)
        dead()
        return new Promise<never>(() => {})
      }
      const deps = { database: service.database, networks: { ...networks(), ask }, publicUrl: service.config.publicUrl }
      const run = runPost({ ...deps, now: () => now }, id, { signal: closing?.signal })
      await Promise.race([died, run])
      closing?.abort()
    },
    crashes: async () =>
      (await service.database.asSystem((tx) =>
        tx.first(sql<{ crashes: number }>`select crashes from post where id = ${id}`),
      ))!.crashes,
    posted: async () => (await standIns.timeline(network)).timeline.filter((one) => one.words.includes(words)).length,
  }
}

it('a post whose worker died twice over it fails, its officer is told, and it is posted when they say so', async () => {
  const post = await scheduled('facebook')
  await post.dies(1.2)
  await post.dies(1.4)
  expect([(await post.shown()).state, await post.told()]).toEqual(['preparing', []])
  await post.work(1.6)
  expect(await post.shown()).toMatchObject({
    state: 'failed',
    failure: { kind: 'retry', words: expect.stringContaining('We could not send this file') },
  })
  expect(await post.told()).toEqual([
    { title: 'Not posted on Facebook', body: expect.stringContaining('Try again on the video’s page.') },
  ])
  for (const hours of [1.8, 2.01, 2.5]) await post.work(hours)
  expect(await post.posted()).toBe(0)
  await callAs(service, officer)(publishing.repeat, { params: { postId: post.id } })
  for (const hours of [2.6, 2.7, 2.8]) await post.work(hours)
  expect([(await post.shown()).state, await post.posted()]).toEqual(['live', 1])
})

it('a worker that dies once, or closes however often, costs no post', async () => {
  const post = await scheduled('facebook')
  await post.dies(1.2)
  for (const hours of [1.3, 1.4, 1.5]) {
    const closing = new AbortController()
    await post.dies(hours, closing)
    await expect.poll(post.crashes).toBe(-1)
  }
  for (const hours of [1.6, 2.01, 2.1]) await post.work(hours)
  expect([(await post.shown()).state, await post.posted()]).toEqual(['live', 1])
})

it('a post that may be out when its workers died is left to its officer in the end, and sent no second time', async () => {
  // Nothing of either is there, and one of them the network is not asked about any more.
  for (const [crashes, state, title] of [
    [2, 'failed', 'Not posted on Facebook'],
    [6, 'unconfirmed', 'Look at Facebook'],
  ] as const) {
    const post = await scheduled('facebook')
    await post.work(1.5)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update post set state = 'armed', armed_at = ${inHours(2)}, next_at = ${inHours(2)}, leased_until = ${inHours(2.1)},
          crashes = ${crashes - 1}
        where id = ${post.id}`),
    )
    await post.work(2.2)
    expect([(await post.shown()).state, (await post.told()).map((one) => one.title)]).toEqual([state, [title]])
    await post.work(2.5)
    expect(await post.posted()).toBe(0)
  }
})

it('a video that is not ready a day after its moment is not begun again', async () => {
  const post = await scheduled('facebook')
  await post.dies(1.2)
  await post.work(26.5)
  expect(await post.shown()).toMatchObject({
    state: 'failed',
    failure: { words: expect.stringContaining('The video was not ready at the network in time.') },
  })
  expect([await post.posted(), (await post.told()).length]).toEqual([0, 1])
})
