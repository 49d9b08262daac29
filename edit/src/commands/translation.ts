import { cutText } from '@clear-to-post/domain/cut-text'
import type { Recipe } from '../recipe.ts'
import { longestLine, sentencesHeard, type TranslationLanguage } from '../translation.ts'
import type { Command } from './command.ts'

/** Begins a second language, or changes it: the lines stay. Null takes it away with all its lines. */
export const setTranslation =
  (language: TranslationLanguage | null): Command =>
  (recipe) => {
    const { translation, ...rest } = recipe
    if (language === null) return translation ? rest : recipe
    if (translation?.language === language) return recipe
    return { ...recipe, translation: { inPicture: false, lines: {}, ...translation, language } }
  }

/** Shows the second language in the place of the captions, or the captions again. */
export const showTranslation =
  (inPicture: boolean): Command =>
  (recipe) =>
    recipe.translation && recipe.translation.inPicture !== inPicture
      ? { ...recipe, translation: { ...recipe.translation, inPicture } }
      : recipe

/** What sentences are in the second language, by their ids (`sentencesHeard`); an empty text takes a line away. */
export const translate =
  (texts: ReadonlyMap<string, string>): Command =>
  (recipe) => {
    const { translation } = recipe
    if (!translation) return recipe
    const heard = new Map(sentencesHeard(recipe).map(({ id, text }) => [id, text]))
    const lines: NonNullable<Recipe['translation']>['lines'] = { ...translation.lines }
    for (const [id, written] of texts) {
      const text = cutText(written.replaceAll(/\s+/g, ' ').trimStart(), longestLine.text)
      const of = heard.has(id) ? cutText(heard.get(id)!, longestLine.of) : undefined
      if (of === undefined) continue
      if (text === '') delete lines[id]
      else lines[id] = { text, of }
    }
    const same = JSON.stringify(lines) === JSON.stringify(translation.lines)
    return same ? recipe : { ...recipe, translation: { ...translation, lines } }
  }

/** Somebody looked at sentences that changed since they were translated: the lines hold as they are. */
export const keepTranslation =
  (ids: Iterable<string>): Command =>
  (recipe) =>
    translate(
      new Map(
        [...ids].flatMap((id) => (recipe.translation?.lines[id] ? [[id, recipe.translation.lines[id].text]] : [])),
      ),
    )(recipe)
