import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { tenantFilter } from '../kernel/tenancy.ts'

export type LookRow = { id: string; tenant_id: string | null; name: string; content: Record<string, unknown> }

/** The looks for a project of this company. */
export const looksFor = (tx: Reader, tenantId: string | null): Promise<LookRow[]> =>
  tx.rows(sql<LookRow>`
    select l.id, l.tenant_id, l.name, l.content from look l
    where l.tenant_id is null or (/* wall */ l.tenant_id = ${tenantId}::uuid) order by lower(l.name), l.id`)

/** A look that the caller keeps; it stays as it is while the transaction lasts. */
export const keptLook = (tx: Tx, caller: Caller, id: string): Promise<LookRow | undefined> =>
  tx.first(sql<LookRow>`
    select l.id, l.tenant_id, l.name, l.content from look l
    where l.id = ${id} and ${tenantFilter(caller, sql`l.tenant_id`)} for update`)

/** Until the transaction ends nobody else adds to this library or names a look in it. */
export const lockLooks = (tx: Tx, tenantId: string | null) =>
  tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended('looks of ' || coalesce(${tenantId}::text, 'everybody'), 0))`,
  )

export const countLooks = async (tx: Tx, tenantId: string | null): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from look where tenant_id is not distinct from ${tenantId}::uuid`))!.n

/** Adds a look; undefined where one of the library has its name. */
export const insertLook = (
  tx: Tx,
  look: { tenantId: string | null; name: string; content: unknown; now: Date },
): Promise<LookRow | undefined> =>
  tx.first(sql<LookRow>`
    insert into look (tenant_id, name, content, added_at, modified_at)
    values (${look.tenantId}::uuid, ${look.name}, ${JSON.stringify(look.content)}, ${look.now}, ${look.now})
    on conflict (tenant_id, lower(name)) do nothing returning id, tenant_id, name, content`)

/** Whether another look of the same library has this name. */
export const isNameTaken = async (tx: Tx, look: LookRow, name: string): Promise<boolean> =>
  (await tx.first(sql`
    select from look where tenant_id is not distinct from ${look.tenant_id}::uuid and lower(name) = lower(${name}::text)
      and id <> ${look.id}`)) !== undefined

export const renameLook = (tx: Tx, id: string, name: string, now: Date): Promise<LookRow | undefined> =>
  tx.first(sql<LookRow>`
    update look set name = ${name}, modified_at = ${now} where id = ${id} returning id, tenant_id, name, content`)

export const deleteLook = (tx: Tx, id: string): Promise<number> => tx.count(sql`delete from look where id = ${id}`)
