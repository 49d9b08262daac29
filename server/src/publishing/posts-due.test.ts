// @module-tag long
import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, sql } from '../kernel/database.ts'
import { openQueue } from '../kernel/queue.ts'
import { runScheduler } from '../kernel/scheduler.ts'
import { work, type Job } from '../kernel/work.ts'
import { networks } from '../outside/networks/networks.ts'
import { tokensOf } from '../outside/networks/oauth.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo } from '../../test/posting.ts'
import { isLong } from '../../test/random.ts'
import { makeOfficer, makePerson, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { postJob, postUploadJob, publishingTasks } from './jobs.ts'
import { sealTokens } from './tokens.ts'

/** `POSTS` says how many are due in one minute: 10,000 in the long form, 60 in the short one. */
const count = Number(process.env.POSTS ?? (isLong ? 10_000 : 60))
const minute = isLong ? 60_000 : 6_000
const schedulers = isLong ? 5 : 2
/** What X takes of one account in 15 minutes, by its documents. */
const quota = 100
const silent = { info: () => {}, warn: () => {}, error: () => {} }

let service: OpenedService
let standIns: StandInNetworks
const closers: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
}, 120_000)
afterAll(async () => {
  for (const close of closers) await close()
  await service?.close()
  await standIns?.close()
})

/** A worker and a clock with connections of their own, as another process has them. */
const startScheduler = async () => {
  const queue = await openQueue(service.urls.appUrl, { works: true })
  const database = openDatabase(service.urls.appUrl, { queue, max: 10 })
  const stop = new AbortController()
  await work([postJob, postUploadJob] as readonly Job[], { queue, database, log: silent, stop: stop.signal })
  const ran = runScheduler(publishingTasks({ database, log: silent }), { log: silent, signal: stop.signal })
  closers.push(async () => {
    stop.abort()
    await ran
    await queue.close()
    await database.close()
  })
}

