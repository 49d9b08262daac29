import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../kernel/database.ts'
import type { Jobs } from '../kernel/queue.ts'
import { noticeJob } from '../notifications/jobs.ts'
import { networks } from '../outside/networks/networks.ts'
import { readMigrations } from '../postgres/migrate.ts'
import { onDisk } from '../../test/on-disk.ts'
import { runDue } from '../projects/due.ts'
import { makeStaff, submitProject } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import { allow, appPassword, approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  openService,
  outcome,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { suppressOldDeliveries } from '../main/old-deliveries.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { publishingTasks, notifyEndingConnections } from './jobs.ts'
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
// Twenty videos a day are taken of each.
beforeEach(async () => {
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)

const connect = (person: Person, network?: Network, account?: string) =>
  connectAccount(service, person, network, account)
const approved = () => approvedVideo(service, officer, staff)

const schedule = (projectId: string, connectionId: string, words: string, privacy?: string) =>
  as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId, words, title: 'Rates', ...(privacy ? { privacy, tiktok } : {}) }],
    },
  })

/** As somebody chooses who chooses nothing of it. */
const tiktok = { mode: 'direct' as const, allows: [], isCommercial: false, discloses: [], agrees: true }

const postsOf = async (projectId: string) => (await as(officer)(publishing.posts, { params: { projectId } })).items

const eventsOf = (postId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ event: string }>`select event from post_event where post_id = ${postId} order by seq`),
  )

const workAt = (postId: string, at: Date, ask?: Ask) => workOnPost(service, postId, at, ask)

const shownOnTimeline = async (words: string, network: Network = 'youtube') =>
  (await standIns.timeline(network)).timeline.filter((entry) => entry.words.includes(words))

it('a connected account posts a scheduled video at its moment, and the project ends with its address', async () => {
  const { projectId, sha256 } = await approved()
  const connection = await connect(officer)
  const words = `First ${randomUUID()}`
  const scheduled = await schedule(projectId, connection.id, words)
  expect(scheduled.destinations).toEqual(['download', 'youtube'])
  const [post] = await postsOf(projectId)
  expect(post).toMatchObject({
    state: 'scheduled',
    actions: ['move', 'reword', 'withdraw'],
    words,
    account: connection.name,
  })

  // An hour before, it lies there unseen; the moment makes it public.
  await workAt(post!.id, inHours(1.5))
  expect((await postsOf(projectId))[0]!.state).toBe('prepared')
  expect(await shownOnTimeline(words)).toEqual([])
  await runDue(service.database, inHours(2.01))
  expect((await as(officer)(projects.find, { params: { projectId } })).status).toBe(Status.scheduled)
  await workAt(post!.id, inHours(2.01))
  const [live] = await postsOf(projectId)
  expect(live).toMatchObject({
    state: 'live',
    address: expect.stringContaining('/youtube/watch?v='),
    actions: ['remove'],
  })
  expect(await shownOnTimeline(words)).toMatchObject([{ sha256 }])

  await runDue(service.database, inHours(2.1))
  const ended = await as(officer)(projects.find, { params: { projectId } })
  expect(ended).toMatchObject({ status: Status.completed, postedOn: ['youtube'] })
  const listed = await as(officer)(projects.list, { query: {} })
  expect(listed.items.find(({ id }) => id === projectId)?.postedOn).toEqual(['youtube'])
  expect(ended.timeline.at(-1)).toMatchObject({
    title: 'Posts have ended',
    metadata: {
      outcomes: [{ destination: 'download' }, { destination: 'youtube', outcome: 'posted', address: live!.address }],
    },
  })

  const down = await as(officer)(publishing.takeDown, { params: { postId: post!.id } })
  expect(down.state).toBe('removed')
  expect((await as(officer)(projects.find, { params: { projectId } })).postedOn).toBeUndefined()
  expect(await shownOnTimeline(words)).toEqual([])
})

it('a taken-back schedule, approval or account, and another file, stop every post before it is out', async () => {
  const connection = await connect(officer)
  const words = `Never ${randomUUID()}`
  const stops: Record<string, (project: Awaited<ReturnType<typeof approved>>) => Promise<unknown>> = {
    unschedule: ({ projectId }) => as(officer)(projects.unschedule, { params: { projectId } }),
    revision: ({ projectId }) => as(officer)(projects.review, { params: { projectId }, body: { revision: 'Shorter' } }),
    'rolled back twice': async ({ projectId }) => {
      await as(staff.admin)(projects.rollback, { params: { projectId } })
      await as(staff.admin)(projects.rollback, { params: { projectId } })
    },
    'another file in its place': ({ assetId }) =>
      service.database.asSystem((tx) => tx.count(sql`update asset set sha256 = 'another' where id = ${assetId}`)),
    'other bytes on the disk': ({ assetId }) => writeFile(onDisk().path(assetId, 'original.mp4'), randomBytes(80_000)),
    'other bytes on the disk, once it is prepared': ({ assetId }) =>
      writeFile(onDisk().path(assetId, 'original.mp4'), randomBytes(80_000)),
  }
  for (const [name, stop] of Object.entries(stops)) {
    const project = await approved()
    await schedule(project.projectId, connection.id, words)
    const [post] = await postsOf(project.projectId)
    if (name !== 'other bytes on the disk') await workAt(post!.id, inHours(1.5))
    await stop(project)
    await workAt(post!.id, inHours(2.01))
    expect((await postsOf(project.projectId))[0]!.state, name).toBe(
      name.startsWith('other bytes') ? 'failed' : 'withdrawn',
    )
    // Its record does not say either that the network was asked to publish it.
    if (!name.startsWith('other bytes')) expect(await eventsOf(post!.id), name).not.toContainEqual({ event: 'arm' })
  }
  const project = await approved()
  await schedule(project.projectId, connection.id, words)
  await as(officer)(publishing.disconnect, { params: { connectionId: connection.id } })
  expect((await postsOf(project.projectId))[0]!.state).toBe('withdrawn')
  expect(await shownOnTimeline(words)).toEqual([])
})

/** The one request that nobody can take back does not arrive. */
const losing: Ask = (address, request) =>
  (request?.method === 'PUT' && address.includes('/youtube/v3/videos')) || address.endsWith('/rest/posts')
    ? Promise.reject(new SilentNetwork('lost'))
    : networks().ask(address, request)

