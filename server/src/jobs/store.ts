import type { RawBuilder } from 'kysely'
import { sql, type Reader } from '../kernel/database.ts'
import { isGivenUp, lastWords } from '../kernel/given-up.ts'
import type { PageColumns } from '../kernel/page.ts'

export type GivenUpRow = {
  id: string
  kind: string
  at: Date
  asked_at: Date | null
  retry_count: number | null
  why: string
  sent_before: number
}

const kind = sql`coalesce(j.source_name, j.name)`

export const givenUpPage: PageColumns = { columns: { kind, at: sql`j.created_on` }, id: sql`j.id` }

type Parts = { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> }

export const givenUpSelect = ({ where, tail, keys }: Parts) =>
  sql<GivenUpRow & { page_key: string; page_id: string }>`
    select j.id, ${kind} as kind, j.created_on as at, j.source_created_on as asked_at, j.source_retry_count as retry_count,
      ${lastWords} as why,
      (select count(*)::integer from settled_job s where s.first_id = coalesce(j.source_root_id, j.source_id, j.id)) as sent_before, ${keys}
    from pgboss.job j where ${isGivenUp} and ${where} ${tail}`

/** What a job is about: its company and its video, as far as there are any. */
export type SubjectRow = {
  job_id: string
  tenant_id: string | null
  tenant_name: string | null
  project_id: string | null
  title: string | null
}

/** Where a job's data names something that has a company: the row that it names, under this key. */
const idAt = (...path: readonly string[]) => {
  const text = sql`(j.data #>> ${sql.lit(`{${path.join(',')}}`)})`
  return sql`case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`
}

/** Of these jobs; as the service, which alone reads mails, pushes and what is said by the payment provider. */
export const subjectsOf = (tx: Reader, jobIds: readonly string[]): Promise<SubjectRow[]> =>
  tx.rows(sql<SubjectRow>`
    select j.id as job_id, t.id as tenant_id, t.name as tenant_name, p.id as project_id, p.title
    from pgboss.job j
      left join post_file y on y.id = ${idAt('fileId')}
      left join asset a on a.id = coalesce(${idAt('assetId')}, y.asset_id)
      left join render r on r.id = ${idAt('renderId')}
      left join post o on o.id = ${idAt('postId')}
      left join connection c on c.id = ${idAt('connectionId')}
      left join webhook_endpoint w on w.id = ${idAt('endpointId')}
      left join refund f on f.id = ${idAt('refundId')}
      left join removal m on m.id = ${idAt('removalId')}
      left join data_export x on x.id = ${idAt('exportId')}
      left join mail l on l.id = ${idAt('mailId')}
      left join payment_event e on e.id = j.data ->> 'eventId'
      left join subscription s on s.provider_id in (j.data ->> 'providerId', e.object_id)
      left join lateral (select d.person_id from push_delivery d where d.push_id = ${idAt('pushId')} limit 1) v on true
      left join project p on p.id = coalesce(${idAt('projectId')}, ${idAt('notice', 'about')}, a.project_id, r.project_id, o.project_id)
      left join person u on u.id = coalesce(${idAt('userId')}, ${idAt('userIds', '0')}, c.user_id, f.user_id, m.person_id, x.person_id,
        s.user_id, v.person_id, (select n.id from person n where n.email = lower(l.recipient)))
      left join tenant t on t.id = coalesce(${idAt('tenantId')}, p.tenant_id, a.tenant_id, o.tenant_id, c.tenant_id, w.tenant_id,
        f.tenant_id, m.tenant_id, s.tenant_id, u.tenant_id)
    where j.id = any(${[...jobIds]}::uuid[])`)
