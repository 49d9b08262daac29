import { sql, type Caller, type Tx } from '../db/tenant.ts'

export type CategoryRow = {
  id: string
  title: string
  picture_url: string
  background_color: string
  active: boolean
  scripts: { id: string; title: string; content: string; tags: string[] }[]
}

/** The library this caller reads from: their tenant's when it uses its own and has one, else the service's. */
export const libraryFor = (tx: Tx, { tenantId }: Caller) =>
  tx.first(sql<{ id: string; tenant_id: string | null }>`
    select p.id, p.tenant_id from prompt p
    where p.tenant_id is null
       or p.tenant_id = (select t.id from tenant t where t.id = ${tenantId}::uuid and t.use_own_scripts)
    order by p.tenant_id nulls last limit 1`)

/** Categories with their scripts, both in their order. */
export const categoriesOf = (tx: Tx, promptId: string, { inactiveToo }: { inactiveToo: boolean }) =>
  tx.rows(sql<CategoryRow>`
    select c.id, c.title, c.picture_url, c.background_color, c.active, coalesce((
      select json_agg(json_build_object('id', s.id, 'title', s.title, 'content', s.content, 'tags', s.tags)
                      order by s.position, s.id)
      from script s where s.category_id = c.id), '[]') as scripts
    from prompt_category c where c.prompt_id = ${promptId} and (c.active or ${inactiveToo})
    order by c.position, c.id`)
