import type { Recipe } from '../recipe.ts'
import { timelineOf, type Piece, type Timeline } from '../timeline.ts'
import type { Command } from './command.ts'
import { setSound } from './ending.ts'
import { longestFadeMs } from '../voice-fades.ts'
import { keepOf, withPassage } from './passage.ts'

/** How far a passage is made quieter or louder than it was recorded, dB. */
export const gainRange = [-24, 12] as const

/** Cleans the voice, or leaves it as it was recorded. */
export const setClean =
  (on: boolean): Command =>
  (recipe) => {
    if ((recipe.sound.clean ?? false) === on) return recipe
    const { clean: _, ...sound } = recipe.sound
    return on ? setSound({ clean: true })(recipe) : { ...recipe, sound }
  }

/** Has the room go on under cuts, cards and what is quieter, or leaves it out there. */
export const setTone =
  (on: boolean): Command =>
  (recipe) => {
    if ((recipe.sound.tone ?? false) === on) return recipe
    const { tone: _, ...sound } = recipe.sound
    return on ? setSound({ tone: true })(recipe) : { ...recipe, sound }
  }

/** How much louder or quieter a passage of the timeline is than it was recorded, dB. */
export const gainOf = (recipe: Pick<Recipe, 'keep'>, piece: Pick<Piece, 'keep'>): number =>
  keepOf(recipe, piece)?.gain ?? 0

/** Sets how loud these passages of the timeline are, beside how they were recorded; whole decibels. Their neighbours stay as they are. */
export const setGain =
  (indexes: readonly number[], db: number): Command =>
  (recipe) => {
    const gain = Math.max(gainRange[0], Math.min(gainRange[1], Math.round(db)))
    const pieces = timelineOf(recipe).pieces
    return indexes.reduce((next, index) => {
      const piece = pieces[index]
      return piece && gainOf(next, pieceOf(next, index)) !== gain ? withGain(next, index, gain) : next
    }, recipe)
  }

/** Makes these passages louder or quieter by so many decibels, each from where it is. */
export const addGain =
  (indexes: readonly number[], by: number): Command =>
  (recipe) => {
    const { pieces } = timelineOf(recipe)
    return indexes.reduce((next, index) => {
      const piece = pieces[index]
      return piece ? setGain([index], gainOf(recipe, piece) + by)(next) : next
    }, recipe)
  }

/** How long the voice of a passage of the timeline comes up at its start, or goes at its end, ms; 0: at once. */
export const fadeOf = (recipe: Pick<Recipe, 'keep'>, piece: Pick<Piece, 'keep'>, edge: FadeEdge): number =>
  keepOf(recipe, piece)?.[edge] ?? 0

export type FadeEdge = 'fadeInMs' | 'fadeOutMs'

/** Has the voice of these passages come up, or go, over so many milliseconds; 0: at once. Their neighbours stay as they are. */
export const setFade =
  (indexes: readonly number[], edge: FadeEdge, ms: number): Command =>
  (recipe) => {
    const length = Math.max(0, Math.min(longestFadeMs, Math.round(ms)))
    return indexes.reduce((next, index) => {
      const { pieces } = timelineOf(next)
      const piece = pieces[index]
      if (!piece) return next
      // An inner piece of a passage begins and ends at once, whatever the passage does at its own ends.
      const isEnd = pieces[edge === 'fadeInMs' ? index - 1 : index + 1]?.keep !== piece.keep
      if ((isEnd ? fadeOf(next, piece, edge) : 0) === length) return next
      return withPassage(next, index, (keep) => {
        const { [edge]: _, ...bare } = keep
        return length === 0 ? bare : { ...bare, [edge]: length }
      })
    }, recipe)
  }

/** The passages that are heard while one of these words is: places in the order of playing. */
export const piecesOfWords = (
  timeline: Timeline,
  spoken: readonly { word: { id: string }; piece: number }[],
  ids: Iterable<string>,
): number[] => {
  const wanted = new Set(ids)
  const found = new Set(spoken.flatMap(({ word, piece }) => (wanted.has(word.id) ? [piece] : [])))
  return timeline.pieces.flatMap(({ index }) => (found.has(index) ? [index] : []))
}

const pieceOf = (recipe: Recipe, index: number): Piece => timelineOf(recipe).pieces[index]!

const withGain = (recipe: Recipe, index: number, gain: number): Recipe =>
  withPassage(recipe, index, (keep) => {
    const { gain: _, ...bare } = keep
    return gain === 0 ? bare : { ...bare, gain }
  })
