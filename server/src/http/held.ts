import { holderOf, networkOf } from '../kernel/network.ts'

/** Bytes that lie in memory for a request of this line, and since when these have not gone on (`performance.now()`). */
export type Holding<Line> = { socket: Line; ip: string; bytes: number; since: number }

/** Of one line. */
type Waiting<Line> = { socket: Line; holder: Holder<Line>; all: Set<Holding<Line>> }
/** Of a holder of networks (`holderOf`). */
type Holder<Line> = { name: string; bytes: number; lines: Set<Waiting<Line>> }

/**
 * Counts what lies in memory for senders and readers who are waited for. Nobody is refused for it: past `most` bytes, of
 * the holder of networks for whom most lies here the lines with most that have waited longest are to be ended, until a
 * thirty-second is free.
 */
export class Held<Line extends object> {
  readonly #most: number
  readonly #lines = new Map<Line, Waiting<Line>>()
  readonly #holders = new Map<string, Holder<Line>>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** This one holds `bytes` from now on, none where it is over. Answers the lines to end for it, which are let go. */
  hold(one: Holding<Line>, bytes: number): Line[] {
    const known = this.#lines.get(one.socket)
    if (known?.all.delete(one)) this.#count(known, -one.bytes)
    one.bytes = bytes
    if (bytes > 0) {
      const waiting = known ?? this.#open(one)
      waiting.all.add(one)
      this.#count(waiting, bytes)
    } else if (known?.all.size === 0) this.#let(known)
    return this.#bytes > this.#most ? this.#end(this.#most * (31 / 32)) : []
  }

  // All are looked through once for many that are ended.
  #end(enough: number): Line[] {
    const now = performance.now()
    const byHolder = new Map<Holder<Line>, Waiting<Line>[]>()
    const ended: Line[] = []
    while (this.#bytes > enough && this.#isSeveral()) {
      const holder = largestBy(this.#holders.values(), ({ bytes }) => bytes)
      const lines = byHolder.get(holder) ?? fromLightest(holder, now)
      byHolder.set(holder, lines)
      const next = lines.pop()!
      this.#let(next)
      ended.push(next.socket)
    }
    return ended
  }

  // What is alone may be larger than all together may be.
  #isSeveral(): boolean {
    const [first] = this.#lines.values()
    return this.#lines.size > 1 || (first?.all.size ?? 0) > 1
  }

  #open({ socket, ip }: Holding<Line>): Waiting<Line> {
    const name = holderOf(networkOf(ip))
    const holder = this.#holders.get(name) ?? { name, bytes: 0, lines: new Set() }
    const waiting = { socket, holder, all: new Set<Holding<Line>>() }
    holder.lines.add(waiting)
    this.#holders.set(name, holder)
    this.#lines.set(socket, waiting)
    return waiting
  }

  #count({ holder }: Waiting<Line>, bytes: number): void {
    holder.bytes += bytes
    this.#bytes += bytes
  }

  #let(waiting: Waiting<Line>): void {
    const { socket, holder, all } = waiting
    for (const { bytes } of all) this.#count(waiting, -bytes)
    this.#lines.delete(socket)
    holder.lines.delete(waiting)
    if (holder.lines.size === 0) this.#holders.delete(holder.name)
  }
}

const fromLightest = <Line>({ lines }: Holder<Line>, now: number): Waiting<Line>[] =>
  [...lines]
    .map((waiting) => {
      let weight = 0
      for (const { bytes, since } of waiting.all) weight += bytes * (now - since)
      return { waiting, weight }
    })
    .sort((a, b) => a.weight - b.weight)
    .map(({ waiting }) => waiting)

/** Of what is not empty. */
const largestBy = <T>(all: Iterable<T>, of: (one: T) => number): T => {
  let largest: { one: T; size: number } | undefined
  for (const one of all) {
    const size = of(one)
    if (!largest || size > largest.size) largest = { one, size }
  }
  return largest!.one
}
