// npm run bench:retention: what it costs to let go of a day of page events and to add steps to projects, in one table and in
// partitions, as both grow. A server of our own in a folder that goes away, durable as in production. EVENTS (a day) and STEPS
// (in all) change the run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../server/src/postgres/postgres.ts'

const eventsADay = Number(process.env.EVENTS ?? 100_000)
const days = 20
const steps = Number(process.env.STEPS ?? 4_000_000)

const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-retention-'))
const postgres = await startPostgres({ dataDir })
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()
try {
  await events()
  await ledger()
} finally {
  await client.end()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** Page events: the oldest day goes, by a delete and by dropping its partition. */
async function events(): Promise<void> {
  const columns = `at timestamptz not null, category text not null, label text not null, action text not null, params jsonb`
  await client.query(`
    create table one (id bigint generated always as identity primary key, ${columns}); create index on one (at);
    create table parted (id bigint generated always as identity, ${columns}) partition by range (at); create index on parted (at)`)
  for (let day = 0; day < days; day++)
    await client.query(`create table parted_${day} partition of parted
      for values from ('2026-01-01'::date + ${day}) to ('2026-01-01'::date + ${day + 1})`)
  const rows = `select '2026-01-01'::timestamptz + n * interval '1 day' / ${eventsADay}, 'page', '/plans', 'seen', '{"from":"home"}'::jsonb
    from generate_series(0, ${days * eventsADay - 1}) n`
  const filled: Record<string, number> = {}
  for (const table of ['one', 'parted'])
    filled[table] = await timed(`insert into ${table} (at, category, label, action, params) ${rows}`)
  for (const table of ['one', 'parted']) await client.query(`vacuum analyze ${table}`)
  const deleted = await timed(`delete from one where at < '2026-01-02'`)
  const vacuumed = await timed('vacuum one')
  const dropped = await timed('drop table parted_0')
  console.log(
    `page events, ${eventsADay.toLocaleString('en-US')} a day for ${days} days: filling ${seconds(filled['one']!)} in one table, ` +
      `${seconds(filled['parted']!)} in ${days} partitions; a day less: delete ${seconds(deleted)} and vacuum ${seconds(vacuumed)}, ` +
      `a partition ${seconds(dropped)}`,
  )
}

/** Steps of projects: added at the end and to older projects, while the table grows. */
async function ledger(): Promise<void> {
  await client.query(`
    create table step (id uuid primary key default uuidv7(), project_id uuid not null, seq integer not null, verb text not null,
      at timestamptz not null default now(), data jsonb not null default '{}', unique (project_id, seq));
    create table project as select uuidv7() as id, n from generate_series(1, ${steps / 10}) n; create index on project (n)`)
  const perStep: string[] = []
  for (const [round, share] of [0.05, 0.25, 0.5, 1].entries()) {
    const [from, to] = [await count(), Math.round(share * steps)]
    await client.query(`insert into step (project_id, seq, verb) select p.id, s.i % 10, 'start'
      from generate_series(${from}, ${to - 1}) s(i) join project p on p.n = 1 + s.i / 10`)
    await client.query('vacuum analyze step')
    const newest = await rate(`select id, 100 as seq from project where n between ${to / 10 - 900} and ${to / 10}`)
    const oldest = await rate(
      `select id, ${101 + round} as seq from project where n % ${Math.ceil(to / 10 / 900)} = 0 and n <= ${to / 10}`,
    )
    perStep.push(`${to.toLocaleString('en-US')}: ${newest} and ${oldest} ms`)
  }
  console.log(
    `a step more, each its own commit, of newest and of scattered projects, by steps that are there: ${perStep.join('; ')}`,
  )
}

/** The median of one step each, in milliseconds. */
async function rate(projects: string): Promise<string> {
  const { rows } = await client.query<{ id: string; seq: number }>(`${projects} limit 900`)
  const took: number[] = []
  for (const { id, seq } of rows) {
    const begun = performance.now()
    await client.query('insert into step (project_id, seq, verb) values ($1, $2, $3)', [id, seq, 'send'])
    took.push(performance.now() - begun)
  }
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]!.toFixed(2)
}

async function count(): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from step where seq < 100`)
  return Number(rows[0]!.n)
}

async function timed(statement: string): Promise<number> {
  const begun = performance.now()
  await client.query(statement)
  return (performance.now() - begun) / 1000
}

function seconds(s: number): string {
  return `${s.toFixed(s < 1 ? 3 : 1)} s`
}
