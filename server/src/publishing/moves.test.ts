import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing, type Post, type PostEdit } from '@clear-to-post/contract/publishing'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Network } from '@clear-to-post/domain/networks'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../kernel/database.ts'
import type { JobContext } from '../kernel/work.ts'
import { runDue } from '../projects/due.ts'
import { networks } from '../outside/networks/networks.ts'
import { projectEventJob } from '../notifications/jobs.ts'
import { readMigrations } from '../postgres/migrate.ts'
import { makeStaff } from '../../test/factories.ts'
import { jobContext, runNotices } from '../../test/mails.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { isLong } from '../../test/random.ts'
import {
  callAs,
  makeOfficer,
  makeTenant,
  openService,
  outcome,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { endWithLastPost } from './actions.ts'
import { postJob } from './jobs.ts'
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
})
beforeEach(async () => {
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
const postsOf = async (projectId: string) => (await as(officer)(publishing.posts, { params: { projectId } })).items
const find = (projectId: string) => as(officer)(projects.find, { params: { projectId } })
const timelineOf = async (words: string, network: Network = 'youtube') =>
  (await standIns.timeline(network)).timeline.filter((entry) => entry.words.includes(words))

/** A video that is scheduled in two hours, with a post to an account of each of these networks. */
const scheduled = async (...names: Network[]) => {
  const { projectId, cut } = await approvedVideo(service, officer, staff)
  const words = `Moved ${randomUUID()}`
  const posts = []
  for (const network of names) {
    const { id: connectionId } = await connectAccount(service, officer, network)
    posts.push({ connectionId, words, title: 'Rates' })
  }
  const publishAt = inHours(2).toISOString()
  await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt, posts } })
  const made = await postsOf(projectId)
  const of = (network: Network) => made.find((post) => post.network === network)!
  return { projectId, publishAt, words, cut, of }
}

const move = (post: Post, dueAt: Date) =>
  as(officer)(publishing.move, { params: { postId: post.id }, body: { dueAt: dueAt.toISOString() } })
const reschedule = (projectId: string, publishAt: Date) =>
  as(officer)(projects.reschedule, { params: { projectId }, body: { publishAt: publishAt.toISOString() } })

it('a post that is moved goes out at its own time, and its video is done when the last of its posts is', async () => {
  const { projectId, publishAt, words, of } = await scheduled('youtube', 'linkedin')
  const later = inHours(30)
  const moved = await move(of('linkedin'), later)
  expect(moved).toMatchObject({ state: 'scheduled', dueAt: later.toISOString(), videoAt: publishAt })
  expect((await find(projectId)).publishAt).toBe(publishAt)
  await workOnPost(service, of('youtube').id, inHours(2.01))
  await workOnPost(service, moved.id, inHours(2.01))
  expect(await timelineOf(words)).toHaveLength(1)
  expect(await timelineOf(words, 'linkedin')).toEqual([])

  // At its own moment the video waits for the one that is due later, and is not asked for every few seconds until then.
  await runDue(service.database, inHours(2.02))
  expect((await find(projectId)).status).toBe(Status.scheduled)
  const { due_at: asked } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ due_at: Date }>`select due_at from project where id = ${projectId}`),
  ))!
  expect(asked.getTime()).toBeGreaterThan(inHours(2.08).getTime())
  await workOnPost(service, moved.id, inHours(30.01))
  await runDue(service.database, inHours(30.1))
  const ended = await find(projectId)
  expect(ended.status).toBe(Status.completed)
  expect(ended.timeline.at(-1)!.metadata.outcomes).toMatchObject([
    { destination: 'download' },
    { destination: 'youtube', outcome: 'posted' },
    { destination: 'linkedin', outcome: 'posted' },
  ])
})

it('a video of which nothing is left to go out before its own moment is done, and says where it was posted', async () => {
  const { projectId, words, of } = await scheduled('youtube', 'linkedin')
  /** What was enqueued for posts of this video that have ended, done as a worker does it. */
  const work = async () => {
    const jobs = await service.database.asSystem((tx) =>
      tx.rows(sql<{ data: { postId: string } }>`
        delete from pgboss.job where name = 'post' and data ->> 'postId' = any(${[of('youtube').id, of('linkedin').id]})
        returning data`),
    )
    const context = { database: service.database, log: service.app.log } as unknown as JobContext
    for (const { data } of jobs) await postJob.run(data, context)
    await runDue(service.database, new Date(Date.now() + 1000))
    return jobs.length
  }
  await move(of('linkedin'), inHours(0.5))
  await workOnPost(service, of('linkedin').id, inHours(0.51))
  expect(await timelineOf(words, 'linkedin')).toHaveLength(1)
  expect(await work()).toBe(1)
  // YouTube is still to come.
  expect(await find(projectId)).toMatchObject({ status: Status.scheduled })
  await move(of('youtube'), inHours(0.6))
  await workOnPost(service, of('youtube').id, inHours(0.61))
  expect(await work()).toBe(1)
  const done = await find(projectId)
  expect(done).toMatchObject({
    status: Status.completed,
    posts: [
      { network: 'linkedin', state: 'live' },
      { network: 'youtube', state: 'live' },
    ],
  })
  expect(done.timeline.at(-1)).toMatchObject({
    title: 'Posts have ended',
    metadata: {
      outcomes: [{ destination: 'download' }, { outcome: 'posted' }, { outcome: 'posted' }],
    },
  })
  expect(done.publishAt).toBeUndefined()
})

