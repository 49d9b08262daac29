import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { dropCalendarLink } from './actions.ts'

export const calendarData: RoomData = {
  words: [{ text: 'The link of your calendar.' }],
  tables: {
    calendar_link: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'person_id secret_hash created_at',
      given: 'created_at',
      withheld: { secret: 'secret_hash', inner: 'person_id' },
    },
  },
  erase: async (tx, { id }) => {
    await dropCalendarLink(tx, id)
  },
}
