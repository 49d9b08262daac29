// npm run bench:api: what the product's calls cost at two sizes of its database, beside a handler written by hand.
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { appUrl } from '../server/src/postgres/app-role.ts'
import { migrate } from '../server/src/postgres/migrate.ts'
import { startPostgres } from '../server/src/postgres/postgres.ts'
import { openDatabase, type Caller } from '../server/src/kernel/database.ts'
import { openIdentity } from '../server/src/identity/open.ts'
import { openQueue, prepareQueue } from '../server/src/kernel/queue.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { startProcess, type Started } from '../server/test/processes.ts'
import { seeded } from '../server/test/random.ts'
import { fill, idOf, perOfficer, staff } from './fill.ts'
import { wholeTableReads, type Asked } from './plans.ts'

const { values: flags } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '6' },
    /** Only operations whose name begins so. */
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '8' },
    /** A directory that is kept, with its filled databases, for the next run. */
    keep: { type: 'string' },
  },
})
const sizes = { small: Number(flags.small), large: Number(flags.large) }
const random = seeded(1)
/** As many people of a kind are at work in both sizes, so that the size of the database is all that differs. */
const active = 50

type Who = Caller & { token: string }
type Ask = { method: 'GET' | 'PUT' | 'POST'; path: string; who: Who; body?: string }
type People = Record<'officers' | 'editors' | 'reviewers' | 'admins', Who[]>
type Place = { appUrl: string; people: People; waiting: string[]; servers: Record<'ours' | 'bare', Started> }

/** What is asked, and how often in each slice. */
const operations: Record<string, { amount: number; ask: (place: Place) => Ask }> = {
  'list as officer': { amount: 400, ask: ({ people }) => list(random.one(people.officers)) },
  'list as editor': { amount: 400, ask: ({ people }) => list(random.one(people.editors)) },
  'list as admin': { amount: 400, ask: ({ people }) => list(random.one(people.admins)) },
  next: {
    amount: 800,
    ask: ({ people }) => {
      const who = random.one(people.editors)
      return { method: 'GET', path: `/api/projects/${who.id}/next`, who }
    },
  },
  'edition/start': {
    amount: 150,
    ask: ({ people }) => ({
      method: 'PUT',
      path: '/api/projects/edition/start/',
      who: random.one(people.editors),
      body: '{}',
    }),
  },
  approve: {
    amount: 150,
    ask: ({ people, waiting }) => ({
      method: 'POST',
      path: `/api/projects/${waiting.pop()}/approve/`,
      who: random.one(people.reviewers),
      body: '{}',
    }),
  },
}
const list = (who: Who): Ask => ({ method: 'GET', path: '/api/projects/list', who })

const dataDir = flags.keep ?? (await mkdtemp(join(tmpdir(), 'clear-to-post-bench-')))
const postgres = await startPostgres({ dataDir })
const started: Started[] = []
try {
  const places = { small: await open(sizes.small), large: await open(sizes.large) }
  const measured = await measure(places)
  const result = summarize(measured)
  await explain(places.large)
  print(result)
  await mkdir(join(import.meta.dirname, 'results'), { recursive: true })
  await writeFile(join(import.meta.dirname, 'results', 'api.json'), `${JSON.stringify(result, null, 2)}\n`)
} finally {
  await Promise.all(started.map((server) => server.end('SIGKILL')))
  await postgres.stop()
  if (!flags.keep) await rm(dataDir, { recursive: true, force: true })
}
process.exit()

/** A filled database with its people signed in, and the two servers on it. */
async function open(projects: number): Promise<Place> {
  const name = `bench_${projects}`
  const urls = { owner: inDatabase(postgres.url, name), superuser: inDatabase(postgres.superuserUrl, name) }
  const known = await asked(postgres.superuserUrl, `select from pg_database where datname = '${name}'`)
  if (known.length === 0) {
    await asked(postgres.superuserUrl, `create database ${name} owner clear_owner`)
    await migrate({ ownerUrl: urls.owner })
    await prepareQueue(urls.owner)
    const began = Date.now()
    await fill(urls.superuser, projects)
    console.log(`filled ${projects} projects in ${Math.round((Date.now() - began) / 1000)} s`)
  }
  const app = appUrl(urls.owner)
  const waiting = await asked(urls.superuser, 'select id from project where status = 3')
  const ours = await startProcess('server/test/killed-server.ts', ['http', app, dataDir])
  started.push(ours)
  const bare = await startProcess('bench/bare.ts', [await unboundUrl(app, urls.superuser)])
  started.push(bare)
  return {
    appUrl: app,
    people: await signIn(app, urls.superuser, Math.max(Math.round(projects / perOfficer), 1)),
    waiting: shuffled(waiting.map(({ id }) => id as string)),
    servers: { ours, bare },
  }
}