it('a video says where it stands after a later schedule of it was taken back', async () => {
  const { projectId, of } = await scheduled('youtube')
  await workOnPost(service, of('youtube').id, inHours(2.01))
  await runDue(service.database, inHours(2.02))
  const { id: connectionId } = await connectAccount(service, officer, 'linkedin')
  const posts = [{ connectionId, words: 'Once more' }]
  const at = { params: { projectId } }
  await as(officer)(projects.schedule, { ...at, body: { publishAt: inHours(5).toISOString(), posts } })
  await as(officer)(projects.unschedule, at)
  expect(await find(projectId)).toMatchObject({
    status: Status.completed,
    posts: [{ network: 'youtube', state: 'live' }],
  })
})

it('a video is done early with what was taken back, and waits for its moment where nothing of it is out', async () => {
  const nothing = await scheduled('youtube')
  await as(officer)(publishing.withdraw, { params: { postId: nothing.of('youtube').id } })
  expect(await endWithLastPost(service.database, nothing.of('youtube').id, new Date())).toBe(false)
  expect((await find(nothing.projectId)).status).toBe(Status.scheduled)

  const { projectId, words, of } = await scheduled('youtube', 'linkedin')
  await move(of('linkedin'), inHours(0.5))
  await workOnPost(service, of('linkedin').id, inHours(0.51))
  await as(officer)(publishing.withdraw, { params: { postId: of('youtube').id } })
  expect(await endWithLastPost(service.database, of('youtube').id, new Date())).toBe(true)
  await runDue(service.database, new Date(Date.now() + 1000))
  expect((await find(projectId)).status).toBe(Status.completed)
  // Its officer thinks better of it: it goes out as planned.
  const again = await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
  expect(again).toMatchObject({ state: 'scheduled', dueAt: of('youtube').dueAt })
  await workOnPost(service, again.id, inHours(2.01))
  expect(await timelineOf(words)).toHaveLength(1)
})

it('a video that is moved takes the posts that are due with it along, and one with a time of its own stays there', async () => {
  const { projectId, words, of } = await scheduled('youtube', 'linkedin', 'x')
  await move(of('x'), inHours(5))
  const to = inHours(26)
  const moved = await reschedule(projectId, to)
  expect(moved).toMatchObject({ status: Status.scheduled, publishAt: to.toISOString() })
  expect(moved.timeline.at(-1)).toMatchObject({
    title: 'Moved to another time',
    metadata: { publishAt: to.toISOString() },
  })
  const posts = await postsOf(projectId)
  const dueOf = (network: Network) => posts.find((post) => post.network === network)!.dueAt
  expect([dueOf('youtube'), dueOf('linkedin')]).toEqual([to.toISOString(), to.toISOString()])
  expect(dueOf('x').slice(0, 16)).toBe(inHours(5).toISOString().slice(0, 16))
  await workOnPost(service, of('youtube').id, inHours(2.01))
  expect(await timelineOf(words)).toEqual([])
  await workOnPost(service, of('youtube').id, inHours(26.01))
  expect(await timelineOf(words)).toHaveLength(1)
})

it('a move to the past, within minutes, of a post that is being sent, or of an approval taken back is refused', async () => {
  const { projectId, of, publishAt } = await scheduled('youtube', 'linkedin')
  const setDue = (minutes: number, ids: string[]) =>
    service.database.asSystem(async (tx) => {
      const at = new Date(Date.now() + minutes * 60_000)
      await tx.count(sql`update post set due_at = ${at}, next_at = ${at} where id = any(${ids}::uuid[])`)
    })
  expect(await outcome(move(of('youtube'), inHours(-1)))).toBe('post.time-past')
  expect(await outcome(move(of('youtube'), inHours(0.03)))).toBe('post.time-past')
  expect(await outcome(reschedule(projectId, inHours(-1)))).toBe('project.time-past')
  await setDue(1.5, [of('youtube').id])
  expect(await outcome(move(of('youtube'), inHours(5)))).toBe('post.time-near')
  await setDue(120, [of('youtube').id])
  await service.database.asSystem((tx) =>
    tx.count(sql`update project set publish_at = ${inHours(0.02)} where id = ${projectId}`),
  )
  expect(await outcome(reschedule(projectId, inHours(5)))).toBe('project.time-near')
  await service.database.asSystem((tx) =>
    tx.count(sql`update project set publish_at = ${publishAt} where id = ${projectId}`),
  )

  // A worker whose clock is ahead has armed it: it is not moved, alone or with its video, and nothing else of the video is.
  for (const state of ['armed', 'sent', 'processing', 'live', 'unconfirmed', 'failed', 'withdrawn']) {
    await service.database.asSystem((tx) =>
      tx.count(sql`update post set state = ${state}, due_at = ${publishAt} where id = ${of('youtube').id}`),
    )
    expect(await outcome(move(of('youtube'), inHours(5))), state).toBe('post.wrong-state')
    if (['failed', 'withdrawn'].includes(state)) continue
    expect(await outcome(reschedule(projectId, inHours(5))), state).toBe('post.wrong-state')
    expect((await find(projectId)).publishAt).toBe(publishAt)
    expect((await postsOf(projectId)).map(({ dueAt }) => dueAt)).toEqual([publishAt, publishAt])
  }
  await as(officer)(projects.review, { params: { projectId }, body: { revision: 'Shorter' } })
  expect(await outcome(move(of('linkedin'), inHours(5)))).toBe('post.wrong-state')
  expect(await outcome(reschedule(projectId, inHours(5)))).toBe('project.wrong-status')
})

