import { useMemo } from 'react'
import {
  addGain,
  fadeOf,
  gainOf,
  piecesOfWords,
  setFade,
  setGain,
  type FadeEdge,
} from '@clear-to-post/edit/commands/sound'
import type { WordToken } from '@clear-to-post/edit/passages'
import { spokenWords, type Timeline } from '@clear-to-post/edit/timeline'
import type { Workbench } from './use-bench.ts'
import type { Pieces } from './use-pieces.ts'
import { soundWords } from './words/sound.ts'

type Choosing = {
  bench: Workbench
  timeline: Timeline
  pieces: Pieces
  /** Passages that are in hand together. */
  several: readonly number[]
  words: readonly WordToken[]
}

/** How loud the chosen passages are: those in hand, else those of the selected words. */
export const useGain = ({ bench, timeline, pieces, several, words }: Choosing) => {
  const { recipe, change, mayWrite } = bench
  const spoken = useMemo(() => spokenWords(recipe, timeline), [recipe, timeline])
  const inHand = pieces.held ? [Number(pieces.held.id)] : several
  const chosen = inHand.length
    ? inHand
    : piecesOfWords(
        timeline,
        spoken,
        words.map(({ word }) => word.id),
      )
  const passages = chosen.flatMap((index) => timeline.pieces[index] ?? [])
  const gains = new Set(passages.map((piece) => gainOf(recipe, piece)))
  const [gain] = gains
  const fade = (edge: FadeEdge) => Math.max(0, ...passages.map((piece) => fadeOf(recipe, piece, edge)))
  const setFades = (edge: FadeEdge, ms: number, isToggle = false) => {
    if (mayWrite && chosen.length > 0)
      change(soundWords.did[edge](ms), setFade(chosen, edge, ms), isToggle ? undefined : `${edge} ${chosen.join(' ')}`)
  }
  return {
    chosen,
    /** Of all chosen ones, dB; null where they differ or nothing is chosen. */
    gain: gains.size === 1 ? gain! : null,
    set: (db: number) => {
      if (mayWrite && chosen.length > 0)
        change(soundWords.did.gain(db), setGain(chosen, db), `gain ${chosen.join(' ')}`)
    },
    /** How long the voice of the chosen ones comes up, or goes, ms; the longest where they differ. */
    fade,
    setFade: setFades,
    toggleFade: (edge: FadeEdge) => setFades(edge, fade(edge) > 0 ? 0 : usualFadeMs, true),
    add: (by: number) => {
      if (mayWrite && chosen.length > 0)
        change(by > 0 ? soundWords.did.louder : soundWords.did.quieter, addGain(chosen, by), `gain ${chosen.join(' ')}`)
    },
  }
}

/** What is heard as a fade and not as a cut. */
const usualFadeMs = 600

export type Gain = ReturnType<typeof useGain>
