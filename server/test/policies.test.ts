import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase, type TestDatabase } from './database.ts'
import { isLong, partOfWalk, seeded, seedOfRun } from './random.ts'
import { intention, relations, type TestActor, type TestRow } from './policies.ts'

/** Row-level security alone: every table × everybody × select, insert, update, delete, asked in SQL as the product's role. */
let urls: TestDatabase
let superuser: pg.Client
const commands = ['select', 'insert', 'update', 'delete'] as const
type Command = (typeof commands)[number]
/** By table: its rows, each with its values. */
const rows: Record<string, (TestRow & { at: string; values: Record<string, unknown> })[]> = {}

const tenants: Record<string, string> = { A: randomUUID(), B: randomUUID() }
const person = (who: string, role: TestActor['role'], tenant: string | null): TestActor => ({
  who,
  id: randomUUID(),
  role,
  tenant,
})
const officer = person('officer of A', 'User', 'A')
const people = [
  officer,
  person('another officer of A', 'User', 'A'),
  person('officer of B', 'User', 'B'),
  person('officer of none', 'User', null),
  person('Editor of A', 'Editor', 'A'),
  person('QA of A', 'QA', 'A'),
  person('ADMIN of A', 'ADMIN', 'A'),
  person('Editor of B', 'Editor', 'B'),
  person('Editor of all', 'Editor', null),
  person('QA of all', 'QA', null),
  person('ADMIN of all', 'ADMIN', null),
]
const actors = [...people, person('the service', 'SYSTEM', null), person('nobody', '', null)]
const editor = people[4]!
/** Serves another company now than the one they made a cut for. */
const left = people[7]!
/** Is in their company for longer than the others. */
const longer = people[1]!

const meant = Object.fromEntries(
  intention
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [table, ...cells] = line.split('|').map((cell) => cell.trim())
      return [table!, Object.fromEntries(commands.map((command, i) => [command, cells[i]!.split(' ')]))]
    }),
) as Record<string, Record<Command, string[]>>

beforeAll(async () => {
  urls = await freshDatabase()
  superuser = new pg.Client({ connectionString: urls.superuserUrl })
  await superuser.connect()
  // Rows alone are asked about: no keys between tables, and no triggers.
  await superuser.query(`set session_replication_role = replica`)
  await superuser.query(probe)
  await seed()
})
afterAll(async () => {
  await superuser.end()
  await urls.drop()
})

it('every table is declared with its intended access, and has rows', async () => {
  const { rows: found } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const tables = found.map(({ name }) => name)
  const undeclared = tables
    .filter((name) => !meant[name])
    .map(
      (name) => `declare who may read and write ${name} in server/test/policies.ts, and its rows in policies.test.ts`,
    )
  expect(undeclared).toEqual([])
  expect(Object.keys(meant).filter((name) => !tables.includes(name))).toEqual([])
  expect(tables.filter((name) => (rows[name]?.length ?? 0) === 0)).toEqual([])
  for (const cells of Object.values(meant))
    for (const word of Object.values(cells).flat()) expect(['-', ...Object.keys(relations)]).toContain(word)
})

it('the documented dump reads every row of every table as the plain owner', async () => {
  const text = (path: string) => readFile(join(import.meta.dirname, '../..', path), 'utf8')
  const page = await text('docs/operations.md')
  const [command, options, dump] = /^PGOPTIONS='(.*)' (pg_dump .*"\$DATABASE_URL")$/m.exec(page)!
  expect(await text('server/src/main/backup.ts')).toContain(command)
  const owner = new pg.Client({ connectionString: urls.ownerUrl, options })
  await owner.connect()
  try {
    // As pg_dump begins.
    await owner.query(`select set_config('search_path', '', false)`)
    await owner.query(`set row_security = ${dump!.includes('--enable-row-security') ? 'on' : 'off'}`)
    const { rows: tables } = await superuser.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    expect(tables.length).toBeGreaterThan(Object.keys(meant).length)
    const unlike: string[] = []
    for (const { name } of tables) {
      const count = `select count(*)::int as n from ${name}`
      const { rows: all } = await superuser.query<{ n: number }>(count)
      const read = await owner.query<{ n: number }>(count).then(
        ({ rows: found }) => found[0]!.n,
        (error: Error) => error.message,
      )
      if (read !== all[0]!.n) unlike.push(`${name}: ${read} of ${all[0]!.n}`)
    }
    expect(unlike).toEqual([])
  } finally {
    await owner.end()
  }
})

