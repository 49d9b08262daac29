import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { storage } from '../outside/storage.ts'

export const ownData: RoomData = {
  words: [],
  tables: {
    removal: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'work',
      stays: {
        number: 'id number person_id tenant_id',
        record: 'by_role removed_at finished_at erased stays',
      },
      given: '',
      withheld: { inner: 'id number person_id tenant_id by_role removed_at finished_at erased stays work' },
    },
    data_export: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id person_id state asked_at ready_at ends_at bytes attempt security_stamp asked file_ids',
      given: 'asked_at',
      withheld: { inner: 'id person_id state ready_at ends_at bytes attempt security_stamp asked file_ids' },
    },
  },
  erase: async (tx, { id }, traces) => {
    const exports = await tx.rows(sql<{ id: string }>`delete from data_export where person_id = ${id} returning id`)
    traces.exportIds.push(...exports.map((row) => row.id))
  },
  eraseOutside: async ({ exportIds }) => {
    for (const id of exportIds) await storage().area('exports').drop(id)
  },
}
