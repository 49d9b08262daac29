import type { RawBuilder } from 'kysely'
import { duties, type Duty } from '@clear-to-post/domain/roles'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from './database.ts'

/**
 * Project statuses in SQL. They stand in the text and are no parameters: so PostgreSQL finds the indexes that hold the rows
 * of one status only.
 */
export const statusSql = Object.fromEntries(
  Object.entries(Status).map(([name, value]) => [name, sql.lit(value)]),
) as Record<keyof typeof Status, RawBuilder<Status>>

/** People whose role has this duty, by the column that holds the role; in the text for the same reason. */
export const hasDutySql = (role: RawBuilder<unknown>, duty: Duty): RawBuilder<boolean> => {
  const [first, ...others] = duties[duty].map((one) => sql.lit(one))
  return others.length === 0 ? sql`${role} = ${first}` : sql`${role} in (${sql.join([first, ...others])})`
}
