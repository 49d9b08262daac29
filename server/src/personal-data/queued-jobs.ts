import { tiesTo, wordsNaming, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'

/** Jobs name rows; what is said to people in words, and the errors of jobs that failed, may name somebody. */
export const jobsData: RoomData = {
  words: [],
  tables: {
    'pgboss.job': {
      of: () => sql`false`,
      erased: 'data output source_output',
      stays: {
        record:
          'id name priority state retry_limit retry_count retry_delay retry_backoff retry_delay_max expire_seconds deletion_seconds singleton_key singleton_on group_id group_tier start_after created_on started_on completed_on keep_until dead_letter policy heartbeat_on heartbeat_seconds blocked blocking pending_dependencies source_name source_id source_created_on source_retry_count source_root_id',
      },
      given: '',
      withheld: {
        inner:
          'id name priority data state retry_limit retry_count retry_delay retry_backoff retry_delay_max expire_seconds deletion_seconds singleton_key singleton_on group_id group_tier start_after created_on started_on completed_on keep_until output dead_letter policy heartbeat_on heartbeat_seconds blocked blocking pending_dependencies source_name source_id source_created_on source_retry_count source_output source_root_id',
      },
    },
  },
  erase: async (tx, leaving, traces) => {
    // What was told to the person alone, whatever it says; of what was told to several they are no more one.
    await tx.count(sql`
      delete from pgboss.job where state <> 'active' and name = 'notice' and (data->'userIds') = ${JSON.stringify([leaving.id])}::jsonb`)
    await tx.count(sql`
      update pgboss.job set data = jsonb_set(data, '{userIds}', (data->'userIds') - ${leaving.id}::text)
      where state <> 'active' and name = 'notice' and (data->'userIds') ? ${leaving.id}::text`)
    // A notice about the person, or a mail that is gone. All other jobs name rows, and their work goes on.
    await tx.count(sql`
      delete from pgboss.job
      where state <> 'active' and (
        name = 'notice' and (
          data->'notice'->>'about' = any(${traces.projectIds}::text[])
          or (data::text like any(${tiesTo(leaving, traces)}) and data::text ilike any(${wordsNaming(leaving)})))
        or name = 'mail' and data->>'mailId' = any(${traces.mailIds}::text[]))`)
    // What went wrong with a job that has ended; an address may stand in it.
    await tx.count(sql`
      update pgboss.job set output = null, source_output = null
      where state in ('completed', 'failed', 'cancelled')
        and concat_ws(' ', output, source_output) ilike any(${wordsNaming(leaving)})`)
  },
}
