import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { enqueue } from '../kernel/queue.ts'
import { storage } from '../outside/storage.ts'
import { renewStaffExports } from './exports-store.ts'

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
  erase: async (tx, leaving, traces) => {
    const exports = await tx.rows(sql<{ id: string }>`
      delete from data_export where person_id = ${leaving.id} returning id`)
    const others = await renewStaffExports(tx, leaving)
    traces.exportIds.push(...exports.map((row) => row.id), ...others.map((row) => row.former))
    // They are made without what is erased here.
    for (const { id, former } of others) await enqueue(tx, 'export', { exportId: id, formerId: former })
  },
  eraseOutside: async ({ exportIds }) => {
    for (const id of exportIds) await storage().area('exports').drop(id)
  },
}
