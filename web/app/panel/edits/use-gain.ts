import { useMemo } from 'react'
import { addGain, gainOf, piecesOfWords, setGain } from '@clear-to-post/edit/commands/sound'
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
  const gains = new Set(chosen.flatMap((index) => timeline.pieces[index] ?? []).map((piece) => gainOf(recipe, piece)))
  const [gain] = gains
  return {
    chosen,
    /** Of all chosen ones, dB; null where they differ or nothing is chosen. */
    gain: gains.size === 1 ? gain! : null,
    set: (db: number) => {
      if (mayWrite && chosen.length > 0)
        change(soundWords.did.gain(db), setGain(chosen, db), `gain ${chosen.join(' ')}`)
    },
    add: (by: number) => {
      if (mayWrite && chosen.length > 0)
        change(by > 0 ? soundWords.did.louder : soundWords.did.quieter, addGain(chosen, by), `gain ${chosen.join(' ')}`)
    },
  }
}

export type Gain = ReturnType<typeof useGain>
