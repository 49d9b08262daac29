import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { deleteScriptsOf } from './actions.ts'
import { duties } from '@clear-to-post/domain/roles'

export const scriptsData: RoomData = {
  words: [{ text: 'Your own scripts.', for: duties.film }],
  tables: {
    script: {
      of: (personId) => sql`t.user_id = ${personId}`,
      erased: 'id category_id user_id title content tags position created_at',
      given: 'title content tags created_at',
      withheld: { inner: 'id category_id user_id position' },
    },
  },
  erase: async (tx, { id }) => {
    await deleteScriptsOf(tx, id)
  },
}
