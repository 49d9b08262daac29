import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CallAnswer, CallInput, CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { Refusal, type RefusalCode } from '@clear-to-post/contract/errors'
import type { Failure } from '@clear-to-post/contract/failure'
import { type Actor, type Role } from '@clear-to-post/domain/roles'
import { openDatabase, sql, type Caller, type Database } from '../src/kernel/database.ts'
import type { DatabasePatience } from '../src/kernel/pool.ts'
import { buildApp, type AppOptions } from '../src/main/app.ts'
import { openLive } from '../src/http/live.ts'
import type { Identity } from '../src/identity/calls.ts'
import { openFamily } from '../src/identity/families.ts'
import { openIdentity } from '../src/identity/open.ts'
import { openQueue, type Queue } from '../src/kernel/queue.ts'
import { nameFrom } from '../src/kernel/statement.ts'
import { readConfig, type Config } from '../src/kernel/config.ts'
import { openPush } from '../src/outside/push/push.ts'
import { freshDatabase, type TestDatabase } from './database.ts'
import { guardRowLocks } from './row-locks.ts'
import { guardTransactions } from './waiting-inside.ts'

/** A person of a test, with a bearer token, and the refresh token of who has signed in. */
export type Person = Caller & { token: string; name: string; refreshToken?: string }

export type Service = {
  app: FastifyInstance
  database: Database
  queue: Queue
  identity: Identity
  config: Config
  urls: TestDatabase
  /** Every route of the running server as `METHOD /path`, HEAD twins too. */
  routes: readonly string[]
  close: () => Promise<void>
}

export type OpenedService = Service & {
  /** Closes it and keeps what it holds, for services that begin with a copy of it (`openService`'s `from`). */
  leave: () => Promise<Left>
}

/** The database and the files of a service that was left. */
export type Left = { database: string; dataDir: string; drop: () => Promise<void> }

// All tests of a file ask from one network.
const manyCodes = { CODES_PER_NETWORK: '1000000', CODES_PER_HOUR: '1000000' }

// A file asks most of its statements a few times, and all files of a process together more than the product gives names to.
nameFrom(1, 5000)

/** The whole product but its worker and its port, on a database of its own; `connectAs` may choose another role for it. */
export const openService = async (
  env: Record<string, string> = {},
  connectAs: (urls: TestDatabase) => Promise<string> = async ({ appUrl }) => appUrl,
  more: Pick<AppOptions, 'timeouts' | 'connections' | 'onRoute' | 'webRoot' | 'log' | 'limits'> & {
    patience?: DatabasePatience
    from?: Left
  } = {},
): Promise<OpenedService> => {
  const fresh = await freshDatabase(more.from?.database)
  const urls = { ...fresh, appUrl: await connectAs(fresh) }
  const dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-service-'))
  if (more.from) await cp(more.from.dataDir, dataDir, { recursive: true })
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', SEED: 'none', PORT: '0', ...manyCodes, ...env })
  openPush(config)
  const queue = await openQueue(urls.appUrl)
  const database = openDatabase(urls.appUrl, { queue, max: 20, ...(more.patience ? { patience: more.patience } : {}) })
  guardTransactions(database)
  const identity = await openIdentity({ database, config })
  const live = openLive(urls.appUrl)
  const health = { parts: async () => [], gauges: {} }
  const routes = new Set<string>()
  const app = await buildApp({
    config,
    database,
    identity,
    live,
    health,
    limits: false,
    ...more,
    onRoute: (route) => {
      more.onRoute?.(route)
      for (const method of [route.method].flat()) routes.add(`${method} ${route.url}`)
    },
  })
  guardRowLocks(app)
  await app.ready()
  const stop = async () => {
    await live.close()
    await app.close()
    await queue.close()
    await database.close()
  }
  const drop = async () => {
    await urls.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    app,
    database,
    queue,
    identity,
    config,
    urls,
    routes: [...routes],
    close: async () => {
      await stop()
      await drop()
    },
    leave: async () => {
      await stop()
      return { database: urls.name, dataDir, drop }
    },
  }
}

