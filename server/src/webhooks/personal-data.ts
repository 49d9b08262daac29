import type { RawBuilder } from 'kysely'
import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'

const ofVideos = (personId: string, event: RawBuilder<unknown>) => sql`exists (
  select from webhook_event v join project p on p.id = v.project_id where v.id = ${event} and p.user_id = ${personId})`

export const webhooksData: RoomData = {
  // No name and no text of anybody's stands in them, and they are kept for 30 days.
  words: [],
  tables: {
    webhook_event: {
      of: (personId) => ofVideos(personId, sql`t.id`),
      stays: { record: 'id tenant_id project_id type at', number: 'data' },
      given: 'project_id type at',
      alsoGiven: { data: sql`t.data - 'editorId'` },
      withheld: { staff: 'data', inner: 'id tenant_id' },
      readBy: 'service',
    },
    webhook_delivery: {
      of: (personId) => ofVideos(personId, sql`t.event_id`),
      stays: {
        record:
          'id number endpoint_id event_id tenant_id turn_id state tries next_at run leased_until status settled_at at created_at',
      },
      given: 'state settled_at',
      withheld: {
        inner: 'id number endpoint_id event_id tenant_id turn_id tries next_at run leased_until status at created_at',
      },
      readBy: 'service',
    },
  },
}
