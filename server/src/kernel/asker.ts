import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './database.ts'
import { holderOf, networkOf } from './network.ts'
import { personsTurns, turns } from './turns.ts'

/**
 * For whom something is done: it goes with a request through all that it awaits, so that the database knows whose turn it is at
 * whichever door the request came in. `isIn`: they have their turn already.
 */
type Asking = { who: Who; group: Group; isIn: boolean }
/** Somebody who has shown who they are; somebody who has not; somebody who brings a file's signed address, which others may have. */
type Group = 'known' | 'strangers' | 'files'
type Who = Pick<Caller, 'id' | 'key'>
/** For whom something is done that everybody needs. */
export const everybody = 'everybody'
const asking = new AsyncLocalStorage<Asking>()

/** Whoever has not shown who they are has so many of the database's connections, all together. */
export const strangersConnections = 10
/** So many have those who ask for files by their addresses, all together. */
export const filesConnections = 5
/** So many more of each of the two wait for one. */
const mostWaiting = 1000

/** Each request is that of its net, as wide as one holder may well have, until its sender is known (`askAs`). */
export const knowAskers = (app: FastifyInstance): void => {
  app.decorateRequest('inAsking')
  app.addHook('onRequest', (request, _reply, done) => {
    asking.run({ who: { id: netOf(request.ip) }, group: 'strangers', isIn: false }, () => {
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
  if (now) Object.assign(now, { who, group: 'known' })
}

/** From now on it is done for whoever brings something of this kind from there: they are not known yet. */
export const askAsStranger = (what: string, ip: string): void => {
  const now = asking.getStore()
  if (now) Object.assign(now, { who: { id: `${what} ${netOf(ip)}` }, group: 'strangers' })
}

/**
 * From now on it is done for whoever reads files from there, whose address was found good. A page of many of them waits behind
 * no stranger, and whoever has many addresses takes no more than a part for all files together.
 */
export const askForFile = (ip: string): void => {
  const now = asking.getStore()
  if (now) Object.assign(now, { who: { id: `files to ${netOf(ip)}` }, group: 'files' })
}

// A line that was reset has no address any more.
const netOf = (ip: string | undefined): string => `net ${holderOf(networkOf(ip ?? ''))}`

/** Begins something that is done for everybody, whoever's request began it: it waits for no turn. */
export const asNobodys = <T>(work: () => T): T =>
  asking.run({ who: { id: everybody }, group: 'known', isIn: true }, work)

/** For whom it is now, and in which turn; undefined: the service itself, which waits for no turn either. */
export const askingNow = (): Readonly<Asking> | undefined => asking.getStore()

/** Runs `work`, which holds a connection, in the turn of whoever it is for; what it asks for within is in it, too. */
export const turnsOfAskers = () => {
  const [inTurn, together] = [personsTurns(), turns()]
  const ofStrangers = { most: strangersConnections, mostWaiting }
  const ofFiles = { most: filesConnections, mostWaiting }
  return <T>(work: () => Promise<T>): Promise<T> => {
    const now = asking.getStore()
    if (!now || now.isIn) return work()
    const { who, group } = now
    const run = () => asking.run({ ...now, isIn: true }, work)
    if (group === 'files') return together(who.id, ofFiles, () => together(group, ofFiles, run))
    return inTurn(who, () => (group === 'known' ? run() : together(group, ofStrangers, run)))
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    inAsking: <T>(work: () => T) => T
  }
}
