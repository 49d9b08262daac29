import { hasDutySql } from '../kernel/domain-sql.ts'
import { addressesOf, isTo, tiesTo, type RemovedPerson } from '../kernel/personal-data.ts'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'

export type ExportRow = {
  id: string
  person_id: string
  state: 'waiting' | 'ready' | 'failed'
  asked_at: Date
  ready_at: Date | null
  ends_at: Date | null
  bytes: number | null
  attempt: number
  /** The files that it lists. */
  file_ids: string[]
}

/** The columns of an ExportRow; `e` is the alias of data_export. */
const exportRow = sql`e.id, e.person_id, e.state, e.asked_at, e.ready_at, e.ends_at, e.bytes, e.attempt, e.file_ids`

/**
 * Joins the person `p`, as long as what signed them in when they asked counts: whatever ends their ID tokens (a new password,
 * another company or role, signing out everywhere, being disabled) ends the file and its addresses.
 */
const stillTheirs = sql`join person p on p.id = e.person_id and p.security_stamp = e.security_stamp and not p.is_disabled`

/** Where what was found about a person lies until it is fetched. */
export const exportFolder = (id: string, attempt: number): string => `${id}/${attempt}`

export const exportOf = (tx: Reader, personId: string) =>
  tx.first(sql<ExportRow>`
    select ${exportRow} from data_export e ${stillTheirs} where (/* wall */ e.person_id = ${personId})`)

/** The last one, locked, also where it has ended, and when they were asked for. As the service. */
export const lockLastExport = (tx: Tx, personId: string) =>
  tx.first(sql<{ id: string; asked: Date[] }>`
    select id, asked from data_export where person_id = ${personId} for update`)

/** A new one in place of the last; `asked`: when this one and those before were asked for. Undefined while one is being made. */
export const replaceExport = (
  tx: Tx,
  { id, securityStamp }: Pick<Caller, 'id' | 'securityStamp'>,
  asked: readonly Date[],
  now: Date,
) =>
  tx.first(sql<{ id: string }>`
    insert into data_export (id, person_id, asked_at, asked, security_stamp)
    values (uuidv7(), ${id}, ${now}, ${asked as Date[]}::timestamptz[], ${securityStamp})
    on conflict (person_id) do update
      set id = excluded.id, state = 'waiting', asked_at = excluded.asked_at, ready_at = null, ends_at = null, bytes = null,
        attempt = 0, file_ids = '{}', asked = excluded.asked, security_stamp = excluded.security_stamp
      where data_export.state <> 'waiting' or data_export.security_stamp <> excluded.security_stamp
    returning id`)

/** Undefined when it is made already, or has ended. Whose it is comes along, as who they are. */
export const beginExport = (tx: Tx, id: string) =>
  tx.first(sql<ExportRow & { role: Caller['role']; tenant_id: string | null; security_stamp: number }>`
    update data_export set attempt = data_export.attempt + 1 from data_export e ${stillTheirs}
    where e.id = ${id} and e.state = 'waiting' and data_export.id = e.id
    returning e.id, e.person_id, e.state, e.asked_at, e.ready_at, e.ends_at, e.bytes, data_export.attempt, e.file_ids,
      p.role, p.tenant_id, p.security_stamp`)

/** `isAgain`: it was ready before, was made anew (`renewStaffExports`), and ends when it would have ended. */
export const publishExport = (
  tx: Tx,
  { id, attempt }: Pick<ExportRow, 'id' | 'attempt'>,
  ready: { bytes: number; fileIds: readonly string[]; readyAt: Date; endsAt: Date },
) =>
  tx.first(sql<{ isAgain: boolean | null }>`
    update data_export set state = 'ready', bytes = ${ready.bytes}, file_ids = ${ready.fileIds as string[]}::uuid[],
      ready_at = ${ready.readyAt}, ends_at = coalesce(ends_at, ${ready.endsAt})
    where id = ${id} and attempt = ${attempt} and state = 'waiting'
      and exists (select from data_export e ${stillTheirs} where e.id = ${id})
    returning ends_at <> ${ready.endsAt} as "isAgain"`)

