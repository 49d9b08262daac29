import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../src/kernel/database.ts'
import { isOfTest } from '../src/kernel/one-connection.ts'
import { printed } from '../src/kernel/statement.ts'

type Statement = string | RawBuilder<unknown>
/** What is done in a transaction: how many of its statements are not answered yet, and the last one that was asked. */
type Work = { unanswered: number; last: Statement; isOver: boolean; waits: string[] }

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
  const seen = { waits: [] as string[], count: 0 }
  resources.enable()
  changeWork(database, (does) => (tx) => {
    seen.count += 1
    return watched(does, tx, seen.waits)
  })
  return Object.assign(seen, {
    stop: () => {
      Object.assign(database, { readOnly, inTenant, asSystem })
    },
  })
}

/**
 * Asked of every transaction that the product opens in any test, for a call or a job: one that waits for anything but its own
 * statements fails. It holds a connection meanwhile, and what it has written or locked keeps others waiting.
 */
export const guardTransactions = (database: Database): void => {
  resources.enable()
  changeWork(database, (does) => {
    if (isOfTest()) return does
    return async (tx) => {
      const waits: string[] = []
      const done = await watched(does, tx, waits)
      const unexplained = waits.filter((wait) => !explained.some(({ after }) => after.test(wait)))
      if (unexplained.length > 0)
        throw new Error(`a transaction is held while this waits for ${unexplained.join(', ')}: see docs/decisions/0910`)
      return done
    }
  })
}

/** What may wait for something else, by the statement that it comes after, and why. */
const explained: readonly { after: RegExp; why: string }[] = [
  {
    after: /“(update one_time_token set redeemed_at|select k\.id, k\.person_id, k\.credential)/,
    why: 'a passkey’s signature is checked by this process alone, between the question that it uses up and the session that it opens',
  },
  {
    after: /“insert into person as p /,
    why: 'the demo’s people and an admin of the operator’s are made with their passwords (createPerson), before anybody is served',
  },
]

type Does = (tx: Tx) => Promise<unknown>

/** From now on a database runs `change` of what is to be done in a transaction. */
const changeWork = (database: Database, change: (does: Does) => Does): void => {
  const { readOnly, inTenant, asSystem } = database
  database.readOnly = (caller, does) => readOnly(caller, change(does as Does) as typeof does)
  database.inTenant = (caller, does) => inTenant(caller, change(does) as typeof does)
  database.asSystem = (does) => asSystem(change(does) as typeof does)
}

const within = new AsyncLocalStorage<Work>()

const resources = createHook({
  init: (_id, kind) => {
    const work = within.getStore()
    if (work && !work.isOver && !ofStatements.has(kind) && !isOfLog())
      work.waits.push(`a ${kind} beside ${wordsOf(work.last)}`)
  },
  trackPromises: false,
})

const watched = (does: Does, tx: Tx, waits: string[]): Promise<unknown> => {
  const work: Work = { unanswered: 0, last: 'begin', isOver: false, waits }
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
  const { rows, first, count, executeSql } = tx as Partial<Tx>
  const asked = Object.entries({ rows, first, count, executeSql }).flatMap(([name, ask]) =>
    ask ? [[name, asking(ask)] as const] : [],
  )
  look(work)
  return within.run(work, () => does({ ...tx, ...Object.fromEntries(asked) }).finally(() => (work.isOver = true)))
}

const look = (work: Work) =>
  setImmediate(() => {
    if (!work.isOver && work.unanswered === 0) work.waits.push(`something else after ${wordsOf(work.last)}`)
  })

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

/** Whether a line of the log is being written: nobody waits for its end. */
const isOfLog = (): boolean => /\/node_modules\/(pino|sonic-boom)\//.test(new Error('who begins it').stack ?? '')

const wordsOf = (statement: Statement): string => {
  const text = typeof statement === 'string' ? statement : printed(statement).text
  return `“${text.replace(/\s+/g, ' ').trim().slice(0, 80)}”`
}