it.each(['youtube', 'linkedin'] as const)(
  'a post that is taken back while it may have been out is not sent again: %s',
  async (network) => {
    const connection = await connect(officer, network)
    const stops: Record<string, (projectId: string) => Promise<unknown>> = {
      unscheduled: (projectId) => as(officer)(projects.unschedule, { params: { projectId } }),
      revision: (projectId) => as(officer)(projects.review, { params: { projectId }, body: { revision: 'The rate' } }),
      'its company switched off': () =>
        service.database.asSystem((tx) =>
          tx.count(sql`update tenant set is_active = false where id = ${officer.tenantId}`),
        ),
    }
    for (const [name, stop] of Object.entries(stops)) {
      const { projectId } = await approved()
      const words = `Taken back ${randomUUID()}`
      await schedule(projectId, connection.id, words)
      const [post] = await postsOf(projectId)
      await workAt(post!.id, inHours(1.5))
      await workAt(post!.id, inHours(2.01), losing)
      expect((await postsOf(projectId))[0]!.state, name).toBe('armed')
      await stop(projectId)
      // One more to the same account waits until it is known what became of the first.
      if (name === 'unscheduled')
        expect(await outcome(schedule(projectId, connection.id, words))).toBe('post.does-not-fit')
      await workAt(post!.id, inHours(2.1))
      await workAt(post!.id, inHours(3))
      expect(await shownOnTimeline(words, network), name).toEqual([])
      if (name === 'its company switched off')
        await service.database.asSystem((tx) =>
          tx.count(sql`update tenant set is_active = true where id = ${officer.tenantId}`),
        )
      // A network that proves absence ends it; of the other one its officer looks.
      expect((await postsOf(projectId))[0]!.state, name).toBe(network === 'youtube' ? 'withdrawn' : 'unconfirmed')
    }
  },
)

