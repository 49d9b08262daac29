import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { publishing, type Connection } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { sql } from '../kernel/database.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
import { allow, approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  subscribe,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { schedule as scheduleProject } from '../projects/actions.ts'
import { notifyEndingConnections } from './jobs.ts'
import { stopOfficer } from './officers.ts'
import { eraseOf } from './store.ts'

let service: OpenedService
let standIns: StandInNetworks
let staff: Awaited<ReturnType<typeof makeStaff>>
let tenantId: string
let admin: Person
let officer: Person
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  admin = await makePerson(service, 'ADMIN', { tenantId })
})
beforeEach(async () => {
  officer = await makePerson(service, 'User', { tenantId })
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
/** The same person, signed in after a change of theirs. */
const anew = async (person: Person, change: Partial<Pick<Person, 'role' | 'tenantId'>>): Promise<Person> => {
  const { stamp } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${person.id}`),
  ))!
  const { id, role, tenantId: of } = { ...person, ...change }
  const caller = { id, role, tenantId: of, securityStamp: stamp }
  return { ...person, ...change, token: await service.identity.signIdToken(caller) }
}
const connect = (network: Network = 'youtube') => connectAccount(service, admin, network)
const letPost = (connection: Pick<Connection, 'id'>, who = officer) =>
  as(admin)(publishing.letOfficer, { params: { connectionId: connection.id, userId: who.id } })
const stop = (connection: Pick<Connection, 'id'>, who = officer) =>
  as(admin)(publishing.stopOfficer, { params: { connectionId: connection.id, userId: who.id } })
const namesOf = async (person: Person) => (await as(person)(publishing.connections, {})).items.map(({ id }) => id)
const schedule = (projectId: string, connectionId: string, words = `Rates ${randomUUID()}`) =>
  as(officer)(projects.schedule, {
    params: { projectId },
    body: { publishAt: inHours(2).toISOString(), posts: [{ connectionId, words, title: 'Rates' }] },
  })
const postsOf = async (projectId: string) => (await as(officer)(publishing.posts, { params: { projectId } })).items
const shown = async (words: string, network: Network) =>
  (await standIns.timeline(network)).timeline.filter((entry) => entry.words.includes(words))

it('an officer posts with the account that their company’s admin connected and let them use', async () => {
  const account = await connect()
  expect(account).toMatchObject({ owner: 'company', actions: ['renew', 'disconnect', 'share'] })
  const { projectId } = await approvedVideo(service, officer, staff)
  expect(await outcome(schedule(projectId, account.id))).toBe('connection.not-found')
  await letPost(account)
  const seen = (await as(officer)(publishing.connections, {})).items
  expect(seen).toMatchObject([{ id: account.id, owner: 'company', actions: [] }])
  expect(JSON.stringify(seen)).not.toMatch(/token/i)
  const words = `Company ${randomUUID()}`
  await schedule(projectId, account.id, words)
  const [post] = await postsOf(projectId)
  expect(post).toMatchObject({ account: account.name, state: 'scheduled' })
  await workOnPost(service, post!.id, inHours(1.5))
  await workOnPost(service, post!.id, inHours(2.01))
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'live', actions: ['remove'] })
  expect(await shown(words, 'youtube')).toMatchObject([{ account: account.name }])
  await as(officer)(publishing.takeDown, { params: { postId: post!.id } })
  expect(await shown(words, 'youtube')).toEqual([])
  // Posting again is offered as long as they may post there.
  expect((await postsOf(projectId))[0]!.actions).toEqual(['repeat'])
  await stop(account)
  expect((await postsOf(projectId))[0]!.actions).toEqual([])
})

it('two posts of one video to a company’s account that are posted again at once become one', async () => {
  const account = await connect('linkedin')
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  for (let n = 0; n < 2; n++) {
    await schedule(projectId, account.id)
    await as(officer)(projects.unschedule, { params: { projectId } })
  }
  const withdrawn = await postsOf(projectId)
  expect(withdrawn.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn'])
  const repeat = ({ id }: { id: string }) => outcome(as(officer)(publishing.repeat, { params: { postId: id } }))
  expect((await Promise.all(withdrawn.map(repeat))).toSorted()).toEqual(['done', 'post.does-not-fit'])
  await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
})

it('one video stands once on its way to an account that its officer and their company both connected', async () => {
  const name = `page.${randomUUID().slice(0, 6)}`
  const companys = await connectAccount(service, admin, 'youtube', name)
  await letPost(companys)
  await connectAccount(service, officer, 'youtube', name)
  const { items } = await as(officer)(publishing.connections, {})
  const own = items.find((one) => one.name === name && one.id !== companys.id)!
  const { projectId } = await approvedVideo(service, officer, staff)
  const both = [companys, own].map(({ id }) => ({ connectionId: id, words: 'Rates', title: 'Rates' }))
  await expect(
    as(officer)(projects.schedule, {
      params: { projectId },
      body: { publishAt: inHours(2).toISOString(), posts: both },
    }),
  ).rejects.toMatchObject({ code: 'post.does-not-fit', message: expect.stringContaining('is named twice') })

  await schedule(projectId, companys.id)
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set state = 'unconfirmed', next_at = null where project_id = ${projectId}`),
  )
  await as(officer)(projects.unschedule, { params: { projectId } })
  const refused = {
    code: 'post.does-not-fit',
    message: expect.stringContaining('Say on the video’s page whether it is there'),
  }
  await expect(schedule(projectId, own.id)).rejects.toMatchObject(refused)
  // They see that account no more, and what may be out there is there all the same.
  await stop(companys)
  await expect(schedule(projectId, own.id)).rejects.toMatchObject(refused)
})