/** An account at X, straight from the network's own hand. */
const connectTo = async ({ id: userId }: Person): Promise<string> => {
  const id = randomUUID()
  const account = `sam.${id}`
  const now = new Date()
  const sealed = sealTokens(
    networks(),
    id,
    tokensOf(await standIns.control({ grant: { network: 'x', account } }), now),
    now,
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into connection (id, user_id, network, account_id, name, tokens, access_ends_at, ends_at)
      values (${id}, ${userId}, 'x', ${account}, ${account}, ${sealed.tokens}, ${sealed.accessEndsAt}, ${sealed.endsAt})`),
  )
  return id
}

type Owner = { person: Person; connectionId: string; posts: number; kind: 'large' | 'small' | 'over' }

/** Half of the posts are one company's; of the others' each has few; and one account has more than its network takes. */
const owners = async (): Promise<Owner[]> => {
  const over = isLong ? quota + 20 : 0
  const large = Math.floor((count - over) / 2)
  const small = count - over - large
  const made: Owner[] = []
  const add = async (person: Person, posts: number, kind: Owner['kind']) =>
    made.push({ person, connectionId: await connectTo(person), posts, kind })
  const company = await makeOfficer(service)
  const officers = Math.max(2, Math.ceil(large / (quota * 0.8)))
  for (let n = 0; n < officers; n++)
    await add(
      n === 0 ? company : await makePerson(service, 'User', { tenantId: company.tenantId }),
      share(large, officers, n),
      'large',
    )
  const companies = isLong ? Math.ceil(small / 25) : 6
  for (let n = 0; n < companies; n++) await add(await makeOfficer(service), share(small, companies, n), 'small')
  if (over > 0) await add(await makeOfficer(service), over, 'over')
  return made
}
const share = (all: number, parts: number, n: number): number =>
  Math.floor((all * (n + 1)) / parts) - Math.floor((all * n) / parts)

/** Posts of approved videos, each a project of its own; they share the bytes of one file. */
const makePosts = async (all: readonly Owner[]): Promise<void> => {
  const { projectId, assetId, sha256 } = await approvedVideo(service, all[0]!.person, await makeStaff(service))
  await service.database.asSystem(async (tx) => {
    for (const { person, connectionId, posts } of all)
      await tx.count(sql`
        with ids as (select uuidv7() as id from generate_series(1, ${posts})),
        made as (
          insert into project
          select r.* from ids, project p, jsonb_populate_record(null::project, to_jsonb(p) || jsonb_build_object(
            'id', ids.id, 'user_id', ${person.id}::uuid, 'tenant_id', ${person.tenantId}::uuid, 'status', 7,
            'publish_at', now() + interval '30 minutes', 'due_at', null)) r
          where p.id = ${projectId} returning id)
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, next_at)
        select id, ${person.tenantId}::uuid, ${person.id}::uuid, ${connectionId}::uuid, 'x', ${assetId}::uuid, ${sha256},
          'Rates ' || id, now() + interval '30 minutes', now() from made`)
  })
}

const countOf = async (...states: string[]): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ count: number }>`select count(*)::integer as count from post where state = any(${states}::text[])`),
  ))!.count

const waitingCount = async (): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ count: number }>`
      select count(*)::integer as count from post where state = 'prepared' and tried > 0 and next_at > now() + interval '1 minute'`),
  ))!.count

type Late = { kind: Owner['kind']; seconds: number }
const shareOf = (all: readonly Late[], part: number): number =>
  all.map(({ seconds }) => seconds).toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))]!

it(
  `${count} posts that are due in one minute go out once, in time, within quotas and fair between companies`,
  async () => {
    const all = await owners()
    await makePosts(all)
    for (let n = 0; n < schedulers; n++) await startScheduler()
    const began = Date.now()
    await expect.poll(() => countOf('prepared'), { timeout: isLong ? 3_600_000 : 100_000, interval: 500 }).toBe(count)
    const preparedIn = (Date.now() - began) / 1000

    // Moved as its officer moves it: a run that has it ready and is about to let go of it has it no more.
    const first = Date.now() + 4000
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update post p set due_at = d.at, next_at = d.at, run = p.run + 1, leased_until = null
        from (
          select id, ${new Date(first)}::timestamptz + (row_number() over (order by md5(id::text)) - 1) * ${minute / count}::float8 * interval '1 millisecond' as at
          from post) d
        where d.id = p.id`),
    )
    const over = all.filter(({ kind }) => kind === 'over').reduce((sum, { posts }) => sum + posts - quota, 0)
    // Those beyond the quota were refused, and wait for its next beginning: each on its own, minutes away.
    await expect
      .poll(async () => [await countOf('live'), await waitingCount()], { timeout: minute + 600_000, interval: 500 })
      .toEqual([count - over, over])
    const endedIn = (Date.now() - first) / 1000

    const kindOf = new Map(all.map(({ person, kind }) => [person.id, kind]))
    const rows = await service.database.asSystem((tx) =>
      tx.rows(sql<{ user_id: string; seconds: number }>`
        select p.user_id, extract(epoch from (
          select min(e.at) from post_event e where e.post_id = p.id and e.event = 'arm') - p.due_at)::float8 as seconds
        from post p`),
    )
    const late = rows.map(({ user_id: id, seconds }) => ({ kind: kindOf.get(id)!, seconds }))
    const of = (kind: Owner['kind']) => late.filter((one) => one.kind === kind)
    const told = (some: readonly Late[]) =>
      [0.5, 0.95, 0.99, 1].map((part) => shareOf(some, part).toFixed(1)).join(' / ')
    const { timeline, made } = await standIns.timeline('x')
    console.log(
      `${count} posts of ${all.length} accounts, ${schedulers} schedulers, load ${loadavg()[0]!.toFixed(1)}: prepared in ${preparedIn.toFixed(0)} s, out in ${endedIn.toFixed(0)} s (${made} made, ${over} wait for their quota)
seconds late, p50 / p95 / p99 / most: ${told(late)}; the large company ${told(of('large'))}; small ones ${told(of('small'))}`,
    )
    // Once each, and no account beyond what its network takes.
    expect([made, new Set(timeline.map(({ words }) => words)).size]).toEqual([count - over, count - over])
    const byAccount = Map.groupBy(timeline, ({ account }) => account)
    for (const some of byAccount.values()) expect(some.length).toBeLessThanOrEqual(quota)
    // A company with half of all posts keeps nobody else waiting.
    expect(shareOf(of('small'), 0.99)).toBeLessThanOrEqual(Math.max(5, shareOf(of('large'), 0.99) * 1.2))
  },
  isLong ? 7_200_000 : 300_000,
)