it('nobody but its officer moves a post or its video, a colleague and the service’s own people included', async () => {
  const { projectId, of } = await scheduled('youtube')
  const stranger = await makeOfficer(service)
  for (const person of [stranger, staff.admin, staff.qa, staff.editor]) {
    const at = { params: { postId: of('youtube').id }, body: { dueAt: inHours(5).toISOString() } }
    const refused = person === stranger ? 'not-found' : 'forbidden'
    expect(await outcome(as(person)(publishing.move, at))).toContain(refused)
    const video = { params: { projectId }, body: { publishAt: inHours(5).toISOString() } }
    expect(await outcome(as(person)(projects.reschedule, video))).toContain(refused)
  }
})

it('a prepared post is brought anew for a later day, and stays prepared where the network keeps it', async () => {
  const { of, words } = await scheduled('youtube', 'linkedin')
  for (const network of ['youtube', 'linkedin'] as const) await workOnPost(service, of(network).id, inHours(1.5))
  expect((await move(of('youtube'), inHours(30))).state).toBe('prepared')
  expect((await move(of('linkedin'), inHours(30))).state).toBe('scheduled')
  for (const network of ['youtube', 'linkedin'] as const) {
    await workOnPost(service, of(network).id, inHours(2.01))
    expect(await timelineOf(words, network)).toEqual([])
    await workOnPost(service, of(network).id, inHours(29.5))
    await workOnPost(service, of(network).id, inHours(30.01))
    expect(await timelineOf(words, network)).toHaveLength(1)
  }
})

it(
  'a move between any two steps of a worker’s run moves the post, or is refused once it is armed, and never both',
  { tags: 'long' },
  async () => {
    const ended = new Map<string, number>()
    for (const isVideo of [false, true])
      for (let step = 1, wasReached = true; wasReached; step++) {
        const { projectId, words, of } = await scheduled('youtube')
        const { id: postId } = of('youtube')
        await workOnPost(service, postId, inHours(1.5))
        wasReached = false
        let told = 'not asked'
        let steps = 0
        // Before this transaction of the run, its officer moves the post.
        const asSystem: typeof service.database.asSystem = async (work) => {
          if (++steps === step) {
            wasReached = true
            told = await outcome(isVideo ? reschedule(projectId, inHours(30)) : move(of('youtube'), inHours(30)))
          }
          return service.database.asSystem(work)
        }
        const database = { ...service.database, asSystem }
        const at = inHours(2.01)
        await runPost({ database, networks: networks(), publicUrl: service.config.publicUrl, now: () => at }, postId)
        if (!wasReached) break
        ended.set(told, (ended.get(told) ?? 0) + 1)
        await workOnPost(service, postId, inHours(2.1))
        expect([(await timelineOf(words)).length, (await postsOf(projectId))[0]!.state], `${step}: ${told}`).toEqual(
          told === 'done' ? [0, 'prepared'] : [1, 'live'],
        )
        await workOnPost(service, postId, inHours(30.01))
        expect(await timelineOf(words)).toHaveLength(1)
      }
    expect([...ended.keys()].toSorted()).toEqual(['done', 'post.wrong-state'])
  },
)

it.runIf(isLong)('a move at the same time as a worker’s run ends as one of the two in any race', async () => {
  await standIns.control({ isUnlimited: true })
  for (let round = 0; round < 200; round++) {
    // Nobody sends in so many a day, or connects so many accounts.
    officer = await makeOfficer(service)
    const { projectId, words, of } = await scheduled('youtube')
    const { id: postId } = of('youtube')
    await workOnPost(service, postId, inHours(1.5))
    const at = inHours(2.01)
    const deps = {
      database: service.database,
      networks: networks(),
      publicUrl: service.config.publicUrl,
      now: () => at,
    }
    const working = new Promise((resolve) => setTimeout(resolve, (round * 7) % 60)).then(() => runPost(deps, postId))
    const told = await outcome(round % 2 ? reschedule(projectId, inHours(30)) : move(of('youtube'), inHours(30)))
    await working
    await workOnPost(service, postId, inHours(2.1))
    expect(await timelineOf(words), told).toHaveLength(told === 'done' ? 0 : 1)
    await workOnPost(service, postId, inHours(30.01))
    expect(await timelineOf(words)).toHaveLength(1)
  }
})

