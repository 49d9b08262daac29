// node server/test/release-data.ts DATA_DIR: a small data folder with something of everything, made through the product's
// own actions and calls. `npm run release-fixture` keeps it as what this release leaves behind (see CONTRIBUTING.md).
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { calendar } from '@clear-to-post/contract/calendar'
import { clips } from '@clear-to-post/contract/clips'
import type { CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { feedback } from '@clear-to-post/contract/feedback'
import { identity as identityCalls } from '@clear-to-post/contract/identity'
import { invitations } from '@clear-to-post/contract/invitations'
import { looks } from '@clear-to-post/contract/looks'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { reports } from '@clear-to-post/contract/reports'
import { scripts } from '@clear-to-post/contract/scripts'
import { push } from '@clear-to-post/contract/push'
import { security } from '@clear-to-post/contract/security'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tracking } from '@clear-to-post/contract/tracking'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { support } from '@clear-to-post/contract/support'
import { views } from '@clear-to-post/contract/views'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { Status } from '@clear-to-post/domain/workflow'
import { lookOf } from '@clear-to-post/edit/look'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeClip } from '@clear-to-post/media/make-clip'
import { createPerson } from '../src/accounts/actions.ts'
import { putFile } from '../src/assets/actions.ts'
import { openDatabase, sql, type Caller } from '../src/kernel/database.ts'
import { buildApp } from '../src/main/app.ts'
import { openLive } from '../src/http/live.ts'
import { openIdentity } from '../src/identity/open.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { readConfig } from '../src/kernel/config.ts'
import { openMigratedDatabase } from '../src/main/database.ts'
import { demoPassword, demoPeople, type DemoPerson } from '../src/main/demo/people.ts'
import { seedPeople, seedProjects } from '../src/main/seed.ts'
import { startWorker } from '../src/main/worker.ts'
import { openPush } from '../src/outside/push/push.ts'
import { onDisk } from './on-disk.ts'
import { openAuthenticator } from './authenticator.ts'
import { openOpenIdProvider } from './openid.ts'
import { startNetworks } from './stand-in-networks.ts'
import { anyOrder, anySingle, cards, post, settle } from './buying.ts'
import { callAs, type Person } from './service.ts'

const dataDir = process.argv[2]
if (!dataDir) throw new Error('Say which folder to make: node server/test/release-data.ts DATA_DIR')
const origin = 'http://localhost:4000'
const google = await openOpenIdProvider({
  clientId: 'our-google',
  secret: 'google-secret',
  redirectUri: `${origin}/identity/google/callback`,
})
const networks = await startNetworks()
const config = readConfig({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  SEED: 'demo',
  PUBLIC_URL: origin,
  NETWORKS_STAND_IN: networks.origin,
  GOOGLE_CLIENT_ID: 'our-google',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GOOGLE_ISSUER: google.issuer,
})
const log = pino({ level: 'warn' }, pino.destination(2))
const server = await openMigratedDatabase(config, { log: console.log })
openPush(config)
const queue = await openQueue(server.appUrl)
const database = openDatabase(server.appUrl, { queue, max: 10 })
const folder = await mkdtemp(join(tmpdir(), 'release-data-'))

/** One clip, a thumbnail in size, stands in for all: what matters is that each file is one of the product's. */
let drawn: Promise<void> | undefined
const small = join(folder, 'small.mp4')
const draw: typeof makeClip = async ({ out }) => {
  await (drawn ??= makeClip({ out: small, seconds: 5, width: 90, height: 160, hue: 212 }))
  await copyFile(small, out)
}

await mkdir(dataDir, { recursive: true })
await seedPeople({ database, config, log, report: console.log })
await seedProjects({ database, config, log, report: console.log, draw })

const identity = await openIdentity({ database, config })
const live = openLive(server.appUrl)
const app = await buildApp({
  config,
  database,
  identity,
  live,
  health: { parts: async () => [], gauges: {} },
  limits: false,
})
await app.ready()
const worker = await startWorker({ config, appUrl: server.appUrl, log })
const service = {
  app,
  database,
  queue,
  identity,
  config,
  routes: [],
  urls: { appUrl: server.appUrl } as never,
  close: app.close,
}

