import { loadavg } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { networkNames } from '@clear-to-post/domain/networks'
import { withdrawPosts } from './actions.ts'
import { sql } from '../kernel/database.ts'
import { kinds, type Trouble } from '../../test/network-troubles.ts'
import { networkOf, openLane, type Lane, type Place } from '../../test/posting-lane.ts'
import { isLong, seeded, seedOfRun, type Random } from '../../test/random.ts'
import { openService, type OpenedService } from '../../test/service.ts'

let service: OpenedService
/** Several in the long form: their cases go side by side. */
const lanes: Lane[] = []
const laneCount = isLong ? Number(process.env['LANES'] ?? 8) : 1
/** The one of all tests that go one after the other. */
let lane: Lane
const places: readonly Place[] = [...networkNames, 'facebook video']

beforeAll(async () => {
  service = await openService()
  // Some networks fetch the file from us.
  const publicUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < laneCount; n++) lanes.push(await openLane(service, publicUrl, n === 0 ? '' : String(n)))
  lane = lanes[0]!
}, 120_000)
afterAll(async () => {
  await service?.close()
  for (const one of lanes) await one.close()
})

const seedOfAll = seedOfRun()
const random = seeded(seedOfAll)
const seeds = isLong ? Number(process.env['SEEDS'] ?? 100) : 1
/** `FROM=40` begins with that seed: the first one is 0. */
const firstSeed = isLong ? Number(process.env['FROM'] ?? 0) : 0
/** `MINUTES=15` ends the long form after so many, between two cases, and says how many seeds of each network it came through. */
const mostMinutes = Number(process.env['MINUTES'] ?? Infinity)

/** `AT=irreversible` has the first trouble at the request alone that may not be repeated. */
const isAtIrreversible = isLong && process.env['AT'] === 'irreversible'

/** `NETWORKS='bluesky,facebook video'` asks these alone. */
const chosen = places.filter((place) => process.env['NETWORKS']?.split(',').includes(place) ?? true)
const walked = () => chosen.filter((place) => lane.networks.offered.includes(networkOf(place)))

/** All of one network's requests in a run without trouble. */
const plainRun = async (place: Place) => {
  // A token that an earlier case ended may be known by the network alone.
  await lane.reconnect(place)
  const post = await lane.makePost(place)
  const outcome = await lane.drive(place, post.id, [])
  expect(outcome, place).toMatchObject({ state: 'live', failure: null })
  await lane.check(place, post.words, outcome, place)
  return outcome.asked
}

/** One post, and what befalls it. */
type Case = {
  troubles: readonly Trouble[]
  /** Minutes until it is due. */
  minutes: number
  slowSeconds: number
  jumpsMs: number
}

/** Asking how a post stands is a POST at one of them. */
const sendingIn = (asked: readonly string[]) => asked.findLastIndex((request) => !/^GET|status\/fetch/.test(request))

/** The requests that have a trouble in the long form, by their place. */
const troubledOf = (asked: readonly string[]): number[] =>
  isAtIrreversible ? [sendingIn(asked)] : asked.map((_request, nth) => nth)

/**
 * Each trouble at each request; at a seed after the first with what that seed draws: another trouble, how often the first one comes,
 * where in the body or the answer a line breaks, how early the post is made, how long the network works on the video, and how far
 * the clock jumps. The short form: at the request that may not be repeated the answer of each network is lost once, and each kind
 * of trouble is had by some of them; at any other request, too.
 */
const casesOf = (asked: readonly string[], seed: number, dice: Random, turn: number): Case[] => {
  const last = asked.findLastIndex((request) => !request.startsWith('GET'))
  const all = troubledOf(asked).flatMap((nth) => kinds.map((kind): Trouble => ({ nth, kind })))
  const itsTurn = (kind: number) => kind % walked().length === turn
  const other = () => dice.one(asked.map((_request, nth) => nth).filter((nth) => nth !== last))
  const short = kinds.flatMap((kind, at): Trouble[] => [
    ...(kind === 'lost-after' || itsTurn(at) ? [{ nth: last, kind }] : []),
    ...(itsTurn(at + 3) && asked.length > 1 ? [{ nth: other(), kind }] : []),
  ])
  return (isLong ? all : short).map((trouble) => {
    if (seed === 0) return { troubles: [trouble], minutes: 10, slowSeconds: 0, jumpsMs: 0 }
    const times = dice.next() < 0.25 ? dice.whole(2, 3) : 1
    const again = Array.from({ length: times }, (_, more) => ({
      ...trouble,
      nth: trouble.nth + more,
      share: dice.next(),
    }))
    const beside = { nth: dice.whole(0, asked.length + 3), kind: dice.one(kinds), share: dice.next() }
    return {
      troubles: [...again, beside],
      minutes: dice.whole(0, 55),
      slowSeconds: dice.next() < 0.2 ? dice.whole(60, 3600) : 0,
      jumpsMs: dice.next() < 0.15 ? dice.whole(-60, 120) * 60_000 : 0,
    }
  })
}

