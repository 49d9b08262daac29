import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { access, type Permission } from '@clear-to-post/domain/access'
import { roles, type Role } from '@clear-to-post/domain/roles'
import { sql } from '../src/db/tenant.ts'
import {
  callAs,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from './service.ts'
import { projects } from '@clear-to-post/contract/projects'

/**
 * Every call of the contract × everybody. A call without a row in `samples` fails: a new call must say here how it is asked.
 * `of` is the project (or other thing) that the sample touches: staff of another tenant must find it absent.
 */
type Sample = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  of?: 'project' | 'asset'
}

let service: Service
let project: { id: string }
let asset: string
let officer: Person
const inProject = (): Sample => ({ params: { projectId: project.id }, of: 'project' })
const later = new Date(Date.now() + 86_400_000).toISOString()

const samples: Record<string, () => Sample> = {
  'accounts.login': () => ({ body: { system: 'APP', email: 'no@one.test', password: 'nothing' } }),
  'accounts.create': () => ({
    body: {
      email: `${randomUUID()}@new.test`,
      name: 'New',
      password: 'Long-enough-1x',
      passwordConfirmation: 'Long-enough-1x',
    },
  }),
  'accounts.info': () => ({}),
  'accounts.search': () => ({}),
  'assets.find': () => ({ params: { assetId: asset }, of: 'asset' }),
  'assets.unused': () => ({}),
  'assets.discard': () => ({ params: { assetId: asset }, of: 'asset' }),
  'identity.password': () => ({ body: { email: 'no@one.test', password: 'nothing' } }),
  'identity.customToken': () => ({ body: { token: 'nothing' } }),
  'identity.refresh': () => ({}),
  'identity.signOut': () => ({ body: {} }),
  'identity.keys': () => ({}),
  'notifications.list': () => ({}),
  'notifications.read': () => ({ params: { id: randomUUID() } }),
  'notifications.clear': () => ({}),
  'projects.list': () => ({}),
  'projects.find': inProject,
  'projects.next': () => ({ params: { userId: randomUUID() } }),
  'projects.create': () => ({ body: { title: 'x', assets: [randomUUID()] } }),
  'projects.reorder': () => ({ body: { projectId: project.id, position: 1 }, of: 'project' }),
  'projects.start': () => ({ body: { projectId: project.id }, of: 'project' }),
  'projects.send': () => ({ ...inProject(), body: { finalVideoId: randomUUID() } }),
  'projects.approve': inProject,
  'projects.deny': () => ({
    ...inProject(),
    body: { denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }, categories: ['cut'] },
  }),
  'projects.review': () => ({ ...inProject(), body: { revision: 'Shorter' } }),
  'projects.schedule': () => ({ ...inProject(), body: { publishAt: later } }),
  'projects.unschedule': inProject,
  'projects.cancel': inProject,
  'projects.rollback': inProject,
  'projects.assign': () => ({ ...inProject(), body: { editorId: null } }),
  'projects.free': () => ({}),
  'projects.allowance': () => ({}),
  'projects.history': () => ({ params: { userId: officer.id } }),
  'projects.pool': () => ({}),
  'projects.goals': () => ({}),
  'projects.versions': inProject,
  'projects.comments': inProject,
  'projects.comment': () => ({ ...inProject(), body: { atMs: 1, text: 'Hello' } }),
  'projects.sources': inProject,
  'prompts.find': () => ({}),
  'subscriptions.publicProducts': () => ({}),
  'tenants.invitation': () => ({ params: { code: 'NOTHING' } }),
}

const people: Record<string, Person> = {}

