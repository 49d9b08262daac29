import { patternsOf, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { storage } from '../outside/storage.ts'
import { discardUnusedOf } from './actions.ts'
import { dropPictures } from './pictures.ts'
import { isTheirs } from './store.ts'
import { duties } from '@clear-to-post/domain/roles'

/** What was approved for a company, whatever its officer is now: file `t`. */
const isApproved = (officerId: string) => sql`exists (
  select from project v join project_cut c on c.asset_id = t.id and c.verdict = 'approved'
  where v.id = t.project_id and v.user_id = ${officerId} and v.tenant_id is not null)`

export const assetsData: RoomData = {
  words: [
    { text: 'All recordings of your videos, and files that you did not submit.', for: duties.film },
    { text: 'Files that nothing uses, and the names of all files that you sent.' },
  ],
  tables: {
    asset: {
      of: (personId) => isTheirs(personId, sql`t`),
      erased: 'file_name declared_type stage reason notes take_log',
      stays: {
        approved: 'sha256 probe derived',
        record:
          'id tenant_id author_id project_id purpose extension file_size is_open take_id received_bytes state progress type duration_ms width height attempt uploaded_at modified_at',
      },
      staying: isApproved,
      company: sql`(select v.tenant_id from project v where v.id = t.project_id)`,
      given:
        'id project_id purpose file_name extension declared_type file_size sha256 state type duration_ms width height reason notes take_log uploaded_at',
      withheld: {
        staff: 'author_id',
        inner: 'tenant_id is_open take_id received_bytes stage progress probe derived attempt modified_at',
      },
    },
    asset_face: {
      of: (personId) => sql`t.whose = ${personId}`,
      erased: 'whose field asset_id',
      given: 'field asset_id',
      withheld: { inner: 'whose' },
    },
  },
  erase: async (tx, { id }, traces) => {
    await dropPictures(tx, id)
    traces.assetIds.push(...(await discardUnusedOf(tx, id)))
    // What was approved for a company stays with it; of an officer on their own nothing does. A later attempt's number
    // silences a check that is just running.
    const gone = await tx.rows(sql<{ id: string }>`
      update asset a set derived = '{}', probe = null, sha256 = null, state = 'ready', stage = null, progress = null,
        reason = null, notes = '{}', take_log = null, attempt = a.attempt + 1, modified_at = now()
      from project p
      where p.id = a.project_id and p.user_id = ${id}
        and not exists (select from asset t where t.id = a.id and ${isApproved(id)})
      returning a.id`)
    traces.assetIds.push(...gone.map((row) => row.id))
    await tx.count(sql`
      update asset a set file_name = ${erasedName} || case when a.extension = '' then '' else '.' || a.extension end,
        declared_type = '', take_log = null
      where (a.author_id = ${id} or exists (select from project p where p.id = a.project_id and p.user_id = ${id}))
        and a.file_name not like ${patternsOf([erasedName])[0]!.slice(1)}`)
    // A kept video's technical facts stay; what the checks said about it does not.
    await tx.count(sql`
      update asset a set reason = null, notes = '{}'
      from project p where p.id = a.project_id and p.user_id = ${id} and (a.reason is not null or a.notes <> '{}')`)
  },
  eraseOutside: async ({ assetIds }) => {
    for (const id of assetIds) await storage().remove(id)
  },
}

const erasedName = 'erased'
