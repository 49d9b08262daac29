import { useState } from 'react'
import { toast } from 'sonner'
import type { Clip } from '@clear-to-post/contract/clips'
import {
  bRollOf,
  coverWords,
  moveLayer,
  removeLayer,
  setLayerEdge,
  shownMs,
  type BRoll,
} from '@clear-to-post/edit/commands/layers'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { messages } from './messages.ts'
import { atFrame, type TimelinePlayer } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import { fileOf } from './use-clips.ts'

/** An end of a layer; with neither the whole of it is in hand. */
export type LayerEdge = 'from' | 'to' | null

type Hold = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  clips: ReadonlyMap<string, Clip>
}

/** The B-roll of the edit: which layer is in hand, and what is done with it. */
export const useLayers = ({ bench, timeline, player, clips }: Hold) => {
  const { recipe, change, mayWrite } = bench
  const [chosen, setChosen] = useState<{ id: string; edge: LayerEdge } | null>(null)
  const all = bRollOf(recipe)
  const layer = all.find(({ id }) => id === chosen?.id)
  const titleOf = ({ assetId }: BRoll) => clips.get(assetId)?.title ?? messages.clipGone
  const seekTo = (frame: number) => {
    player.pause()
    player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
  }
  const choose = (id: string | null, edge: LayerEdge = null) => {
    setChosen(id === null ? null : { id, edge })
    const found = all.find((one) => one.id === id)
    const [first] = found && edge === null ? windowsOf(timeline, found.span) : []
    if (first) seekTo(first.from)
  }
  const setEdge = (id: string, edge: 'from' | 'to', frame: number, merge: string) => {
    const found = all.find((one) => one.id === id)
    const clip = found && clips.get(found.assetId)
    if (!found || !clip || !mayWrite) return
    change(messages.did.layerEdge, setLayerEdge(id, edge, frame, fileOf(clip)), merge)
    seekTo(Math.max(0, edge === 'from' ? frame : frame - 1))
  }
  const move = (id: string, by: number, merge: string) => {
    if (mayWrite) change(messages.did.layerMoved, moveLayer(id, by), merge)
  }
  const remove = (id: string) => {
    if (!mayWrite) return
    change(messages.did.layerGone, removeLayer(id))
    setChosen(null)
  }
  /** Moves the end in hand, or the whole layer, by frames. */
  const nudge = (by: number) => {
    if (!layer) return
    const windows = windowsOf(timeline, layer.span)
    const [first, last] = [windows[0], windows.at(-1)]
    if (!first || !last) return
    const merge = `nudge ${layer.id} ${chosen?.edge}`
    if (chosen?.edge === 'from') setEdge(layer.id, 'from', first.from + by, merge)
    else if (chosen?.edge === 'to') setEdge(layer.id, 'to', last.to + by, merge)
    else move(layer.id, by, merge)
  }
  const cover = (words: readonly WordToken[], clip: Clip) => {
    const ids = words.map(({ word }) => word.id)
    const file = fileOf(clip)
    const covered = coverWords(ids, file)(recipe)
    const fresh = addedTo(recipe, covered)
    if (fresh.length === 0) {
      toast.info(messages.coverNothing)
      return
    }
    change(messages.did.covered(clip.title), coverWords(ids, file))
    const wanted = sumShown(recipe, addedTo(recipe, coverWords(ids, { ...file, durationMs: null })(recipe)))
    const has = sumShown(recipe, fresh)
    // A frame more or less is nobody's concern.
    if (has < wanted - 50) toast.info(messages.coverShortened(has, wanted))
    setChosen({ id: fresh[0]!.id, edge: null })
    const [first] = windowsOf(timeline, fresh[0]!.span)
    if (first) seekTo(first.from)
  }
  return { all, layer, edge: chosen?.edge ?? null, titleOf, choose, setEdge, move, remove, nudge, cover }
}

export type Layers = ReturnType<typeof useLayers>

const addedTo = (before: Recipe, after: Recipe): BRoll[] => {
  const known = new Set(before.layers.map(({ id }) => id))
  const last = after.layers.at(-1)
  // What was parted to make room is no new one: a fresh layer shows what the last one shows.
  return bRollOf(after).filter(
    ({ id, assetId }) => !known.has(id) && last?.kind === 'b-roll' && last.assetId === assetId,
  )
}

const sumShown = (recipe: Recipe, layers: readonly BRoll[]): number =>
  layers.reduce((sum, { span }) => sum + shownMs(recipe, span), 0)
