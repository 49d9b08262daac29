import { Worker, type Transferable } from 'node:worker_threads'

/**
 * A thread that answers one question after the other, while this one answers everybody. A question rejects with what went wrong
 * in the thread, with an Error where it takes longer than `longestMs`, and with the signal's reason after an abort; then all
 * later ones do.
 */
export class Thread<Question, Answer> {
  readonly #thread: Worker
  readonly #waiting: { resolve: (answer: Answer) => void; reject: (reason: Error) => void }[] = []
  #failed: Error | undefined
  #clock: NodeJS.Timeout | undefined
  readonly #does: string
  readonly #longestMs: number
  readonly #signal: AbortSignal | undefined
  readonly #stop = () => this.#fail(this.#signal?.reason)

  /** `file`: the module that it runs, told `data`; `does`: what it does, for errors. */
  constructor(
    file: URL,
    {
      does,
      longestMs,
      data,
      signal,
    }: { does: string; longestMs: number; data?: unknown; signal: AbortSignal | undefined },
  ) {
    this.#does = does
    this.#longestMs = longestMs
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop)
    // It needs nothing of the environment, where secrets are.
    this.#thread = new Worker(file, { env: {}, workerData: data, resourceLimits: { maxOldGenerationSizeMb: 128 } })
      .on('message', (answer: Answer) => {
        this.#waiting.shift()?.resolve(answer)
        this.#time()
      })
      .on('error', (error) => this.#fail(error))
      .on('exit', (code) => this.#fail(new Error(`the thread that ${does} ended with ${code}`)))
  }

  /** `handedOver`: what the thread gets itself, not a copy. */
  ask(question: Question, handedOver: Transferable[] = []): Promise<Answer> {
    if (this.#failed) return Promise.reject(this.#failed)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#thread.postMessage(question, handedOver)
      if (this.#waiting.length === 1) this.#time()
    })
  }

  async end(): Promise<void> {
    clearTimeout(this.#clock)
    this.#signal?.removeEventListener('abort', this.#stop)
    await this.#thread.terminate()
  }

  #time(): void {
    clearTimeout(this.#clock)
    if (this.#waiting.length === 0) return
    this.#clock = setTimeout(
      () => this.#fail(new Error(`the thread that ${this.#does} took too long`)),
      this.#longestMs,
    )
  }

  #fail(reason: unknown): void {
    this.#failed ??= reason instanceof Error ? reason : new Error(String(reason))
    clearTimeout(this.#clock)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failed)
  }
}
