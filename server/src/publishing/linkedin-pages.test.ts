import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { sql } from '../kernel/database.ts'
import { linkedin } from '../outside/networks/linkedin.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
import { allow, approvedVideo, inHours, workOnPost } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { runComment } from './comment.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
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

/** Connects somebody who administers two pages: their profile and both. */
const connect = async () => {
  const account = `pages.${randomUUID().slice(0, 6)}`
  const { address } = await as(officer)(publishing.connect, { body: { network: 'linkedin' } })
  const { state, code } = await allow(address, account)
  const { items } = await as(officer)(publishing.finishConnecting, { body: { state, code } })
  return { account, connected: items.filter(({ name }) => name.startsWith(account)) }
}

const post = async (connectionId: string) => {
  const { projectId, sha256 } = await approvedVideo(service, officer, staff)
  const words = `Rates ${randomUUID()}`
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId, words, comment: `Write to us ${words}` }],
    },
  })
  const [made] = (await as(officer)(publishing.posts, { params: { projectId } })).items
  for (const hours of [1.5, 2.01, 2.2]) await workOnPost(service, made!.id, inHours(hours))
  const shown = (await standIns.timeline('linkedin')).timeline.filter((entry) => entry.words === words)
  return { id: made!.id, shown, sha256, words }
}

it('the pages that a member administers are connected beside their profile, and no page of another role', async () => {
  const { account, connected } = await connect()
  expect(connected.map(({ name, kind }) => [name, kind])).toEqual([
    [account, 'profile'],
    [`${account} Home Loans`, 'page'],
    [`${account} Team`, 'page'],
  ])
  const { networks: offered } = await as(officer)(publishing.connections, {})
  expect(offered.find(({ network }) => network === 'linkedin')).toMatchObject({ hasPages: true })
})

it('a post goes out in the name of the page that was chosen, with its comment, of which LinkedIn tells pages', async () => {
  const { connected } = await connect()
  const page = connected.find(({ kind }) => kind === 'page')!
  const { id, shown, sha256, words } = await post(page.id)
  const row = await service.database.asSystem((tx) =>
    tx.first(sql<{ account_id: string }>`select account_id from connection where id = ${page.id}`),
  )
  expect(shown).toMatchObject([{ account: row!.account_id, sha256 }])
  // The answer is lost; the page's own comments prove that it is there.
  let isLost = false
  const deps = {
    database: service.database,
    publicUrl: '',
    networks: {
      ...networks(),
      ask: async (...asked: Parameters<ReturnType<typeof networks>['ask']>) => {
        const answer = await networks().ask(...asked)
        if (isLost || asked[1]?.method !== 'POST') return answer
        isLost = true
        return { ...answer, status: 503 }
      },
    },
  }
  for (let next: Date | null | undefined = inHours(2.3); next;) {
    const now = next
    next = await runComment({ ...deps, now: () => now }, id)
  }
  const [entry] = (await standIns.timeline('linkedin')).timeline.filter((one) => one.words === words)
  expect(entry?.comments).toHaveLength(1)
  const state = await service.database.asSystem((tx) =>
    tx.first(sql<{ state: string }>`select state from post_comment where post_id = ${id}`),
  )
  expect(state).toEqual({ state: 'live' })
})

it('a page is disconnected alone: the others that came with it still post', async () => {
  const { connected } = await connect()
  const [, page, other] = connected
  expect((await as(officer)(publishing.disconnect, { params: { connectionId: page!.id } })).isRevoked).toBe(false)
  expect((await post(other!.id)).shown).toHaveLength(1)
  for (const { id } of [connected[0]!, other!]) {
    const { isRevoked } = await as(officer)(publishing.disconnect, { params: { connectionId: id } })
    // With the last one the network ends what was allowed.
    expect(isRevoked).toBe(id === other!.id)
  }
})

it('an app without the interface for pages asks for the member’s own permission alone', () => {
  const keys = { clientId: 'a', clientSecret: 'b', hosts: linkedin.hosts, isStandIn: false }
  const asked = { state: 's', challenge: 'c', redirectUri: 'https://example.com/panel/connections' }
  const scopeOf = (hasPages: boolean) =>
    new URL(linkedin.authorize!({ ...keys, hasPages }, asked)).searchParams.get('scope')
  expect(scopeOf(false)).toBe('openid profile w_member_social')
  expect(scopeOf(true)).toContain('w_organization_social')
})
