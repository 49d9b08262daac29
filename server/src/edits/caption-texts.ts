import { readRecipe } from '@clear-to-post/edit/read-recipe'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { cuesOf, writeSrt, type Cue } from '@clear-to-post/edit/subtitles'
import type { KitTexts } from './kit-texts.ts'

/** Takes are heard in English (decision 34 of speech). */
export const spoken = 'en'

/** The captions that go beside a finished file of this recipe in a language; none where there are none. */
export const captionCuesOf = (recipe: Recipe, language: string): Cue[] => {
  if (language !== spoken && recipe.translation?.language !== language) return []
  return cuesOf(recipe, language === spoken ? 'spoken' : 'second')
}

/** Where the captions of a recipe are read; the recipe as JSON. */
export type CaptionSource = { captionsOf: string }

/**
 * The same in each of its languages, by whose name, in SubRip; null where the recipe cannot be read. Of a long edit it takes a
 * second, so only the thread of kit-thread.ts may do it.
 */
export const writeCaptions = ({ captionsOf }: CaptionSource): KitTexts | null => {
  const { recipe } = readRecipe(JSON.parse(captionsOf))
  if (!recipe) return null
  const languages = [spoken, ...(recipe.translation ? [recipe.translation.language] : [])]
  const texts = languages.flatMap((name) => {
    const cues = captionCuesOf(recipe, name)
    return cues.length === 0 ? [] : [{ name, text: new TextEncoder().encode(writeSrt(cues)) }]
  })
  return { names: new Map(), files: [], texts }
}
