import { toast } from 'sonner'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Clip } from '@clear-to-post/contract/clips'
import { clipSpeeds } from '@clear-to-post/edit/clip-time'
import {
  bRollOf,
  coverWords,
  focusLayer,
  moveLayer,
  removeLayer,
  setLayerEdge,
  setLayerSpeed,
  shownMs,
  type BRoll,
} from '@clear-to-post/edit/commands/layers'
import { setSticker, type StickerPart } from '@clear-to-post/edit/commands/effects'
import { setPinned } from '@clear-to-post/edit/commands/pictures'
import type { Command } from '@clear-to-post/edit/commands/command'
import type { Edge } from '@clear-to-post/edit/commands/trims'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Layer, Recipe } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { preciseClock } from '../../ui/player-time.ts'
import { windowsFor } from './layer-windows.ts'
import { messages } from './messages.ts'
import { atFrame, type TimelinePlayer } from './timeline-player.ts'
import type { PinnedHand } from './pinned-on-picture.tsx'
import type { Bar, TrackHand } from './track.tsx'
import type { Workbench } from './use-bench.ts'
import { fileOf } from './use-clips.ts'
import type { Held, Hold } from './use-held.ts'
import { effectWords } from './words/effects.ts'

type Holding = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  clips: ReadonlyMap<string, Clip>
  /** The project's files, by id: its music has its name from there. */
  songs: ReadonlyMap<string, Asset>
  held: Held | null
  hold: Hold
}

/** What lies over the video, B-roll, pictures and titles: which layer is in hand, and what is done with it. */
export const useLayers = ({ bench, timeline, player, clips, songs, held, hold }: Holding) => {
  const { recipe, change, mayWrite } = bench
  const chosen = held?.kind === 'layer' ? held : null
  const all = bRollOf(recipe)
  const layer = recipe.layers.find(({ id }) => id === chosen?.id)
  const titleOf = (one: Layer): string => {
    if (one.kind === 'lower-third') return one.title || one.line || messages.emptyTitle
    if (one.kind === 'logo') return messages.logo
    if (one.kind === 'sticker') return effectWords.sticker[one.name]
    if (one.kind === 'music') return songs.get(one.assetId)?.fileName ?? messages.musicGone
    if (one.kind === 'sound') return effectWords.effect[one.name]
    return clips.get(one.assetId)?.title ?? messages.clipGone
  }
  const seekTo = (frame: number) => {
    player.pause()
    player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
  }
  const choose = (id: string, edge: Edge | null = null) => {
    hold({ kind: 'layer', id, edge })
    const found = recipe.layers.find((one) => one.id === id)
    const [first] = found && edge === null ? windowsFor(found, timeline) : []
    if (first) seekTo(first.from)
  }
  const setEdge = (id: string, edge: 'from' | 'to', frame: number, merge: string) => {
    const found = recipe.layers.find((one) => one.id === id)
    const clip = found?.kind === 'b-roll' ? clips.get(found.assetId) : undefined
    if (!found || !mayWrite || (found.kind === 'b-roll' && !clip)) return
    change(messages.did.layerEdge(found.kind), setLayerEdge(id, edge, frame, clip && fileOf(clip)), merge)
    seekTo(Math.max(0, edge === 'from' ? frame : frame - 1))
  }
  const move = (id: string, by: number, merge: string) => {
    const found = recipe.layers.find((one) => one.id === id)
    if (found && mayWrite) change(messages.did.layerMoved(found.kind), moveLayer(id, by), merge)
  }
  const remove = (id: string) => {
    const found = recipe.layers.find((one) => one.id === id)
    if (!found || !mayWrite) return
    change(messages.did.layerGone(found.kind), removeLayer(id))
    hold(null)
  }
  /** Moves the end in hand, or the whole layer, by frames. */
  const nudge = (by: number) => {
    if (!layer?.span) return
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
  /** Of the layer in hand its start, then its end, then all of it. */
  const takeEnd = () => {
    if (!layer?.span) return
    const edge = chosen?.edge ?? null
    hold({ kind: 'layer', id: layer.id, edge: edge === null ? 'from' : edge === 'from' ? 'to' : null })
  }
  /** A layer that the last command added, in hand. */
  const add = (name: string, command: Command) => {
    if (!mayWrite) return
    const next = command(recipe)
    const fresh = next.layers.find(({ id }) => !recipe.layers.some((one) => one.id === id))
    if (!fresh) return void toast.info(messages.noRoomForLayer)
    change(name, command)
    hold({ kind: 'layer', id: fresh.id, edge: null })
    const [first] = windowsFor(fresh, timeline)
    if (fresh.span && first) seekTo(first.from)
  }
  const barsOf = (...kinds: Layer['kind'][]) =>
    recipe.layers.flatMap((one): Bar[] => {
      if (!kinds.includes(one.kind)) return []
      const windows = windowsFor(one, timeline)
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
          ends: one.span
            ? {
                from: { value: first.from, min: 0, max: last.to - 1, text: time(first.from) },
                to: { value: last.to, min: first.from + 1, max: timeline.frames, text: time(last.to) },
              }
            : undefined,
        },
      ]
    })
  const bRollInHand = mayWrite && layer?.kind === 'b-roll' ? layer : undefined
  const stickerInHand = mayWrite && layer?.kind === 'sticker' ? layer : undefined
  const stick = (part: StickerPart, merge: string) =>
    stickerInHand && change(effectWords.did.stickerSet, setSticker(stickerInHand.id, part), merge)
  /** Where B-roll in hand is pointed. */
  const focus = (point: BRoll['focus'], merge: string) =>
    bRollInHand && change(messages.did.focus, focusLayer(bRollInHand.id, point), merge)
  /** B-roll in hand goes a step faster or slower. */
  const speedBy = (by: 1 | -1) => {
    const clip = bRollInHand && clips.get(bRollInHand.assetId)
    if (!bRollInHand || !clip || fileOf(clip).durationMs === null) return void toast.info(messages.noBRollInHand)
    const speed = within((bRollInHand.speed ?? 1) + by * speedStep)
    change(
      messages.did.layerSpeed(speed),
      setLayerSpeed(bRollInHand.id, speed, fileOf(clip)),
      `speed ${bRollInHand.id}`,
    )
  }
  const pinnedHand = (one: Layer): PinnedHand | undefined =>
    mayWrite && one.id === layer?.id && (one.kind === 'picture' || one.kind === 'logo')
      ? {
          title: titleOf(one),
          set: (part, merge) =>
            change(part.place ? messages.did.pinnedPlace : messages.did.pinnedSize, setPinned(one.id, part), merge),
        }
      : undefined
  const hand: TrackHand = { hold: choose, setEnd: setEdge, move }
  const inHand = layer && chosen ? { id: layer.id, edge: chosen.edge } : null
  return {
    all,
    layer,
    barsOf,
    hand,
    held: inHand,
    titleOf,
    bRollInHand,
    stickerInHand,
    stick,
    focus,
    speedBy,
    pinnedHand,
    choose,
    hold: (id: string) => hold({ kind: 'layer', id, edge: null }),
    seekTo,
    takeEnd,
    add,
    remove,
    nudge,
    cover,
  }
}

const within = (speed: number) => Math.max(clipSpeeds.least, Math.min(clipSpeeds.most, speed))

/** So much faster or slower a clip is played by one step. */
export const speedStep = 0.25

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
