import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './database.ts'
import { networkOf } from './network.ts'
import { personsTurns } from './turns.ts'

/**
 * For whom something is done: it goes with a request through all that it awaits, so that the database knows whose turn it is at
 * whichever door the request came in. `isIn`: they have their turn already.
 */
type Asking = { who: Who; isIn: boolean }
type Who = Pick<Caller, 'id' | 'key'>
const asking = new AsyncLocalStorage<Asking>()

/** Each request is its network's until its sender is known (`askAs`). */
export const knowAskers = (app: FastifyInstance): void => {
  app.decorateRequest('inAsking')
  app.addHook('onRequest', (request, _reply, done) => {
    asking.run({ who: { id: `network ${networkOf(request.ip)}` }, isIn: false }, () => {
      request.inAsking = AsyncLocalStorage.snapshot()
      done()
    })
  })
  // What comes after a body comes from the line that it was read from, and not from the request.
  app.addHook('preValidation', (request, _reply, done) => request.inAsking(done))
}

/** From now on what is done for this request is this person's, or this key's. */
export const askAs = (who: Who): void => {
  const now = asking.getStore()
  if (now) now.who = who
}

/** Begins something that goes on for everybody, whoever's request began it. */
export const asNobodys = <T>(work: () => T): T => asking.exit(work)

/** For whom it is now; undefined: the service itself, which waits for no turn. */
export const askerNow = (): string | undefined => asking.getStore()?.who.id

/** Runs `work`, which holds a connection, in the turn of whoever it is for; what it asks for within is in it, too. */
export const turnsOfAskers = () => {
  const inTurn = personsTurns()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const now = asking.getStore()
    if (!now || now.isIn) return work()
    const { who } = now
    return inTurn(who, () => asking.run({ who, isIn: true }, work))
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    inAsking: <T>(work: () => T) => T
  }
}