it('an account’s name is one line that turns nothing around, however the network says it', async () => {
  const account = `Bank\u202Ekcab\nTo: all ${randomUUID().slice(0, 6)}`
  await connectAccount(service, officer, 'linkedin', account)
  const [connected] = (await as(officer)(publishing.connections, {})).items
  expect(connected!.name).toBe(account.replace('\u202E', ' ').replace('\n', ' '))
})

it('of accounts that were disconnected no keys stay, and nothing after a day, unless a post names them', async () => {
  const stateOf = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string; state: string; has_keys: boolean }>`
        select id, state, tokens is not null as has_keys from connection where user_id = ${officer.id} order by connected_at`),
    )
  const named = await connectAccount(service, officer, 'linkedin')
  const { projectId } = await approvedVideo(service, officer, staff)
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: { publishAt: inHours(2).toISOString(), posts: [{ connectionId: named.id, words: 'Rates' }] },
  })
  const stays = await connectAccount(service, officer, 'linkedin')
  const gone = await connectAccount(service, officer, 'linkedin')
  for (const { id } of [named, gone]) await as(officer)(publishing.disconnect, { params: { connectionId: id } })
  const before = [
    { id: named.id, state: 'disconnected', has_keys: false },
    { id: stays.id, state: 'active', has_keys: true },
    { id: gone.id, state: 'disconnected', has_keys: false },
  ]
  expect(await stateOf()).toEqual(before)
  await notifyEndingConnections(service.database, inHours(23))
  expect(await stateOf()).toEqual(before)
  await notifyEndingConnections(service.database, inHours(25))
  expect(await stateOf()).toEqual(before.slice(0, 2))
})

it('a company’s admin who schedules an officer’s video with posts is told that its officer posts it', async () => {
  const account = await connect()
  const { projectId } = await approvedVideo(service, officer, staff)
  const body = {
    publishAt: inHours(2).toISOString(),
    posts: [{ connectionId: account.id, words: 'Rates', title: 'Rates' }],
  }
  expect(await outcome(as(admin)(projects.schedule, { params: { projectId }, body }))).toBe('post.does-not-fit')
  await as(admin)(projects.schedule, {
    params: { projectId },
    body: { publishAt: body.publishAt, destinations: ['download'] },
  })
  await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
})