it('row-level security allows exactly the declared reads and writes', async () => {
  const unlike: string[] = []
  for (const table of Object.keys(meant)) unlike.push(...(await unlikeMeant(table, commands)))
  expect(unlike).toEqual([])
}, 120_000)

const { share, options } = partOfWalk(2)
const words = 'each opened policy, removed condition and added role is noticed'
it(words, { ...options, timeout: 600_000 }, async () => {
  const { rows: policies } = await superuser.query<Policy>(`
    select tablename as table, policyname as name, lower(cmd) as cmd, qual, with_check
    from pg_policies where schemaname = 'public' and roles = '{public}' order by 1, 2`)
  const unnoticed: string[] = []
  let changed = 0
  const seed = seedOfRun()
  const random = seeded(seed)
  for (const policy of policies.filter((_, at) => at % share === seed % share))
    for (const part of ['qual', 'with_check'] as const)
      for (const [without, weaker] of weakened(policy[part])) {
        // All in the long form (npm run prove -- policies); else the policy opened, and some of its conditions.
        if (!isLong && without !== 'opened' && random.next() < 0.75) continue
        const { table, name, cmd } = policy
        const clause = part === 'qual' ? 'using' : 'with check'
        await superuser.query('begin')
        // Where `true` is no valid replacement, PostgreSQL refuses: it was no condition.
        await superuser.query('savepoint weaker')
        const isCondition = await superuser.query(`alter policy ${name} on ${table} ${clause} (${weaker})`).then(
          () => true,
          async () => (await superuser.query('rollback to weaker'), false),
        )
        if (isCondition) {
          changed += 1
          const asked = commands.filter((command) => cmd === 'all' || cmd === command)
          const noticed = await unlikeMeant(table, asked)
          if (noticed.length === 0) unnoticed.push(`${name}: ${without}`)
        }
        await superuser.query('rollback')
      }
  if (isLong)
    console.log(
      `${changed} changes of ${policies.length} policies: ${unnoticed.length} unnoticed, each listed with its reason`,
    )
  expect(
    unnoticed.filter((one) => !(one in same)),
    `PROVE_SEED=${seed}`,
  ).toEqual([])
  // What is listed and would be noticed is listed no more.
  if (isLong) expect(Object.keys(same).filter((one) => !unnoticed.includes(one))).toEqual([])
  expect(changed).toBeGreaterThan(isLong ? 250 : 80 / share)
})

it('each condition removed from a function that policies call is noticed', async () => {
  const { rows: functions } = await superuser.query<{ name: string; body: string; text: string }>(`
    select proname as name, prosrc as body, pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace
      and proname in ('serves_all', 'served_tenant', 'staff_reach', 'writes_library')`)
  const unnoticed: string[] = []
  for (const { name, body, text } of functions)
    for (const weaker of weakenedFunctions[name]!(body.replaceAll('public.', ''))) {
      await superuser.query('begin')
      await superuser.query(text.replace(body, () => weaker))
      const noticed: string[] = []
      for (const table of ['project', 'note', 'person', 'script_library'])
        noticed.push(...(await unlikeMeant(table, commands)))
      if (noticed.length === 0) unnoticed.push(`${name}: ${weaker}`)
      await superuser.query('rollback')
    }
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(weakenedFunctions).sort())
  expect(unnoticed).toEqual([])
}, 120_000)

type Policy = { table: string; name: string; cmd: string; qual: string | null; with_check: string | null }