async function signIn(app: string, superuserUrl: string, officers: number): Promise<People> {
  const config = readConfig({ DATA_DIR: dataDir, SEED: 'none', PORT: '0', LOG_LEVEL: 'error' })
  const queue = await openQueue(app)
  const database = openDatabase(app, { queue })
  const { signIdToken } = await openIdentity({ database, config })
  const some = async (what: Parameters<typeof idOf>[0], count: number) => {
    const ids = shuffled(Array.from({ length: count }, (_, n) => idOf(what, n))).slice(0, active)
    const rows = await asked(
      superuserUrl,
      `select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where id in (${ids.join(', ')})`,
    )
    return Promise.all(rows.map(async (row) => ({ ...(row as Caller), token: await signIdToken(row as Caller) })))
  }
  const people = {
    officers: await some('officer', officers),
    editors: await some('editor', staff.editors),
    reviewers: await some('reviewer', staff.reviewers),
    admins: await some('admin', staff.admins),
  }
  await queue.close()
  await database.close()
  return people
}

/** The handler by hand works without policies: its role is not bound by them. */
async function unboundUrl(app: string, superuserUrl: string): Promise<string> {
  const [role, password] = [`bare_${randomUUID().slice(0, 8)}`, randomUUID()]
  await asked(superuserUrl, `create role ${role} login bypassrls password '${password}' in role clear_app`)
  const url = new URL(app)
  url.username = role
  url.password = password
  return url.href
}

/** Everything measured, and other ways to look at a list: each must walk indexes, with row-level security on. */
async function explain(place: Place): Promise<void> {
  const { officers, editors, admins } = place.people
  const views = [
    '',
    '?orderBy=modified:desc',
    '?wheres=status:eq:3',
    '?wheres=status:in:1,4,5',
    '?orderBy=position:asc',
  ]
  const calls: Asked[] = [
    ...Object.entries(operations).map(([name, { ask }]) => ({ name, ...ask(place) })),
    ...[officers[0]!, editors[0]!, admins[0]!].flatMap((who) =>
      views.map((view) => ({
        name: `list${view} as ${who.role}`,
        who,
        method: 'GET' as const,
        path: `/api/projects/list${view}`,
      })),
    ),
    ...['videos/?', 'parts/?by=editor&', 'parts/?by=officer&', 'lost/?'].map((report) => ({
      name: `report ${report}`,
      who: admins[0]!,
      method: 'GET' as const,
      path: `/api/reports/${report}from=${day(-28)}&to=${day(0)}&timezone=America/Chicago`,
    })),
    { name: 'pool', who: editors[0]!, method: 'GET', path: '/api/projects/pool/size/' },
  ]
  const config = readConfig({ DATA_DIR: dataDir, SEED: 'none', PORT: '0', LOG_LEVEL: 'error' })
  const whole = await wholeTableReads(place.appUrl, config, calls)
  if (whole.length > 0) throw new Error(`Whole tables are read:\n  ${whole.join('\n  ')}`)
  console.log(`plans: ${calls.length} calls walk indexes only, under row-level security`)
}

type Slice = { perSecond: number; latencies: number[] }
type Measured = Record<string, Record<'small' | 'large', Record<'ours' | 'bare', Slice[]>>>

/** Every operation on every server in turn, round after round, so that a disturbance hits all alike. */
async function measure(places: Record<'small' | 'large', Place>): Promise<Measured> {
  const measured: Measured = {}
  for (let round = -1; round < Number(flags.rounds); round++)
    for (const [name, { amount, ask }] of Object.entries(operations))
      for (const size of name.startsWith(flags.only) ? (['small', 'large'] as const) : [])
        for (const server of ['ours', 'bare'] as const) {
          const slice = await takeSlice(places[size], server, ask, amount)
          // The first round warms up.
          if (round < 0) continue
          measured[name] ??= { small: { ours: [], bare: [] }, large: { ours: [], bare: [] } }
          measured[name][size][server].push(slice)
        }
  return measured
}

