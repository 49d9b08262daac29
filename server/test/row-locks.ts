import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pg from 'pg'

/** What a transaction may write only after it has locked the row that says whether it may. */
interface Rule {
  decision: string
  /** A statement that locks rows: its values are theirs. */
  locks: RegExp
  /** A statement that makes such a row: nobody else knows it yet. */
  makes: RegExp
  writes: RegExp
  /** Of those, what needs no lock. */
  except?: RegExp
}

const rules: Readonly<Record<string, Rule>> = {
  person: {
    decision: '0348',
    locks: /\bfrom person\b[^;]*\bfor (no key )?update/,
    makes: /^\s*insert into person\b/,
    writes: /\binsert into (session_family|one_time_token|calendar_link|api_key|passkey|connected_account|totp)\b/,
    // Codes by mail and questions to a device are no way in by themselves.
    except: /insert into one_time_token[^;]*(tries_left|values \(\$1, \$2, now\(\))/,
  },
  'calls of the person': {
    decision: '0421',
    locks: /pg_advisory_xact_lock\(hashtextextended\('calls of '/,
    makes: /^\s*insert into person\b/,
    writes: /\bupdate (person) set (?:role = |name = 'Former user')/,
  },
  project: {
    decision: '0416',
    locks: /\bfrom project p\b[^;]*\bfor (share|update)\b/,
    makes: /\binsert into project\b/,
    writes: /\b(?:insert into (render|edit|edit_author)|update (edit) set recipe)\b/,
  },
}

/**
 * Asked of everything that any test sends over HTTP. A transaction that has not locked what it judges by fails its request:
 * what was true when it looked need not be true when it writes.
 */
export const guardRowLocks = (app: FastifyInstance): void => {
  const hear = (request: FastifyRequest, _reply: unknown, done: () => void) =>
    requests.run(request.routeOptions.url ?? request.url, done)
  app.addHook('onRequest', hear)
  // What comes after a body begins anew with what its asker's turn has kept of the request (kernel/asker.ts).
  app.addHook('preValidation', hear)
  if (isGuarding) return
  isGuarding = true
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const route = requests.getStore()
    if (route !== undefined) checkStatement(this, route, args[0] as string | pg.QueryConfig)
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
}

let isGuarding = false
/** Routes whose transactions were asked. */
export const heard = new Set<string>()
const requests = new AsyncLocalStorage<string>()
const held = new WeakMap<pg.Client, Map<string, Set<unknown>>>()
const madeHere = Symbol('a row made in this transaction')

const checkStatement = (client: pg.Client, route: string, statement: string | pg.QueryConfig): void => {
  const text = typeof statement === 'string' ? statement : (statement.text ?? '')
  const values = typeof statement === 'string' ? [] : (statement.values ?? [])
  if (/^\s*begin/.test(text)) {
    heard.add(route)
    held.set(client, new Map(Object.keys(rules).map((name) => [name, new Set()])))
  }
  const locked = held.get(client)
  if (!locked) return
  for (const [name, { decision, locks, makes, writes, except }] of Object.entries(rules)) {
    const rows = locked.get(name)!
    if (locks.test(text)) for (const value of values) rows.add(value)
    if (makes.test(text)) rows.add(madeHere)
    const written = writes.exec(text)
    if (!written || except?.test(text)) continue
    if (!rows.has(madeHere) && !values.some((value) => rows.has(value)))
      throw new Error(
        `${route} writes ${written[1] ?? written[2]} without having locked the ${name}: see docs/decisions/${decision}`,
      )
  }
}
