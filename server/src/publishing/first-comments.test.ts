import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { networkNames, networks as limits, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import type { CommentState } from '@clear-to-post/domain/post-comments'
import { noTiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import type { Jobs } from '../kernel/queue.ts'
import { sql } from '../kernel/database.ts'
import { noticeJob } from '../notifications/jobs.ts'
import { openAsk, type Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { tokensOf } from '../outside/networks/oauth.ts'
import { makeStaff } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import { kinds, withTroubles, type Trouble } from '../../test/network-troubles.ts'
import { approvedVideo, connectAccount, inHours, signedNow, workOnPost } from '../../test/posting.ts'
import { isLong } from '../../test/random.ts'
import { callAs, makeOfficer, openService, outcome, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { holdOldPosts } from './actions.ts'
import { runComment } from './comment.ts'
import { leaseMs } from './lease.ts'
import { publishingTasks } from './jobs.ts'
import { sealTokens } from './tokens.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
/** The clock of both sides. */
let at = Date.now()
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

const as = (person: Person) => callAs(service, person)
const commented = networkNames.filter((network) => (limits[network] as NetworkLimits).comment !== undefined)

const scheduledPost = async (network: Network) => {
  const { projectId } = await approvedVideo(service, officer, staff)
  const account = `sam.${randomUUID().slice(0, 6)}`
  const connection = await connectAccount(service, officer, network, account)
  const words = `Rates ${randomUUID()}`
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId: connection.id, words, title: 'Rates', comment: `Write to me ${account}` }],
    },
  })
  const [post] = (await as(officer)(publishing.posts, { params: { projectId } })).items
  return { projectId, postId: post!.id, connectionId: connection.id, account, words }
}

/** A post that is there, of which more rows are made than posts: what is asked is its comment. */
const livePost = async (network: Network) => {
  const post = await scheduledPost(network)
  await publish(post)
  return post
}
const publish = async ({ postId }: Live) => {
  const publicUrl = await address()
  for (const hours of [1.5, 2.01, 2.2]) {
    await standIns.control({ now: inHours(hours).getTime() })
    await workOnPost(service, postId, inHours(hours), signedNow, { publicUrl })
  }
}
let listening: Promise<string> | undefined
const address = () => (listening ??= service.app.listen({ port: 0, host: '127.0.0.1' }))
type Live = Awaited<ReturnType<typeof scheduledPost>>

const commentRow = async (postId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ state: CommentState; failure: string | null; failure_words: string | null; post: string }>`
      select m.state, m.failure, m.failure_words, p.state as post
      from post_comment m join post p on p.id = m.post_id where m.post_id = ${postId}`),
  ))!

const written = async (network: Network, words: string): Promise<number> =>
  (await standIns.timeline(network)).timeline
    .flatMap(({ comments = [] }) => comments)
    .filter((one) => one.words === words).length

/** Another row of the same post with a comment of its own: an account is given a token anew. */
const anotherComment = async (network: Network, { postId, connectionId }: Live) => {
  const id = randomUUID()
  const words = `First ${id.slice(0, 12)}`
  await renewTokens(network, connectionId)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into post (id, project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state,
        remote_id, address, live_at, schedule_seq)
      select ${id}, project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state, remote_id,
        address, live_at, schedule_seq from post where id = ${postId}`)
    await tx.count(sql`insert into post_comment (post_id, words, next_at) values (${id}, ${words}, ${new Date(at)})`)
  })
  return { id, words }
}

const renewTokens = async (network: Network, connectionId: string) => {
  const row = await service.database.asSystem((tx) =>
    tx.first(sql<{ name: string }>`select name from connection where id = ${connectionId}`),
  )
  const account = row!.name
  const tokens = tokensOf(await standIns.control({ now: at, grant: { network, account } }), new Date(at))
  const sealed = sealTokens(networks(), connectionId, tokens, new Date(at))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update connection set tokens = ${sealed.tokens}, access_ends_at = ${sealed.accessEndsAt}, ends_at = ${sealed.endsAt},
        state = 'active', refreshing_until = null where id = ${connectionId}`),
  )
}

/** Runs a comment to its end with these troubles, by a clock that both sides share. */
const drive = async (network: Network, postId: string, troubles: readonly Trouble[] = []) => {
  const { ask, asked, run } = withTroubles(
    standIns,
    network,
    openAsk(),
    (_request, nth) => troubles.find((trouble) => trouble.nth === nth),
    async () => (await commentRow(postId)).state === 'armed',
  )
  const deps = {
    database: service.database,
    networks: { ...networks(), ask },
    publicUrl: '',
    now: () => new Date(at),
  }
  for (let round = 0; round < 200; round++) {
    await standIns.control({ now: at })
    const next = await run(() => runComment(deps, postId))
    if (next === null) return { asked, ...(await commentRow(postId)) }
    at = next === 'killed' || next === undefined ? at + leaseMs + 1000 : Math.max(at + 1000, next.getTime())
  }
  throw new Error(`the comment came to no end: ${JSON.stringify(await commentRow(postId))}`)
}

