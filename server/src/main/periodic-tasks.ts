import { personalDataTasks } from '../personal-data/jobs.ts'
import { auditTasks } from '../audit/jobs.ts'
import { assetTasks } from '../assets/jobs.ts'
import { clipTasks } from '../clips/jobs.ts'
import { editTasks } from '../edits/jobs.ts'
import { dropOldPieces } from '../http/pieces.ts'
import { newsKeptMs } from '../http/live.ts'
import { tidySessions } from '../identity/actions.ts'
import { invitationTasks } from '../invitations/jobs.ts'
import type { Config } from '../kernel/config.ts'
import { sql, type Database } from '../kernel/database.ts'
import { dropEndedCounts } from '../kernel/limits-over-hosts.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Log } from '../kernel/work.ts'
import { mailTasks } from '../mail/jobs.ts'
import { noticeTasks, triggerTasks } from '../notifications/jobs.ts'
import { runDue } from '../projects/due.ts'
import { publishingTasks } from '../publishing/jobs.ts'
import { pushTasks } from '../push/jobs.ts'
import { sandboxTasks } from '../stand-ins/payments/jobs.ts'
import { paymentTasks } from '../subscriptions/jobs.ts'
import { supportTasks } from '../support/jobs.ts'
import { trackingTasks } from '../tracking/jobs.ts'
import { webhookTasks } from '../webhooks/jobs.ts'

/** What every worker that keeps time does again and again, of all rooms. */
export const periodicTasks = ({
  database,
  config,
  log,
}: {
  database: Database
  config: Config
  log: Log
}): PeriodicTask[] => [
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
