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
import type { Edge } from '@clear-to-post/edit/commands/trims'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { preciseClock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'
import { atFrame, type TimelinePlayer } from './timeline-player.ts'
import type { Bar, TrackHand } from './track.tsx'
import type { Workbench } from './use-bench.ts'
import { fileOf } from './use-clips.ts'
import type { Held, Hold } from './use-held.ts'

type Holding = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  clips: ReadonlyMap<string, Clip>
  held: Held | null
  hold: Hold
}

/** The B-roll of the edit: which layer is in hand, and what is done with it. */
export const useLayers = ({ bench, timeline, player, clips, held, hold }: Holding) => {
  const { recipe, change, mayWrite } = bench
  const chosen = held?.kind === 'layer' ? held : null
  const all = bRollOf(recipe)
  const layer = all.find(({ id }) => id === chosen?.id)
  const titleOf = ({ assetId }: BRoll) => clips.get(assetId)?.title ?? messages.clipGone
  const seekTo = (frame: number) => {
    player.pause()
    player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
  }
  const choose = (id: string, edge: Edge | null = null) => {
    hold({ kind: 'layer', id, edge })
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
    hold(null)
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
    hold({ kind: 'layer', id: fresh[0]!.id, edge: null })
    const [first] = windowsOf(timeline, fresh[0]!.span)
    if (first) seekTo(first.from)
  }
  const bars = all.flatMap((one): Bar[] => {
    const windows = windowsOf(timeline, one.span)
    const [first, last] = [windows[0], windows.at(-1)]
    if (!first || !last) return []
    const title = titleOf(one)
    const time = (frame: number) => preciseClock(atFrame(frame, timeline.fps))
    return [
      {
        id: one.id,
        title,
        label: messages.layerAt(title, time(first.from), time(last.to), one.on),
        windows,
        isOff: !one.on,
        ends: {
          from: { value: first.from, min: 0, max: last.to - 1, text: time(first.from) },
          to: { value: last.to, min: first.from + 1, max: timeline.frames, text: time(last.to) },
        },
      },
    ]
  })
  const hand: TrackHand = { hold: choose, setEnd: setEdge, move }
  const inHand = layer && chosen ? { id: layer.id, edge: chosen.edge } : null
  return { all, layer, bars, hand, held: inHand, titleOf, choose, remove, nudge, cover }
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