/** A point of P-256, as a browser's key is. */
const keyOfBrowser = 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI'

/** Somebody who signed in with the password that stands in the README. */
const enter = async (email: string): Promise<Person> => {
  const signedIn = await app.inject({
    method: 'POST',
    url: addressOf(identityCalls.password),
    payload: { email, password: demoPassword },
  })
  const refreshToken = signedIn.cookies[0]!.value
  const caller = (await database.asSystem((tx) =>
    tx.first(sql<Caller & { name: string }>`
      select id, name, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where email = ${email}`),
  ))!
  return { ...caller, token: signedIn.json<{ idToken: string }>().idToken, refreshToken }
}
const people = {} as Record<DemoPerson, Person>
for (const [name, { email }] of Object.entries(demoPeople)) people[name as DemoPerson] = await enter(email)
const { officer, editor, admin, neighbor } = people
const as = (person: Person) => callAs(service, person)

/** A browser that has just signed in, with its cookies: what asks for a fresh session needs one. */
const browserOf = async (email: string) => {
  const signedIn = await app.inject({
    method: 'POST',
    url: addressOf(identityCalls.password),
    payload: { email, password: demoPassword },
  })
  const headers = {
    authorization: `Bearer ${signedIn.json().idToken}`,
    cookie: signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  }
  return async (shape: CallShape, payload: object): Promise<Record<string, unknown>> => {
    const answer = await app.inject({ method: 'POST', url: addressOf(shape), headers, payload })
    if (answer.statusCode >= 400) throw new Error(`${shape.path}: ${answer.body}`)
    return answer.json()
  }
}

const step = async (title: string, work: () => Promise<unknown>) => {
  console.log(title)
  await work().catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}

