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

type Music = NonNullable<Recipe['sound']['music']>

/** What music begins with: under the voice, and gone when the video ends. */
const quiet = { gain: -12, duck: 12, fadeOutMs: 1500 } as const

/** How far each of the music's settings goes: decibels beside the voice, decibels lower under speech, and milliseconds. */
export const musicRange = { gain: [-40, 0], duck: [0, 30], fadeOutMs: [0, 5000] } as const

/** Chooses the piece, keeping how loud it is; null: none. */
export const chooseMusic =
  (assetId: string | null): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if ((music?.assetId ?? null) === assetId) return recipe
    return setSound({ music: assetId === null ? null : { ...quiet, ...music, assetId } })(recipe)
  }

/** How loud the music is, how much lower under speech, and how long it fades at the end. */
export const setMusic =
  (part: Partial<Omit<Music, 'assetId'>>): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if (!music) return recipe
    const next = { ...music, ...part }
    for (const key of ['gain', 'duck', 'fadeOutMs'] as const)
      next[key] = Math.max(musicRange[key][0], Math.min(musicRange[key][1], Math.round(next[key])))
    return JSON.stringify(next) === JSON.stringify(music) ? recipe : setSound({ music: next })(recipe)
  }
