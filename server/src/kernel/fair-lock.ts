/**
 * A lock of this process. What runs `shared` runs beside other shared work. What runs `exclusive` waits for everything that
 * was asked for before it, and everything that is asked for later waits for it. A run that fails frees the lock like any
 * other; its caller gets the error.
 */
export const fairLock = () => {
  let lastExclusive: Promise<unknown> = Promise.resolve()
  const shared = new Set<Promise<unknown>>()
  return <T>(mode: 'shared' | 'exclusive', run: () => Promise<T>): Promise<T> => {
    const before = mode === 'exclusive' ? [lastExclusive, ...shared] : [lastExclusive]
    const result = Promise.all(before).then(run)
    const ended: Promise<unknown> = result.then(noop, noop).then(() => shared.delete(ended))
    if (mode === 'exclusive') lastExclusive = ended
    else shared.add(ended)
    return result
  }
}
export type FairLock = ReturnType<typeof fairLock>

const noop = () => {}
