import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { networkNames, networks as limits, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import { hasEnded, mayBeOut, type PostState } from '@clear-to-post/domain/posting'
import { withdrawPosts } from './actions.ts'
import type { PostDeps } from './adapter-work.ts'
import { leaseMs } from './lease.ts'
import { runPost } from './run.ts'
import { sealTokens } from './tokens.ts'
import { fileUrl, namePostedFile } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import { openAsk, type Ask } from '../outside/networks/adapter.ts'
import { openNetworks, type Networks } from '../outside/networks/networks.ts'
import { tokensOf } from '../outside/networks/oauth.ts'
import { onDisk } from '../../test/on-disk.ts'
import { submitProject } from '../../test/factories.ts'
import { isLong, seeded, seedOfRun, type Random } from '../../test/random.ts'
import { makeOfficer, makeVideo, openService, type OpenedService, type Person } from '../../test/service.ts'
import { kinds, withTroubles, type Trouble } from '../../test/network-troubles.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
let networks: Networks
let officer: Person
let publicUrl: string
let short: Video
/** Longer than a reel may be. */
let long: Video
let fittedSha256: string
let coverSha256: string
const connections = new Map<Network, string>()
type Video = { projectId: string; assetId: string; sha256: string }
/** Where a post goes: a network, and where it has two ways of posting a video, one for each. */
type Place = Network | 'facebook video'
const places: readonly Place[] = [...networkNames, 'facebook video']
const networkOf = (place: Place): Network => (place === 'facebook video' ? 'facebook' : place)
const videoAt = (place: Place): Video => (place === 'facebook video' ? long : short)
const partBytes = 256 * 1024
/** The clock of both sides. */
let at = Date.parse('2026-11-24T12:00:00Z')

beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  // Some networks fetch the file from us.
  publicUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const opened = await openNetworks(service.config)
  // Every network that takes parts is brought three of them.
  networks = {
    ...opened,
    of: (network) => {
      const found = opened.of(network)
      return found && { ...found, adapter: { ...found.adapter, partBytes } }
    },
  }
  // More posts than a network takes of an account in a day.
  await standIns.control({ partBytes, isUnlimited: true })
  officer = await makeOfficer(service)
  short = await approvedVideo(30_000)
  long = await approvedVideo(200_000)
  fittedSha256 = await keepMade({ fit }, 600_000, '1/fit.mp4')
  coverSha256 = await keepMade({ coverMs: 1200 }, 30_000, '1/cover.jpg')
  for (const network of networks.offered) connections.set(network, await connect(network))
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

/** Bytes that stand for a video of this length, approved in a project of its own. */
const approvedVideo = async (durationMs: number): Promise<Video> => {
  const projectId = (await submitProject(service, officer)).id
  const assetId = await makeVideo(service, officer, { id: projectId })
  const bytes = randomBytes(600_000)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = onDisk().path(assetId, 'original.mp4')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      update asset set sha256 = ${sha256}, file_size = ${bytes.length}, derived = '{"original":"original.mp4"}', duration_ms = ${durationMs}
      where id = ${assetId}`)
    await tx.count(sql`
      update project set status = 2, queue_position = null, final_video_id = ${assetId}, approved_video_id = ${assetId} where id = ${projectId}`)
  })
  return { projectId, assetId, sha256 }
}

/** Bytes that stand for what is made of the approved file (post-files.test.ts makes some), with their record. */
const keepMade = async (recipe: object, size: number, name: string): Promise<string> => {
  const { assetId, sha256 } = short
  const bytes = randomBytes(size)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = onDisk().path(assetId, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  await service.database.asSystem(async (tx) => {
    const [row] = await tx.rows(sql<{ id: string }>`
      insert into post_file (asset_id, parent_sha256, recipe, sha256, bytes, name, made_at)
      values (${assetId}, ${sha256}, ${JSON.stringify(recipe)}::jsonb, ${hash}, ${size}, ${name}, now()) returning id`)
    await namePostedFile(tx, assetId, { id: row!.id, name })
  })
  return hash
}
const fit = { bytes: 1_000_000, side: null, rate: null, bits: null }
/** Networks that are posted a file that was made of the approved one: brought in parts, whole, at the moment, and fetched. */
const fitted: readonly Place[] = ['x', 'instagram', 'tiktok', 'threads']

/** An account that the officer connected, straight from the network's own hand. */
const connect = async (network: Network, id: string = randomUUID()): Promise<string> => {
  const account = `sam.${network}`
  const tokens = tokensOf(await standIns.control({ now: at, grant: { network, account } }), new Date(at))
  const sealed = sealTokens(networks, id, tokens, new Date(at))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into connection (id, user_id, network, account_id, name, tokens, access_ends_at, ends_at)
      values (${id}, ${officer.id}, ${network}, ${account}, ${account}, ${sealed.tokens}, ${sealed.accessEndsAt}, ${sealed.endsAt})
      on conflict (id) do update set tokens = excluded.tokens, access_ends_at = excluded.access_ends_at, state = 'active',
        refreshing_until = null`),
  )
  return id
}

