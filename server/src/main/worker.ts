import { personalDataTasks } from '../personal-data/jobs.ts'
import { assetTasks } from '../assets/jobs.ts'
import { clipTasks } from '../clips/jobs.ts'
import { openAssets } from '../assets/open.ts'
import { openDatabase, sql } from '../kernel/database.ts'
import { editTasks } from '../edits/jobs.ts'
import { tidySessions } from '../identity/actions.ts'
import { runScheduler, type PeriodicTask } from '../kernel/scheduler.ts'
import { openQueue } from '../kernel/queue.ts'
import { registry } from './registry.ts'
import { work, type Job, type Log } from '../kernel/work.ts'
import { mailTasks } from '../mail/jobs.ts'
import { noticeTasks, triggerTasks } from '../notifications/jobs.ts'
import { openMail } from '../outside/mail.ts'
import { openPayments } from './payments.ts'
import { openPush } from '../outside/push/push.ts'
import { runDue } from '../projects/due.ts'
import { pushTasks } from '../push/jobs.ts'
import { sandboxTasks } from '../stand-ins/payments/jobs.ts'
import { paymentTasks } from '../subscriptions/jobs.ts'
import { trackingTasks } from '../tracking/jobs.ts'
import type { Config } from '../kernel/config.ts'
import { startDecoding } from './decoding.ts'

/** Starts the worker on a migrated database: jobs, and the periodic tasks. `close` lets running jobs end or hands them on. */
export const startWorker = async ({
  config,
  appUrl,
  log,
}: {
  config: Config
  appUrl: string
  log: Log
}): Promise<{ close: () => Promise<void> }> => {
  const queue = await openQueue(appUrl, { supervise: true })
  const database = openDatabase(appUrl, { queue, max: 10 })
  const stop = new AbortController()
  await openAssets(config)
  openMail(config)
  openPush(config)
  openPayments(config, database)
  const jobs: readonly Job[] = Object.values(registry) as Job[]
  const start = (some: readonly Job[]) => work(some, { queue, database, log, stop: stop.signal })
  await start(jobs.filter(({ decodes }) => !decodes))
  const decoding = await startDecoding({
    start: () => start(jobs.filter(({ decodes }) => decodes)),
    config,
    database,
    log,
  })
  const chores: PeriodicTask[] = [
    {
      name: 'due projects',
      seconds: 5,
      run: async (now) => {
        const moved = await runDue(database, now)
        if (moved > 0) log.info({ moved }, 'released or published what was due')
      },
    },
    {
      name: 'old request answers',
      seconds: 3600,
      run: (now) =>
        database.asSystem(async (tx) => {
          await tx.count(sql`delete from answered_request where at < ${new Date(now.getTime() - 86_400_000)}`)
        }),
    },
    { name: 'ended sessions', seconds: 3600, run: async () => void (await tidySessions(database)) },
    ...personalDataTasks(database),
    ...assetTasks({ database, log }),
    ...clipTasks({ database, log }),
    ...editTasks({ database }),
    ...mailTasks(database),
    ...noticeTasks(database),
    ...pushTasks(database),
    ...paymentTasks(database),
    ...sandboxTasks(database, config),
    ...trackingTasks(database),
    ...triggerTasks({ database, log }),
    ...decoding,
  ]
  const clock = runScheduler(chores, { log, signal: stop.signal })
  return {
    close: async () => {
      stop.abort()
      await queue.close()
      await clock
      await database.close()
    },
  }
}
