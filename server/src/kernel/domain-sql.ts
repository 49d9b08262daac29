import type { RawBuilder } from 'kysely'
import { duties, type Duty } from '@clear-to-post/domain/roles'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from './database.ts'

/**
 * Project statuses in SQL. They stand in the text and are no parameters: so PostgreSQL finds the indexes that hold the rows
 * of one status only.
 */
export const statusSql = {
  submitted: sql.lit(Status.submitted),
  inProgress: sql.lit(Status.inProgress),
  completed: sql.lit(Status.completed),
  waitingApproval: sql.lit(Status.waitingApproval),
  denied: sql.lit(Status.denied),
  revisioning: sql.lit(Status.revisioning),
  canceled: sql.lit(Status.canceled),
  scheduled: sql.lit(Status.scheduled),
} satisfies Record<keyof typeof Status, RawBuilder<Status>>

/** People whose role has this duty, by the column that holds the role; in the text for the same reason. */
export const hasDutySql = (role: RawBuilder<unknown>, duty: Duty): RawBuilder<boolean> =>
  sql`${role} in (${sql.join(duties[duty].map((one) => sql.lit(one)))})`

/** Whether somebody edits a company's projects: in such a role, not shut out, and of this company or for all. */
export const editsForSql = (
  editorId: RawBuilder<unknown>,
  tenantId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from person e where e.id = ${editorId} and ${hasDutySql(sql`e.role`, 'edit')} and not e.is_disabled
    and (e.tenant_id is null or e.tenant_id = ${tenantId}))`

/** The ids of those who give out a company's projects. */
export const assignersSql = (tenantId: RawBuilder<unknown>): RawBuilder<string[]> => sql`array(
  select a.id from person a where ${hasDutySql(sql`a.role`, 'administer')} and not a.is_disabled and a.removed_at is null
    and (a.tenant_id is null or a.tenant_id = ${tenantId}))`
