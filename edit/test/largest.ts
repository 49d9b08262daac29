import { wholeRecipe, type Recipe } from '../src/recipe.ts'
import { brand, take } from './take.ts'

/** What each list of a recipe may hold at most (`read-recipe.ts`); the words as many as fit into what a call may send. */
export const limits = {
  keep: 2000,
  removed: 5000,
  words: 9000,
  unsaid: 2000,
  joints: 2000,
  moves: 500,
  layers: 200,
  rooms: 200,
  flaws: 500,
} as const
export type List = keyof typeof limits
export const lists = Object.keys(limits) as List[]

/** `spread`: one after the other over the whole take, words as fast as people speak. `piled`: each from its begin to its end. */
export type Shape = 'spread' | 'piled'

const length = 20 * 60_000
const clip = '00000000-0000-4000-8000-0000000000b1'

/** A recipe whose lists hold this part (0 to 1) of what they may; the others are as small as they can be. */
export const recipeOf = (full: Partial<Record<List, Shape>>, part: number): Recipe => {
  const spans = (list: List) => {
    const count = full[list] ? Math.round(limits[list] * part) : 0
    return Array.from({ length: count }, (_, i) =>
      full[list] === 'piled'
        ? { source: 'a', start: 0, end: length }
        : list === 'words'
          ? { source: 'a', start: i * 130, end: i * 130 + 80 }
          : { source: 'a', start: Math.floor((i * length) / count), end: Math.floor(((i + 0.6) * length) / count) },
    )
  }
  const whole = wholeRecipe([take(length)], brand, 3)
  const decided = { by: 'person', why: 'x', on: true } as const
  return {
    ...whole,
    keep: full.keep ? spans('keep').map((one, i) => ({ ...one, id: `k${i}` })) : whole.keep,
    removed: spans('removed').map((one, i) => ({
      ...one,
      id: `r${i}`,
      reason: 'by-hand',
      ...decided,
      on: full.removed === 'spread',
    })),
    words: spans('words').map((one, i) => ({
      ...one,
      id: `w${i}`,
      text: i % 2 ? 'house' : 'a',
      confidence: 1,
      origin: 'typed',
    })),
    unsaid: spans('unsaid').map(({ source, start }, i) => ({ id: `u${i}`, source, at: start, text: 'x' })),
    joints: spans('joints').map(({ source, end }, i) => ({
      id: `j${i}`,
      source,
      at: end,
      kind: 'crossfade',
      lengthMs: 40,
    })),
    moves: spans('moves').map((one, i) => ({
      ...one,
      id: `m${i}`,
      kind: i % 2 ? 'push' : 'punch-in',
      scale: 1.2,
      focus: null,
      ...decided,
    })),
    flaws: spans('flaws').map((one, i) => ({ ...one, kind: i % 2 ? 'black' : 'frozen' })),
    layers: spans('layers').map((span, i) =>
      i % 2
        ? { id: `l${i}`, kind: 'lower-third', title: 'Ada', line: 'Ray', span, on: true }
        : {
            id: `l${i}`,
            kind: 'b-roll',
            assetId: clip,
            fromMs: 0,
            focus: { x: 0.5, y: 0.5 },
            sound: { gain: -12, duck: 8 },
            span,
            on: true,
          },
    ),
    captions: {
      ...whole.captions,
      tour: full.rooms
        ? {
            address: '1 Main St',
            price: '$1',
            beds: '1',
            baths: '1',
            rooms: spans('rooms').map((one, i) => ({ ...one, id: `o${i}`, name: 'Hall' })),
          }
        : null,
    },
  }
}
