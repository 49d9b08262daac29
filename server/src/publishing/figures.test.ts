import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { networkNames, networks as limits, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import { figureNames } from '@clear-to-post/domain/figures'
import { fileUrl } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { callAs, callConfirmed, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { enqueueFigures, readFigures } from './figures.ts'

let service: OpenedService
let standIns: StandInNetworks
let origin: string
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  // Some networks fetch the file from us.
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  staff = await makeStaff(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
const figuresOf = async (person: Person) => as(person)(publishing.figures, {})

/** Posts of one video of this person's that are there, and the accounts they went to. */
const liveAt = async (officer: Person, names: readonly Network[]) => {
  const { projectId, assetId } = await approvedVideo(service, officer, staff)
  const connections = new Map<Network, string>()
  for (const name of names) connections.set(name, (await connectAccount(service, officer, name)).id)
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: names.map((name) => {
        const { privacy }: NetworkLimits = limits[name]
        return {
          connectionId: connections.get(name)!,
          words: `Figures ${randomUUID()}`,
          title: 'Rates',
          ...(privacy ? { privacy: privacy.choices[0]! } : {}),
          ...(name === 'tiktok'
            ? { tiktok: { mode: 'direct' as const, allows: [], isCommercial: false, discloses: [], agrees: true } }
            : {}),
        }
      }),
    },
  })
  const postsOf = async () => (await as(officer)(publishing.posts, { params: { projectId } })).items
  // The product serves files by the machine's clock, which signs this one anew.
  const ask: Ask = (address, request) => {
    const form = new URLSearchParams(typeof request?.body === 'string' ? request.body : '')
    if (!form.has('video_url')) return networks().ask(address, request)
    form.set('video_url', origin + fileUrl(assetId, 'original.mp4', new Date()))
    return networks().ask(address, { ...request, body: form.toString() })
  }
  for (const hours of [1.9, 1.95, 2.01, 2.02, 2.1]) {
    await standIns.control({ now: inHours(hours).getTime() })
    for (const { id } of await postsOf()) await workOnPost(service, id, inHours(hours), ask)
  }
  await standIns.control({ now: null })
  const posts = await postsOf()
  for (const { network, state, failure } of posts) expect({ network, state, failure }).toMatchObject({ state: 'live' })
  return {
    projectId,
    postOf: async (name: Network) => (await postsOf()).find(({ network }) => network === name)!,
    accountOf: (name: Network) => connections.get(name)!,
  }
}
const live = async (officer: Person, network: Network = 'youtube') => {
  const { projectId, postOf, accountOf } = await liveAt(officer, [network])
  return { id: (await postOf(network)).id, connectionId: accountOf(network), projectId }
}
const read = async (connectionId: string, hours: number, ask: Ask = networks().ask) => {
  await standIns.control({ now: inHours(hours).getTime() })
  try {
    return await readFigures(
      { database: service.database, networks: { ...networks(), ask }, now: () => inHours(hours) },
      connectionId,
    )
  } finally {
    await standIns.control({ now: null })
  }
}
const measureAt = async (id: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ at: Date | null }>`select measure_at as at from post where id = ${id}`),
  ))!.at

it('a post’s figures are read once a day, grow, and hold all that its network tells', async () => {
  const officer = await makeOfficer(service)
  const telling = networkNames.filter((name) => (limits[name] satisfies NetworkLimits as NetworkLimits).tells)
  const { projectId, postOf, accountOf } = await liveAt(officer, telling)
  for (const network of telling) {
    const { tells = [] }: NetworkLimits = limits[network]
    expect(await read(accountOf(network), 30), network).toBe(1)
    // A second job of the same day asks for nothing.
    expect(await read(accountOf(network), 31), network).toBe(0)
    const first = (await postOf(network)).figures!
    expect(
      Object.keys(first).filter((name) => name !== 'at'),
      network,
    ).toEqual(figureNames.filter((name) => tells.includes(name)))
    expect(await read(accountOf(network), 200), network).toBe(1)
    const later = (await postOf(network)).figures!
    for (const name of tells) expect(later[name], `${network} ${name}`).toBeGreaterThan(first[name]!)
  }
  const { items, bestTime } = await figuresOf(officer)
  expect(items.map(({ network }) => network).toSorted()).toEqual(telling.toSorted())
  expect(items.every((post) => post.projectId === projectId && post.figures)).toBe(true)
  expect(bestTime).toMatchObject({ needed: expect.any(Number) })
})

it('an adapter reads figures exactly where the table of networks says that its network tells some', () => {
  for (const name of networkNames)
    expect(networks().of(name)!.adapter.measure !== null, name).toBe(
      (limits[name] satisfies NetworkLimits as NetworkLimits).tells !== undefined,
    )
})

it('a network that is silent or asks for patience leaves the post as it was, to be asked later', async () => {
  const officer = await makeOfficer(service)
  const { id, connectionId, projectId } = await live(officer, 'youtube')
  const silent: Ask = () => Promise.reject(new SilentNetwork('away'))
  expect(await read(connectionId, 30, silent)).toBe(0)
  expect((await measureAt(id))!.getTime()).toBeGreaterThan(inHours(30.9).getTime())
  const patient: Ask = async (address, request) =>
    address.includes('/videos')
      ? {
          status: 429,
          headers: new Headers({ 'retry-after': '7200' }),
          text: '{}',
          json: () => ({}),
        }
      : networks().ask(address, request)
  expect(await read(connectionId, 31, patient)).toBe(0)
  expect((await measureAt(id))!.getTime()).toBeGreaterThan(inHours(1.9).getTime())
  expect((await as(officer)(publishing.posts, { params: { projectId } })).items[0]!.figures).toBeUndefined()
  // A token that ended is renewed for it, too.
  await standIns.control({ endTokens: 'youtube' })
  expect(await read(connectionId, 32)).toBe(1)
})