it('a restored copy posts nothing by itself: its officer looks for what may be out and sends the rest again', async () => {
  const connection = await connect(officer)
  const [due, armed, later] = [await approved(), await approved(), await approved()]
  const posts: string[] = []
  for (const { projectId } of [due, armed, later]) {
    await schedule(projectId, connection.id, `Restored ${projectId}`)
    posts.push((await postsOf(projectId))[0]!.id)
  }
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update post set due_at = now() where id = ${posts[0]!}`)
    await tx.count(sql`update post set state = 'armed', armed_at = now() where id = ${posts[1]!}`)
  })
  expect(await suppressOldDeliveries(service.database, { asOf: new Date(), now: new Date() })).toMatchObject({
    posts: 3,
  })
  // Its officer hears of each.
  const jobs = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: Jobs['notice'] }>`
      select data from pgboss.job where name = 'notice' and state < 'active' and data::text like ${`%${officer.id}%`}`),
  )
  for (const { data } of jobs) await noticeJob.run(data, jobContext(service))
  const { items: heard } = await as(officer)(notifications.list, { query: {} })
  const told = (projectId: string) =>
    heard.filter(({ metadata, openedAt }) => metadata['projectId'] === projectId && !openedAt)
  expect(told(due.projectId)).toMatchObject([{ title: 'Look at YouTube' }])
  expect(told(armed.projectId)).toMatchObject([{ title: 'Look at YouTube' }])
  expect(told(later.projectId)).toMatchObject([{ title: 'Not posted on YouTube until you say so' }])
  for (const id of posts) await workAt(id, inHours(30))
  expect((await postsOf(due.projectId))[0]).toMatchObject({ state: 'unconfirmed' })
  expect((await postsOf(armed.projectId))[0]).toMatchObject({ state: 'unconfirmed' })
  expect((await postsOf(later.projectId))[0]).toMatchObject({ state: 'withdrawn', actions: ['repeat'] })
  for (const { projectId } of [due, armed, later]) expect(await shownOnTimeline(projectId)).toEqual([])
  // With its officer's word it goes out at the moment that was chosen.
  await as(officer)(publishing.repeat, { params: { postId: posts[2]! } })
  expect((await postsOf(later.projectId))[0]).toMatchObject({ state: 'scheduled' })
  await workAt(posts[2]!, inHours(1.9))
  expect(await shownOnTimeline(later.projectId)).toEqual([])
  await workAt(posts[2]!, inHours(2.1))
  expect(await shownOnTimeline(later.projectId)).toHaveLength(1)
})

it('of several open posts that an older release left to one account, one stays', async () => {
  const connection = await connect(officer)
  const { projectId } = await approved()
  await schedule(projectId, connection.id, `Several ${projectId}`)
  const [migration] = (await readMigrations()).filter(({ name }) => name.startsWith('0175'))
  const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query(`drop index post_open; drop trigger keep_posts_own on post; drop function keep_posts_own;
      select set_config('app.role', 'SYSTEM', true)`)
    for (const state of ['armed', 'sent', 'prepared'])
      await owner.query(
        `insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, state)
         select project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, $2
         from post where project_id = $1 limit 1`,
        [projectId, state],
      )
    await owner.query(`select set_config('app.role', '', true)`)
    await owner.query(migration!.sql)
    await owner.query(`select set_config('app.role', 'SYSTEM', true)`)
    const { rows } = await owner.query('select state from post where project_id = $1 order by id', [projectId])
    expect(rows.map(({ state }: { state: string }) => state)).toEqual(['withdrawn', 'unconfirmed', 'sent', 'withdrawn'])
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
})

it('nobody else uses a connection or a post: no colleague, no stranger, no ADMIN', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer)
  await schedule(projectId, connection.id, `Mine ${randomUUID()}`)
  const [post] = await postsOf(projectId)
  const colleague = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const stranger = await makeOfficer(service)
  for (const other of [colleague, stranger]) {
    const own = (await submitProject(service, stranger)).id
    expect((await as(other)(publishing.connections, {})).items).toEqual([])
    expect(await outcome(as(other)(publishing.disconnect, { params: { connectionId: connection.id } }))).toBe(
      'connection.not-found',
    )
    for (const call of [publishing.repeat, publishing.withdraw, publishing.takeDown])
      expect(await outcome(as(other)(call, { params: { postId: post!.id } }))).toBe('post.not-found')
    expect(await outcome(as(other)(publishing.confirm, { params: { postId: post!.id }, body: {} }))).toBe(
      'post.not-found',
    )
    expect(await outcome(as(other)(publishing.posts, { params: { projectId } }))).toBe('project.not-found')
    const posts = [{ connectionId: connection.id, words: 'Theirs', title: 'Theirs' }]
    expect(
      await outcome(
        as(other)(projects.schedule, {
          params: { projectId: own },
          body: { publishAt: inHours(2).toISOString(), posts },
        }),
      ),
    ).toBe('connection.not-found')
  }
  expect(await as(staff.admin)(publishing.connections, {})).toEqual({ networks: [], items: [] })
  expect((await as(staff.qa)(publishing.posts, { params: { projectId } })).items).toMatchObject([{ actions: [] }])
})

it('an ADMIN who schedules for an officer is told that the officer posts it, and posts to no account of their own', async () => {
  const { projectId } = await approved()
  // As of one who filmed videos before.
  const account = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into connection (user_id, network, account_id, name) values (${staff.admin.id}, 'youtube', 'UC-admin', 'Theirs')
      returning id`),
  ))!
  const posts = [{ connectionId: account.id, words: 'Theirs', title: 'Theirs' }]
  const schedule = (body: object) =>
    as(staff.admin)(projects.schedule, {
      params: { projectId },
      body: { publishAt: inHours(2).toISOString(), ...body },
    })
  expect(await outcome(schedule({ posts }))).toMatch(/post.does-not-fit|connection.not-found/)
  expect(await schedule({})).toMatchObject({ status: Status.scheduled, destinations: ['download'] })
  const made = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from post where project_id = ${projectId}`),
  )
  expect(made).toEqual([])
})

it('a way to a network counts once, for the person who began it, in time and with the right code', async () => {
  const begin = async (person: Person) =>
    (await as(person)(publishing.connect, { body: { network: 'youtube' } })).address
  const finish = (person: Person, body: { state: string; code: string }) =>
    outcome(as(person)(publishing.finishConnecting, { body: { state: body.state, code: body.code } }))
  const attacker = await makeOfficer(service)
  // A link with somebody else's state and code connects nothing to whoever opens it.
  const theirs = await allow(await begin(attacker), 'attacker')
  expect(await finish(officer, theirs)).toBe('connection.oauth-flow-ended')
  expect(await finish(attacker, theirs)).toBe('done')
  expect(await finish(attacker, theirs)).toBe('connection.oauth-flow-ended')
  // A code of another way has another challenge.
  const [first, second] = [await allow(await begin(officer), 'one'), await allow(await begin(attacker), 'two')]
  expect(await finish(officer, { state: first.state, code: second.code })).toBe('connection.refused')
  expect(await finish(officer, first)).toBe('connection.oauth-flow-ended')
  const late = await allow(await begin(officer), 'late')
  await service.database.asSystem((tx) =>
    tx.count(sql`update connection_walk set ends_at = now() - interval '1 second'`),
  )
  expect(await finish(officer, late)).toBe('connection.oauth-flow-ended')
  const denied = await allow(await begin(officer), 'nobody', 'stop')
  expect(denied.back.searchParams.get('error')).toBe('access_denied')
  expect(await finish(officer, { state: denied.state, code: 'guess' })).toBe('connection.refused')
  // The browser is told neither the verifier nor any key; the database keeps them sealed.
  const asked = new URL(await begin(officer))
  expect([...asked.searchParams.keys()]).not.toContain('code_verifier')
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ tokens: string | null }>`select tokens from connection`),
  )
  for (const { tokens } of rows) expect(tokens ?? '1.').toMatch(/^1\./)
  expect(JSON.stringify(await as(attacker)(publishing.connections, {}))).not.toMatch(/token/i)
})

it('a text that a network does not take is refused when it is scheduled, and nothing is scheduled then', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer)
  const asked = { connectionId: connection.id, title: 't'.repeat(101), words: 'Words' }
  const refused = as(officer)(projects.schedule, {
    params: { projectId },
    body: { publishAt: inHours(2).toISOString(), posts: [asked] },
  })
  await expect(refused).rejects.toMatchObject({
    code: 'post.does-not-fit',
    message: expect.stringContaining('100 characters'),
  })
  expect((await as(officer)(projects.find, { params: { projectId } })).status).toBe(Status.completed)
  expect(await postsOf(projectId)).toEqual([])
})

it('a post whose account needs a new sign-in fails with the way on, and is repeated once it is connected', async () => {
  const { projectId } = await approved()
  const account = `away.${randomUUID().slice(0, 6)}`
  const connection = await connect(officer, 'youtube', account)
  const words = `Again ${randomUUID()}`
  await schedule(projectId, connection.id, words)
  const [post] = await postsOf(projectId)
  await service.database.asSystem((tx) =>
    tx.count(sql`update connection set state = 'needs-sign-in' where id = ${connection.id}`),
  )
  await workAt(post!.id, inHours(2.01))
  const [failed] = await postsOf(projectId)
  expect(failed).toMatchObject({
    state: 'failed',
    failure: { kind: 'reauth', words: expect.stringContaining('Connect the account again') },
  })
  await runDue(service.database, inHours(2.01))
  const ended = () => as(officer)(projects.find, { params: { projectId } })
  expect(await ended()).toMatchObject({ status: Status.completed })
  expect(await ended()).toMatchObject({ posts: [{ network: 'youtube', state: 'failed', failure: 'reauth' }] })
  expect((await ended()).postedOn).toBeUndefined()
  expect(await outcome(as(officer)(publishing.repeat, { params: { postId: post!.id } }))).toBe('connection.not-found')
  expect((await connect(officer, 'youtube', account)).id).toBe(connection.id)
  expect((await as(officer)(publishing.repeat, { params: { postId: post!.id } })).state).toBe('scheduled')
  await workAt(post!.id, inHours(2.02))
  expect((await postsOf(projectId))[0]!.state).toBe('live')
  expect(await ended()).toMatchObject({ postedOn: ['youtube'], posts: [{ network: 'youtube', state: 'live' }] })
  expect(await shownOnTimeline(words)).toHaveLength(1)
})

it('a post of which the network tells nothing is confirmed or posted again by its officer', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer)
  await schedule(projectId, connection.id, `Perhaps ${randomUUID()}`)
  const [post] = await postsOf(projectId)
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set state = 'unconfirmed', next_at = null where id = ${post!.id}`),
  )
  expect((await postsOf(projectId))[0]!.actions).toEqual(['confirm', 'deny', 'repeat'])
  const address = 'https://example.com/there'
  const there = await as(officer)(publishing.confirm, { params: { postId: post!.id }, body: { address } })
  expect(there).toMatchObject({ state: 'live', address })
  const from = inHours(0).toISOString()
  const { items } = await as(officer)(publishing.calendar, { query: { from, to: inHours(3).toISOString() } })
  expect(items.map(({ id }) => id)).toContain(post!.id)
})

it('the owner of a connection that ends is told ten and two days before, each once', async () => {
  const { id } = await connect(officer)
  const end = new Date(Date.now() + 30 * 86_400_000)
  await service.database.asSystem((tx) => tx.count(sql`update connection set ends_at = ${end} where id = ${id}`))
  const before = (days: number) =>
    notifyEndingConnections(service.database, new Date(end.getTime() - days * 86_400_000))
  expect([
    await before(11),
    await before(9.9),
    await before(9),
    await before(1.9),
    await before(1),
    await before(-1),
  ]).toEqual([0, 1, 0, 1, 0, 0])
})

