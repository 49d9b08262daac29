import type { Beat } from '../beats.ts'
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
export const musicRange = {
  gain: [-40, 0],
  duck: [0, 30],
  fadeOutMs: [0, 5000],
  fadeInMs: [0, 5000],
  fromMs: [0, 600_000],
} as const

/** Chooses the piece, keeping how loud it is; null: none. */
export const chooseMusic =
  (assetId: string | null): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if ((music?.assetId ?? null) === assetId) return recipe
    // The beat is the other piece's.
    const { beat: _, ...kept } = music ?? {}
    return setSound({ music: assetId === null ? null : { ...quiet, ...kept, assetId } })(recipe)
  }

/** How loud the music is, how much lower under speech, how long it fades in and out, and where in the piece it begins. */
export const setMusic =
  (part: Partial<Omit<Music, 'assetId' | 'once' | 'beat'>>): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if (!music) return recipe
    const next = { ...music, ...part }
    for (const key of ['gain', 'duck', 'fadeOutMs', 'fadeInMs', 'fromMs'] as const) {
      const value = next[key]
      if (value !== undefined) next[key] = Math.max(musicRange[key][0], Math.min(musicRange[key][1], Math.round(value)))
    }
    return JSON.stringify(next) === JSON.stringify(music) ? recipe : setSound({ music: next })(recipe)
  }

/** Whether the music is heard once, with the fade at its own end, or again and again until the video ends. */
export const setMusicOnce =
  (once: boolean): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if (!music || (music.once ?? false) === once) return recipe
    const { once: _, ...bare } = music
    return setSound({ music: once ? { ...bare, once: true } : bare })(recipe)
  }

/** Has the video end on a beat of the music; null: wherever the music is then. */
export const endOnBeat =
  (beat: Beat | null): Command =>
  (recipe) => {
    const { music } = recipe.sound
    if (!music || JSON.stringify(music.beat ?? null) === JSON.stringify(beat)) return recipe
    const { beat: _, ...bare } = music
    return setSound({ music: beat ? { ...bare, beat } : bare })(recipe)
  }
