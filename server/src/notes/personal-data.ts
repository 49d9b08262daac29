import { discardUnusedAmong } from '../assets/actions.ts'
import { servedBy, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { duties } from '@clear-to-post/domain/roles'
import { filesAbout } from './store.ts'

export const notesData: RoomData = {
  words: [
    { text: 'All notes that staff wrote about you, and the files in them that nothing else uses.', for: duties.film },
    { text: 'Your name on notes that you wrote about others.', for: duties.serve },
  ],
  tables: {
    note: {
      of: (personId) => sql`(
        t.author_id = ${personId} and t.deleted_at is null and ${servedBy(personId, sql`t.tenant_id`)})`,
      erased: 'author_email',
      stays: {
        company: 'title content',
        record: 'id user_id tenant_id author_id created_at modified_at deleted_at',
      },
      staying: (personId) => sql`t.author_id = ${personId}`,
      company: sql`t.tenant_id`,
      given: 'title content created_at modified_at deleted_at',
      withheld: { others: 'user_id', inner: 'id tenant_id author_id author_email' },
    },
    note_asset: {
      of: () => sql`false`,
      stays: { company: 'note_id asset_id position' },
      given: '',
      withheld: { others: 'note_id asset_id position' },
    },
    note_event: {
      of: () => sql`false`,
      erased: 'actor_email',
      stays: { company: 'details', record: 'note_id at seq type', number: 'actor_id' },
      given: '',
      withheld: { others: 'note_id at seq type actor_id actor_email details' },
    },
  },
  erase: async (tx, { id }, traces) => {
    const files = await filesAbout(tx, id)
    await tx.rows(sql`select erase_traces(${id}, '')`)
    // Staff sent them in to say something of the person.
    traces.assetIds.push(...(await discardUnusedAmong(tx, files)))
  },
}
