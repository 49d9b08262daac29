import { balanceOf, type Light } from '../balance.ts'
import type { Recipe } from '../recipe.ts'
import type { Command } from './command.ts'

export const colourParts = ['brightness', 'contrast', 'saturation', 'warmth'] as const
export type ColourPart = (typeof colourParts)[number]

/** Colours of the whole video, on top of the automatic balance: each from −1 to 1, 0 leaves it. */
export const setColour =
  (part: Partial<Recipe['colour']>): Command =>
  (recipe) => {
    const colour = { ...recipe.colour }
    for (const key of colourParts) colour[key] = Math.max(-1, Math.min(1, part[key] ?? colour[key]))
    return colourParts.every((key) => colour[key] === recipe.colour[key]) ? recipe : { ...recipe, colour }
  }

/** Switches the automatic balance of a recording; where none was decided, by what its pictures are like. */
export const switchBalance =
  (source: string, on: boolean, light?: Light | null): Command =>
  (recipe) => {
    const sources = recipe.sources.map((one) => {
      if (one.id !== source) return one
      const balance = one.balance ?? (light && balanceOf(light))
      return !balance || (one.balance && balance.on === on) ? one : { ...one, balance: { ...balance, on } }
    })
    return sources.every((one, i) => one === recipe.sources[i]) ? recipe : { ...recipe, sources }
  }
