import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'

/**
 * Decision 348, asked of everything that any test sends over HTTP: a transaction that gives out a session, or what becomes one
 * or outlives it, has locked its person before. One that has not fails its request. `guarded` tells which tables were seen.
 */
export const guarded = new Set<string>()

/** Watches the requests of this service from now on; call it before the service is ready. */
export const guardSessionLocks = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => requests.run(request.routeOptions.url ?? request.url, done))
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
const requests = new AsyncLocalStorage<string>()
const held = new WeakMap<pg.Client, Set<unknown>>()
const newPerson = Symbol('a person made in this transaction')

const checkStatement = (client: pg.Client, route: string, statement: string | pg.QueryConfig): void => {
  const text = typeof statement === 'string' ? statement : (statement.text ?? '')
  const values = typeof statement === 'string' ? [] : (statement.values ?? [])
  if (/^\s*begin/.test(text)) held.set(client, new Set())
  const people = held.get(client)
  if (!people) return
  if (/\bfrom person\b[^;]*\bfor (no key )?update/.test(text)) for (const value of values) people.add(value)
  if (/^\s*insert into person\b/.test(text)) people.add(newPerson)
  const given = /\binsert into (session_family|one_time_token|calendar_link|passkey|connected_account|totp)\b/.exec(
    text,
  )?.[1]
  // Codes by mail and questions to a device are no way in by themselves.
  if (given === undefined || (given === 'one_time_token' && /tries_left|values \(\$1, \$2, now\(\)/.test(text))) return
  guarded.add(given)
  if (!people.has(newPerson) && !values.some((value) => people.has(value)))
    throw new Error(`${route} writes ${given} without having locked the person: see docs/decisions/0348`)
}