it('a post that is taken down, a month old or at an account that ended is measured no more', async () => {
  const officer = await makeOfficer(service)
  const gone = await live(officer, 'youtube')
  await as(officer)(publishing.takeDown, { params: { postId: gone.id } })
  expect(await measureAt(gone.id)).toBeNull()
  const old = await live(officer, 'youtube')
  expect(await read(old.connectionId, 31 * 24)).toBe(1)
  expect(await measureAt(old.id)).toBeNull()
  const ended = await live(officer, 'youtube')
  await as(officer)(publishing.disconnect, { params: { connectionId: ended.connectionId } })
  expect(await read(ended.connectionId, 30)).toBe(0)
  await enqueueFigures({ database: service.database, networks: networks() }, inHours(30))
  expect(await measureAt(ended.id)).toBeNull()
})

it('of an officer who is shut out no figures are read until they may come back', async () => {
  const officer = await makeOfficer(service)
  const { id, connectionId } = await live(officer)
  const setDisabled = (isDisabled: boolean) =>
    callConfirmed(service, staff.admin)(accounts.update, { body: { userId: officer.id, isDisabled } })
  const askedFor = async (hours: number) => {
    await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where name = 'figures'`))
    await enqueueFigures({ database: service.database, networks: networks() }, inHours(hours))
    return service.database.asSystem((tx) =>
      tx.rows(sql`select from pgboss.job where name = 'figures' and data ->> 'connectionId' = ${connectionId}`),
    )
  }
  await setDisabled(true)
  expect(await askedFor(30)).toHaveLength(0)
  // One that was asked for just before asks the network nothing either.
  const noAsk: Ask = () => Promise.reject(new Error('the network was asked'))
  expect(await read(connectionId, 30, noAsk)).toBe(0)
  expect(await measureAt(id)).not.toBeNull()
  await setDisabled(false)
  expect(await askedFor(31)).toHaveLength(1)
  expect(await read(connectionId, 31)).toBe(1)
  // The same while their company is closed.
  const setActive = (isActive: boolean) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update tenant set is_active = ${isActive} where id = ${officer.tenantId}`),
    )
  await setActive(false)
  expect(await askedFor(60)).toHaveLength(0)
  expect(await read(connectionId, 60, noAsk)).toBe(0)
  await setActive(true)
  expect(await askedFor(61)).toHaveLength(1)
})

it('accounts are asked about in turn of their owners, and no more in a minute than the network allows', async () => {
  const many = await makeOfficer(service)
  const one = await makeOfficer(service)
  const { id } = await live(many, 'youtube')
  const lone = await live(one, 'youtube')
  // Ten accounts of one officer, all of which waited longer than the other one's.
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update post set measure_at = null where id <> all(${[id, lone.id]})`)
    for (let n = 0; n < 9; n++)
      await tx.count(sql`
        with account as (
          insert into connection (user_id, network, account_id, name) values (${many.id}, 'youtube', ${`UC-${n}`}, 'More') returning id)
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, state, live_at,
          remote_id, measure_at)
        select p.project_id, p.tenant_id, p.user_id, account.id, p.network, p.asset_id, p.sha256, p.words, p.due_at, 'live', now(),
          ${`v${n}`}, now() - interval '1 day' from post p, account where p.id = ${id}`)
    await tx.count(sql`update post set measure_at = now() - interval '1 minute' where id = ${lone.id}`)
    await tx.count(sql`delete from pgboss.job where name = 'figures'`)
  })
  const deps = { database: service.database, networks: networks() }
  const { perMinute } = networks().of('youtube')!.adapter.measure!
  expect(await enqueueFigures(deps, new Date())).toBe(perMinute)
  expect(await enqueueFigures(deps, new Date())).toBe(0)
  const asked = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select data ->> 'connectionId' as id from pgboss.job where name = 'figures'`),
  )
  expect(asked.map((job) => job.id)).toContain(lone.connectionId)
})

it('nobody sees the figures of others, and a best time needs a dozen posts', async () => {
  const officer = await makeOfficer(service)
  const { connectionId } = await live(officer, 'youtube')
  await read(connectionId, 30)
  const stranger = await makeOfficer(service)
  expect(await figuresOf(stranger)).toEqual({ items: [], bestTime: { posts: 0, needed: 12 } })
  // Twelve weeks of posts; those of Tuesday at ten did three times as well.
  await service.database.asSystem((tx) =>
    tx.count(sql`
      with made as (
        insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, state, live_at)
        select p.project_id, p.tenant_id, p.user_id, p.connection_id, p.network, p.asset_id, p.sha256, p.words, at, 'live', at
        from post p cross join lateral (
          select (date_trunc('week', now()) - n * interval '1 week' + case when odd then interval '1 day 10 hours' else interval '3 days 16 hours' end)
            at time zone 'UTC' at time zone 'America/New_York' as at
          from generate_series(2, 9) n, (values (true), (false)) o (odd)) t
        where p.connection_id = ${connectionId} returning id, live_at)
      insert into post_figures (post_id, day, at, views)
      select id, live_at::date + 3, live_at + interval '3 days',
        case when extract(dow from live_at at time zone 'America/New_York') = 2 then 300 else 100 end from made`),
  )
  const { bestTime } = await figuresOf(officer)
  expect(bestTime).toMatchObject({ posts: 16, needed: 0, weekday: { weekday: 2 }, hour: { hour: 9 } })
})