it('the posts of a video say what happened to each of them', async () => {
  const { projectId, of } = await scheduled('youtube', 'linkedin')
  const later = inHours(30)
  await move(of('youtube'), later)
  await as(officer)(publishing.withdraw, { params: { postId: of('youtube').id } })
  await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
  await workOnPost(service, of('linkedin').id, inHours(2.01))
  const posts = await postsOf(projectId)
  const historyOf = (network: Network) => posts.find((post) => post.network === network)!.history
  expect(historyOf('youtube')).toMatchObject([
    { event: 'move', dueAt: later.toISOString() },
    { event: 'withdraw' },
    { event: 'repeat' },
  ])
  expect(historyOf('linkedin')?.map(({ event }) => event)).toEqual(['live'])
  // Whoever serves the company reads it, too.
  const { items } = await as(staff.qa)(publishing.posts, { params: { projectId } })
  expect(items.find(({ network }) => network === 'youtube')?.history).toHaveLength(3)
})

/** As somebody chooses who chooses nothing of it. */
const tiktok = { mode: 'direct' as const, allows: [], isCommercial: false, discloses: [], agrees: true }

/** What a worker does with a post's first comment at this moment; how it stands then. */
const workOnComment = async (postId: string, at: Date) => {
  await runComment(
    { database: service.database, networks: networks(), publicUrl: service.config.publicUrl, now: () => at },
    postId,
  )
  return service.database
    .asSystem((tx) => tx.first(sql<{ state: string }>`select state from post_comment where post_id = ${postId}`))
    .then((row) => row?.state)
}

const reword = (post: Post, body: PostEdit) => as(officer)(publishing.reword, { params: { postId: post.id }, body })

it('a post goes out with the words that it was given last, and one that is at its network keeps them', async () => {
  const { words, of, projectId } = await scheduled('youtube', 'linkedin')
  const other = `Reworded ${randomUUID()}`
  expect(await reword(of('youtube'), { words: other, title: 'Another title' })).toMatchObject({
    state: 'scheduled',
    words: other,
    title: 'Another title',
    dueAt: of('youtube').dueAt,
    actions: ['move', 'reword', 'withdraw'],
  })
  // Without a title it keeps its own; a network without titles takes none. What changes nothing is no event.
  expect(await reword(of('youtube'), { words: other })).toMatchObject({ title: 'Another title' })
  const shared = await reword(of('linkedin'), { words: other, title: 'No title there' })
  expect([shared.words, shared.title]).toEqual([other, of('linkedin').title])
  // What its network does not take is refused as when it is scheduled.
  expect(await outcome(reword(of('youtube'), { words: `${other} <b>`, title: 'Rates' }))).toBe('post.does-not-fit')
  expect(await outcome(reword(of('linkedin'), { words: 'a'.repeat(3001) }))).toBe('post.does-not-fit')
  await workOnPost(service, of('youtube').id, inHours(1.5))
  await expect(reword(of('youtube'), { words })).rejects.toMatchObject({
    code: 'post.wrong-state',
    message: expect.stringContaining('YouTube is being brought this post already'),
  })
  for (const network of ['youtube', 'linkedin'] as const) {
    await workOnPost(service, of(network).id, inHours(2.01))
    expect(await timelineOf(other, network)).toHaveLength(1)
    expect(await timelineOf(words, network)).toEqual([])
    expect(await outcome(reword(of(network), { words }))).toBe('post.wrong-state')
  }
  const events = await service.database.asSystem((tx) =>
    tx.rows(sql<{ detail: object }>`
      select detail from post_event where post_id = ${of('youtube').id} and event = 'reword' order by seq`),
  )
  expect(events.map(({ detail }) => detail)).toEqual([{ changed: ['words', 'title'] }])
  const gone = await scheduled('x')
  await as(officer)(projects.review, { params: { projectId: gone.projectId }, body: { revision: 'Shorter' } })
  expect(await outcome(reword(gone.of('x'), { words }))).toBe('post.wrong-state')
  const stranger = await makeOfficer(service)
  for (const person of [stranger, staff.admin, staff.qa, staff.editor])
    expect(
      await outcome(
        as(person)(publishing.reword, { params: { postId: (await postsOf(projectId))[0]!.id }, body: { words } }),
      ),
    ).toContain(person === stranger ? 'not-found' : 'forbidden')
})