const officerIsNoStaff = 'the condition beside it is for staff'
const peopleInReach = 'of people a company’s staff see only its own'
/** Changes that change nothing anybody could see, and why. */
const same: Record<string, string> = {
  'asset_seen: with User': officerIsNoStaff,
  'asset_written: with User': officerIsNoStaff,
  'audit_entry_seen: with User': officerIsNoStaff,
  'audit_seal_seen: with User': officerIsNoStaff,
  'audit_value_seen: with User': officerIsNoStaff,
  'membership_seen: with User': officerIsNoStaff,
  'step_figure_seen: with User': officerIsNoStaff,
  'support_message_seen: with User': officerIsNoStaff,
  'support_thread_moved: with User': officerIsNoStaff,
  'support_thread_seen: with User': officerIsNoStaff,
  'webhook_attempt_seen: with User': officerIsNoStaff,
  'webhook_delivery_moved: with User': officerIsNoStaff,
  'webhook_delivery_seen: with User': officerIsNoStaff,
  'webhook_endpoint_administered: with User': officerIsNoStaff,
  'webhook_event_seen: with User': officerIsNoStaff,
  'clip_written: with User': officerIsNoStaff,
  'look_written: with User': officerIsNoStaff,
  'person_made: with User': officerIsNoStaff,
  'person_set: with User': officerIsNoStaff,
  'tenant_made: with User': officerIsNoStaff,
  'tenant_set: with User': officerIsNoStaff,
  'goal_seen: with User': 'of people an officer sees only themselves, whose rows they see anyway',
  "invitation_set: without ( SELECT actor_role() AS actor_role) = 'ADMIN'::text":
    'asked of the row before and of the row after: either is enough',
  'quota_use_seen: with User': 'of people an officer sees only themselves, whose rows they see anyway',
  'asset_seen: without c.user_id = actor_id()':
    'of cuts an officer sees only their own, and staff see the files of those they see',
  'charge_seen: without p.tenant_id = actor_tenant()': peopleInReach,
  'charge_seen: without m.tenant_id = actor_tenant()': 'of stays a company’s ADMIN sees only those in it',
  'extra_project_seen: without p.tenant_id = actor_tenant()': peopleInReach,
  'subscription_seen: without p.tenant_id = actor_tenant()': peopleInReach,
  'script_seen: without user_id IS NULL': 'no script has both a person and a category: the table checks it',
  'script_written: without user_id IS NULL': 'no script has both a person and a category: the table checks it',
}

/** The expression with each condition in it (any operand of AND or OR, at any depth) true, and with each list of roles full. */
const weakened = (expression: string | null): Map<string, string> => {
  const found = new Map<string, string>()
  if (expression === null || expression === 'true') return found
  found.set('opened', 'true')
  const open: number[] = []
  const operand = (from: number, to: number) => {
    const text = expression.slice(from, to)
    const kept = /^\s*/.exec(text)![0].length
    if (text.trim() !== '' && text.trim() !== 'true')
      found.set(
        `without ${text
          .replace(/\s+/g, ' ')
          .trim()
          .replace(/^\((.*)\)$/, '$1')}`,
        `${expression.slice(0, from + kept)}true${expression.slice(from + text.trimEnd().length)}`,
      )
  }
  const starts: number[] = [0]
  for (let i = 0; i <= expression.length; i++) {
    const rest = expression.slice(i)
    if (expression[i] === '(') {
      open.push(i)
      starts.push(i + 1)
    } else if (expression[i] === ')' || i === expression.length) {
      operand(starts.pop()!, i)
      if (expression[i] === ')') operand(open.pop()!, i + 1)
    } else if (/^\s(AND|OR)\s/.test(rest) || /^\sWHERE\s/.test(rest)) {
      const word = /^\s(AND|OR|WHERE)\s/.exec(rest)!
      if (word[1] !== 'WHERE') operand(starts.at(-1)!, i)
      starts[starts.length - 1] = i + word[0].length
    }
  }
  if (expression.includes('ARRAY['))
    for (const role of ['User', 'Editor', 'QA', 'ADMIN'])
      if (!expression.includes(`'${role}'::text`))
        found.set(`with ${role}`, expression.replace('ARRAY[', `ARRAY['${role}'::text, `))
  return found
}

const weakenedFunctions: Record<string, (body: string) => string[]> = {
  serves_all: (body) => [
    ' select true ',
    body.replace(' and actor_tenant() is null', ''),
    body.replace("actor_role() in ('Editor', 'QA', 'ADMIN') and ", ''),
    body.replace("('Editor'", "('User', 'Editor'"),
  ],
  served_tenant: (body) => [' select actor_tenant() ', body.replace("('Editor'", "('User', 'Editor'")],
  staff_reach: () => [' select true ', ' select serves_all() or served_tenant() is not null '],
  writes_library: (body) => [
    ' select true ',
    body.replace("actor_role() = 'ADMIN' and ", ''),
    body.replace('coalesce(of_tenant = actor_tenant(), false)', 'true'),
    body.replace('coalesce(of_tenant = actor_tenant(), false)', 'of_tenant is null'),
  ],
}

/** The differences between the database and the declared access, in words. */
const unlikeMeant = async (table: string, asked: readonly Command[]): Promise<string[]> => [
  ...(await unlikeProbed(
    table,
    asked,
    blindChange[table] ?? null,
    (command) => (actor, row) => meant[table]![command].some((word) => relations[word]?.(actor, row)),
  )),
  ...(asked.includes('update')
    ? (
        await Promise.all(
          (takingChanges[table] ?? []).map(async ({ change, may }) =>
            (await unlikeProbed(table, ['update'], change, () => may)).map((one) => `${one}, with ${change}`),
          ),
        )
      ).flat()
    : []),
]