it('an account of a company is ended and shared by nobody but an admin of that company', async () => {
  const account = await connect()
  await letPost(account)
  const elsewhere = await makeTenant(service)
  const stranger = await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  const theirOfficer = await makePerson(service, 'User', { tenantId: elsewhere })
  const at = { params: { connectionId: account.id } }
  const officerAt = { params: { connectionId: account.id, userId: officer.id } }
  for (const other of [officer, stranger, theirOfficer])
    expect(await outcome(as(other)(publishing.disconnect, at))).toBe('connection.not-found')
  expect(await outcome(as(stranger)(publishing.officers, { ...at, query: {} }))).toBe('connection.not-found')
  expect(await outcome(as(stranger)(publishing.letOfficer, officerAt))).toBe('connection.not-found')
  expect(await outcome(as(stranger)(publishing.stopOfficer, officerAt))).toBe('connection.not-found')
  expect(await outcome(letPost(account, theirOfficer))).toBe('account.not-found')
  expect(await outcome(letPost(account, admin))).toBe('account.not-found')
  // The service's own people connect nothing.
  expect(await as(staff.admin)(publishing.connections, {})).toEqual({ networks: [], items: [] })
  expect(await outcome(as(staff.admin)(publishing.connect, { body: { network: 'youtube' } }))).toBe(
    'connection.not-for-you',
  )
  // An officer's own account is not the company's to end or share.
  const own = await connectAccount(service, officer)
  expect(await namesOf(admin)).not.toContain(own.id)
  expect(await outcome(letPost(own))).toBe('connection.not-found')
  expect(await namesOf(officer)).toEqual(expect.arrayContaining([account.id, own.id]))
})

it('a way that an admin began for one company connects nothing to another', async () => {
  const one = await makePerson(service, 'ADMIN', { tenantId })
  const { address } = await as(one)(publishing.connect, { body: { network: 'youtube' } })
  const { state, code } = await allow(address, 'moved')
  const another = await makeTenant(service)
  await service.database.asSystem((tx) => tx.count(sql`update person set tenant_id = ${another} where id = ${one.id}`))
  const caller = { id: one.id, role: one.role, tenantId: another, securityStamp: 1 }
  const moved = { ...one, tenantId: another, token: await service.identity.signIdToken(caller) }
  expect(await outcome(as(moved)(publishing.finishConnecting, { body: { state, code } }))).toBe(
    'connection.oauth-flow-ended',
  )
  expect(await service.database.asSystem((tx) => tx.rows(sql`select from connection where name = 'moved'`))).toEqual([])
})

/** The one request that nobody can take back does not arrive. */
const losing: Ask = (address, request) =>
  (request?.method === 'PUT' && address.includes('/youtube/v3/videos')) || address.endsWith('/rest/posts')
    ? Promise.reject(new SilentNetwork('lost'))
    : networks().ask(address, request)

const ends: Record<string, (connection: Connection) => Promise<unknown>> = {
  'the admin takes the right': (connection) => stop(connection),
  'the admin disconnects it': ({ id }) => as(admin)(publishing.disconnect, { params: { connectionId: id } }),
  'they leave the company': async () =>
    callConfirmed(service, staff.admin)(accounts.update, {
      body: { userId: officer.id, tenantId: await makeTenant(service) },
    }),
  'they are switched off': () =>
    callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, isDisabled: true } }),
  'they film no longer': () =>
    callConfirmed(service, staff.admin)(accounts.update, { body: { userId: officer.id, role: 'QA' } }),
}

it.each(Object.keys(ends))('an officer’s posts with a company’s account are sent no more once %s', async (name) => {
  for (const network of ['youtube', 'linkedin'] as const) {
    officer = await makePerson(service, 'User', { tenantId })
    const account = await connect(network)
    await letPost(account)
    const made: { id: string; words: string; armed: boolean }[] = []
    for (const armed of [false, true]) {
      const { projectId } = await approvedVideo(service, officer, staff)
      const words = `Ended ${randomUUID()}`
      await schedule(projectId, account.id, words)
      const [post] = await postsOf(projectId)
      if (armed) {
        await workOnPost(service, post!.id, inHours(1.5))
        await workOnPost(service, post!.id, inHours(2.01), losing)
      }
      made.push({ id: post!.id, words, armed })
    }
    await ends[name]!(account)
    for (const { id } of made) for (const hours of [2.02, 2.1, 3, 30]) await workOnPost(service, id, inHours(hours))
    const states = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string; state: string }>`
        select id, state from post where id = any(${made.map(({ id }) => id)})`),
    )
    for (const { id, words, armed } of made) {
      expect(await shown(words, network), `${network}, ${armed ? 'armed' : 'scheduled'}`).toEqual([])
      expect(['withdrawn', 'unconfirmed', 'failed'], `${network}, ${armed ? 'armed' : 'scheduled'}`).toContain(
        states.find((one) => one.id === id)!.state,
      )
    }
  }
})

