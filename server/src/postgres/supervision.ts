import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './cluster.ts'
import { clearTheWay, launch, shutDown, type Server } from './server.ts'

/**
 * Restarts the server whenever it ends: at once, then after 100 ms, 200 ms … 5 s while it keeps ending within a
 * minute. `stop` ends both the watching and the server.
 */
export function supervise(place: Place, first: Server): { stop(): Promise<void> } {
  let server: Server | undefined = first
  const stopping = new AbortController()
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await watching
      if (server) await shutDown(server, place.throwaway)
    },
  }

  async function watch() {
    for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
      const since = Date.now()
      await Promise.race([server?.ended, aborted(stopping.signal)])
      if (stopping.signal.aborted) return
      if (Date.now() - since > 60_000) wait = 100
      if (server) place.log('PostgreSQL ended unexpectedly: restarting it')
      server = await restart()
      if (!server) place.log(`Next try in ${wait} ms`)
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function restart() {
    try {
      await clearTheWay(place)
      // The port stays, whatever happens: the pools of this process know no other.
      const again = await launch(place, first.port)
      place.log(`PostgreSQL runs again (process ${again.pid}, port ${again.port})`)
      return again
    } catch (error) {
      place.log(`PostgreSQL did not restart: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
}

async function aborted(signal: AbortSignal) {
  if (!signal.aborted) await once(signal, 'abort')
}
