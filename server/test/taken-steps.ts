import { randomUUID } from 'node:crypto'
import { servesAll } from '@clear-to-post/domain/roles'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../src/kernel/database.ts'
import { submitProject } from './factories.ts'
import type { Person, Service } from './service.ts'

export type TakenStep = ['start' | 'assign' | 'send' | 'approve', at: string, Person]

const statusAfter = {
  start: Status.inProgress,
  assign: Status.inProgress,
  send: Status.waitingApproval,
  approve: Status.completed,
}
/** How long each cut is. */
export const cutMs = 60_000

/**
 * A new video of this officer's with steps that somebody took at given instants, as the ledger keeps them. `assign`: given in
 * progress to them by `admin`; `approve`: their cut, which they sent before, is approved.
 */
export const takeSteps = async (
  service: Service,
  { officer, admin }: { officer: Person; admin: Person },
  taken: readonly TakenStep[],
): Promise<string> => {
  const { id } = await submitProject(service, officer)
  await service.database.asSystem(async (tx) => {
    for (const [i, [verb, at, who]] of taken.entries()) {
      const assigned = verb === 'assign'
      if (verb === 'send') {
        const asset = randomUUID()
        await tx.count(sql`
          insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, file_size, state, type, duration_ms)
          select ${asset}, p.tenant_id, ${who.id}, p.id, 'cut', 'cut.mp4', 'mp4', 1000, 'ready', 'video', ${cutMs}
          from project p where p.id = ${id}`)
        await tx.count(sql`
          insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at)
          select p.id, 100 + ${i}::integer, p.user_id, p.tenant_id, ${asset}, ${who.id}, ${new Date(at)} from project p where p.id = ${id}`)
      }
      const cut = 99 + taken.slice(0, i + 1).findLastIndex(([one]) => one === 'send') + 1
      await tx.count(sql`
        insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description, metadata,
          actor_id, actor_role, actor_serves_all, at, counted)
        select p.id, 100 + ${i}::integer, p.user_id, p.tenant_id, ${verb}, ${assigned ? Status.inProgress : Status.submitted},
          ${statusAfter[verb]}::smallint, 'A step', '', ${JSON.stringify(assigned ? { editorId: who.id } : {})}::jsonb,
          ${assigned ? admin.id : who.id}, ${assigned ? 'ADMIN' : who.role}, ${assigned || servesAll(who)}, ${new Date(at)},
          ${verb === 'send' || verb === 'approve' ? JSON.stringify({ cut }) : null}::jsonb
        from project p where p.id = ${id}`)
    }
  })
  return id
}