await step('Notes, scripts, criteria, terms', async () => {
  const { id } = (await as(editor)(notes.save, {
    body: { userId: officer.id, title: 'Taste', content: 'Slow cuts' },
  })) as { id: string }
  await as(editor)(notes.change, { params: { id }, body: { title: 'Tastes' } })
  await as(officer)(scripts.create, { body: { title: 'Mine', content: 'Three words here' } })
  await as(admin)(scripts.saveCategory, { body: { title: 'Market', backgroundColor: '#aabbcc' } })
  await as(admin)(feedback.setCriteria, { body: { criteria: [...feedbackCriteria] } })
  await as(editor)(edits.changeGlossary, {
    params: { userId: officer.id },
    body: { whose: 'own', add: [{ term: 'NMLS' }] },
  })
})
await step('A photo, and a file with a note', async () => {
  const { id, derived } = (await database.asSystem((tx) =>
    tx.first(sql<{ id: string; derived: { poster: string } }>`
      select id, derived from asset where author_id = ${officer.id} and derived ? 'poster' limit 1`),
  ))!
  const path = onDisk().path(id, derived.poster)
  const bring = (who: Person) => putFile(database, who, { path, fileName: 'picture.jpg' }, { log })
  const photo = await as(officer)(assets.find, { params: { assetId: await bring(officer) } })
  await as(officer)(accounts.update, { body: { userId: officer.id, photoUrl: photo.posterUrl! } })
  await as(editor)(notes.save, {
    body: { userId: officer.id, title: 'A look', content: 'As here', assets: [await bring(editor)] },
  })
  await as(officer)(
    scripts.create,
    { body: { title: 'Asked twice', content: 'Answered once' } },
    { requestId: 'a-request-that-is-repeated' },
  )
})
await step('Notices and triggers', async () => {
  const at = new Date(Date.now() + 60_000)
  await as(admin)(notifications.createTrigger, {
    body: {
      title: 'Come back',
      transportType: ['email'],
      notification: { title: 'Hi', body: 'Film one' },
      timeOfDay: `${String(at.getUTCHours()).padStart(2, '0')}:${String(at.getUTCMinutes()).padStart(2, '0')}`,
      timezone: 'UTC',
      criteria: { type: 'allUsers' },
    } as never,
  })
  await as(officer)(notifications.choose, {
    body: { kinds: [{ kind: 'news', email: 'daily', push: false }], quiet: { from: '22:00', until: '07:00' } } as never,
  })
  await as(admin)(notifications.push, { body: { userIds: [officer.id, neighbor.id], title: 'Hello', body: 'There' } })
  await as(admin)(invitations.send, {
    body: { role: 'QA', tenantId: null, lines: ['robin@example.com'] },
  })
})
await step('A browser that hears', async () => {
  await (
    await browserOf(demoPeople.neighbor.email)
  )(push.subscribe, {
    endpoint: 'https://push.example.com/nobody',
    keys: { p256dh: keyOfBrowser, auth: randomBytes(16).toString('base64url') },
    name: 'A browser',
  })
  await as(admin)(notifications.push, { body: { userIds: [neighbor.id], title: 'Hello', body: 'Once more' } })
})
await step('A webhook endpoint with a delivery that was tried', async () => {
  const { endpoint } = await as(admin)(webhooks.create, {
    body: {
      url: 'https://program.invalid/hook',
      description: 'Our CRM',
      events: ['video.submitted', 'video.approved'],
    },
  })
  const params = { endpointId: endpoint.id }
  await as(admin)(webhooks.rotate, { params })
  const { id: deliveryId } = await as(admin)(webhooks.test, { params })
  for (;;) {
    const { attempts } = await as(admin)(webhooks.delivery, { params: { ...params, deliveryId } })
    if (attempts.length > 0) break
    await sleep(200)
  }
  await as(admin)(webhooks.pause, { params })
})
await step('Calendar, tracking, codes', async () => {
  await as(officer)(calendar.renew, {})
  await as(officer)(apiKeys.create, { body: { name: 'Reports', scopes: ['videos.read'], days: 30 } })
  await as(officer)(tracking.send, { body: { category: 'page', label: 'home', action: 'seen' } })
  await as(officer)(accounts.createToken, {})
  await callAs(service, null)(accounts.sendCode, { query: { email: 'officer@demo.test' } })
  await callAs(service, null)(identityCalls.password, { body: { email: 'nobody@demo.test', password: 'wrong' } }).catch(
    () => {},
  )
})
await step('A second factor and a passkey, of somebody whom the demo does not need', async () => {
  await database.asSystem((tx) =>
    createPerson(tx, { email: 'careful@demo.test', name: 'Cara Fuller', role: 'User', password: demoPassword }),
  )
  const ask = await browserOf('careful@demo.test')
  const device = openAuthenticator({ origin, party: 'localhost' })
  const { options } = await ask(security.startPasskey, {})
  await ask(security.addPasskey, { name: 'Phone', credential: device.create(options as never) })
  const { uri } = (await ask(security.startTotp, {})) as { uri: string }
  const secret = new URL(uri).searchParams.get('secret')!
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await ask(security.confirmTotp, { code })
})
await step('A plan paid in the sandbox, and one more video', async () => {
  const { url } = await as(neighbor)(subscriptions.checkout, anyOrder('plan_starter_month'))
  await post(service, url, { number: cards.pays })
  await as(neighbor)(subscriptions.charge, anySingle)
  await settle(service)
  const { items: paid } = await as(admin)(subscriptions.payments, { query: { wheres: 'state:eq:paid' } })
  await as(admin)(subscriptions.giveBack, {
    params: { chargeId: paid[0]!.id },
    body: { amount: 100, way: 'credit', reason: 'A late video', left: paid[0]!.left! },
  })
  await settle(service)
})
await step('A download of somebody’s data, and a removal', async () => {
  await as(neighbor)(accounts.startExport, {})
  const { id } = await database.asSystem((tx) =>
    createPerson(tx, { email: 'gone@demo.test', name: 'Gwen Parting', role: 'User', password: demoPassword }),
  )
  await as(admin)(accounts.remove, { query: { userId: id } })
})
await step('An account that a provider signs in', async () => {
  const state = randomBytes(24).toString('base64url')
  const begun = await app.inject({
    url: `/identity/google/start?state=${state}`,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const back = await google.visit(String(begun.headers['location']), {
    sub: 'subject-1',
    email: 'provided@demo.test',
    email_verified: true,
    name: 'Paula Given',
  })
  const returned = await app.inject({ url: back.address!.slice(origin.length) })
  const { code, iss } = Object.fromEntries(
    new URLSearchParams(String(returned.headers['location']).split('#')[1]),
  ) as Record<string, string>
  const signedIn = await app.inject({
    method: 'POST',
    url: '/identity/sign-in/provider',
    headers: { cookie: `ctp_oauth=${begun.cookies.find(({ name }) => name === 'ctp_oauth')!.value}` },
    payload: { state, code, ...(iss ? { iss } : {}) },
  })
  if (signedIn.statusCode !== 200) throw new Error(signedIn.body)
})
await step('Connected networks, and a post that waits for its day', async () => {
  const begin = async (network: 'youtube' | 'linkedin') =>
    (await as(officer)(publishing.connect, { body: { network } })).address
  const connect = async (network: 'youtube' | 'linkedin') => {
    const allowed = await fetch(await begin(network), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ account: `a.${network}.account`, decision: 'go' }),
    })
    const back = new URL(allowed.headers.get('location')!).searchParams
    const { items } = await as(officer)(publishing.finishConnecting, {
      body: { state: back.get('state')!, code: back.get('code')! },
    })
    return items.find((one) => one.network === network)!.id
  }
  const accounts = [await connect('youtube'), await connect('linkedin')]
  await begin('youtube')
  const done = (await as(officer)(projects.list, {})).items.filter(({ status }) => status === Status.completed)
  const params = { projectId: done.at(-1)!.id }
  await as(officer)(projects.schedule, {
    params,
    body: {
      publishAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      posts: accounts.map((connectionId) => ({
        connectionId,
        words: 'Once a year',
        title: 'A check-up',
        comment: 'Ask me',
      })),
    },
  })
  const { items } = await as(officer)(publishing.posts, { params })
  await as(officer)(publishing.withdraw, { params: { postId: items[0]!.id } })
  await as(officer)(publishing.setSlots, { body: { items: [{ weekday: 2, time: '09:00' }] } })
})
await step('A take that is still being recorded', async () => {
  const named = { filename: 'Take.mp4', filetype: 'video/mp4', takeId: randomUUID() }
  const begun = await app.inject({
    method: 'POST',
    url: '/uploads',
    headers: {
      authorization: `Bearer ${officer.token}`,
      'tus-resumable': '1.0.0',
      'upload-defer-length': '1',
      'upload-metadata': Object.entries(named)
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(),
    },
  })
  if (begun.statusCode !== 201) throw new Error(begun.body)
})
await step('A clip, an edit with it, made ahead, and a render', async () => {
  const own = await database.asSystem((tx) =>
    tx.rows(sql<{ id: string; derived: { poster: string } }>`
      select id, derived from asset where author_id = ${officer.id} and derived ? 'poster' limit 1`),
  )
  const path = onDisk().path(own[0]!.id, own[0]!.derived.poster)
  const clip = await putFile(database, admin, { path, fileName: 'sign.jpg' }, { log })
  await as(admin)(clips.add, { body: { assetId: clip, title: 'A sign', tags: ['house'] } })

  const { items } = await as(editor)(projects.list, {})
  const mine = items.find(({ status }) => status === Status.inProgress) ?? items[0]!
  for (let tries = 0; tries < 60; tries++) {
    const edit = await as(editor)(edits.find, { params: { projectId: mine.id } }).catch(() => null)
    if (edit && 'recipe' in edit && edit.recipe) break
    if (tries === 0) await as(editor)(edits.make, { params: { projectId: mine.id }, body: {} }).catch(() => {})
    await sleep(1000)
  }
  const { revision, recipe } = await as(editor)(edits.find, { params: { projectId: mine.id } })
  await as(editor)(looks.add, {
    params: { projectId: mine.id },
    body: { name: 'Calm', content: lookOf(recipe as never) },
  })
  const saved = await as(editor)(edits.save, {
    params: { projectId: mine.id },
    body: { revision, recipe: { ...(recipe as Recipe), brand: { ...(recipe as Recipe).brand, logo: clip } } },
  })
  for (let tries = 0; tries < 60; tries++) {
    const isBegun = await database.asSystem((tx) => tx.rows(sql`select from render_ahead`))
    if (isBegun.length > 0) break
    await sleep(1000)
  }
  await as(editor)(edits.render, { params: { projectId: mine.id }, body: { revision: saved.revision } })
})
await step('A question to support that was answered', async () => {
  const { id: threadId } = await as(officer)(support.ask, { body: { subject: 'An invoice', body: 'Where is it?' } })
  await as(admin)(support.reply, { params: { threadId }, body: { body: 'In your plan, below Payments.' } })
})
await step('A view of a list', () =>
  as(admin)(views.create, { body: { page: '/panel/people', name: 'Editors', search: { role: 'Editor' } } }),
)
await step('A rate of an editor', () =>
  as(admin)(reports.setRate, {
    body: { editorId: editor.id, fromMonth: '2026-11', rate: { unit: 'minute', amount: 300, currency: 'usd' } },
  }),
)
// What is under way comes to its end: jobs, and the trigger of a minute ahead.
for (let quiet = 0, waited = 0; quiet < 3 && waited < 180; waited++) {
  const { open } = (await database.asSystem((tx) =>
    tx.first(sql<{ open: number }>`
      select (select count(*) from pgboss.job where state in ('created', 'active')) +
        (select count(*) from notification_trigger where status = 'scheduled' and next_execution < now() + interval '2 minutes')
        as open`),
  ))!
  quiet = open === 0 ? quiet + 1 : 0
  await sleep(1000)
}

