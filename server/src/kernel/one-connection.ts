import { AsyncLocalStorage } from 'node:async_hooks'
import { askingNow } from './asker.ts'

/** A connection that is held, of which pool, and for which request; none: by the service itself. */
type Held = { pool: object; asking: object | undefined; isOpen: boolean }
const holding = process.env.VITEST === undefined ? undefined : new AsyncLocalStorage<Held>()

/**
 * Runs `work`, which holds a connection of a pool. Under tests whoever asks for a second one meanwhile is refused: with as many of
 * them as there are connections, each waits for the others for ever. What another request does within it is that one's own, and a
 * test holds one by itself to see who waits for it.
 */
export const holdingOne = async <T>(pool: object, work: () => Promise<T>): Promise<T> => {
  if (!holding) return work()
  const [before, asking] = [holding.getStore(), askingNow()]
  if (before?.isOpen && before.pool === pool && before.asking === asking)
    throw new Error('a second connection is asked for while one is held: hand the transaction on, or end it first')
  const held = { pool, asking, isOpen: !isOfTest() }
  try {
    return await holding.run(held, work)
  } finally {
    // What was begun within it and goes on holds nothing any more.
    held.isOpen = false
  }
}

/** Whether the file that opens the transaction is a test, which may hold it for whatever it likes. */
export const isOfTest = (): boolean => {
  const lines = (new Error('who asks').stack ?? '').split('\n').slice(1)
  const asks = lines.find(
    (line) => !/(kernel\/(one-connection|database|asker|turns)|test\/waiting-inside)\.ts/.test(line),
  )
  return asks !== undefined && /\.test\.ts|\/server\/test\//.test(asks) && !/^\s*at async/.test(asks)
}
