import { setTimeout } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import type { Actor } from '@clear-to-post/domain/roles'
import type { Scope } from '@clear-to-post/domain/scopes'
import { system } from '@clear-to-post/domain/roles'
import { turnsOfAskers } from './asker.ts'
import { committed } from './committed.ts'
import { holdingOne } from './one-connection.ts'
import { openPool, patienceOfJobs, patienceOfPeople, type DatabasePatience } from './pool.ts'
import type { Queue } from './queue.ts'
import { named, printed } from './statement.ts'

export { sql }

/**
 * Who a transaction runs for. `securityStamp` is what the ID token was signed with; null for the service itself.
 * `tokenEndsAt`: when that token ends (ms since 1970), of a caller who came by one; `confirmedAt`: when they wrote their
 * password for it.
 */
export type Caller = Actor & {
  securityStamp: number | null
  tokenEndsAt?: number
  confirmedAt?: number
  /** The key for programs that they call by, and what it is allowed. */
  key?: { id: string; scopes: readonly Scope[]; isCompanys?: boolean }
}

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
  /** The kinds of jobs that were put there. */
  enqueued: Set<string>
  /** The same transaction as pg-boss wants it. */
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: any[] }>
}

/** The only ways to a handle. */
export type Database = {
  /**
   * A transaction in which row-level security sees `caller`.
   * Throws PostgreSQL's error CT401 when the caller's role changed since the token was signed, and CT402 when the key that
   * they call by has ended. Of two transactions that
   * wait for each other one is broken up; it runs again, so `work` does nothing that the database cannot take back.
   */
  inTenant: <T>(caller: Caller, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The same for looking only: a read-only transaction, each of whose statements sees what was committed before it. */
  readOnly: <T>(caller: Caller, work: (tx: Reader) => Promise<T>) => Promise<T>
  /** `inTenant` for the service itself. */
  asSystem: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export const systemCaller: Caller = { ...system, securityStamp: null }

/**
 * Opens a pool for the role that owns nothing. `max` connections are opened at most, a few of them for any one person's requests
 * (kernel/asker.ts); jobs are enqueued on `queue`.
 */
export const openDatabase = (
  url: string,
  { queue, max = 20, patience = patienceOfJobs }: { queue: Queue; max?: number; patience?: DatabasePatience },
): Database => {
  const { pool, take } = openPool(url, { max, patience })
  const inTurn = turnsOfAskers()

  const once = async <T>(caller: Caller, work: (tx: Tx) => Promise<T>, isAgain: boolean): Promise<T> => {
    const client = await take()
    const { ask, end, isSpoiled } = untilItEnds(client)
    let broken = false
    // On the wire before the work's first statement: one that is refused leaves a transaction in which nothing works.
    const entered = enter(client, caller, isAgain ? 'begin alone' : 'begin', patience)
    try {
      const tx = transaction(ask, queue)
      const result = await work(tx)
      await entered
      end()
      const { command } = await client.query('commit')
      // PostgreSQL's answer to it where a statement had failed, and the work went on.
      if (command === 'ROLLBACK') throw new Error('the work passed over a statement that failed: nothing of it stands')
      committed(tx.enqueued)
      return result
    } catch (error) {
      end()
      await client.query('rollback').catch(() => (broken = true))
      // What the work threw is only that nothing worked.
      await entered
      throw error
    } finally {
      client.release(broken || isSpoiled())
    }
  }

  const inTenant: Database['inTenant'] = async (caller, work) => {
    for (let left = 2; ; left--) {
      try {
        return await inTurn(() => holdingOne(pool, () => once(caller, work, left < 2)))
      } catch (error) {
        if (left === 0 || !/^(40001|40P01)$/.test((error as { code?: string }).code ?? '')) throw error
      }
      // Whoever it waited for has to wake up and be done, or both wait for each other again.
      await setTimeout(20 + 80 * Math.random())
    }
  }

  const look = async <T>(caller: Caller, work: (tx: Reader) => Promise<T>): Promise<T> => {
    const client = await take()
    const { ask, end, isSpoiled } = untilItEnds(client)
    let broken = false
    // On the wire before the first statement, and with it in one packet.
    let entered: Promise<unknown> | undefined
    const run = async (query: RawBuilder<unknown>) => {
      entered ??= enter(client, caller, 'begin read only', patience)
      const answer = ask(printed(query))
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
      if (!entered) await run(sql`select`)
      const found = await looked
      await entered
      end()
      // All was answered and nothing written, so nobody waits for its end: whoever gets the connection next asks behind it.
      client.query('commit').catch(() => {})
      return found
    } catch (error) {
      end()
      // Other statements may be under way, or the connection be gone: nobody gets it before that is known.
      await client.query('commit').catch(() => (broken = true))
      throw error
    } finally {
      client.release(broken || isSpoiled())
    }
  }
  return {
    inTenant,
    readOnly: (caller, work) => inTurn(() => holdingOne(pool, () => look(caller, work))),
    asSystem: (work) => inTenant(systemCaller, work),
    close: () => pool.end(),
  }
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

/** What a host that lost its network holds in a transaction is free again after this long; the database would wait for hours. */
const mostIdleMs = 60_000

/** So long a transaction that runs again waits for others of its person where no statement has a bound. */
const mostAloneMs = 30_000

/**
 * `begin alone` for a transaction that runs again: it waits until no other writing call of this person is under way. Calls that
 * change their own person hold a lock together and then want it alone (`awaitCallsOf`); several at once would wait for each
 * other again and again.
 */
const enter = (
  client: pg.PoolClient,
  { id, role, tenantId, securityStamp, key }: Caller,
  kind: 'begin' | 'begin alone' | 'begin read only',
  { enterMs, statementMs }: DatabasePatience,
): Promise<unknown> => {
  const isAlone = kind === 'begin alone' && securityStamp !== null
  // Said in each transaction: of a connection that a pooler lends, nothing else is ours. PostgreSQL would plan most of our
  // statements anew for their values, which takes longer than running them (decision 878).
  const settings = [
    'plan_cache_mode = force_generic_plan',
    `idle_in_transaction_session_timeout = ${mostIdleMs}`,
    ...(statementMs === undefined ? [] : [`statement_timeout = ${statementMs}`]),
  ]
  const begin = [kind === 'begin alone' ? 'begin' : kind, ...settings.map((one) => `set local ${one}`)].join('; ')
  // What is not answered in time ends the connection: everything asked on it fails, and the pool opens another one.
  const statement: pg.QueryConfig & { query_timeout: number } = {
    ...(key
      ? named('select enter($1, $2, $3, $4, $5)', [id, role, tenantId, securityStamp, key.id])
      : named('select enter($1, $2, $3, $4)', [id, role, tenantId, securityStamp])),
    // Counted from now on, also while the lock is waited for.
    query_timeout: enterMs + (isAlone ? (statementMs ?? mostAloneMs) : 0),
  }
  const alone = named(`select pg_advisory_xact_lock(hashtextextended('calls of ' || $1, 0))`, [id])
  const entered = Promise.all([client.query(begin), ...(isAlone ? [client.query(alone)] : []), client.query(statement)])
  // It is awaited when the work is done; until then nobody listens.
  entered.catch(() => {})
  return entered
}

type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

/**
 * Asks on a connection until `end`: what a transaction left under way would go on in the next one, as somebody else.
 * `isSpoiled`: a statement failed otherwise than by PostgreSQL's answer. The driver closes the name of one whose values it cannot
 * write, and goes on asking by it.
 */
const untilItEnds = (client: pg.PoolClient): { ask: Ask; end: () => void; isSpoiled: () => boolean } => {
  let [isOpen, isSpoiled] = [true, false]
  return {
    ask: async (statement) => {
      if (!isOpen) throw new Error('the transaction in which this is asked has ended')
      return client.query(statement).catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError)) isSpoiled = true
        throw error
      })
    },
    end: () => void (isOpen = false),
    isSpoiled: () => isSpoiled,
  }
}

const transaction = (ask: Ask, queue: Queue): Tx => {
  const run = (query: RawBuilder<unknown>) => ask(printed(query))
  return {
    rows: async (query) => (await run(query)).rows as never,
    first: async (query) => (await run(query)).rows[0] as never,
    count: async (query) => (await run(query)).rowCount ?? 0,
    queue,
    enqueued: new Set(),
    executeSql: (text, values) => ask(named(text, values ?? [])),
  }
}