/** Until somebody waits for a lock, or `done` is over. */
const waitsOrEnds = async (done: Promise<unknown>) => {
  let over = false
  void done.finally(() => (over = true)).catch(() => {})
  const waiting = () =>
    service.database.asSystem((tx) =>
      tx.first(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
      ),
    )
  while (!over && !(await waiting())) await setTimeout(10)
}

it('a video that is scheduled while the right to its account ends is refused in words or taken back', async () => {
  const account = await connect()
  for (const first of ['stop', 'schedule'] as const) {
    officer = await makePerson(service, 'User', { tenantId })
    await letPost(account)
    const { projectId } = await approvedVideo(service, officer, staff)
    const ask = { stop: () => stop(account), schedule: () => outcome(schedule(projectId, account.id)) }
    let other: Promise<unknown> = Promise.resolve()
    const at = new Date()
    // The first one has done its work when the other begins, and ends when that one waits for it.
    if (first === 'stop')
      await service.database.inTenant(admin, async (tx) => {
        await stopOfficer(tx, admin, account.id, officer.id, at)
        await waitsOrEnds((other = ask.schedule()))
      })
    else
      await service.database.inTenant(officer, async (tx) => {
        const posts = [{ connectionId: account.id, words: 'Rates', title: 'Rates' }]
        await scheduleProject(
          tx,
          officer,
          projectId,
          { publishAt: inHours(2).toISOString(), destinations: [], posts },
          at,
        )
        await waitsOrEnds((other = ask.stop()))
      })
    const answer = await other
    if (first === 'stop') expect(answer).toBe('connection.not-found')
    expect((await postsOf(projectId)).filter(({ state }) => state !== 'withdrawn')).toEqual([])
  }
})

it('a right that ended with leaving a company is not there again when somebody comes back', async () => {
  const account = await connect()
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, account.id)
  const move = (to: string) =>
    service.database.asSystem((tx) => tx.count(sql`update person set tenant_id = ${to} where id = ${officer.id}`))
  await move(await makeTenant(service))
  await move(tenantId)
  const { items } = await as(admin)(publishing.officers, { params: { connectionId: account.id }, query: {} })
  expect(items.find(({ id }) => id === officer.id)).toMatchObject({ posts: false })
  // Nor does what was scheduled before go out.
  const [post] = await postsOf(projectId)
  await workOnPost(service, post!.id, inHours(1.5))
  await workOnPost(service, post!.id, inHours(2.1))
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'withdrawn' })
})

it('an account that an officer posts with no more is armed by no code, older code included', async () => {
  const account = await connect()
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, account.id)
  const [post] = await postsOf(projectId)
  await service.database.asSystem((tx) => tx.count(sql`delete from connection_officer where user_id = ${officer.id}`))
  const arm = service.database.asSystem((tx) =>
    tx.count(sql`update post set state = 'armed', armed_at = now() where id = ${post!.id}`),
  )
  await expect(arm).rejects.toThrow('not posted with any more')
})

it('a search finds an officer by part of the name, and who posts with the account stands first', async () => {
  const account = await connect()
  await letPost(account)
  const params = { connectionId: account.id }
  const { items } = await as(admin)(publishing.officers, { params, query: {} })
  expect(items[0]).toMatchObject({ id: officer.id, posts: true })
  expect(items.length).toBeGreaterThan(1)
  const none = await as(admin)(publishing.officers, { params, query: { search: '%' } })
  expect(none.items).toEqual([])
  const found = await as(admin)(publishing.officers, { params, query: { search: items[0]!.email.toUpperCase() } })
  expect(found.items.map(({ id }) => id)).toEqual([officer.id])
})

