import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startProcess, type Started } from './processes.ts'
import type { Service } from './service.ts'

/** A server (on another port each time) or a worker that comes back after each death. */
export const mortal = ({ urls, config }: Pick<Service, 'urls' | 'config'>, part: 'http' | 'worker') => {
  const start = () => startProcess('server/test/killed-server.ts', [part, urls.appUrl, config.dataDir])
  let current: { started: Promise<Started>; alive: boolean } = { started: start(), alive: true }
  return {
    /** Waits for the living server. `alive` tells later whether that one is still to live. */
    up: async () => {
      const mine = current
      const { said } = await mine.started
      return { origin: said, alive: () => mine.alive }
    },
    kill: async () => {
      const dying = current
      const { end } = await dying.started
      dying.alive = false
      current = { started: start(), alive: true }
      await end('SIGKILL')
    },
    end: async () => (await current.started).end('SIGKILL'),
  }
}

/** Hears of every commit that pages are told of. */
export const watchCommits = async ({ urls }: Pick<Service, 'urls'>) => {
  const reader = new pg.Client({ connectionString: urls.superuserUrl })
  await reader.connect()
  const last = async () =>
    (await reader.query<{ last: number | null }>('select max(id) as last from news')).rows[0]!.last
  let seen = await last()
  return {
    next: async () => {
      for (const since = performance.now(); performance.now() - since < 1000; await sleep(2)) {
        const now = await last()
        if (now !== seen) return void (seen = now)
      }
    },
    close: () => reader.end(),
  }
}

/** Answers that mean: nothing was decided yet. */
export const again = new Set(['unknown', 'request.id-running', 'service.unavailable'])
