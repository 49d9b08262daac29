import { jobCodeOf } from '@clear-to-post/domain/job-code'
import { cutsOf, fileNamesOf } from '@clear-to-post/edit/cuts'
import { writeEdl } from '@clear-to-post/edit/edl'
import { writeFcpxml } from '@clear-to-post/edit/fcpxml'
import { writeOtio } from '@clear-to-post/edit/otio'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { filesNamed, type Recipe } from '@clear-to-post/edit/recipe'
import { cuesOf, writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'
import { assetsById, type AssetRow } from '../assets/actions.ts'
import { systemCaller, type Tx } from '../kernel/database.ts'
import { findEdit, projectInReach, type EditRow } from './store.ts'

/**
 * What a zip for other editing programs holds beside the sources: texts by name, the names of the sources in them, and
 * what the edit lays over and under them: B-roll, pictures, logo, music.
 */
export type Kit = {
  jobCode: string
  texts: { name: string; text: string }[]
  nameOf: (row: AssetRow) => string
  added: AssetRow[]
}

/** For a transaction of the service's; null while there is no edit. */
export const kitOf = async (tx: Tx, projectId: string): Promise<Kit | null> => {
  const project = await projectInReach(tx, systemCaller, projectId)
  const edit = project && (await findEdit(tx, systemCaller, projectId))
  const jobCode = jobCodeOf(projectId)
  const written = project && edit && writtenOnce(edit, { jobCode, title: project.title })
  if (!written) return null
  const { names, files, texts } = written
  const added = await assetsById(
    tx,
    files.filter((id) => !names.has(id)),
  )
  return { jobCode, added: [...added.values()], nameOf: ({ id, file_name }) => names.get(id) ?? file_name, texts }
}

/** What a kit says of a recipe: `names` of the sources' files and `files` by their assets. */
type Written = { names: Map<string, string>; files: string[]; texts: Kit['texts'] }

/** Written once for each edit as it stands: of a long one it takes a second, and whoever has the address may ask again. */
const writtenOnce = (edit: EditRow, { jobCode, title }: { jobCode: string; title: string }): Written | null => {
  const key = [edit.project_id, edit.revision, edit.modified_at.getTime(), title, edit.script].join('\n')
  const known = lastWritten.get(key)
  if (known) return known
  const { recipe } = readRecipe(edit.recipe)
  if (!recipe) return null
  const names = fileNamesOf(recipe)
  const written = {
    names: new Map(recipe.sources.map(({ id, assetId }) => [assetId, names.get(id)!])),
    files: filesNamed(recipe),
    texts: textsOf(recipe, { jobCode, title, script: edit.script }),
  }
  lastWritten.set(key, written)
  if (lastWritten.size > 4) lastWritten.delete(lastWritten.keys().next().value!)
  return written
}
const lastWritten = new Map<string, Written>()

const textsOf = (
  recipe: Recipe,
  { jobCode, title, script }: { jobCode: string; title: string; script: string },
): Kit['texts'] => {
  const cuts = cutsOf(recipe, { title, jobCode })
  const cues = cuesOf(recipe)
  return [
    { name: 'READ ME.txt', text: readMe(title, jobCode) },
    { name: `${jobCode}.edl`, text: writeEdl(cuts) },
    { name: `${jobCode}.otio`, text: writeOtio(cuts) },
    { name: `${jobCode}.fcpxml`, text: writeFcpxml(cuts) },
    { name: `${jobCode}.srt`, text: writeSrt(cues) },
    { name: `${jobCode}.vtt`, text: writeVtt(cues) },
    { name: 'recipe.json', text: `${JSON.stringify(recipe, null, 1)}\n` },
    ...(script ? [{ name: 'script.txt', text: `${script}\n` }] : []),
  ]
}

const readMe = (title: string, jobCode: string): string => `${title}
Code: ${jobCode}

The source files and the edit as it stands, for your own program:

  ${jobCode}.fcpxml   Final Cut Pro, DaVinci Resolve
  ${jobCode}.otio     everything that reads OpenTimelineIO (Premiere Pro by its own plug-in)
  ${jobCode}.edl      CMX 3600, for all others; cuts and dissolves only
  ${jobCode}.srt      captions as they lie on the finished video (.vtt: the same as WebVTT)

B-roll, pictures, logo and music lie beside them; recipe.json tells where each was used.

When you are done, export an MP4 and leave ${jobCode} somewhere in its name, such as

  ${jobCode} final.mp4

Upload it on the project's page, or on “My work”: there the code brings it to this project.
`