it('a grant is ended at its network once nobody here uses the account, and a refused connection leaves none', async () => {
  const allowed = async () => (await standIns.control({ grants: 'youtube' })).accounts as string[]
  const [one, other] = [await makeOfficer(service), await makeOfficer(service)]
  const account = `shared.${randomUUID().slice(0, 6)}`
  const [first, second] = [await connect(one, 'youtube', account), await connect(other, 'youtube', account)]
  const drop = (person: Person, { id }: { id: string }) =>
    as(person)(publishing.disconnect, { params: { connectionId: id } })
  expect(await drop(one, first)).toEqual({ isRevoked: false })
  expect(await allowed()).toContain(account)
  expect(await drop(other, second)).toEqual({ isRevoked: true })
  expect(await allowed()).not.toContain(account)

  const { address } = await as(one)(publishing.connect, { body: { network: 'youtube' } })
  const more = `more.${randomUUID().slice(0, 6)}`
  const flow = await allow(address, more)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into connection (user_id, network, account_id, name)
      select ${one.id}, 'youtube', 'UC-' || n, 'many' from generate_series(1, 20) n`),
  )
  expect(await outcome(as(one)(publishing.finishConnecting, { body: { state: flow.state, code: flow.code } }))).toBe(
    'connection.too-many',
  )
  expect(await allowed()).not.toContain(more)
  const begin = (network: 'youtube' | 'linkedin') => outcome(as(one)(publishing.connect, { body: { network } }))
  expect([await begin('linkedin'), await begin('youtube')]).toEqual(['connection.too-many', 'done'])
})

it('posts wait in turn of their officers, and an upload goes no further than to be ready', async () => {
  const mine = await approved()
  const connection = await connect(officer)
  await schedule(mine.projectId, connection.id, `Turn ${randomUUID()}`)
  const [post] = await postsOf(mine.projectId)
  const deps = { database: service.database, networks: networks(), publicUrl: service.config.publicUrl }
  const at = inHours(2.01)
  const state = async () => (await postsOf(mine.projectId))[0]!.state
  // The part that publishes leaves a post alone that is not ready, and the one that uploads publishes nothing.
  expect(await runPost({ ...deps, now: () => at }, post!.id, { part: 'publish' })).toEqual(at)
  expect(await state()).toBe('scheduled')
  expect(await runPost({ ...deps, now: () => at }, post!.id, { part: 'upload' })).toEqual(at)
  expect(await state()).toBe('prepared')
  await runPost({ ...deps, now: () => at }, post!.id, { part: 'publish' })
  expect(['live', 'processing']).toContain(await state())

  // Of two officers with posts that are due, the second one's first comes before the first one's second.
  const due = (userId: string, count: number) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, next_at)
        select project_id, tenant_id, ${userId}, null, network, asset_id, sha256, words, due_at, '2020-01-01'
        from post, generate_series(1, ${count}) where id = ${post!.id} returning id`),
    )
  const other = await makeOfficer(service)
  const [many, one] = [await due(officer.id, 3), await due(other.id, 1)]
  const look = publishingTasks({ database: service.database, log: service.app.log })[0]!
  await look.run(new Date(), new AbortController().signal)
  const enqueued = await service.database.asSystem((tx) =>
    tx.rows(sql<{ owner: string; priority: number }>`
      select group_id as owner, priority from pgboss.job
      where name = 'post-upload' and data ->> 'postId' = any(${[...many, ...one].map(({ id }) => id)})
      order by priority desc, created_on`),
  )
  expect(
    enqueued
      .filter(({ priority }) => priority === 0)
      .map(({ owner }) => owner)
      .toSorted(),
  ).toEqual([officer.id, other.id].toSorted())
  expect(enqueued.filter(({ owner }) => owner === officer.id).map(({ priority }) => priority)).toEqual([0, -1, -2])
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from post where id = any(${[...many, ...one].map(({ id }) => id)}::uuid[])`),
  )
})

it('a post whose key was lost asks its owner to connect again, and a post that waits is enqueued once', async () => {
  const { projectId } = await approved()
  const account = `lost.${randomUUID().slice(0, 6)}`
  const connection = await connect(officer, 'youtube', account)
  await schedule(projectId, connection.id, `Lost key ${randomUUID()}`)
  const [post] = await postsOf(projectId)
  const jobs = () =>
    service.database.asSystem((tx) =>
      tx.count(sql`select from pgboss.job where name = 'post-upload' and data ->> 'postId' = ${post!.id}`),
    )
  await service.database.asSystem((tx) => tx.count(sql`update post set next_at = '2020-01-01' where id = ${post!.id}`))
  const look = publishingTasks({ database: service.database, log: service.app.log })[0]!
  for (const _round of Array.from({ length: 3 })) await look.run(new Date(), new AbortController().signal)
  expect(await jobs()).toBe(1)

  await service.database.asSystem((tx) =>
    tx.count(
      sql`update connection set tokens = regexp_replace(tokens, '^1\\.[^.]*', '1.anotherkey') where id = ${connection.id}`,
    ),
  )
  await workAt(post!.id, inHours(1.5))
  expect((await postsOf(projectId))[0]).toMatchObject({
    state: 'failed',
    failure: { kind: 'reauth', words: expect.stringContaining('Connect the account again') },
  })
  expect((await as(officer)(publishing.connections, {})).items.find(({ id }) => id === connection.id)!.state).toBe(
    'needs-sign-in',
  )
})

it('a network whose post is several requests gets no further one once the schedule is taken back', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer, 'tiktok')
  const words = `Parts ${randomUUID()}`
  await schedule(projectId, connection.id, words, 'SELF_ONLY')
  const [post] = await postsOf(projectId)
  await workAt(post!.id, inHours(1.5))
  const sent: string[] = []
  await workAt(post!.id, inHours(2.01), async (address, request) => {
    sent.push(`${request?.method} ${new URL(address).pathname.replace(/\/\w{12}$/, '')}`)
    const answer = await networks().ask(address, request)
    if (address.includes('/video/init/')) await as(officer)(projects.unschedule, { params: { projectId } })
    return answer
  })
  expect(sent.at(-1)).toContain('/video/init/')
  for (const hours of [2.1, 2.2]) await workAt(post!.id, inHours(hours))
  expect((await postsOf(projectId))[0]!.state).toBe('withdrawn')
  expect(await shownOnTimeline(words, 'tiktok')).toEqual([])
})

it('an account that is disconnected while a video goes up, and connected again, does not go on with it', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer, 'tiktok', 'again.and.again')
  const words = `Ended ${randomUUID()}`
  await schedule(projectId, connection.id, words, 'SELF_ONLY')
  const [post] = await postsOf(projectId)
  await workAt(post!.id, inHours(1.5))
  await workAt(post!.id, inHours(2.01), async (address, request) => {
    const answer = await networks().ask(address, request)
    if (address.includes('/video/init/')) {
      await as(officer)(publishing.disconnect, { params: { connectionId: connection.id } })
      expect((await connect(officer, 'tiktok', 'again.and.again')).id).toBe(connection.id)
    }
    return answer
  })
  for (const hours of [2.1, 2.2]) await workAt(post!.id, inHours(hours))
  expect((await postsOf(projectId))[0]!.state).toBe('withdrawn')
  expect(await shownOnTimeline(words, 'tiktok')).toEqual([])
})

it('a video that is scheduled for another day is posted again on that day, whenever its posts of before were due', async () => {
  const connection = await connect(officer)
  for (const [first, then] of [
    [2, 72],
    [72, 2],
  ] as const) {
    const { projectId } = await approved()
    const at = (hours: number, posts: { connectionId: string; words: string; title: string }[]) =>
      as(officer)(projects.schedule, {
        params: { projectId },
        body: { publishAt: inHours(hours).toISOString(), ...(posts.length > 0 ? { posts } : {}) },
      })
    await at(first, [{ connectionId: connection.id, words: `Day ${projectId}`, title: 'Rates' }])
    await as(officer)(projects.unschedule, { params: { projectId } })
    const { publishAt } = await at(then, [])
    const [post] = await postsOf(projectId)
    expect(await as(officer)(publishing.repeat, { params: { postId: post!.id } })).toMatchObject({ dueAt: publishAt })
  }
})

it('a network that is brought its file at the moment itself keeps no short request waiting', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer, 'tiktok')
  await schedule(projectId, connection.id, `Lane ${randomUUID()}`, 'SELF_ONLY')
  const [post] = await postsOf(projectId)
  await workAt(post!.id, inHours(1.5))
  const deps = { database: service.database, networks: networks(), publicUrl: service.config.publicUrl }
  const at = inHours(2.01)
  const run = (part: 'upload' | 'publish') => runPost({ ...deps, now: () => at }, post!.id, { part })
  const state = async () => (await postsOf(projectId))[0]!.state
  await run('publish')
  expect(await state()).toBe('prepared')
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set next_at = now() - interval '1 second' where id = ${post!.id}`),
  )
  const look = publishingTasks({ database: service.database, log: service.app.log })[0]!
  await look.run(new Date(), new AbortController().signal)
  const lanes = await service.database.asSystem((tx) =>
    tx.rows(sql<{ name: string }>`
      select name from pgboss.job where state < 'active' and data ->> 'postId' = ${post!.id}`),
  )
  expect(lanes).toEqual([{ name: 'post-upload' }])
  await run('upload')
  expect(await state()).toBe('processing')
})

