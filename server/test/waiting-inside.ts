import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../src/kernel/database.ts'
import { printed } from '../src/kernel/statement.ts'

type Statement = string | RawBuilder<unknown>
/** What is done in a transaction: how many of its statements are not answered yet, and the last one that was asked. */
type Work = { unanswered: number; last: Statement; isOver: boolean }

/**
 * Watches all transactions of a database. `waits` names what their work waited for, other than answers to its own statements,
 * while it held them; `count` says how many began. `stop` leaves the database as it was.
 *
 * Two things tell it. When all statements are answered, the work asks the next one or comes to its end before the event loop
 * turns: what has done neither by then waits for something else, whatever that is. And what is begun while a statement is under
 * way, such as a file or a connection, is told by the kind of resource that Node.js makes for it.
 */
export const watchTransactions = (database: Database): { waits: string[]; count: number; stop: () => void } => {
  const { readOnly, inTenant, asSystem } = database
  const within = new AsyncLocalStorage<Work>()
  const seen = { waits: [] as string[], count: 0 }
  const resources = createHook({
    init: (_id, kind) => {
      const work = within.getStore()
      if (work && !work.isOver && !ofStatements.has(kind)) seen.waits.push(`a ${kind} beside ${wordsOf(work.last)}`)
    },
    trackPromises: false,
  }).enable()
  const look = (work: Work) =>
    setImmediate(() => {
      if (!work.isOver && work.unanswered === 0) seen.waits.push(`something else after ${wordsOf(work.last)}`)
    })
  const watched = <Answer, Given extends Pick<Tx, 'rows'>>(
    begin: (work: (tx: Given) => Promise<Answer>) => Promise<Answer>,
    does: (tx: Given) => Promise<Answer>,
  ): Promise<Answer> =>
    begin((tx) => {
      const work: Work = { unanswered: 0, last: 'begin', isOver: false }
      const asking = (ask: (...statement: any[]) => Promise<any>) => async (first: Statement, values?: unknown[]) => {
        work.unanswered += 1
        work.last = first
        try {
          return await ask(first, values)
        } finally {
          work.unanswered -= 1
          look(work)
        }
      }
      const { rows, first, count, executeSql } = tx as Given & Partial<Tx>
      const asked = Object.entries({ rows, first, count, executeSql }).flatMap(([name, ask]) =>
        ask ? [[name, asking(ask)] as const] : [],
      )
      seen.count += 1
      look(work)
      return within.run(work, () => does({ ...tx, ...Object.fromEntries(asked) }).finally(() => (work.isOver = true)))
    })
  database.readOnly = (caller, does) => watched((work) => readOnly(caller, work), does)
  database.inTenant = (caller, does) => watched((work) => inTenant(caller, work), does)
  database.asSystem = (does) => watched(asSystem, does)
  return Object.assign(seen, {
    stop: () => {
      resources.disable()
      Object.assign(database, { readOnly, inTenant, asSystem })
    },
  })
}

/**
 * What the driver makes to send a statement and to end one that is not answered, and what looks after it here; microtasks and
 * random bytes end before the event loop turns. A timer that is waited for is known by the first of the two.
 */
const ofStatements: ReadonlySet<string> = new Set([
  'TickObject',
  'Microtask',
  'Timeout',
  'Immediate',
  'RANDOMBYTESREQUEST',
])

const wordsOf = (statement: Statement): string => {
  const text = typeof statement === 'string' ? statement : printed(statement).text
  return `“${text.replace(/\s+/g, ' ').trim().slice(0, 80)}”`
}
