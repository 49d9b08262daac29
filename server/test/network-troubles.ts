import type { Network } from '@clear-to-post/domain/networks'
import type { Ask } from '../src/outside/networks/adapter.ts'
import type { StandInNetworks } from './stand-in-networks.ts'

/** What goes wrong at one request: at the network, or with our own process. */
export type Trouble = { nth: number; kind: (typeof kinds)[number] }
export const kinds = [
  'lost-before',
  'lost-after',
  'error-before',
  'error-after',
  'silent-after',
  'cut',
  'killed-before',
  'killed-during',
  'killed-after',
  'token-ends',
] as const

class Killed extends Error {}

/**
 * Asks a network of the stand-ins with troubles, each where `troubleAt` says so. A process that is killed is a run that never goes
 * on: whoever comes next has the row and the network, and nothing of it. `asked`: every request, by its method and path.
 */
export const withTroubles = (
  standIns: StandInNetworks,
  network: Network,
  plain: Ask,
  troubleAt: (
    request: string,
    nth: number,
    hasToken: boolean,
  ) => Trouble['kind'] | undefined | Promise<Trouble['kind'] | undefined>,
) => {
  const asked: string[] = []
  let wall: (error: Error) => void = () => {}
  const dies = (): Promise<never> => {
    wall(new Killed())
    return new Promise<never>(() => {})
  }
  const ask: Ask = async (address, request) => {
    const method = request?.method ?? 'GET'
    const said = `${method} ${address.slice(standIns.origin.length + network.length + 1).replace(/\?.*/, '')}`
    const nth = asked.length
    asked.push(said)
    const kind = await troubleAt(said, nth, request?.headers?.['authorization'] !== undefined)
    if (!kind) return plain(address, request)
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
    if (kind === 'token-ends') await standIns.control({ endTokens: network })
    else await standIns.control({ faults: [{ network, method, path: '.', skip: 0, kind }] })
    return plain(address, request).finally(() => standIns.control({ faults: [] }))
  }
  /** One run of a worker: what it answers, or `killed`. */
  const run = async <T>(work: () => Promise<T>): Promise<T | 'killed'> => {
    let reject!: (error: Error) => void
    const death = new Promise<never>((_resolve, no) => (reject = no))
    death.catch(() => {})
    wall = reject
    return Promise.race([work(), death]).catch((error: unknown) => {
      if (error instanceof Killed) return 'killed' as const
      throw error
    })
  }
  return { ask, asked, run }
}
