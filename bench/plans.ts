import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase, type Caller } from '../server/src/kernel/database.ts'
import { buildApp } from '../server/src/main/app.ts'
import { openLive } from '../server/src/http/live.ts'
import { openIdentity } from '../server/src/identity/open.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import type { Config } from '../server/src/kernel/config.ts'

export type Asked = {
  name: string
  who: Caller & { token: string }
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: string
}

/**
 * Makes each call once, under row-level security, and has PostgreSQL explain every statement that it sent. Answers the
 * statements that read a big table from end to end: `call: table`.
 */
export const wholeTableReads = async (appUrl: string, config: Config, calls: readonly Asked[]): Promise<string[]> => {
  const queue = await openQueue(appUrl)
  const database = openDatabase(appUrl, { queue })
  const identity = await openIdentity({ database, config })
  const live = openLive(appUrl)
  const app = await buildApp({
    config,
    database,
    identity,
    live,
    health: { parts: async () => [], gauges: {} },
    limits: false,
    log: false,
  })
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  const found: string[] = []
  try {
    for (const { name, who, method, path, body } of calls) {
      const { answer, statements } = await overheard(() =>
        app.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${who.token}`, 'x-request-id': randomUUID() },
          ...(body ? { payload: JSON.parse(body) as object } : {}),
        }),
      )
      if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.payload}`)
      for (const { text, values } of statements) {
        await client.query('begin')
        await client.query('select enter($1, $2, $3, $4)', [who.id, who.role, who.tenantId, who.securityStamp])
        // The plan that connections keep for any values, and that of these values.
        const kept = await client.query(`explain (generic_plan, format json) ${text}`)
        const own = await client.query(`explain (format json) ${text}`, values)
        await client.query('rollback')
        for (const { rows } of [kept, own])
          for (const table of readWhole(rows[0]['QUERY PLAN'][0].Plan)) found.push(`${name}: ${table}`)
      }
    }
  } finally {
    await client.end()
    await app.close()
    await live.close()
    await queue.close()
    await database.close()
  }
  return found
}

const big = new Set(['project', 'project_event', 'project_cut', 'asset', 'step_figure'])

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }
const readWhole = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && big.has(plan['Relation Name']!) ? [plan['Relation Name']!] : []),
  ...(plan.Plans ?? []).flatMap(readWhole),
]

type Statement = { text: string; values: unknown[] }

/** What is sent to PostgreSQL while `work` runs, as far as it can be explained. */
const overheard = async <T>(work: () => Promise<T>): Promise<{ answer: T; statements: Statement[] }> => {
  const statements: Statement[] = []
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const listening = function (this: pg.Client, ...args: unknown[]) {
    const { text = '', values = [] } = args[0] as Partial<Statement>
    if (/^\s*(select(?! enter)|insert|update|delete|with)\b/i.test(text)) statements.push({ text, values })
    return query.apply(this, args)
  }
  pg.Client.prototype.query = listening as typeof pg.Client.prototype.query
  try {
    return { answer: await work(), statements }
  } finally {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  }
}
