import type { Socket } from 'node:net'
import { Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import type { Queue } from './queue.ts'
import type { Actor } from '@clear-to-post/domain/roles'
import { isStaff, system } from '@clear-to-post/domain/roles'

/**
 * Who a transaction runs for. `roleVersion` is what the ID token was signed with; null for the service itself.
 * `tokenEndsAt`: when that token ends (ms since 1970), of a caller who came by one; `confirmedAt`: when they wrote their
 * password for it.
 */
export type Caller = Actor & { roleVersion: number | null; tokenEndsAt?: number; confirmedAt?: number }

/** What looks at rows. Written SQL only: `tx.rows(sql<Row>`select …`)`. */
export type Reader = {
  rows: <Row>(query: RawBuilder<Row>) => Promise<Row[]>
  /** The first row; undefined when there is none. */
  first: <Row>(query: RawBuilder<Row>) => Promise<Row | undefined>
}

/** One open transaction. */
export type Tx = Reader & {
  /** How many rows a statement touched. */
  count: (query: RawBuilder<unknown>) => Promise<number>
  /** Where `enqueue` of queue.ts puts jobs. */
  queue: Queue
  /** The same transaction as pg-boss wants it. */
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: any[] }>
}

/** The only ways to a handle. */
export type Database = {
  /**
   * A transaction in which row-level security sees `caller`.
   * Throws PostgreSQL's error CT401 when the caller's role changed since the token was signed. Of two transactions that
   * wait for each other one is broken up; it runs again, so `work` does nothing that the database cannot take back.
   */
  inTenant: <T>(caller: Caller, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The same for looking only: each statement is a read-only transaction of its own, asked and answered in one packet. */
  readOnly: <T>(caller: Caller, work: (tx: Reader) => Promise<T>) => Promise<T>
  /** `inTenant` for the service itself. */
  asSystem: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export const systemCaller: Caller = { ...system, roleVersion: null }

/** How long a database that does not answer is waited for. */
export type DatabasePatience = {
  /** For a connection, in milliseconds. */
  connectMs: number
  /** For a transaction's first answer, which waits for no lock, in milliseconds: a server that hangs is known by it. */
  enterMs: number
  /** What the server itself gives a statement, in milliseconds; undefined: as long as it takes. */
  statementMs: number | undefined
  /** How many may wait for a connection; the next one is refused at once. */
  mostWaiting: number
}

/** For what people wait for: everything ends, with `service.unavailable` at the worst. */
export const patienceOfPeople: DatabasePatience = {
  connectMs: 4000,
  enterMs: 4000,
  statementMs: 30_000,
  mostWaiting: 200,
}
const patienceOfJobs: DatabasePatience = {
  connectMs: 10_000,
  enterMs: 60_000,
  statementMs: undefined,
  mostWaiting: Number.POSITIVE_INFINITY,
}

/** Opens a pool for the role that owns nothing. `max` connections are opened at most; jobs are enqueued on `queue`. */
export const openDatabase = (
  url: string,
  { queue, max = 20, patience = patienceOfJobs }: { queue: Queue; max?: number; patience?: DatabasePatience },
): Database => {
  // Statements are sent behind each other without waiting, wherever the code does not wait for an answer in between.
  const options = { pipeline: true } as pg.PoolConfig
  const pool = new pg.Pool({
    ...options,
    connectionString: url,
    max,
    connectionTimeoutMillis: patience.connectMs,
    idleTimeoutMillis: 60_000,
    ...(patience.statementMs === undefined ? {} : { statement_timeout: patience.statementMs }),
    // A server whose machine is gone says nothing, not even that it is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A server that restarts ends idle connections; the next query opens a new one.
  pool.on('error', () => {})
  // The same while a transaction is open: its next statement fails, which is all that anybody needs to know.
  pool.on('connect', (client) => client.on('error', () => {}))

  const take = async () => {
    if (pool.waitingCount - pool.idleCount >= patience.mostWaiting)
      throw Object.assign(new Error('too many wait for the database'), { code: tooManyConnections })
    return pool.connect()
  }

  const once: Database['inTenant'] = async (caller, work) => {
    const client = await take()
    let broken = false
    // On the wire before the work's first statement: one that is refused leaves a transaction in which nothing works.
    const entered = enter(client, caller, 'begin', patience)
    try {
      const result = await work(transaction(client, queue))
      await entered
      await send(client, { text: 'commit' })
      return result
    } catch (error) {
      await send(client, { text: 'rollback' }).catch(() => (broken = true))
      // What the work threw is only that nothing worked.
      await entered
      throw error
    } finally {
      client.release(broken)
    }
  }

  const inTenant: Database['inTenant'] = async (caller, work) => {
    for (let left = 2; ; left--) {
      try {
        return await once(caller, work)
      } catch (error) {
        if (left === 0 || !/^(40001|40P01)$/.test((error as { code?: string }).code ?? '')) throw error
      }
    }
  }

  const readOnly: Database['readOnly'] = async (caller, work) => {
    const client = await take()
    let broken = false
    const asked: Promise<unknown>[] = []
    const run = async (query: RawBuilder<unknown>) => {
      const entered = enter(client, caller, 'begin read only', patience)
      const answer = send(client, printed(query))
      // Ends the transaction also when it failed.
      asked.push(send(client, { text: 'commit' }).catch(() => (broken = true)))
      answer.catch(() => {})
      await entered
      return (await answer).rows
    }
    try {
      const looked = work({
        rows: (query) => run(query) as never,
        first: async (query) => (await run(query))[0] as never,
      })
      await looked.catch(() => {})
      // A session that has ended is told so, also where the work could refuse without asking for a row.
      if (asked.length === 0) await run(sql`select`)
      return await looked
    } finally {
      await Promise.all(asked)
      client.release(broken)
    }
  }
  return { inTenant, readOnly, asSystem: (work) => inTenant(systemCaller, work), close: () => pool.end() }
}

/** Opens one connection that only looks, for who has no queue. */
export const openReader = (url: string): Pick<Database, 'readOnly' | 'close'> =>
  openDatabase(url, { queue: noQueue, max: 1, patience: patienceOfPeople })

const noQueue: Queue = {
  get boss(): never {
    throw new Error('a reader enqueues nothing')
  },
  close: async () => {},
}

const enter = (
  client: pg.PoolClient,
  { id, role, tenantId, roleVersion }: Caller,
  begin: string,
  { enterMs }: DatabasePatience,
): Promise<unknown> => {
  const entered = Promise.all([
    send(client, { text: begin }),
    send(client, named('select enter($1, $2, $3, $4)', [id, role, tenantId, roleVersion])),
  ])
  // Everything asked on this connection fails with it, and the pool opens another one.
  const late = setTimeout(() => streamOf(client).destroy(), enterMs)
  const onTime = () => clearTimeout(late)
  // It is awaited when the work is done; until then nobody listens.
  entered.then(onTime, onTime)
  return entered
}

// Kysely composes and prints the SQL; the connection is ours.
const printer = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: undefined as never }) })