it('one video stands once on its way to an account: what is posted again keeps a second schedule out', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer)
  const words = `Once ${randomUUID()}`
  await schedule(projectId, connection.id, words)
  const [post] = await postsOf(projectId)
  await as(officer)(publishing.withdraw, { params: { postId: post!.id } })
  await runDue(service.database, inHours(2.1))
  await as(officer)(publishing.repeat, { params: { postId: post!.id } })
  await workAt(post!.id, inHours(0.01), () => Promise.reject(new SilentNetwork('away')))
  await expect(schedule(projectId, connection.id, words)).rejects.toMatchObject({
    code: 'post.does-not-fit',
    message: expect.stringContaining('stands on its page already. Take it back there'),
  })
  // What is asked for anew is not posted meanwhile, although the video was finished and no longer scheduled.
  await as(officer)(projects.review, { params: { projectId }, body: { revision: 'The rate' } })
  await workAt(post!.id, inHours(3))
  expect((await postsOf(projectId))[0]!.state).toBe('withdrawn')
  expect(await shownOnTimeline(words)).toEqual([])
})

it('a post that is not there is said so, whatever became of its approval, and the account takes the video again', async () => {
  const { projectId, cut } = await approved()
  const connection = await connect(officer, 'linkedin')
  await schedule(projectId, connection.id, `Denied ${projectId}`)
  const [post] = await postsOf(projectId)
  await workAt(post!.id, inHours(1.5))
  await workAt(post!.id, inHours(2.01), losing)
  await as(officer)(projects.review, { params: { projectId }, body: { revision: 'The rate' } })
  await workAt(post!.id, inHours(2.1))
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'unconfirmed', actions: ['confirm', 'deny'] })
  await as(staff.editor)(projects.start, { body: { projectId } })
  await cut()
  await as(staff.qa)(projects.approve, { params: { projectId } })
  expect(await outcome(schedule(projectId, connection.id, 'Anew'))).toBe('post.does-not-fit')
  expect((await as(officer)(publishing.deny, { params: { postId: post!.id } })).state).toBe('withdrawn')
  // Approved again before its moment it is scheduled as before, and its officer hears that it is posted nowhere.
  expect(
    await service.database.asSystem((tx) =>
      tx.first(
        sql`select from pgboss.job where name = 'notice' and data::text like '%Choose again where it is posted%'`,
      ),
    ),
  ).toBeDefined()
  await as(officer)(projects.unschedule, { params: { projectId } })
  expect(await outcome(schedule(projectId, connection.id, 'Anew'))).toBe('done')
})

const answering =
  (path: string, status: number, text: string, more: Record<string, string> = {}): Ask =>
  (address, request) =>
    address.includes(path)
      ? Promise.resolve({ status, text, headers: new Headers(more), json: () => JSON.parse(text) })
      : networks().ask(address, request)

it('a LinkedIn post of which an answer was lost is not told as refused, whatever was refused before and after', async () => {
  const refusing = answering('/rest/posts', 403, '{"message":"The rate of your app is restricted"}')
  const lost: Ask = async (address, request) => {
    await networks().ask(address, request)
    if (address.endsWith('/rest/posts')) throw new SilentNetwork('lost')
    return networks().ask(address, request)
  }
  const patience = answering('/rest/posts', 429, '{"message":"Later"}')
  for (const [between, state] of [
    [lost, 'unconfirmed'],
    [patience, 'failed'],
  ] as const) {
    const { projectId } = await approved()
    const connection = await connect(officer, 'linkedin')
    const words = `Refused ${projectId}`
    await schedule(projectId, connection.id, words)
    const [post] = await postsOf(projectId)
    await workAt(post!.id, inHours(1.5))
    await workAt(post!.id, inHours(2.01), refusing)
    await workAt(post!.id, inHours(2.1), between)
    for (let hours = 2.3; hours < 5; hours += 0.2) await workAt(post!.id, inHours(hours), refusing)
    expect((await postsOf(projectId))[0]!.state).toBe(state)
    expect(await shownOnTimeline(words, 'linkedin')).toHaveLength(state === 'unconfirmed' ? 1 : 0)
  }
})

