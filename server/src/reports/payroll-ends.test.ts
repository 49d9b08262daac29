import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { reports } from '@clear-to-post/contract/reports'
import { tenants } from '@clear-to-post/contract/tenants'
import { personRoles, type PersonRole } from '@clear-to-post/domain/roles'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { takeSteps, type TakenStep } from '../../test/taken-steps.ts'
import { sql } from '../kernel/database.ts'
import { editsForSql } from '../kernel/domain-sql.ts'
import { printed } from '../kernel/statement.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const hour = 3_600_000
/** A company with an officer and an admin. */
const makeCompany = async () => {
  const officer = await makeOfficer(service)
  const tenantId = officer.tenantId!
  return { officer, tenantId, boss: await makePerson(service, 'ADMIN', { tenantId }) }
}
type Company = Awaited<ReturnType<typeof makeCompany>>
const editorOf = ({ tenantId }: Company) => makePerson(service, 'Editor', { tenantId, timeZone: 'UTC' })

/** What was changed of somebody just now counts as if it had been at this instant. */
const asIfAt = async (editor: Person, at: string) => {
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query(`
    update membership set until = '${at}'
      where id = (select id from membership where person_id = '${editor.id}' and until is not null order by until desc limit 1);
    update membership set since = '${at}' where person_id = '${editor.id}' and until is null and since is not null`)
  await superuser.end()
}
const change = async (
  editor: Person,
  body: { role?: PersonRole; isDisabled?: boolean; tenantId?: string | null },
  at: string,
) => {
  await callConfirmed(service, admin)(
    accounts.update,
    { body: { userId: editor.id, ...body } },
    { requestId: randomUUID() },
  )
  await asIfAt(editor, at)
}
const remove = async (by: Person, editor: Person, at: string) => {
  await callConfirmed(service, by)(accounts.remove, { query: by === editor ? {} : { userId: editor.id } })
  await asIfAt(editor, at)
}

const leftAt = '2026-03-02T14:00:00Z'
const laterAt = '2026-03-10T12:00:00Z'
type Way = (editor: Person, company: Company, next: Company) => Promise<void>
/** All that ends, or does not end, that somebody edits for a company. */
const ways: { way: string; take: Way; is: 'gone' | 'at the next one' | 'still an editor' }[] = [
  {
    way: 'moved to another company',
    take: (e, _, to) => change(e, { tenantId: to.tenantId }, leftAt),
    is: 'at the next one',
  },
  { way: 'disabled', take: (e) => change(e, { isDisabled: true }, leftAt), is: 'gone' },
  ...personRoles
    .filter((role) => role !== 'Editor')
    .map((role) => ({
      way: `made ${role}`,
      take: (e: Person) => change(e, { role }, leftAt),
      is: 'gone' as const,
    })),
  { way: 'removed by the company', take: (e, { boss }) => remove(boss, e, leftAt), is: 'gone' },
  { way: 'removed by themselves', take: (e) => remove(e, e, leftAt), is: 'gone' },
  {
    way: 'made QA, then moved',
    take: async (e, _, to) => {
      await change(e, { role: 'QA' }, leftAt)
      await change(e, { tenantId: to.tenantId }, laterAt)
    },
    is: 'gone',
  },
  {
    way: 'disabled, then moved, then removed',
    take: async (e, _, to) => {
      await change(e, { isDisabled: true }, leftAt)
      await change(e, { tenantId: to.tenantId }, laterAt)
      await remove(to.boss, e, laterAt)
    },
    is: 'gone',
  },
  {
    way: 'in a company that is switched off',
    take: async (_, { tenantId }) => {
      await callConfirmed(service, admin)(tenants.update, { body: { tenantId, data: { isActive: false } } })
    },
    is: 'still an editor',
  },
]

const hoursOf = async (by: Person, editor: Person, month = '2026-03') =>
  (await callAs(service, by)(reports.payroll, { query: { month, timezone: 'UTC' } })).items
    .filter(({ id }) => id === editor.id)
    .map(({ inHandMs, approved }) => ({ hours: inHandMs / hour, approved }))
    .toSorted((a, b) => b.hours - a.hours)

it.each(ways)('an editor who is $way is paid for what they did until then, by that company', async ({ take, is }) => {
  const [company, next] = [await makeCompany(), await makeCompany()]
  const steps = (taken: TakenStep[]) => takeSteps(service, { officer: company.officer, admin }, taken)
  const row = (hours: number, approved = 0) => [{ hours, approved }]
  // A Monday; nine to five in UTC.
  const begin = (editor: Person): TakenStep => ['start', '2026-03-02T10:00:00Z', editor]
  const sent = (editor: Person): TakenStep => ['send', '2026-03-02T12:00:00Z', editor]
  const had: Record<string, { steps: (editor: Person) => TakenStep[]; done: ReturnType<typeof row> }> = {
    'a video in hand that nobody goes on with': {
      steps: (e) => [begin(e)],
      done: is === 'still an editor' ? row(0) : row(4),
    },
    'a video in hand that is handed over days later': {
      steps: (e) => [begin(e), ['assign', '2026-03-05T12:00:00Z', admin]],
      done: is === 'still an editor' ? row(7 + 8 + 8 + 3) : row(4),
    },
    'a cut that was sent': { steps: (e) => [begin(e), sent(e)], done: row(2) },
    'a cut that was approved later on': {
      steps: (e) => [begin(e), sent(e), ['approve', '2026-03-20T12:00:00Z', e]],
      done: row(2, 1),
    },
    nothing: { steps: () => [], done: is === 'still an editor' ? row(0) : [] },
  }
  const editors = new Map<string, Person>()
  for (const [what, { steps: taken }] of Object.entries(had)) {
    const editor = await editorOf(company)
    editors.set(what, editor)
    if (taken(editor).length > 0) await steps(taken(editor))
  }
  for (const [what, { done }] of Object.entries(had)) {
    const editor = editors.get(what)!
    await take(editor, company, next)
    const there = is === 'at the next one' ? row(0) : []
    expect(await hoursOf(company.boss, editor), `${what}, by that company`).toEqual(done)
    expect(await hoursOf(next.boss, editor), `${what}, by the next one`).toEqual(there)
    expect(await hoursOf(admin, editor), `${what}, by the service`).toEqual([...done, ...there])
    if (is === 'gone') expect(await hoursOf(company.boss, editor, '2026-04'), `${what}, a month later`).toEqual([])
  }
})

