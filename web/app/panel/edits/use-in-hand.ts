import type { Clip } from '@clear-to-post/contract/clips'
import type { Workbench } from './use-bench.ts'
import { useCaptionPages } from './use-caption-pages.ts'
import { useCopies } from './use-copies.ts'
import { useHeld } from './use-held.ts'
import { useLayers } from './use-layers.ts'
import { useMoves } from './use-moves.ts'
import { usePerson } from './use-person.ts'
import { usePieces } from './use-pieces.ts'
import type { PreviewParts } from './use-preview.ts'
import { useSeveral } from './use-several.ts'

type Parts = { bench: Workbench; preview: PreviewParts; clips: ReadonlyMap<string, Clip> }

/** What an editor has in hand beside the words: a thing of one track, several of them, or something on the picture. */
export const useInHand = ({ bench, preview, clips }: Parts) => {
  const { timeline, player } = preview
  const [held, hold] = useHeld()
  const layers = useLayers({ bench, timeline, player, clips, songs: preview.assets, held, hold })
  const pieces = usePieces({ bench, timeline, player, held, hold })
  const several = useSeveral({ bench, timeline, held, hold })
  const captions = useCaptionPages({ bench, preview, held, hold })
  const moves = useMoves({ bench, preview, held, hold })
  const person = usePerson({ bench, preview, held, hold })
  const letGo = () => {
    hold(null)
    several.clear()
  }
  const copies = useCopies({ bench, timeline, player, layers, several, letGo })
  return {
    layers,
    pieces,
    several,
    captions,
    moves,
    person,
    copies,
    /** There is something that Delete would take out. */
    isRemovable: Boolean(several.count > 0 || pieces.held || layers.layer || moves.move),
    letGo,
    /** Moves it by frames. `rolls`: the neighbour gives or takes as much. */
    nudge: (frames: number, rolls = false) => {
      if (several.count > 0) several.nudge(frames)
      else if (captions.held) captions.nudge(frames)
      else if (pieces.held) pieces.nudge(frames, rolls)
      else if (!rolls) layers.nudge(frames)
    },
    remove: () => {
      if (several.count > 0) several.remove()
      else if (moves.move) moves.remove()
      else if (pieces.held) pieces.remove()
      else if (layers.layer) layers.remove(layers.layer.id)
    },
    /** The next end of it; where no layer is in hand, of the passage under the playhead. */
    takeEnd: () => (layers.layer ? layers.takeEnd() : pieces.take()),
  }
}

export type InHand = ReturnType<typeof useInHand>
