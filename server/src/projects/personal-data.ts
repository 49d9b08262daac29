import { servedBy, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { duties } from '@clear-to-post/domain/roles'

const officers = (personId: string) => sql`t.user_id = ${personId}`

export const projectsData: RoomData = {
  words: [
    {
      text: 'Titles, instructions, scripts, revision requests, reviews and comments of your videos.',
      for: duties.film,
    },
  ],
  tables: {
    project: {
      of: officers,
      erased: 'title instructions caption_suggestion feedback tour answer_score answer_words answered_at',
      stays: {
        record:
          'id tenant_id user_id editor_id caption_style submit_month status queue_position due_at publish_at destinations final_video_id approved_video_id cover_id is_free editing_begun cuts turnaround_hours due_by submitted_at modified_at expires_at seq revisions_left waits_for used_at paid_by paid_plan',
      },
      given:
        'id title instructions caption_style caption_suggestion submit_month status due_at publish_at destinations approved_video_id is_free turnaround_hours due_by submitted_at modified_at expires_at revisions_left waits_for tour answer_score answer_words answered_at',
      withheld: {
        staff: 'editor_id final_video_id feedback editing_begun cuts',
        inner: 'tenant_id user_id queue_position cover_id seq used_at paid_by paid_plan',
      },
    },
    project_event: {
      of: officers,
      erased: 'metadata before',
      stays: {
        record:
          'project_id seq user_id tenant_id verb from_status to_status title description actor_id actor_role actor_serves_all at counted undoes key_id',
      },
      given: 'project_id verb from_status to_status title description at',
      withheld: {
        staff: 'metadata actor_id actor_role',
        inner: 'seq user_id tenant_id before counted undoes actor_serves_all key_id',
      },
      alsoGiven: { revision: sql`t.metadata->>'revision'` },
    },
    project_cut: {
      of: (personId) => sql`(t.user_id = ${personId} and t.verdict = 'approved')`,
      stays: { record: 'project_id number user_id tenant_id asset_id editor_id sent_at verdict' },
      given: 'project_id asset_id sent_at verdict',
      withheld: { staff: 'number editor_id', inner: 'user_id tenant_id' },
    },
    project_comment: {
      of: (personId) => sql`((t.user_id = ${personId} and not t.internal)
        or (t.author_id = ${personId} and ${servedBy(personId, sql`t.tenant_id`)}))`,
      erased: 'text',
      stays: {
        record:
          'id project_id user_id tenant_id number at_ms author_id created_at internal event_seq done_by done_at parent_id edited_at deleted_at',
      },
      given: 'project_id at_ms text created_at',
      withheld: {
        staff: 'number author_id internal done_by done_at',
        inner: 'id user_id tenant_id event_seq parent_id edited_at deleted_at',
      },
    },
    quota_use: {
      of: officers,
      stays: { record: 'user_id month used' },
      given: 'month used',
      withheld: { inner: 'user_id' },
    },
  },
  erase: async (tx, { id }, traces) => {
    const projects = await tx.rows(sql<{ id: string }>`
      update project set title = ${erasedTitle}, instructions = '', caption_suggestion = null, feedback = null, tour = null,
        answer_score = null, answer_words = null, answered_at = null
      where user_id = ${id} returning id`)
    traces.projectIds.push(...projects.map((row) => row.id))
    await tx.count(sql`update project_comment set text = ${erasedText} where user_id = ${id}`)
    await tx.rows(sql`select erase_ledger(${id})`)
  },
}

/** What an erased project is called wherever the record of work names it. */
export const erasedTitle = 'Video of a former user'
const erasedText = '(erased)'
