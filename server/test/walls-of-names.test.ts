import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { audit } from '@clear-to-post/contract/audit'
import { invitations } from '@clear-to-post/contract/invitations'
import { notifications } from '@clear-to-post/contract/notifications'
import { reports } from '@clear-to-post/contract/reports'
import { support } from '@clear-to-post/contract/support'
import { termsDocuments, termsVersions } from '@clear-to-post/domain/terms'
import { sealWaiting } from '../src/audit/store.ts'
import { fireDue, workRuns } from '../src/notifications/triggers-runs.ts'
import { submitProject } from './factories.ts'
import {
  callAs,
  callConfirmed,
  confirmed,
  makePerson,
  makeTenant,
  outcome,
  type Person,
  type Service,
} from './service.ts'
import { restoreConditions, walls } from './walls.ts'

/** Rows that stayed with a company name people, companies and triggers that are another one's now. */
describe.each(Object.entries(walls))('with %s', (_which, open) => {
  let service: Service
  let local: Person
  let keyId: string
  const asSuperuser = async (statement: string) => {
    const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
    await superuser.connect()
    return superuser.query(statement).finally(() => superuser.end())
  }
  beforeAll(async () => {
    service = await open()
    const [company, elsewhere] = [await makeTenant(service), await makeTenant(service)]
    const admin = await makePerson(service, 'ADMIN')
    local = await makePerson(service, 'ADMIN', { tenantId: company })
    const officer = await makePerson(service, 'User', { tenantId: company, name: 'Olive Officer' })
    await submitProject(service, officer)
    const body = { name: 'Reports', scopes: ['videos.read' as const], days: 30 as const }
    keyId = (await callConfirmed(service, officer)(apiKeys.create, { body })).made.id
    const { id } = await callConfirmed(service, admin)(notifications.createTrigger, {
      body: {
        title: 'Harbor news',
        transportType: ['push'],
        notification: { title: 'Hello', body: 'Film one' },
        timeOfDay: '09:00',
        criteria: { type: 'allUsers' },
        tenantIds: [company],
      },
    })
    await callConfirmed(service, admin)(notifications.updateTrigger, {
      params: { id },
      body: { title: 'Summit news', tenantIds: [elsewhere] },
    })
    await asSuperuser(`
      set session_replication_role = replica;
      update step_figure set at = '2026-03-10 12:00Z' where user_id = '${officer.id}';
      update tenant set name = 'Elsewhere Ltd' where id = '${elsewhere}';
      update person set tenant_id = '${elsewhere}', email = 'olive@elsewhere.test' where id = '${officer.id}'`)
  })
  afterAll(async () => {
    await service.close()
    restoreConditions()
  })

  it('a company does not read of an officer’s key where they went, and does not end it', async () => {
    const { items } = await callAs(service, local)(apiKeys.ofCompany, { query: {} })
    expect(JSON.stringify(items)).not.toContain('elsewhere.test')
    expect(await outcome(callAs(service, local)(apiKeys.revoke, { params: { keyId } }))).toBe('api-key.not-found')
  })

  it('a company reads of an officer who sends nothing in any more, and not in which company they are', async () => {
    const query = { from: '2026-04-01', to: '2026-04-30', timezone: 'UTC' }
    const { items } = await callAs(service, local)(reports.lost, { query })
    expect(items).toMatchObject([{ videos: 1 }])
    expect(JSON.stringify(items)).not.toContain('Elsewhere')
  })

  it('of a question about a video that stayed elsewhere a company reads no title, and its asker no company of before', async () => {
    const former = await makeTenant(service)
    await asSuperuser(`update tenant set name = 'Former Ltd' where id = '${former}'`)
    const officer = await makePerson(service, 'User', { tenantId: former })
    const { id: projectId } = await submitProject(service, officer, { title: 'Summer rates' })
    const body = { subject: 'My old video', body: 'Where is it?', projectId }
    const { id: before } = await callAs(service, officer)(support.ask, { body })
    await asSuperuser(`
      set session_replication_role = replica;
      update person set tenant_id = '${local.tenantId}' where id = '${officer.id}'`)
    const moved = await confirmed(service, { ...officer, tenantId: local.tenantId })
    const asked = await callAs(service, moved)(support.ask, { body })
    expect(asked.project).toEqual({ id: projectId, title: 'Summer rates' })

    const at = { params: { threadId: asked.id } }
    expect((await callAs(service, local)(support.find, at)).project).toBeUndefined()
    const { items } = await callAs(service, local)(support.list, { query: {} })
    expect(items.map(({ id }) => id)).toContain(asked.id)
    expect(JSON.stringify(items)).not.toContain('Summer rates')

    expect((await callAs(service, moved)(support.find, { params: { threadId: before } })).tenant).toBeUndefined()
    expect(JSON.stringify(await callAs(service, moved)(support.mine, { query: {} }))).not.toContain('Former Ltd')
  })

  it('a company’s ADMIN gives no question to an ADMIN of the service, who is none of theirs', async () => {
    const [asker, ofService] = [
      await makePerson(service, 'User', { tenantId: local.tenantId }),
      await makePerson(service, 'ADMIN'),
    ]
    const { id: threadId } = await callAs(service, asker)(support.ask, { body: { subject: 'Rates', body: 'Which?' } })
    const give = (assigneeId: string) =>
      callAs(service, local)(support.assign, { params: { threadId }, body: { assigneeId } })
    expect(await outcome(give(ofService.id))).toBe('support.not-theirs')
    expect(await outcome(give(local.id))).toBe('done')
  })

  it('of a trigger that was given to a company it reads the runs that told its own people, and none of before', async () => {
    const [admin, before] = [await makePerson(service, 'ADMIN'), await makeTenant(service)]
    await makePerson(service, 'User', { tenantId: before })
    const { id, nextExecution } = await callConfirmed(service, admin)(notifications.createTrigger, {
      body: {
        title: 'Film again',
        transportType: ['push'],
        notification: { title: 'Hello', body: 'Film one' },
        timeOfDay: '09:00',
        criteria: { type: 'allUsers' },
        recurrence: { frequency: 'daily', interval: 1 },
        tenantIds: [before],
      },
    })
    const run = async (at: string) => {
      await fireDue(service.database, new Date(at))
      await workRuns(service.database, { now: new Date(at) })
    }
    await run(nextExecution!)
    const params = { id }
    const given = await callConfirmed(service, admin)(notifications.updateTrigger, {
      params,
      body: { tenantIds: [local.tenantId!] },
    })
    const readBy = async (who: Person) => [
      (await callAs(service, who)(notifications.trigger, { params })).history,
      (await callAs(service, who)(notifications.triggers, { query: {} })).items.find((one) => one.id === id)?.history,
      (await callAs(service, who)(notifications.triggerRuns, { params, query: {} })).items,
    ]
    expect(await readBy(local)).toEqual([[], [], []])
    await run(given.nextExecution!)
    expect((await readBy(local)).map((runs) => runs?.length)).toEqual([1, 1, 1])
    expect((await readBy(admin)).map((runs) => runs?.length)).toEqual([2, 2, 2])
  })

  it('the log of a company neither names nor finds a trigger by what it was called elsewhere', async () => {
    const log = async (wheres: string[] = []) =>
      (await callAs(service, local)(audit.list, { query: { perPage: 100, wheres } })).items
    expect((await log()).some(({ kind }) => kind === 'trigger')).toBe(true)
    expect(JSON.stringify(await log())).not.toContain('Summit')
    expect(await log(['words:contains:summit'])).toEqual([])
  })

  it('the log of a company does not name the service’s key by which something of it was changed', async () => {
    const admin = await makePerson(service, 'ADMIN')
    const body = { name: 'Nightly sync', scopes: ['videos.read' as const], days: 30 as const }
    const { id } = (await callConfirmed(service, admin)(apiKeys.create, { body })).made
    await asSuperuser(`
      set session_replication_role = replica;
      update audit_entry set key_id = '${id}'
      where id = (select id from audit_entry where tenant_id = '${local.tenantId}' order by at desc limit 1)`)
    const logOf = async (reader: Person) =>
      JSON.stringify((await callAs(service, reader)(audit.list, { query: { perPage: 100 } })).items)
    expect(await logOf(admin)).toContain('Nightly sync')
    expect(await logOf(local)).not.toContain('Nightly sync')
  })

  it('the log of a company does not name whom the service invites for others', async () => {
    const admin = await makePerson(service, 'ADMIN')
    const tenantId = await makeTenant(service)
    const body = { role: 'User' as const, tenantId, lines: ['quinn@summit.test'] }
    expect(await callConfirmed(service, admin)(invitations.send, { body })).toMatchObject({ sent: 1 })
    await asSuperuser(`
      set session_replication_role = replica;
      update audit_entry set subject_id = (select id from invitation where tenant_id = '${tenantId}')
      where tenant_id = '${local.tenantId}' and kind = 'trigger'`)
    const logOf = async (reader: Person) =>
      JSON.stringify((await callAs(service, reader)(audit.list, { query: { perPage: 100 } })).items)
    expect(await logOf(admin)).toContain('quinn@summit.test')
    expect(await logOf(local)).not.toContain('quinn@summit.test')
  })

  it('a company checks the links of its own log alone', async () => {
    await service.database.asSystem((tx) => sealWaiting(tx, 10_000))
    const { rows } = await asSuperuser(
      `select count(*)::integer as links from audit_seal where tenant_id = '${local.tenantId}'`,
    )
    expect(await callAs(service, local)(audit.verify, { query: {} })).toMatchObject({ checked: rows[0].links })
  })

  it('somebody is asked to agree to words to which others have agreed', async () => {
    const [one, other] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
    const documents = termsDocuments.map((document) => ({ document, version: termsVersions[document] }))
    await callAs(service, other)(accounts.acceptTerms, { body: { documents } })
    expect((await callAs(service, one)(accounts.info, {})).termsDue).toEqual(termsDocuments)
  })
})
