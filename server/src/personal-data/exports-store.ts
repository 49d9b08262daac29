import { join } from 'node:path'
import { sql, type Reader, type Tx } from '../kernel/database.ts'

export type ExportRow = {
  id: string
  person_id: string
  state: 'waiting' | 'ready' | 'failed'
  asked_at: Date
  ready_at: Date | null
  ends_at: Date | null
  bytes: number | null
  attempt: number
}

/** The columns of an ExportRow; `e` is the alias of data_export. */
const exportRow = sql`e.id, e.person_id, e.state, e.asked_at, e.ready_at, e.ends_at, e.bytes, e.attempt`

/** Where what was found about a person lies until it is fetched. */
export const exportFolder = (id: string, attempt?: number): string =>
  attempt === undefined ? join('exports', id) : join('exports', id, String(attempt))

export const exportOf = (tx: Reader, personId: string) =>
  tx.first(sql<ExportRow>`select ${exportRow} from data_export e where (/* wall */ e.person_id = ${personId})`)

/** A new one in place of the last; undefined while one is being made. */
export const replaceExport = (tx: Tx, personId: string, now: Date) =>
  tx.first(sql<{ id: string }>`
    insert into data_export (id, person_id, asked_at)
    values (uuidv7(), ${personId}, ${now})
    on conflict (person_id) do update
      set id = excluded.id, state = 'waiting', asked_at = excluded.asked_at, ready_at = null, ends_at = null, bytes = null,
        attempt = 0
      where data_export.state <> 'waiting'
    returning id`)

export const beginExport = (tx: Tx, id: string) =>
  tx.first(sql<ExportRow>`
    update data_export e set attempt = e.attempt + 1 where e.id = ${id} and e.state = 'waiting' returning ${exportRow}`)

export const publishExport = (
  tx: Tx,
  { id, attempt }: Pick<ExportRow, 'id' | 'attempt'>,
  ready: { bytes: number; readyAt: Date; endsAt: Date },
) =>
  tx.count(sql`
    update data_export set state = 'ready', bytes = ${ready.bytes}, ready_at = ${ready.readyAt}, ends_at = ${ready.endsAt}
    where id = ${id} and attempt = ${attempt} and state = 'waiting'`)

export const failExport = (tx: Tx, { id, attempt }: Pick<ExportRow, 'id' | 'attempt'>) =>
  tx.count(sql`update data_export set state = 'failed' where id = ${id} and attempt = ${attempt} and state = 'waiting'`)

/** One that may be fetched, while its person may sign in. */
export const readyExport = (tx: Reader, id: string, now: Date) =>
  tx.first(sql<ExportRow>`
    select ${exportRow} from data_export e join person p on p.id = e.person_id
    where e.id = ${id}::uuid and e.state = 'ready' and e.ends_at > ${now} and not p.is_disabled`)

export const dropEndedExports = (tx: Tx, now: Date) =>
  tx.rows(sql<{ id: string }>`delete from data_export where ends_at <= ${now} returning id`)