/** Where a network has ended the connection, its owner connects it again, as they are asked to. */
const connectAgain = async (place: Place) => {
  const network = networkOf(place)
  const id = connections.get(network)!
  const ended = await service.database.asSystem((tx) =>
    tx.first(sql`select from connection where id = ${id} and state = 'needs-sign-in'`),
  )
  if (ended) await connect(network, id)
}

/** The account there has another token. */
const reconnect = (place: Place) => connect(networkOf(place), connections.get(networkOf(place))!)

/** What stands on the timeline of the cover that is chosen where the network takes one. */
const coverOf = (place: Place) => {
  const { takesCover }: NetworkLimits = limits[networkOf(place)]
  return takesCover === 'moment' ? { coverMs: 1200 } : takesCover === 'file' ? { coverSha256 } : {}
}

const makePost = async (place: Place, minutes = 10): Promise<{ id: string; words: string }> => {
  const id = randomUUID()
  const network = networkOf(place)
  const { projectId, assetId, sha256 } = videoAt(place)
  const words = `Rates fell this week ${id.slice(0, 8)}`
  const privacy = network === 'tiktok' ? 'PUBLIC_TO_EVERYONE' : null
  const cover = (limits[network] satisfies NetworkLimits as NetworkLimits).takesCover ? 1200 : null
  const made = fitted.includes(place) ? JSON.stringify(fit) : null
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into post (id, project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, privacy, cover_ms, fit, due_at, next_at)
      values (${id}, ${projectId}, ${officer.tenantId}, ${officer.id}, ${connections.get(network)!}, ${network}, ${assetId}, ${sha256},
        'Rates', ${words}, ${privacy}, ${cover}, ${made}, ${new Date(at + minutes * 60_000)}, ${new Date(at)})`),
  )
  return { id, words }
}

const postRow = async (id: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{
      state: PostState
      failure: string | null
      failure_words: string | null
      address: string | null
      tried: number
    }>`
      select state, failure, failure_words, address, tried from post where id = ${id}`),
  ))!

/**
 * Runs a post to its end with these troubles, each at the nth of its requests, by a clock that both sides share. A process that is
 * killed is a run that never goes on: whoever comes next has the row and the network, and nothing of it.
 */
const drive = async (
  place: Place,
  postId: string,
  troubles: readonly Trouble[],
  {
    slowSeconds = 0,
    jumpsMs = 0,
    before = async () => undefined,
  }: {
    slowSeconds?: number
    /** So far a clock jumps while the network is asked by a run that something happens to. */
    jumpsMs?: number
    before?: (request: string, hasToken: boolean) => Promise<Trouble['kind'] | undefined>
  } = {},
) => {
  const network = networkOf(place)
  const open = openAsk({ seconds: 1.5 })
  // The product serves files by the machine's clock, which signs this one anew.
  const plain: Ask = (address, request) => {
    const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '')
    if (!form.has('video_url')) return open(address, request)
    const [, name = ''] = /\/media\/[^/]+\/([^?]+)/.exec(form.get('video_url') ?? '') ?? []
    form.set('video_url', publicUrl + fileUrl(videoAt(place).assetId, name, new Date()))
    return open(address, { ...request, body: form.toString() })
  }
  const { ask, asked, run } = withTroubles(
    standIns,
    network,
    plain,
    async (request, nth, hasToken) =>
      (await before(request, hasToken)) ?? troubles.find((trouble) => trouble.nth === nth)?.kind,
    // Of a run whose clock jumped ahead the next one does not wait until its requests are answered or dead.
    async () => jumpsMs <= 0 && mayBeOut((await postRow(postId)).state),
  )
  const deps: PostDeps = {
    database: service.database,
    networks: { ...networks, ask },
    publicUrl,
    now: () => new Date(at),
  }
  let slow = 0
  for (let round = 0; round < 200; round++) {
    await standIns.control({ now: at, slowUntil: slow })
    const { state } = await postRow(postId)
    if (hasEnded(state)) return { asked, ...(await postRow(postId)) }
    if (slowSeconds > 0 && state === 'prepared') slow = at + slowSeconds * 1000
    const known = asked.length
    const next = await run(() => runPost(deps, postId))
    if (troubles.some(({ nth }) => nth >= known && nth < asked.length)) at += jumpsMs
    await connectAgain(network)
    if (next === null) return { asked, ...(await postRow(postId)) }
    at = next === 'killed' || next === undefined ? at + leaseMs + 1000 : Math.max(at + 1000, next.getTime())
  }
  throw new Error(`the post came to no end: ${JSON.stringify(await postRow(postId))}`)
}

/** What the network shows of a post, and whether that is what its row says. */
const check = async (place: Place, words: string, outcome: { state: string }, about: string) => {
  const { timeline } = await standIns.timeline(networkOf(place))
  const shown = timeline.filter((entry) => entry.words.includes(words))
  expect(['live', 'failed'], about).toContain(outcome.state)
  expect(shown.length, `${about}: on the timeline`).toBe(outcome.state === 'live' ? 1 : 0)
  const bytes = fitted.includes(place) ? fittedSha256 : videoAt(place).sha256
  for (const entry of shown) expect(entry, about).toMatchObject({ sha256: bytes, ...coverOf(place) })
  return shown.length
}

const random = seeded(seedOfRun())
const seeds = isLong ? Number(process.env['SEEDS'] ?? 100) : 1
/** `MINUTES=15` ends the long form after so many, between two cases, and says how many seeds of each network it came through. */
const minutes = Number(process.env['MINUTES'] ?? Infinity)

/** `NETWORKS='bluesky,facebook video'` asks these alone. */
const chosen = places.filter((place) => process.env['NETWORKS']?.split(',').includes(place) ?? true)
const walked = () => chosen.filter((place) => networks.offered.includes(networkOf(place)))

/** All of one network's requests in a run without trouble. */
const plainRun = async (place: Place) => {
  // A token that an earlier case ended may be known by the network alone.
  await reconnect(place)
  const post = await makePost(place)
  const outcome = await drive(place, post.id, [])
  expect(outcome, place).toMatchObject({ state: 'live', failure: null })
  await check(place, post.words, outcome, place)
  return outcome.asked
}

/**
 * Each trouble at each request; then with others beside it. The short form: at the request that may not be repeated the answer
 * of each network is lost once, and each kind of trouble is had by some of them; at any other request, too.
 */
const casesOf = (asked: readonly string[], seed: number, dice: Random, turn: number) => {
  const last = asked.findLastIndex((request) => !request.startsWith('GET'))
  const all = asked.flatMap((_request, nth) => kinds.map((kind): Trouble => ({ nth, kind })))
  const itsTurn = (kind: number) => kind % walked().length === turn
  const other = () => dice.one(asked.map((_request, nth) => nth).filter((nth) => nth !== last))
  const short = kinds.flatMap((kind, at): Trouble[] => [
    ...(kind === 'lost-after' || itsTurn(at) ? [{ nth: last, kind }] : []),
    ...(itsTurn(at + 3) && asked.length > 1 ? [{ nth: other(), kind }] : []),
  ])
  const chosen = isLong ? all : short
  return chosen.map((trouble) =>
    seed === 0
      ? { troubles: [trouble], slow: 0 }
      : {
          troubles: [trouble, { nth: dice.whole(0, asked.length + 3), kind: dice.one(kinds) }],
          slow: dice.next() < 0.2 ? 1800 : 0,
        },
  )
}

it('at every network the address of a post opens in a browser where its words stand', async () => {
  for (const place of walked()) {
    await reconnect(place)
    const { id, words } = await makePost(place)
    const { address } = await drive(place, id, [])
    // Who looks at a post is signed in nowhere.
    const page = await fetch(address!, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')], `${place}: ${address}`).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    const entry = (await standIns.timeline(networkOf(place))).timeline.find((one) => one.words.includes(words))!
    const [, shown = ''] = (await page.text()).split(`<li id="${entry.id}">`)
    expect(shown.split('</li>')[0], place).toContain(words)
    const led = await fetch(address!, { redirect: 'manual' })
    const anchor = new URL(led.headers.get('location') ?? address!, address!).hash
    expect(decodeURIComponent(anchor), place).toBe(`#${entry.id}`)
  }
})