it('an editor who is let in again with a video in hand is paid from then on, and not for the days between', async () => {
  const company = await makeCompany()
  const editor = await editorOf(company)
  await takeSteps(service, { officer: company.officer, admin }, [
    ['start', '2026-03-02T10:00:00Z', editor],
    ['send', '2026-03-06T12:00:00Z', editor],
  ])
  await change(editor, { isDisabled: true }, leftAt)
  await change(editor, { isDisabled: false }, '2026-03-06T10:00:00Z')
  expect(await hoursOf(company.boss, editor)).toEqual([{ hours: 4 + 2, approved: 0 }])
})

it('a rate may be set for somebody who edited there before, and for nobody who was removed', async () => {
  const company = await makeCompany()
  const [editor, removed] = [await editorOf(company), await editorOf(company)]
  for (const one of [editor, removed])
    await takeSteps(service, { officer: company.officer, admin }, [['start', '2026-03-02T10:00:00Z', one]])
  await change(editor, { role: 'User' }, leftAt)
  await remove(company.boss, removed, leftAt)
  const setRate = (who: Person) =>
    callConfirmed(service, company.boss)(reports.setRate, {
      body: { editorId: who.id, fromMonth: '2026-03', rate: { unit: 'hour', amount: 5_000, currency: 'usd' } },
    })
  await setRate(editor)
  for (const who of [removed, company.officer])
    await expect(setRate(who)).rejects.toMatchObject({ code: 'account.not-found' })
  const { items } = await callAs(service, company.boss)(reports.payroll, {
    query: { month: '2026-03', timezone: 'UTC' },
  })
  expect(items.find(({ id }) => id === editor.id)).toMatchObject({ inHandMs: 4 * hour, pay: 20_000 })
  const row = items.find(({ id }) => id === removed.id)!
  expect(row).toMatchObject({ name: 'Former user', inHandMs: 4 * hour, hasLeft: true })
  expect(row).not.toHaveProperty('email')
})

it('a stay in a company ends with every change by which somebody may edit there no more', async () => {
  const [read, heard] = await service.database.asSystem(async (tx) => {
    const text = printed(sql`select ${editsForSql(sql`null::uuid`, sql`null::uuid`)}`).text
    await tx.executeSql(`create temporary view what_edits as ${text}`)
    const columns = await tx.rows(sql<{ name: string }>`
      select distinct a.attname as name
      from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where r.ev_class = 'what_edits'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = 'person'::regclass`)
    await tx.executeSql('drop view what_edits')
    const watched = await tx.rows(sql<{ name: string }>`
      select a.attname as name from pg_trigger g
        join pg_attribute a on a.attrelid = g.tgrelid and a.attnum = any(g.tgattr)
      where g.tgname = 'membership_changed'`)
    return [columns, watched].map((rows) => rows.map(({ name }) => name))
  })
  expect(read).toContain('role')
  expect(read!.filter((name) => name !== 'id' && !heard!.includes(name))).toEqual([])
})

it('stays from before the migration that splits them are those that the audit log knows of', async () => {
  const [company, next] = [await makeCompany(), await makeCompany()]
  const [editor, removed] = [await editorOf(company), await editorOf(company)]
  const set = (body: object) =>
    callConfirmed(service, admin)(
      accounts.update,
      { body: { userId: editor.id, ...body } },
      { requestId: randomUUID() },
    )
  await set({ role: 'QA' })
  await set({ isDisabled: true })
  await set({ tenantId: next.tenantId })
  await set({ isDisabled: false })
  await callConfirmed(service, company.boss)(accounts.remove, { query: { userId: removed.id } })
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  const stays = async () =>
    (
      await superuser.query(`
        select person_id, tenant_id, role, is_disabled from membership
        where person_id in ('${editor.id}', '${removed.id}') order by person_id, since nulls first`)
    ).rows
  const kept = await stays()
  expect(kept).toHaveLength(5 + 2)
  const migration = await readFile(
    join(import.meta.dirname, '../../migrations/0512_a_stay_ends_with_a_role.sql'),
    'utf8',
  )
  await superuser.query(`
    begin;
    select set_config('app.role', 'SYSTEM', true);
    create temp table moved_at as select min(since) as at from membership where tenant_id = '${next.tenantId}' and person_id = '${editor.id}';
    delete from membership where person_id in ('${editor.id}', '${removed.id}');
    insert into membership (person_id, tenant_id, until, role) select '${editor.id}', '${company.tenantId}', at, 'QA' from moved_at;
    insert into membership (person_id, tenant_id, since) select '${editor.id}', '${next.tenantId}', at from moved_at;
    insert into membership (person_id, tenant_id) values ('${removed.id}', '${company.tenantId}');
    ${migration.slice(migration.indexOf('with change as'))}`)
  const found = await stays()
  await superuser.query('rollback')
  await superuser.end()
  expect(found).toEqual(kept)
})