/** A call as somebody (or nobody) through the whole HTTP stack. Throws the server's Refusal. */
export const callAs =
  ({ app }: Pick<Service, 'app'>, person: Person | null) =>
  async <C extends CallShape>(
    shape: C,
    input: CallInput<C>,
    { requestId }: { requestId?: string } = {},
  ): Promise<CallAnswer<C>> => {
    const given = input as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const response = await app.inject({
      method: shape.method,
      url: addressOf(shape, given.params, given.query),
      headers: {
        ...headersOf(person),
        ...(requestId ? { 'x-request-id': requestId } : {}),
      },
      ...(given.body === undefined ? {} : { payload: given.body as object }),
    })
    const body = response.json() as CallAnswer<C> & Failure
    if (body.code !== undefined && response.statusCode >= 400 && !declares(shape, body.code))
      throw new Error(
        `${shape.method} ${shape.path} refuses with ${body.code}: name it in its refuses, in the contract`,
      )
    if (response.statusCode >= 400)
      throw new Refusal(body.code ?? '', body.message, body.kind, {
        requestId: body.requestId,
        ...(body.issues ? { issues: body.issues } : {}),
      })
    return body
  }

/** Whether people are told that this call may be refused so: by its own `refuses`, or like every call of its kind. */
export const declares = (shape: CallShape, code: string): boolean =>
  /^(request\.|service\.|access\.|session\.(required|ended)$|api-key\.(ended|scope)$)/.test(code) ||
  (code === 'account.unverified' && shape.needsVerifiedAddress === true) ||
  (code === 'session.not-fresh' && shape.needsFreshSignIn !== undefined) ||
  shape.refuses.includes(code as RefusalCode)

/** What a person's requests carry. */
export const headersOf = (person: Person | null): Record<string, string> => ({
  ...(person ? { authorization: `Bearer ${person.token}` } : {}),
  ...(person?.refreshToken ? { cookie: `ctp_refresh=${person.refreshToken}` } : {}),
})

/** The same person, who signed in a moment ago. */
export const signedIn = async ({ database }: Pick<Service, 'database'>, person: Person): Promise<Person> => ({
  ...person,
  refreshToken: (await database.asSystem((tx) => openFamily(tx, person.id))).refreshToken,
})

/** The same person, who has just confirmed with their password. */
export const confirmed = async <P extends Person>({ identity }: Pick<Service, 'identity'>, person: P): Promise<P> => ({
  ...person,
  token: await identity.signIdToken(person, undefined, new Date()),
})

/** The same person, who has confirmed within the last half a minute: a walk over thousands of requests signs few tokens. */
export const confirmedLately = async <P extends Person>(service: Pick<Service, 'identity'>, person: P): Promise<P> => {
  const ofService = lately.get(service.identity) ?? new Map<string, { token: string; at: number }>()
  lately.set(service.identity, ofService)
  const last = ofService.get(person.token)
  if (last && Math.abs(Date.now() - last.at) < 30_000) return { ...person, token: last.token }
  const fresh = await confirmed(service, person)
  ofService.set(person.token, { token: fresh.token, at: Date.now() })
  return fresh
}
/** Tokens by those that the people came with, of each service. */
const lately = new WeakMap<Identity, Map<string, { token: string; at: number }>>()

/** A call by somebody who has just confirmed with their password. */
export const callConfirmed =
  (service: Pick<Service, 'app' | 'identity'>, person: Person | null) =>
  async <C extends CallShape>(shape: C, input: CallInput<C>, more?: { requestId?: string }): Promise<CallAnswer<C>> =>
    callAs(service, person && (await confirmed(service, person)))(shape, input, more)

/** How a call ended, in a word: `done`, or the code of its refusal. */
export const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (refused: unknown) => (refused instanceof Refusal ? refused.code : String(refused)),
  )

