import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { closedSandboxes, sandboxKind } from '@clear-to-post/media/sandbox'
import { ffmpegPath, ffprobePath } from '@clear-to-post/media/tools'
import { readLastBackup } from '../backup/folder.ts'
import { sql, systemCaller, type Database } from '../kernel/database.ts'
import type { Config } from '../kernel/config.ts'
import { givenUpCounts } from '../kernel/given-up.ts'
import { isLocalName, isLoopback } from '../kernel/network.ts'
import type { HostRole } from '../kernel/settings.ts'
import { openBucket, type BucketPlace } from '../outside/bucket.ts'
import { oldestJob } from './oldest-job.ts'
import { StorageAway } from '../outside/storage.ts'
import { openDemoAccounts } from './demo/accounts.ts'

/** What a condition looks at. Without a database, what only it knows stays unknown. */
export type ConditionContext = {
  config: Config
  now: Date
  database: Pick<Database, 'readOnly'> | undefined
  /** Why a database that should be there does not answer. */
  databaseProblem?: string
}

/** `details` are for the operator's terminal alone: names and paths. */
export type Finding = { isMet: boolean; says: string; details?: readonly string[] }

/** What an unmet condition does: the service refuses to start, says that it is not ready, or only says it aloud. */
export type Level = 'refuses to start' | 'is not ready' | 'says so'

export type Condition = {
  name: string
  /** A clause after "is checked: ". */
  checks: string
  why: string
  /** What the operator does when it is not met. */
  next: string
  /** What happens where others than the operator use the service. */
  hosted: Level
  /** What happens on the operator's own machine; null: it does not matter there. */
  local: Level | null
  /** What happens on a host of this role beside others (DEPLOYMENT=many), where that is something else than `hosted`. */
  many?: Partial<Record<HostRole, Level | null>>
  /** What the database alone knows: unknown, and not unmet, where it does not say, or is too slow. */
  ofDatabase?: true
  /** Throws when the part does not answer; the error's message is what is said. null: unknown without a database. */
  find: (world: ConditionContext) => Promise<Finding | null>
}

