import { cutsOf, fileNamesOf } from '@clear-to-post/edit/cuts'
import { writeEdl } from '@clear-to-post/edit/edl'
import { writeFcpxml } from '@clear-to-post/edit/fcpxml'
import { writeOtio } from '@clear-to-post/edit/otio'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { filesNamed, type Recipe } from '@clear-to-post/edit/recipe'
import { cuesOf, writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'

/** What a kit is written from; the recipe as JSON. */
export type KitSource = { recipe: string; title: string; jobCode: string; script: string }

/** What a kit says of a recipe: texts in UTF-8, `names` of the sources' files by their assets, and all `files` by theirs. */
export type KitTexts = { names: Map<string, string>; files: string[]; texts: { name: string; text: Uint8Array }[] }

/**
 * Writes a kit's texts; null where the recipe cannot be read. Of a long edit it takes a second, so only the thread of
 * kit-thread.ts may do it.
 */
export const writeKit = ({ recipe: document, title, jobCode, script }: KitSource): KitTexts | null => {
  const { recipe } = readRecipe(JSON.parse(document))
  if (!recipe) return null
  const names = fileNamesOf(recipe)
  return {
    names: new Map(recipe.sources.map(({ id, assetId }) => [assetId, names.get(id)!])),
    files: filesNamed(recipe),
    texts: textsOf(recipe, { jobCode, title, script }).map(({ name, text }) => ({
      name,
      text: new TextEncoder().encode(text),
    })),
  }
}

const textsOf = (
  recipe: Recipe,
  { jobCode, title, script }: { jobCode: string; title: string; script: string },
): { name: string; text: string }[] => {
  const cuts = cutsOf(recipe, { title, jobCode })
  const cues = cuesOf(recipe)
  return [
    { name: 'READ ME.txt', text: readMe(title, jobCode) },
    { name: `${jobCode}.edl`, text: writeEdl(cuts) },
    { name: `${jobCode}.otio`, text: writeOtio(cuts) },
    { name: `${jobCode}.fcpxml`, text: writeFcpxml(cuts) },
    { name: `${jobCode}.srt`, text: writeSrt(cues) },
    { name: `${jobCode}.vtt`, text: writeVtt(cues) },
    ...secondOf(recipe, jobCode),
    { name: 'recipe.json', text: `${JSON.stringify(recipe, null, 1)}\n` },
    ...(script ? [{ name: 'script.txt', text: `${script}\n` }] : []),
  ]
}

const secondOf = (recipe: Recipe, jobCode: string): { name: string; text: string }[] => {
  const { language } = recipe.translation ?? {}
  if (!language) return []
  const cues = cuesOf(recipe, 'second')
  return [
    { name: `${jobCode}.${language}.srt`, text: writeSrt(cues) },
    { name: `${jobCode}.${language}.vtt`, text: writeVtt(cues) },
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
