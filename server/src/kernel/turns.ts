import { refusal } from '@clear-to-post/contract/errors'
import type { Caller } from './database.ts'
import { laneOf } from './lane.ts'

/** Of the database's connections one person has so many at once; so many more calls of theirs wait for one. */
export const ownConnections = 5
/** So many beside them have the programs that call by their API keys, together. */
export const keysConnections = 2
const mostOwnWaiting = 200

/**
 * Runs what needs a connection: so many of one lane at once, the others in their order behind them, however slow they are.
 * Throws `request.too-many` where `mostWaiting` of the lane wait already.
 */
export const turns = () => {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async <T>(
    lane: string,
    { most, mostWaiting }: { most: number; mostWaiting: number },
    work: () => Promise<T>,
  ): Promise<T> => {
    const own = lanes.get(lane) ?? { running: 0, waiting: [] }
    lanes.set(lane, own)
    if (own.running < most) own.running++
    else if (own.waiting.length >= mostWaiting) throw refusal('request.too-many')
    // Whoever ends hands their place on: it is never free in between.
    else await new Promise<void>((begin) => own.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      if (next) next()
      else if (--own.running === 0) lanes.delete(lane)
    }
  }
}

/** A person's calls: `ownConnections` at once, `keysConnections` by keys. */
export const personsTurns = () => {
  const inTurn = turns()
  return <T>(who: Pick<Caller, 'id' | 'key'>, work: () => Promise<T>): Promise<T> =>
    inTurn(laneOf(who), { most: who.key ? keysConnections : ownConnections, mostWaiting: mostOwnWaiting }, work)
}
export type Turns = ReturnType<typeof personsTurns>
