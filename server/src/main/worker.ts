import { availableParallelism } from 'node:os'
import { openAssets } from '../assets/open.ts'
import { openDatabase } from '../kernel/database.ts'
import { runScheduler, type PeriodicTask } from '../kernel/scheduler.ts'
import { openQueue } from '../kernel/queue.ts'
import { periodicTasks } from './periodic-tasks.ts'
import { registry } from './registry.ts'
import { work, type Job, type Log } from '../kernel/work.ts'
import { openMail } from '../outside/mail.ts'
import { openPayments } from './payments.ts'
import { openPush } from '../outside/push/push.ts'
import { openNetworks } from '../outside/networks/networks.ts'
import { openWebhooks } from '../outside/webhooks.ts'
import type { Config } from '../kernel/config.ts'
import { storage } from '../outside/storage.ts'
import { startDecoding } from './decoding.ts'

/**
 * Starts the worker on a migrated database: jobs, and the periodic tasks; of several machines one of both, as ROLE says.
 * `close` takes no more jobs, lets those that run end within DRAIN_SECONDS, and hands the others on.
 */
export const startWorker = async ({
  config,
  appUrl,
  log,
}: {
  config: Config
  appUrl: string
  log: Log
}): Promise<{ close: () => Promise<void> }> => {
  const keepsTime = config.role !== 'worker'
  const works = config.role !== 'clock'
  const queue = await openQueue(appUrl, { works, supervise: keepsTime, patienceMs: 20_000 + config.drainMs })
  const database = openDatabase(appUrl, { queue, max: 10 })
  const stop = new AbortController()
  await openAssets(config, database)
  openMail(config)
  openPush(config)
  openPayments(config, database)
  await openNetworks(config)
  await openWebhooks(config)
  const jobs = (Object.values(registry) as Job[]).filter((job) => config.work.includes(job.class ?? 'rest'))
  const machine = { cores: availableParallelism(), does: config.work }
  const start = (some: readonly Job[]) => work(some, { queue, database, log, stop: stop.signal, machine })
  if (works) await start(jobs.filter(({ decodes }) => !decodes))
  const decoding = works
    ? await startDecoding({ start: () => start(jobs.filter(({ decodes }) => decodes)), config, database, log })
    : []
  const chores = periodicTasks({ database, config, log })
  const ofEachHost: PeriodicTask[] = [{ name: 'old local copies', seconds: 3600, run: (now) => storage().tidy(now) }]
  const clock = runScheduler([...(keepsTime ? chores : []), ...ofEachHost, ...decoding], { log, signal: stop.signal })
  return {
    close: async () => {
      const late = setTimeout(() => stop.abort(), config.drainMs)
      await queue.close()
      clearTimeout(late)
      stop.abort()
      await clock
      await database.close()
    },
  }
}
