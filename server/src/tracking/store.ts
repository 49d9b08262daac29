import type { z } from 'zod'
import type { TrackingEvent } from '@clear-to-post/contract/tracking'
import { sql, type Tx } from '../kernel/database.ts'

export const addEvent = (tx: Tx, { category, label, action, params }: z.infer<typeof TrackingEvent>) =>
  tx.count(sql`
    insert into tracked_event (category, label, action, params)
    values (${category}, ${label}, ${action}, ${JSON.stringify(params ?? null)})`)

export const dropOldEvents = (tx: Tx, before: Date) => tx.count(sql`delete from tracked_event where at < ${before}`)