it('an officer who has not shown that their address is theirs is neither offered nor let post, and loses a right', async () => {
  const account = await connect()
  const namesake = await makePerson(service, 'User', { tenantId })
  const confirm = (at: string | null) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update person set email_verified_at = ${at} where id = ${namesake.id}`),
    )
  const at = { params: { connectionId: account.id, userId: namesake.id } }
  const offered = async () => {
    const { items } = await as(admin)(publishing.officers, { params: { connectionId: account.id }, query: {} })
    return items.find(({ id }) => id === namesake.id)
  }
  await confirm(null)
  expect(await offered()).toBeUndefined()
  expect(await outcome(as(admin)(publishing.letOfficer, at))).toBe('account.not-found')
  await confirm(new Date().toISOString())
  expect(await offered()).toMatchObject({ posts: false })
  await as(admin)(publishing.letOfficer, at)
  // Who was let before and is not confirmed any more is seen, and can be taken off.
  await confirm(null)
  expect(await offered()).toMatchObject({ posts: true })
  expect(await as(admin)(publishing.stopOfficer, at)).toMatchObject({ posts: false })
  await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
})

it('a company’s admin takes down what is live on its account, also after the officer’s right ended', async () => {
  const account = await connect()
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  const words = `Admin ${randomUUID()}`
  await schedule(projectId, account.id, words)
  const [post] = await postsOf(projectId)
  await workOnPost(service, post!.id, inHours(1.5))
  await workOnPost(service, post!.id, inHours(2.01))
  await stop(account)
  const at = { params: { postId: post!.id } }
  // The officer is offered nothing that would be refused.
  expect(await postsOf(projectId)).toMatchObject([{ state: 'live', actions: [] }])
  expect(await outcome(as(officer)(publishing.takeDown, at))).toBe('connection.not-found')
  const stranger = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  for (const other of [stranger, staff.admin])
    expect(await outcome(as(other)(publishing.takeDown, at))).toBe('post.not-found')
  const seen = (await as(admin)(publishing.posts, { params: { projectId } })).items
  expect(seen).toMatchObject([{ account: account.name, actions: ['remove'] }])
  expect(await as(admin)(publishing.takeDown, at)).toMatchObject({ state: 'removed', actions: [] })
  expect(await shown(words, 'youtube')).toEqual([])
  const told = await service.database.asSystem((tx) =>
    tx.rows(
      sql`select from pgboss.job where name = 'notice' and data::text like ${`%Taken down from YouTube%${post!.id}%${officer.id}%`}`,
    ),
  )
  expect(told).toHaveLength(1)
})

for (const [what, change] of Object.entries({
  'their company’s admin': { role: 'ADMIN' },
  'their company’s editor': { role: 'Editor' },
  'their company’s reviewer': { role: 'QA' },
  'an editor of the service': { role: 'Editor', tenantId: null },
  'an admin of the service': { role: 'ADMIN', tenantId: null },
} as const))
  it(`an officer who becomes ${what} finds their own account and disconnects it`, async () => {
    const own = await connectAccount(service, officer)
    const { projectId } = await approvedVideo(service, officer, staff)
    await schedule(projectId, own.id)
    const [post] = await postsOf(projectId)
    await callConfirmed(service, staff.admin)(accounts.update, { body: { userId: officer.id, ...change } })
    officer = await anew(officer, change)
    const { networks: offered, items } = await as(officer)(publishing.connections, {})
    const isCompanys = change.role === 'ADMIN' && !('tenantId' in change)
    expect(offered.length > 0).toBe(isCompanys)
    expect(items.find(({ id }) => id === own.id)).toMatchObject({ owner: 'person', actions: ['disconnect'] })
    // The way there stands in their navigation.
    const hasRoom = async () => (await as(officer)(accounts.info, {})).rooms.includes('connections')
    expect(await hasRoom()).toBe(true)
    // They post with it no more, and connect nothing.
    if (!isCompanys)
      expect(await outcome(as(officer)(publishing.connect, { body: { network: 'youtube' } }))).toMatch(
        /connection.not-for-you|forbidden/,
      )
    // Nobody else's: neither another admin's to see, nor to end.
    for (const other of [admin, await makePerson(service, 'Editor'), staff.admin]) {
      expect(await namesOf(other)).not.toContain(own.id)
      expect(await outcome(as(other)(publishing.disconnect, { params: { connectionId: own.id } }))).toBe(
        'connection.not-found',
      )
    }
    await as(officer)(publishing.disconnect, { params: { connectionId: own.id } })
    const left = await service.database.asSystem((tx) =>
      tx.first(sql`select state, tokens from connection where id = ${own.id}`),
    )
    expect(left).toEqual({ state: 'disconnected', tokens: null })
    const states = await service.database.asSystem((tx) => tx.rows(sql`select state from post where id = ${post!.id}`))
    expect(states).toEqual([{ state: 'withdrawn' }])
    expect(await hasRoom()).toBe(isCompanys)
  })

it('posts of an officer who was erased name no account of their company', async () => {
  const account = await connect()
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, account.id)
  await service.database.asSystem((tx) => eraseOf(tx, officer.id))
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql`select state, connection_id from post where user_id = ${officer.id}`),
  )
  expect(left).toEqual([{ state: 'withdrawn', connection_id: null }])
})

for (const [what, leave] of Object.entries({
  'removed their account': (who: Person) => callConfirmed(service, who)(accounts.remove, {}),
  'went to another company': async ({ id: userId }: Person) =>
    callConfirmed(service, staff.admin)(accounts.update, { body: { userId, tenantId: await makeTenant(service) } }),
  'was shut out': ({ id: userId }: Person) =>
    callConfirmed(service, staff.admin)(accounts.update, { body: { userId, isDisabled: true } }),
  'films no longer': ({ id: userId }: Person) =>
    callConfirmed(service, staff.admin)(accounts.update, { body: { userId, role: 'QA' } }),
}))
  it(`a company’s admin finds and takes down what is live on its account after its officer ${what}`, async () => {
    const account = await connect()
    await letPost(account)
    const { projectId } = await approvedVideo(service, officer, staff)
    const words = `Left ${randomUUID()}`
    await schedule(projectId, account.id, words)
    const [post] = await postsOf(projectId)
    await workOnPost(service, post!.id, inHours(1.5))
    await workOnPost(service, post!.id, inHours(2.01))
    const seen = async () => (await as(admin)(publishing.posts, { params: { projectId } })).items[0]
    const before = await seen()
    expect(before).toMatchObject({ state: 'live', account: account.name, actions: ['remove'] })
    await leave(officer)
    const { address, actions, account: name } = (await seen())!
    expect({ address, actions, name }).toEqual({ address: before!.address, actions: ['remove'], name: account.name })
    await as(admin)(publishing.takeDown, { params: { postId: post!.id } })
    expect(await shown(words, 'youtube')).toEqual([])
    await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
  })

it('a post that its network has in hand is followed to its end after its officer removed their account', async () => {
  const account = await connect('facebook')
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, account.id)
  const [post] = await postsOf(projectId)
  await workOnPost(service, post!.id, inHours(1.5))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update post set state = 'processing', next_at = now(), armed_at = now(), remote_id = 'no-such-video' where id = ${post!.id}`),
  )
  await callConfirmed(service, officer)(accounts.remove, {})
  const row = () =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ state: string; asked: boolean; recalled: boolean }>`
        select state, next_at is not null as asked, recalled_at is not null as recalled from post where id = ${post!.id}`),
    )
  expect(await row()).toEqual({ state: 'processing', asked: true, recalled: true })
  for (let hours = 2; hours < 60 && (await row())!.asked; hours += 2)
    await workOnPost(service, post!.id, inHours(hours))
  // It ended, and was not sent by anybody.
  expect(await row()).toMatchObject({ asked: false })
  expect((await row())!.state).not.toBe('processing')
  await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
})