it(
  'after any failure at any request a first comment is there exactly once, or not and it says so; its post stays',
  { tags: 'long', timeout: 1_200_000 },
  async () => {
    let [cases, live, untold] = [0, 0, 0]
    for (const network of commented) {
      const post = await livePost(network)
      expect((await commentRow(post.postId)).post, network).toBe('live')
      const { asked, state } = await drive(network, post.postId)
      expect([state, await written(network, `Write to me ${post.account}`)], network).toEqual(['live', 1])
      const last = asked.findLastIndex((request) => !request.startsWith('GET'))
      const all = asked.flatMap((_request, nth) => kinds.map((kind): Trouble => ({ nth, kind })))
      // The short form: each network loses the answer, and each kind of trouble is had by one of them.
      const short = ({ nth, kind }: Trouble) =>
        nth === last && (kind === 'lost-after' || kinds.indexOf(kind) % commented.length === commented.indexOf(network))
      for (const trouble of all.filter((one) => isLong || short(one))) {
        const comment = await anotherComment(network, post)
        const end = await drive(network, comment.id, [trouble])
        const shown = await written(network, comment.words)
        const about = `${network}, ${trouble.kind} at ${asked[trouble.nth]}: ${JSON.stringify(end)}`
        expect(end.post, about).toBe('live')
        // Only a network that tells nobody of comments leaves it open.
        const isTold = network !== 'linkedin'
        expect(isTold ? ['live', 'failed'] : ['live', 'failed', 'unconfirmed'], about).toContain(end.state)
        if (end.state === 'unconfirmed') expect(shown, about).toBeLessThanOrEqual(1)
        else expect(shown, about).toBe(end.state === 'live' ? 1 : 0)
        // One trouble alone never costs a comment, unless the network has ended the connection and renews none.
        if (end.state === 'failed') expect([end.failure, trouble.kind], about).toEqual(['reauth', 'token-ends'])
        cases++
        live += end.state === 'live' ? 1 : 0
        untold += end.state === 'unconfirmed' ? 1 : 0
      }
    }
    console.log(
      `First comments: ${cases} cases over ${commented.length} networks, ${live} there once, ${untold} for their officer to look, ${cases - live - untold} not there and told so, 0 twice`,
    )
  },
)

it('a comment waits for its post, is written once it is there, and a comment that fails is told and written again', async () => {
  officer = await makeOfficer(service)
  const post = await livePost('youtube')
  const seen = async () =>
    (await as(officer)(publishing.posts, { params: { projectId: post.projectId } })).items.find(
      ({ id }) => id === post.postId,
    )!
  expect(await seen()).toMatchObject({
    state: 'live',
    comment: { words: `Write to me ${post.account}`, state: 'waiting' },
  })
  // Whoever looks for posts that are due finds it.
  const task = publishingTasks({ database: service.database, log: service.app.log }).find(
    ({ name }) => name === 'posts that are due',
  )!
  for (let round = 0; round < 2; round++) await task.run(inHours(2.3), new AbortController().signal)
  const jobs = await service.database.asSystem((tx) =>
    tx.count(sql`select from pgboss.job where name = 'post-comment' and data ->> 'postId' = ${post.postId}`),
  )
  expect(jobs).toBe(1)
  // Comments are off there.
  const refusing: Ask = (to, request) =>
    /commentThreads/.test(to) && request?.method === 'POST'
      ? Promise.resolve({
          status: 403,
          headers: new Headers(),
          text: '{"error":{"message":"Comments are turned off.","errors":[{"reason":"forbidden"}]}}',
          json: () => ({}),
        })
      : networks().ask(to, request)
  const work = async (ask: Ask) => {
    await standIns.control({ now: null })
    for (let next: Date | null | undefined = inHours(2.4); next;) {
      const now = next
      const deps = { database: service.database, networks: { ...networks(), ask }, publicUrl: '', now: () => now }
      next = await runComment(deps, post.postId)
    }
  }
  await work(refusing)
  expect(await seen()).toMatchObject({
    state: 'live',
    actions: ['remove', 'repeatComment'],
    comment: {
      state: 'failed',
      failure: { kind: 'permanent', words: expect.stringContaining('Comments are turned off') },
    },
  })
  expect(await told()).toContainEqual(expect.stringContaining('No first comment on YouTube'))
  const runs = (run: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update post_comment set run = ${run} where post_id = ${post.postId}`),
    )
  await runs(mostKept.commentRuns)
  await expect(as(officer)(publishing.repeatComment, { params: { postId: post.postId } })).rejects.toMatchObject({
    code: 'post.wrong-state',
    message: expect.stringContaining('Write it below the post at YouTube yourself'),
  })
  await runs(mostKept.commentRuns - 1)
  await as(officer)(publishing.repeatComment, { params: { postId: post.postId } })
  await work(networks().ask)
  expect(await seen()).toMatchObject({ actions: ['remove'], comment: { state: 'live' } })
  expect(await written('youtube', `Write to me ${post.account}`)).toBe(1)
  expect(await outcome(as(officer)(publishing.repeatComment, { params: { postId: post.postId } }))).toBe(
    'post.wrong-state',
  )
})

it('a comment that takes the place of one that was taken away goes on counting how often it was tried', async () => {
  const post = await scheduledPost('youtube')
  const params = { postId: post.postId }
  const set = (change: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update post_comment set ${change} where post_id = ${post.postId}`))
  await set(sql`run = ${mostKept.commentRuns}`)
  for (const comment of [null, 'Call me', null, 'Write to me'])
    await as(officer)(publishing.reword, { params, body: { comment } })
  await publish(post)
  await set(sql`state = 'failed', failure = 'permanent'`)
  await expect(as(officer)(publishing.repeatComment, { params })).rejects.toMatchObject({
    code: 'post.wrong-state',
    message: expect.stringContaining('Write it below the post at YouTube yourself'),
  })
})