const saidOf = (place: Place, asked: readonly string[], { troubles, minutes, slowSeconds, jumpsMs }: Case): string =>
  `${place} ${troubles.map(({ nth, kind, share }) => `${kind} at ${nth} ${asked[nth] ?? ''}${share === undefined ? '' : ` (${share.toFixed(3)})`}`).join(', ')}; due in ${minutes} minutes, worked on for ${slowSeconds} s, clock ${jumpsMs} ms, PROVE_SEED=${seedOfAll}`

it('at every network the address of a post opens in a browser where its words stand', { tags: 'long' }, async () => {
  for (const place of walked()) {
    await lane.reconnect(place)
    const { id, words } = await lane.makePost(place)
    const { address } = await lane.drive(place, id, [])
    // Who looks at a post is signed in nowhere.
    const page = await fetch(address!, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')], `${place}: ${address}`).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    const entry = (await lane.standIns.timeline(networkOf(place))).timeline.find((one) => one.words.includes(words))!
    const [, shown = ''] = (await page.text()).split(`<li id="${entry.id}">`)
    expect(shown.split('</li>')[0], place).toContain(words)
    const led = await fetch(address!, { redirect: 'manual' })
    const anchor = new URL(led.headers.get('location') ?? address!, address!).hash
    expect(decodeURIComponent(anchor), place).toBe(`#${entry.id}`)
  }
})

it('every network that a video can be posted to is proved here', () => {
  expect(lane.networks.offered).toEqual([...networkNames])
})

it('after any failure at any request the network shows a post exactly once, or not at all and it says so', async () => {
  const counts = new Map<Place, { cases: number; live: number }>()
  const ended = new Map<number, number>()
  const began = Date.now()
  const requests = new Map<Place, string[]>()
  for (const place of walked()) {
    requests.set(place, await plainRun(place))
    counts.set(place, { cases: 0, live: 0 })
  }
  /** Every network at each seed, so that a run that is ended early has asked all of them alike; a network forgets between batches. */
  const batches = (function* () {
    for (let seed = firstSeed; seed < seeds; seed++)
      for (const [turn, [place, asked]] of [...requests].entries()) {
        const cases = casesOf(asked, seed, random, turn)
        for (let n = 0; n < cases.length; n += 20) yield { seed, place, asked, cases: cases.slice(n, n + 20) }
      }
  })()
  const failures: Error[] = []
  const isOver = () => failures.length >= 10 || Date.now() - began > mostMinutes * 60_000
  const work = async (own: Lane) => {
    for (const { seed, place, asked, cases } of batches) {
      await own.forget(place)
      for (const one of cases) {
        if (isOver()) return
        const count = counts.get(place)!
        const shown = await runCase(own, place, saidOf(place, asked, one), one).catch(async (error: Error) => {
          failures.push(error)
          if (isLong) console.log(`Failed: ${error.message}`)
          await own.dropPosts()
          return 0
        })
        count.cases++
        count.live += shown
      }
      ended.set(seed, (ended.get(seed) ?? 0) + cases.length)
    }
  }
  await Promise.all(lanes.map(work))
  const sum = (what: 'cases' | 'live') => [...counts.values()].reduce((all, one) => all + one[what], 0)
  const each = [...requests].reduce((all, [place, asked], turn) => {
    const { length } = isLong ? troubledOf(asked).flatMap(() => kinds) : casesOf(asked, 1, seeded(1), turn)
    return place && all + length
  }, 0)
  const whole = [...ended.values()].filter((count) => count >= each).length
  const seconds = (Date.now() - began) / 1000
  console.log(
    `Exactly once: ${sum('cases')} cases (${whole} whole seeds of ${each}) over ${walked().length} ways of posting at ${new Set(walked().map(networkOf)).size} networks, ${sum('live')} posted once, ${sum('cases') - sum('live') - failures.length} not posted and told so, ${failures.length} failed; ${lanes.length} lanes, ${seconds.toFixed(0)} s, load ${loadavg()[0]!.toFixed(1)}, PROVE_SEED=${seedOfAll}
${[...counts].map(([place, { cases, live }]) => `${place}: ${cases} cases, ${live} posted once, ${cases - live} not`).join('\n')}`,
  )
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('\n'))
}, 7_200_000)

