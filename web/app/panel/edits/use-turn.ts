import { toast } from 'sonner'
import { keepOf } from '@clear-to-post/edit/commands/passage'
import { setTurn, setTurnOf, turnOf } from '@clear-to-post/edit/commands/straighten'
import { mostTurn } from '@clear-to-post/edit/framing'
import { shownAt, type Timeline } from '@clear-to-post/edit/timeline'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.straight

type Turning = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  /** Passages in hand, or of the selected words. */
  chosen: readonly number[]
}

/** How the picture is turned: that of the chosen passages, else of the recording that is seen. */
export const useTurn = ({ bench, timeline, player, chosen }: Turning) => {
  const { recipe, change, mayWrite } = bench
  const seen = () => shownAt(timeline, frameOf(player.time(), timeline.fps))[0]?.piece ?? timeline.pieces[0]
  const own = turnOf(recipe, chosen)
  const now = () => {
    const piece = seen()
    return chosen.length > 0 ? own : piece ? (keepOf(recipe, piece)?.turn ?? 0) : null
  }
  const set = (degrees: number) => {
    const piece = seen()
    if (!mayWrite || (chosen.length === 0 && !piece)) return void toast.info(words.nothing)
    const turn = Math.max(-mostTurn, Math.min(mostTurn, degrees))
    const what = chosen.length > 0 ? setTurn(chosen, turn) : setTurnOf(piece!.source, turn)
    change(words.did.turn(words.degrees(turn)), what, `turn ${chosen.join(' ') || piece?.source}`)
  }
  /** What is seen changes without React: who shows it asks here. */
  const seenNow = () => seen()?.keep
  return { chosen, now, onSeen: player.onTime, seenNow, set, by: (degrees: number) => set((now() ?? 0) + degrees) }
}

export type Turn = ReturnType<typeof useTurn>
