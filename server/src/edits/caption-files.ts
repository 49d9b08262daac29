import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { cuesOf, writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'

/** Captions of a finished file, in two forms of the same. */
export type Captions = { language: string; srt: string; vtt: string }

/** Takes are heard in English (decision 34 of speech). */
const spoken = 'en'

/** In which languages there are captions of this file: what is said in it, and what its edit has translated; none of one that was sent in. */
export const captionLanguages = (tx: Tx, assetId: string): Promise<string[]> =>
  asService(tx, async () => {
    const row = await tx.first(sql<{ has_words: boolean; second: string | null }>`
      select jsonb_array_length(coalesce(nullif(r.recipe -> 'words', 'null'), '[]')) > 0 as has_words,
        r.recipe -> 'translation' ->> 'language' as second
      from render r where r.asset_id = ${assetId}`)
    return row?.has_words ? [spoken, ...(row.second === null ? [] : [row.second])] : []
  })

/** The captions of this file in a language; null where there are none. As the service, by a job: of a long edit it takes a second. */
export const captionsIn = async (tx: Tx, assetId: string, language: string): Promise<Captions | null> => {
  const row = await tx.first(sql<{ recipe: unknown }>`select recipe from render r where r.asset_id = ${assetId}`)
  const { recipe } = readRecipe(row?.recipe)
  if (!recipe) return null
  if (language !== spoken && recipe.translation?.language !== language) return null
  const cues = cuesOf(recipe, language === spoken ? 'spoken' : 'second')
  return cues.length === 0 ? null : { language, srt: writeSrt(cues), vtt: writeVtt(cues) }
}