it('of two LinkedIn videos with the same words at one moment one is posted, and the other says so', async () => {
  const connection = await connect(officer, 'linkedin')
  // The answer to the first one arrives, or is lost: then nobody can say which of the two is there.
  for (const isLost of [false, true]) {
    const words = `Twins ${randomUUID()}`
    const [first, second] = [await approved(), await approved()]
    const ids: string[] = []
    for (const { projectId } of [first, second]) {
      await schedule(projectId, connection.id, words)
      const [post] = await postsOf(projectId)
      await workAt(post!.id, inHours(1.5))
      ids.push(post!.id)
    }
    // The stand-in goes by the machine's clock.
    await service.database.asSystem((tx) =>
      tx.count(sql`update post set due_at = now(), next_at = now() where id = any(${ids}::uuid[])`),
    )
    const soon = (minutes: number) => new Date(Date.now() + 1000 + minutes * 60_000)
    await workAt(ids[0]!, soon(0), async (address, request) => {
      const answer = await networks().ask(address, request)
      if (isLost && address.endsWith('/rest/posts')) throw new SilentNetwork('lost')
      return answer
    })
    await workAt(ids[1]!, soon(0))
    for (let minutes = 2; minutes < 40; minutes += 2) for (const id of ids) await workAt(id, soon(minutes))
    const [one, other] = [(await postsOf(first.projectId))[0]!, (await postsOf(second.projectId))[0]!]
    expect(await shownOnTimeline(words, 'linkedin')).toHaveLength(1)
    if (isLost) {
      expect([one.state, other.state]).toEqual(['unconfirmed', 'unconfirmed'])
      continue
    }
    expect(one).toMatchObject({ state: 'live', actions: ['remove'] })
    expect(other).toMatchObject({ state: 'failed', failure: { words: expect.stringContaining('these words already') } })
    // A row of an older release that has the other one's id takes nothing down.
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update post p set state = 'live', live_at = now() + interval '1 minute', remote_id = o.remote_id
        from post o where p.id = ${other.id} and o.id = ${one.id}`),
    )
    expect(await outcome(as(officer)(publishing.takeDown, { params: { postId: other.id } }))).toBe('post.wrong-state')
    expect(await shownOnTimeline(words, 'linkedin')).toHaveLength(1)
    expect((await as(officer)(publishing.takeDown, { params: { postId: one.id } })).state).toBe('removed')
    expect(await shownOnTimeline(words, 'linkedin')).toEqual([])
  }
})

it('of two persons with one LinkedIn account and the same words one has posted, and the other takes nothing down', async () => {
  const account = `pat.${randomUUID().slice(0, 6)}`
  const words = `Twins ${randomUUID()}`
  const first = officer
  const posted: { by: Person; projectId: string; postId: string }[] = []
  for (const by of [first, await makeOfficer(service)]) {
    officer = by
    const connection = await connect(by, 'linkedin', account)
    const { projectId } = await approved()
    await schedule(projectId, connection.id, words)
    const [post] = await postsOf(projectId)
    await workAt(post!.id, inHours(1.5))
    posted.push({ by, projectId, postId: post!.id })
  }
  const ids = posted.map(({ postId }) => postId)
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set due_at = now(), next_at = now() where id = any(${ids}::uuid[])`),
  )
  const soon = (minutes: number) => new Date(Date.now() + 1000 + minutes * 60_000)
  for (let minutes = 0; minutes < 40; minutes += 2) for (const id of ids) await workAt(id, soon(minutes))
  const shown = async ({ by, projectId }: (typeof posted)[number]) =>
    (await as(by)(publishing.posts, { params: { projectId } })).items[0]!
  expect(await shown(posted[0]!)).toMatchObject({ state: 'live', actions: ['remove'] })
  expect(await shown(posted[1]!)).toMatchObject({
    state: 'failed',
    failure: { words: expect.stringContaining('these words already') },
  })
  // A row of an older release that has the other one's id takes nothing down.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update post p set state = 'live', live_at = now() + interval '1 minute', remote_id = o.remote_id
      from post o where p.id = ${ids[1]!} and o.id = ${ids[0]!}`),
  )
  const asked = as(posted[1]!.by)(publishing.takeDown, { params: { postId: ids[1]! } })
  expect(await outcome(asked)).toBe('post.wrong-state')
  expect(await shownOnTimeline(words, 'linkedin')).toHaveLength(1)
})

it('a refusal for good is told within minutes in the network’s words, and patience is kept as it was asked for', async () => {
  const refusals: {
    network: 'linkedin' | 'tiktok'
    ask: Ask
    told: { state: string; failure?: { kind: string } }
    words: string
  }[] = [
    {
      network: 'linkedin',
      ask: answering('/rest/posts', 422, '{"message":"Not allowed here"}'),
      told: {
        state: 'failed',
        failure: { kind: 'permanent', words: expect.stringContaining('Not allowed here') } as never,
      },
      words: 'refused',
    },
    {
      network: 'tiktok',
      ask: (address, request) =>
        address.includes('/upload/')
          ? answering('/upload/', 403, '{}')(address, request)
          : answering(
              '/status/fetch',
              200,
              '{"data":{"status":"FAILED","fail_reason":"frame_rate"},"error":{"code":"ok"}}',
            )(address, request),
      told: { state: 'failed', failure: { kind: 'permanent', words: expect.stringContaining('frame_rate') } as never },
      words: 'failed',
    },
    {
      network: 'tiktok',
      ask: answering('/video/init/', 429, '{"error":{"code":"rate_limit_exceeded"}}', { 'retry-after': '36000' }),
      told: { state: 'prepared' },
      words: 'patience',
    },
  ]
  for (const { network, ask, told, words } of refusals) {
    const { projectId } = await approved()
    const connection = await connect(officer, network)
    await schedule(projectId, connection.id, words, 'SELF_ONLY')
    const [post] = await postsOf(projectId)
    for (const hours of [1.5, 2.01, 2.05, 2.09, 2.13]) await workAt(post!.id, inHours(hours), ask)
    const [after] = await postsOf(projectId)
    expect(after, words).toMatchObject(told)
    if (words === 'patience') expect(Date.parse(after!.nextAt!)).toBeGreaterThan(inHours(9).getTime())
  }
})

it('undoing a step that took a schedule back posts nothing by itself, and asks its officer', async () => {
  const connection = await connect(officer)
  const told = async () =>
    (
      await service.database.asSystem((tx) =>
        tx.rows(sql`select from pgboss.job where name = 'notice' and data::text like '%Choose again where%'
        and data::text like ${`%${officer.id}%`}`),
      )
    ).length
  const [back, elsewhere, late] = [await approved(), await approved(), await approved()]
  // By mistake: its officer presses once, and it goes out at its moment.
  await schedule(back.projectId, connection.id, `Back ${back.projectId}`)
  const [post] = await postsOf(back.projectId)
  await workAt(post!.id, inHours(1.5))
  await as(officer)(projects.unschedule, { params: { projectId: back.projectId } })
  await as(staff.admin)(projects.rollback, { params: { projectId: back.projectId } })
  expect((await postsOf(back.projectId))[0]).toMatchObject({ state: 'withdrawn', actions: ['repeat'] })
  expect(await told()).toBe(1)
  await as(officer)(publishing.repeat, { params: { postId: post!.id } })
  await workAt(post!.id, inHours(1.9))
  expect(await shownOnTimeline(back.projectId)).toEqual([])
  await workAt(post!.id, inHours(2.1))
  expect(await shownOnTimeline(back.projectId)).toHaveLength(1)
  // Scheduled anew without a network, or with other words: what an earlier schedule withdrew stays withdrawn.
  await schedule(elsewhere.projectId, connection.id, `Else ${elsewhere.projectId}`)
  const { publishAt } = await as(officer)(projects.find, { params: { projectId: elsewhere.projectId } })
  await as(officer)(projects.unschedule, { params: { projectId: elsewhere.projectId } })
  await as(officer)(projects.schedule, { params: { projectId: elsewhere.projectId }, body: { publishAt: publishAt! } })
  await as(officer)(projects.unschedule, { params: { projectId: elsewhere.projectId } })
  await as(staff.admin)(projects.rollback, { params: { projectId: elsewhere.projectId } })
  expect((await postsOf(elsewhere.projectId)).map(({ state }) => state)).toEqual(['withdrawn'])
  // Undone after its moment.
  await schedule(late.projectId, connection.id, `Late ${late.projectId}`)
  const [lost] = await postsOf(late.projectId)
  await as(officer)(projects.unschedule, { params: { projectId: late.projectId } })
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set due_at = now() - interval '1 hour' where id = ${lost!.id}`),
  )
  await as(staff.admin)(projects.rollback, { params: { projectId: late.projectId } })
  await workAt(lost!.id, inHours(1))
  expect(await shownOnTimeline(late.projectId)).toEqual([])
})

