import { duties } from '@clear-to-post/domain/roles'
import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { allowedBy } from './connect.ts'
import { eraseOf } from './store.ts'

export const publishingData: RoomData = {
  words: [
    {
      text: 'The accounts at networks that you connected, with their keys. YouTube, TikTok, LinkedIn, X and Bluesky are asked to end what you allowed; on Instagram, Facebook and Threads, take it back in the settings of your account. Accounts that you connected for a company stay the company’s.',
      for: [...duties.film, ...duties.administer],
    },
    { text: 'With which accounts of your company you post.', for: duties.film },
    { text: 'When in the week you post.', for: duties.film },
    { text: 'How often your posts were seen and answered.', for: duties.film },
    {
      text: 'The texts of your posts and of their first comments. What is on a network stays there; take it down before. Of what is on your company’s accounts it keeps the address.',
      for: duties.film,
    },
  ],
  tables: {
    connection: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased:
        'id user_id tenant_id network account_id name tokens access_ends_at ends_at state refreshing_until told_days connected_at modified_at',
      given: 'network account_id name ends_at state connected_at modified_at',
      withheld: { secret: 'tokens', inner: 'id user_id tenant_id access_ends_at refreshing_until told_days' },
    },
    connection_walk: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased: 'state_hash user_id tenant_id network verifier ends_at',
      given: '',
      withheld: { secret: 'state_hash verifier', inner: 'user_id tenant_id network ends_at' },
    },
    connection_officer: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased: 'connection_id user_id tenant_id allowed_at',
      given: 'allowed_at',
      withheld: { inner: 'connection_id user_id tenant_id' },
    },
    post: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased: 'title words failure_words handles next_at measure_at',
      stays: {
        record:
          'connection_id remote_id address project_id tenant_id network asset_id sha256 privacy cover_ms captions tiktok fit file_id cover_file_id due_at schedule_seq state failure tried run crashes leased_until armed_at live_at recalled_at comment_runs created_at modified_at',
        number: 'id user_id',
      },
      given:
        'id project_id network sha256 title words privacy cover_ms captions tiktok fit due_at state failure failure_words remote_id address live_at created_at modified_at',
      withheld: {
        inner:
          'tenant_id user_id connection_id asset_id file_id cover_file_id schedule_seq handles tried next_at measure_at run crashes leased_until armed_at recalled_at comment_runs',
      },
    },
    post_comment: {
      of: (personId) => sql`exists (select from post p where p.id = t.post_id and p.user_id = ${personId})`,
      erased:
        'post_id words state failure failure_words handles tried next_at run crashes leased_until armed_at remote_id live_at created_at modified_at',
      given: 'post_id words state failure failure_words remote_id live_at created_at modified_at',
      withheld: { inner: 'handles tried next_at run crashes leased_until armed_at' },
    },
    post_file: {
      of: (personId) =>
        sql`exists (select from post p where p.user_id = ${personId} and t.id in (p.file_id, p.cover_file_id))`,
      readBy: 'service',
      stays: {
        record:
          'id asset_id parent_sha256 recipe sha256 bytes width height name problem attempt is_running crashes asked_at made_at',
      },
      given: 'parent_sha256 recipe sha256 bytes width height made_at',
      withheld: { inner: 'id asset_id name problem attempt is_running crashes asked_at' },
    },
    post_slots: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased: 'user_id slots modified_at',
      given: 'slots modified_at',
      withheld: { inner: 'user_id' },
    },
    post_figures: {
      of: (personId) => sql`exists (select from post p where p.id = t.post_id and p.user_id = ${personId})`,
      erased: 'post_id day at views likes comments shares watch_seconds',
      given: 'post_id day at views likes comments shares watch_seconds',
    },
    post_event: {
      of: (personId) => sql`exists (select from post p where p.id = t.post_id and p.user_id = ${personId})`,
      stays: { record: 'post_id seq event from_state to_state at detail', number: 'actor_id' },
      given: 'post_id seq event from_state to_state at',
      withheld: { inner: 'actor_id detail' },
    },
  },
  erase: async (tx, { id }, traces) => {
    traces.grants?.push(...allowedBy(await eraseOf(tx, id), new Date()))
  },
}
