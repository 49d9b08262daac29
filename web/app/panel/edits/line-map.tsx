import { useEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Layer, Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { clock } from '../../ui/player-time.ts'
import type { Loudest, PlayerMark } from '../../ui/player-ruler.tsx'
import { windowsFor } from './layer-windows.ts'
import type { LineView } from './line-view.ts'
import { atFrame, type TimelinePlayer } from './timeline-player.ts'
import { useLoudest } from './use-loudest.ts'
import { lineWords } from './words/line.ts'

type MapProps = {
  /** The id of the line. */
  controls: string
  view: LineView
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  assets: ReadonlyMap<string, Asset>
  marks: readonly PlayerMark[]
}

/** All of the line in a low strip while only a part of it is in sight: a frame around that part is drawn to another one. */
export const LineMap = ({ controls, view, player, recipe, timeline, assets, marks }: MapProps) => {
  const root = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLSpanElement>(null)
  /** How far from the frame's beginning the pointer holds it, as a share of the line. */
  const held = useRef<number | null>(null)
  const seconds = atFrame(timeline.frames, timeline.fps)
  useEffect(
    () =>
      view.onMove(() => {
        const { from, to } = view.seen()
        const element = root.current!
        element.style.setProperty('--from', String(from))
        element.style.setProperty('--to', String(to))
        const moved = 1 - (to - from)
        element.setAttribute('aria-valuenow', (moved > 0 ? (100 * from) / moved : 0).toFixed(0))
        const [first, last, whole] = [from * seconds, to * seconds, seconds].map(clock)
        element.setAttribute('aria-valuetext', lineWords.mapSeen(first!, last!, whole!))
      }),
    [view, seconds],
  )
  useEffect(
    () =>
      player.onTime((at) => {
        playhead.current!.style.transform = `translateX(${((100 * at) / Math.max(1e-3, seconds)).toFixed(3)}cqi)`
      }),
    [player, seconds],
  )
  const shareAt = ({ clientX }: PointerEvent) => {
    const { left, width } = root.current!.getBoundingClientRect()
    return (clientX - left) / Math.max(1, width)
  }
  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const [at, { from, to }] = [shareAt(event), view.seen()]
    const isInside = at >= from && at <= to
    held.current = isInside ? at - from : (to - from) / 2
    if (!isInside) view.showFrom(at - held.current)
  }
  const move = (event: PointerEvent) => held.current !== null && view.showFrom(shareAt(event) - held.current)
  const up = () => void (held.current = null)
  const keys = (event: KeyboardEvent) => {
    const { from, to } = view.seen()
    const [step, page] = [(to - from) / 10, (to - from) * 0.9]
    const next = {
      ArrowLeft: from - step,
      ArrowRight: from + step,
      PageUp: from - page,
      PageDown: from + page,
      Home: -1,
      End: 1,
    }[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    view.showFrom(next)
  }
  const loudest = useLoudest(recipe, timeline, assets)
  const sound = useMemo(() => soundPath(loudest), [loudest])
  const things = useMemo(() => layerPaths(recipe, timeline), [recipe, timeline])
  return (
    <div
      ref={root}
      role="scrollbar"
      tabIndex={0}
      aria-label={lineWords.map}
      aria-controls={controls}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
      title={lineWords.mapHint}
      className="line-map"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={keys}
    >
      <svg aria-hidden viewBox={`0 0 ${columns} 24`} preserveAspectRatio="none">
        <path d={sound} className="line-map-sound" />
        <path d={seamPath(timeline)} className="line-map-seam" />
        <path d={things.titles} className="line-map-titles" />
        <path d={things.pictures} className="line-map-pictures" />
      </svg>
      {marks.map(({ id, at }) => (
        <span
          key={id}
          aria-hidden
          className="line-map-mark"
          style={{ left: `${(100 * at) / Math.max(1e-3, seconds)}%` }}
        />
      ))}
      <span aria-hidden className="line-map-seen" />
      <span ref={playhead} aria-hidden className="line-map-playhead" />
    </div>
  )
}

/** Over so many columns it is drawn, whatever its width. */
const columns = 600

const soundPath = (loudest: Loudest): string =>
  Array.from({ length: columns / 2 }, (_, i) => {
    const tall = Math.max(0.5, 8 * loudest((2 * i) / columns, (2 * i + 2) / columns))
    return `M${2 * i} ${(13 - tall).toFixed(1)}h1.4v${(2 * tall).toFixed(1)}h-1.4z`
  }).join('')

const scaled = (frame: number, { frames }: Timeline) => (columns * frame) / Math.max(1, frames)

/** Where one passage ends and the next begins. */
const seamPath = (timeline: Timeline): string =>
  timeline.pieces
    .slice(1)
    .map(({ at }) => `M${scaled(at, timeline).toFixed(2)} 20v4`)
    .join('')

/** What lies over the picture: titles and stickers above, B-roll and pictures below; what is there all the time says nothing here. */
const layerPaths = (recipe: Recipe, timeline: Timeline): { titles: string; pictures: string } => {
  const path = (y: number, kinds: readonly Layer['kind'][]) =>
    recipe.layers
      .filter(({ kind, on, span }) => on && span !== null && kinds.includes(kind))
      .flatMap((layer) => windowsFor(layer, timeline))
      .map(({ from, to }) => `M${scaled(from, timeline).toFixed(2)} ${y}H${scaled(to, timeline).toFixed(2)}`)
      .join('')
  return { titles: path(2, ['lower-third', 'sticker']), pictures: path(5, ['b-roll', 'picture']) }
}
