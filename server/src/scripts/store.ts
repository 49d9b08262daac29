import type { RawBuilder } from 'kysely'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { mayEver } from '@clear-to-post/domain/access'

export type CategoryRow = {
  id: string
  title: string
  picture_url: string
  background_color: string
  active: boolean
  scripts: { id: string; title: string; content: string; tags: string[] }[]
}

/** A library, and whether its reader's company uses its own. */
export type LibraryRow = { id: string; tenant_id: string | null; uses_own_scripts: boolean }

/** The library this caller reads from: their tenant's when it uses its own and has one, else the service's. */
export const libraryFor = (tx: Tx, { tenantId }: Caller) =>
  tx.first(sql<LibraryRow>`
    select p.id, p.tenant_id, own.id is not null as uses_own_scripts
    from script_library p left join tenant own on own.id = ${tenantId}::uuid and own.use_own_scripts
    where p.tenant_id is null or p.tenant_id = own.id
    order by p.tenant_id nulls last limit 1`)

/** Categories with their scripts, both in their order. */
export const categoriesOf = (tx: Tx, libraryId: string, { inactiveToo }: { inactiveToo: boolean }) =>
  tx.rows(sql<CategoryRow>`
    select c.id, c.title, c.picture_url, c.background_color, c.active, coalesce((
      select json_agg(json_build_object('id', s.id, 'title', s.title, 'content', s.content, 'tags', s.tags)
                      order by s.position, s.id)
      from script s where s.category_id = c.id), '[]') as scripts
    from script_category c where c.library_id = ${libraryId} and (c.active or ${inactiveToo})
    order by c.position, c.id`)

export type ScriptRow = { id: string; title: string; content: string; tags: string[]; user_id: string | null }

// Tags count, too: a list of scripts is answered with all of them.
const letters = sql`length(s.title) + length(s.content) + length(array_to_string(s.tags, ''))`

/** The columns of a ScriptRow; `s` is the alias of script. */
export const scriptRow = sql`s.id, s.title, s.content, s.tags, s.user_id`

/** How the list's fields stand in SQL. */
export const scriptColumns = {
  columns: {
    title: sql`s.title`,
    content: sql`s.content`,
    tag: sql`s.tags`,
    createdAt: sql`s.created_at`,
  },
  id: sql`s.id`,
}

export const ownScriptsSelect = (
  { id }: Pick<Caller, 'id'>,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<ScriptRow & { page_key: string; page_id: string }>`
    select ${scriptRow}, ${keys} from script s where s.user_id = ${id} and ${where} ${tail}`

export const findScript = (tx: Tx, id: string) =>
  tx.first(sql<ScriptRow>`select ${scriptRow} from script s where s.id = ${id}`)

/** A script that the caller may write: an own one, or for an ADMIN one of a library within reach. */
export const scriptInReach = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<{ userId: string | null; categoryId: string | null; letters: number }>`
    select s.user_id as "userId", s.category_id as "categoryId", ${letters} as letters
    from script s left join script_category c on c.id = s.category_id left join script_library p on p.id = c.library_id
    where s.id = ${id} and ((/* wall */ s.user_id = ${caller.id}) or (s.category_id is not null and ${writesLibrary(caller)}))
    for update of s`)

/** A category whose library the caller may write. */
export const categoryInReach = (tx: Tx, caller: Caller, id: string) =>
  tx.first(sql<Category & { libraryId: string }>`
    select c.library_id as "libraryId", c.title, c.background_color as "backgroundColor", c.active
    from script_category c join script_library p on p.id = c.library_id where c.id = ${id} and ${writesLibrary(caller)}
    for update of c`)

// The service's ADMIN writes every library, a tenant's ADMIN its own.
const writesLibrary = ({ role, tenantId }: Caller) =>
  !mayEver(role, 'script.write')
    ? sql`false`
    : tenantId === null
      ? sql`true`
      : sql`(/* wall */ p.tenant_id = ${tenantId}::uuid)`

