import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { audit } from '@clear-to-post/contract/audit'
import { notifications } from '@clear-to-post/contract/notifications'
import { reports } from '@clear-to-post/contract/reports'
import { submitProject } from './factories.ts'
import { callAs, callConfirmed, makePerson, makeTenant, outcome, type Person, type Service } from './service.ts'
import { restoreConditions, walls } from './walls.ts'

/** Rows that stayed with a company name people, companies and triggers that are another one's now. */
describe.each(Object.entries(walls))('with %s', (_which, open) => {
  let service: Service
  let local: Person
  let keyId: string
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
    const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
    await superuser.connect()
    await superuser.query(`
      set session_replication_role = replica;
      update step_figure set at = '2026-03-10 12:00Z' where user_id = '${officer.id}';
      update tenant set name = 'Elsewhere Ltd' where id = '${elsewhere}';
      update person set tenant_id = '${elsewhere}', email = 'olive@elsewhere.test' where id = '${officer.id}'`)
    await superuser.end()
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

  it('the log of a company neither names nor finds a trigger by what it was called elsewhere', async () => {
    const log = async (wheres: string[] = []) =>
      (await callAs(service, local)(audit.list, { query: { perPage: 100, wheres } })).items
    expect((await log()).some(({ kind }) => kind === 'trigger')).toBe(true)
    expect(JSON.stringify(await log())).not.toContain('Summit')
    expect(await log(['words:contains:summit'])).toEqual([])
  })
})