it('a company’s admin takes nothing down from an officer’s own account', async () => {
  const own = await connectAccount(service, officer)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, own.id)
  const [post] = await postsOf(projectId)
  await workOnPost(service, post!.id, inHours(1.5))
  await workOnPost(service, post!.id, inHours(2.01))
  const [seen] = (await as(admin)(publishing.posts, { params: { projectId } })).items
  expect(seen).toMatchObject({ state: 'live', actions: [] })
  expect(seen!.account).toBeUndefined()
  expect(await outcome(as(admin)(publishing.takeDown, { params: { postId: post!.id } }))).toBe('post.not-found')
  expect((await postsOf(projectId))[0]).toMatchObject({ state: 'live', actions: ['remove'] })
})

it.each(['stop', 'disconnect'] as const)(
  'an officer hears which post was taken back when the admin’s %s ends it',
  async (how) => {
    const account = await connect()
    await letPost(account)
    const { projectId } = await approvedVideo(service, officer, staff)
    await schedule(projectId, account.id)
    const [post] = await postsOf(projectId)
    if (how === 'stop') await stop(account)
    else await as(admin)(publishing.disconnect, { params: { connectionId: account.id } })
    const told = await service.database.asSystem((tx) =>
      tx.rows(sql<{ title: string; body: string; people: string[] }>`
      select data -> 'notice' ->> 'title' as title, data -> 'notice' ->> 'body' as body,
        array(select jsonb_array_elements_text(data -> 'userIds')) as people
      from pgboss.job where name = 'notice' and data::text like ${`%${post!.id}%`}`),
    )
    expect(told).toMatchObject([{ title: 'Not posted on YouTube', people: [officer.id] }])
    for (const part of [
      `“${post!.projectTitle}”`,
      `“${account.name}”`,
      'your company’s admin',
      'schedule it with another account',
    ])
      expect(told[0]!.body).toContain(part)
  },
)

