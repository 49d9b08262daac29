import type { Network } from '@clear-to-post/domain/networks'
import { SilentNetwork, type Ask } from '../src/outside/networks/adapter.ts'
import type { StandInNetworks } from './stand-in-networks.ts'

/** What goes wrong at one request: at the network, or with our own process. */
export type Trouble = {
  nth: number
  kind: (typeof kinds)[number]
  /** Of the body or the answer, where the line breaks within it. */
  share?: number
}
export const kinds = [
  'lost-before',
  'lost-after',
  'error-before',
  'error-after',
  'silent-after',
  'cut',
  'answer-cut',
  'killed-before',
  'killed-during',
  'killed-after',
  'token-ends',
  // Out of order: the answer comes to a run that another one has taken over from, or the network does it once that one has begun.
  'answer-late',
  'done-late',
] as const

type Happening = Pick<Trouble, 'kind' | 'share'> | undefined

/** So long a request waits for a network that will not answer: then it is given up, as after the product's half a minute. */
const silentSeconds = 1

class Killed extends Error {}

/**
 * Asks a network of the stand-ins with troubles, each where `troubleAt` says so. A process that is killed is a run that never goes
 * on: whoever comes next has the row and the network, and nothing of it. What is late comes once the next run has asked something;
 * but a network does what may be out before anybody asks about it (`settleSeconds`), so `isArmed` says whether it may.
 * `asked`: every request, by its method and path.
 */
export const withTroubles = (
  standIns: StandInNetworks,
  network: Network,
  plain: Ask,
  troubleAt: (request: string, nth: number, hasToken: boolean) => Happening | Promise<Happening>,
  isArmed: () => Promise<boolean>,
) => {
  const asked: string[] = []
  let runs = 0
  let working: Promise<unknown> = Promise.resolve()
  /** What is still to come of earlier runs. */
  let late: { run: number; isFirst: boolean; come: () => Promise<unknown> }[] = []
  const comeLate = async (isIt: (one: (typeof late)[number]) => boolean) => {
    const coming = late.filter((one) => one.run < runs && isIt(one))
    late = late.filter((one) => !coming.includes(one))
    for (const { come } of coming) await come()
  }
  let wall: (error: Error) => void = () => {}
  const dies = (): Promise<never> => {
    wall(new Killed())
    return new Promise<never>(() => {})
  }
  const ask: Ask = async (address, request) => {
    const method = request?.method ?? 'GET'
    await comeLate(({ isFirst }) => isFirst)
    const answer = await askNow(address, request, method)
    await comeLate(() => true)
    return answer
  }
  const askNow = async (address: string, request: Parameters<Ask>[1], method: string): ReturnType<Ask> => {
    const said = `${method} ${address.slice(standIns.origin.length + network.length + 1).replace(/\?.*/, '')}`
    const nth = asked.length
    asked.push(said)
    const happening = await troubleAt(said, nth, request?.headers?.['authorization'] !== undefined)
    if (!happening) return plain(address, request)
    const { kind, share } = happening
    if (kind === 'killed-before') return dies()
    if (kind === 'killed-during') {
      // It went out whole; nobody is there to hear.
      await plain(address, request).catch(() => {})
      return dies()
    }
    if (kind === 'killed-after') {
      await plain(address, request)
      return dies()
    }
    if (kind === 'answer-late') {
      const [run, old, answer] = [runs, working, await plain(address, request)]
      return new Promise((resolve) => {
        late.push({
          run,
          isFirst: false,
          come: () => {
            resolve(answer)
            return old
          },
        })
        wall(new Killed())
      })
    }
    if (kind === 'done-late') {
      late.push({ run: runs, isFirst: await isArmed(), come: () => plain(address, request).catch(() => {}) })
      throw new SilentNetwork('the line broke')
    }
    if (kind === 'token-ends') await standIns.control({ endTokens: network })
    else
      await standIns.control({
        faults: [{ network, method, path: '.', skip: 0, kind, ...(share !== undefined && { share }) }],
      })
    const waiting = kind === 'silent-after' ? { ...request, withinSeconds: silentSeconds } : request
    return plain(address, waiting).finally(() => standIns.control({ faults: [] }))
  }
  /** One run of a worker: what it answers, or `killed`. */
  const run = async <T>(work: () => Promise<T>): Promise<T | 'killed'> => {
    let reject!: (error: Error) => void
    const death = new Promise<never>((_resolve, no) => (reject = no))
    death.catch(() => {})
    wall = reject
    runs++
    const own = work()
    working = own.catch(() => {})
    const outcome = await Promise.race([own, death]).catch((error: unknown) => {
      if (error instanceof Killed) return 'killed' as const
      throw error
    })
    await comeLate(() => true)
    return outcome
  }
  return { ask, asked, run }
}