/** Puts a person, whose address is verified unless said, straight into the database and signs a token for them. */
export const makePerson = async (
  { database, identity }: Pick<Service, 'database' | 'identity'>,
  role: Exclude<Role, 'SYSTEM'>,
  more: { tenantId?: string | null; name?: string; timeZone?: string; isEmailVerified?: boolean } = {},
): Promise<Person> => {
  const name = more.name ?? `${role} ${randomUUID().slice(0, 8)}`
  const { id } = (await database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into person (email, name, role, tenant_id, time_zone, email_verified_at)
      values (${`person@${randomUUID()}.test`}, ${name}, ${role}, ${more.tenantId ?? null}, ${more.timeZone ?? 'America/New_York'},
        case when ${more.isEmailVerified ?? true}::boolean then now() end)
      returning id`),
  ))!
  const caller: Caller = { id, role, tenantId: more.tenantId ?? null, securityStamp: 1 }
  return { ...caller, name, token: await identity.signIdToken(caller) }
}

export const makeTenant = async ({ database }: Pick<Service, 'database'>, seats = 1000): Promise<string> =>
  (await database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into tenant (name, invite_code, total_users_allowed)
      values ('A tenant', ${randomUUID().slice(0, 8).toUpperCase()}, ${seats}) returning id`),
  ))!.id

/** A plan for everybody named: `projectsPerMonth` as given. */
export const subscribe = async (
  { database }: Pick<Service, 'database'>,
  whose: { userId: string } | { tenantId: string },
  projectsPerMonth = 1000,
): Promise<void> => {
  const metadata = JSON.stringify({ projectsPerMonth, revisionsPerProject: 10, turnaroundHours: 24, rank: 1 })
  const id = randomUUID()
  await database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into product (id, name, descriptions, metadata)
      values (${id}, 'Test', '{"description":"","subtitle":""}', '{"position":1}')`)
    await tx.count(sql`
      insert into plan (id, product_id, currency, price, interval, metadata) values (${id}, ${id}, 'usd', 100, 'month', ${metadata})`)
    await tx.count(sql`
      insert into subscription (user_id, tenant_id, plan_id, status)
      values (${'userId' in whose ? whose.userId : null}, ${'tenantId' in whose ? whose.tenantId : null}, ${id}, 'active')`)
  })
}

/** An officer of a tenant of their own, which has a plan. */
export const makeOfficer = async (service: Pick<Service, 'database' | 'identity'>) => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  return { ...(await makePerson(service, 'User', { tenantId })), tenantId } satisfies Person
}

/** A ready picture of this author's, as if it had been uploaded and checked. */
export const makePicture = async (
  { database }: Pick<Service, 'database'>,
  author: Actor,
  { bytes = 1000, derived = {} }: { bytes?: number; derived?: Record<string, string> } = {},
): Promise<string> => {
  const id = randomUUID()
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into asset (id, tenant_id, author_id, purpose, file_name, extension, file_size, state, type, derived)
      values (${id}, ${author.tenantId}, ${author.id}, 'source', 'picture.png', 'png', ${bytes}, 'ready', 'picture',
        ${JSON.stringify(derived)})`),
  )
  return id
}

/** A ready video of this author's, as if it had been uploaded and checked; `cutOf` makes it a cut of that project. */
export const makeVideo = async (
  { database }: Pick<Service, 'database'>,
  author: Actor,
  cutOf?: { id: string; tenantId?: string | undefined },
): Promise<string> => {
  const id = randomUUID()
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, file_size, state, type, duration_ms)
      values (${id}, ${cutOf ? (cutOf.tenantId ?? null) : author.tenantId}, ${author.id}, ${cutOf?.id ?? null},
        ${cutOf ? 'cut' : 'source'}, 'video.mp4', 'mp4', 1000, 'ready', 'video', 2000)`),
  )
  return id
}
