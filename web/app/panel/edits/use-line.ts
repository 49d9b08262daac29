import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { Edge } from '@clear-to-post/edit/commands/trims'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { beatsHeard } from '@clear-to-post/edit/music'
import { pieceSnapFrames, snapFrames } from '@clear-to-post/edit/snapping'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import type { PlayerMark } from '../../ui/player-ruler.tsx'
import { LineView } from './line-view.ts'
import { atFrame, frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Held } from './use-held.ts'

/** To what a drag is drawn, and which frames of what is dragged are drawn there; timeline frames. */
export type Snap = { targets: readonly number[]; moved: readonly number[] }

type LineParts = {
  recipe: Recipe
  timeline: Timeline
  player: TimelinePlayer
  marks: readonly PlayerMark[]
  /** How long the piece of music is; null where nobody knows. */
  pieceSeconds: number | null
}

/** How the line is looked at: its zoom, whether it follows the playhead, and what draws what is dragged. */
export const useLine = ({ recipe, timeline, player, marks, pieceSeconds }: LineParts) => {
  const [view] = useState(() => new LineView())
  const [snaps, setSnaps] = useState(true)
  // Not how near it is: whoever zooms draws nothing anew.
  const isZoomed = useSyncExternalStore(view.subscribe, () => view.zoom() > 1)
  const follows = useSyncExternalStore(view.subscribe, view.isFollowing)
  const share = useCallback((seconds: number) => seconds / Math.max(1e-3, player.state().duration), [player])
  useEffect(() => view.show(timeline.frames), [view, timeline])
  useEffect(() => {
    if (!follows) return undefined
    // A playhead that stands still is told again with each new picture: whoever looks elsewhere meanwhile stays there.
    let before: number | undefined
    return player.onTime((seconds) => {
      if (seconds !== before) view.reveal(share(seconds))
      before = seconds
    })
  }, [view, player, follows, share])
  const beats = () => {
    const { music } = recipe.sound
    const seconds = atFrame(timeline.frames, timeline.fps)
    return music ? beatsHeard(music, seconds, pieceSeconds).map((at) => frameOf(at, timeline.fps)) : []
  }
  /** Null where nothing is drawn. */
  const snapOf = (kind: Held['kind'], id: string, edge: Edge | null): Snap | null => {
    if (!snaps) return null
    const more = [frameOf(player.time(), timeline.fps), ...marks.map(({ at }) => frameOf(at, timeline.fps))]
    // Ends of captions go from word to word as they are.
    if (kind === 'page' || kind === 'move') return null
    if (kind === 'piece') {
      const piece = timeline.pieces[Number(id)]
      if (!piece || edge === null) return null
      return { targets: pieceSnapFrames(recipe, piece, more), moved: [piece.at + piece[edge] - piece.from] }
    }
    const layer = recipe.layers.find((one) => one.id === id)
    const windows = layer?.span ? windowsOf(timeline, layer.span) : []
    const [first, last] = [windows[0], windows.at(-1)]
    if (!first || !last) return null
    const moved = edge === 'from' ? [first.from] : edge === 'to' ? [last.to] : [first.from, last.to]
    // Where a passage ends the beats go along with the video's end; over the video they stand.
    return { targets: snapFrames(recipe, timeline, [...more, ...beats()], id), moved }
  }
  return {
    view,
    isZoomed,
    snaps,
    follows,
    snapOf,
    toggleSnap: () => setSnaps((before) => !before),
    toggleFollow: () => view.follow(!view.isFollowing()),
    /** Nearer or farther, around the playhead where it is in sight. */
    zoomBy: (factor: number) => view.zoomAround(factor, share(player.time())),
    fit: view.fit,
  }
}

export type Line = ReturnType<typeof useLine>

/** How much nearer one press brings the line. */
export const zoomStep = 1.6
