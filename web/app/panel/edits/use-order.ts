import { toast } from 'sonner'
import { stepWords } from '@clear-to-post/edit/commands/order'
import type { WordToken } from '@clear-to-post/edit/passages'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { secondsOf, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { InHand } from './use-in-hand.ts'
import { thingName } from './use-several.ts'
import { orderWords } from './words/order.ts'

type Parts = {
  bench: Workbench
  player: TimelinePlayer
  inHand: Pick<InHand, 'pieces' | 'several'>
  /** The words that are selected. */
  words: readonly WordToken[]
}

/** Plays what is chosen one place earlier or later: passages in hand, else the selected words, past a passage or a sentence. */
export const useOrder = ({ bench, player, inHand: { pieces, several }, words }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const heard = words.filter(({ out }) => !out)
  const stepPassages = (by: 1 | -1) => {
    const own = several.count > 0 ? several.pieces.toSorted((a, b) => a - b) : [Number(pieces.held!.id)]
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) return void toast.info(orderWords.nothing)
    if (last - first >= own.length) return void toast.info(orderWords.noRow)
    const at = pieces.place(first, last, by < 0 ? first - 1 : last + 2)
    if (at === null) return void toast.info(by < 0 ? orderWords.isFirst : orderWords.isLast)
    if (several.count > 0)
      several.box(
        own.map((_, i) => thingName({ kind: 'piece', id: String(at + i) })),
        false,
      )
  }
  const stepHeard = (by: 1 | -1) => {
    const ids = heard.map(({ word }) => word.id)
    const command = stepWords(ids, by)
    const next = command(recipe)
    if (next === recipe) return void toast.info(by < 0 ? orderWords.isFirst : orderWords.isLast)
    player.pause()
    change(orderWords.did.words(ids.length), command)
    const { source, start } = heard[0]!.word
    const seconds = secondsOf(timelineOf(next), source, start)
    // When the player has the new timeline.
    if (seconds !== null) requestAnimationFrame(() => player.seek(seconds))
  }
  return {
    step: (by: 1 | -1) => {
      if (!mayWrite) return
      if (several.count > 0 || pieces.held) stepPassages(by)
      else if (heard.length > 0) stepHeard(by)
      else toast.info(orderWords.nothing)
    },
    /** Words are selected that are heard. */
    mayMoveWords: mayWrite && heard.length > 0,
    stepHeard,
  }
}

export type Order = ReturnType<typeof useOrder>