const unlikeProbed = async (
  table: string,
  asked: readonly Command[],
  change: string | null,
  mayDo: (command: Command) => (actor: TestActor, row: TestRow) => boolean,
): Promise<string[]> => {
  const own = rows[table] ?? []
  const { rows: found } = await superuser.query<{ answer: Record<string, string[]>[] }>(
    'select pg_temp.probe($1, $2, $3, $4, $5) as answer',
    [
      table,
      JSON.stringify(actors.map(({ id, role, tenant }) => ({ id, role, tenant: tenant && tenants[tenant] }))),
      JSON.stringify(own.map(({ at, values }) => ({ at, values }))),
      change,
      asked,
    ],
  )
  return actors.flatMap((actor, i) =>
    asked.flatMap((command) =>
      own.flatMap((row) => {
        const may = mayDo(command)(actor, row)
        const does = found[0]!.answer[i]![command]!.includes(row.at)
        return may === does ? [] : [`${actor.who} ${may ? 'cannot' : 'can'} ${command} ${row.label} of ${table}`]
      }),
    ),
  )
}

// Each of them returns the places (ctid) of the rows that it reaches. Writes read no column, so that read policies do not
// limit them. Their effect is rolled back.
const probe = `
create function pg_temp.probe(tab text, actors jsonb, seeded jsonb, change text, asked text[]) returns jsonb language plpgsql as $$
declare
  answers jsonb := '[]'; answer jsonb; a jsonb; r jsonb; command text; got text[]; left_over text[]; cols text;
begin
  select string_agg(quote_ident(attname), ', ') into cols from pg_attribute
    where attrelid = tab::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  for a in select * from jsonb_array_elements(actors) loop
    answer := '{}';
    foreach command in array asked loop
      got := '{}';
      if command = 'insert' then
        for r in select * from jsonb_array_elements(seeded) loop
          begin
            perform enter((a->>'id')::uuid, a->>'role', (a->>'tenant')::uuid, null);
            perform set_config('role', 'clear_app', true);
            execute format('insert into %1$I (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$I, $1)', tab, cols)
              using r->'values';
            raise exception 'taken back' using errcode = 'ZZ000';
          exception
            when insufficient_privilege then null;
            when sqlstate 'ZZ000' or unique_violation then got := got || (r->>'at');
          end;
        end loop;
      else
        begin
          perform enter((a->>'id')::uuid, a->>'role', (a->>'tenant')::uuid, null);
          perform set_config('role', 'clear_app', true);
          if command = 'select' then
            execute format('select coalesce(array_agg(ctid::text), ''{}'') from %I', tab) into got;
          else
            begin
              execute case when command = 'delete' then format('delete from %I', tab)
                           else format('update %I set %s', tab, change) end;
            exception when insufficient_privilege then
              -- One row that they may see and not write refuses the whole: each by itself.
              for r in select * from jsonb_array_elements(seeded) loop
                begin
                  execute format(case when command = 'delete' then 'delete from %1$I where ctid = $1'
                                      else 'update %1$I set %2$s where ctid = $1' end, tab, change) using (r->>'at')::tid;
                exception when insufficient_privilege then null;
                end;
              end loop;
            end;
            perform set_config('role', 'none', true);
            execute format('select coalesce(array_agg(ctid::text), ''{}'') from %I', tab) into left_over;
            select coalesce(array_agg(s->>'at'), '{}') into got from jsonb_array_elements(seeded) s
              where not (s->>'at' = any (left_over));
          end if;
          raise exception 'taken back' using errcode = 'ZZ000';
        exception
          when insufficient_privilege then null;
          when sqlstate 'ZZ000' then null;
        end;
      end if;
      answer := answer || jsonb_build_object(command, to_jsonb(got));
    end loop;
    answers := answers || jsonb_build_array(answer);
  end loop;
  return answers;
end $$`

/** A change of every row that reads none. */
const blindChange: Record<string, string> = {
  consent: 'given_at = now()',
  goal_day: 'target = 2',
  note_asset: 'position = 2',
  notification_quiet: `from_time = '21:00'`,
  saved_view: `name = 'another'`,
}

/** Where a policy asks one thing of the row before and another of the row after: changes that make the row somebody's own. */
const takingChanges: Record<string, { change: string; may: (actor: TestActor, row: TestRow) => boolean }[]> = {
  invitation: [
    { change: 'invited_by = actor_id(), tenant_id = actor_tenant()', may: relations.administered! },
    {
      change: `invited_by = actor_id(), tenant_id = '${tenants.B}'`,
      may: (a, r) => relations.administered!(a, r) && a.tenant !== 'A',
    },
  ],
}

