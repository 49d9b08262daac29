// @module-tag long
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { fitWords } from '@clear-to-post/domain/network-fits'
import type { Network } from '@clear-to-post/domain/networks'
import { probe, type Probe } from '@clear-to-post/media/probe'
import { fileUrl } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import type { Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { jobContext } from '../../test/mails.ts'
import { makeStaff } from '../../test/factories.ts'
import { onDisk } from '../../test/on-disk.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, outcome, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { makePostFile } from './post-files.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
})
beforeEach(async () => {
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
const timelineOf = async (network: Network, words: string) =>
  (await standIns.timeline(network)).timeline.filter((entry) => entry.words.includes(words))
const postsOf = async (projectId: string) => (await as(officer)(publishing.posts, { params: { projectId } })).items
const shaOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** An approved video of three seconds with fifteen pictures a second, which some networks do not take. */
const slowVideo = async () => {
  const video = await approvedVideo(service, officer, staff)
  const path = onDisk().path(video.assetId, 'original.mp4')
  await promisify(execFile)(
    'ffmpeg',
    `-v error -f lavfi -i testsrc2=size=180x320:rate=15 -f lavfi -i sine=frequency=330 -t 4 -pix_fmt yuv420p -c:v libx264 -preset ultrafast -c:a aac -y ${path}`.split(
      ' ',
    ),
  )
  const sha256 = await shaOf(path)
  const found = (await probe(path)) as Probe
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update asset set sha256 = ${sha256}, file_size = ${found.bytes}, probe = ${JSON.stringify(found)}, duration_ms = 4000
      where id = ${video.assetId}`),
  )
  return { ...video, sha256, path }
}

const schedule = async (
  projectId: string,
  accounts: readonly { network: Network; name?: string; coverMs?: number; privacy?: string }[],
) => {
  const words = `Rates ${randomUUID()}`
  const posts = []
  for (const { network, name, ...more } of accounts)
    posts.push({
      connectionId: (await connectAccount(service, officer, network, name)).id,
      words,
      title: 'Rates',
      ...more,
    })
  await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt: inHours(2).toISOString(), posts } })
  return { words, posts: await postsOf(projectId) }
}

const filesOf = (assetId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{
      id: string
      parent_sha256: string
      sha256: string | null
      name: string | null
      problem: string | null
    }>`
      select id, parent_sha256, sha256, name, problem from post_file where asset_id = ${assetId} order by asked_at`),
  )
const jobsFor = (fileId: string) =>
  service.database.asSystem((tx) =>
    tx.count(sql`select from pgboss.job where name = 'post-file' and data ->> 'fileId' = ${fileId}`),
  )
const makeFiles = async (assetId: string) => {
  for (const { id, sha256 } of await filesOf(assetId)) if (sha256 === null) await makePostFile(jobContext(service), id)
  return filesOf(assetId)
}

it('a file that fits is made of the approved one, and its very bytes are posted', async () => {
  const video = await slowVideo()
  const { words, posts } = await schedule(video.projectId, [{ network: 'instagram' }, { network: 'youtube' }])
  const of = (network: Network) => posts.find((post) => post.network === network)!
  expect([of('instagram').isFitted, of('youtube').isFitted]).toEqual([true, undefined])
  await workOnPost(service, of('instagram').id, inHours(1.5))
  const [asked] = await filesOf(video.assetId)
  expect([(await postsOf(video.projectId)).find(({ id }) => id === of('instagram').id)!.state, asked!.sha256]).toEqual([
    'preparing',
    null,
  ])
  // However often it is looked at, one job makes it.
  await workOnPost(service, of('instagram').id, inHours(1.51))
  expect(await jobsFor(asked!.id)).toBe(1)

  const [made] = await makeFiles(video.assetId)
  const path = onDisk().path(video.assetId, made!.name!)
  expect(made).toMatchObject({ parent_sha256: video.sha256, sha256: await shaOf(path) })
  const found = await probe(path)
  if (!found.ok || !found.video) throw new Error('what was made is no video')
  expect(
    fitWords('instagram', {
      durationMs: found.durationMs,
      bytes: (await stat(path)).size,
      width: found.video.width,
      height: found.video.height,
      format: { isMp4: found.mp4, pictures: found.video.codec, rate: found.video.fps },
    }),
  ).toEqual([])

  for (const post of posts) {
    await workOnPost(service, post.id, inHours(1.6))
    await workOnPost(service, post.id, inHours(2.01))
  }
  expect((await postsOf(video.projectId)).map(({ state }) => state)).toEqual(['live', 'live'])
  expect(await timelineOf('instagram', words)).toMatchObject([{ sha256: made!.sha256 }])
  expect(await timelineOf('youtube', words)).toMatchObject([{ sha256: video.sha256 }])
  // The record says for ever which bytes went out, and of which they were made.
  const events = await service.database.asSystem((tx) =>
    tx.rows(sql<{ event: string; detail: object }>`
      select event, detail from post_event where post_id = ${of('instagram').id} and event in ('prepared', 'arm') order by seq`),
  )
  const record = { detail: { sha256: made!.sha256, madeOf: video.sha256 } }
  expect(events).toMatchObject([
    { event: 'prepared', ...record },
    { event: 'arm', ...record },
  ])
})

it('a post whose file for its network is not made is told to be late, and given up hours later', async () => {
  const video = await slowVideo()
  const { posts } = await schedule(video.projectId, [{ network: 'instagram' }])
  const { id } = posts[0]!
  const told = async () =>
    (
      await service.database.asSystem((tx) =>
        tx.rows(sql<{ title: string; body: string }>`
        select distinct data -> 'notice' ->> 'title' as title, data -> 'notice' ->> 'body' as body
        from pgboss.job where name = 'notice' and data -> 'notice' -> 'metadata' ->> 'postId' = ${id}`),
      )
    ).toSorted((a, b) => a.title.localeCompare(b.title))
  for (const hours of [1.5, 2, 2.08]) await workOnPost(service, id, inHours(hours))
  expect(await told()).toEqual([])
  for (const hours of [2.1, 3, 5, 7.8]) await workOnPost(service, id, inHours(hours))
  expect(await told()).toMatchObject([{ title: 'Late on Instagram' }])
  expect((await told())[0]!.body).toContain('its file for this network is not made yet. We go on trying until 6 hours')
  await workOnPost(service, id, inHours(8.1))
  expect((await told()).map(({ title }) => title)).toEqual(['Late on Instagram', 'Not posted on Instagram'])
  expect((await postsOf(video.projectId))[0]).toMatchObject({ state: 'failed', failure: { kind: 'retry' } })
})

it('two posts that want the same file are made one, and it is served to networks that fetch it', async () => {
  const video = await slowVideo()
  const { words, posts } = await schedule(video.projectId, [
    { network: 'instagram' },
    { network: 'instagram' },
    { network: 'threads' },
  ])
  for (const post of posts) await workOnPost(service, post.id, inHours(1.5))
  const made = await makeFiles(video.assetId)
  expect(made).toHaveLength(2)
  const publicUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  // Files are served by the machine's clock, which signs the address that is asked for anew.
  const ask: Ask = (address, request) => {
    const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '')
    const [, name] = /\/media\/[^/]+\/([^?]+)/.exec(form.get('video_url') ?? '') ?? []
    if (name === undefined) return networks().ask(address, request)
    form.set('video_url', publicUrl + fileUrl(video.assetId, name, new Date()))
    return networks().ask(address, { ...request, body: form.toString() })
  }
  for (const post of posts) {
    await workOnPost(service, post.id, inHours(1.6), ask, { publicUrl })
    await workOnPost(service, post.id, inHours(2.01), ask, { publicUrl })
  }
  const shown = [...(await timelineOf('instagram', words)), ...(await timelineOf('threads', words))]
  expect(shown.map(({ sha256 }) => sha256).toSorted()).toEqual(
    [made[0]!.sha256, made[0]!.sha256, made[1]!.sha256].toSorted(),
  )
})

it('a made file is not posted when its bytes, or those of its parent, are others than recorded', async () => {
  for (const [when, whose] of [
    ['before it is brought', 'made'],
    ['at its moment', 'approved'],
    ['at its moment', 'made'],
  ] as const) {
    const video = await slowVideo()
    const { words, posts } = await schedule(video.projectId, [{ network: 'instagram' }])
    await workOnPost(service, posts[0]!.id, inHours(1.5))
    const [made] = await makeFiles(video.assetId)
    if (when === 'at its moment') await workOnPost(service, posts[0]!.id, inHours(1.6))
    await appendFile(whose === 'made' ? onDisk().path(video.assetId, made!.name!) : video.path, 'more')
    await workOnPost(service, posts[0]!.id, inHours(1.7))
    await workOnPost(service, posts[0]!.id, inHours(2.01))
    const about = `${whose} file, ${when}`
    expect((await postsOf(video.projectId))[0], about).toMatchObject({
      state: 'failed',
      failure: { kind: 'permanent', words: expect.stringContaining('not the one that was approved') },
    })
    expect(await timelineOf('instagram', words), about).toEqual([])
  }
})

it('nothing is made of bytes other than the approved ones, and its officer is told', async () => {
  const video = await slowVideo()
  const { words, posts } = await schedule(video.projectId, [{ network: 'instagram' }])
  await workOnPost(service, posts[0]!.id, inHours(1.5))
  await appendFile(video.path, 'more')
  const [made] = await makeFiles(video.assetId)
  expect(made).toMatchObject({ sha256: null, problem: expect.stringContaining('Ask for another cut') })
  await workOnPost(service, posts[0]!.id, inHours(2.01))
  expect((await postsOf(video.projectId))[0]).toMatchObject({ state: 'failed', failure: { kind: 'permanent' } })
  expect(await timelineOf('instagram', words)).toEqual([])
})

it('the database lets no post be armed with a file that was made of another one', async () => {
  const [one, other] = [await slowVideo(), await slowVideo()]
  const fileOf = async (video: typeof one) => {
    const { posts } = await schedule(video.projectId, [{ network: 'instagram' }])
    await workOnPost(service, posts[0]!.id, inHours(1.5))
    const [made] = await makeFiles(video.assetId)
    return { postId: posts[0]!.id, fileId: made!.id }
  }
  const [a, b] = [await fileOf(one), await fileOf(other)]
  const arm = (postId: string, fileId: string | null) =>
    outcome(
      service.database.asSystem((tx) =>
        tx.count(sql`update post set state = 'prepared', file_id = ${fileId} where id = ${postId}`),
      ),
    )
  expect(await arm(a.postId, b.fileId)).not.toBe('done')
  expect(await arm(a.postId, null)).not.toBe('done')
  expect(await arm(a.postId, a.fileId)).toBe('done')
})

it('a cover for YouTube is made of the approved file; a channel that may set none is posted to and it is said', async () => {
  const video = await slowVideo()
  const { words, posts } = await schedule(video.projectId, [
    { network: 'youtube', coverMs: 1500 },
    { network: 'youtube', coverMs: 1500, name: `unverified.${randomUUID().slice(0, 6)}` },
  ])
  for (const post of posts) await workOnPost(service, post.id, inHours(1.5))
  const made = await makeFiles(video.assetId)
  expect(made).toMatchObject([{ parent_sha256: video.sha256 }])
  for (const post of posts) {
    await workOnPost(service, post.id, inHours(1.6))
    await workOnPost(service, post.id, inHours(2.01))
  }
  const shown = await timelineOf('youtube', words)
  expect(shown).toHaveLength(2)
  for (const { account, coverSha256, sha256 } of shown)
    expect([sha256, coverSha256]).toEqual([video.sha256, /unverified/.test(account) ? undefined : made[0]!.sha256])
  const said = (await postsOf(video.projectId)).map(({ remarks }) => remarks ?? []).toSorted()
  expect(said).toEqual([[], [expect.stringContaining('YouTube did not take the cover.')]])
})