beforeAll(async () => {
  service = await openService()
  const [tenantId, elsewhere] = [await makeTenant(service), await makeTenant(service)]
  await subscribe(service, { tenantId })
  officer = await makePerson(service, 'User', { tenantId })
  people.User = officer
  people['User of another tenant'] = await makePerson(service, 'User', { tenantId: elsewhere })
  for (const role of ['Editor', 'QA', 'ADMIN'] as const) {
    people[role] = await makePerson(service, role)
    people[`${role} of this tenant`] = await makePerson(service, role, { tenantId })
    people[`${role} of another tenant`] = await makePerson(service, role, { tenantId: elsewhere })
  }
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const disabled = await makePerson(service, role)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set is_disabled = true where id = ${disabled.id}`),
    )
    people[`disabled ${role}`] = disabled
    const changed = await makePerson(service, role)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set role_version = role_version + 1 where id = ${changed.id}`),
    )
    people[`${role} whose role changed`] = changed
    const gone = await makePerson(service, role)
    people[`${role} with a forged token`] = { ...gone, token: `${gone.token.slice(0, -6)}AAAAAA` }
  }
  people['SYSTEM by a signed token'] = {
    ...officer,
    token: await service.identity.signIdToken({ id: randomUUID(), role: 'SYSTEM', tenantId: null, roleVersion: 1 }),
  }
  project = await callAs(service, officer)(projects.create, {
    body: { title: 'Matrix', assets: [await makeVideo(service, officer)] },
  })
  asset = (await callAs(service, officer)(projects.find, { params: { projectId: project.id } })).assets![0]!.assetId
})
afterAll(() => service.close())

const ask = async (name: string, person: Person | null) => {
  const { shape } = everyCall.find((call) => call.name === name)!
  const { params, query, body } = samples[name]!()
  const response = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, params, query),
    headers: person ? { authorization: `Bearer ${person.token}` } : {},
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: response.statusCode, body: response.json() as { code?: string; kind?: string; requestId?: string } }
}

it('every call has a sample, and no sample is left over', () => {
  expect(Object.keys(samples).sort()).toEqual(everyCall.map(({ name }) => name).sort())
})

it('every permission of the domain is used by a call, or belongs to SYSTEM alone', () => {
  const used = new Set(everyCall.map(({ shape }) => shape.access))
  const unused = Object.keys(access).filter(
    (permission) => !used.has(permission as Permission) && access[permission as Permission].join() !== 'SYSTEM',
  )
  expect(unused).toEqual([])
})

describe.each(everyCall.map(({ name, shape }) => [name, shape] as const))('%s', (name, shape) => {
  const admitted = (role: Role): boolean =>
    shape.access === 'anyone' || shape.access === 'signed-in' || access[shape.access].includes(role)

  it('nobody', async () => {
    const { status, body } = await ask(name, null)
    if (shape.access === 'anyone') expect(body.code).not.toBe('session.required')
    else expect({ status, code: body.code }).toEqual({ status: 401, code: 'session.required' })
    expect(status).toBeLessThan(500)
  })

  it('sessions that do not count', async () => {
    for (const [who, person] of Object.entries(people)) {
      if (!/disabled|changed|forged|SYSTEM/.test(who)) continue
      const { status, body } = await ask(name, person)
      // Signing in and refreshing must work whatever old token still comes along.
      if (shape.base === '/identity') expect(status, who).toBeLessThan(500)
      else if (/forged|SYSTEM/.test(who))
        expect({ who, status, code: body.code }).toEqual({ who, status: 401, code: 'session.ended' })
      // What is open to anyone may answer, but not as that person; a role that never may is refused even sooner.
      else if (shape.access !== 'anyone') expect([401, 403], who).toContain(status)
    }
  })

  it('roles', async () => {
    for (const [who, person] of Object.entries(people)) {
      if (!roles.includes(who.split(' ')[0] as Role) || /changed|forged|SYSTEM/.test(who)) continue
      const { status, body } = await ask(name, person)
      expect(status, who).toBeLessThan(500)
      if (!admitted(person.role))
        expect({ who, status, code: body.code }).toEqual({ who, status: 403, code: 'access.forbidden' })
      else if (shape.base !== '/identity')
        expect(['access.forbidden', 'session.required', 'session.ended'], who).not.toContain(body.code)
    }
  })

  it('another tenant’s thing looks absent', async () => {
    if (!samples[name]!().of) return
    for (const [who, person] of Object.entries(people)) {
      if (!who.endsWith('another tenant') || !admitted(person.role)) continue
      expect({ who, ...(await ask(name, person)).body }).toMatchObject({ who, kind: 'not-found' })
    }
  })
})
