import { z } from 'zod'
import { Captions, Card, Grade, Sound } from './read-recipe.ts'

/** A look as it is checked when it comes from anywhere; what only applies looks needs none of this (`look.ts`). */

/** How near moves of a kind come; null: there were such moves, and all were switched off. Missing: there were none. */
const Habit = z.number().min(1).max(2).nullable().optional()

const CardLook = Card.pick({ on: true, lengthMs: true, call: true })

export const Look = z.strictObject({
  version: z.literal(1),
  captions: Captions.pick({ on: true, style: true, position: true, size: true, colour: true }),
  open: CardLook.nullable(),
  close: CardLook.nullable(),
  sound: Sound.pick({ loudness: true, clean: true, music: true }),
  colour: z.object({ brightness: Grade, contrast: Grade, saturation: Grade, warmth: Grade }),
  moves: z.object({ 'punch-in': Habit, push: Habit }),
})