// What lies in a bucket: this release's files lie on a disk.
await database.asSystem(async (tx) => {
  await tx.count(sql`
    insert into stored_file (asset_id, writer, received_bytes)
    select id, gen_random_uuid(), 4 from asset order by id limit 1`)
  await tx.count(sql`
    insert into stored_piece (asset_id, at, bytes, key, sha256)
    select asset_id, 0, 4, 'quarantine/' || asset_id || '/0-a', repeat('0', 64) from stored_file`)
  await tx.count(sql`
    insert into stored_part (id, asset_id, writer, at, bytes, sha256, key, ends_at)
    select gen_random_uuid(), asset_id, writer, 4, 4, repeat('0', 64), 'quarantine/' || asset_id || '/part-4-a', now()
    from stored_file`)
})

// What hosts in production keep of their build, and a job that an admin decided about.
await database.asSystem(async (tx) => {
  await tx.count(sql`insert into web_piece (name, coding, content) values ('later-aaaaaaaa.js', 'identity', '\\x2f2f')`)
  await tx.count(sql`
    insert into settled_job (id, first_id, kind, act) values (gen_random_uuid(), gen_random_uuid(), 'mail', 'let-rest')`)
})

const tables = await database.asSystem((tx) =>
  tx.rows(sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace
      -- What waits there is in its chain within seconds, and is not the product's to read.
      and relname <> 'audit_waiting' order by 1`),
)
const empty: string[] = []
for (const { name } of tables) {
  const row = await database.asSystem((tx) => tx.first(sql`select from ${sql.table(name)} limit 1`))
  if (!row) empty.push(name)
}
console.log('Tables without a row:', empty.join(', ') || 'none')
// What an upgrade does to a table shows where the table has rows.
if (empty.length > 0) process.exitCode = 1

await worker.close()
await live.close()
await app.close()
await queue.close()
await database.close()
await server.close()
await networks.close()
await google.close()
await rm(folder, { recursive: true, force: true })
process.exit()