it('a post of who is no officer any more, or of another company, stays here', async () => {
  const words = `Moved ${randomUUID()}`
  for (const change of [sql`role = 'Editor'`, sql`tenant_id = ${(await makeOfficer(service)).tenantId}`]) {
    const gone = await approved()
    const account = await connect(officer)
    await schedule(gone.projectId, account.id, `Gone ${words}`)
    const [theirs] = await postsOf(gone.projectId)
    await service.database.asSystem((tx) => tx.count(sql`update person set ${change} where id = ${officer.id}`))
    await workAt(theirs!.id, inHours(2.01))
    expect(
      await service.database.asSystem((tx) => tx.first(sql`select state from post where id = ${theirs!.id}`)),
    ).toEqual({ state: 'withdrawn' })
    officer = await makeOfficer(service)
  }
  expect(await shownOnTimeline(`Gone ${words}`)).toEqual([])
})

it('the database itself takes no post of anybody’s to another account, and no other words from whoever serves them', async () => {
  const { projectId, assetId } = await approved()
  const [mine, theirs] = [await connect(officer), await connect(await makeOfficer(service))]
  const insert = (connectionId: string) =>
    service.database.inTenant(officer, (tx) =>
      tx.count(sql`
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at)
        values (${projectId}, ${officer.tenantId}, ${officer.id}, ${connectionId}, 'youtube', ${assetId}, 'x', 'Words', now())`),
    )
  await expect(insert(theirs.id)).rejects.toMatchObject({ code: '42501' })
  expect(await insert(mine.id)).toBe(1)
  const change = (what: ReturnType<typeof sql>) =>
    service.database.inTenant(staff.admin, (tx) =>
      tx.count(sql`update post set ${what} where project_id = ${projectId}`),
    )
  await expect(change(sql`words = 'Buy'`)).rejects.toMatchObject({ code: '42501' })
  await expect(change(sql`connection_id = null`)).rejects.toMatchObject({ code: '42501' })
  expect(await change(sql`state = 'withdrawn'`)).toBe(1)
})

it('an upload to Instagram that was cut off goes on where it was', async () => {
  const { projectId, sha256 } = await approved()
  const connection = await connect(officer, 'instagram')
  const words = `Cut ${randomUUID()}`
  await schedule(projectId, connection.id, words)
  const [post] = await postsOf(projectId)
  await standIns.control({
    faults: [{ network: 'instagram', method: 'POST', path: 'ig-api-upload', skip: 0, kind: 'cut' }],
  })
  const offsets: (string | undefined)[] = []
  for (const hours of [1.5, 1.6, 2.01])
    await workAt(post!.id, inHours(hours), (address, request) => {
      if (address.includes('ig-api-upload')) offsets.push(request?.headers?.['offset'])
      return networks().ask(address, request)
    })
  expect(offsets).toEqual(['0', '40000'])
  expect(await shownOnTimeline(words, 'instagram')).toMatchObject([{ sha256 }])
})

it('a Bluesky account is connected with an app password, posts once, and is disconnected there, too', async () => {
  const { projectId, sha256 } = await approved()
  const name = `sam-${randomUUID().slice(0, 6)}.bsky.sandbox`
  const connection = await connect(officer, 'bluesky', name)
  expect(connection).toMatchObject({ network: 'bluesky', name, state: 'active' })
  const [row] = await service.database.asSystem((tx) =>
    tx.rows(sql`select account_id, tokens from connection where id = ${connection.id}`),
  )
  expect(row).toMatchObject({ account_id: expect.stringMatching(/^did:plc:/), tokens: expect.stringMatching(/^1\./) })
  const words = `Rates fell ${randomUUID()}: https://example.com/rates #rates`
  await schedule(projectId, connection.id, words)
  const [post] = await postsOf(projectId)
  // What allows an upload holds for half an hour by both sides' clocks.
  await standIns.control({ now: inHours(1.5).getTime() })
  await workAt(post!.id, inHours(1.5))
  await standIns.control({ now: null })
  expect((await postsOf(projectId))[0]!.state).toBe('prepared')
  await workAt(post!.id, inHours(2.01))
  const [live] = await postsOf(projectId)
  expect(live).toMatchObject({ state: 'live', address: expect.stringContaining('/bluesky/profile/did:plc:') })
  expect(await shownOnTimeline(words, 'bluesky')).toMatchObject([{ sha256, account: name }])
  await as(officer)(publishing.takeDown, { params: { postId: post!.id } })
  expect(await shownOnTimeline(words, 'bluesky')).toEqual([])
  expect(await as(officer)(publishing.disconnect, { params: { connectionId: connection.id } })).toEqual({
    isRevoked: true,
  })
  expect((await standIns.control({ grants: 'bluesky' })).accounts).not.toContain(name)
})