/** How many scripts a person has of their own, or a category holds. */
export const countScripts = async (
  tx: Tx,
  { userId, categoryId }: { userId: string | null; categoryId: string | null },
) =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from script
    where ${userId === null ? sql`category_id = ${categoryId}::uuid` : sql`user_id = ${userId}::uuid`}`))!.n

/**
 * All scripts of a person, or of the library that a category is in, and their letters together. Until the transaction ends
 * nobody else counts there.
 */
export const scriptsKept = async (
  tx: Tx,
  { userId, categoryId }: { userId: string | null; categoryId: string | null },
): Promise<{ scripts: number; letters: number }> => {
  const library = sql`(select library_id from script_category where id = ${categoryId}::uuid)`
  await tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended('scripts of ' || coalesce(${userId}::text, ${library}::text), 0))`)
  return (await tx.first(sql<{ scripts: number; letters: number }>`
    select count(*)::integer as scripts, coalesce(sum(${letters}), 0)::integer as letters from script s
    where ${userId === null ? sql`s.category_id in (select c.id from script_category c where c.library_id = ${library})` : sql`s.user_id = ${userId}::uuid`}`))!
}

export const addScript = async (
  tx: Tx,
  script: {
    title: string
    content: string
    tags?: string[] | undefined
    userId: string | null
    categoryId: string | null
  },
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into script (user_id, category_id, title, content, tags, position)
    values (${script.userId}, ${script.categoryId}::uuid, ${script.title}, ${script.content}, ${script.tags ?? []}::text[],
      coalesce((select max(position) + 1 from script where category_id = ${script.categoryId}::uuid), 0))
    returning id`))!.id

export const saveScript = (
  tx: Tx,
  id: string,
  parts: { title?: string; content?: string; tags?: string[] | undefined },
) =>
  tx.count(sql`
    update script set title = coalesce(${parts.title ?? null}, title), content = coalesce(${parts.content ?? null}, content),
      tags = coalesce(${parts.tags ?? null}::text[], tags)
    where id = ${id}`)

export const removeScriptsOf = (tx: Tx, userId: string) => tx.count(sql`delete from script where user_id = ${userId}`)

export const removeScript = (tx: Tx, id: string) => tx.count(sql`delete from script where id = ${id}`)

/** The library of a tenant, made when it has none; null names the service's. Null when there is no such tenant. */
export const libraryOf = async (tx: Tx, tenantId: string | null): Promise<string | null> => {
  if (tenantId !== null && !(await tx.first(sql`select 1 from tenant where id = ${tenantId}`))) return null
  await tx.count(sql`insert into script_library (tenant_id) values (${tenantId}::uuid) on conflict do nothing`)
  return (await tx.first(
    sql<{ id: string }>`select id from script_library where tenant_id is not distinct from ${tenantId}::uuid`,
  ))!.id
}

type Category = { title: string; backgroundColor: string; active: boolean }

export const countCategories = async (tx: Tx, libraryId: string) =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from script_category where library_id = ${libraryId}`))!.n

export const addCategory = async (tx: Tx, libraryId: string, c: Category): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into script_category (library_id, title, picture_url, background_color, active, position)
    values (${libraryId}, ${c.title}, '', ${c.backgroundColor}, ${c.active},
      coalesce((select max(position) + 1 from script_category where library_id = ${libraryId}), 0))
    returning id`))!.id

export const writeCategory = (tx: Tx, id: string, parts: Partial<Category>) =>
  tx.count(sql`
    update script_category set title = coalesce(${parts.title ?? null}, title),
      background_color = coalesce(${parts.backgroundColor ?? null}, background_color),
      active = coalesce(${parts.active ?? null}::boolean, active)
    where id = ${id}`)

export const writePicture = (tx: Tx, id: string, address: string) =>
  tx.count(sql`update script_category set picture_url = ${address} where id = ${id}`)
