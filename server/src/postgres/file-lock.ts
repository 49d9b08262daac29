import { DatabaseSync } from 'node:sqlite'

/**
 * Takes `path` for this process alone, creating it if need be; undefined when another living process has it.
 * The operating system gives the lock back when the holder dies, however it dies, so no stale lock can exist.
 *
 * Node has no flock; SQLite's exclusive transaction is the same promise (an fcntl lock) and comes with Node.
 * The file stays empty, and must never be unlinked: a second file of that name would be a second lock.
 */
export function lockFile(path: string): { release(): void } | undefined {
  const handle = new DatabaseSync(path, { timeout: 0 })
  try {
    handle.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    handle.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return { release: () => handle.close() }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown) {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
