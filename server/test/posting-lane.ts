import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { networks as limits, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import { hasEnded, mayBeOut, type PostState } from '@clear-to-post/domain/posting'
import { fileUrl, namePostedFile } from '../src/assets/actions.ts'
import { sql } from '../src/kernel/database.ts'
import { openAsk, type Ask } from '../src/outside/networks/adapter.ts'
import { openNetworks, type Networks } from '../src/outside/networks/networks.ts'
import { tokensOf } from '../src/outside/networks/oauth.ts'
import type { PostDeps } from '../src/publishing/adapter-work.ts'
import { leaseMs } from '../src/publishing/lease.ts'
import { runPost } from '../src/publishing/run.ts'
import { sealTokens } from '../src/publishing/tokens.ts'
import { submitProject } from './factories.ts'
import { withTroubles, type Trouble } from './network-troubles.ts'
import { onDisk } from './on-disk.ts'
import { makeOfficer, makeVideo, type OpenedService } from './service.ts'
import { startNetworks } from './stand-in-networks.ts'

type Video = { projectId: string; assetId: string; sha256: string }
/** Where a post goes: a network, and where it has two ways of posting a video, one for each. */
export type Place = Network | 'facebook video'
export const networkOf = (place: Place): Network => (place === 'facebook video' ? 'facebook' : place)
const partBytes = 256 * 1024
/** Three parts, the last one shorter. */
const fileBytes = 600_000
/** Networks that are posted a file that was made of the approved one: brought in parts, whole, at the moment, and fetched. */
const fitted: readonly Place[] = ['x', 'instagram', 'tiktok', 'threads']
const fit = { bytes: 1_000_000, side: null, rate: null, bits: null }

/**
 * An officer with accounts at every network, and the stand-ins that these are at: a program and a clock of their own. What happens
 * in one lane is not known in another, so that several post at once, through one service and its database.
 */
export const openLane = async (service: OpenedService, publicUrl: string, name = '') => {
  const standIns = await startNetworks()
  const opened = await openNetworks({ ...service.config, networksStandIn: standIns.origin })
  // Every network that takes parts is brought three of them.
  const networks: Networks = {
    ...opened,
    of: (network) => {
      const found = opened.of(network)
      return found && { ...found, adapter: { ...found.adapter, partBytes } }
    },
  }
  // More posts than a network takes of an account in a day.
  await standIns.control({ partBytes, isUnlimited: true })
  /** The clock of both sides. */
  let at = Date.parse('2026-11-24T12:00:00Z')
  const connections = new Map<Network, string>()
  /** Bytes that stand for a video of this length, approved in a project of its own. */
  const approvedVideo = async (durationMs: number): Promise<Video> => {
    const projectId = (await submitProject(service, officer)).id
    const assetId = await makeVideo(service, officer, { id: projectId })
    const bytes = randomBytes(fileBytes)
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

  /** An account that the officer connected, straight from the network's own hand. */
  const connect = async (network: Network, id: string = randomUUID()): Promise<string> => {
    const account = `sam${name}.${network}`
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
        next_at: Date | null
      }>`
        select state, failure, failure_words, address, tried, next_at from post where id = ${id}`),
    ))!

  /** The files of a video are out of reach, or are there again. */
  const keepAway = async (place: Place, isAway: boolean) => {
    const folder = dirname(onDisk().path(videoAt(place).assetId, 'original.mp4'))
    const [from, to] = isAway ? [folder, `${folder}.away`] : [`${folder}.away`, folder]
    if (existsSync(from)) await rename(from, to)
  }

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
      after = async () => {},
      storageAway,
    }: {
      slowSeconds?: number
      /** So far a clock jumps while the network is asked by a run that something happens to. */
      jumpsMs?: number
      before?: (request: string, hasToken: boolean) => Promise<Trouble['kind'] | undefined>
      /** Once each run has ended, at its moment. */
      after?: () => Promise<void>
      /** Whether our own files are out of reach at this moment. */
      storageAway?: (at: number) => boolean
    } = {},
  ) => {
    const network = networkOf(place)
    const open = openAsk()
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
      async (request, nth, hasToken) => {
        const kind = await before(request, hasToken)
        return kind ? { kind } : troubles.find((trouble) => trouble.nth === nth)
      },
      // Of a run whose clock jumped ahead the next one does not wait until its requests are answered or dead.
      async () => jumpsMs <= 0 && mayBeOut((await postRow(postId)).state),
    )
    const deps: PostDeps = {
      database: service.database,
      networks: { ...networks, ask },
      publicUrl,
      now: () => new Date(at),
    }
    /** One run of a worker; where our files are away its fault is told in the log, and the row says when it goes on. */
    const work = async () => {
      if (!storageAway) return runPost(deps, postId)
      const isAway = storageAway(at)
      await keepAway(place, isAway)
      return runPost(deps, postId).catch(async (error: unknown) => {
        if (!isAway) throw error
        return (await postRow(postId)).next_at
      })
    }
    let slow = 0
    for (let round = 0; round < 200; round++) {
      await standIns.control({ now: at, slowUntil: slow })
      const { state } = await postRow(postId)
      if (hasEnded(state)) return { asked, ...(await postRow(postId)) }
      if (slowSeconds > 0 && state === 'prepared') slow = at + slowSeconds * 1000
      const known = asked.length
      const next = await run(work)
      await after()
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

  const officer = await makeOfficer(service)
  const short = await approvedVideo(30_000)
  /** Longer than a reel may be. */
  const long = await approvedVideo(200_000)
  const videoAt = (place: Place): Video => (place === 'facebook video' ? long : short)
  const fittedSha256 = await keepMade({ fit }, fileBytes, '1/fit.mp4')
  const coverSha256 = await keepMade({ coverMs: 1200 }, 30_000, '1/cover.jpg')
  for (const network of networks.offered) connections.set(network, await connect(network))

  return {
    standIns,
    networks,
    officer,
    partBytes,
    now: () => new Date(at),
    videoAt,
    reconnect,
    makePost,
    drive,
    keepAway,
    check,
    close: () => standIns.close(),
    /** What a case that failed left open would refuse the next post of its video to the same account. */
    dropPosts: () => service.database.asSystem((tx) => tx.count(sql`delete from post where user_id = ${officer.id}`)),
    /** The network knows nothing of earlier posts any more. */
    forget: (place: Place) => standIns.control({ forget: networkOf(place) }),
  }
}
export type Lane = Awaited<ReturnType<typeof openLane>>
