/**
 * A lock of this process. What runs `shared` runs beside other shared work. What runs `exclusive` waits for everything that
 * was asked for before it, and everything that is asked for later waits for it. A run that fails frees the lock like any
 * other; its caller gets the error.
 *
 * `whenIdle` begins when nothing runs or waits, and is told to stop (its signal ends with `Preempted`) as soon as anything
 * is asked for, which begins when it has ended.
 */
export const fairLock = () => {
  let lastExclusive: Promise<unknown> = Promise.resolve()
  let idleRun: { stop: AbortController; ended: Promise<unknown> } | undefined
  const shared = new Set<Promise<unknown>>()
  /** Everything that was asked for and has not ended. */
  const open = new Set<Promise<unknown>>()

  const lock = <T>(mode: 'shared' | 'exclusive', run: () => Promise<T>): Promise<T> => {
    idleRun?.stop.abort(new Preempted())
    const before = [lastExclusive, idleRun?.ended, ...(mode === 'exclusive' ? shared : [])]
    const result = Promise.all(before).then(run)
    const ended: Promise<unknown> = result.then(noop, noop).then(() => {
      shared.delete(ended)
      open.delete(ended)
    })
    open.add(ended)
    if (mode === 'exclusive') lastExclusive = ended
    else shared.add(ended)
    return result
  }

  /** Throws the reason of `signal` where that ends before the run has begun. */
  const whenIdle = async <T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    while (open.size > 0 || idleRun) await endOf([...open, ...(idleRun ? [idleRun.ended] : [])], signal)
    signal.throwIfAborted()
    const stop = new AbortController()
    const result = run(AbortSignal.any([signal, stop.signal]))
    const ended = result.then(noop, noop).then(() => (idleRun = undefined))
    idleRun = { stop, ended }
    return result
  }
  return Object.assign(lock, { whenIdle })
}
export type FairLock = ReturnType<typeof fairLock>

/** Why a run that was begun when nothing else ran has to end: something else waits. */
export class Preempted extends Error {
  constructor() {
    super('Work that somebody waits for goes first.')
  }
}

/** When all have ended; throws the signal's reason if that ends first. */
const endOf = async (all: readonly Promise<unknown>[], signal: AbortSignal): Promise<void> => {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([Promise.all(all), aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const noop = () => {}
