import { boundOf, netsOf } from './network.ts'

/**
 * Counts what addresses do within a window, by every net that holds them (`netsOf`), in this process's memory. What is
 * refused counts nowhere: who is past a bound uses up nothing of a wider net's.
 */
export class NetworkCounter {
  readonly #counts = new Map<string, Counted>()
  /** What other hosts counted, as they said last (limits-over-hosts.ts). */
  others: ReadonlyMap<string, Counted> = new Map()

  /**
   * Counts one, or `weight`, for this address where each of its nets has room, with `most` within `windowMs` for one network. `current` is
   * how much of `most` its fullest net has taken, more than `most` when it was refused; `ttl` the milliseconds until it
   * begins anew.
   */
  count(
    ip: string,
    { most, windowMs, now, weight = 1 }: { most: number; windowMs: number; now: number; weight?: number },
  ): { current: number; ttl: number } {
    const nets = netsOf(ip).map((net) => {
      const found = this.#counts.get(net.net)
      const { count, endsAt } = found && found.endsAt > now ? found : { count: 0, endsAt: now + windowMs }
      const told = this.others.get(net.net)
      const others = told && told.endsAt > now ? told : undefined
      const bound = boundOf(net, most)
      return {
        ...net,
        count,
        endsAt: others && count === 0 ? others.endsAt : endsAt,
        bound,
        others: others?.count ?? 0,
        isFull: count + (others?.count ?? 0) + weight > bound,
      }
    })
    const full = nets.find(({ isFull }) => isFull)
    if (full) return { current: most + 1, ttl: full.endsAt - now }
    for (const { net, count, endsAt, bound } of nets) {
      if (count === 0) this.#counts.delete(net)
      this.#counts.set(net, { count: count + weight, endsAt: count === 0 ? now + windowMs : endsAt, bound })
    }
    this.#forget(now)
    return {
      current: Math.max(...nets.map(({ count, others, times }) => Math.ceil((count + others + weight) / times))),
      ttl: nets[0]!.endsAt - now,
    }
  }

  /** What of this host's counts others should know: nets that have used up a part of what they may. */
  *worthTelling(now: number): Iterable<[net: string, counted: Counted]> {
    for (const one of this.#counts) if (one[1].endsAt > now && one[1].count >= (one[1].bound ?? 0) * toldFrom) yield one
  }

  // In the order in which windows began, so the first have ended, or have the least left.
  #forget(now: number): void {
    for (const [net, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size <= mostNets) return
      this.#counts.delete(net)
    }
  }
}

/** How much of `bound` was counted, in a window that ends at this moment (ms since 1970). */
export type Counted = { count: number; endsAt: number; bound?: number }

const mostNets = 50_000
/** From this share of its bound on a net is told to other hosts: so sixteen of them let through one bound unnoticed at most. */
const toldFrom = 1 / 16

/** Places that `total` may have at once, and one network `most` of them (its wider nets what `boundOf` says). */
export class NetworkPlaces {
  readonly #limits: { most: number; total: number }
  readonly #taken = new Map<string, number>()

  constructor(limits: { most: number; total: number }) {
    this.#limits = limits
  }

  /** A place for this address, and how to give it back, once; null when one of its nets has none left. */
  take(ip: string): (() => void) | null {
    const nets = netsOf(ip)
    const takenBy = (net: string) => this.#taken.get(net) ?? 0
    if (nets.some((one) => takenBy(one.net) >= boundOf(one, this.#limits.most, this.#limits.total))) return null
    for (const { net } of nets) this.#taken.set(net, takenBy(net) + 1)
    return () => {
      for (const { net } of nets)
        if (takenBy(net) > 1) this.#taken.set(net, takenBy(net) - 1)
        else this.#taken.delete(net)
    }
  }
}
