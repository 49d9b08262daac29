import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'
import { sql, systemCaller, type Database, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { captionCuesOf, spoken } from './caption-texts.ts'
import { writtenOnce } from './kit.ts'

/** Captions of a finished file, in two forms of the same. */
export type Captions = { language: string; srt: string; vtt: string }

/** In which languages there are captions of each file: what is said in it, and what its edit has translated; none of one that was sent in. */
export const captionLanguages = (tx: Tx, assetIds: readonly string[]): Promise<Map<string, string[]>> =>
  asService(tx, async () => {
    const rows = await tx.rows(sql<{ asset_id: string; has_words: boolean; second: string | null }>`
      select r.asset_id, jsonb_array_length(coalesce(nullif(r.recipe -> 'words', 'null'), '[]')) > 0 as has_words,
        r.recipe -> 'translation' ->> 'language' as second
      from render r where r.asset_id = any(${assetIds}::uuid[])`)
    return new Map(
      rows.map((row) => [row.asset_id, row.has_words ? [spoken, ...(row.second === null ? [] : [row.second])] : []]),
    )
  })

/** The captions of this file in a language; null where there are none. As the service, by a job: of a long edit it takes a second. */
export const captionsIn = async (tx: Tx, assetId: string, language: string): Promise<Captions | null> => {
  const row = await tx.first(sql<{ recipe: unknown }>`select recipe from render r where r.asset_id = ${assetId}`)
  const { recipe } = readRecipe(row?.recipe)
  if (!recipe) return null
  const cues = captionCuesOf(recipe, language)
  return cues.length === 0 ? null : { language, srt: writeSrt(cues), vtt: writeVtt(cues) }
}

/**
 * What `captionsIn` writes, to be read by people: in each language. Opens no transaction that would stay open meanwhile. Throws
 * service.crowded.
 */
export const captionsToRead = async (
  database: Pick<Database, 'readOnly'>,
  assetId: string,
): Promise<{ language: string; srt: string }[]> => {
  const row = await database.readOnly(systemCaller, (tx) =>
    tx.first(sql<{ owner: string; hash: string; recipe: string }>`
      select coalesce(r.tenant_id, p.user_id) as owner, md5(r.recipe::text) as hash, r.recipe::text as recipe
      from render r join project p on p.id = r.project_id where r.asset_id = ${assetId}`),
  )
  if (!row) return []
  // What is erased of a recipe is not answered from memory.
  const key = ['captions', assetId, row.hash].join('\n')
  const written = await writtenOnce(key, row.owner, { captionsOf: row.recipe })
  return (written?.texts ?? []).map(({ name, text }) => ({
    language: name,
    srt: new TextDecoder().decode(text),
  }))
}
