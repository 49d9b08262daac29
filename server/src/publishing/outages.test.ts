import { afterAll, beforeAll, expect, it } from 'vitest'
import { networkNames } from '@clear-to-post/domain/networks'
import { lateHours, lateMinutes } from '@clear-to-post/domain/posting'
import { sql } from '../kernel/database.ts'
import { openLane, type Lane, type Place } from '../../test/posting-lane.ts'
import { partOfWalk, seedOfRun } from '../../test/random.ts'
import { openService, type OpenedService } from '../../test/service.ts'
import { RefusedByNetwork } from '../outside/networks/adapter.ts'

let service: OpenedService
let lane: Lane
const places: readonly Place[] = [...networkNames, 'facebook video']
const chosen = places.filter((place) => process.env['NETWORKS']?.split(',').includes(place) ?? true)

beforeAll(async () => {
  service = await openService()
  const publicUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  lane = await openLane(service, publicUrl)
}, 120_000)
afterAll(async () => {
  await service?.close()
  await lane?.close()
})

const minute = 60_000
const told = (postId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ title: string; body: string }>`
      select distinct on (data -> 'notice' ->> 'cause') data -> 'notice' ->> 'title' as title, data -> 'notice' ->> 'body' as body
      from pgboss.job where name = 'notice' and data -> 'notice' -> 'metadata' ->> 'postId' = ${postId}
      order by data -> 'notice' ->> 'cause', created_on`),
  )
const lateOf = async (postId: string) => (await told(postId)).filter(({ title }) => title.startsWith('Late on'))

/** Minutes from its moment to the run that told of its being late. */
const whenLate = (post: { id: string }, due: number) => {
  const at: number[] = []
  const after = async () => {
    if (at.length === 0 && (await lateOf(post.id)).length > 0) at.push((lane.now().getTime() - due) / minute)
  }
  return { at, after }
}

/** Minutes from the making of a post to its moment, and to the beginning of an outage, which lasts so many. */
const outages = [
  { what: 'long before its moment', due: 55, from: 0, lasts: 20, isLate: false },
  { what: 'just before its moment', due: 19, from: 0, lasts: 20, isLate: false },
  { what: 'across its moment', due: 10, from: 0, lasts: 20, isLate: true },
  { what: 'at its moment', due: 30, from: 29, lasts: 20, isLate: true },
] as const
const kinds = ['lost-before', 'lost-after', 'storage away'] as const

// A third of the networks at each outage; after it all of them.
const { share, options } = partOfWalk(3)
const seed = seedOfRun()
it.each(kinds.flatMap((kind) => outages.map((outage) => ({ kind, ...outage }))).map((one, at) => ({ ...one, at })))(
  'at every network an outage of $lasts minutes ($kind) that begins $what costs no post, and makes none twice',
  { ...options, timeout: 300_000 },
  async ({ kind, due, from, lasts, isLate, at: which }) => {
    for (const place of chosen.filter((_, at) => (at + which) % share === seed % share)) {
      await lane.reconnect(place)
      const made = lane.now().getTime()
      const post = await lane.makePost(place, due)
      const isAway = (at: number) => at >= made + from * minute && at < made + (from + lasts) * minute
      const { at: toldAt, after } = whenLate(post, made + due * minute)
      const outcome = await lane.drive(
        place,
        post.id,
        [],
        kind === 'storage away'
          ? { storageAway: isAway, after }
          : { before: async () => (isAway(lane.now().getTime()) ? kind : undefined), after },
      )
      const about = `${place}: ${JSON.stringify(outcome)}, ${(lane.now().getTime() - made) / minute - due} minutes late`
      // No wait is longer than ten minutes: one of asking, and one before it is sent anew.
      expect(lane.now().getTime(), about).toBeLessThan(
        Math.max(made + due * minute, made + (from + lasts) * minute) + 25 * minute,
      )
      expect(await lane.check(place, post.words, outcome, about), about).toBe(1)
      // Where our files are away, networks that have them already are in time; so is what was sent, and is found at once.
      const wasLate = isLate && lane.now().getTime() > made + (due + lateMinutes) * minute
      if (kind === 'lost-before') expect(wasLate, about).toBe(isLate)
      expect((await lateOf(post.id)).length, about).toBe(wasLate ? 1 : 0)
      for (const at of toldAt) expect(at, about).toBeGreaterThanOrEqual(0)
      for (const at of toldAt) expect(at, about).toBeLessThan(10)
    }
  },
)

