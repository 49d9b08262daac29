import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import type { Failure } from '@clear-to-post/contract/failure'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { assets } from '@clear-to-post/contract/assets'
import { tenants } from '@clear-to-post/contract/tenants'
import { mayEver, type Permission } from '@clear-to-post/domain/access'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../src/kernel/database.ts'
import type { TestDatabase } from './database.ts'
import { submitProject } from './factories.ts'
import {
  callAs,
  confirmed,
  headersOf,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from './service.ts'
import { conditionsTakenDown, restoreConditions, roleWithoutPolicies, takeDownConditions, walls } from './walls.ts'

describe.each(Object.entries(walls))('with %s', (which, open) => {
  let service: Service
  let officer: Person
  let insiders: Record<string, Person>
  let outsiders: Record<string, Person>
  /** One that waits in the queue, one with a cut that waits for approval, one finished with a comment. */
  let queued: Project, waiting: Project, finished: Project
  let unused: string
  /** A cut whose editor serves another company now. */
  let cutOfLeft: string
  const as = (person: Person) => callAs(service, person)
  const at = ({ id }: Project) => ({ params: { projectId: id } })

  beforeAll(async () => {
    service = await open()
    const [tenantId, elsewhere] = [await makeTenant(service), await makeTenant(service)]
    await subscribe(service, { tenantId })
    await subscribe(service, { tenantId: elsewhere })
    const make = (role: Parameters<typeof makePerson>[1], more = {}) => makePerson(service, role, more)
    officer = await make('User', { tenantId })
    insiders = {
      'its officer': officer,
      'Editor of the tenant': await make('Editor', { tenantId }),
      'QA of the tenant': await make('QA', { tenantId }),
      'ADMIN of the tenant': await make('ADMIN', { tenantId }),
      'Editor of all': await make('Editor'),
      'QA of all': await make('QA'),
    }
    outsiders = {
      'another officer of the tenant': await make('User', { tenantId }),
      'officer of another tenant': await make('User', { tenantId: elsewhere }),
      'officer of no tenant': await make('User'),
      'Editor of another tenant': await make('Editor', { tenantId: elsewhere }),
      'QA of another tenant': await make('QA', { tenantId: elsewhere }),
      'ADMIN of another tenant': await make('ADMIN', { tenantId: elsewhere }),
    }
    const [editor, qa] = [insiders['Editor of the tenant']!, insiders['QA of the tenant']!]
    const submit = async () => submitProject(service, officer, { title: 'Ours' })
    const edit = async () => {
      const project = await submit()
      await as(editor)(projects.start, { body: { projectId: project.id } })
      const finalVideoId = await makeVideo(service, editor, project)
      return as(editor)(projects.send, { ...at(project), body: { finalVideoId } })
    }
    waiting = await edit()
    finished = await as(qa)(projects.approve, at(await edit()))
    await as(officer)(projects.comment, { ...at(finished), body: { atMs: 1, text: 'Ours' } })
    queued = await submit()
    unused = await makeVideo(service, officer)
    const left = { ...(await make('Editor', { tenantId })), tenantId: elsewhere }
    cutOfLeft = await makeVideo(service, { ...left, tenantId }, queued)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set tenant_id = ${elsewhere} where id = ${left.id}`),
    )
    outsiders['Editor who made a cut here and left'] = { ...left, token: await service.identity.signIdToken(left) }
  })
  afterAll(async () => {
    await service.close()
    restoreConditions()
  })

  it('the database role and the query conditions are as the name says', async () => {
    const look = new pg.Client({ connectionString: service.urls.appUrl })
    await look.connect()
    const { rows } = await look.query('select rolbypassrls from pg_roles where rolname = current_user')
    await look.end()
    expect(rows[0].rolbypassrls).toBe(which === 'the queries’ own conditions alone')
    expect(conditionsTakenDown() > 0).toBe(which === 'row-level security alone')
  })

  it('staff and members in reach read the project', async () => {
    for (const [who, person] of Object.entries(insiders)) {
      expect((await as(person)(projects.find, at(finished))).id, who).toBe(finished.id)
      expect((await as(person)(projects.comments, at(finished))).items, who).toHaveLength(1)
      expect((await as(person)(projects.cuts, at(finished))).items, who).toHaveLength(1)
      const shown = await as(person)(assets.find, { params: { assetId: finished.finalVideoId! } })
      expect(shown.assetId, who).toBe(finished.finalVideoId)
    }
  })

  it('every object of the company is not found for people outside of it', async () => {
    const before = await rowsOf(service.urls)
    for (const [who, person] of Object.entries(outsiders)) {
      for (const { name, ...request } of requests(await makeVideo(service, person))) {
        const { access } = everyCall.find((call) => call.name === name)!.shape
        if (access !== 'signed-in' && !mayEver(person.role, access as Permission)) continue
        // Their own company is visible: another officer of it is an outsider to the officer's objects only.
        if (name.startsWith('tenants.') && person.tenantId === officer.tenantId) continue
        const answer = await ask(name, request, person)
        expect({ who, name, request, kind: answer.kind }).toEqual({ who, name, request, kind: 'not-found' })
      }
      const upload = await service.app.inject({
        method: 'POST',
        url: '/uploads',
        headers: {
          authorization: `Bearer ${person.token}`,
          'tus-resumable': '1.0.0',
          'upload-length': '10',
          'upload-metadata': `filename ${btoa('a.mp4')},projectId ${btoa(waiting.id)}`,
        },
      })
      expect([403, 404], who).toContain(upload.statusCode)
    }
    expect(await rowsOf(service.urls)).toEqual(before)
  })

  it('lists, counts and the queue contain nothing of the company for people outside of it', async () => {
    for (const [who, person] of Object.entries(outsiders)) {
      const seen: unknown[] = [(await as(person)(projects.list, { query: { perPage: 100 } })).items]
      seen.push((await as(person)(assets.unused, {})).items.filter(({ authorId }) => authorId !== person.id))
      const history = as(person)(projects.history, { params: { userId: officer.id } })
      seen.push(
        await history.then(
          ({ items }) => items,
          () => [],
        ),
      )
      if (person.role === 'QA' || person.role === 'ADMIN') {
        const found = await as(person)(accounts.search, { query: { perPage: 100 } })
        seen.push(found.items.filter(({ tenantId }) => tenantId === officer.tenantId))
      }
      if (person.role === 'ADMIN')
        seen.push((await as(person)(tenants.list, {})).items.filter(({ id }) => id === officer.tenantId))
      if (person.role !== 'User') seen.push(Array.from({ length: (await as(person)(projects.pool, {})).size }))
      expect({ who, seen: seen.flat() }).toEqual({ who, seen: [] })
      if (person.role === 'User' || person.role === 'QA') continue
      // Nothing to look at, nothing to take.
      await expect(as(person)(projects.next, { params: { userId: person.id } })).rejects.toMatchObject({
        kind: 'not-found',
      })
      await expect(as(person)(projects.start, {})).rejects.toMatchObject({ kind: 'not-found' })
    }
  })

  it('the officer sees approved cuts of their project, and none that waits for approval', async () => {
    expect((await as(officer)(projects.cuts, at(waiting))).items).toEqual([])
    expect(await as(officer)(projects.find, at(waiting))).not.toHaveProperty('finalVideoId')
    const waitingCut = { params: { assetId: waiting.finalVideoId! } }
    await expect(as(officer)(assets.find, waitingCut)).rejects.toMatchObject({ kind: 'not-found' })
    const comment = as(officer)(projects.comment, { ...at(waiting), body: { atMs: 1, text: 'Too early' } })
    await expect(comment).rejects.toMatchObject({ code: 'project.wrong-status' })
  })

  /** Every request that names the company's objects by id; `own` is a video of the caller. */
  const requests = (own: string) => {
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    const denyFeedback = { criteria: feedbackCriteria.map((one) => ({ ...one, score: 1 })) }
    const editor = insiders['Editor of the tenant']!
    const everyProject = [queued, waiting, finished].flatMap((project) => {
      const params = { projectId: project.id }
      return [
        ...['find', 'cuts', 'comments', 'sources', 'unschedule', 'cancel', 'rollback', 'approve'].map((call) => ({
          name: `projects.${call}`,
          params,
        })),
        { name: 'projects.start', body: params },
        { name: 'projects.reorder', body: { ...params, position: 1 } },
        { name: 'projects.send', params, body: { finalVideoId: project.finalVideoId ?? own } },
        { name: 'projects.deny', params, body: { denyFeedback, categories: ['cut'] } },
        { name: 'projects.review', params, body: { revision: 'Mine' } },
        { name: 'projects.schedule', params, body: { publishAt } },
        { name: 'projects.assign', params, body: { editorId: null } },
        { name: 'projects.comment', params, body: { atMs: 1, text: 'Mine' } },
      ]
    })
    const files = [queued.assets![0]!.assetId, waiting.finalVideoId!, finished.finalVideoId!, unused, cutOfLeft]
    return [
      ...everyProject,
      ...files.flatMap((assetId) => ['assets.find', 'assets.discard'].map((name) => ({ name, params: { assetId } }))),
      { name: 'projects.create', body: { title: 'Mine', assets: [unused], userId: officer.id } },
      { name: 'projects.create', body: { title: 'Mine', assets: [own], userId: officer.id } },
      { name: 'projects.next', params: { userId: editor.id } },
      ...[officer, editor].flatMap(({ id: userId }) => [
        { name: 'accounts.update', body: { userId, name: 'Mine' } },
        { name: 'accounts.update', body: { userId, isDisabled: true } },
        { name: 'accounts.setup', body: { userId, name: 'Mine' } },
        { name: 'accounts.remove', query: { userId } },
      ]),
      { name: 'accounts.bound', query: { editorId: editor.id } },
      { name: 'tenants.find', params: { tenantId: officer.tenantId! } },
      { name: 'tenants.update', body: { tenantId: officer.tenantId, data: { name: 'Mine' } } },
      { name: 'notes.list', params: { userId: officer.id } },
      { name: 'notes.save', body: { userId: officer.id, title: 'Mine', content: '' } },
      { name: 'subscriptions.find', params: { userId: officer.id } },
      { name: 'subscriptions.chargesOf', params: { payerId: officer.id } },
      { name: 'subscriptions.chargesOf', params: { payerId: officer.tenantId! } },
      { name: 'notifications.push', body: { userIds: [officer.id], title: 'Mine', body: 'Mine' } },
    ] as Request[]
  }

  const ask = async (name: string, { params, query, body }: Omit<Request, 'name'>, who: Person) => {
    const { shape } = everyCall.find((call) => call.name === name)!
    const response = await service.app.inject({
      method: shape.method,
      url: addressOf(shape, params, query),
      headers: headersOf(await confirmed(service, who)),
      ...(body ? { payload: body } : {}),
    })
    return response.json<Failure>()
  }
})

type Request = { name: string; params?: Record<string, string>; query?: Record<string, string>; body?: object }

it('with both walls removed an outsider reads the project, so the tests above can fail', async () => {
  takeDownConditions()
  const service = await openService({}, roleWithoutPolicies)
  const officer = await makePerson(service, 'User')
  const body = { title: 'Ours', assets: [await makeVideo(service, officer)] }
  const { id } = await callAs(service, officer)(projects.create, { body })
  const stranger = await makePerson(service, 'User')
  const list = await callAs(service, stranger)(projects.list, {})
  expect(list.items.map((project) => project.id)).toEqual([id])
  const outsider = await makePerson(service, 'QA', { tenantId: await makeTenant(service) })
  expect((await callAs(service, outsider)(projects.find, { params: { projectId: id } })).id).toBe(id)
  await service.close()
  restoreConditions()
})

/** The content of the tables that an outsider could have changed, as text. */
const rowsOf = async ({ superuserUrl }: TestDatabase): Promise<unknown> => {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  const tables = ['project', 'project_event', 'project_cut', 'project_comment', 'tenant', 'note', 'notification']
  const rows: unknown[] = []
  for (const table of tables) rows.push((await superuser.query(`select * from ${table} order by 1, 2`)).rows)
  await superuser.end()
  return rows
}
