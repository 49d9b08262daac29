import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Consents } from '@clear-to-post/contract/accounts'
import type { PersonRole } from '@clear-to-post/domain/roles'
import { termsDocuments, termsVersions, type TermsDocument } from '@clear-to-post/domain/terms'
import { sql, type Caller } from '../kernel/database.ts'
import { holds, type PageColumns } from '../kernel/page.ts'
import { peopleAccessFilter } from './store.ts'

export type ConsentsRow = {
  id: string
  name: string
  email: string
  role: PersonRole
  tenant_name: string | null
  consents: { document: TermsDocument; version: string; at: string }[] | null
}

const ofToday = sql.join(
  termsDocuments.map((document) => sql`(${document}, ${termsVersions[document]}::date)`),
  sql`, `,
)
/** Whether person `p` has agreed to every document in its words of today. */
const isCurrent = sql`(select count(*) = ${termsDocuments.length}::integer from consent c
  where c.person_id = p.id and (c.document, c.version) in (${ofToday}))`

export const consentColumns: PageColumns = {
  columns: { name: sql`p.name`, createdAt: sql`p.created_at`, isCurrent, tenantId: sql`p.tenant_id` },
  id: sql`p.id`,
  searches: { person: (words) => sql`(${holds(sql`p.name`, words)} or ${holds(sql`p.email`, words)})` },
}

export const consentsSelect = (
  caller: Caller,
  { where, tail, keys }: { where: RawBuilder<unknown>; tail: RawBuilder<unknown>; keys: RawBuilder<unknown> },
) =>
  sql<ConsentsRow & { page_key: string; page_id: string }>`
    select p.id, p.name, p.email, p.role, t.name as tenant_name,
      (select json_agg(json_build_object('document', c.document, 'version', c.version, 'at', c.given_at)
         order by c.given_at desc, c.document)
       from (select x.document, x.version, x.given_at from consent x where x.person_id = p.id
             order by x.given_at desc, x.document limit 20) c) as consents, ${keys}
    from person p left join tenant t on t.id = p.tenant_id
    where ${peopleAccessFilter(caller)} and ${where} ${tail}`

export const presentConsents = (row: ConsentsRow): z.input<typeof Consents> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  tenantName: row.tenant_name ?? undefined,
  given: (row.consents ?? []).map(({ document, version, at }) => ({
    document,
    version,
    at: new Date(at).toISOString(),
  })),
  due: termsDocuments.filter(
    (document) => !row.consents?.some((one) => one.document === document && one.version === termsVersions[document]),
  ),
})
