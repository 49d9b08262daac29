import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { forgetValuesOf } from './store.ts'

export const auditData: RoomData = {
  words: [{ text: 'What the log of changes says of your account; that something was changed stays.' }],
  tables: {
    audit_entry: {
      of: (personId) => sql`t.person_id = ${personId}`,
      readBy: 'service',
      stays: { record: 'id at tenant_id actor_id actor_role key_id kind act subject_id person_id values_hash' },
      given: 'at kind act',
      withheld: { staff: 'actor_id actor_role', inner: 'id tenant_id key_id subject_id person_id values_hash' },
    },
    audit_value: {
      of: (personId) => sql`t.person_id = ${personId}`,
      readBy: 'service',
      erased: 'entry_id tenant_id person_id salt changes',
      given: '',
      // Who edits for them is withheld everywhere.
      alsoGiven: { changes: sql`t.changes - 'editor_id'` },
      withheld: { staff: 'changes', inner: 'entry_id tenant_id person_id salt' },
    },
    audit_seal: {
      of: () => sql`false`,
      stays: { record: 'id tenant_id seq entry_id sealed_at hash' },
      given: '',
      withheld: { inner: 'id tenant_id seq entry_id sealed_at hash' },
    },
    audit_waiting: {
      of: () => sql`false`,
      stays: { record: 'entry_id' },
      given: '',
      withheld: { inner: 'entry_id' },
    },
  },
  erase: async (tx, { id }) => {
    await forgetValuesOf(tx, id)
  },
}
