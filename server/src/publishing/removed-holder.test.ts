import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { networkNames, type Network } from '@clear-to-post/domain/networks'
import { openDatabase, sql } from '../kernel/database.ts'
import type { Jobs } from '../kernel/queue.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { networks, openNetworks } from '../outside/networks/networks.ts'
import { openMail } from '../outside/mail.ts'
import { endGrantJob, eraseJob, resumeRemovals } from '../personal-data/jobs.ts'
import { jobContext } from '../../test/mails.ts'
import { connectAccount } from '../../test/posting.ts'
import { callConfirmed, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

/** What somebody had allowed at networks ends there, too, when they are removed. */
let service: OpenedService, standIns: StandInNetworks
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  openMail(service.config)
})
beforeEach(() => openNetworks(service.config))
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))
const remove = async (officer: Person): Promise<string> => {
  await callConfirmed(service, officer)(accounts.remove, { query: {} })
  const [removal] = await rows<{ id: string }>(sql`select id from removal where person_id = ${officer.id}`)
  return removal!.id
}
const erase = (removalId: string) => eraseJob.run({ removalId }, jobContext(service))
/** Runs the jobs that wait to end grants of a removal, as workers do; answers what went wrong. */
const endGrants = async (removalId: string, database = service.database): Promise<string[]> => {
  const jobs = await rows<{ id: string; data: Jobs['end-grant'] }>(sql`
    select id, data from pgboss.job where name = 'end-grant' and state = 'created' and data->>'removalId' = ${removalId} order by id`)
  const failed: string[] = []
  for (const { id, data } of jobs)
    await endGrantJob.run(data, jobContext({ database })).then(
      () => rows(sql`update pgboss.job set state = 'completed' where id = ${id}`),
      (error: Error) => void failed.push(error.message),
    )
  return failed
}
const isAllowed = async (network: Network, account: string): Promise<boolean> =>
  (await standIns.control({ grants: network })).accounts.includes(account)
const connected = async (network: Network) => {
  const officer = await makeOfficer(service)
  const account = `sam.${randomUUID().slice(0, 6)}${network === 'bluesky' ? '.bsky.sandbox' : ''}`
  await connectAccount(service, officer, network, account)
  expect(await isAllowed(network, account)).toBe(true)
  return { officer, account }
}
const workOf = async (id: string) =>
  (
    await rows<{ work: { done: string[]; leaving: unknown } | null; finished_at: Date | null }>(
      sql`select work, finished_at from removal where id = ${id}`,
    )
  )[0]!
const ended = { work: null, finished_at: expect.any(Date) }
const silent: Ask = () => Promise.reject(new SilentNetwork('the line broke'))
/** Somebody with so many accounts at servers of their own, each of which says by its key when it is asked. */
const withServers = async (count: number) => {
  const officer = await makeOfficer(service)
  for (let n = 0; n < count; n++)
    await connectAccount(service, officer, 'bluesky', `sam.${randomUUID().slice(0, 6)}.bsky.sandbox`)
  return officer
}
const keyOf = (request: Parameters<Ask>[1]): string => request!.headers!['authorization']!

it.each(networkNames)(
  'a grant of a removed person on %s ends there where the network takes it back',
  async (network) => {
    const { officer, account } = await connected(network)
    const takesBack = networks().of(network)!.adapter.revoke !== null
    const id = await remove(officer)
    await erase(id)
    expect(await endGrants(id)).toEqual([])
    expect(await isAllowed(network, account)).toBe(!takesBack)
    expect(await workOf(id)).toMatchObject(ended)
  },
)

it('a colleague who connected the same account keeps it', async () => {
  const { officer, account } = await connected('youtube')
  await connectAccount(service, await makeOfficer(service), 'youtube', account)
  const id = await remove(officer)
  await erase(id)
  expect(await endGrants(id)).toEqual([])
  expect(await isAllowed('youtube', account)).toBe(true)
  expect(await workOf(id)).toMatchObject(ended)
})

it('a network that does not answer is asked again for three days, and the removal waits for it without a name', async () => {
  const [some, other] = [await connected('youtube'), await connected('youtube')]
  await openNetworks(service.config, silent)
  const [id, late] = [await remove(some.officer), await remove(other.officer)]
  for (const one of [id, late]) {
    await erase(one)
    expect(await endGrants(one)).toEqual(['the line broke'])
    const { work, finished_at } = await workOf(one)
    expect(work!.done).toEqual(expect.arrayContaining(['rows', 'assets', 'edits', 'subscriptions', 'mail']))
    expect(work!.leaving).toBeNull()
    expect(finished_at).toBeNull()
  }
  await rows(sql`
    update removal set work = jsonb_set(work, '{traces,grants,0,until}', to_jsonb(now() - interval '1 second')) where id = ${late}`)
  expect(await endGrants(late)).toEqual([])
  expect(await workOf(late)).toMatchObject(ended)
  await openNetworks(service.config)
  expect(await endGrants(id)).toEqual([])
  expect(await isAllowed('youtube', some.account)).toBe(false)
  expect(await workOf(id)).toMatchObject(ended)
})

