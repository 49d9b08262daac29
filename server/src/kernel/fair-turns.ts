import { refusal } from '@clear-to-post/contract/errors'

type Waiting = { begin: () => void; refuse: () => void }

/**
 * A bounded number of turns at once, fair between owners: whoever has waited longest without one comes next, however many
 * turns another owner waits for. Of those who wait there are `mostWaiting` at most: one more is refused with `service.unavailable`,
 * the last of the owner who waits for most.
 */
export class FairTurns {
  readonly #atOnce: number
  readonly #mostWaiting: number
  #taken = 0
  #waits = 0
  /** Who waits, in the order in which they get their next turn. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(atOnce: number, mostWaiting = Infinity) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** How many are at work now. */
  get taken(): number {
    return this.#taken
  }

  /** Does `work` when the owner's turn comes. A turn always ends with its work. */
  async take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#atOnce) this.#taken++
    else {
      if (this.#waits >= this.#mostWaiting) this.#makeRoomFor(owner)
      await new Promise<void>((begin, fail) => {
        const one = { begin, refuse: () => fail(refusal('service.unavailable')) }
        const queue = this.#waiting.get(owner)
        if (queue) queue.push(one)
        else this.#waiting.set(owner, [one])
        this.#waits++
      })
    }
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #makeRoomFor(owner: string) {
    let [longest, most] = [owner, this.#waiting.get(owner)?.length ?? 0]
    for (const [other, { length }] of this.#waiting) if (length > most) [longest, most] = [other, length]
    // Whoever waits for one turn alone gives it up for nobody.
    if (longest === owner || most === 1) throw refusal('service.unavailable')
    this.#waits--
    this.#waiting.get(longest)!.pop()!.refuse()
  }

  #pass() {
    const [next] = this.#waiting
    if (!next) {
      this.#taken--
      return
    }
    const [owner, queue] = next
    const { begin } = queue.shift()!
    this.#waits--
    this.#waiting.delete(owner)
    if (queue.length > 0) this.#waiting.set(owner, queue)
    // Everything else that has come meanwhile is done first.
    setImmediate(begin)
  }
}
