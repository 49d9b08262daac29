import { refusal } from '@clear-to-post/contract/errors'
import type { Caller } from './database.ts'
import { laneOf } from './lane.ts'

/** Of the database's connections one person has so many at once; so many more calls of theirs wait for one. */
export const ownConnections = 5
/** So many beside them have the programs that call by their API keys, together. */
export const keysConnections = 2
const mostWaiting = 200

/**
 * Runs a person's calls that need a connection: `ownConnections` at once (`keysConnections` by keys), the others in their order
 * behind them, however slow they are. Throws `request.too-many` where `mostWaiting` wait already.
 */
export const personsTurns = () => {
  const people = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async <T>(who: Pick<Caller, 'id' | 'key'>, work: () => Promise<T>): Promise<T> => {
    const lane = laneOf(who)
    const own = people.get(lane) ?? { running: 0, waiting: [] }
    people.set(lane, own)
    if (own.running < (who.key ? keysConnections : ownConnections)) own.running++
    else if (own.waiting.length >= mostWaiting) throw refusal('request.too-many')
    // Whoever ends hands their place on: it is never free in between.
    else await new Promise<void>((begin) => own.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      if (next) next()
      else if (--own.running === 0) people.delete(lane)
    }
  }
}
export type Turns = ReturnType<typeof personsTurns>
