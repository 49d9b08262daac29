import { toast } from 'sonner'
import { keepOf } from '@clear-to-post/edit/commands/passage'
import { setSteady, setSteadyOf, steadyOf } from '@clear-to-post/edit/commands/steady'
import { shownAt, type Timeline } from '@clear-to-post/edit/timeline'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import { useSteadyState } from './use-steady.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.steady

type Holding = {
  bench: Workbench
  projectId: string
  timeline: Timeline
  player: TimelinePlayer
  /** Passages in hand, or of the selected words. */
  chosen: readonly number[]
}

/** Whether the picture is held steady: that of the chosen passages, else of the recording that is seen. */
export const useHeldSteady = ({ bench, projectId, timeline, player, chosen }: Holding) => {
  const { recipe, change, mayWrite } = bench
  const state = useSteadyState(projectId, recipe)
  const seen = () => shownAt(timeline, frameOf(player.time(), timeline.fps))[0]?.piece ?? timeline.pieces[0]
  const now = (): boolean => {
    const piece = seen()
    if (chosen.length > 0) return steadyOf(recipe, chosen) ?? false
    return piece ? (keepOf(recipe, piece)?.steady ?? false) : false
  }
  const set = (on: boolean) => {
    const piece = seen()
    if (!mayWrite || (chosen.length === 0 && !piece)) return void toast.info(words.nothing)
    const what = chosen.length > 0 ? setSteady(chosen, on) : setSteadyOf(piece!.source, on)
    change(on ? words.did.on : words.did.off, what)
  }
  /** What is seen changes without React: who shows it asks here. */
  const seenNow = () => seen()?.keep
  return { chosen, now, state, onSeen: player.onTime, seenNow, set, toggle: () => set(!now()) }
}

export type HeldSteady = ReturnType<typeof useHeldSteady>
