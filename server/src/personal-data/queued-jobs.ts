import { patternsOf, type RoomData } from '../kernel/personal-data.ts'
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
  erase: async (tx, _leaving, { words, projectIds }) => {
    await tx.count(sql`
      delete from pgboss.job
      where state <> 'active' and (
        concat_ws(' ', data, output, source_output) ilike any(${patternsOf(words)})
        or data->'notice'->>'about' = any(${projectIds}::text[]))`)
  },
}
