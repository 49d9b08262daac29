import { holderOf, networkOf } from '../kernel/network.ts'

/** Bytes that lie in memory for somebody at this address, and since when these have not gone on (`performance.now()`). */
export type Holding = { ip: string; bytes: number; since: number }

/**
 * Counts what lies in memory for senders and readers who are waited for. Nobody is refused for it: past `most` bytes, of
 * the holder of networks (`holderOf`) for whom most lies here whatever is largest and has waited longest is to be ended.
 */
export class Held<One extends Holding> {
  readonly #most: number
  readonly #all = new Set<One>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** This one holds `bytes` from now on, none where it is over. Answers those to end for it, which are let go. */
  hold(one: One, bytes: number): One[] {
    this.#let(one)
    one.bytes = bytes
    if (bytes > 0) this.#all.add(one)
    this.#bytes += bytes
    const ended: One[] = []
    while (this.#bytes > this.#most && this.#all.size > 1) {
      const next = this.#heaviest()
      this.#let(next)
      ended.push(next)
    }
    return ended
  }

  #let(one: One): void {
    if (this.#all.delete(one)) this.#bytes -= one.bytes
  }

  #heaviest(): One {
    const now = performance.now()
    const byHolder = Map.groupBy(this.#all, ({ ip }) => holderOf(networkOf(ip)))
    const sumOf = (some: readonly One[]) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    const ofLargest = largestBy([...byHolder.values()], sumOf)
    return largestBy(ofLargest, ({ bytes, since }) => bytes * (now - since))
  }
}

const largestBy = <T extends object>(all: readonly T[], of: (one: T) => number): T => {
  let largest = { one: all[0]!, size: -Infinity }
  for (const one of all) {
    const size = of(one)
    if (size > largest.size) largest = { one, size }
  }
  return largest.one
}
