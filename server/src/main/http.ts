import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, openReader, sql, systemCaller } from '../kernel/database.ts'
import { webhookLag } from '../webhooks/actions.ts'
import { patienceOfPeople } from '../kernel/pool.ts'
import { buildApp } from './app.ts'
import { givenUpCounts } from '../kernel/given-up.ts'
import { exchangeEveryMs, limitsOverHosts } from '../kernel/limits-over-hosts.ts'
import { runScheduler } from '../kernel/scheduler.ts'
import { trackingCounters } from '../tracking/actions.ts'
import { openLive } from '../http/live.ts'
import { builtWeb } from '../http/pages.ts'
import { keepPiecesWhile } from '../http/pieces.ts'
import { openIdentity } from '../identity/open.ts'
import { openQueue } from '../kernel/queue.ts'
import { openMail } from '../outside/mail.ts'
import { openPush } from '../outside/push/push.ts'
import { everyClass } from '../kernel/lanes.ts'
import { evaluate } from './condition-outcomes.ts'
import { oldestJob } from './oldest-job.ts'
import { partOf } from './parts.ts'
import type { Config } from '../kernel/config.ts'
import { statusSql } from '../kernel/domain-sql.ts'

/**
 * Starts the HTTP service on a migrated database. `close` says for DRAIN_SECONDS that it is not ready, while it still answers,
 * and then lets running requests end.
 */
export const startHttp = async ({
  config,
  appUrl,
  limits = true,
}: {
  config: Config
  appUrl: string
  /** Whether limits by the minute count; off only for load tests of our own. */
  limits?: boolean
}): Promise<{ address: string; close: () => Promise<void> }> => {
  openMail(config)
  openPush(config)
  const queue = await openQueue(appUrl)
  const database = openDatabase(appUrl, { queue, patience: patienceOfPeople })
  // A host whose people ask much is not unfit: others would be asked in its place, and fall as it did.
  const reader = openReader(appUrl)
  const identity = await openIdentity({ database, config })
  const live = openLive(appUrl)
  let isDraining = false
  const bounds = config.deployment === 'many' ? limitsOverHosts(database) : undefined
  for (const [name, counter] of Object.entries(trackingCounters)) bounds?.add(name, counter)
  const app = await buildApp({
    config,
    database,
    identity,
    live,
    limits,
    bounds,
    health: {
      isDraining: () => isDraining,
      parts: async () => (await evaluate({ config, database: reader, now: new Date() })).flatMap(partOf),
      gauges: {
        clear_oldest_ready_job_seconds: {
          help: 'Age of the oldest job that could run now',
          read: () => database.readOnly(systemCaller, (tx) => oldestJob(tx)),
        },
        ...Object.fromEntries(
          everyClass.map((one) => [
            `clear_oldest_ready_${one}_seconds`,
            {
              help: `The same of the class ${one} (WORK)`,
              read: () => database.readOnly(systemCaller, (tx) => oldestJob(tx, one)),
            },
          ]),
        ),
        clear_webhook_lag_seconds: {
          help: 'For how long the longest due delivery of a webhook that is sent to has waited',
          read: () => database.readOnly(systemCaller, webhookLag),
        },
        clear_given_up_jobs: {
          help: 'Jobs that used up their tries and wait for somebody’s decision',
          read: async () =>
            (await database.readOnly(systemCaller, givenUpCounts)).reduce((sum, { count }) => sum + count, 0),
        },
        clear_pool_size: {
          help: 'Projects waiting for an editor',
          read: () =>
            database.asSystem(
              async (tx) =>
                (await tx.first(
                  sql<{ n: number }>`select count(*) as n from project where status = ${statusSql.submitted}`,
                ))!.n,
            ),
        },
      },
    },
  })
  // While developing each build would leave its pieces for a month.
  if (config.isProduction) await keepPiecesWhile(app, database, builtWeb)
  const ended = new AbortController()
  // While the database is away each host counts by itself.
  if (bounds)
    void runScheduler(
      [{ name: 'limits over hosts', seconds: exchangeEveryMs / 1000, run: () => bounds.exchange().catch(() => {}) }],
      {
        log: app.log,
        signal: ended.signal,
      },
    )
  const address = await app.listen({ port: config.port, host: config.host })
  return {
    address,
    close: async () => {
      // Whoever spreads calls over hosts reads that this one ends, and sends no more; until then they are answered.
      isDraining = true
      await sleep(config.drainMs)
      // Live streams never end by themselves and would hold the server open.
      await live.close()
      ended.abort()
      await app.close()
      await queue.close()
      await reader.close()
      await database.close()
    },
  }
}
