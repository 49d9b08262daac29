import { cutText } from '@clear-to-post/domain/cut-text'
import { captionStyles } from '@clear-to-post/domain/captions'
import { coloursOf } from '../caption-colours.ts'
import type { CaptionBreak, Captions, Recipe, Span } from '../recipe.ts'
import { freeId, type Command } from './command.ts'

export const setCaptions =
  (part: Partial<Captions>): Command =>
  (recipe) => {
    const keys = Object.keys(part) as (keyof Captions)[]
    if (keys.every((key) => recipe.captions[key] === part[key])) return recipe
    const tour = { address: '', price: '', beds: '', baths: '', rooms: [] }
    return withCaptions(
      recipe,
      part.style && captionStyles[part.style].hasTour && recipe.captions.tour === null ? { tour, ...part } : part,
    )
  }

type Tour = NonNullable<Captions['tour']>

export const setTour =
  (part: Partial<Tour>): Command =>
  (recipe) => {
    const tour = recipe.captions.tour ?? { address: '', price: '', beds: '', baths: '', rooms: [] }
    return withCaptions(recipe, { tour: { ...tour, ...part } })
  }

export const addRoom =
  (name: string, span: Span): Command =>
  (recipe) => {
    const rooms = recipe.captions.tour?.rooms ?? []
    return setTour({ rooms: [...rooms, { ...span, id: freeId('room', rooms), name: cutText(name, 60) }] })(recipe)
  }

/** A new page or line of captions before a word, none at all, or, null, as the layout sees fit. */
export const breakBefore =
  (id: string, kind: CaptionBreak | null): Command =>
  (recipe) => {
    const { break: before, ...rest } = recipe.captions.overrides[id] ?? {}
    if ((before ?? null) === kind) return recipe
    return withOverride(recipe, id, kind === null ? rest : { ...rest, break: kind })
  }

/** A word's emoji: one of the dictionary, none (empty), or what the dictionary says (null). */
export const chooseEmoji =
  (id: string, emoji: string | null): Command =>
  (recipe) => {
    const { [id]: before, ...rest } = recipe.captions.emoji
    if ((before ?? null) === emoji) return recipe
    return withCaptions(recipe, { emoji: emoji === null ? rest : { ...rest, [id]: emoji } })
  }

/** Is the colour shown as it was chosen, or moved until its words can be read? */
export const isColourMoved = (colour: string): boolean => coloursOf(colour).spoken !== colour.toLowerCase()

const withCaptions = (recipe: Recipe, part: Partial<Captions>): Recipe => ({
  ...recipe,
  captions: { ...recipe.captions, ...part },
})

export const withOverride = (recipe: Recipe, id: string, override: Captions['overrides'][string]): Recipe => {
  const { [id]: _, ...rest } = recipe.captions.overrides
  return withCaptions(recipe, { overrides: Object.keys(override).length > 0 ? { ...rest, [id]: override } : rest })
}
