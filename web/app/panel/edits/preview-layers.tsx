import { useEffect, useRef } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Layer } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline, type Window } from '@clear-to-post/edit/timeline'
import { PinnedHandles, type PinnedHand } from './pinned-on-picture.tsx'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'

type LayerProps<Kind extends Layer['kind']> = {
  layer: Extract<Layer, { kind: Kind }>
  assets: ReadonlyMap<string, Asset>
  player: TimelinePlayer
  timeline: Timeline
}

/** A logo or picture where the render lays it: its longer side a part of the frame's shorter one, a twentieth from the corner. */
export const Pinned = ({
  layer,
  assets,
  player,
  timeline,
  hand,
}: LayerProps<'logo' | 'picture'> & { hand?: PinnedHand | undefined }) => {
  const element = useRef<HTMLSpanElement>(null)
  const asset = assets.get(layer.assetId)
  useEffect(() => {
    const windows = windowsFor(layer, timeline)
    return player.onTime((seconds) => {
      const isOn = shownOf(windows, frameOf(seconds, timeline.fps)) !== null
      element.current?.style.setProperty('visibility', isOn ? 'visible' : 'hidden')
    })
  }, [layer, player, timeline])
  if (!asset?.assetUrl) return null
  const side = `${layer.size * 100}cqmin`
  const most = { maxWidth: side, maxHeight: side }
  const [place, size] =
    layer.place === 'full'
      ? [{ inset: 0 }, { width: '100%', height: '100%', objectFit: 'cover' as const }]
      : layer.place === 'centre'
        ? [{ inset: 0, margin: 'auto', width: 'fit-content', height: 'fit-content' }, most]
        : [
            {
              [layer.place.startsWith('top') ? 'top' : 'bottom']: '5cqmin',
              [layer.place.endsWith('left') ? 'left' : 'right']: '5cqmin',
            },
            most,
          ]
  return (
    <span ref={element} className={hand ? 'absolute block' : 'pointer-events-none absolute block'} style={place}>
      <img src={asset.assetUrl} alt="" className="block" style={size} />
      {hand && layer.place !== 'full' && <PinnedHandles layer={layer} hand={hand} wrapper={element} />}
    </span>
  )
}

/** Covers the picture while its passage is seen; too short, it stays on its last picture, as in the render. */
export const BRoll = ({ layer, assets, player, timeline }: LayerProps<'b-roll'>) => {
  const element = useRef<HTMLVideoElement & HTMLImageElement>(null)
  const asset = assets.get(layer.assetId)
  const { fromMs, focus } = layer
  useEffect(() => {
    const windows = windowsFor(layer, timeline)
    const { num, den } = timeline.fps
    const follow = () => {
      const cover = element.current
      if (!cover) return
      const shown = shownOf(windows, frameOf(player.time(), timeline.fps))
      cover.style.visibility = shown === null ? 'hidden' : 'visible'
      if (!(cover instanceof HTMLVideoElement) || cover.readyState < 1) return
      const goal = Math.min(fromMs / 1000 + ((shown ?? 0) * den) / num, cover.duration - 0.05)
      const { playing, speed } = player.state()
      const plays = playing && shown !== null && goal < cover.duration - 0.1
      if (Math.abs(cover.currentTime - goal) > (plays ? 0.25 : 0.02) && !cover.seeking) cover.currentTime = goal
      cover.playbackRate = speed
      if (plays && cover.paused) cover.play().catch(() => {})
      if (!plays) cover.pause()
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => stops.forEach((stop) => stop())
  }, [layer, fromMs, player, timeline])
  const look = {
    ref: element,
    className: 'pointer-events-none absolute inset-0 size-full object-cover',
    style: { objectPosition: `${focus.x * 100}% ${focus.y * 100}%` },
  }
  if (asset?.playUrl) return <video {...look} src={asset.playUrl} aria-hidden muted playsInline preload="auto" />
  // Until its playable copy is made a clip shows its poster.
  const picture = asset?.type === 'video' ? asset.posterUrl : asset?.assetUrl
  return picture ? <img {...look} src={picture} alt="" /> : null
}

export const windowsFor = ({ span }: Layer, timeline: Timeline): Window[] =>
  span ? windowsOf(timeline, span) : [{ from: timeline.open, to: timeline.frames - timeline.close }]

/** How many frames of a layer were seen before this one; null where it is not seen. */
export const shownOf = (windows: readonly Window[], at: number): number | null => {
  let before = 0
  for (const { from, to } of windows) {
    if (at >= from && at < to) return before + at - from
    before += to - from
  }
  return null
}