/** Every condition of production, in the order in which it is told. The one list that start-up, readiness, doctor and docs read. */
export const conditions: readonly Condition[] = [
  {
    name: 'production',
    checks: 'NODE_ENV is `production` where PUBLIC_URL or HOST is not this machine’s own address',
    why: 'The service treats such an address as production all the same, but libraries it uses do not.',
    next: 'Set NODE_ENV=production.',
    hosted: 'says so',
    local: null,
    find: async ({ config }) => ({
      isMet: config.isProduction,
      says: config.isProduction ? 'NODE_ENV is production' : 'NODE_ENV is not production',
    }),
  },
  {
    name: 'address',
    checks: 'PUBLIC_URL is an https address',
    why: 'Passwords and sessions travel in the open otherwise, links in mails lead nowhere, and a phone’s camera stays off.',
    next: 'Put a proxy with a certificate in front, and set PUBLIC_URL to what people type, such as https://video.example.com. For this machine alone, leave HOST out.',
    hosted: 'refuses to start',
    local: null,
    find: async ({ config: { publicUrl, host } }) => {
      if (publicUrl.startsWith('https:')) return { isMet: true, says: 'people come by https' }
      return isLocalName(new URL(publicUrl).hostname) && !isLoopback(host)
        ? { isMet: false, says: `HOST=${host} lets others in, and PUBLIC_URL is this machine’s own address` }
        : { isMet: false, says: 'PUBLIC_URL is not an https address' }
    },
  },
  {
    name: 'proxy',
    checks: 'TRUST_PROXY says which proxies stand in front',
    why: 'The service speaks no https itself, so a proxy is there; without this, limits by the minute count everybody as one.',
    next: 'Set TRUST_PROXY to the proxies’ addresses (loopback for one on this machine, or 10.0.0.0/8), or to how many they are.',
    hosted: 'refuses to start',
    local: null,
    many: { worker: null, clock: null, migrate: null },
    find: async ({ config: { trustProxy } }) =>
      trustProxy === false
        ? { isMet: false, says: 'no proxy is trusted, so everybody seems to have one address' }
        : {
            isMet: true,
            says: typeof trustProxy === 'number' ? `${trustProxy} in front` : `trusted: ${trustProxy.length} of them`,
          },
  },
  {
    name: 'demo',
    checks: 'no account can sign in with the demo’s published password',
    why: 'It stands in the README: whoever reads it signs in as an admin.',
    next: 'Run `npm run admin -- disable-demo`, which disables them and signs them out everywhere.',
    hosted: 'refuses to start',
    local: null,
    find: async ({ config, database }) => {
      if (!database) return null
      if (config.seed === 'demo')
        return {
          isMet: true,
          says: config.isHosted
            ? 'the demo is allowed aloud (ALLOW_DEMO_IN_PRODUCTION)'
            : 'the demo’s accounts are open to this machine alone',
        }
      const found = await database.readOnly(systemCaller, openDemoAccounts)
      return found.length === 0
        ? { isMet: true, says: 'no account has the published password' }
        : {
            isMet: false,
            says: `${found.length} ${found.length === 1 ? 'account has' : 'accounts have'} the demo’s published password`,
            details: found,
          }
    },
  },
  {
    name: 'stand-ins',
    checks: 'neither sign-in nor payment is a sandbox',
    why: 'The sign-in sandbox lets anybody sign in as anybody; the payment sandbox gives plans away.',
    next: 'Set PUBLIC_URL to what people type, leave out SIGN_IN_SANDBOX and ALLOW_SANDBOX_IN_PRODUCTION, and set the keys of Google, Apple and Stripe.',
    hosted: 'says so',
    local: null,
    find: async ({ config: { signIn, stripe, allowSandbox } }) => {
      const used = [
        ...(Object.values(signIn).some(({ isSandbox }) => isSandbox) ? ['sign-in is a sandbox'] : []),
        ...(!stripe && allowSandbox ? ['payment is a sandbox'] : []),
      ]
      return { isMet: used.length === 0, says: used.join('; ') || 'none stands in' }
    },
  },
  {
    name: 'secrets',
    checks: 'given secrets are long and random (MEDIA_SECRET, METRICS_TOKEN and the database’s password)',
    why: 'Who guesses one reads every video, or the whole database.',
    next: 'Make each anew, for example by `openssl rand -base64 32`, and set it again.',
    hosted: 'refuses to start',
    local: null,
    find: async ({ config }) => {
      const weak = Object.entries({
        MEDIA_SECRET: config.mediaSecret,
        METRICS_TOKEN: config.metricsToken,
        DATABASE_URL: passwordOf(config.databaseUrl),
        DATABASE_APP_URL: passwordOf(config.databaseAppUrl),
      }).flatMap(([name, secret]) => (secret !== undefined && isWeak(secret) ? [name] : []))
      return weak.length === 0
        ? { isMet: true, says: 'none that is given is easy to guess' }
        : { isMet: false, says: `easy to guess: ${weak.join(', ')}` }
    },
  },
  {
    name: 'files',
    checks: 'files with keys are for the service’s user alone (mode 0600)',
    why: 'Another user or program of this machine reads them otherwise.',
    next: 'Run chmod 600 on each file that is named, as the user who starts the service.',
    hosted: 'refuses to start',
    local: 'says so',
    find: async ({ config }) => {
      const files = [
        join(config.dataDir, 'media-key'),
        join(config.dataDir, 'outbox-key'),
        join(config.dataDir, 'postgres', 'password'),
        ...config.secretFiles,
      ]
      const open = (await Promise.all(files.map(async (file) => ((await isOpen(file)) ? [file] : [])))).flat()
      return open.length === 0
        ? { isMet: true, says: 'nobody else reads the keys' }
        : { isMet: false, says: `${open.length} with keys can be read by others`, details: open }
    },
  },
  {
    name: 'database',
    checks: 'the database answers, and the service’s role owns nothing and stands under row-level security',
    why: 'Without it nothing works; with a stronger role one of the two walls between companies is gone.',
    next: 'Start PostgreSQL or correct DATABASE_URL; let DATABASE_APP_URL name a plain role.',
    hosted: 'is not ready',
    local: 'is not ready',
    find: async ({ database, databaseProblem }) => {
      if (databaseProblem !== undefined) throw new Error(databaseProblem)
      if (!database) return null
      const row = (await database.readOnly(systemCaller, (tx) =>
        tx.first(sql<{ n: number; is_strong: boolean }>`
          select (select count(*)::int from schema_migration) as n, rolsuper or rolbypassrls
            or exists (select from pg_class where relowner = r.oid and relkind in ('r', 'p')) as is_strong
          from pg_roles r where rolname = current_user`),
      ))!
      return { isMet: !row.is_strong, says: row.is_strong ? 'its role is too strong' : `answers; ${row.n} migrations` }
    },
  },
  {
    name: 'disk',
    checks: 'at least 1 GiB is free under DATA_DIR',
    why: 'Uploads are refused, and a full disk stops the database.',
    next: 'Make room, or move DATA_DIR to a larger disk.',
    hosted: 'is not ready',
    local: 'is not ready',
    find: async ({ config }) => {
      const { bavail, bsize } = await statfs(config.dataDir).catch(() => statfs('.'))
      const free = (bavail * bsize) / 2 ** 30
      return { isMet: free >= 1, says: `${free < 10 ? free.toFixed(1) : free.toFixed(0)} GiB free` }
    },
  },
  {
    name: 'bucket-key',
    checks: 'the bucket takes our key, and its clock agrees with ours (with STORAGE=bucket)',
    why: 'No file can be sent in, shown or edited.',
    next: 'Correct BUCKET_URL, BUCKET_REGION, BUCKET_KEY_ID or BUCKET_SECRET; let the key read, write, list and delete; let the machine take its time from the network.',
    hosted: 'is not ready',
    local: 'is not ready',
    find: async ({ config, now }) => {
      const found = config.bucket && (await lookAtBucket(config.bucket, now))
      return found ? { isMet: !found.refusesUs, says: found.refusesUs ? found.says : 'our key is taken' } : notInBucket
    },
  },
  {
    name: 'bucket',
    checks: 'the bucket answers, and takes what is written (with STORAGE=bucket)',
    why: 'Uploads wait and are kept as far as they came; checks and renders go on by themselves once it answers.',
    next: 'Look at the store’s own page for trouble; where it is full, let it have more room.',
    // Lists, edits and messages go on without it: a load balancer that took every host away for it would end those, too.
    hosted: 'says so',
    local: 'says so',
    find: async ({ config, now }) => {
      const found = config.bucket && (await lookAtBucket(config.bucket, now))
      return found ? { isMet: found.isMet || found.refusesUs, says: found.says } : notInBucket
    },
  },
  {
    name: 'queue',
    checks: 'no job that could run has waited for ten minutes',
    why: 'Checks, edits and mails stand still.',
    next: 'See in the log why the worker does not work, or start one more.',
    // Calls are answered all the same: a load balancer that took every host away for it would end the service.
    hosted: 'says so',
    local: 'says so',
    ofDatabase: true,
    find: async ({ database }) => {
      if (!database) return null
      const age = await database.readOnly(systemCaller, (tx) => oldestJob(tx))
      return { isMet: age <= 600, says: age === 0 ? 'nothing waits' : `the oldest job has waited ${Math.round(age)} s` }
    },
  },
  {
    name: 'given-up',
    checks: 'no job used up its tries',
    why: 'What it was to do is not done: a mail that nobody got, a removal that is not finished.',
    next: 'Open Audit log → Jobs given up as the service’s admin (or read `npm run admin -- given-up`), mend what it names, then send it again or let it rest there (or `npm run admin -- send-again --job …`, `let-rest --job …`).',
    hosted: 'says so',
    local: 'says so',
    ofDatabase: true,
    find: async ({ database }) => {
      if (!database) return null
      const found = await database.readOnly(systemCaller, givenUpCounts)
      const all = found.map(({ name, count }) => `${count} × ${name}`)
      return { isMet: found.length === 0, says: found.length === 0 ? 'none was given up' : all.join(', ') }
    },
  },
  {
    name: 'sandbox',
    checks: 'media runs in bubblewrap',
    why: 'Without it a hostile video that takes over the decoder reads keys and other people’s uploads. So nothing is decoded: uploads are kept and wait.',
    next: 'Install it (Debian: apt-get install bubblewrap); in a container allow user namespaces. The service goes on by itself.',
    hosted: 'is not ready',
    local: 'says so',
    // Beside others a worker that may not decode would only be counted as one.
    many: { api: null, worker: 'refuses to start', clock: null, migrate: null },
    find: async () => {
      const kind = await sandboxKind()
      return closedSandboxes.includes(kind)
        ? { isMet: true, says: `media runs in ${kind}` }
        : {
            isMet: false,
            says: `bubblewrap does not work here, only ${kind}: a hostile file could read what the service can`,
          }
    },
  },
  {
    name: 'ffmpeg',
    checks: 'ffmpeg and ffprobe are there',
    why: 'No video can be checked, shown or rendered without them.',
    next: 'Install ffmpeg (Debian: apt-get install ffmpeg), or set FFMPEG_PATH and FFPROBE_PATH.',
    hosted: 'is not ready',
    local: 'is not ready',
    many: { api: null, worker: 'refuses to start', clock: null, migrate: null },
    find: async () => {
      await Promise.all([ffmpegPath(), ffprobePath()].map(async (path) => access(await path, constants.X_OK)))
      return { isMet: true, says: 'ffmpeg and ffprobe are there' }
    },
  },
  {
    name: 'clock',
    checks: 'this machine’s clock and the database’s differ by less than 30 s',
    why: 'Codes, sessions and what is scheduled end or begin at the wrong time.',
    next: 'Let both machines take the time from the network (systemd-timesyncd or chrony).',
    hosted: 'is not ready',
    local: 'says so',
    ofDatabase: true,
    find: async ({ database }) => {
      if (!database) return null
      const before = Date.now()
      const { at } = (await database.readOnly(systemCaller, (tx) =>
        tx.first(sql<{ at: Date }>`select clock_timestamp() as at`),
      ))!
      const apart = Math.max(0, before - at.getTime(), at.getTime() - Date.now()) / 1000
      return {
        isMet: apart < 30,
        says: apart < 1 ? 'agrees with the database' : `${Math.round(apart)} s from the database’s`,
      }
    },
  },
  {
    name: 'mail',
    checks: 'SMTP_URL names a mail server',
    why: 'Codes and notices reach nobody: they are kept in DATA_DIR/outbox.',
    next: 'Set SMTP_URL, such as smtps://user:password@mail.example.com, and MAIL_FROM.',
    hosted: 'is not ready',
    local: null,
    find: async ({ config: { smtpUrl } }) => ({
      isMet: smtpUrl !== undefined,
      says: smtpUrl === undefined ? 'mails are kept in the outbox and not sent' : 'mails go by a mail server',
    }),
  },
  {
    name: 'payments',
    checks: 'Stripe’s live keys are set',
    why: 'Nobody can buy a plan, or nobody is charged.',
    next: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
    hosted: 'says so',
    local: null,
    find: async ({ config: { stripe, allowSandbox } }) => {
      if (!stripe)
        return { isMet: false, says: allowSandbox ? 'a sandbox: nobody is charged' : 'nothing can be bought' }
      const isLive = /^(sk|rk)_live_/.test(stripe.secretKey)
      return { isMet: isLive, says: `Stripe, ${isLive ? 'live' : 'in test mode'}` }
    },
  },
  {
    name: 'push',
    checks: 'FCM_SERVICE_ACCOUNT is set',
    why: 'Phones with the app hear nothing; browsers do.',
    next: 'Set FCM_SERVICE_ACCOUNT to Firebase’s key file, if people have the app.',
    hosted: 'says so',
    local: null,
    find: async ({ config: { fcm } }) => ({
      isMet: fcm !== undefined,
      says: fcm ? 'push goes to browsers, and by FCM to phones' : 'push goes to browsers; phones hear nothing',
    }),
  },
  {
    name: 'metrics',
    checks: 'METRICS_TOKEN is set',
    why: 'Nobody sees the figures of /metrics, so nothing can warn you early.',
    next: 'Set METRICS_TOKEN and let your monitoring bring it as a bearer token.',
    hosted: 'says so',
    local: null,
    find: async ({ config: { metricsToken } }) => ({
      isMet: metricsToken !== undefined,
      says: metricsToken === undefined ? 'nobody may read /metrics' : '/metrics opens to the token',
    }),
  },
  {
    name: 'backup',
    checks: 'the last backup is less than 26 hours old (DATA_DIR/last-backup.json)',
    why: 'What was sent in since then is lost with this disk.',
    next: 'Run `npm run backup -- FOLDER` every night: see Backup and restore in docs/operations.md.',
    hosted: 'says so',
    local: null,
    // The database is its provider's to keep.
    many: { api: null, worker: null, clock: null, migrate: null },
    find: async ({ config, now }) => {
      const last = await readLastBackup(config.dataDir)
      if (!last) return { isMet: false, says: 'none is known' }
      const hours = (now.getTime() - Date.parse(last.asOf)) / 3_600_000
      return { isMet: hours < 26, says: `the last one is ${Math.max(0, Math.round(hours))} hours old` }
    },
  },
]

