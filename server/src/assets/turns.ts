/**
 * A bounded number of turns at once, fair between owners: whoever has waited longest without one comes next, however many
 * turns another owner waits for.
 */
export class Turns {
  readonly #atOnce: number
  #taken = 0
  /** Who waits, in the order in which they get their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** How many are at work now. */
  get taken(): number {
    return this.#taken
  }

  /** Does `work` when the owner's turn comes. A turn always ends with its work. */
  async take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#atOnce) this.#taken++
    else
      await new Promise<void>((resolve) => {
        const queue = this.#waiting.get(owner)
        if (queue) queue.push(resolve)
        else this.#waiting.set(owner, [resolve])
      })
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #pass() {
    const [next] = this.#waiting
    if (!next) {
      this.#taken--
      return
    }
    const [owner, queue] = next
    const begin = queue.shift()!
    this.#waiting.delete(owner)
    if (queue.length > 0) this.#waiting.set(owner, queue)
    // Everything else that has come meanwhile is done first.
    setImmediate(begin)
  }
}
