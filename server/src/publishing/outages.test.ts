import { afterAll, beforeAll, expect, it } from 'vitest'
import { networkNames } from '@clear-to-post/domain/networks'
import { lateHours } from '@clear-to-post/domain/posting'
import { sql } from '../kernel/database.ts'
import { openLane, type Lane, type Place } from '../../test/posting-lane.ts'
import { openService, type OpenedService } from '../../test/service.ts'

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

/** Minutes from the making of a post to its moment, and to the beginning of an outage, which lasts so many. */
const outages = [
  { what: 'long before its moment', due: 55, from: 0, lasts: 20, isLate: false },
  { what: 'just before its moment', due: 19, from: 0, lasts: 20, isLate: false },
  { what: 'across its moment', due: 10, from: 0, lasts: 20, isLate: true },
  { what: 'at its moment', due: 30, from: 29, lasts: 20, isLate: true },
] as const
const kinds = ['lost-before', 'lost-after', 'storage away'] as const

it.each(kinds.flatMap((kind) => outages.map((outage) => ({ kind, ...outage }))))(
  'at every network an outage of $lasts minutes ($kind) that begins $what costs no post, and makes none twice',
  async ({ kind, due, from, lasts, isLate }) => {
    for (const place of chosen) {
      await lane.reconnect(place)
      const made = lane.now().getTime()
      const post = await lane.makePost(place, due)
      const isAway = (at: number) => at >= made + from * minute && at < made + (from + lasts) * minute
      const outcome = await lane.drive(
        place,
        post.id,
        [],
        kind === 'storage away'
          ? { storageAway: isAway }
          : { before: async () => (isAway(lane.now().getTime()) ? kind : undefined) },
      )
      const about = `${place}: ${JSON.stringify(outcome)}, ${(lane.now().getTime() - made) / minute - due} minutes late`
      // No wait is longer than ten minutes: one of asking, and one before it is sent anew.
      expect(lane.now().getTime(), about).toBeLessThan(
        Math.max(made + due * minute, made + (from + lasts) * minute) + 25 * minute,
      )
      expect(await lane.check(place, post.words, outcome, about), about).toBe(1)
      const late = await lateOf(post.id)
      expect(late.length, about).toBeLessThanOrEqual(isLate ? 1 : 0)
    }
  },
  300_000,
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