const printed = (query: RawBuilder<unknown>): pg.QueryConfig => {
  const { sql: text, parameters } = query.compile(printer)
  return named(text, parameters as unknown[])
}

const transaction = (client: pg.PoolClient, queue: Queue): Tx => {
  const run = (query: RawBuilder<unknown>) => send(client, printed(query))
  return {
    rows: async (query) => (await run(query)).rows as never,
    first: async (query) => (await run(query)).rows[0] as never,
    count: async (query) => (await run(query)).rowCount ?? 0,
    queue,
    executeSql: (text, values) => send(client, named(text, values ?? [])),
  }
}

// What is said in one breath leaves in one packet.
const send = (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
  const stream = streamOf(client)
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(statement)
}

const streamOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

// PostgreSQL's own code for it: both mean that there is no connection to be had now.
const tooManyConnections = '53300'

/**
 * A statement that is asked again and again gets a name, under which PostgreSQL keeps it parsed and planned: planning
 * costs more than running most of ours. Rare ones (filters can be combined at will) are not kept.
 */
const named = (text: string, values: unknown[]): pg.QueryConfig => {
  const name = names.get(text)
  if (name !== undefined) return { name, text, values }
  if (seen.size > 2000) seen.clear()
  const times = (seen.get(text) ?? 0) + 1
  seen.set(text, times)
  if (times >= 5 && names.size < 300) names.set(text, `s${names.size}`)
  return { text, values }
}
const names = new Map<string, string>()
const seen = new Map<string, number>()

/** A query's own tenancy wall for staff: rows of a tenant that the caller reaches, by the column that names it. */
export const tenantFilter = ({ role, tenantId }: Caller, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  role === 'SYSTEM' || (isStaff(role) && tenantId === null)
    ? sql`true`
    : sql`(/* wall */ ${column} = ${tenantId}::uuid)`

/**
 * Does a part of somebody's transaction as the service: what a rule of ours must touch and that person may not see, such
 * as seats, sessions and codes. Ask whose row it is before, as the caller, and let no other statement of the transaction
 * run beside it: it would run as the service, too. All of it happens with the rest, or nothing.
 */
export const asService = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  const actor = (await tx.first(sql<{ id: string; role: string; tenant: string | null }>`
    select actor_id() as id, actor_role() as role, actor_tenant() as tenant`))!
  if (actor.role === system.role) return work()
  await become(tx, system.id, system.role, null)
  try {
    return await work()
  } finally {
    // In a transaction that has failed nothing more can be said, and nothing of it will stand.
    await become(tx, actor.id, actor.role, actor.tenant).catch(() => {})
  }
}

const become = (tx: Tx, id: string, role: string, tenant: string | null) =>
  tx.rows(sql`select enter(${id}::uuid, ${role}, ${tenant}::uuid, null)`)

export { sql }
// bigint and numeric arrive as numbers: byte counts and prices stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Days stay the text they are: as a Date they would shift with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