export const failExport = (tx: Tx, { id, attempt }: Pick<ExportRow, 'id' | 'attempt'>) =>
  tx.count(sql`update data_export set state = 'failed' where id = ${id} and attempt = ${attempt} and state = 'waiting'`)

/** Those asked for before `before` that wait although no job is at them fail; answers whose sign-in still counts. */
export const failLostExports = (tx: Tx, before: Date) =>
  tx.rows(sql<{ id: string; person_id: string }>`
    with lost as (
      update data_export set state = 'failed'
      where state = 'waiting' and asked_at < ${before} and not exists (
        select from pgboss.job j
        where j.name = 'export' and j.state < 'completed' and j.data->>'exportId' = data_export.id::text)
      returning id, person_id, security_stamp)
    select e.id, e.person_id from lost e ${stillTheirs}`)

/**
 * The exports of staff who wrote or were told something of somebody, whose company that was then: each begins anew, under
 * another id, so that neither its addresses nor a run that has read before lead to it any more. One that was ready ends when it
 * would have. To be asked before what is about them is erased. Answers the ids, and those from before.
 */
export const renewStaffExports = async (tx: Tx, leaving: RemovedPerson) => {
  const projects = await tx.rows(sql<{ id: string }>`select id from project where user_id = ${leaving.id}`)
  const projectIds = projects.map(({ id }) => id)
  return tx.rows(sql<{ id: string; former: string }>`
    with former as (
      select e.id from data_export e ${stillTheirs}
      where e.state in ('waiting', 'ready') and (e.ends_at is null or e.ends_at > now()) and ${hasDutySql(sql`p.role`, 'serve')}
        and ${isAbout(leaving, projectIds)}
      order by e.id for update of e)
    update data_export e set id = uuidv7(), state = 'waiting', ready_at = null, bytes = null, attempt = 0, file_ids = '{}'
    from former where e.id = former.id returning e.id, former.id as former`)
}

/**
 * Whether something of the staff member `p` is about this person, by their id and their videos' (a name is anybody's to choose):
 * what each room's `erase` takes from an export of theirs.
 */
const isAbout = (leaving: RemovedPerson, projectIds: string[]) => {
  const { id } = leaving
  const ties = tiesTo(leaving, { projectIds })
  return sql`(
    exists (select from note n where n.author_id = p.id and n.user_id = ${id})
    or exists (select from project_comment c where c.author_id = p.id and c.user_id = ${id})
    or exists (select from support_message m where m.author_id = p.id and m.person_id = ${id})
    or exists (select from mail m where m.recipient = p.email
      and (${isTo(addressesOf(leaving), sql`m.data->>'replyTo'`, sql`m.created_at`)} or concat_ws(' ', m.key, m.data::text) like any(${ties})))
    or exists (select from notification n where n.user_id = p.id
      and (n.about = any(${projectIds}::uuid[]) or concat_ws(' ', n.cause, n.about, n.cta, n.metadata) like any(${ties})
        -- What an ADMIN wrote to both.
        or (n.cause like 'push:%' and exists (
          select from notification own where own.user_id = ${id} and own.cause = n.cause))))
    or exists (select from push_delivery x join push m on m.id = x.push_id
      where x.person_id = p.id and (m.url like any(${ties}) or x.key like any(${ties}))))`
}

/** One that may be fetched. */
export const readyExport = (tx: Reader, id: string, now: Date) =>
  tx.first(sql<ExportRow>`
    select ${exportRow} from data_export e ${stillTheirs}
    where e.id = ${id}::uuid and e.state = 'ready' and e.ends_at > ${now}`)

export const dropEndedExports = (tx: Tx, now: Date) =>
  tx.rows(sql<{ id: string }>`delete from data_export where ends_at <= ${now} returning id`)

/** Those whose folders are kept. */
export const exportsThatCount = (tx: Tx) => tx.rows(sql<{ id: string }>`select e.id from data_export e ${stillTheirs}`)
