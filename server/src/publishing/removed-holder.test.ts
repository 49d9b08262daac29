import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { networkNames, type Network } from '@clear-to-post/domain/networks'
import { sql } from '../kernel/database.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { networks, openNetworks } from '../outside/networks/networks.ts'
import { openMail } from '../outside/mail.ts'
import { eraseJob } from '../personal-data/jobs.ts'
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
    await rows<{ work: { done: string[] } | null; finished_at: Date | null }>(
      sql`select work, finished_at from removal where id = ${id}`,
    )
  )[0]!

it.each(networkNames)(
  'a grant of a removed person on %s ends there where the network takes it back',
  async (network) => {
    const { officer, account } = await connected(network)
    const takesBack = networks().of(network)!.adapter.revoke !== null
    const id = await remove(officer)
    await erase(id)
    expect(await isAllowed(network, account)).toBe(!takesBack)
    expect(await workOf(id)).toMatchObject({ work: null, finished_at: expect.any(Date) })
  },
)

it('a colleague who connected the same account keeps it', async () => {
  const { officer, account } = await connected('youtube')
  await connectAccount(service, await makeOfficer(service), 'youtube', account)
  await erase(await remove(officer))
  expect(await isAllowed('youtube', account)).toBe(true)
})

it('a network that does not answer is asked again for three days, and keeps nothing else waiting', async () => {
  const [some, other] = [await connected('youtube'), await connected('youtube')]
  const silent: Ask = () => Promise.reject(new SilentNetwork('the line broke'))
  await openNetworks(service.config, silent)
  const [id, late] = [await remove(some.officer), await remove(other.officer)]
  for (const one of [id, late]) {
    await expect(erase(one)).rejects.toThrow('the line broke')
    const { work } = await workOf(one)
    expect(work!.done).toEqual(expect.arrayContaining(['rows', 'assets', 'edits', 'subscriptions', 'mail']))
    expect(work!.done).not.toContain('publishing')
  }
  await rows(sql`
    update removal set work = jsonb_set(work, '{traces,grants,0,until}', to_jsonb(now() - interval '1 second')) where id = ${late}`)
  await erase(late)
  expect(await workOf(late)).toMatchObject({ work: null, finished_at: expect.any(Date) })
  await openNetworks(service.config)
  await erase(id)
  expect(await isAllowed('youtube', some.account)).toBe(false)
  expect(await workOf(id)).toMatchObject({ work: null, finished_at: expect.any(Date) })
})
