import type { Recipe } from '../recipe.ts'
import type { Command } from './command.ts'

type Card = NonNullable<Recipe['close']>

export const setEnding =
  (part: Partial<Card>): Command =>
  (recipe) => ({
    ...recipe,
    close: { ...(recipe.close ?? { on: true, lengthMs: 3000, title: recipe.brand.name, call: '' }), ...part },
  })

export const setSound =
  (part: Partial<Recipe['sound']>): Command =>
  (recipe) => ({ ...recipe, sound: { ...recipe.sound, ...part } })