it('every network that a video can be posted to is proved here', () => {
  expect(networks.offered).toEqual([...networkNames])
})

it('after any failure at any request the network shows a post exactly once, or not at all and it says so', async () => {
  let cases = 0
  let live = 0
  let whole = 0
  const until = Date.now() + minutes * 60_000
  const requests = new Map<Place, string[]>()
  for (const place of walked()) requests.set(place, await plainRun(place))
  // Every network at each seed, so that a run that is ended early has asked all of them alike.
  seeds: for (let seed = 0; seed < seeds; seed++) {
    for (const [turn, [place, asked]] of [...requests].entries())
      for (const { troubles, slow } of casesOf(asked, seed, random, turn)) {
        if (Date.now() > until) break seeds
        // With a token of its own: a renewal that is due by the clock and lost here would end the connection, as it does there.
        await reconnect(place)
        const post = await makePost(place)
        const about = `${place} ${troubles.map(({ nth, kind }) => `${kind} at ${asked[nth] ?? nth}`).join(', ')}`
        const outcome = await drive(place, post.id, troubles, { slowSeconds: slow })
        const shown = await check(place, post.words, outcome, `${about} (${JSON.stringify(outcome)})`)
        // One trouble alone never costs a post, unless the network has ended the connection and renews none.
        const isEnded = outcome.failure === 'reauth' && troubles.some(({ kind }) => kind === 'token-ends')
        if (troubles.length === 1 && !isEnded) expect(shown, `${about} (${JSON.stringify(outcome)})`).toBe(1)
        cases++
        live += shown
      }
    whole++
  }
  console.log(
    `Exactly once: ${cases} cases of ${whole} whole seeds over ${walked().length} ways of posting at ${new Set(walked().map(networkOf)).size} networks, ${live} posted once, ${cases - live} not posted and told so, 0 twice`,
  )
}, 7_200_000)

