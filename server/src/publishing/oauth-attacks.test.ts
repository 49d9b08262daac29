import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressOf } from '@clear-to-post/contract/client'
import { publishing } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { allow } from '../../test/posting.ts'
import {
  callAs,
  headersOf,
  makeOfficer,
  openService,
  outcome,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
const begin = async (person: Person, network: Network) =>
  (await as(person)(publishing.connect, { body: { network } })).address
const finish = (person: Person, { state, code }: { state: string; code: string }) =>
  outcome(as(person)(publishing.finishConnecting, { body: { state, code } }))
const accountsOf = async (person: Person) =>
  (await as(person)(publishing.connections, {})).items.map(({ name }) => name)

/** Networks that people go to by a browser. */
const byBrowser = ['youtube', 'instagram', 'facebook', 'linkedin', 'tiktok', 'x', 'threads'] as const
/** Those that offer PKCE to apps with a secret: with the others the state alone binds a way to the person. */
const withPkce: readonly Network[] = ['youtube', 'tiktok', 'x']

it('every network that is connected by a browser is attacked here', async () => {
  const officer = await makeOfficer(service)
  const { networks } = await as(officer)(publishing.connections, {})
  const asked = networks.filter(({ signIn }) => signIn === 'browser').map(({ network }) => network)
  expect(asked.toSorted()).toEqual([...byBrowser].toSorted())
})

it.each(byBrowser)(
  '%s: a state that is forged, another’s, another network’s, used or late connects nothing',
  async (network) => {
    const [officer, attacker] = [await makeOfficer(service), await makeOfficer(service)]
    const own = await allow(await begin(officer, network), 'own')
    expect(await finish(officer, { ...own, state: 'A'.repeat(32) })).toBe('connection.oauth-flow-ended')
    expect(await finish(attacker, own)).toBe('connection.oauth-flow-ended')
    // The code of one network, with the state of a way to another one.
    const other = network === 'youtube' ? 'x' : 'youtube'
    const elsewhere = await allow(await begin(officer, other), 'elsewhere')
    expect(await finish(officer, { state: elsewhere.state, code: own.code })).toBe('connection.refused')
    expect(await finish(officer, own)).toBe('done')
    expect(await finish(officer, own)).toBe('connection.oauth-flow-ended')
    expect([await accountsOf(officer), await accountsOf(attacker)]).toEqual([['own'], []])
  },
)

it.each(byBrowser)('%s: a code that was used, or given out on another way, connects nothing', async (network) => {
  const [officer, attacker] = [await makeOfficer(service), await makeOfficer(service)]
  const used = await allow(await begin(officer, network), 'used')
  expect(await finish(officer, used)).toBe('done')
  const again = await allow(await begin(attacker, network), 'again')
  expect(await finish(attacker, { ...again, code: used.code })).toBe('connection.refused')
  // Somebody else's code that was caught on its way, in a way of one's own.
  const caught = await allow(await begin(officer, network), 'caught')
  const mine = await allow(await begin(attacker, network), 'mine')
  const isKept = withPkce.includes(network)
  expect(await finish(attacker, { state: mine.state, code: caught.code })).toBe(isKept ? 'connection.refused' : 'done')
  expect(new URL(await begin(officer, network)).searchParams.get('code_challenge_method')).toBe(isKept ? 'S256' : null)
})

it.each(byBrowser)(
  '%s: whatever a request says of its host, people come back to our own page alone',
  async (network) => {
    const officer = await makeOfficer(service)
    const headers = {
      ...headersOf(officer),
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
      referer: 'https://evil.example/',
    }
    const url = addressOf(publishing.connect, {}, {})
    const answer = await service.app.inject({ method: 'POST', url, headers, payload: { network } })
    const ours = `${service.config.publicUrl}/panel/connections`
    if (answer.statusCode < 300)
      expect(new URL(answer.json<{ address: string }>().address).searchParams.get('redirect_uri')).toBe(ours)
    expect(answer.body).not.toContain('evil')
    // A code that was given out for another page is none for ours.
    const bent = new URL(await begin(officer, network))
    expect(bent.searchParams.get('redirect_uri')).toBe(ours)
    bent.searchParams.set('redirect_uri', 'https://evil.example/panel/connections')
    const { state, code, back } = await allow(bent.href, 'bent')
    expect(back.host).toBe('evil.example')
    expect(await finish(officer, { state, code })).toBe('connection.refused')
    expect(await accountsOf(officer)).toEqual([])
  },
)
