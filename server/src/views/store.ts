import { sql, type Reader, type Tx } from '../kernel/database.ts'

export type ViewRow = { id: string; page: string; name: string; search: Record<string, string | number | boolean> }

const viewRow = sql`v.id, v.page, v.name, v.search`

export const viewsOf = (tx: Reader, personId: string) =>
  tx.rows(sql<ViewRow>`
    select ${viewRow} from saved_view v where (/* wall */ v.person_id = ${personId}) order by v.page, lower(v.name), v.id`)

/** Until the transaction ends nobody else adds a view of this person's. */
export const lockViews = (tx: Tx, personId: string) =>
  tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('views of ' || ${personId}, 0))`)

export const countViews = async (tx: Tx, personId: string): Promise<number> =>
  (await tx.first(sql<{ n: number }>`
    select count(*)::integer as n from saved_view v where (/* wall */ v.person_id = ${personId})`))!.n

export const viewNamed = (tx: Tx, personId: string, page: string, name: string) =>
  tx.first(sql<ViewRow>`
    select ${viewRow} from saved_view v
    where (/* wall */ v.person_id = ${personId}) and v.page = ${page} and v.name = ${name}`)

export const viewById = (tx: Tx, personId: string, id: string) =>
  tx.first(sql<ViewRow>`
    select ${viewRow} from saved_view v where v.id = ${id} and (/* wall */ v.person_id = ${personId})`)

export const addView = async (
  tx: Tx,
  { personId, page, name, search }: { personId: string; page: string; name: string; search: ViewRow['search'] },
): Promise<ViewRow> =>
  (await tx.first(sql<ViewRow>`
    insert into saved_view as v (person_id, page, name, search) values (${personId}, ${page}, ${name}, ${JSON.stringify(search)})
    on conflict (person_id, page, name) do update set search = excluded.search
    returning ${viewRow}`))!

export const renameView = (tx: Tx, personId: string, id: string, name: string) =>
  tx.first(sql<ViewRow>`
    update saved_view v set name = ${name} where v.id = ${id} and (/* wall */ v.person_id = ${personId}) returning ${viewRow}`)

export const dropView = async (tx: Tx, personId: string, id: string): Promise<boolean> =>
  (await tx.count(sql`
    delete from saved_view v where v.id = ${id} and (/* wall */ v.person_id = ${personId})`)) === 1

/** All of a person's; for the service. */
export const dropViewsOf = (tx: Tx, personId: string) =>
  tx.count(sql`delete from saved_view where person_id = ${personId}`)
