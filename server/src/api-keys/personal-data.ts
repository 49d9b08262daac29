import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { dropKeys } from './store.ts'

export const apiKeysData: RoomData = {
  words: [{ text: 'Your API keys.' }],
  tables: {
    api_key: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased:
        'id person_id tenant_id name prefix secret_hash scopes security_stamp created_at ends_at last_used_at revoked_at ended_by made_in',
      given: 'name prefix scopes created_at ends_at last_used_at revoked_at ended_by',
      withheld: { secret: 'secret_hash', inner: 'id person_id tenant_id security_stamp made_in' },
    },
  },
  erase: async (tx, { id }) => {
    await dropKeys(tx, id)
  },
}
