import { toast } from 'sonner'
import { crossfadeOf, crossfades, setCrossfade } from '@clear-to-post/edit/commands/crossfades'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { Pieces } from './use-pieces.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.crossfade

type Fading = { bench: Workbench; timeline: Timeline; player: TimelinePlayer; pieces: Pieces }

/** How two passages meet: at the end in hand, before the passage in hand, else at the cut that is nearest to the playhead. */
export const useCrossfade = ({ bench, timeline, player, pieces: { held } }: Fading) => {
  const { recipe, change, mayWrite } = bench
  const { pieces } = timeline
  /** The place of the passage after the cut; null where there is none. */
  const here = (): number | null => {
    if (pieces.length < 2) return null
    if (held) return Math.max(1, Math.min(pieces.length - 1, Number(held.id) + (held.edge === 'to' ? 1 : 0)))
    const frame = frameOf(player.time(), timeline.fps)
    const away = (index: number) => Math.abs(pieces[index]!.at - frame)
    return pieces.reduce((best, _, index) => (index > 0 && away(index) < away(best) ? index : best), 1)
  }
  const set = (lengthMs: number, isToggle = false) => {
    const index = here()
    if (!mayWrite) return
    if (index === null) return void toast.info(words.noCut)
    const command = setCrossfade(index, lengthMs)
    const before = crossfadeOf(timeline, index)
    if (command(recipe) === recipe) return void (before === 0 && lengthMs > 0 && toast.info(words.noRoom))
    if (isToggle) change(lengthMs > 0 ? words.did.on : words.did.off, command)
    else change(words.did.length, command, `crossfade ${index}`)
  }
  const toggle = () => {
    const index = here()
    set(index !== null && crossfadeOf(timeline, index) > 0 ? 0 : crossfades.usual, true)
  }
  /** The nearest cut changes without React: who shows it asks here. */
  return { here, onSeen: player.onTime, set, toggle }
}

export type Crossfade = ReturnType<typeof useCrossfade>
