import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'

export const reportsData: RoomData = {
  words: [],
  tables: {
    editor_rate: {
      of: (personId) => sql`t.person_id = ${personId}`,
      readBy: 'service',
      stays: { payments: 'id person_id tenant_id from_month unit amount currency set_by set_at' },
      company: sql`t.tenant_id`,
      given: 'from_month unit amount currency',
      withheld: { staff: 'set_by', inner: 'id person_id tenant_id set_at' },
    },
    membership: {
      of: (personId) => sql`t.person_id = ${personId}`,
      readBy: 'service',
      erased: 'work_week time_off time_zone',
      stays: { record: 'id person_id tenant_id since until role is_disabled' },
      given: 'since until role work_week time_off time_zone',
      withheld: { inner: 'id person_id tenant_id is_disabled' },
    },
    step_figure: {
      of: (personId) => sql`t.user_id = ${personId}`,
      stays: {
        record:
          'project_id seq at verb user_id tenant_id editor_id is_first is_first_pass took_s promised_s is_late length_ms categories scores',
      },
      given: 'project_id at verb',
      withheld: {
        staff: 'editor_id is_first is_first_pass took_s promised_s is_late length_ms categories scores',
        inner: 'seq user_id tenant_id',
      },
    },
  },
}
