import type { z } from 'zod'
import type { TrackingEvent } from '@clear-to-post/contract/tracking'
import { sql, type Tx } from '../kernel/database.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'

export const addEvent = (tx: Tx, { category, label, action, params }: z.infer<typeof TrackingEvent>) =>
  tx.count(sql`
    insert into tracked_event (category, label, action, params)
    values (${category}, ${label}, ${action}, ${JSON.stringify(params ?? null)})`)

export const dropOldEvents = (tx: Tx, before: Date) => tx.count(sql`delete from tracked_event where at < ${before}`)

/** Whom a letter to the service goes to: its admins, at most 20. */
export const serviceAdmins = (tx: Tx) =>
  tx.rows(sql<{ email: string }>`
    select email from person where ${hasDutySql(sql`role`, 'administer')} and tenant_id is null and not is_disabled
    order by created_at limit 20`)
