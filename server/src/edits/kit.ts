import { mostKept } from '@clear-to-post/domain/most-kept'
import { jobCodeOf } from '@clear-to-post/domain/job-code'
import { systemCaller, type Database } from '../kernel/database.ts'
import { KitLine, type ThreadSource } from './kit-line.ts'
import type { KitTexts } from './kit-texts.ts'
import { KeptTexts } from './kept-texts.ts'
import { savedEdit } from './store.ts'

/**
 * What a zip for other editing programs holds beside the sources: texts by name, the names of the sources in them, and
 * what the edit lays over and under them: B-roll, pictures, logo, music.
 */
export type Kit = KitTexts & { jobCode: string }

/**
 * Null while there is no edit. Opens no transaction that would stay open while the texts are written. Throws
 * service.crowded.
 */
export const kitOf = async (database: Pick<Database, 'readOnly'>, projectId: string): Promise<Kit | null> => {
  const saved = await database.readOnly(systemCaller, (tx) => savedEdit(tx, projectId))
  if (!saved?.recipe) return null
  const jobCode = jobCodeOf(projectId)
  const { title, owner, revision, modified_at, script, recipe } = saved
  const key = [projectId, revision, modified_at.getTime(), title, script].join('\n')
  const written = await writtenOnce(key, owner, { recipe, title, jobCode, script })
  return written && { ...written, jobCode }
}

/** Written once for each edit as it stands, which `key` names: whoever has the address may ask again. Throws service.crowded. */
export const writtenOnce = async (key: string, owner: string, source: ThreadSource): Promise<KitTexts | null> => {
  const known = kept.find(key) ?? underWay.get(key)
  if (known) return known
  const writing = kitLine.write(owner, source)
  underWay.set(key, writing)
  try {
    const texts = await writing
    if (texts) kept.keep(key, owner, texts)
    return texts
  } finally {
    underWay.delete(key)
  }
}

/** The thread that writes kits for this process. */
export const kitLine = new KitLine()
const kept = new KeptTexts(mostKept.kitBytes)
const underWay = new Map<string, Promise<KitTexts | null>>()