const renewing = /token|refreshSession/

it('a post whose approval is taken back at any request is not sent by any request after it', async () => {
  for (const place of walked()) {
    const { projectId } = videoAt(place)
    const setStatus = (status: number) => sql`update project set status = ${status} where id = ${projectId}`
    // Tokens are renewed now and then, and no part of a post.
    const asked = (await plainRun(place)).filter((request) => !renewing.test(request))
    // Asking how a post stands is a POST at one of them.
    const sending = asked.findLastIndex((request) => !/^GET|status\/fetch/.test(request))
    for (let taken = 0; taken <= sending; taken++) {
      const post = await makePost(place)
      let nth = 0
      const before = async (request: string) => {
        if (renewing.test(request) || nth++ !== taken) return undefined
        await service.database.asSystem(async (tx) => {
          await tx.count(setStatus(6))
          await withdrawPosts(tx, officer, projectId, new Date(at))
        })
        // It gets lost: nothing of it can be there, and it must not be made good.
        return 'lost-before' as const
      }
      const outcome = await drive(place, post.id, [], { before })
      await service.database.asSystem((tx) => tx.count(setStatus(2)))
      const about = `${place}, taken back at ${asked[taken]}`
      const { timeline } = await standIns.timeline(networkOf(place))
      expect(
        timeline.filter((entry) => entry.words.includes(post.words)),
        about,
      ).toEqual([])
      expect(['withdrawn', 'unconfirmed'], `${about}: ${JSON.stringify(outcome)}`).toContain(outcome.state)
    }
  }
}, 600_000)

