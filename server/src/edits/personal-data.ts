import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { storage } from '../outside/storage.ts'
import { chunks } from './render.ts'
import { duties } from '@clear-to-post/domain/roles'

const officers = (personId: string) => sql`t.project_id in (select id from project where user_id = ${personId})`

export const editsData: RoomData = {
  words: [
    {
      text: 'The edits of your videos, every word that was said, and your list of spellings.',
      for: duties.film,
    },
  ],
  tables: {
    edit: {
      of: officers,
      readBy: 'service',
      erased: 'recipe first_cut script transcript reason stage',
      stays: { record: 'project_id tenant_id state progress revision attempt modified_at modified_by' },
      given: 'project_id script',
      withheld: {
        staff: 'state stage progress reason revision recipe first_cut transcript modified_at modified_by',
        inner: 'tenant_id attempt',
      },
      alsoGiven: { words: sql`jsonb_path_query_array(t.recipe, '$.words[*].text')` },
    },
    edit_author: {
      of: () => sql`false`,
      stays: { record: 'project_id person_id tenant_id since' },
      given: '',
      withheld: { staff: 'project_id person_id tenant_id since' },
    },
    edit_clip: {
      of: officers,
      erased: 'project_id tenant_id asset_id',
      given: '',
      withheld: { staff: 'project_id tenant_id asset_id' },
    },
    render: {
      of: officers,
      erased: 'recipe changes reason stage',
      stays: {
        record:
          'id project_id tenant_id revision outcomes state progress seconds_left asset_id attempt crashes asked_by asked_at modified_at',
      },
      given: '',
      withheld: {
        staff:
          'id project_id tenant_id revision recipe changes outcomes state stage progress seconds_left reason asset_id attempt crashes asked_by asked_at modified_at',
      },
    },
    render_ahead: {
      of: officers,
      stays: {
        record:
          'project_id tenant_id revision state attempt crashes crashes_in_all spent_ms chunks_of chunk_names changed_to length_ms ready modified_at',
      },
      given: '',
      withheld: {
        inner:
          'project_id tenant_id revision state attempt crashes crashes_in_all spent_ms chunks_of chunk_names changed_to length_ms ready modified_at',
      },
    },
    glossary: {
      of: (personId) => sql`t.owner_id = ${personId}`,
      erased: 'entries',
      stays: { number: 'owner_id', record: 'tenant_id modified_at' },
      given: 'entries modified_at',
      withheld: { inner: 'owner_id tenant_id' },
    },
  },
  erase: async (tx, { id }, traces) => {
    // A later attempt's number: a first cut or a render that is just running writes nothing any more.
    await tx.count(sql`
      update edit t set state = 'failed', stage = null, progress = null, reason = null, revision = 0, recipe = null,
        first_cut = null, script = '', transcript = null, attempt = attempt + 1, modified_at = now()
      where ${officers(id)}`)
    await tx.count(sql`
      update render_ahead t set state = 'stopped', attempt = attempt + 1, chunk_names = '{}', ready = '[]', length_ms = null,
        changed_to = null, modified_at = now()
      where ${officers(id)}`)
    await tx.count(sql`delete from edit_clip t where ${officers(id)}`)
    const renders = await tx.rows(sql<{ id: string }>`
      update render t set recipe = '{}', changes = null, reason = null, stage = null, progress = null, seconds_left = null,
        state = case when state in ('queued', 'running') then 'canceled' else state end, attempt = attempt + 1,
        modified_at = now()
      where ${officers(id)} returning id`)
    traces.renderIds.push(...renders.map((row) => row.id))
    await tx.count(sql`update glossary set entries = '[]', modified_at = now() where owner_id = ${id}`)
  },
  eraseOutside: async ({ renderIds, projectIds }) => {
    for (const id of renderIds) await storage().dropWork(`renders/${id}`)
    for (const id of projectIds) await storage().dropWork(`listening/${id}`)
    for (const id of projectIds) await chunks().drop(id)
  },
}
