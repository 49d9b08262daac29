import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditKinds } from '@clear-to-post/domain/audit'
import { unaudited, unauditedColumns } from './audited.ts'
import { freshDatabase, type TestDatabase } from './database.ts'

/** Every table and every column: what changes people, companies, plans, triggers, criteria or settings leaves an entry. */
let urls: TestDatabase
let superuser: pg.Client
let columns: Map<string, Column[]>
/** By table: [kind, kept columns, columns of which only a change is kept]. */
const audited = new Map<string, { kind: string; kept: string[]; hidden: string[] }>()

type Column = { table: string; name: string; type: string; nullable: boolean; has_default: boolean }

beforeAll(async () => {
  urls = await freshDatabase()
  superuser = new pg.Client({ connectionString: urls.superuserUrl })
  await superuser.connect()
  const { rows } = await superuser.query<Column>(`
    select c.table_name as table, c.column_name as name, c.udt_name as type, c.is_nullable = 'YES' as nullable,
      c.column_default is not null or c.is_identity = 'YES' as has_default
    from information_schema.columns c join pg_tables t on t.schemaname = c.table_schema and t.tablename = c.table_name
    where c.table_schema = 'public' and c.is_generated = 'NEVER' order by c.table_name, c.ordinal_position`)
  columns = Map.groupBy(rows, ({ table }) => table)
  const { rows: triggers } = await superuser.query<{ table: string; args: string[] }>(`
    select tgrelid::regclass::text as table, string_to_array(encode(tgargs, 'escape'), '\\000') as args
    from pg_trigger where tgfoid = 'keep_audit'::regproc`)
  for (const { table, args } of triggers)
    audited.set(table, { kind: args[0]!, kept: words(args[1]!), hidden: words(args[2]!) })
})
afterAll(async () => {
  await superuser.end()
  await urls.drop()
})

const words = (text: string): string[] => text.split(' ').filter((one) => one !== '')

it('every table is audited or says why not, and every column of one is kept, hidden or left out', () => {
  const without = Object.values(unaudited).flat()
  const wrong = [...columns.keys()].filter((table) => Number(audited.has(table)) + count(without, table) !== 1)
  expect(
    wrong.map((table) => `${table}: give it the trigger keep_audit, or a reason in server/test/audited.ts`),
  ).toEqual([])
  expect(without.filter((table) => !columns.has(table))).toEqual([])

  const left = Object.values(unauditedColumns).flat()
  const unsaid = [...audited].flatMap(([table, { kept, hidden }]) =>
    columns
      .get(table)!
      .filter(({ name }) => count([...kept, ...hidden], name) + count(left, `${table}.${name}`) !== 1)
      .map(({ name }) => `${table}.${name}: say it to keep_audit, or why not in server/test/audited.ts`),
  )
  expect(unsaid).toEqual([])
  const there = [...audited.keys()].flatMap((table) => columns.get(table)!.map(({ name }) => `${table}.${name}`))
  expect(left.filter((one) => !there.includes(one))).toEqual([])
  expect([...audited.values()].map(({ kind }) => kind).toSorted()).toEqual([...auditKinds].toSorted())
})

