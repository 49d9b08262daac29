import type { z } from 'zod'
import type { Command } from './commands/command.ts'
import type * as schema from './read-look.ts'
import type { Card, Move, Recipe } from './recipe.ts'

/**
 * A look: what of an edit is taste and not content. Captions' style and its settings, how long cards stand and what they
 * ask for, the music and how loud, colours, and how near moves come. It goes from one edit to another.
 */
export type Look = z.infer<typeof schema.Look>

type CardLook = NonNullable<Look['close']>

const kinds = ['punch-in', 'push'] as const

/** The look of an edit. */
export const lookOf = ({ captions, open, close, sound, colour, moves }: Recipe): Look => {
  const { on, style, position, size, colour: mark } = captions
  const { loudness, clean, music } = sound
  const habits = kinds.flatMap((kind) => {
    const own = moves.filter((move) => move.kind === kind)
    const scales = own.filter((move) => move.on).map(({ scale }) => scale)
    return own.length > 0 ? [[kind, middleOf(scales)] as const] : []
  })
  return {
    version: 1,
    captions: { on, style, position, size, colour: mark },
    open: open && cardLook(open),
    close: close && cardLook(close),
    sound: { loudness, ...(clean ? { clean } : {}), music },
    colour,
    moves: Object.fromEntries(habits),
  }
}

/**
 * Gives an edit a look, in one step; the same edit when it has it already. `has`: whether the edit may play a piece of
 * music; one that it may not leaves the edit's own, with the look's loudness. Texts of cards' titles stay the edit's, and
 * so do moves that a person set.
 */
export const applyLook =
  (look: Look, has: (assetId: string) => boolean): Command =>
  (recipe) => {
    const { clean, loudness } = look.sound
    const { clean: _, ...sound } = recipe.sound
    const next: Recipe = {
      ...recipe,
      captions: { ...recipe.captions, ...look.captions },
      open: withCard(recipe.open, look.open),
      close: withCard(recipe.close, look.close),
      sound: { ...sound, loudness, ...(clean ? { clean } : {}), music: musicOf(recipe, look, has) },
      colour: look.colour,
      moves: recipe.moves.map((move) => (move.by === 'rule' ? inHabit(move, look.moves[move.kind]) : move)),
    }
    return sameText(next, recipe) ? recipe : next
  }

/**
 * A look for somebody's next first cut: as the last one was, but in the caption style that was asked for this time. What
 * was set for another style is left out.
 */
export const withStyle = (look: Look, style: Look['captions']['style']): Look =>
  look.captions.style === style
    ? look
    : { ...look, captions: { on: look.captions.on, style, position: null, size: 1, colour: look.captions.colour } }

const cardLook = ({ on, lengthMs, call }: Card): CardLook => ({ on, lengthMs, call })

const withCard = (card: Card | null, look: CardLook | null): Card | null => {
  if (!look) return card && { ...card, on: false }
  return { title: '', ...card, ...look }
}

const musicOf = ({ sound }: Recipe, { sound: { music } }: Look, has: (assetId: string) => boolean) => {
  if (!music) return null
  if (has(music.assetId)) return music
  // Another piece begins and ends elsewhere.
  const { gain, duck, fadeOutMs, fadeInMs } = music
  return sound.music && { ...sound.music, gain, duck, fadeOutMs, ...(fadeInMs === undefined ? {} : { fadeInMs }) }
}

const inHabit = (move: Move, habit: number | null | undefined): Move => {
  if (habit === undefined) return move
  return habit === null ? { ...move, on: false } : { ...move, on: true, scale: habit }
}

/** The middle one; null of none. */
const middleOf = (values: number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null

// A document that came from the service has its keys in another order.
const sameText = (one: Recipe, other: Recipe): boolean =>
  canonical(one.captions) === canonical(other.captions) &&
  canonical(one.sound) === canonical(other.sound) &&
  canonical([one.open, one.close, one.colour, one.moves]) ===
    canonical([other.open, other.close, other.colour, other.moves])

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
