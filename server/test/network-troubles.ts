import { AsyncLocalStorage } from 'node:async_hooks'
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

type Run = {
  number: number
  kill: () => void
  /** Its answer is late, and maybe a later one again: whoever waits for it goes on, and so does it once that has come. */
  overtake: () => void
  /** Ends with it, however it ends. */
  goesOn: Promise<unknown>
}

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
  /** The run that asks: one whose answer came late may ask, and be killed, while a newer one goes on. */
  const asking = new AsyncLocalStorage<Run>()
  /** What is still to come of earlier runs. */
  let late: { run: number; isFirst: boolean; come: () => Promise<unknown> }[] = []
  const comeLate = async (isIt: (one: (typeof late)[number]) => boolean) => {
    const coming = late.filter((one) => one.run < runs && isIt(one))
    late = late.filter((one) => !coming.includes(one))
    for (const { come } of coming) await come()
  }
  const dies = (): Promise<never> => {
    asking.getStore()!.kill()
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
      const [own, answer] = [asking.getStore()!, await plain(address, request)]
      return new Promise((resolve) => {
        late.push({
          run: own.number,
          isFirst: false,
          come: () => {
            const again = Promise.withResolvers<void>()
            own.overtake = again.resolve
            resolve(answer)
            return Promise.race([own.goesOn, again.promise])
          },
        })
        own.overtake()
      })
    }
    if (kind === 'done-late') {
      late.push({
        run: asking.getStore()!.number,
        isFirst: await isArmed(),
        come: () => plain(address, request).catch(() => {}),
      })
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
    const [death, overtaken] = [Promise.withResolvers<'killed'>(), Promise.withResolvers<'killed'>()]
    const own: Run = {
      number: ++runs,
      kill: () => death.resolve('killed'),
      overtake: () => overtaken.resolve('killed'),
      goesOn: death.promise,
    }
    const works = asking.run(own, work)
    own.goesOn = Promise.race([works, death.promise]).catch(() => {})
    const outcome = await Promise.race([works, death.promise, overtaken.promise])
    await comeLate(() => true)
    return outcome
  }
  return { ask, asked, run }
}
