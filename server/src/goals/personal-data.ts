import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'

export const goalsData: RoomData = {
  words: [],
  tables: {
    goal: {
      of: (personId) => sql`t.editor_id = ${personId}`,
      stays: { record: 'id editor_id tenant_id iso_week target progress created_at' },
      given: 'iso_week target progress created_at',
      withheld: { inner: 'id editor_id tenant_id' },
    },
    goal_day: {
      of: (personId) => sql`t.goal_id in (select id from goal where editor_id = ${personId})`,
      stays: { record: 'goal_id date target progress' },
      given: 'date target progress',
      withheld: { inner: 'goal_id' },
    },
  },
}
