import { editorsTurns } from '@clear-to-post/domain/audiences'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql, type Tx } from '../kernel/database.ts'
import { editsForSql, hasDutySql, statusSql } from '../kernel/domain-sql.ts'

/** Some waiting projects of an editor who may not start them (any more): gone, shut out, in another role or company. */
export const unstartableProjectsOf = (tx: Tx, editorId: string) =>
  tx.rows(sql<{ id: string }>`
    select p.id from project p
    where p.status = ${statusSql.submitted} and p.editor_id = ${editorId} and not ${editsForSql(sql`p.editor_id`, sql`p.tenant_id`)}
    order by p.id limit 100 for update of p`)

/** What an editor has begun, or what came back to them, and can go on with no more. */
export const leftWorkOf = (tx: Tx, editorId: string) =>
  tx.rows(sql<{ id: string; seq: number }>`
    select p.id, p.seq
    from project p
    where p.status in (${sql.join(editorsTurns.map((status) => sql.lit(status)))}) and p.editor_id = ${editorId}
      and not ${editsForSql(sql`p.editor_id`, sql`p.tenant_id`)}
    order by p.due_by, p.id limit ${mostKept.leftWork}`)

/** Cuts of a company (null: of all) that wait for approval, and nobody who may still sign in and reaches them was told so. */
export const unheardCuts = (tx: Tx, tenantId: string | null) =>
  tx.rows(sql<{ id: string; seq: number }>`
    select p.id, p.seq
    from project p
    where p.status = ${statusSql.waitingApproval} and (${tenantId}::uuid is null or p.tenant_id = ${tenantId})
      and not exists (
        select from notification n join person r on r.id = n.user_id
        where n.about = p.id and n.metadata @> jsonb_build_object('step', 'turn', 'seq', p.seq)
          and (${hasDutySql(sql`r.role`, 'review')} or ${hasDutySql(sql`r.role`, 'administer')})
          and not r.is_disabled and r.removed_at is null and (r.tenant_id is null or r.tenant_id = p.tenant_id))
    order by p.due_by, p.id limit ${mostKept.leftWork}`)
