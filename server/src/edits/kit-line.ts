import { Worker } from 'node:worker_threads'
import { refusal } from '@clear-to-post/contract/errors'
import type { CaptionSource } from './caption-texts.ts'
import type { KitSource, KitTexts } from './kit-texts.ts'

/** What the thread writes from: a kit, or captions to be read. */
export type ThreadSource = KitSource | CaptionSource

/** How many kits may wait to be written, of all companies and of one. */
const most = { waiting: 8, ofOne: 3 }
/** One kit may take so long. */
const longestMs = 60_000

/**
 * Has kits written in a thread of their own, one at a time: meanwhile this one answers everybody. The thread begins with
 * the first kit and ends after it was idle; one that fails or takes too long is ended, and the next kit gets a new one.
 */
export class KitLine {
  readonly #idleMs: number
  readonly #waiting: string[] = []
  #last: Promise<unknown> = Promise.resolve()
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  /** The thread ends when nothing was written for `idleMs`. */
  constructor(idleMs = 30_000) {
    this.#idleMs = idleMs
  }

  /** How many wait, with the one that is being written. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether there is a thread now. */
  get isAwake(): boolean {
    return this.#thread !== undefined
  }

  /**
   * Writes a kit of `owner`'s when its turn comes. Throws service.crowded where too many wait already, and whatever went
   * wrong in the thread.
   */
  async write(owner: string, source: ThreadSource): Promise<KitTexts | null> {
    const own = this.#waiting.filter((one) => one === owner).length
    if (this.#waiting.length >= most.waiting || own >= most.ofOne)
      throw refusal(
        'service.crowded',
        'Too many files and captions of edits are being put together right now. Try again in ten seconds.',
      )
    this.#waiting.push(owner)
    const turn = this.#last.then(() => this.#writeNow(source))
    this.#last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(owner), 1)
    }
  }

  #writeNow(source: ThreadSource): Promise<KitTexts | null> {
    clearTimeout(this.#idle)
    const thread = (this.#thread ??= this.#begin())
    return new Promise<KitTexts | null>((resolve, reject) => {
      const stopListening = () => {
        clearTimeout(clock)
        thread.off('message', done).off('error', fail).off('exit', exited)
      }
      const done = (written: KitTexts | null) => {
        stopListening()
        this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
        resolve(written)
      }
      const fail = (error: unknown) => {
        stopListening()
        this.#end()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const exited = (code: number) => fail(new Error(`the thread of kits ended with ${code}`))
      const clock = setTimeout(() => fail(new Error('a kit took too long to be written')), longestMs)
      thread.on('message', done).on('error', fail).on('exit', exited)
      thread.postMessage(source)
    })
  }

  #begin(): Worker {
    // It needs nothing of the environment, where secrets are.
    const thread = new Worker(new URL('./kit-thread.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    thread.unref()
    // One that ends by itself while it is idle is not written to again; who waits for it hears it, too.
    thread
      .on('error', () => {})
      .on('exit', () => {
        if (this.#thread === thread) this.#thread = undefined
      })
    return thread
  }

  #end(): void {
    clearTimeout(this.#idle)
    void this.#thread?.terminate()
    this.#thread = undefined
  }
}
