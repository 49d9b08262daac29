import { useState } from 'react'
import { toast } from 'sonner'
import { copiesOf, duplicated, pasted, type Copy, type Pasted } from '@clear-to-post/edit/commands/copies'
import { removeSeveral } from '@clear-to-post/edit/commands/several'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'
import { thingName, type SeveralInHand } from './use-several.ts'
import { copyWords } from './words/copies.ts'

type Parts = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  layers: Layers
  several: SeveralInHand
  letGo: () => void
}

/** Layers that were copied, as long as the bench is open, and what is done with them: pasted at the playhead, duplicated. */
export const useCopies = ({ bench, timeline, player, layers, several, letGo }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const [kept, keep] = useState<readonly Copy[]>([])
  const chosen = several.count > 0 ? several.layers : layers.layer ? [layers.layer.id] : []
  const nameOf = (copies: readonly Copy[]) =>
    copies.length === 1 ? `“${layers.titleOf(copies[0]!.layer)}”` : copyWords.layers(copies.length)
  /** What of what is in hand can be copied; where nothing can, it is said why. */
  const inHand = () => {
    const copies = copiesOf(recipe, chosen)
    if (copies.length === 0) toast.info(chosen.length > 0 ? copyWords.noPlace : copyWords.nothingInHand)
    return copies
  }
  const copy = () => {
    const copies = inHand()
    if (copies.length === 0) return copies
    keep(copies)
    toast.success(copyWords.copied(nameOf(copies)))
    return copies
  }
  const put = (name: string, how: (recipe: Recipe) => Pasted) => {
    const result = how(recipe)
    if (result.why) return void toast.info(copyWords.why[result.why])
    change(name, (now) => {
      const again = how(now)
      return again.why ? now : again.recipe
    })
    if (result.isShorter) toast.info(copyWords.shorter)
    const [first] = result.ids
    if (result.ids.length > 1)
      several.box(
        result.ids.map((id) => thingName({ kind: 'layer', id })),
        false,
      )
    else {
      several.clear()
      layers.hold(first!)
    }
    const from = Math.min(
      ...result.recipe.layers.flatMap(({ id, span }) =>
        span && result.ids.includes(id) ? windowsOf(timeline, span).map((window) => window.from) : [],
      ),
    )
    layers.seekTo(from)
  }
  return {
    /** Something in hand can be copied. */
    isCopyable: chosen.length > 0,
    isPastable: mayWrite && kept.length > 0,
    copy: () => void copy(),
    cut: () => {
      const copies = mayWrite ? copy() : []
      if (copies.length === 0) return
      // Passages that are in hand with them stay: they were not copied.
      change(
        copyWords.did.cut(nameOf(copies)),
        removeSeveral({ pieces: [], layers: copies.map(({ layer }) => layer.id) }),
      )
      letGo()
    },
    paste: () => {
      if (!mayWrite) return
      if (kept.length === 0) return void toast.info(copyWords.nothingCopied)
      player.pause()
      const frame = frameOf(player.time(), timeline.fps)
      put(copyWords.did.pasted(nameOf(kept)), (now) => pasted(now, kept, frame))
    },
    duplicate: () => {
      const copies = mayWrite ? inHand() : []
      if (copies.length > 0) put(copyWords.did.duplicated(nameOf(copies)), (now) => duplicated(now, chosen))
    },
  }
}

export type Copies = ReturnType<typeof useCopies>