it('a post that is taken back while its account’s token is renewed is sent no second time', async () => {
  for (const place of walked()) {
    const { projectId } = videoAt(place)
    const setStatus = (status: number) => sql`update project set status = ${status} where id = ${projectId}`
    const asked = (await plainRun(place)).filter((request) => !renewing.test(request))
    const sending = asked.findLastIndex((request) => !/^GET|status\/fetch/.test(request))
    // The request that shows it and, where that one was lost, the first one that asks about it; every earlier one in the long form.
    for (let taken = isLong ? 0 : sending; taken <= sending + 1; taken++) {
      let renewsNone = false
      // Some renew none: then it ends with that, unless its owner has just connected the account again.
      for (const by of ['the network', 'its owner']) {
        if (by === 'its owner' && !renewsNone && !isLong) continue
        const about = `${place}, taken back at ${asked[taken] ?? 'the request after it was lost'}, renewed by ${by}`
        const post = await makePost(place)
        let nth = 0
        const before = async (request: string, hasToken: boolean) => {
          if (renewing.test(request)) return undefined
          if (nth++ !== taken) return taken > sending && nth - 1 === sending ? ('lost-before' as const) : undefined
          await service.database.asSystem(async (tx) => {
            await tx.count(setStatus(6))
            await withdrawPosts(tx, officer, projectId, new Date(at))
          })
          if (!hasToken) return 'lost-before' as const
          await standIns.control({ endTokens: networkOf(place) })
          if (by === 'its owner') await reconnect(place)
          return undefined
        }
        const outcome = await drive(place, post.id, [], { before })
        await service.database.asSystem((tx) => tx.count(setStatus(2)))
        const { timeline } = await standIns.timeline(networkOf(place))
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
}, 600_000)

it(
  'a post of a video that LinkedIn still works on is asked for until it is there, whatever was lost before',
  { tags: 'long' },
  async () => {
    const asked = await plainRun('linkedin')
    const sending = asked.findLastIndex((request) => !request.startsWith('GET'))
    for (const kind of ['lost-before', 'error-before', 'killed-before'] as const) {
      const post = await makePost('linkedin')
      const outcome = await drive('linkedin', post.id, [{ nth: sending, kind }], { slowSeconds: 1800 })
      expect(await check('linkedin', post.words, outcome, kind), kind).toBe(1)
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
      const post = await makePost(place)
      const outcome = await drive(place, post.id, [{ nth, kind }])
      const about = `${place}, ${kind} at ${asked[nth]}: ${JSON.stringify(outcome)}`
      expect(await check(place, post.words, outcome, about), about).toBe(1)
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
        await reconnect(place)
        const post = await makePost(place)
        const outcome = await drive(place, post.id, [{ nth, kind }], { jumpsMs })
        const about = `${place}, ${kind} at ${asked[nth]} and ${jumpsMs / hour} hours: ${JSON.stringify(outcome)}`
        expect(await check(place, post.words, outcome, about), about).toBeLessThanOrEqual(1)
      }
    }
  },
)

it('a long upload that goes on after each interruption is not given up, and one that does not go on is', async () => {
  const { of } = networks
  const parts = 64 * 1024
  // Nine parts of the file.
  networks.of = (network) => {
    const found = of(network)
    return found && { ...found, adapter: { ...found.adapter, partBytes: parts } }
  }
  await standIns.control({ partBytes: parts })
  try {
    for (const [kind, state] of [
      ['lost-after', 'live'],
      ['lost-before', 'failed'],
    ] as const) {
      const post = await makePost('tiktok')
      const before = async (request: string) => (/upload/.test(request) ? kind : undefined)
      const outcome = await drive('tiktok', post.id, [], { before })
      expect(outcome, kind).toMatchObject({ state })
      await check('tiktok', post.words, outcome, kind)
    }
  } finally {
    networks.of = of
    await standIns.control({ partBytes })
  }
})
