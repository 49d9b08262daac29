import type { RawBuilder } from 'kysely'
import { system, servesAll } from '@clear-to-post/domain/roles'
import { refusal } from '@clear-to-post/contract/errors'
import { sql, type Caller, type Tx } from './database.ts'

/** A query's own tenancy wall for staff: rows of a tenant that the caller reaches, by the column that names it. */
export const tenantFilter = ({ role, tenantId }: Caller, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  servesAll({ role, tenantId }) ? sql`true` : sql`(/* wall */ ${column} = ${tenantId}::uuid)`

/**
 * Beside `tenantFilter`, of rows of which some name no company because a person pays them: of these a company reads what was
 * while that person was in it, and not what they paid before: docs/decisions/1236.
 * The moment in which a stay ends belongs to the next.
 */
export const staysFilter = (
  { role, tenantId }: Caller,
  company: RawBuilder<unknown>,
  person: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  servesAll({ role, tenantId })
    ? sql`true`
    : sql`(/* wall */ ${company} is not null or exists (
        select from membership m where m.person_id = ${person} and m.tenant_id = ${tenantId}::uuid
          and (m.since is null or m.since <= ${until}) and (m.until is null or ${from} < m.until)))`

/** Of a charge c in the caller's reach as things are today, whether it was so when it was made. */
export const paidInReach = (caller: Caller): RawBuilder<unknown> =>
  staysFilter(caller, sql`c.tenant_id`, sql`c.user_id`, sql`c.created_at`, sql`c.created_at`)

/**
 * Does a part of somebody's transaction as the service: what a rule of ours must touch and that person may not see, such
 * as seats, sessions and codes. Ask whose row it is before, as the caller, and let no other statement of the transaction
 * run beside it: it would run as the service, too. All of it happens with the rest, or nothing.
 */
export const asService = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  // Sent behind each other: PostgreSQL answers who it was before it becomes the service.
  const [before] = await Promise.all([
    tx.first(sql<{ id: string; role: string; tenant: string | null }>`
      select actor_id() as id, actor_role() as role, actor_tenant() as tenant`),
    become(tx, system.id, system.role, null),
  ])
  const actor = before!
  if (actor.role === system.role) return work()
  try {
    return await work()
  } finally {
    // In a transaction that has failed nothing more can be said, and nothing of it will stand.
    await become(tx, actor.id, actor.role, actor.tenant).catch(() => {})
  }
}

/**
 * Before something is given out that outlives the call (a session, a link, a way to sign in): locks the caller's person until
 * the transaction ends, and asks again whether their session counts. Whatever ends sessions locks the person first, too: it
 * comes before, and this is refused, or after, and ends what this gave out. Throws `session.ended`.
 */
export const holdSession = async (tx: Tx, { id, securityStamp }: Caller): Promise<void> => {
  const held = await asService(tx, () =>
    tx.first(sql`
      select 1 from person where id = ${id} and security_stamp = ${securityStamp} and not is_disabled for no key update`),
  )
  if (!held) throw refusal('session.ended')
}

const become = (tx: Tx, id: string, role: string, tenant: string | null) =>
  tx.rows(sql`select enter(${id}::uuid, ${role}, ${tenant}::uuid, null)`)