it('each change of an audited column leaves one entry as declared, and no other column does', async () => {
  const wrong: string[] = []
  let changes = 0
  for (const [table, { kind, kept, hidden }] of audited) {
    await superuser.query('begin')
    try {
      await superuser.query(`select enter('00000000-0000-0000-0000-000000000000', 'SYSTEM', null, null)`)
      const { rows: rules } = await superuser.query<{ table: string; name: string }>(
        `
        select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
        where connamespace = 'public'::regnamespace and contype in ('f', 'c') and conrelid = any ($1::regclass[])`,
        // Where a moved person was is written by the database itself.
        [[table, 'person', 'membership']],
      )
      // A change is about its column alone here.
      for (const rule of rules) await superuser.query(`alter table ${rule.table} drop constraint ${rule.name}`)
      await superuser.query(`
        insert into person (id, email, name, role, customer_id) values ('${whose}', 'whose@a.test', 'Whose', 'User', 'c')`)
      if (table === 'feedback_criteria') await superuser.query(`delete from feedback_criteria`)
      const own = columns.get(table)!
      const filled = own.filter(({ nullable, has_default }) => !nullable && !has_default)
      const of = own.filter(
        ({ name }) => /^(person_id|user_id)$/.test(name) && !filled.some((one) => one.name === name),
      )
      const names = [...filled, ...of].map(({ name }) => name)
      const before = await entries()
      const { rows: put } = await superuser.query<{ place: string }>(
        `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
         values (${[...filled, ...of].map((one) => valueOf(one, 'first')).join(', ')}) returning ctid::text as place`,
      )
      let place = put[0]!.place
      await oneMore(before, `${table}: added`, wrong)
      for (const column of own) {
        // Another person's is what an account itself never becomes.
        if (/^(person_id|user_id)$/.test(column.name) || (column.name === 'id' && table === 'person')) continue
        if (column.name === 'removed_at') continue
        const had = await entries()
        const { rows: changed } = await superuser.query<{ place: string }>(
          `update ${table} set "${column.name}" = ${valueOf(column, 'second')} where ctid = $1 returning ctid::text as place`,
          [place],
        )
        place = changed[0]!.place
        changes += 1
        const is = [...kept, ...hidden].includes(column.name)
        const now = await entries()
        if (now - had !== (is ? 1 : 0)) {
          wrong.push(`${table}.${column.name}: ${now - had} entries`)
          continue
        }
        if (!is) continue
        const {
          rows: [last],
        } = await superuser.query<{ kind: string; act: string; changes: Record<string, unknown> }>(
          `select e.kind, e.act, v.changes from audit_entry e join audit_value v on v.entry_id = e.id order by e.at desc, e.id desc limit 1`,
        )
        const said = Object.entries(last!.changes)
        const isHidden = said.every(([, value]) => value === true)
        if (last!.kind !== kind || last!.act !== 'changed')
          wrong.push(`${table}.${column.name}: ${last!.kind} ${last!.act}`)
        if (
          said.length === 0 ||
          said.some(([field]) => field.split('.')[0] !== column.name) ||
          isHidden !== hidden.includes(column.name)
        )
          wrong.push(`${table}.${column.name}: ${JSON.stringify(last!.changes)}`)
      }
      const had = await entries()
      await superuser.query(`delete from ${table} where ctid = $1`, [place])
      await oneMore(had, `${table}: removed`, wrong)
    } finally {
      await superuser.query('rollback')
    }
  }
  expect(wrong).toEqual([])
  expect(changes).toBeGreaterThan(100)
})

const whose = randomUUID()
const count = (list: readonly string[], one: string): number => list.filter((other) => other === one).length

const entries = async (): Promise<number> =>
  (await superuser.query<{ count: number }>('select count(*)::integer as count from audit_entry')).rows[0]!.count

const oneMore = async (before: number, what: string, wrong: string[]) => {
  const now = await entries()
  if (now !== before + 1) wrong.push(`${what}: ${now - before} entries`)
}

/** Two values of each type, as SQL. */
const valueOf = ({ name, type }: Column, which: 'first' | 'second'): string => {
  const isFirst = which === 'first'
  if (/^(person_id|user_id)$/.test(name)) return `'${whose}'`
  if (type === 'bool') return `coalesce(not ${isFirst ? 'null::boolean' : `"${name}"`}, true)`
  const values: Record<string, [string, string]> = {
    uuid: [`'${randomUUID()}'`, `'${randomUUID()}'`],
    text: [`'${randomUUID()}'`, `'${randomUUID()}'`],
    bytea: [`'\\x01'`, `'\\x02'`],
    timestamptz: [`'2026-01-01Z'`, `'2026-01-02Z'`],
    date: [`'2026-01-01'`, `'2026-01-02'`],
    jsonb: [`'{"a": 1}'`, `'{"b": 2}'`],
    _text: [`'{a}'`, `'{b}'`],
    _uuid: [`'{${randomUUID()}}'`, `'{${randomUUID()}}'`],
    _timestamptz: [`'{2026-01-01Z}'`, `'{2026-01-02Z}'`],
  }
  if (values[type]) return values[type][isFirst ? 0 : 1]
  if (/^(int|float|numeric)/.test(type)) return isFirst ? '3' : '4'
  throw new Error(`say two values of the type ${type}`)
}