it('cover, captions, first comment and privacy of a post are changed and taken away until it begins', async () => {
  const { of, projectId } = await scheduled('youtube')
  const [post] = [of('youtube')]
  const edited = await reword(post, { privacy: 'unlisted', coverMs: 12_000, comment: 'Write to me' })
  expect(edited).toMatchObject({
    words: post.words,
    title: post.title,
    privacy: 'unlisted',
    coverMs: 12_000,
    comment: { words: 'Write to me', state: 'waiting' },
  })
  // What is absent stays.
  expect(await reword(post, { comment: 'Call me' })).toMatchObject({
    privacy: 'unlisted',
    coverMs: 12_000,
    comment: { words: 'Call me' },
  })
  for (const body of [
    { coverMs: 30_001 },
    { privacy: 'friends' },
    { captions: 'en' },
    { comment: 'a'.repeat(10_000), words: '<' },
  ] satisfies PostEdit[])
    expect(await outcome(reword(post, body)), JSON.stringify(body)).toBe('post.does-not-fit')
  const gone = await reword(post, { coverMs: null, comment: null })
  expect([gone.coverMs, gone.comment]).toEqual([undefined, undefined])
  const [shown] = await postsOf(projectId)
  expect([shown!.privacy, shown!.coverMs, shown!.comment]).toEqual(['unlisted', undefined, undefined])
  expect(shown!.history?.map(({ event, changed }) => [event, changed])).toEqual([
    ['reword', ['privacy', 'coverMs', 'comment']],
    ['reword', ['comment']],
    ['reword', ['coverMs', 'comment']],
  ])
  await reword(post, { comment: 'Written below it' })
  await workOnPost(service, post.id, inHours(1.5))
  for (const body of [
    { coverMs: 1 },
    { privacy: 'public' },
    { comment: null },
    { captions: null },
  ] satisfies PostEdit[])
    expect(await outcome(reword(post, body)), JSON.stringify(body)).toBe('post.wrong-state')
  await workOnPost(service, post.id, inHours(2.01))
  expect(await workOnComment(post.id, inHours(2.02))).toBe('live')
  expect((await timelineOf(post.words))[0]?.comments?.map(({ words }) => words)).toEqual(['Written below it'])
  // What only its owner may see is nothing that everybody sees.
  const hidden = await scheduled('youtube')
  await reword(hidden.of('youtube'), { privacy: 'private' })
  await workOnPost(service, hidden.of('youtube').id, inHours(2.01))
  expect((await postsOf(hidden.projectId))[0]!.state).toBe('live')
  expect(await timelineOf(hidden.words)).toEqual([])
})

it('a network that has no cover, captions or comment takes none later either, and TikTok keeps what it demands', async () => {
  const { of } = await scheduled('x', 'linkedin')
  for (const body of [{ coverMs: 1000 }, { captions: 'en' }, { comment: 'a'.repeat(281) }] satisfies PostEdit[])
    expect(await outcome(reword(of('x'), body)), JSON.stringify(body)).toBe('post.does-not-fit')
  expect(await reword(of('x'), { privacy: 'private', tiktok })).not.toHaveProperty('privacy')
  expect(await reword(of('x'), { privacy: 'private', tiktok })).not.toHaveProperty('tiktok')

  const { projectId } = await approvedVideo(service, officer, staff)
  const { id: connectionId } = await connectAccount(service, officer, 'tiktok')
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId, words: 'Rates', privacy: 'PUBLIC_TO_EVERYONE', tiktok }],
    },
  })
  const [post] = await postsOf(projectId)
  const paid = { ...tiktok, isCommercial: true, discloses: ['paid' as const] }
  expect(await reword(post!, { tiktok: paid })).toMatchObject({ tiktok: paid })
  for (const body of [
    { privacy: 'SELF_ONLY' },
    { tiktok: { ...paid, agrees: false } },
    { comment: 'No' },
  ] satisfies PostEdit[])
    expect(await outcome(reword(post!, body)), JSON.stringify(body)).toBe('post.does-not-fit')
  expect(await reword(post!, { tiktok, privacy: 'SELF_ONLY', coverMs: 2000 })).toMatchObject({
    tiktok,
    privacy: 'SELF_ONLY',
    coverMs: 2000,
  })
})

