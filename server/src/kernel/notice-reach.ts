import type { RawBuilder } from 'kysely'
import { hasDutySql } from './domain-sql.ts'
import { sql } from './database.ts'

/**
 * Whether notice `n` is about no project, or about one that its reader still reaches: their own, or as staff one that they
 * serve. Who was moved to another company reads nothing more of the old one, and is told nothing new of it.
 */
export const isInReach: RawBuilder<boolean> = sql`(n.about is null or exists (
  select from project p join person r on r.id = n.user_id
  where p.id = n.about and (p.user_id = r.id
    or (${hasDutySql(sql`r.role`, 'serve')} and (r.tenant_id is null or r.tenant_id = p.tenant_id)))))`