it('a post whose network never answers is told to be late once, and given up hours after its moment', async () => {
  for (const kind of ['lost-before', 'storage away'] as const) {
    const due = lane.now().getTime() + 30 * minute
    const post = await lane.makePost('youtube', 30)
    const outcome = await lane.drive(
      'youtube',
      post.id,
      [],
      kind === 'storage away' ? { storageAway: () => true } : { before: async () => kind },
    )
    await lane.keepAway('youtube', false)
    expect(outcome.state, kind).toBe('failed')
    const hours = (lane.now().getTime() - due) / (60 * minute)
    expect(hours, kind).toBeGreaterThan(lateHours - 0.2)
    expect(hours, kind).toBeLessThan(lateHours + 0.2)
    const [late, ...more] = await told(post.id)
    expect([late?.title, ...more.map(({ title }) => title)].toSorted()).toEqual([
      'Late on YouTube',
      'Not posted on YouTube',
    ])
  }
})

it('a post that lay ready when its network fell silent is told to be late, and to be looked for, within minutes', async () => {
  for (const place of chosen) {
    await lane.reconnect(place)
    const due = lane.now().getTime() + 30 * minute
    const post = await lane.makePost(place, 30)
    const isAway = (at: number) => at >= due - minute && at < due + 120 * minute
    const { at, after } = whenLate(post, due)
    const outcome = await lane.drive(place, post.id, [], {
      before: async () => (isAway(lane.now().getTime()) ? 'lost-before' : undefined),
      after,
    })
    expect([await lane.check(place, post.words, outcome, place), at.length], place).toEqual([1, 1])
    expect(at[0], place).toBeGreaterThanOrEqual(0)
    expect(at[0], place).toBeLessThan(10)
    const late = await lateOf(post.id)
    expect(late.length, place).toBe(1)
    // TikTok names a post before it is brought: without a name nothing was begun.
    if (place === 'tiktok') expect(late[0]!.body).toContain('take it back')
    else
      expect(late[0]!.body, place).toMatch(
        /may be there or not: the network does not answer\. Look at your account before .* cannot be taken back now\. We go on asking until \w+ \d+ at/,
      )
  }
}, 300_000)

it('a post that its network works on for long is told to be late once, and that it may be there', async () => {
  const worked: Place[] = []
  for (const place of chosen) {
    await lane.reconnect(place)
    const due = lane.now().getTime() + 10 * minute
    const post = await lane.makePost(place, 10)
    const { at, after } = whenLate(post, due)
    let isWorkedOn = false
    const outcome = await lane.drive(place, post.id, [], {
      slowSeconds: 90 * 60,
      after: async () => {
        await after()
        const late = await service.database.asSystem((tx) =>
          tx.count(sql`
            select from post where id = ${post.id} and state = 'processing' and next_at > ${new Date(due + lateMinutes * minute)}`),
        )
        if (late > 0) isWorkedOn = true
      },
    })
    expect(await lane.check(place, post.words, outcome, place), place).toBe(1)
    if (!isWorkedOn) continue
    worked.push(place)
    expect(at.length, place).toBe(1)
    expect(at[0], place).toBeLessThan(10)
    const late = await lateOf(post.id)
    expect(late.length, place).toBe(1)
    expect(late[0]!.body, place).toMatch(
      /may be there or not: the network still works on it\. Look at your account before .* We go on asking until \w+ \d+ at/,
    )
  }
  // The others have finished it when they take it.
  expect(worked).toEqual(chosen.filter((place) => place === 'facebook' || place === 'tiktok'))
}, 300_000)

it('a post whose network says when it takes more is told at its moment when it is tried again, and not before', async () => {
  for (const from of [-60, 0]) {
    for (const place of chosen) {
      await lane.reconnect(place)
      const due = lane.now().getTime() + 30 * minute
      const post = await lane.makePost(place, 30)
      const again = due + 20 * 60 * minute
      const { at, after } = whenLate(post, due)
      const outcome = await lane.drive(place, post.id, [], {
        before: async () => {
          const now = lane.now().getTime()
          if (now < due + from * minute || now >= again) return undefined
          throw new RefusedByNetwork('limit', 'Too many posts of this account', new Date(again))
        },
        after,
      })
      const about = `${place}: ${JSON.stringify(outcome)}, ${at}`
      expect(await lane.check(place, post.words, outcome, about), about).toBe(1)
      const late = await lateOf(post.id)
      expect([late.length, at.length], about).toEqual([1, 1])
      expect(at[0], about).toBeGreaterThanOrEqual(0)
      expect(at[0], about).toBeLessThan(10)
      expect(late[0]!.body, about).toMatch(
        /takes no more for now\. We try again on \w+ \d+ at [\d:]+ [AP]M \S+, and tell you/,
      )
    }
  }
}, 300_000)
