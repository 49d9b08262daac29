// npm run bench:notifications: a trigger that speaks to 100,000 people: how long, how much memory, how many rows.
// With --by push --devices 100000 also until every one of their browsers was shown it.
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { appUrl } from '../server/src/postgres/app-role.ts'
import { migrate } from '../server/src/postgres/migrate.ts'
import { startPostgres } from '../server/src/postgres/postgres.ts'
import { prepareQueue } from '../server/src/kernel/queue.ts'
import { startProcess, type Started } from '../server/test/processes.ts'
import { openSmtp } from '../server/test/smtp.ts'

const { values: flags } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    /** What it is sent by, beside the panel. */
    by: { type: 'string', default: 'push,email' },
    /** So many of them have a browser that shows it, at a push service on this machine that takes everything. */
    devices: { type: 'string', default: '0' },
    /** What V8 may keep, in MB: tells what is needed from what is only not yet swept. */
    heap: { type: 'string' },
  },
})
const people = Number(flags.people)
const by = flags.by.split(',').filter(Boolean)
const devices = Number(flags.devices)
const asked = new Map<string, number>()
const pushService = createServer((request, response) => {
  asked.set(request.url!, (asked.get(request.url!) ?? 0) + 1)
  request.resume().on('end', () => response.writeHead(201).end())
}).listen(0, '127.0.0.1')
await once(pushService, 'listening')
const mailServer = await openSmtp()
const pushOrigin = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`

const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-bench-'))
const postgres = await startPostgres({ dataDir })
let worker: Started | undefined
try {
  await migrate({ ownerUrl: postgres.url })
  await prepareQueue(postgres.url)
  const client = new pg.Client({ connectionString: inDatabase(postgres.superuserUrl, postgres.url) })
  await client.connect()
  await fill(client)
  const loadBefore = loadavg()[0]!
  worker = await startProcess('server/test/killed-server.ts', ['worker', appUrl(postgres.url), dataDir], {
    env: {
      ...(flags.heap ? { NODE_OPTIONS: `--max-old-space-size=${flags.heap}` } : {}),
      PUSH_TEST_ORIGIN: pushOrigin,
      SMTP_URL: mailServer.url,
    },
  })
  const { pid } = worker.child
  // What a worker holds when it has nothing to do.
  await sleep(8000)
  const atRest = await memoryOf(pid!)
  await client.query(`update notification_trigger set next_execution = now()`)
  const seen: { told: number; mb: number; at: number }[] = []
  let run: { total: number; success: number; error: number; seconds: number; ended: boolean }
  do {
    await sleep(100)
    const { rows } = await client.query(`
      select total, success, error, ended_at is not null as ended,
        extract(epoch from coalesce(ended_at, clock_timestamp()) - fired_at)::float as seconds from trigger_run`)
    run = rows[0] ?? { total: 0, success: 0, error: 0, seconds: 0, ended: false }
    seen.push({ told: run.success, mb: await memoryOf(pid!), at: run.seconds })
  } while (!run.ended)
  const shownTo = async () =>
    (await client.query(`select count(*)::int as n from push_delivery where state = 'sent'`)).rows[0].n as number
  const shown: { n: number; mb: number }[] = []
  const began = Date.now() - run.seconds * 1000
  while (devices > 0 && (shown.at(-1)?.n ?? 0) < devices) {
    await sleep(500)
    shown.push({ n: await shownTo(), mb: await memoryOf(pid!) })
  }
  const shownIn = (Date.now() - began) / 1000
  const mailsBefore = mailServer.received.length
  if (by.includes('email')) await sleep(20_000)
  const mailsASecond = (mailServer.received.length - mailsBefore) / 20
  const { rows } = await client.query(`
    select (select count(*) from notification)::int as "in the panel", (select count(*) from mail)::int as mails,
      (select count(*) from pgboss.job)::int as jobs, (select count(*) from trigger_run)::int as runs,
      (select max(n) from (select count(*)::int as n from notification group by user_id) t) as "most for one person"`)
  console.log(
    `${cpus().length} × ${cpus()[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}; load of the machine before: ${loadBefore.toFixed(1)}`,
  )
  console.log(`one worker, durability on, by ${by.join(' and ')}, while it already sends the first mails`)
  console.log(
    `${run.success} of ${run.total} told, ${run.error} failed, in ${run.seconds.toFixed(1)} s: ${Math.round(run.success / run.seconds)} people a second`,
  )
  if (devices > 0) {
    console.log(
      `${asked.size} of ${devices} browsers asked to show it, at most ${Math.max(...asked.values())} times, in ${shownIn.toFixed(1)} s: ${Math.round(devices / shownIn)} a second`,
    )
    const at = (part: number) => shown.find(({ n }) => n >= part * devices)?.mb ?? '–'
    console.log(`  memory meanwhile, at 50, 75 and 100 % shown: ${at(0.5)}, ${at(0.75)}, ${at(1)} MB`)
  }
  if (by.includes('email')) console.log(`mails leave by SMTP at ${Math.round(mailsASecond)} a second`)
  console.log(`memory of the worker (MB): at rest ${atRest}`)
  for (const part of [0.1, 0.25, 0.5, 0.75, 1])
    console.log(`  after ${Math.round(part * 100)} %: ${seen.find(({ told }) => told >= part * people)?.mb ?? '–'}`)
  console.log(`  most: ${Math.max(...seen.map(({ mb }) => mb))}`)
  console.log(
    `rows: ${Object.entries(rows[0])
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  )
  if (by.includes('email') && rows[0].mails < people) throw new Error(`${rows[0].mails} mails for ${people} people`)
  await client.end()
} finally {
  await worker?.end('SIGKILL')
  await mailServer.close()
  pushService.closeAllConnections()
  pushService.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** As many officers without a video of the last 30 days as are to be told, and a quarter more who have one. */
async function fill(client: pg.Client) {
  const officers = Math.round(people * 1.25)
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into tenant (name, invite_code, total_users_allowed) select 'Tenant ' || n, 'BENCH' || n, 100000 from generate_series(1, 20) n`,
  )
  await client.query(
    `insert into person (email, name, role, tenant_id, email_verified_at)
     select 'officer' || n || '@bench.test', 'Officer ' || n, 'User', (select id from tenant where invite_code = 'BENCH' || (n % 20 + 1)), now()
     from generate_series(1, $1::int) n`,
    [officers],
  )
  await client.query(
    `insert into project (user_id, tenant_id, title, instructions, caption_style, submit_month, status, submitted_at, modified_at, seq)
     select p.id, p.tenant_id, 'A video', '', 1, '2026-01', 6,
       now() - make_interval(days => case when row_number() over (order by p.id) <= $1 then 45 else 5 end), now(), 1
     from person p`,
    [people],
  )
  await client.query(
    `insert into notification_trigger (title, description, transport_type, notification, time_zone, time_of_day, criteria, first_day, status)
     values ('Come back', '', $1, '{"title":"Two minutes?","body":"Film one this week.","cta":{"label":"Film one","url":"/panel/new"}}',
       'America/New_York', '09:00', '{"type":"noProjects","params":{"days":30}}', current_date, 'scheduled')`,
    [by],
  )
  // One key pair for all of them: each message is encrypted anew all the same.
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  await client.query(
    `with told as (select id from person p where exists (
       select from project j where j.user_id = p.id and j.submitted_at < now() - interval '30 days') order by id limit $1),
     family as (
       insert into session_family (person_id, ends_at) select id, now() + interval '1 day' from told returning id, person_id)
     insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
     select person_id, id, $2 || '/' || id, $3, $4, 'A browser' from family`,
    [devices, pushOrigin, browser.getPublicKey('base64url'), randomBytes(16).toString('base64url')],
  )
  await client.query('analyze')
}

/** Resident memory of a process, in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)
}

function inDatabase(url: string, like: string): string {
  const changed = new URL(url)
  changed.pathname = new URL(like).pathname
  return changed.href
}