/** How often the network shows it at the end: once, or not at all and its row says so. Throws otherwise. */
const runCase = async (
  own: Lane,
  place: Place,
  about: string,
  { troubles, minutes, ...more }: Case,
): Promise<number> => {
  // With a token of its own: a renewal that is due by the clock and lost here would end the connection, as it does there.
  await own.reconnect(place)
  const post = await own.makePost(place, minutes)
  const outcome = await own.drive(place, post.id, troubles, more)
  const told = `${about} (${JSON.stringify(outcome)})`
  const shown = await own.check(place, post.words, outcome, told)
  // One trouble alone never costs a post, unless the network has ended the connection and renews none.
  const isEnded = outcome.failure === 'reauth' && troubles.some(({ kind }) => kind === 'token-ends')
  if (troubles.length === 1 && !isEnded) expect(shown, told).toBe(1)
  return shown
}

const renewing = /token|refreshSession/

it(
  'a post whose approval is taken back at any request is not sent by any request after it',
  { tags: 'long', timeout: 600_000 },
  async () => {
    for (const place of walked()) {
      const { projectId } = lane.videoAt(place)
      const setStatus = (status: number) => sql`update project set status = ${status} where id = ${projectId}`
      // Tokens are renewed now and then, and no part of a post.
      const asked = (await plainRun(place)).filter((request) => !renewing.test(request))
      const sending = sendingIn(asked)
      for (let taken = 0; taken <= sending; taken++) {
        const post = await lane.makePost(place)
        let nth = 0
        const before = async (request: string) => {
          if (renewing.test(request) || nth++ !== taken) return undefined
          await service.database.asSystem(async (tx) => {
            await tx.count(setStatus(6))
            await withdrawPosts(tx, lane.officer, projectId, lane.now())
          })
          // It gets lost: nothing of it can be there, and it must not be made good.
          return 'lost-before' as const
        }
        const outcome = await lane.drive(place, post.id, [], { before })
        await service.database.asSystem((tx) => tx.count(setStatus(2)))
        const about = `${place}, taken back at ${asked[taken]}`
        const { timeline } = await lane.standIns.timeline(networkOf(place))
        expect(
          timeline.filter((entry) => entry.words.includes(post.words)),
          about,
        ).toEqual([])
        expect(['withdrawn', 'unconfirmed'], `${about}: ${JSON.stringify(outcome)}`).toContain(outcome.state)
      }
    }
  },
)

it(
  'a post that is taken back while its account’s token is renewed is sent no second time',
  { tags: 'long', timeout: 600_000 },
  async () => {
    for (const place of walked()) {
      const { projectId } = lane.videoAt(place)
      const setStatus = (status: number) => sql`update project set status = ${status} where id = ${projectId}`
      const asked = (await plainRun(place)).filter((request) => !renewing.test(request))
      const sending = sendingIn(asked)
      // The request that shows it and, where that one was lost, the first one that asks about it; every earlier one in the long form.
      for (let taken = isLong ? 0 : sending; taken <= sending + 1; taken++) {
        let renewsNone = false
        // Some renew none: then it ends with that, unless its owner has just connected the account again.
        for (const by of ['the network', 'its owner']) {
          if (by === 'its owner' && !renewsNone && !isLong) continue
          const about = `${place}, taken back at ${asked[taken] ?? 'the request after it was lost'}, renewed by ${by}`
          const post = await lane.makePost(place)
          let nth = 0
          const before = async (request: string, hasToken: boolean) => {
            if (renewing.test(request)) return undefined
            if (nth++ !== taken) return taken > sending && nth - 1 === sending ? ('lost-before' as const) : undefined
            await service.database.asSystem(async (tx) => {
              await tx.count(setStatus(6))
              await withdrawPosts(tx, lane.officer, projectId, lane.now())
            })
            if (!hasToken) return 'lost-before' as const
            await lane.standIns.control({ endTokens: networkOf(place) })
            if (by === 'its owner') await lane.reconnect(place)
            return undefined
          }
          const outcome = await lane.drive(place, post.id, [], { before })
          await service.database.asSystem((tx) => tx.count(setStatus(2)))
          const { timeline } = await lane.standIns.timeline(networkOf(place))
          expect(
            timeline.filter((entry) => entry.words.includes(post.words)),
            about,
          ).toEqual([])
          renewsNone = outcome.failure === 'reauth'
          // Of one that is asked by sending its officer looks, if it may be there.
          const ends = taken > sending ? ['withdrawn', 'unconfirmed'] : ['withdrawn']
          if (renewsNone) expect(by, about).toBe('the network')
          else expect(ends, `${about}: ${JSON.stringify(outcome)}`).toContain(outcome.state)
        }
      }
    }
  },
)

