import { Socket } from 'node:net'
import pg from 'pg'

/** How long a database that does not answer is waited for. */
export type DatabasePatience = {
  /** For a connection, in milliseconds. */
  connectMs: number
  /** For a transaction's first answer, which waits for no lock, in milliseconds: a server that hangs is known by it. */
  enterMs: number
  /** What the server itself gives a statement, in milliseconds; undefined: as long as it takes. */
  statementMs: number | undefined
  /**
   * For the answer to any statement, in milliseconds, longer than the server may take for it: a network that lost both sides
   * says nothing, and the system itself would wait for a quarter of an hour.
   */
  answerMs: number
  /** How many may wait for a connection; the next one is refused at once. */
  mostWaiting: number
}

/** For what people wait for: everything ends, with `service.unavailable` at the worst. */
export const patienceOfPeople: DatabasePatience = {
  connectMs: 4000,
  enterMs: 4000,
  statementMs: 30_000,
  answerMs: 40_000,
  mostWaiting: 200,
}
/** For jobs, which nobody waits for. */
export const patienceOfJobs: DatabasePatience = {
  connectMs: 10_000,
  enterMs: 60_000,
  statementMs: undefined,
  answerMs: 300_000,
  mostWaiting: Number.POSITIVE_INFINITY,
}

/** Connections to a database, opened as they are needed; `take` one, and release it. */
export const openPool = (
  url: string,
  { max, patience }: { max: number; patience: DatabasePatience },
): { pool: pg.Pool; take: () => Promise<pg.PoolClient> } => {
  // Statements are sent behind each other without waiting, wherever the code does not wait for an answer in between.
  const options = { pipeline: true } as pg.PoolConfig
  const pool = new pg.Pool({
    ...options,
    connectionString: url,
    max,
    Client: GatheringClient,
    connectionTimeoutMillis: patience.connectMs,
    query_timeout: patience.answerMs,
    idleTimeoutMillis: 60_000,
    // A server whose machine is gone says nothing, not even that it is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A server that restarts ends idle connections; the next query opens a new one.
  pool.on('error', () => {})
  // The same while a transaction is open: its next statement fails, which is all that anybody needs to know.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    pool,
    take: async () => {
      if (pool.waitingCount - pool.idleCount >= patience.mostWaiting)
        throw Object.assign(new Error('too many wait for the database'), { code: tooManyConnections })
      return pool.connect()
    },
  }
}

/**
 * Statements that are sent without waiting leave in one packet: what is written is held until the code that runs has run.
 * (Over TLS the driver writes to a socket of its own, and each statement leaves by itself.)
 */
class GatheringClient extends pg.Client {
  readonly #socket: Socket

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
  }

  override query(...statement: unknown[]) {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    return super.query(...(statement as Parameters<pg.Client['query']>)) as never
  }
}

// PostgreSQL's own code for it: both mean that there is no connection to be had now.
const tooManyConnections = '53300'
