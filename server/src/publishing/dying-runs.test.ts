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
import { runComment } from './comment.ts'
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

const scheduled = async (network: Network, comment?: string) => {
  const { projectId } = await approvedVideo(service, officer, staff)
  const { id: connectionId } = await connectAccount(service, officer, network)
  const words = `Dies ${randomUUID()}`
  const params = { projectId }
  const body = {
    publishAt: inHours(2).toISOString(),
    posts: [{ connectionId, words, ...(comment === undefined ? {} : { comment }) }],
  }
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

it('a post that lay ready goes out no more once its moment is a day past, and its officer is told', async () => {
  for (const [hours, state, posted] of [
    [25.9, 'live', 1],
    [26.1, 'failed', 0],
  ] as const) {
    const post = await scheduled('linkedin')
    await post.work(1.5)
    for (const more of [0, 0.05]) await post.work(hours + more)
    expect([(await post.shown()).state, await post.posted()], `${hours} h`).toEqual([state, posted])
    const [told] = await post.told()
    if (state === 'failed') expect(told?.body).toContain('It could not go out within a day of its time.')
  }
})

/** A post that is there, and whose comment is due. */
const commented = async () => {
  const words = `Call me ${randomUUID()}`
  const post = await scheduled('facebook', words)
  for (const hours of [1.5, 2.01, 2.1]) await post.work(hours)
  const row = () =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ state: string; crashes: number; words: string | null; next: Date | null }>`
        select m.state, m.crashes, m.failure_words as words, m.next_at as next from post_comment m where m.post_id = ${post.id}`),
    )
  const run = async (hours: number, ask?: Ask, signal?: AbortSignal) => {
    const now = inHours(hours)
    await standIns.control({ now: now.getTime() })
    const open = networks()
    const deps = {
      database: service.database,
      networks: ask ? { ...open, ask } : open,
      publicUrl: service.config.publicUrl,
    }
    await service.database.asSystem((tx) =>
      tx.count(
        sql`update post_comment set next_at = least(next_at, ${now}) where post_id = ${post.id} and next_at is not null`,
      ),
    )
    return runComment({ ...deps, now: () => now }, post.id, { signal })
  }
  /** A run whose worker dies at its first request, or that was closing. */
  const dies = async (hours: number, closing?: AbortController) => {
    let dead = () => {}
    const died = new Promise<void>((resolve) => (dead = resolve))
    const ended = run(
      hours,
      () => {
        dead()
        return new Promise<never>(() => {})
      },
      closing?.signal,
    )
    await Promise.race([died, ended])
    closing?.abort()
  }
  const there = async () =>
    (await standIns.timeline('facebook')).timeline
      .flatMap(({ comments = [] }) => comments)
      .filter((one) => one.words === words).length
  const told = async () => (await post.told()).map(({ title }) => title).filter((title) => title.includes('comment'))
  return { ...post, told, row, run, dies, there }
}

it('a comment whose workers died twice fails with words and is not sent; one that dies once, or closes, is written', async () => {
  const deadly = await commented()
  for (const hours of [2.2, 2.4]) await deadly.dies(hours)
  expect(await deadly.told()).toEqual([])
  for (const hours of [2.6, 2.8]) await deadly.run(hours)
  expect(await deadly.row()).toMatchObject({
    state: 'failed',
    next: null,
    words: expect.stringContaining('stopped twice'),
  })
  expect(await deadly.told()).toEqual(['No first comment on Facebook'])
  expect([(await deadly.shown()).state, await deadly.there()]).toEqual(['live', 0])

  const closing = await commented()
  await closing.dies(2.2)
  for (const hours of [2.4, 2.6, 2.8]) {
    await closing.dies(hours, new AbortController())
    await expect.poll(async () => (await closing.row())?.crashes).toBe(-1)
  }
  for (const hours of [3, 3.2]) await closing.run(hours)
  expect([(await closing.row())?.state, await closing.there()]).toEqual(['live', 1])
})

it('a comment that may be there when its workers died is left to its officer in the end', async () => {
  for (const [crashes, state] of [
    [2, 'failed'],
    [6, 'unconfirmed'],
  ] as const) {
    const comment = await commented()
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update post_comment set state = 'armed', armed_at = ${inHours(2.2)}, next_at = ${inHours(2.2)}, leased_until = ${inHours(2.3)},
          crashes = ${crashes - 1}
        where post_id = ${comment.id}`),
    )
    await comment.run(2.5)
    expect([(await comment.row())?.state, await comment.there()]).toEqual([state, 0])
    await comment.run(2.7)
    expect([(await comment.row())?.state, await comment.there()]).toEqual([state, 0])
  }
})

it('a comment that ends in a fault of ours each time is tried a few times, and then told', async () => {
  const comment = await commented()
  const fault: Ask = () => {
    throw new Error('a fault of ours')
  }
  let hours = 2.2
  for (let tries = 1; tries < 6; tries++) {
    await expect(comment.run(hours++, fault)).rejects.toThrow('a fault of ours')
    expect((await comment.told()).length).toBe(0)
  }
  await expect(comment.run(hours++, fault)).rejects.toThrow('a fault of ours')
  expect((await comment.row())?.next).toBe(null)
  expect((await comment.told()).length).toBe(1)
  await comment.run(hours++, fault)
  expect(await comment.there()).toBe(0)
})