it('a comment that LinkedIn tells nothing of is looked for by its officer, and confirmed or written again', async () => {
  const post = await livePost('linkedin')
  for (const answer of ['confirmComment', 'repeatComment'] as const) {
    const comment = await anotherComment('linkedin', post)
    const first = (await drive('linkedin', comment.id)).asked.length
    expect(first).toBe(1)
    const lost = await anotherComment('linkedin', post)
    const trouble = { nth: 0, kind: answer === 'confirmComment' ? ('lost-after' as const) : ('lost-before' as const) }
    expect(await drive('linkedin', lost.id, [trouble])).toMatchObject({ state: 'unconfirmed' })
    await as(officer)(publishing[answer], { params: { postId: lost.id } })
    if (answer === 'repeatComment') {
      at = Math.max(at, Date.now() + 1000)
      await drive('linkedin', lost.id)
    }
    expect([(await commentRow(lost.id)).state, await written('linkedin', lost.words)], answer).toEqual(['live', 1])
    expect(await outcome(as(officer)(publishing[answer], { params: { postId: lost.id } }))).toBe('post.wrong-state')
  }
})

it('a post that is taken down, or recalled by its approval, before its comment gets none', async () => {
  const post = await livePost('x')
  await as(officer)(publishing.takeDown, { params: { postId: post.postId } })
  expect((await drive('x', post.postId)).state).toBe('failed')
  const other = await livePost('x')
  await as(officer)(projects.review, { params: { projectId: other.projectId }, body: { revision: 'Shorter' } })
  expect((await drive('x', other.postId)).state).toBe('failed')
  for (const { account } of [post, other]) expect(await written('x', `Write to me ${account}`)).toBe(0)
})

it('a restored copy writes no comment by itself: its officer looks first', async () => {
  const post = await livePost('x')
  await service.database.asSystem((tx) => holdOldPosts(tx, new Date()))
  at = Math.max(at, inHours(3).getTime())
  const deps = { database: service.database, networks: networks(), publicUrl: '', now: () => new Date(at) }
  expect(await runComment(deps, post.postId)).toBeUndefined()
  expect([(await commentRow(post.postId)).state, await written('x', `Write to me ${post.account}`)]).toEqual([
    'unconfirmed',
    0,
  ])
  await as(officer)(publishing.repeatComment, { params: { postId: post.postId } })
  expect((await drive('x', post.postId)).state).toBe('live')
})

it('a comment that a network does not take keeps its post from being scheduled, with words', async () => {
  const { projectId } = await approvedVideo(service, officer, staff)
  const connection = await connectAccount(service, officer, 'tiktok')
  const schedule = (comment: string, privacy: string) =>
    as(officer)(projects.schedule, {
      params: { projectId },
      body: {
        publishAt: inHours(2).toISOString(),
        posts: [{ connectionId: connection.id, words: 'Rates', privacy, comment, tiktok: { ...tiktok } }],
      },
    })
  await expect(schedule('Write to me', 'SELF_ONLY')).rejects.toThrow('TikTok takes no first comment from here')
})

const tiktok = { ...noTiktokChoices, allows: [], discloses: [], agrees: true }

const told = async (): Promise<string[]> => {
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: Jobs['notice'] }>`select data from pgboss.job where name = 'notice'`),
  )
  for (const { data } of waiting) await noticeJob.run(data, jobContext(service))
  const { items } = await as(officer)(notifications.list, {})
  return items.map(({ title }) => title)
}