it('a video from before its officer joined the company is not scheduled with an account, in words', async () => {
  officer = await makePerson(service, 'User')
  await subscribe(service, { userId: officer.id })
  const { projectId } = await approvedVideo(service, officer, staff)
  await callConfirmed(service, staff.admin)(accounts.update, { body: { userId: officer.id, tenantId } })
  officer = await anew(officer, { tenantId })
  const account = await connect()
  await letPost(account)
  const own = await connectAccount(service, officer)
  for (const { id } of [account, own]) {
    const refused: unknown = await schedule(projectId, id).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'post.does-not-fit' })
    expect(String(refused)).toMatch(/was not made for the company that you film for now/)
  }
  expect(await postsOf(projectId)).toEqual([])
})

it('an account that is connected is told to its officer, or to every admin of its company, each time', async () => {
  const company = await makeTenant(service)
  const [first, second] = [
    await makePerson(service, 'ADMIN', { tenantId: company }),
    await makePerson(service, 'ADMIN', { tenantId: company }),
  ]
  const own = await connectAccount(service, officer, 'youtube')
  const companys = await connectAccount(service, first, 'linkedin', 'sam.told')
  await connectAccount(service, first, 'linkedin', 'sam.told')
  const told = async (id: string) =>
    (
      await service.database.asSystem((tx) =>
        tx.rows(sql<{ title: string; people: string[] }>`
          select data -> 'notice' ->> 'title' as title, array(select jsonb_array_elements_text(data -> 'userIds')) as people
          from pgboss.job where name = 'notice' and data -> 'notice' ->> 'cause' like ${`connection ${id} connected %`}`),
      )
    ).map(({ title, people }) => [title, people])
  expect(await told(own.id)).toEqual([['An account on YouTube was connected', [officer.id]]])
  const toAll = ['An account on LinkedIn was connected', [first.id, second.id]]
  expect(await told(companys.id)).toEqual([toAll, toAll])
})

it('a company’s admins are told when an account of it ends or asks for a new sign-in, and officers are not', async () => {
  const account = await connect('linkedin')
  await letPost(account)
  const { projectId } = await approvedVideo(service, officer, staff)
  await schedule(projectId, account.id)
  await service.database.asSystem((tx) =>
    tx.count(sql`update connection set ends_at = now() + interval '1 day' where id = ${account.id}`),
  )
  await notifyEndingConnections(service.database, new Date())
  await standIns.control({ endTokens: 'linkedin' })
  const [post] = await postsOf(projectId)
  await workOnPost(service, post!.id, inHours(1.5))
  const notices = await service.database.asSystem((tx) =>
    tx.rows(sql<{ title: string; people: string[] }>`
      select data -> 'notice' ->> 'title' as title, array(select jsonb_array_elements_text(data -> 'userIds')) as people
      from pgboss.job where name = 'notice' and data::text like ${`%${account.id}%`}`),
  )
  expect(notices.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['LinkedIn ends in a day', 'Connect LinkedIn again']),
  )
  for (const { people } of notices) {
    expect(people).toContain(admin.id)
    expect(people).not.toContain(officer.id)
  }
})