const notInBucket = { isMet: true, says: 'files lie on the disk' }

type BucketLook = { isMet: boolean; refusesUs: boolean; says: string }
let lastLook: { place: BucketPlace; at: Date; found: Promise<BucketLook> } | undefined

/** Writes and reads a few bytes, at most every ten seconds. */
const lookAtBucket = (place: BucketPlace, now: Date): Promise<BucketLook> => {
  const isFresh = lastLook?.place === place && Math.abs(now.getTime() - lastLook.at.getTime()) < 10_000
  if (!isFresh) lastLook = { place, at: now, found: asked(place) }
  return lastLook!.found
}

const asked = async (place: BucketPlace): Promise<BucketLook> => {
  const began = performance.now()
  try {
    const { aheadMs } = await openBucket(place, { patienceMs: 1500, tries: 2 }).check()
    const ms = Math.round(performance.now() - began)
    const apart = Math.round(Math.abs(aheadMs) / 1000)
    if (apart >= 60) return { isMet: true, refusesUs: true, says: `its clock and ours are ${apart} s apart` }
    return { isMet: true, refusesUs: false, says: `wrote and read in ${ms} ms` }
  } catch (error) {
    return { isMet: false, refusesUs: error instanceof StorageAway && error.refusesUs, says: (error as Error).message }
  }
}

const isOpen = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && othersRead(found, process.getegid!())
}

/**
 * Whether somebody beside the service's user may read or change a file of this owner. Kubernetes and systemd hand a secret over
 * as root's file that one group may read, the service's own or root's.
 */
export const othersRead = (found: { mode: number; uid: number; gid: number }, ownGroup: number): boolean => {
  const isHandedOver = found.uid === 0 && (found.gid === 0 || found.gid === ownGroup)
  return (found.mode & (isHandedOver ? 0o037 : 0o077)) !== 0
}

const passwordOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : decodeURIComponent(new URL(url).password) || undefined

/** Short, of few different characters, or a word that everybody tries first. */
const isWeak = (secret: string): boolean =>
  secret.length < 16 ||
  new Set(secret).size < 8 ||
  /^(change.?(me|it)|secret|password|passw0rd|postgres|default|example|test|admin|clear.?to.?post)/i.test(secret)
