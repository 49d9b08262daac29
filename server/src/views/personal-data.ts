import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { dropViewsOf } from './actions.ts'

export const viewsData: RoomData = {
  words: [{ text: 'The views of lists that you kept.' }],
  tables: {
    saved_view: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id person_id page name search created_at',
      given: 'page name search created_at',
      withheld: { inner: 'id person_id' },
    },
  },
  erase: async (tx, { id }) => {
    await dropViewsOf(tx, id)
  },
}
