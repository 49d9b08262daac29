import { bringingSeconds, type Handles, type Work } from '../outside/networks/adapter.ts'

/** A run that renews its lease no more is dead after this; no request of it lasts longer than the time it has left. */
export const leaseMs = 180_000

/** An adapter's request that brings no file ends sooner than this (adapter.ts). */
export const requestMs = 90_000

/** Until when a run has its post that renews its lease now; `moreMs` for a request that brings a file. */
export const leaseFrom = (now: Date, moreMs = 0): Date => new Date(now.getTime() + leaseMs + moreMs)

type Leased = {
  handles: Handles
  now: () => Date
  /** Keeps more of what the network gave, and holds the run until then; renews the lease alone. Each answers 0 where another run has it. */
  add: (more: Handles, until: Date) => Promise<number>
  renew: (until: Date) => Promise<number>
  ask: Work['ask']
}

/** What an adapter keeps and asks while a run has its lease. Throws TakenOver once another one has. */
export const whileLeased = ({ handles, now, add, renew, ask }: Leased): Pick<Work, 'handles' | 'keep' | 'ask'> => {
  let leasedUntil = now().getTime() + leaseMs
  const held = async (until: Date, count: Promise<number>) => {
    if ((await count) === 0) throw new TakenOver()
    leasedUntil = until.getTime()
  }
  return {
    get handles() {
      return handles
    },
    keep: async (more) => {
      const until = leaseFrom(now())
      await held(until, add(more, until))
      handles = { ...handles, ...more }
    },
    // No request begins that could outlive the run's lease: who takes over later finds nothing under way.
    ask: async (address, request) => {
      const bringingMs = bringingSeconds(request) * 1000
      if (leasedUntil - now().getTime() < requestMs + bringingMs) {
        const until = leaseFrom(now(), bringingMs)
        await held(until, renew(until))
      }
      return ask(address, request)
    },
  }
}

/** Another run has taken this post over: this one does nothing more. */
export class TakenOver extends Error {}
