// npm run bench:commits: how many transactions a second PostgreSQL commits when each tells open pages something, by NOTIFY
// and by a row of `news`, beside transactions that tell nothing: on one server, and where each commit waits for a standby. Servers
// of our own in folders that go away, durable as in production. SECONDS, CLIENTS and LINE_MS, the way to the standby, change the run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../server/src/postgres/postgres.ts'
import { openPair } from '../server/test/standby.ts'

const seconds = Number(process.env.SECONDS ?? 4)
const clients = Number(process.env.CLIENTS ?? 32)
const lineMs = Number(process.env.LINE_MS ?? 2)
const rounds = 3
const ways = {
  plain: '',
  notify: `perform pg_notify('live', json_build_object('type', 'bench', 'id', new.id)::text);`,
  news: `insert into news (told) values (json_build_object('type', 'bench', 'id', new.id));`,
}

let url = ''
const places = {
  'one server': async (folder: string) => {
    const postgres = await startPostgres({ dataDir: folder })
    return { url: postgres.url, close: () => postgres.stop() }
  },
  [`a synchronous standby ${lineMs} ms away`]: async (folder: string) => {
    const pair = await openPair(folder, { lineMs })
    return { url: pair.ownerUrl, close: pair.close }
  },
}
const alone: Record<string, number> = {}
for (const [place, open] of Object.entries(places)) {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-commits-'))
  const opened = await open(folder)
  url = opened.url
  try {
    const best = await bestOfRounds()
    console.log(`\n${place}, ${clients} clients, the best of ${rounds} rounds of ${seconds} s:`)
    for (const [way, n] of Object.entries(best)) {
      alone[way] ??= n
      const share = (of: number) => `${Math.round((100 * n) / of)} %`
      console.log(
        `${way.padEnd(6)} ${String(Math.round(n)).padStart(6)}  ${share(best.plain!)} of plain, ${share(alone[way])} of one server`,
      )
    }
  } finally {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function bestOfRounds(): Promise<Record<string, number>> {
  await query(`
    create unlogged table news (id bigint generated always as identity primary key,
      xid xid8 not null default pg_current_xact_id(), at timestamptz not null default now(), told json not null);
    create index news_xid on news (xid); create index news_at on news (at)`)
  for (const [way, body] of Object.entries(ways))
    await query(`
      create table work_${way} (id int primary key, n int not null default 0);
      insert into work_${way} select generate_series(1, 1000);
      create function tell_${way}() returns trigger language plpgsql as $$ begin ${body} return null; end $$;
      create trigger tell after update on work_${way} for each row execute function tell_${way}()`)
  const best: Record<string, number> = {}
  for (let round = 1; round <= rounds; round++)
    for (const way of Object.keys(ways)) best[way] = Math.max(best[way] ?? 0, await commitsOf(way))
  return best
}

/** Commits a second of `clients` that each change one row again and again, while somebody listens in that way. */
async function commitsOf(way: string): Promise<number> {
  const stopHearing = await hear(way)
  const until = performance.now() + seconds * 1000
  const counts = await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const client = await connected()
      let count = 0
      for (; performance.now() < until; count++)
        await client.query(`update work_${way} set n = n + 1 where id = ${1 + ((n * 31 + count * 7) % 1000)}`)
      await client.end()
      return count
    }),
  )
  await stopHearing()
  return counts.reduce((sum, n) => sum + n, 0) / seconds
}

/** One that listens, or that looks four times a second, as a server does. */
async function hear(way: string): Promise<() => Promise<void>> {
  const client = await connected()
  if (way === 'notify') await client.query('listen live')
  let since: string | undefined
  const look = async () => {
    const { rows } = await client.query<{ at: string }>(
      since === undefined
        ? 'select pg_current_snapshot()::text as at'
        : `select pg_current_snapshot()::text as at, (select json_agg(told order by id) from news
            where xid >= pg_snapshot_xmin('${since}'::pg_snapshot) and not pg_visible_in_snapshot(xid, '${since}'::pg_snapshot))`,
    )
    since = rows[0]!.at
  }
  // The last look may meet the end.
  const timer = way === 'news' ? setInterval(() => void look().catch(() => {}), 250) : undefined
  return async () => {
    clearInterval(timer)
    await client.end()
  }
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(text: string): Promise<void> {
  const client = await connected()
  await client.query(text).finally(() => client.end())
}
