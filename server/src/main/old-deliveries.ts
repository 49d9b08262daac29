import { sql, type Database, type Tx } from '../kernel/database.ts'
import { holdOldPosts } from '../publishing/actions.ts'
import { suppressWebhooks } from '../webhooks/actions.ts'
import { skipDueRuns } from '../notifications/triggers-runs.ts'

/** How much of each kind was held back. */
export type SuppressedDeliveries = {
  mails: number
  pushes: number
  notices: number
  'runs of triggers': number
  posts: number
  webhooks: number
  sessions: number
}

/**
 * What a restored copy must not do a second time. The service went on after the moment that the backup holds: what waited
 * to leave then may have left since, and a copy cannot know. So nothing that waited leaves: a mail counts as one of which
 * nobody knows whether it arrived, a post as one that its officer looks for at the network, or sends again when it is due later, a trigger's
 * due times until now as passed over. Sessions end, codes, links of calendars and of invitations count no more: one
 * that was ended or used since must not come back to life. Nothing else is changed.
 */
export const suppressOldDeliveries = async (
  database: Database,
  { asOf, now }: { asOf: Date; now: Date },
): Promise<SuppressedDeliveries> => {
  const why = `The service was restored from a backup of ${asOf.toISOString()}; this may have been sent before.`
  const triggers = await skipDueRuns(database, now, why)
  return database.asSystem(async (tx) => {
    const mails = await tx.count(sql`
      update mail set state = 'unknown', error = ${why}, settled_at = now() where state in ('waiting', 'sending')`)
    const pushes = await tx.count(sql`
      update push_delivery set state = 'dropped', error = ${why}, settled_at = now() where state = 'waiting'`)
    // What is due later cannot have left.
    const waiting = await tx.count(sql`delete from notification_waiting where due_at <= ${now}`)
    const jobs = await cancelJobs(tx, ['project-event', 'notice'])
    await cancelJobs(tx, ['mail', 'push', 'webhook'])
    // After the old notices are gone: it enqueues those that tell of it.
    const posts = await holdOldPosts(tx, now)
    const webhooks = await suppressWebhooks(tx, now)
    const sessions = await tx.count(sql`update session_family set revoked_at = ${now} where revoked_at is null`)
    // Taken or taken back since, perhaps: whoever invited sends them again.
    await tx.count(sql`update invitation set token_hash = null where token_hash is not null`)
    // Renewed or ended since, perhaps: a person makes a new one.
    await tx.count(sql`delete from calendar_link`)
    await tx.rows(sql`select set_config('app.session_end', 'restored', true)`)
    await tx.count(sql`update api_key set revoked_at = ${now} where revoked_at is null`)
    await tx.count(sql`update one_time_token set ends_at = ${now} where redeemed_at is null and ends_at > ${now}`)
    return { mails, pushes, notices: waiting + jobs, 'runs of triggers': triggers, posts, webhooks, sessions }
  })
}

const cancelJobs = (tx: Tx, names: string[]): Promise<number> =>
  tx.count(sql`
    update pgboss.job set state = 'cancelled', completed_on = now() where name = any(${names}) and state < 'completed'`)
