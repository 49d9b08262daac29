import { createHash } from 'node:crypto'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { statusSql, hasDutySql } from '../kernel/domain-sql.ts'

export const hasSecret = async (tx: Reader, personId: string): Promise<boolean> =>
  (await tx.first(sql`select from calendar_link where (/* wall */ person_id = ${personId})`)) !== undefined

export const saveSecret = (tx: Tx, personId: string, secret: string) =>
  tx.count(sql`
    insert into calendar_link (person_id, secret_hash) values (${personId}, ${hashOf(secret)})
    on conflict (person_id) do update set secret_hash = excluded.secret_hash, created_at = now()`)

export const dropSecret = (tx: Tx, personId: string) =>
  tx.count(sql`delete from calendar_link where (/* wall */ person_id = ${personId})`)

/** Whose link this is, while they may sign in. */
export const ownerOf = (tx: Tx, secret: string) =>
  tx.first(sql<{ id: string; time_zone: string }>`
    select p.id, p.time_zone from calendar_link l join person p on p.id = l.person_id
    where l.secret_hash = ${hashOf(secret)} and not p.is_disabled`)

/** `publish`: an own video that goes out then, or went out; `due`: work of mine as an editor that is to be done by then. */
export type Entry = {
  kind: 'publish' | 'due'
  project_id: string
  title: string
  at: Date
  /** Whether it stands: a video in revision goes out only if it is approved in time. */
  is_certain: boolean
  /** Counts up with every change of the project. */
  seq: number
  modified_at: Date
}

const most = 500

/** What is to come, and what went out in the last month, the earliest first. */
export const entriesOf = (tx: Tx, personId: string, now: Date) =>
  tx.rows(sql<Entry>`
    select kind, project_id, title, at, is_certain, seq, modified_at from (
      select 'publish' as kind, p.id as project_id, p.title, coalesce(p.publish_at, e.at) as at,
        p.publish_at is null or p.status = ${statusSql.scheduled} as is_certain, p.seq, p.modified_at
      from project p left join lateral (
        select max(e.at) as at from project_event e
        where e.project_id = p.id and e.verb = 'publish' and p.status = ${statusSql.completed} and e.at > ${now}::timestamptz - interval '30 days'
      ) e on true
      where p.user_id = ${personId} and p.status <> ${statusSql.canceled} and coalesce(p.publish_at, e.at) is not null
      union all
      select 'due', p.id, p.title, p.due_by, true, p.seq, p.modified_at from project p
      -- An editor who was moved to another company reads nothing of the old one.
      join person me on me.id = p.editor_id and ${hasDutySql(sql`me.role`, 'edit')}
        and (me.tenant_id is null or me.tenant_id = p.tenant_id)
      where p.editor_id = ${personId} and p.status in (${statusSql.inProgress}, ${statusSql.denied}, ${statusSql.revisioning}) and p.due_by is not null
    ) entry order by at, project_id limit ${most}`)

// 256 random bits need no salt and no slow hash.
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
