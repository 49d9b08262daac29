import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { identity } from '@clear-to-post/contract/identity'
import { termsVersions } from '@clear-to-post/domain/terms'
import { sql } from '../kernel/database.ts'
import { codeFor } from '../../test/mails.ts'
import { callAs, makePerson, makeTenant, openService, outcome, type Person, type Service } from '../../test/service.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const due = async (person: Person) => (await callAs(service, person)(accounts.info, {})).termsDue
const accept = (person: Person, document: 'terms' | 'privacy', version: string = termsVersions[document]) =>
  outcome(callAs(service, person)(accounts.acceptTerms, { body: { documents: [{ document, version }] } }))

test('somebody is asked for each document until they agree to its words of today', async () => {
  const [officer, other] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  expect(await due(officer)).toEqual(['terms', 'privacy'])
  expect(await accept(officer, 'terms', '2020-01-01')).toBe('account.terms-changed')
  expect(await accept(officer, 'terms')).toBe('done')
  expect(await accept(officer, 'terms')).toBe('done')
  expect(await due(officer)).toEqual(['privacy'])
  expect(await accept(officer, 'privacy')).toBe('done')
  expect([await due(officer), await due(other)]).toEqual([[], ['terms', 'privacy']])
})

test('an account that somebody opens themselves has agreed to the words of today', async () => {
  const [email, password] = ['new@terms.test', 'kettle-drum-41']
  await callAs(service, null)(accounts.create, {
    body: { email, name: 'An officer', password, passwordConfirmation: password },
  })
  const { rows } = await service.database.asSystem(async (tx) => ({
    rows: await tx.rows(sql`
      select c.document, c.version::text as version, c.given_at > now() - interval '1 minute' as is_now
      from consent c join person p on p.id = c.person_id where p.email = ${email} order by c.document`),
  }))
  expect(rows).toEqual([
    { document: 'privacy', version: termsVersions.privacy, is_now: true },
    { document: 'terms', version: termsVersions.terms, is_now: true },
  ])
})

test('no consent is taken back by its person, or dated anew by anybody', async () => {
  const officer = await makePerson(service, 'User')
  await accept(officer, 'terms')
  const change = sql`update consent set given_at = now()`
  await expect(service.database.asSystem((tx) => tx.count(change))).rejects.toThrow(/permission denied/)
  expect(await service.database.inTenant(officer, (tx) => tx.count(sql`delete from consent`))).toBe(0)
  expect(await due(officer)).toEqual(['privacy'])
})

test('the owner of an address is asked, whatever a stranger agreed to who opened the account', async () => {
  const [email, password] = ['taken@terms.test', 'kettle-drum-41']
  await callAs(service, null)(accounts.create, {
    body: { email, name: 'A stranger', password, passwordConfirmation: password },
  })
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  const pass = 'copper-lantern-77'
  await callAs(service, null)(accounts.changePassword, {
    body: { email, pass, passConfirm: pass, code: await codeFor(service, email) },
  })
  const signedIn = await callAs(service, null)(identity.password, { body: { email, password: pass } })
  if (!('idToken' in signedIn)) throw new Error('No second factor was asked for.')
  expect(await due({ token: signedIn.idToken } as Person)).toEqual(['terms', 'privacy'])
})

test('an ADMIN lists who within reach agreed to which words, and who has not agreed to those of today', async () => {
  const [tenantId, elsewhere] = [await makeTenant(service), await makeTenant(service)]
  const [agreed, old, never] = [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'User', { tenantId }),
  ]
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into consent (person_id, document, version) values
        (${agreed.id}, 'terms', ${termsVersions.terms}), (${agreed.id}, 'privacy', ${termsVersions.privacy}),
        (${old.id}, 'terms', '2020-01-01'), (${old.id}, 'privacy', ${termsVersions.privacy})`),
  )
  const local = await makePerson(service, 'ADMIN', { tenantId })
  const listed = async (by: Person, ...wheres: string[]) =>
    (await callAs(service, by)(accounts.consents, { query: { wheres, perPage: 100 } })).items
  const ids = async (by: Person, ...wheres: string[]) => (await listed(by, ...wheres)).map(({ id }) => id)

  const rows = await listed(local)
  expect(rows.map(({ id }) => id).toSorted()).toEqual([agreed.id, old.id, never.id, local.id].toSorted())
  const of = (id: string) => rows.find((row) => row.id === id)!
  expect(of(agreed.id)).toMatchObject({ due: [], given: [{ version: termsVersions.privacy }, {}] })
  expect(of(old.id)).toMatchObject({ due: ['terms'] })
  expect(of(old.id).given.map(({ document, version }) => `${document} ${version}`)).toContain('terms 2020-01-01')
  expect(of(never.id)).toMatchObject({ due: ['terms', 'privacy'], given: [] })
  expect(await ids(local, 'isCurrent:eq:true')).toEqual([agreed.id])
  expect((await ids(local, 'isCurrent:eq:false')).toSorted()).toEqual([old.id, never.id, local.id].toSorted())

  expect(await ids(await makePerson(service, 'ADMIN', { tenantId: elsewhere }))).not.toContain(agreed.id)
  expect(await ids(await makePerson(service, 'ADMIN'), `tenantId:eq:${tenantId}`)).toHaveLength(4)
})