it('a cover that is changed after a failure is made anew', async () => {
  const { of } = await scheduled('youtube')
  const { id } = await reword(of('youtube'), { coverMs: 1000 })
  const coverFile = async () =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ cover_file_id: string | null }>`select cover_file_id from post where id = ${id}`),
    ))!.cover_file_id
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into post_file (asset_id, parent_sha256, recipe, sha256, name, bytes, made_at)
      select asset_id, sha256, '{"coverMs":1000}', 'x', 'x/cover.jpg', 1, now() from post where id = ${id}`)
    await tx.count(sql`
      update post p set state = 'failed', failure = 'permanent', next_at = null,
        cover_file_id = (select f.id from post_file f where f.asset_id = p.asset_id) where p.id = ${id}`)
  })
  await reword(of('youtube'), { words: 'The cover stays' })
  expect(await coverFile()).not.toBeNull()
  await reword(of('youtube'), { coverMs: 2000 })
  expect(await coverFile()).toBeNull()
})

it('one post is changed and moved a hundred times, and no more', async () => {
  const { of } = await scheduled('youtube')
  const beside = await scheduled('youtube')
  const { id } = of('youtube')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into post_event (post_id, seq, event, from_state, to_state, at, actor_id, detail)
      select ${id}, 1000 + n, case when n % 2 = 0 then 'move' else 'reword' end, 'scheduled', 'scheduled', now(), ${officer.id}, '{}'
      from generate_series(1, ${mostKept.postChanges - 2}::integer) n`),
  )
  const last = inHours(30)
  await move(of('youtube'), last)
  await reword(of('youtube'), { words: 'The last words' })
  const refused = { code: 'post.wrong-state', message: expect.stringContaining(`${mostKept.postChanges} times`) }
  await expect(reword(of('youtube'), { words: 'More words' })).rejects.toMatchObject(refused)
  await expect(move(of('youtube'), inHours(40))).rejects.toMatchObject(refused)
  // What changes nothing is answered as before, and another post is not held up.
  expect(await reword(of('youtube'), { words: 'The last words' })).toMatchObject({ dueAt: last.toISOString() })
  await move(beside.of('youtube'), last)
})

it('one post is taken back and scheduled again a hundred times, and no more', async () => {
  const { of } = await scheduled('youtube')
  const beside = await scheduled('youtube')
  const takeBack = (post: Post) => as(officer)(publishing.withdraw, { params: { postId: post.id } })
  const repeat = (post: Post) => as(officer)(publishing.repeat, { params: { postId: post.id } })
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into post_event (post_id, seq, event, from_state, to_state, at, actor_id, detail)
      select ${of('youtube').id}, 1000 + row_number() over (), e.event, 'scheduled', 'scheduled', now(), ${officer.id}, '{}'
      from generate_series(1, ${mostKept.postChanges - 1}::integer) n, unnest('{reword,repeat}'::text[]) e (event)`),
  )
  for (const post of [of('youtube'), beside.of('youtube')]) {
    await takeBack(post)
    await repeat(post)
    await takeBack(post)
  }
  const message = expect.stringContaining(`scheduled again ${mostKept.postChanges} times`)
  await expect(repeat(of('youtube'))).rejects.toMatchObject({ code: 'post.wrong-state', message })
  await repeat(beside.of('youtube'))
})

it('a post that failed gets other words, and goes out with them when it is posted again', async () => {
  const { of } = await scheduled('x')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update post set state = 'failed', failure = 'permanent', failure_words = 'Too alike', next_at = null
      where id = ${of('x').id}`),
  )
  const words = `Mended ${randomUUID()}`
  expect(await reword(of('x'), { words })).toMatchObject({ state: 'failed', words })
  await as(officer)(publishing.repeat, { params: { postId: of('x').id } })
  await workOnPost(service, of('x').id, inHours(2.01))
  expect(await timelineOf(words, 'x')).toHaveLength(1)
})

it(
  'other words between any two steps of a worker’s run go out, or are refused once it has begun, and never both',
  { tags: 'long' },
  async () => {
    const ended = new Map<string, number>()
    for (let step = 1, wasReached = true; wasReached; step++) {
      const { words, of } = await scheduled('youtube')
      const { id: postId } = of('youtube')
      const other = `Reworded ${randomUUID()}`
      wasReached = false
      let told = 'not asked'
      let steps = 0
      const asSystem: typeof service.database.asSystem = async (work) => {
        if (++steps === step) {
          wasReached = true
          told = await outcome(reword(of('youtube'), { words: other }))
        }
        return service.database.asSystem(work)
      }
      const at = inHours(2.01)
      const database = { ...service.database, asSystem }
      await runPost({ database, networks: networks(), publicUrl: service.config.publicUrl, now: () => at }, postId)
      if (!wasReached) break
      ended.set(told, (ended.get(told) ?? 0) + 1)
      await workOnPost(service, postId, inHours(2.1))
      expect([(await timelineOf(words)).length, (await timelineOf(other)).length], `${step}: ${told}`).toEqual(
        told === 'done' ? [0, 1] : [1, 0],
      )
    }
    expect([...ended.keys()].toSorted()).toEqual(['done', 'post.wrong-state'])
  },
)