const seed = async () => {
  const { rows: columns } = await superuser.query<Column>(`
    select table_name as table, column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' as has_default, is_generated = 'ALWAYS' as generated
    from information_schema.columns where table_schema = 'public'
      and table_name in (select tablename from pg_tables where schemaname = 'public') order by ordinal_position`)
  const { rows: checked } = await superuser.query<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.connamespace = 'public'::regnamespace and c.contype = 'c'`)
  for (const [table, cells] of Map.groupBy(columns, (one) => one.table)) {
    const owning = rowsOf(table).flatMap(({ values = {} }) => Object.keys(values))
    const random = ['timestamptz', 'text', 'bytea', 'uuid'].flatMap((type) =>
      cells.filter(
        (one) =>
          one.type === type &&
          !one.generated &&
          !owning.includes(one.name) &&
          !checked.some(({ table: of, name }) => of === table && name === one.name),
      ),
    )[0]
    blindChange[table] ??= random ? `${random.name} = ${randomOf[random.type]}` : 'id = gen_random_uuid()'
    if (table === 'schema_migration') {
      const { rows: found } = await superuser.query<{ at: string }>(`select ctid::text as at from ${table}`)
      rows[table] = found.map(({ at }) => ({ at, label: 'a row', values: {} }))
      continue
    }
    // The library of the service is there from the start.
    await superuser.query(`delete from ${table}`)
    rows[table] = []
    for (const { values: given, ...row } of rowsOf(table)) {
      const filled: Record<string, unknown> = { ...always[table], ...given }
      for (const { name, type, nullable, has_default, generated } of cells)
        if (!(name in filled) && !nullable && !has_default && !generated) filled[name] = anything[type]!()
      const names = Object.keys(filled)
      const { rows: put } = await superuser.query<{ at: string; whole: Record<string, unknown> }>(
        `with put as (insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) overriding system value
           select ${names.map((name) => `"${name}"`).join(', ')} from jsonb_populate_record(null::${table}, $1) returning ctid::text as ctid_of_row, *)
         select ctid_of_row as at, to_jsonb(put) - 'ctid_of_row' as whole from put`,
        [JSON.stringify(filled)],
      )
      rows[table]!.push({ ...row, at: put[0]!.at, values: put[0]!.whole })
    }
  }
}
type Column = { table: string; name: string; type: string; nullable: boolean; has_default: boolean; generated: boolean }

const randomOf: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'md5(random()::text)',
  timestamptz: 'now()',
  bytea: `convert_to(md5(random()::text), 'utf8')`,
}
const anything: Record<string, () => unknown> = {
  uuid: randomUUID,
  text: randomUUID,
  bytea: () => `\\x${randomUUID().replaceAll('-', '')}`,
  int2: () => 0,
  int4: () => 1,
  int8: () => Math.floor(Math.random() * 2 ** 40),
  float4: () => 1,
  float8: () => 1,
  numeric: () => 1,
  bool: () => true,
  date: () => '2026-11-20',
  timestamptz: () => '2026-11-20T00:00:00Z',
  jsonb: () => ({}),
  json: () => ({}),
  _text: () => [],
  _uuid: () => [],
}

type Seed = TestRow & { values?: Record<string, unknown> }
const idOf = (tenant: string | null) => (tenant === null ? null : tenants[tenant]!)
const ofPeople = (column: string, more: (one: TestActor) => Record<string, unknown> = () => ({})): Seed[] =>
  people.map((one) => ({
    label: `the row of ${one.who}`,
    owner: one.id,
    tenant: one.tenant,
    actor: one.id,
    values: { [column]: one.id, ...more(one) },
  }))
const withTenant = (one: TestActor) => ({ tenant_id: idOf(one.tenant) })
const ofTenants = (column: string): Seed[] =>
  ['A', 'B', null].map((tenant) => ({
    label: `the row of company ${tenant}`,
    tenant,
    values: { [column]: idOf(tenant) },
  }))
/** An object and its dependent rows, with the same owners. */
const named = new Map<string, string>()
const idNamed = (name: string): string => named.get(name) ?? named.set(name, randomUUID()).get(name)!
const things = (thing: string, seeds: Seed[]): Seed[] =>
  seeds.map((row) => ({ ...row, values: { ...row.values, id: idNamed(`${thing} ${row.label}`) } }))
const hanging = (thing: string, column: string, seeds: Seed[], more: Record<string, unknown> = {}): Seed[] =>
  seeds.map((row) => ({ ...row, values: { [column]: idNamed(`${thing} ${row.label}`), ...more } }))

const audiences = [['A'], ['B'], ['A', 'B'], []]
const triggers = (): Seed[] =>
  audiences.map((to) => ({
    label: `a trigger for ${to.join(' and ') || 'everybody'}`,
    tenants: to,
    values: { tenant_ids: to.map(idOf) },
  }))
const libraries = (): Seed[] => ofTenants('tenant_id').map((row) => ({ ...row, isOfLibrary: true }))
const goals = () => ofPeople('editor_id')
const notes = () => ofPeople('user_id', withTenant)
const inCompany = () => ofPeople('user_id', withTenant)

const rowsOf = (table: string): Seed[] => special[table]?.() ?? [{ label: 'a row', values: values[table] ?? {} }]
/** What a check of the table wants of its one row. */
const values: Record<string, Record<string, unknown>> = {
  plan: { interval: 'month' },
  notification_waiting: { channel: 'email' },
  one_time_token: { purpose: 'password', email: 'a@b.test' },
}
/** The same of what every row of a table has. */
const always: Record<string, Record<string, unknown>> = {
  asset: { state: 'ready' },
  mail: { state: 'sent' },
  step_figure: { verb: 'create' },
  settled_job: { act: 'let-rest' },
  web_piece: { coding: 'br' },
  support_thread: { state: 'waiting', guest_email: null },
  support_message: { body: 'Words', kind: 'message' },
  project: { status: 6, submit_month: '2026-11', caption_style: 1 },
}
const special: Record<string, () => Seed[]> = {
  answered_request: () => ofPeople('actor_id'),
  asset: () => [
    ...ofPeople('author_id', (one) => ({ ...withTenant(one), purpose: 'source' })).map((row) => ({
      ...row,
      isDraft: true,
    })),
    ...ofPeople('author_id', (one) => ({ ...withTenant(one), purpose: 'source', project_id: randomUUID() })).map(
      (row) => ({
        ...row,
        label: `${row.label} in a project`,
      }),
    ),
    ...['noted', 'shown'].map((name) => ({
      label: `a ${name} draft`,
      owner: officer.id,
      tenant: 'A',
      isDraft: true,
      isLinked: true,
      values: { id: idNamed(name), author_id: officer.id, tenant_id: tenants['A'], purpose: 'source' },
    })),
    ...ofTenants('tenant_id').map((row) => ({
      ...row,
      label: `the file of a clip of company ${row.tenant}`,
      isDraft: true,
      isClip: true,
      values: { ...row.values, id: idNamed(`clip ${row.label}`), purpose: 'clip' },
    })),
    ...['approved', 'waiting', 'of nobody’s', 'of who left'].map((name) => ({
      label: `a cut ${name}`,
      owner: name === 'of who left' ? left.id : editor.id,
      tenant: 'A',
      isCut: true,
      ...(name === 'approved' ? { approvedFor: officer.id } : {}),
      values: {
        id: idNamed(`cut ${name}`),
        author_id: name === 'of who left' ? left.id : editor.id,
        tenant_id: tenants['A'],
        project_id: randomUUID(),
        purpose: 'cut',
      },
    })),
  ],
  clip: () =>
    ofTenants('tenant_id').map((row) => ({
      ...row,
      isClip: true,
      values: { ...row.values, asset_id: idNamed(`clip ${row.label}`) },
    })),
  look: () =>
    ofTenants('tenant_id').map((row) => ({
      ...row,
      isClip: true,
      values: { ...row.values, name: row.label, content: {} },
    })),
  asset_face: () => [{ label: 'a face', values: { asset_id: idNamed('shown') } }],
  api_key: () =>
    ofPeople('person_id', (one) => ({
      ...withTenant(one),
      scopes: ['videos.read'],
      created_at: new Date(),
      ends_at: new Date(Date.now() + 86_400_000),
    })),
  audit_entry: () => ofTenants('tenant_id').map((row) => ({ ...row, values: { ...row.values, act: 'added' } })),
  audit_seal: () => ofTenants('tenant_id'),
  audit_value: () => ofTenants('tenant_id'),
  calendar_link: () => ofPeople('person_id'),
  consent: () => ofPeople('person_id', () => ({ document: 'terms', version: '2026-11-27' })),
  charge: () => [
    ...paidByCompany(),
    ...ofPeople('user_id', () => ({ created_at: '2015-06-01' })),
    // The moment in which a stay ends is of the next.
    ...['2009-06-01', '2020-01-01', '2025-06-01'].flatMap((at) =>
      ofPeople('user_id', () => ({ created_at: at })).map((row) => ({
        ...row,
        label: `${row.label}, made ${at}`,
        wasElsewhere: at === '2009-06-01' || row.owner !== longer.id,
      })),
    ),
  ],
  connection: () => [
    ...ofPeople('user_id', () => ({ state: 'active', tenant_id: null })),
    ...companysAccounts().map((row) => ({ ...row, values: { ...row.values, state: 'active', user_id: null } })),
  ],
  connection_officer: () => [
    ...companysAccounts().map(({ values, ...row }) => ({
      ...row,
      values: { connection_id: values!['id'], tenant_id: values!['tenant_id'], user_id: row.postedBy! },
    })),
    {
      label: 'what an officer of A has left in B',
      tenant: 'B',
      postedBy: officer.id,
      values: { connection_id: randomUUID(), tenant_id: tenants['B'], user_id: officer.id },
    },
  ],
  connection_walk: () => ofPeople('user_id'),
  coupon: () => [{ label: 'a coupon', values: { percent_off: 10 } }],
  customer: () => [{ label: 'a customer', values: { user_id: officer.id } }],
  data_export: () => ofPeople('person_id', () => ({ state: 'waiting', ready_at: null, ends_at: null, bytes: null })),
  edit: () => ofTenants('tenant_id'),
  edit_author: () => ofTenants('tenant_id'),
  edit_clip: () => ofTenants('tenant_id'),
  editor_rate: () =>
    ofPeople('person_id', (one) => ({ ...withTenant(one), from_month: '2026-11', unit: 'hour', currency: 'usd' })),
  support_thread: () => [
    ...ofPeople('person_id', withTenant),
    { label: 'of somebody without an account', tenant: null, values: { person_id: null, tenant_id: null } },
  ],
  support_message: () =>
    people
      .filter(({ role }) => role === 'ADMIN' || role === 'User' || role === 'Editor')
      .flatMap(({ who, id }) =>
        ofPeople('person_id', withTenant).flatMap((row) =>
          [true, false].map((isByStaff) => ({
            ...row,
            label: `${row.label}, written by the ${who} as ${isByStaff ? 'staff' : 'its asker'}`,
            actor: id,
            isByStaff,
            values: { ...row.values, author_id: id, kind: 'message', by_staff: isByStaff },
          })),
        ),
      ),
  saved_view: () => ofPeople('person_id', () => ({ search: {} })),
  extra_project: () => [
    ...ofPeople('user_id').map((row) => ({ ...row, isBegun: true })),
    ...ofPeople('user_id', () => ({ state: 'paid' })).map((row) => ({ ...row, label: `${row.label}, paid` })),
  ],
  feedback_criteria: () => [{ label: 'the criteria', values: { criteria: [{}] } }],
  glossary: () => ofPeople('owner_id', withTenant),
  goal: () => things('goal', goals()),
  goal_day: () => hanging('goal', 'goal_id', goals()),
  note: () => things('note', notes()),
  note_asset: () => [...hanging('note', 'note_id', notes(), { asset_id: idNamed('noted') })],
  note_event: () => hanging('note', 'note_id', notes(), { type: 'created' }),
  notification: () => ofPeople('user_id'),
  notification_choice: () => ofPeople('user_id', () => ({ email: 'never' })),
  notification_quiet: () => ofPeople('user_id', () => ({ from_time: '20:00', until_time: '08:00' })),
  notification_trigger: () => things('trigger', triggers()),
  person: () => ofPeople('id', (one) => ({ ...withTenant(one), role: one.role })),
  post_slots: () => ofPeople('user_id', () => ({ slots: [] })),
  post: () => things('post', inCompany()),
  post_event: () => hanging('post', 'post_id', inCompany()),
  post_comment: () => hanging('post', 'post_id', inCompany(), { state: 'waiting' }),
  post_figures: () => hanging('post', 'post_id', inCompany()),
  project: () => [...inCompany(), { label: 'one of no company', tenant: null, values: {} }],
  project_comment: () => [
    ...inCompany().map((row) => ({ ...row, values: { ...row.values, internal: false } })),
    ...inCompany().map((row) => ({
      ...row,
      label: `${row.label}, internal`,
      isClosed: true,
      values: { ...row.values, internal: true },
    })),
  ],
  project_cut: () => [
    ...inCompany().map((row) => ({
      ...row,
      isClosed: true,
      values: { ...row.values, verdict: 'waiting', asset_id: idNamed('cut waiting') },
    })),
    ...inCompany().map((row) => ({
      ...row,
      label: `${row.label}, approved`,
      values: {
        ...row.values,
        verdict: 'approved',
        asset_id: row.owner === officer.id ? idNamed('cut approved') : randomUUID(),
      },
    })),
  ],
  project_event: () => [
    ...inCompany().map((row) => ({ ...row, values: { ...row.values, actor_id: row.owner } })),
    ...inCompany().map((row) => ({
      ...row,
      label: `${row.label}, done by the officer of A`,
      actor: officer.id,
      values: { ...row.values, actor_id: officer.id },
    })),
  ],
  script_library: () => things('script_library', libraries()),
  script_category: () =>
    things('category', libraries()).map((row) => ({
      ...row,
      values: { id: row.values!['id'], library_id: idNamed(`script_library ${row.label}`) },
    })),
  push_device: () => ofPeople('person_id'),
  quota_use: () => ofPeople('user_id'),
  invitation: () =>
    people
      .filter(({ role }) => role === 'ADMIN' || role === 'QA')
      .flatMap(({ who, id }) =>
        ofTenants('tenant_id').map((row) => ({
          ...row,
          label: `${row.label}, sent by the ${who}`,
          actor: id,
          values: {
            ...row.values,
            invited_by: id,
            mailed_at: [new Date()],
            email: `${randomUUID()}@a.test`,
            role: 'QA',
            accepted_at: null,
            accepted_by: null,
            token_hash: null,
          },
        })),
      ),
  step_figure: () => inCompany(),
  membership: () => [
    ...ofPeople('person_id', (one) => ({
      ...withTenant(one),
      since: '2010-01-01',
      until: one === longer ? '2030-01-01' : '2020-01-01',
    })),
    {
      label: 'an earlier stay in company A of the officer of B',
      tenant: 'A',
      values: { person_id: people[2]!.id, tenant_id: tenants['A'], since: '2009-01-01', until: '2010-01-01' },
    },
  ],
  refund: () => ofPeople('user_id', () => ({ tenant_id: null, kind: 'card', amount: 100, state: 'done' })),
  removal: () =>
    ofTenants('tenant_id').map((row) => ({ ...row, values: { ...row.values, finished_at: null, work: {} } })),
  render: () => ofTenants('tenant_id'),
  script: () => [...ofPeople('user_id'), ...hanging('category', 'category_id', libraries())],
  subscription: () => [...ofPeople('user_id'), ...paidByCompany()],
  subscription_period: () => hanging('subscription', 'subscription_id', [...ofPeople('user_id'), ...paidByCompany()]),
  tenant: () => ['A', 'B'].map((tenant) => ({ label: `company ${tenant}`, tenant, values: { id: tenants[tenant] } })),
  webhook_endpoint: () =>
    things('endpoint', ofTenants('tenant_id')).map((row) => ({
      ...row,
      values: { ...row.values, events: ['video.due'], former_secret: null, former_until: null },
    })),
  webhook_event: () => things('event', ofTenants('tenant_id')),
  webhook_delivery: () =>
    things('delivery', ofTenants('tenant_id')).map((row) => ({
      ...row,
      values: {
        ...row.values,
        endpoint_id: idNamed(`endpoint ${row.label}`),
        event_id: idNamed(`event ${row.label}`),
      },
    })),
  webhook_attempt: () =>
    ofTenants('tenant_id').map((row) => ({
      ...row,
      values: { ...row.values, delivery_id: idNamed(`delivery ${row.label}`) },
    })),
  trigger_run: () =>
    audiences.flatMap((to, day) =>
      hanging('trigger', 'trigger_id', triggers(), {
        due_at: `2026-11-0${day + 1}`,
        content: { tenantIds: to.map(idOf) },
      }).map((row) => ({
        ...row,
        label: `a run for ${to.join(' and ') || 'everybody'} of ${row.label}`,
        toldTenants: to,
      })),
    ),
}
/** The accounts of either company, with which its officer posts. */
const companysAccounts = () =>
  [true, false].flatMap((isPosted) =>
    things(
      'account',
      paidByCompany().map((row) => ({ ...row, label: `${row.label}${isPosted ? '' : ', with which nobody posts'}` })),
    ).map((row) => ({
      ...row,
      postedBy:
        (isPosted && people.find(({ role, tenant }) => role === 'User' && tenant === row.tenant)?.id) ||
        idNamed(`nobody of ${row.tenant}`),
    })),
  )
const paidByCompany = () => ofTenants('tenant_id').filter(({ tenant }) => tenant !== null)
