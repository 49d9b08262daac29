import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import {
  readBucket,
  readFcm,
  readNetworkKeys,
  readOtlp,
  readProviders,
  readStripe,
  type Bucket,
  type Collector,
  type FcmAccount,
  type NetworkKeys,
  type Providers,
  type StripeKeys,
} from './config-outside.ts'
import {
  logLevels,
  parseCount,
  parseDeployment,
  parseDrain,
  parseLogLevel,
  parseOrigin,
  parsePort,
  parsePostgresUrl,
  parseRole,
  parseSecondFactor,
  parseSeed,
  parseSender,
  parseSmtpUrl,
  parseTags,
  parseWork,
  type ReadSetting,
} from './config-values.ts'
import { everyClass, type WorkClass } from './lanes.ts'
import { isLocalName, isLoopback, parseTrustProxy } from './network.ts'
import { hostRoles, problemsOfMany, secretNames, type HostRole } from './settings.ts'

/** Codes by e-mail in an hour: for one network's asking, and for everybody's together. */
export type CodeLimits = { network: number; everybody: number }

export interface Config {
  /** One machine with everything on it, or several that share a database and the files. */
  deployment: 'one' | 'many'
  /** What this process does. */
  role: HostRole | 'all'
  /** Which classes of work a worker does. */
  work: readonly WorkClass[]
  /** How long a process that was told to stop still takes calls while it says that it is not ready, and lets jobs end. */
  drainMs: number
  /** 0 takes any free port. */
  port: number
  /** The interface to listen on: this machine alone (`localhost`), unless said otherwise. */
  host: string
  /** The origin that people type, without a slash at the end; links and signed addresses begin with it. */
  publicUrl: string
  /** Absolute. Uploads, derived media and the embedded database live here. */
  dataDir: string
  /** The owner's address of a PostgreSQL server of the operator's; undefined: the embedded one. */
  databaseUrl: string | undefined
  /** The product's role on that server, where it is not to be derived from the owner (see postgres/app-role.ts). */
  databaseAppUrl: string | undefined
  /** A pooler stands before the database that lends connections for one transaction, such as PgBouncer. */
  isPooled: boolean
  seed: 'demo' | 'none'
  isProduction: boolean
  /** Others than the operator may use it: production, or a public address or an interface that is not this machine's own. */
  isHosted: boolean
  /** Signs media addresses where several servers share it, the newest first of several; undefined: a random one kept under dataDir. */
  mediaSecret: string | undefined
  /** The bucket in which people's files lie; undefined: on the disk, under dataDir. */
  bucket: Bucket | undefined
  /** The mail server; undefined: mails stay in the embedded outbox under dataDir. */
  smtpUrl: string | undefined
  /** Whom mails are from, as `Name <address>`. */
  mailFrom: string
  /** Firebase's account, for phones; undefined: phones hear nothing. */
  fcm: FcmAccount | undefined
  /** One more origin that may be a push service beside public https ones: a test's, on this machine. */
  pushTestOrigin: string | undefined
  /** One more origin that a webhook may lead to beside public https addresses: a test's, on this machine. */
  webhookTestOrigin: string | undefined
  /** The ways in beside a password: configured ones, or in development their sandboxes. */
  signIn: Providers
  /** Of whom the service demands a second factor; tenants may demand it of their people beside that. */
  secondFactor: SecondFactorPolicy
  /** Scripts of others for the public page (analytics, session recording), each with its address; usually none. */
  tags: string[]
  /** Stripe's keys; undefined: the embedded sandbox takes no money. `apiUrl`: another address of its API, for tests. */
  stripe: StripeKeys | undefined
  /** An administrator's app keys for each network (`YOUTUBE_APP_ID`, `YOUTUBE_APP_SECRET`, …). */
  networkKeys: NetworkKeys
  /** LinkedIn’s app has the Community Management API: members connect the pages that they administer, too (`LINKEDIN_PAGES=on`). */
  linkedinPages: boolean
  /** The origin at which the stand-ins of networks answer, for those without keys; undefined: those are not offered. */
  networksStandIn: string | undefined
  /** What seals the tokens of connected accounts, the newest first; none: a random key kept under dataDir. */
  connectionKeys: string[]
  codeLimits: CodeLimits
  /** The sandbox may stand in for a payment provider: on this machine, elsewhere only when said aloud. */
  allowSandbox: boolean
  /** Files that the environment names because a secret lies in them. */
  secretFiles: string[]
  /** pino's levels, `silent` included. */
  logLevel: string
  /** The operator's own proxies, by number or addresses: what they say of the caller's address is believed; false: none. */
  trustProxy: number | string[] | false
  /** Opens /metrics to whoever brings it; undefined: only this machine may look, and only while developing. */
  metricsToken: string | undefined
  /** Where a worker or a clock answers its probes and /metrics; undefined: nowhere. */
  probePort: number | undefined
  /** Where traces are sent (OTLP over HTTP), and how many of them, from 0 to 1; undefined: nobody traces. */
  otlp: Collector | undefined
}

