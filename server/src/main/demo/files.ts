import { rm } from 'node:fs/promises'
import { makeClip } from '@clear-to-post/media/make-clip'
import { makePicture } from '@clear-to-post/media/make-picture'
import { putFile } from '../../assets/actions.ts'
import { sql, type Caller, type Database } from '../../kernel/database.ts'
import type { Log } from '../../kernel/work.ts'

/**
 * Draws a clip and puts it in as that person's upload. Its moment is the demo's, like every other one. It is held until its
 * step is taken: who tries the demo meanwhile does not find it among their own files.
 */
export const bring = async (
  {
    database,
    log,
    signal,
    draw = makeClip,
    put = putFile,
  }: {
    database: Database
    log: Log
    signal?: AbortSignal
    draw?: typeof makeClip
    put?: typeof putFile
  },
  author: Caller,
  at: Date,
  file: { path: string; fileName: string; projectId?: string },
  look: Omit<Parameters<typeof makeClip>[0], 'out'> | DrawnPicture,
): Promise<string> => {
  const how = { out: file.path, signal }
  if ('seconds' in look) await draw({ ...look, ...how })
  else await makePicture({ ...look, ...how })
  const what = { ...file, fileType: 'seconds' in look ? 'video/mp4' : 'image/jpeg', isHeld: true }
  const id = await put(database, author, what, { log, ...(signal ? { signal } : {}) })
  await database.asSystem((tx) => tx.count(sql`update asset set uploaded_at = ${at} where id = ${id}`))
  await rm(file.path, { force: true })
  return id
}

export type DrawnPicture = Omit<Parameters<typeof makePicture>[0], 'out' | 'signal'>

/** What a start that was killed had already brought in. */
export const heldFile = async (
  database: Database,
  author: Caller,
  fileName: string,
  projectId: string | null = null,
): Promise<string | undefined> => {
  const found = await database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      select id from asset where author_id = ${author.id} and file_name = ${fileName} and state = 'ready'
        and project_id is not distinct from ${projectId}::uuid
        and purpose = 'clip' and not exists (select from clip c where c.asset_id = asset.id) limit 1`),
  )
  return found?.id
}