it('the job that erases asks no network, and each one is asked by a job that gives it a few seconds', async () => {
  const asked: (number | undefined)[] = []
  const id = await remove(await withServers(3))
  await openNetworks(service.config, (address, request) => {
    asked.push(request?.withinSeconds)
    return silent(address, request)
  })
  await erase(id)
  expect(asked).toEqual([])
  expect(await endGrants(id)).toHaveLength(3)
  expect(asked).toEqual([5, 5, 5])
})

it('a grant that has ended is asked no more while another network of that person is silent', async () => {
  const real = networks().ask
  const id = await remove(await withServers(3))
  const asked: string[] = []
  let silentKey: string | undefined
  await openNetworks(service.config, (address, request) => {
    const key = keyOf(request)
    asked.push(key)
    silentKey ??= key
    return key === silentKey ? silent(address, request) : real(address, request)
  })
  await erase(id)
  expect(await endGrants(id)).toEqual(['the line broke'])
  expect(new Set(asked).size).toBe(3)
  expect(await workOf(id)).toMatchObject({ finished_at: null })
  // Neither by the removal's own job, should that run again.
  await erase(id)
  expect(await endGrants(id)).toEqual(['the line broke'])
  expect(asked.slice(3)).toEqual([silentKey])
  await openNetworks(service.config, real)
  expect(await endGrants(id)).toEqual([])
  expect(await workOf(id)).toMatchObject(ended)
})

it('a job that dies when its network has answered asks that one again, and no other', async () => {
  const real = networks().ask
  const id = await remove(await withServers(3))
  const asked: string[] = []
  // What a job had for a database is gone in the moment of the second answer.
  const dying = openDatabase(service.urls.appUrl, { queue: service.queue })
  await openNetworks(service.config, async (address, request) => {
    asked.push(keyOf(request))
    const answer = await real(address, request)
    if (asked.length === 2) await dying.close()
    return answer
  })
  await erase(id)
  expect((await endGrants(id, dying)).length).toBeGreaterThan(0)
  expect(await workOf(id)).toMatchObject({ finished_at: null })
  expect(await endGrants(id)).toEqual([])
  expect(await workOf(id)).toMatchObject(ended)
  const times = [...Map.groupBy(asked, (key) => key).values()].map(({ length }) => length)
  expect(times.toSorted()).toEqual([1, 1, 2])
})

it('a grant whose job was lost, or that an earlier release left, gets one, and the removal’s own job no second', async () => {
  const id = await remove(await withServers(2))
  await openNetworks(service.config, silent)
  const jobs = () =>
    rows<{ name: string; group_id: string | null }>(sql`
      select name, group_id from pgboss.job where state = 'created' and data->>'removalId' = ${id}`)
  await erase(id)
  await rows(sql`delete from pgboss.job where data->>'removalId' = ${id}`)
  const later = new Date(Date.now() + 3_600_000)
  for (let twice = 0; twice < 2; twice++) {
    await resumeRemovals(service.database, later)
    expect(await jobs()).toEqual(Array(2).fill({ name: 'end-grant', group_id: id }))
  }
  await openNetworks(service.config)
  expect(await endGrants(id)).toEqual([])
  expect(await workOf(id)).toMatchObject(ended)
})

it('the tries of a silent network’s job begin after a minute, grow to hours and outlast the three days', async () => {
  const [queue] = await rows<{ tries: number; first: number; most: number; grows: boolean }>(sql`
    select retry_limit as tries, retry_delay as first, retry_delay_max as most, retry_backoff as grows
    from pgboss.queue where name = 'end-grant'`)
  expect(queue).toMatchObject({ first: 60, most: 6 * 3600, grows: true })
  // Each pause is between half and all of this.
  const pauses = Array.from({ length: queue!.tries }, (_, n) => Math.min(queue!.most, queue!.first * 2 ** (n + 1)) / 2)
  expect(pauses.reduce((all, one) => all + one)).toBeGreaterThan(3 * 86_400)
})