/** Reads the environment. Throws one error that lists every bad value with what it should be. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { config, problems } = inspectConfig(env)
  if (problems.length > 0) throw new Error(`The configuration is not right:\n  ${problems.join('\n  ')}`)
  return config
}

/** The same without an error: each of `problems` is a sentence, and `config` has the usual value where one is bad. */
export function inspectConfig(environment: NodeJS.ProcessEnv): { config: Config; problems: string[] } {
  const problems: string[] = []
  const { env, secretFiles } = withSecretFiles(environment, problems)
  const read: ReadSetting = (name, fallback, parse, shouldBe) => {
    const text = env[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (value !== undefined) return value
    // The value of an address with a password stays out of the message.
    problems.push(
      `${name} should be ${shouldBe}${/^DATABASE|SECRET|TOKEN|HEADERS|^SMTP|PRIVATE_KEY|SERVICE_ACCOUNT/.test(name) ? '' : `, not "${text}"`}`,
    )
    return fallback
  }

  const isProduction = read('NODE_ENV', 'development', (text) => text, 'a word') === 'production'
  const port = read('PORT', 4000, parsePort, 'a port number from 0 to 65535')
  const publicUrl = read(
    'PUBLIC_URL',
    `http://localhost:${port}`,
    parseOrigin,
    'an origin such as https://video.example.com',
  )
  const deployment = read('DEPLOYMENT', 'one', parseDeployment, 'one or many')
  const config: Config = {
    deployment,
    role: read('ROLE', 'all', parseRole, hostRoles.join(', ')),
    work: read('WORK', everyClass, parseWork, `some of ${everyClass.join(', ')}, parted by commas`),
    drainMs: 1000 * read('DRAIN_SECONDS', deployment === 'many' ? 15 : 0, parseDrain, 'a number from 0 to 600'),
    port,
    host: read('HOST', 'localhost', (text) => text, 'a host name'),
    publicUrl,
    dataDir: resolve(read('DATA_DIR', './data', (text) => text, 'a directory')),
    databaseUrl: read('DATABASE_URL', undefined, parsePostgresUrl, 'like postgres://owner:password@host:5432/database'),
    databaseAppUrl: read(
      'DATABASE_APP_URL',
      undefined,
      parsePostgresUrl,
      'like postgres://role:password@host/database',
    ),
    isPooled: read('DATABASE_POOLER', false, (text) => text === 'transaction' || undefined, 'transaction, or absent'),
    seed: read('SEED', isProduction ? 'none' : 'demo', parseSeed, 'demo or none'),
    isProduction,
    isHosted: isProduction,
    mediaSecret: read(
      'MEDIA_SECRET',
      undefined,
      (text) => (text.split(/\s+/).every((secret) => secret.length >= 16) ? text : undefined),
      '16 characters or more; several, the newest first, parted by spaces',
    ),
    bucket: readBucket(read, problems, deployment === 'many'),
    smtpUrl: read('SMTP_URL', undefined, parseSmtpUrl, 'like smtps://user:password@mail.example.com'),
    mailFrom: read(
      'MAIL_FROM',
      `Clear to Post <no-reply@${new URL(publicUrl).hostname}>`,
      parseSender,
      'like Clear to Post <hello@example.com>',
    ),
    fcm: readFcm(read),
    pushTestOrigin: isProduction
      ? undefined
      : read('PUSH_TEST_ORIGIN', undefined, parseOrigin, 'an origin on this machine'),
    webhookTestOrigin: isProduction
      ? undefined
      : read('WEBHOOK_TEST_ORIGIN', undefined, parseOrigin, 'an origin on this machine'),
    signIn: {},
    networkKeys: readNetworkKeys(env, problems),
    linkedinPages: read(
      'LINKEDIN_PAGES',
      false,
      (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
      'on or off',
    ),
    networksStandIn: read('NETWORKS_STAND_IN', undefined, parseOrigin, 'an origin on this machine'),
    connectionKeys: read(
      'CONNECTION_SECRET',
      [],
      (text) => {
        const secrets = text.split(/\s+/)
        return secrets.every((secret) => secret.length >= 32) ? secrets : undefined
      },
      '32 characters or more; several, the newest first, parted by spaces',
    ),
    codeLimits: {
      network: read('CODES_PER_NETWORK', 60, parseCount, 'a number from 1 to a million'),
      everybody: read('CODES_PER_HOUR', 2000, parseCount, 'a number from 1 to a million'),
    },
    secondFactor: read('SECOND_FACTOR', 'nobody', parseSecondFactor, 'nobody, staff or everybody'),
    tags: read('PUBLIC_TAGS', [], parseTags, 'https addresses of scripts, parted by spaces'),
    stripe: readStripe(read),
    allowSandbox: read('ALLOW_SANDBOX_IN_PRODUCTION', false, (text) => text === 'yes', 'yes, or absent'),
    secretFiles,
    // A terminal is for people: there, only what is wrong interrupts the plain words.
    logLevel: read('LOG_LEVEL', isProduction ? 'info' : 'warn', parseLogLevel, logLevels.join(', ')),
    trustProxy: read<Config['trustProxy']>(
      'TRUST_PROXY',
      false,
      parseTrustProxy,
      'the addresses of your proxies, parted by commas (loopback, 10.0.0.5, 10.0.0.0/8), or how many stand in front (1 to 10)',
    ),
    metricsToken: read(
      'METRICS_TOKEN',
      undefined,
      (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
      '16 visible characters or more',
    ),
    probePort: read('PROBE_PORT', undefined, parsePort, 'a port number from 0 to 65535'),
    otlp: readOtlp(read),
  }
  if (deployment === 'many') problems.push(...problemsOfMany(env, config.role === 'all' ? 'api' : config.role))
  else if (config.role !== 'all')
    problems.push('ROLE needs DEPLOYMENT=many: one machine does everything in one process')
  else if (config.databaseAppUrl && !config.databaseUrl) problems.push('DATABASE_APP_URL needs DATABASE_URL beside it')
  if (config.stripe && !(config.stripe.secretKey && config.stripe.webhookSecret))
    problems.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET need each other')
  // A hosted service whose NODE_ENV was forgotten is production all the same.
  const isOpenToOthers = !isLocalName(new URL(config.publicUrl).hostname) || !isLoopback(config.host)
  config.isHosted = isProduction || isOpenToOthers
  if (!isProduction && !isOpenToOthers) config.allowSandbox = true
  if (config.seed === 'demo' && isOpenToOthers && env.SEED === undefined) config.seed = 'none'
  if (config.seed === 'demo' && (isProduction || isOpenToOthers) && env.ALLOW_DEMO_IN_PRODUCTION !== 'yes') {
    problems.push('SEED=demo makes accounts whose password everybody knows: in production, set SEED=none')
  }
  if (
    config.networksStandIn !== undefined &&
    // Of several hosts each is told by the table of settings.
    deployment !== 'many' &&
    (config.isHosted || !isLocalName(new URL(config.networksStandIn).hostname))
  )
    problems.push('NETWORKS_STAND_IN pretends to post: use it on your own machine only')
  const sandbox = read(
    'SIGN_IN_SANDBOX',
    isProduction || isOpenToOthers ? 'off' : 'on',
    (text) => (['off', 'on', 'even-in-production'].includes(text) ? text : undefined),
    'on or off',
  )
  if (sandbox === 'on' && (isProduction || isOpenToOthers))
    problems.push('SIGN_IN_SANDBOX=on lets anybody sign in as anybody: in production, leave it out')
  config.signIn = readProviders(env, { publicUrl, isProduction, hasSandbox: sandbox !== 'off', problems })
  return { config, problems }
}

/** A secret of the environment, or of the file that NAME_FILE names. Throws a sentence where that cannot be read. */
export function secretOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const problems: string[] = []
  const { env: read } = withSecretFiles(env, problems, [name])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return read[name]?.trim() || undefined
}

/** Each secret may lie in a file that NAME_FILE names, as container services hand them over. */
function withSecretFiles(env: NodeJS.ProcessEnv, problems: string[], names = secretNames) {
  const read: NodeJS.ProcessEnv = { ...env }
  const secretFiles = ['APPLE_PRIVATE_KEY', 'FCM_SERVICE_ACCOUNT'].flatMap((name) => {
    const text = env[name]?.trim()
    return text && !/^(-----BEGIN|\{)/.test(text) ? [text] : []
  })
  for (const name of names) {
    const path = env[`${name}_FILE`]?.trim()
    if (!path) continue
    if (env[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set: keep one`)
    try {
      read[name] = readFileSync(path, 'utf8').trim()
      secretFiles.push(path)
    } catch {
      problems.push(`${name}_FILE should be the path of a file that this user may read`)
    }
  }
  return { env: read, secretFiles }
}
