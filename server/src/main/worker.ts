import { availableParallelism } from 'node:os'
import { personalDataTasks } from '../personal-data/jobs.ts'
import { auditTasks } from '../audit/jobs.ts'
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
import { newsKeptMs } from '../http/live.ts'
import { dropEndedCounts } from '../kernel/limits-over-hosts.ts'
import { dropOldPieces } from '../http/pieces.ts'
import { invitationTasks } from '../invitations/jobs.ts'
import { mailTasks } from '../mail/jobs.ts'
import { noticeTasks, triggerTasks } from '../notifications/jobs.ts'
import { openMail } from '../outside/mail.ts'
import { openPayments } from './payments.ts'
import { openPush } from '../outside/push/push.ts'
import { runDue } from '../projects/due.ts'
import { openNetworks } from '../outside/networks/networks.ts'
import { publishingTasks } from '../publishing/jobs.ts'
import { pushTasks } from '../push/jobs.ts'
import { sandboxTasks } from '../stand-ins/payments/jobs.ts'
import { paymentTasks } from '../subscriptions/jobs.ts'
import { trackingTasks } from '../tracking/jobs.ts'
import { openWebhooks } from '../outside/webhooks.ts'
import { webhookTasks } from '../webhooks/jobs.ts'
import { supportTasks } from '../support/jobs.ts'
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
    {
      name: 'old news',
      seconds: 30,
      run: (now) =>
        database.asSystem(async (tx) => {
          await tx.count(sql`delete from news where at < ${new Date(now.getTime() - newsKeptMs)}`)
        }),
    },
    { name: 'ended limits', seconds: 60, run: async () => void (await dropEndedCounts(database)) },
    { name: 'old pieces', seconds: 3600, run: async (now) => void (await dropOldPieces(database, now)) },
    { name: 'ended sessions', seconds: 3600, run: async () => void (await tidySessions(database)) },
    ...personalDataTasks(database),
    ...auditTasks(database),
    ...assetTasks({ database, log }),
    ...clipTasks({ database, log }),
    ...editTasks({ database }),
    ...invitationTasks(database),
    ...mailTasks(database),
    ...noticeTasks(database),
    ...publishingTasks({ database, log }),
    ...pushTasks(database),
    ...paymentTasks(database),
    ...sandboxTasks(database, config),
    ...trackingTasks(database),
    ...triggerTasks({ database, log }),
    ...webhookTasks(database),
    ...supportTasks(database),
  ]
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
