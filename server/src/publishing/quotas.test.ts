import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { dayIn } from '@clear-to-post/domain/calendar'
import { networkNames, type Network } from '@clear-to-post/domain/networks'
import { hasEnded } from '@clear-to-post/domain/posting'
import { sql } from '../kernel/database.ts'
import { noTiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import { networks } from '../outside/networks/networks.ts'
import { standIns as programs } from '../stand-ins/networks/all.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount, signedNow } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { leaseMs } from './lease.ts'
import { runPost } from './run.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
let publicUrl: string
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  publicUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  staff = await makeStaff(service)
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)

/** Every quota of every network, by its documents. */
const quotas = programs.flatMap(({ network, quotas: its }) =>
  its.map((quota) => ({ network: network as Network, quota })),
)
/** Those of minutes are waited for; of all others the officer is told, and posts again on another day. */
const isWaitedFor = ({ within }: (typeof quotas)[number]['quota']): boolean =>
  'minutes' in within && within.minutes < 60

/**
 * When a post is due here, two hours after `inHours` begins: within a day of now, since networks say no later time, and such that no
 * network's day ends within six hours of it, so that nobody waits for its end.
 */
const dueFrom = (now: Date): Date => {
  const hour = now.getUTCHours()
  return new Date(new Date(now).setUTCHours(hour < 14 ? Math.max(12, hour + 3) : 36, 0, 0, 0))
}
const usualDue = dueFrom(new Date())
const inHours = (hours: number) => new Date(usualDue.getTime() + (hours - 2) * 3_600_000)

it('a post is due within a day, and hours before the end of any network’s day, whenever these tests run', () => {
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    const now = new Date(Date.UTC(2026, 10, 30, 0, minute))
    const at = dueFrom(now).getTime()
    const about = now.toISOString()
    expect(at - now.getTime(), about).toBeGreaterThan(2 * 3_600_000)
    expect(at - now.getTime(), about).toBeLessThan(23 * 3_600_000)
    for (const { within } of quotas.map(({ quota }) => quota))
      if ('dayIn' in within)
        expect(dayIn(new Date(at + 6 * 3_600_000), within.dayIn), about).toBe(dayIn(new Date(at), within.dayIn))
  }
})

const scheduled = async (network: Network, publishAt = inHours(2)) => {
  const { projectId } = await approvedVideo(service, officer, staff)
  const account = `sam.${randomUUID().slice(0, 6)}`
  const connection = await connectAccount(service, officer, network, account)
  const words = `Rates ${randomUUID()}`
  const more = network === 'tiktok' ? { privacy: 'SELF_ONLY', tiktok } : {}
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: publishAt.toISOString(),
      posts: [{ connectionId: connection.id, words, title: 'Rates', ...more }],
    },
  })
  const seen = async () => (await as(officer)(publishing.posts, { params: { projectId } })).items[0]!
  const { id } = await seen()
  const shown = async () =>
    (await standIns.timeline(network)).timeline.filter((entry) => entry.words.includes(words)).length
  return { id, account, seen, shown }
}
const tiktok = { ...noTiktokChoices, allows: [], discloses: [], agrees: true }

/** A worker looks at a post, by a clock that both sides share; answers when it is to be looked at next. */
const look = async ({ id }: { id: string }, at: Date) => {
  await standIns.control({ now: at.getTime() })
  const deps = { database: service.database, networks: { ...networks(), ask: signedNow }, publicUrl, now: () => at }
  return runPost(deps, id)
}

/** Until it ends; answers when. */
const lookUntilEnd = async (post: Awaited<ReturnType<typeof scheduled>>, from: Date): Promise<Date> => {
  let at = from
  for (let round = 0; round < 100; round++) {
    const next = await look(post, at)
    if (next === null || hasEnded((await post.seen()).state)) return at
    at = new Date(Math.max(at.getTime() + 1000, next?.getTime() ?? at.getTime() + leaseMs))
  }
  throw new Error(`the post came to no end: ${JSON.stringify(await post.seen())}`)
}

it('every network has a quota at its stand-in', () => {
  expect([...new Set(quotas.map(({ network }) => network))].toSorted()).toEqual([...networkNames].toSorted())
})

it.each(quotas)(
  'a post beyond $network’s quota of $quota.what waits or is told, and goes out once later',
  async ({ network, quota }) => {
    await standIns.control({ now: null })
    const post = await scheduled(network)
    const { what, most } = quota
    const use = async (at: Date, count: number) =>
      standIns.control({ now: at.getTime(), use: { network, what, account: post.account, count } })
    if (isWaitedFor(quota)) {
      await look(post, inHours(1.3))
      // Used up just before its moment.
      await use(inHours(1.9999), most)
      const ended = await lookUntilEnd(post, inHours(2.0001))
      expect([(await post.seen()).state, await post.shown()]).toEqual(['live', 1])
      expect(ended.getTime()).toBeGreaterThan(inHours(2.001).getTime())
      expect(ended.getTime()).toBeLessThan(inHours(2.5).getTime())
      return
    }
    // At each of its two looks, and just after: a network's day may end at any of these moments.
    const used = [inHours(1.2), inHours(1.99), inHours(2.001)]
    for (const at of used) await use(at, most)
    const ended = await lookUntilEnd(post, inHours(1.3))
    expect([await post.seen(), await post.shown()]).toMatchObject([
      { state: 'failed', failure: { kind: 'limit', words: expect.stringMatching(/Post again tomorrow\.$/) } },
      0,
    ])
    expect((await post.seen()).actions).toContain('repeat')
    await as(officer)(publishing.repeat, { params: { postId: post.id } })
    // As pressed tomorrow.
    const tomorrow = new Date(ended.getTime() + 25 * 3_600_000)
    await service.database.asSystem((tx) => tx.count(sql`update post set due_at = ${tomorrow} where id = ${post.id}`))
    await lookUntilEnd(post, tomorrow)
    expect([(await post.seen()).state, await post.shown()]).toEqual(['live', 1])
    // What an app has for all of its accounts is there again for the next one here.
    for (const at of used) await use(at, -most)
  },
)

it.each(quotas.flatMap(({ network, quota }) => ('dayIn' in quota.within ? [{ network, quota, ...quota.within }] : [])))(
  'a post beyond $network’s quota of $quota.what in the last hours of its day goes out once that has ended',
  async ({ network, quota, dayIn: zone }) => {
    await standIns.control({ now: null })
    const ends = endOfDay(zone)
    const due = new Date(ends.getTime() - 3 * 3_600_000)
    const post = await scheduled(network, due)
    const { what, most } = quota
    const use = async (count: number) =>
      standIns.control({ now: due.getTime(), use: { network, what, account: post.account, count } })
    await use(most)
    const ended = await lookUntilEnd(post, new Date(due.getTime() - 60_000))
    expect([(await post.seen()).state, await post.shown()]).toEqual(['live', 1])
    expect(ended.getTime()).toBeGreaterThanOrEqual(ends.getTime())
    await use(-most)
  },
)

/** When the day of tomorrow noon, UTC, ends there. */
const endOfDay = (zone: string): Date => {
  let at = inHours(2)
  while (dayIn(at, zone) === dayIn(inHours(2), zone)) at = new Date(at.getTime() + 900_000)
  return at
}