async function takeSlice(
  place: Place,
  server: 'ours' | 'bare',
  ask: (place: Place) => Ask,
  amount: number,
): Promise<Slice> {
  const latencies: number[] = []
  const wrong: string[] = []
  const run = autocannon({
    url: place.servers[server].said,
    connections: Number(flags.connections),
    amount,
    requests: [
      {
        setupRequest: (request) => {
          const { method, path, who, body } = ask(place)
          return {
            ...request,
            method,
            path: server === 'bare' ? `${path}?id=${who.id}&role=${who.role}` : path,
            headers: {
              ...(server === 'bare' ? {} : { authorization: `Bearer ${who.token}`, 'x-request-id': randomUUID() }),
              ...(body ? { 'content-type': 'application/json' } : {}),
            },
            ...(body ? { body } : {}),
          }
        },
        onResponse: (status, body) => {
          if (status !== 200) wrong.push(`${status} ${body}`)
        },
      },
    ],
  })
  const began = performance.now()
  let ended = began
  run.on('response', (_client, _status, _bytes, ms) => {
    ended = performance.now()
    latencies.push(ms)
  })
  await run
  if (wrong.length > 0) throw new Error(`${server} answered ${wrong.length} of ${amount} with ${wrong[0]}`)
  return { perSecond: (latencies.length / (ended - began)) * 1000, latencies }
}

type Figures = { perSecond: number; p50: number; p99: number }
type Result = {
  machine: string
  at: string
  sizes: typeof sizes
  operations: Record<
    string,
    Record<'small' | 'large', { ours: Figures; bare: Figures; share: number }> & { ratioP50: number; ratioP99: number }
  >
}

function summarize(measured: Measured): Result {
  const figures = (slices: Slice[]): Figures => {
    const all = slices.flatMap(({ latencies }) => latencies).sort((a, b) => a - b)
    const at = (share: number) => round(all[Math.min(Math.floor(all.length * share), all.length - 1)]!, 2)
    return { perSecond: round(median(slices.map(({ perSecond }) => perSecond)), 0), p50: at(0.5), p99: at(0.99) }
  }
  const operations: Result['operations'] = {}
  for (const [name, bySize] of Object.entries(measured)) {
    const [small, large] = (['small', 'large'] as const).map((size) => {
      const { ours, bare } = bySize[size]
      // Round by round, so that what slows both down at the moment counts for neither.
      const share = round(median(ours.map(({ perSecond }, i) => perSecond / bare[i]!.perSecond)), 2)
      return { ours: figures(ours), bare: figures(bare), share }
    }) as [Result['operations'][string]['small'], Result['operations'][string]['large']]
    operations[name] = {
      small,
      large,
      ratioP50: round(large.ours.p50 / small.ours.p50, 2),
      ratioP99: round(large.ours.p99 / small.ours.p99, 2),
    }
  }
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  return { machine, at: new Date().toISOString(), sizes, operations }
}

function print({ machine, operations }: Result) {
  console.log(`\n${machine}; ${flags.connections} connections; ours / by hand\n`)
  const columns = [
    '',
    ...Object.values(sizes).flatMap((size) => [`${size}: req/s`, 'share', 'p50 ms', 'p99 ms']),
    'p50 ratio',
    'p99 ratio',
  ]
  const rows = Object.entries(operations).map(([name, { small, large, ratioP50, ratioP99 }]) => [
    name,
    ...[small, large].flatMap(({ ours, bare, share }) => [
      `${ours.perSecond} / ${bare.perSecond}`,
      `${Math.round(share * 100)} %`,
      `${ours.p50} / ${bare.p50}`,
      `${ours.p99} / ${bare.p99}`,
    ]),
    String(ratioP50),
    String(ratioP99),
  ])
  const widths = columns.map((_, i) => Math.max(...[columns, ...rows].map((row) => row[i]!.length)))
  for (const row of [columns, ...rows]) console.log(row.map((cell, i) => cell.padStart(widths[i]!)).join('  '))
}

async function asked(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}

function shuffled<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.whole(0, i)
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function day(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