it('a video waits for a post that is posted again after its moment', async () => {
  const { projectId, of, words } = await scheduled('youtube', 'linkedin')
  const past = new Date(Date.now() - 60_000)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update project set publish_at = ${past}, due_at = ${past} where id = ${projectId}`)
    await tx.count(sql`update post set due_at = ${past} where project_id = ${projectId}`)
    await tx.count(sql`
      update post set state = 'failed', failure = 'retry', next_at = null where id = ${of('youtube').id}`)
  })
  await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
  await workOnPost(service, of('linkedin').id, new Date())
  await runDue(service.database, new Date())
  expect((await find(projectId)).status).toBe(Status.scheduled)
  await workOnPost(service, of('youtube').id, inHours(0.01))
  expect(await timelineOf(words)).toHaveLength(1)
  await runDue(service.database, inHours(0.2))
  expect((await find(projectId)).status).toBe(Status.completed)
})

it('a post that is taken back and posted again keeps its own time, unless its video was scheduled anew', async () => {
  const { projectId, words, of } = await scheduled('youtube', 'linkedin')
  const later = inHours(170)
  const again = async (network: Network) => {
    await as(officer)(publishing.withdraw, { params: { postId: of(network).id } })
    await as(officer)(publishing.repeat, { params: { postId: of(network).id } })
    return (await postsOf(projectId)).find((post) => post.network === network)!.dueAt
  }
  await move(of('linkedin'), later)
  expect(await again('linkedin')).toBe(later.toISOString())
  await workOnPost(service, of('linkedin').id, inHours(3))
  expect(await timelineOf(words, 'linkedin')).toEqual([])
  const to = inHours(30)
  await as(officer)(publishing.withdraw, { params: { postId: of('youtube').id } })
  await reschedule(projectId, to)
  await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
  expect((await postsOf(projectId)).find(({ network }) => network === 'youtube')!.dueAt).toBe(to.toISOString())
})

it('posts of a video that is approved for another time, or goes back to the one of before, go out then', async () => {
  const { projectId, publishAt, words, of, cut } = await scheduled('youtube', 'linkedin')
  const params = { projectId }
  const again = async (network: Network) =>
    (await as(officer)(publishing.repeat, { params: { postId: of(network).id } })).dueAt
  await move(of('linkedin'), inHours(1))
  await as(officer)(projects.review, { params, body: { revision: 'The rate is wrong' } })
  await as(staff.editor)(projects.start, { body: { projectId } })
  await cut()
  const later = inHours(50).toISOString()
  await as(staff.qa)(projects.approve, { params, body: { publishAt: later } })
  expect((await find(projectId)).publishAt).toBe(later)
  expect([await again('youtube'), await again('linkedin')]).toEqual([later, later])
  for (const hours of [1.5, 2.01, 2.1]) await workOnPost(service, of('youtube').id, inHours(hours))
  expect(await timelineOf(words)).toEqual([])
  // The approval is taken back, and with it the time that it gave.
  await as(staff.admin)(projects.rollback, { params })
  await as(staff.qa)(projects.approve, { params })
  expect((await find(projectId)).publishAt).toBe(publishAt)
  expect(await again('youtube')).toBe(publishAt)
  // A time that its officer chose after the approval stays.
  const chosen = inHours(30)
  await reschedule(projectId, chosen)
  await as(staff.admin)(projects.rollback, { params })
  await as(staff.qa)(projects.approve, { params })
  expect([await again('youtube'), await again('linkedin')]).toEqual([chosen.toISOString(), chosen.toISOString()])
})

for (const end of ['live', 'removed', 'unconfirmed'] as const)
  it(`a video is due with its new cut at its moment though a post of a former cut is ${end}`, async () => {
    const { projectId, of, cut } = await scheduled('youtube', 'linkedin')
    const params = { projectId }
    const heard = async () => {
      const jobs = await service.database.asSystem((tx) =>
        tx.rows(sql<{ data: Parameters<typeof projectEventJob.run>[0] }>`
          delete from pgboss.job where name = 'project-event' and data ->> 'projectId' = ${projectId} returning data`),
      )
      for (const { data } of jobs.toSorted((a, b) => a.data.seq - b.data.seq))
        await projectEventJob.run(data, jobContext(service))
      await runNotices(service)
      return service.database.asSystem((tx) =>
        tx.rows(sql<{ title: string }>`
          select title from notification
          where about = ${projectId} and user_id = ${officer.id} and status <> 'deleted' order by delivered_at, id`),
      )
    }
    await move(of('linkedin'), inHours(0.5))
    await workOnPost(service, of('linkedin').id, inHours(0.51))
    await service.database.asSystem((tx) =>
      tx.count(sql`update post set state = ${end}, next_at = null where id = ${of('linkedin').id} and state = 'live'`),
    )
    await as(officer)(projects.review, { params, body: { revision: 'The rate is wrong' } })
    await as(staff.editor)(projects.start, { body: { projectId } })
    await cut()
    await as(staff.qa)(projects.approve, { params })
    expect(await heard()).toContainEqual({ title: 'Choose again where it is posted' })
    // Nothing of the new cut is there: it waits for its moment.
    await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
    await as(officer)(publishing.withdraw, { params: { postId: of('youtube').id } })
    expect(await endWithLastPost(service.database, of('youtube').id, new Date())).toBe(false)
    await runDue(service.database, inHours(2.01))
    expect((await find(projectId)).timeline.at(-1)).toMatchObject({
      title: 'Ready to post',
      metadata: { outcomes: [{ destination: 'download' }] },
    })
    const last = await heard()
    expect(last).toContainEqual({ title: 'Time to post' })
    // Nothing is chosen any more.
    expect(last).not.toContainEqual({ title: 'Choose again where it is posted' })
  })

it('a post that goes out of an earlier schedule stands with its video once that is scheduled anew', async () => {
  const { projectId, of } = await scheduled('youtube')
  await as(officer)(publishing.withdraw, { params: { postId: of('youtube').id } })
  await as(officer)(projects.unschedule, { params: { projectId } })
  await as(officer)(publishing.repeat, { params: { postId: of('youtube').id } })
  await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt: inHours(9).toISOString() } })
  expect((await find(projectId)).posts).toEqual([{ network: 'youtube', state: 'scheduled' }])
})

it('the officer of a post with its own time hears that it was taken back when a revision is approved', async () => {
  const { projectId, of, cut } = await scheduled('youtube')
  await move(of('youtube'), inHours(5))
  await as(officer)(projects.review, { params: { projectId }, body: { revision: 'Shorter' } })
  await as(staff.editor)(projects.start, { body: { projectId } })
  await cut()
  await as(staff.qa)(projects.approve, { params: { projectId } })
  // Its post was taken back with the approval; it had a time of its own, and its officer hears of it all the same.
  const told = await service.database.asSystem((tx) =>
    tx.first(sql`
      select from pgboss.job where name = 'notice' and data::text like '%Choose again where it is posted%'
        and data::text like ${`%${projectId}%`}`),
  )
  expect(told).toBeDefined()
})

it('an undone schedule leaves its posts to no other one, and a new schedule waits for its own alone', async () => {
  const { projectId, of, publishAt } = await scheduled('youtube')
  await as(staff.admin)(projects.rollback, { params: { projectId } })
  expect((await postsOf(projectId))[0]).toMatchObject({ id: of('youtube').id, state: 'withdrawn' })
  // Scheduled anew for the very same moment, without a post.
  await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt } })
  const marks = await service.database.asSystem((tx) =>
    tx.first(sql<{ of_post: number; of_project: number }>`
      select p.schedule_seq as of_post, schedule_of(p.project_id) as of_project from post p where p.project_id = ${projectId}`),
  )
  expect(marks!.of_project).toBeGreaterThan(marks!.of_post)
  await runDue(service.database, inHours(2.01))
  const ended = await find(projectId)
  expect([ended.status, ended.timeline.at(-1)!.metadata.outcomes]).toMatchObject([
    Status.completed,
    [{ destination: 'download' }],
  ])
})

it('posts from before the mark are of the schedule that their project has now, or of the one that made them', async () => {
  const stands = await scheduled('youtube')
  const changed = await scheduled('youtube')
  const at = { params: { projectId: changed.projectId } }
  await as(officer)(projects.unschedule, at)
  const { id: connectionId } = await connectAccount(service, officer, 'youtube')
  const posts = [{ connectionId, words: 'Anew', title: 'Rates' }]
  await as(officer)(projects.schedule, { ...at, body: { publishAt: inHours(5).toISOString(), posts } })
  const ids = [stands.projectId, changed.projectId]
  const marks = `select p.id, p.schedule_seq, p.schedule_seq = schedule_of(p.project_id) as is_current
    from post p where project_id = any($1) order by p.id`
  const [migration] = (await readMigrations()).filter(({ name }) => name.startsWith('0240'))
  const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
  await owner.connect()
  try {
    await owner.query(`begin; select set_config('app.role', 'SYSTEM', true)`)
    const before = await owner.query(marks, [ids])
    await owner.query('alter table post drop column schedule_seq; drop function schedule_of')
    await owner.query(`select set_config('app.role', '', true)`)
    await owner.query(migration!.sql)
    await owner.query(`select set_config('app.role', 'SYSTEM', true)`)
    const after = await owner.query(marks, [ids])
    expect(after.rows).toEqual(before.rows)
    expect(after.rows.map(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent)).toEqual([
      true,
      false,
      true,
    ])
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
})

it('an officer who films for another company since does not change what was written for the one before', async () => {
  const { words, of } = await scheduled('youtube')
  const elsewhere = { ...officer, tenantId: await makeTenant(service) }
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set tenant_id = ${elsewhere.tenantId} where id = ${officer.id}`),
  )
  const moved = { ...elsewhere, token: await service.identity.signIdToken(elsewhere) }
  const params = { postId: of('youtube').id }
  expect(await outcome(callAs(service, moved)(publishing.reword, { params, body: { words: 'From elsewhere' } }))).toBe(
    'post.does-not-fit',
  )
  const kept = await service.database.asSystem((tx) =>
    tx.first(sql<{ words: string }>`select words from post where id = ${params.postId}`),
  )
  expect(kept).toEqual({ words })
})
