import { statfs } from 'node:fs/promises'
import { closedSandboxes, sandboxKind } from '@clear-to-post/media/sandbox'
import { openDatabase, patienceOfPeople, sql } from '../db/tenant.ts'
import { buildApp } from '../http/app.ts'
import { openLive } from '../http/live.ts'
import { openIdentity } from '../identity/open.ts'
import { openQueue } from '../jobs/queue.ts'
import { mailer, openMail } from '../outside/mail.ts'
import { payments } from '../outside/payments/payments.ts'
import { openPush, pushServices } from '../outside/push/push.ts'
import type { Config } from './config.ts'

/** Starts the HTTP service on a migrated database. `close` lets running requests end. */
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
  const identity = await openIdentity({ database, config })
  const live = openLive(appUrl)
  const app = await buildApp({
    config,
    database,
    identity,
    live,
    limits,
    health: {
      checks: {
        database: () =>
          database.asSystem(
            async (tx) =>
              `answers; ${(await tx.first(sql<{ n: number }>`select count(*) as n from schema_migration`))!.n} migrations`,
          ),
        disk: async () => {
          const { bavail, bsize } = await statfs(config.dataDir)
          const free = (bavail * bsize) / 2 ** 30
          if (free < 1) throw new Error(`only ${free.toFixed(1)} GiB free: make room`)
          return `${free.toFixed(0)} GiB free`
        },
        queue: () =>
          database.asSystem(async (tx) => {
            const row = (await tx.first(sql<{ age: number | null }>`
            select extract(epoch from now() - min(created_on))::float as age from pgboss.job
            where state < 'active' and start_after <= now()`))!
            if ((row.age ?? 0) > 600)
              throw new Error(`a job has waited for ${Math.round(row.age!)} s: is the worker running?`)
            return row.age === null ? 'empty' : `oldest job ${Math.round(row.age)} s`
          }),
        sandbox: async () => {
          const kind = await sandboxKind()
          if (config.isHosted && !closedSandboxes.includes(kind))
            throw new Error(`no media is decoded: bubblewrap does not work here (only ${kind}). Install it.`)
          return `media runs in ${kind}`
        },
        mail: async () => mailer().says,
        push: async () => pushServices().says,
        payments: async () => payments().says,
      },
      gauges: {
        clear_oldest_ready_job_seconds: {
          help: 'Age of the oldest job that could run now',
          read: () =>
            database.asSystem(
              async (tx) =>
                (await tx.first(sql<{ age: number | null }>`
              select extract(epoch from now() - min(created_on))::float as age from pgboss.job
              where state < 'active' and start_after <= now()`))!.age ?? 0,
            ),
        },
        clear_pool_size: {
          help: 'Projects waiting for an editor',
          read: () =>
            database.asSystem(
              async (tx) => (await tx.first(sql<{ n: number }>`select count(*) as n from project where status = 0`))!.n,
            ),
        },
      },
    },
  })
  const address = await app.listen({ port: config.port, host: config.host })
  return {
    address,
    close: async () => {
      // Live streams never end by themselves and would hold the server open.
      await live.close()
      await app.close()
      await queue.close()
      await database.close()
    },
  }
}
