import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { audit, type AuditEntry } from '@clear-to-post/contract/audit'
import type { Refusal } from '@clear-to-post/contract/errors'
import { feedback } from '@clear-to-post/contract/feedback'
import { notifications } from '@clear-to-post/contract/notifications'
import { tenants } from '@clear-to-post/contract/tenants'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql } from '../kernel/database.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sealWaiting } from './store.ts'

let service: Service
let superuser: pg.Client
let admin: Person, local: Person, elsewhere: Person
let company: string, other: string
beforeAll(async () => {
  service = await openService()
  superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  company = await makeTenant(service)
  other = await makeTenant(service)
  admin = await makePerson(service, 'ADMIN')
  local = await makePerson(service, 'ADMIN', { tenantId: company })
  elsewhere = await makePerson(service, 'ADMIN', { tenantId: other })
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

const logOf = async (who: Person, ...wheres: string[]): Promise<AuditEntry[]> =>
  (await callAs(service, who)(audit.list, { query: { perPage: 100, wheres } })).items
const about = (who: Person, personId: string) => logOf(who, `personId:eq:${personId}`)
const sealAll = () => service.database.asSystem((tx) => sealWaiting(tx, 10_000))
const verify = (who: Person) => callAs(service, who)(audit.verify, { query: {} })
const change = (who: Person, body: object) => callConfirmed(service, who)(accounts.update, { body } as never)

test('a change of a person names who called and from what to what, to the service’s and that company’s ADMIN alone', async () => {
  const editor = await makePerson(service, 'Editor', { tenantId: company })
  await change(local, { userId: editor.id, role: 'QA' })
  const [entry] = await about(local, editor.id)
  expect(entry).toMatchObject({
    actor: { id: local.id, name: local.name },
    actorRole: 'ADMIN',
    kind: 'person',
    act: 'changed',
    subject: { id: editor.id, name: editor.name },
    company: { id: company, name: 'A tenant' },
    changes: [{ field: 'role', from: 'Editor', to: 'QA' }],
  })
  expect((await about(admin, editor.id))[0]!.id).toBe(entry!.id)
  expect(await about(elsewhere, editor.id)).toEqual([])
  expect((await logOf(elsewhere)).every(({ company: of }) => of?.id === other)).toBe(true)
})

test('that somebody hides the steps of setting up is not in the log, and what else of their preferences changed is', async () => {
  const person = await makePerson(service, 'ADMIN', { tenantId: company })
  const before = (await about(local, person.id)).length
  await change(person, { preferences: { hidesSetUp: true } })
  await change(person, { preferences: { hidesSetUp: false } })
  expect(await about(local, person.id)).toHaveLength(before)
  await change(person, { preferences: { hidesSetUp: true, phone: '555 0100' } })
  const log = await about(local, person.id)
  expect(log).toHaveLength(before + 1)
  expect(log[0]!.changes).toEqual([{ field: 'preferences', isHidden: true }])
})

test('hours that an editor sets are told from what to what, since they are paid by them, and days off are not', async () => {
  const editor = await makePerson(service, 'Editor', { tenantId: company })
  const week = Array.from({ length: 7 }, () => ({ from: '00:00', to: '23:59' }))
  // Days off that are over are not kept.
  const day = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10)
  await change(editor, { workWeek: week, timeOff: [{ from: day, to: day }] })
  await change(editor, { workWeek: week.map(() => null) })
  const [later, first] = await about(local, editor.id)
  expect(first).toMatchObject({ actor: { id: editor.id }, kind: 'person', act: 'changed' })
  expect(first!.changes.find(({ field }) => field === 'time_off')).toEqual({ field: 'time_off', isHidden: true })
  const hours = ({ changes }: AuditEntry, side: 'from' | 'to') =>
    JSON.parse(changes.find(({ field }) => field === 'work_week')![side]!) as unknown
  expect(hours(first!, 'to')).toEqual(week)
  expect([hours(later!, 'from'), hours(later!, 'to')]).toEqual([week, week.map(() => null)])
})

test('a refused change leaves no entry, and the service’s ADMIN has no name for a company', async () => {
  const before = (await logOf(admin)).length
  await expect(change(local, { userId: admin.id, role: 'QA' })).rejects.toThrow()
  expect((await logOf(admin)).length).toBe(before)
  await callConfirmed(service, admin)(tenants.update, { body: { tenantId: company, data: { totalUsersAllowed: 77 } } })
  const [entry] = await logOf(local, 'kind:eq:company')
  expect(entry).toMatchObject({
    actor: { id: admin.id },
    changes: [{ field: 'total_users_allowed', from: '1000', to: '77' }],
  })
  expect(entry!.actor!.name).toBeUndefined()
})

test('a person who moves to another company leaves an entry in each, and neither says the other', async () => {
  const officer = await makePerson(service, 'User', { tenantId: company })
  await change(admin, { userId: officer.id, tenantId: other })
  const fields = (entries: AuditEntry[]) => entries[0]!.changes.find(({ field }) => field === 'tenant_id')
  expect(fields(await logOf(local, `personId:eq:${officer.id}`))).toEqual({ field: 'tenant_id', from: 'A tenant' })
  expect(fields(await about(elsewhere, officer.id))).toEqual({ field: 'tenant_id', to: 'A tenant' })
  expect(JSON.stringify(await logOf(local, `personId:eq:${officer.id}`))).not.toContain(other)
  expect(JSON.stringify(await logOf(elsewhere, `personId:eq:${officer.id}`))).not.toContain(company)
})

test('a trigger that is given to another company tells it nothing of what was written to the first', async () => {
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
  expect(JSON.stringify(await logOf(local, 'kind:eq:trigger'))).toContain('Harbor news')
  await callConfirmed(service, admin)(notifications.updateTrigger, {
    params: { id },
    body: { title: 'Summit news', tenantIds: [other] },
  })
  expect(await logOf(elsewhere, 'kind:eq:trigger')).toEqual([])
  expect(JSON.stringify(await logOf(admin, 'kind:eq:trigger'))).toContain('Summit news')
  await callConfirmed(service, admin)(notifications.updateTrigger, { params: { id }, body: { title: 'Summit days' } })
  expect(JSON.stringify(await logOf(elsewhere, 'kind:eq:trigger'))).toContain('Summit days')
})

test('the log is found by names, kinds and days, and holds no secret', async () => {
  const { criteria, revision } = await callAs(service, admin)(feedback.criteria, {})
  await callConfirmed(service, admin)(feedback.setCriteria, {
    body: {
      revision,
      criteria: criteria.map(({ id, label }, i) => ({ id, label: i === 0 ? 'Sound and light' : label })),
    },
  })
  expect((await logOf(admin, 'words:contains:sound and light'))[0]).toMatchObject({ kind: 'criteria' })
  expect((await logOf(admin, `words:contains:${local.name}`)).map(({ subject }) => subject.name)).toContain(local.name)
  expect(await logOf(admin, 'at:lt:2020-01-01')).toEqual([])
  const { rows } = await superuser.query<{ said: string }>(
    'select string_agg(changes::text, chr(10)) as said from audit_value',
  )
  const { rows: secrets } = await superuser.query<{ secret: string }>(`
    select hash as secret from password union all select invite_code from tenant`)
  expect(secrets.length).toBeGreaterThan(1)
  for (const { secret } of secrets) expect(rows[0]!.said).not.toContain(secret)
})

test('every entry gets its link, each company’s chain is its own, and what is changed in the log is found', async () => {
  await sealAll()
  expect(await verify(admin)).toMatchObject({ waiting: 0, faults: [], next: null })
  const own = await verify(local)
  expect(own.checked).toBeGreaterThan(2)
  expect(own.checked).toBeLessThan((await verify(admin)).checked)
  const { rows: seqs } = await superuser.query<{ seq: string }>(
    `select seq from audit_seal where tenant_id = '${company}' order by id`,
  )
  expect(seqs.map(({ seq }) => Number(seq))).toEqual(seqs.map((_one, i) => i + 1))

  const tampered = async (changes: string[], who = admin) => {
    await superuser.query('begin')
    try {
      // As only somebody can who owns the whole server.
      await superuser.query(`set local session_replication_role = replica`)
      for (const one of changes) await superuser.query(one)
      await superuser.query('commit')
      return (await verify(who)).faults.map(({ fault, seq }) => `${fault} ${seq}`)
    } finally {
      await superuser.query('begin')
      await superuser.query(`set local session_replication_role = replica`)
      for (const table of ['audit_seal', 'audit_value', 'audit_entry']) {
        await superuser.query(`delete from ${table}`)
        await superuser.query(`insert into ${table} overriding system value select * from kept_${table}`)
      }
      await superuser.query('commit')
    }
  }
  for (const table of ['audit_seal', 'audit_value', 'audit_entry'])
    await superuser.query(`create table kept_${table} as select * from ${table}`)
  const second = `(select entry_id from audit_seal where tenant_id = '${company}' and seq = 2)`
  expect(await tampered([`update audit_entry set actor_role = 'QA' where id = ${second}`])).toEqual(['entry-changed 2'])
  expect(await tampered([`update audit_entry set at = at + interval '1 second' where id = ${second}`])).toEqual([
    'entry-changed 2',
  ])
  expect(await tampered([`update audit_value set changes = '{}' where entry_id = ${second}`])).toEqual([
    'values-changed 2',
  ])
  expect(await tampered([`delete from audit_value where entry_id = ${second}`])).toEqual(['values-missing 2'])
  expect(await tampered([`delete from audit_entry where id = ${second}`])).toEqual(['entry-missing 2'])
  expect(await tampered([`delete from audit_seal where entry_id = ${second}`])).toEqual(['link-missing 3'])
  expect(
    await tampered([
      `delete from audit_value where entry_id = ${second}`,
      `update audit_seal set hash = '\\x00' where entry_id = ${second}`,
    ]),
  ).toEqual(['entry-changed 2', 'entry-changed 3'])
  expect((await verify(admin)).faults).toEqual([])

  // Whoever left the company is no longer seen by it, and was not removed: their values are missed all the same.
  const { rows: ofMoved } = await superuser.query<{ seq: string }>(`
    select s.seq from audit_seal s join audit_entry e on e.id = s.entry_id join person p on p.id = e.person_id
    where s.tenant_id = '${company}' and p.tenant_id = '${other}' and p.removed_at is null order by s.seq limit 1`)
  const { seq } = ofMoved[0]!
  const values = `delete from audit_value where entry_id = (select entry_id from audit_seal where tenant_id = '${company}' and seq = ${seq})`
  for (const who of [local, admin]) expect(await tampered([values], who)).toEqual([`values-missing ${seq}`])
})

test('nobody changes the log with the rights of the product or of its owner', async () => {
  const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
  await owner.connect()
  for (const change of [
    `update audit_entry set act = 'added'`,
    `delete from audit_entry`,
    `update audit_value set changes = '{}'`,
    `delete from audit_value`,
    `update audit_seal set seq = seq + 1`,
    `delete from audit_seal`,
    `truncate audit_seal`,
  ]) {
    await expect(owner.query(change), change).rejects.toThrow('only added to')
    await expect(service.database.asSystem((tx) => tx.count(sql`${sql.raw(change)}`))).rejects.toThrow(
      'permission denied',
    )
  }
  await owner.end()
  await expect(
    service.database.asSystem((tx) => tx.rows(sql`select add_audit(null, 'person', 'added', 'x', null, '{}')`)),
  ).rejects.toThrow('permission denied')
})

test('entries of a removed person stay without values, chains hold, and nobody else’s are forgotten', async () => {
  const officer = await makePerson(service, 'User', { tenantId: company, name: 'Thistlewood' })
  await change(local, { userId: officer.id, name: 'Thistlewood Two' })
  await service.database.asSystem((tx) => tx.rows(sql`select forget_audited(${local.id})`))
  expect((await about(local, local.id)).every(({ isErased }) => !isErased)).toBe(true)
  await sealAll()
  await callConfirmed(service, local)(accounts.remove, { query: { userId: officer.id } } as never)
  await sealAll()
  const entries = await about(local, officer.id)
  expect(entries[0]).toMatchObject({ act: 'removed', actor: { id: local.id } })
  expect(entries.slice(1).every(({ isErased }) => isErased)).toBe(true)
  expect(entries.length).toBeGreaterThan(2)
  const verified = await verify(local)
  expect(verified).toMatchObject({ faults: [], waiting: 0 })
  expect(verified.erased).toBeGreaterThanOrEqual(2)
  const { rows } = await superuser.query(`select from audit_value where changes::text ilike '%thistlewood%'`)
  expect(rows).toEqual([])
})

test('many sealers at once give every entry one place', async () => {
  for (let i = 0; i < 20; i++) await makePerson(service, 'User', { tenantId: company })
  await Promise.all(Array.from({ length: 8 }, () => service.database.asSystem((tx) => sealWaiting(tx, 7))))
  await sealAll()
  expect(await verify(admin)).toMatchObject({ waiting: 0, faults: [] })
})

test(
  'a person who changes their account over and over is stopped for the day, and still ends what is theirs',
  { tags: 'long' },
  async () => {
    const officer = await makePerson(service, 'User', { tenantId: company, isEmailVerified: true })
    const { made } = await callConfirmed(service, officer)(apiKeys.create, {
      body: { name: 'Reports', scopes: ['videos.read'], days: 30 },
    })
    const rename = (n: number) =>
      change(officer, { name: `Officer ${n}` }).then(
        () => 'done',
        (error: Refusal) => `${error.code} ${error.message}`,
      )
    const answers: string[] = []
    for (let n = 0; n <= mostKept.ownEntries; n++) answers.push(await rename(n))
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(mostKept.ownEntries)
    expect(answers.at(-1)).toBe(
      'request.too-many You changed this as often as one person does in a day. Go on tomorrow.',
    )
    expect((await callAs(service, officer)(accounts.info, {})).name).toBe(`Officer ${mostKept.ownEntries - 1}`)
    // What others do to them, and what ends something, goes on.
    await change(local, { userId: officer.id, name: 'Olive Officer' })
    await callAs(service, officer)(apiKeys.revoke, { params: { keyId: made.id } })
    await superuser.query(`
    set session_replication_role = replica;
    update audit_entry set at = at - interval '1 day' where actor_id = '${officer.id}';
    set session_replication_role = origin`)
    expect(await rename(0)).toBe('done')
    await callConfirmed(service, officer)(accounts.remove, {})
  },
)

test('revoking keys is never refused, however many were revoked that day', async () => {
  const officer = await makePerson(service, 'User', { tenantId: company })
  const make = () =>
    callConfirmed(service, officer)(apiKeys.create, { body: { name: 'Reports', scopes: ['videos.read'], days: 7 } })
  const { made } = await make()
  await superuser.query(`
    insert into audit_entry (at, actor_id, actor_role, kind, act, subject_id, person_id, values_hash)
    select now(), '${officer.id}', 'User', 'api-key', 'added', 'x', '${officer.id}', '' from generate_series(1, 200)`)
  await expect(make()).rejects.toThrow('Go on tomorrow')
  expect((await callAs(service, officer)(apiKeys.revoke, { params: { keyId: made.id } })).state).toBe('revoked')
})