it('a disconnected Bluesky account ends its person’s own session there, and nobody else’s', async () => {
  const account = `kim.${randomUUID().slice(0, 6)}`
  const others = await makeOfficer(service)
  const [own] = [await connect(officer, 'bluesky', account), await connect(others, 'bluesky', account)]
  const sessions = async () =>
    (await standIns.control({ grants: 'bluesky' })).accounts.filter((one: string) => one === account)
  expect(await sessions()).toHaveLength(2)
  const { isRevoked } = await as(officer)(publishing.disconnect, { params: { connectionId: own.id } })
  expect(isRevoked).toBe(true)
  expect(await sessions()).toHaveLength(1)
  expect((await as(others)(publishing.connections, {})).items).toMatchObject([{ name: account, state: 'active' }])
})

it('an account’s own password, a wrong one and a server that is not public connect nothing', async () => {
  const asked = (body: object) =>
    outcome(
      as(officer)(publishing.connectWithPassword, {
        body: { network: 'bluesky' as const, name: 'sam.bsky.sandbox', password: appPassword, ...body },
      }),
    )
  // What opens the whole account is not taken, and is ended at once.
  expect(await asked({ password: 'the-account-itself' })).toBe('connection.wrong-password')
  expect((await standIns.control({ grants: 'bluesky' })).accounts).not.toContain('sam.bsky.sandbox')
  expect(await asked({ password: 'wrong' })).toBe('connection.wrong-password')
  expect(await asked({ network: 'youtube' })).toBe('connection.not-offered')
  for (const server of ['https://127.0.0.1', 'https://10.0.0.8', 'https://[::1]', 'https://printer.local'])
    expect(await asked({ server }), server).toBe('connection.refused')
  expect(await outcome(as(officer)(publishing.connect, { body: { network: 'bluesky' } }))).toBe(
    'connection.not-offered',
  )
  expect((await as(officer)(publishing.connections, {})).items).toEqual([])
})

it('of the pages on Facebook those are connected that their person may post to, and a reel is taken down there', async () => {
  const { projectId, sha256 } = await approved()
  const connection = await connect(officer, 'facebook')
  // The stand-in has a second page, which this person may only read.
  expect((await as(officer)(publishing.connections, {})).items).toHaveLength(1)
  const words = `Reel ${randomUUID()}`
  await schedule(projectId, connection.id, words)
  const [post] = await postsOf(projectId)
  await workAt(post!.id, inHours(1.5))
  expect((await postsOf(projectId))[0]!.state).toBe('prepared')
  expect(await shownOnTimeline(words, 'facebook')).toEqual([])
  await workAt(post!.id, inHours(2.01))
  await workAt(post!.id, inHours(2.05))
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'live', actions: ['remove'] })
  expect(await shownOnTimeline(words, 'facebook')).toMatchObject([{ sha256 }])
  await as(officer)(publishing.takeDown, { params: { postId: post!.id } })
  expect(await shownOnTimeline(words, 'facebook')).toEqual([])
})

it('a reel of which Facebook has begun nothing yet is not taken for absent within ten minutes, and is after them', async () => {
  const connection = await connect(officer, 'facebook')
  const isFinish = (body: unknown) => typeof body === 'string' && body.includes('upload_phase=finish')
  const idle = { status: 'not_started' }
  const untouched = {
    status: { uploading_phase: { status: 'complete' }, processing_phase: idle, publishing_phase: idle },
  }
  for (const isTaken of [true, false]) {
    const { projectId } = await approved()
    const words = `Reel ${randomUUID()}`
    await schedule(projectId, connection.id, words)
    const [post] = await postsOf(projectId)
    await workAt(post!.id, inHours(1.5))
    // The answer to the finish is lost, and nothing of it is seen at first.
    const queued: Ask = async (address, request) => {
      if (isFinish(request?.body)) {
        if (isTaken) await networks().ask(address, request)
        throw new SilentNetwork('lost')
      }
      return address.includes('fields=status')
        ? answering('fields=status', 200, JSON.stringify(untouched))(address, request)
        : networks().ask(address, request)
    }
    await workAt(post!.id, inHours(2.01), queued)
    await as(officer)(projects.unschedule, { params: { projectId } })
    const minutes = (after: number) => inHours(2.01 + after / 60)
    for (let after = 2; after < 10; after += 0.5) await workAt(post!.id, minutes(after), queued)
    expect((await postsOf(projectId))[0]!.state).toBe('armed')
    for (const after of [10.5, 12]) await workAt(post!.id, minutes(after), isTaken ? undefined : queued)
    expect((await postsOf(projectId))[0]!.state).toBe(isTaken ? 'live' : 'withdrawn')
    expect(await shownOnTimeline(words, 'facebook')).toHaveLength(isTaken ? 1 : 0)
  }
})

it('an account on Threads is connected, and a file that it cannot fetch is told after some tries', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer, 'threads')
  await schedule(projectId, connection.id, `Thread ${projectId}`)
  const [post] = await postsOf(projectId)
  // Nobody listens at the address of this service.
  for (let minutes = 90; minutes < 120; minutes += 5) await workAt(post!.id, inHours(minutes / 60))
  expect((await postsOf(projectId))[0]).toMatchObject({
    state: 'failed',
    failure: { kind: 'retry', words: expect.stringContaining('FAILED_DOWNLOADING_VIDEO') },
  })
})

it('a network that throws the file away each time it is there is given up, and asked to publish six times at most', async () => {
  const { projectId } = await approved()
  const connection = await connect(officer, 'bluesky')
  await schedule(projectId, connection.id, `Thrown away ${projectId}`)
  const [post] = await postsOf(projectId)
  let asked = 0
  await workAt(post!.id, inHours(2.01), async (address, request) => {
    const json = (said: object, status: number) => answering('/xrpc/', status, JSON.stringify(said))(address, request)
    if (address.includes('getServiceAuth')) return json({ token: 'a' }, 200)
    if (address.includes('uploadVideo'))
      return json({ jobStatus: { jobId: `job ${asked}`, did: 'did:plc:a', state: '' } }, 200)
    if (address.includes('getJobStatus')) return json({ jobStatus: { blob: { $type: 'blob' } } }, 200)
    if (!address.includes('createRecord')) return networks().ask(address, request)
    asked++
    return json({ error: 'InvalidRequest', message: 'Could not find blob: b' }, 400)
  })
  expect(asked).toBe(6)
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'failed', failure: { kind: 'retry' } })
})