it(
  'a post of a video that LinkedIn still works on is asked for until it is there, whatever was lost before',
  { tags: 'long' },
  async () => {
    const asked = await plainRun('linkedin')
    const sending = asked.findLastIndex((request) => !request.startsWith('GET'))
    for (const kind of ['lost-before', 'error-before', 'killed-before'] as const) {
      const post = await lane.makePost('linkedin')
      const outcome = await lane.drive('linkedin', post.id, [{ nth: sending, kind }], { slowSeconds: 1800 })
      expect(await lane.check('linkedin', post.words, outcome, kind), kind).toBe(1)
    }
  },
)

it('a part of a file that comes late, once a newer run has begun, costs no post and is not there twice', async () => {
  const inParts = ['youtube', 'instagram', 'facebook video', 'facebook', 'x', 'tiktok'] as const
  for (const place of isLong ? inParts : inParts.slice(0, 3)) {
    const asked = await plainRun(place)
    const bringing = asked.flatMap((request, nth) => (isBringing.test(request) ? [nth] : []))
    expect(bringing.length, place).toBeGreaterThan(0)
    for (const kind of isLong ? (['done-late', 'answer-late'] as const) : (['done-late'] as const)) {
      const nth = bringing[bringing.length >> 1]!
      const post = await lane.makePost(place)
      const outcome = await lane.drive(place, post.id, [{ nth, kind }])
      const about = `${place}, ${kind} at ${asked[nth]}: ${JSON.stringify(outcome)}`
      expect(await lane.check(place, post.words, outcome, about), about).toBe(1)
    }
  }
})
/** Requests that bring the file. */
const isBringing = /^PUT .*upload|^POST .*(-upload|append|\/videos$)/

it(
  'a clock that jumps by hours while a network is asked to publish makes no second post',
  { tags: 'long' },
  async () => {
    const hour = 3_600_000
    for (const place of walked()) {
      const asked = await plainRun(place)
      const nth = asked.findLastIndex((request) => !request.startsWith('GET'))
      const jumps = [
        // Still under way when another run looks, because its time seems over.
        ['done-late', 2 * hour],
        ['lost-before', -hour],
        ['answer-late', hour],
        ['lost-after', -hour],
        ['killed-after', -hour],
      ] as const
      for (const [kind, jumpsMs] of isLong ? jumps : jumps.slice(0, 2)) {
        await lane.reconnect(place)
        const post = await lane.makePost(place)
        const outcome = await lane.drive(place, post.id, [{ nth, kind }], { jumpsMs })
        const about = `${place}, ${kind} at ${asked[nth]} and ${jumpsMs / hour} hours: ${JSON.stringify(outcome)}`
        expect(await lane.check(place, post.words, outcome, about), about).toBeLessThanOrEqual(1)
      }
    }
  },
)

it('a long upload that goes on after each interruption is not given up, and one that does not go on is', async () => {
  const { of } = lane.networks
  const parts = 64 * 1024
  // Nine parts of the file.
  lane.networks.of = (network) => {
    const found = of(network)
    return found && { ...found, adapter: { ...found.adapter, partBytes: parts } }
  }
  await lane.standIns.control({ partBytes: parts })
  try {
    for (const [kind, state] of [
      ['lost-after', 'live'],
      ['lost-before', 'failed'],
    ] as const) {
      const post = await lane.makePost('tiktok')
      const before = async (request: string) => (/upload/.test(request) ? kind : undefined)
      const outcome = await lane.drive('tiktok', post.id, [], { before })
      expect(outcome, kind).toMatchObject({ state })
      await lane.check('tiktok', post.words, outcome, kind)
    }
  } finally {
    lane.networks.of = of
    await lane.standIns.control({ partBytes: lane.partBytes })
  }
})
