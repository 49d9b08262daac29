import { useEffect, useRef, useState, useMemo, type RefObject } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import { clipSeconds, pushAt } from '@clear-to-post/edit/clip-time'
import { coverEntrance, coversOf, seenIn, type Cover } from '@clear-to-post/edit/covers'
import { cropOf, placeOf, pushedTo, windowOf } from '@clear-to-post/edit/framing'
import { pinnedLook } from '@clear-to-post/edit/pinned-motion'
import type { Layer } from '@clear-to-post/edit/recipe'
import type { Box, Size } from '@clear-to-post/edit/safe-area'
import type { Timeline, Window } from '@clear-to-post/edit/timeline'
import { entranceAt, type Entrance } from '@clear-to-post/edit/title-motion'
import { cx } from '../../ui/cx.ts'
import { seekTwice } from './first-seek.ts'
import { framed } from './framed.ts'
import { PinnedHandles, type PinnedHand } from './pinned-on-picture.tsx'
import { useShownWhileSeen, windowsFor } from './layer-windows.ts'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'

type LayerProps<Kind extends Layer['kind']> = {
  layer: Extract<Layer, { kind: Kind }>
  /** The size of the finished picture. */
  frame: Size
  assets: ReadonlyMap<string, Asset>
  player: TimelinePlayer
  timeline: Timeline
}

/** A logo or picture where the render lays it. */
export const Pinned = ({
  layer,
  frame,
  assets,
  player,
  timeline,
  hand,
}: LayerProps<'logo' | 'picture'> & { hand?: PinnedHand | undefined }) => {
  const element = useRef<HTMLSpanElement>(null)
  const asset = assets.get(layer.assetId)
  const [seen, see] = useState<Size | null>(null)
  useShownWhileSeen(element, layer, { player, timeline })
  const known = asset ? sizeOfAsset(asset) : null
  const [wide, high] = [known?.width ?? seen?.width, known?.height ?? seen?.height]
  const picture = useMemo(() => (wide && high ? { width: wide, height: high } : null), [wide, high])
  const way = useOnItsWay(layer, picture, { frame, player, timeline })
  if (!asset?.assetUrl) return null
  const box = picture && placeOf(layer, picture, frame)
  const part = (dots: number, of: number) => `${(100 * dots) / of}%`
  const place = box
    ? {
        left: part(box.x, frame.width),
        top: part(box.y, frame.height),
        width: part(box.width, frame.width),
        height: part(box.height, frame.height),
      }
    : { opacity: 0 }
  const whole = { x: 0.5, y: 0.5 }
  const look = picture && layer.place === 'full' ? framed(picture, windowOf(picture, frame, whole)) : undefined
  return (
    <span ref={element} className={hand ? 'absolute block' : 'pointer-events-none absolute block'} style={place}>
      <span ref={way} className={cx('block size-full origin-top-left', layer.place === 'full' && 'overflow-hidden')}>
        <img
          src={asset.assetUrl}
          alt=""
          className="block size-full"
          style={look}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => see({ width, height })}
        />
      </span>
      {hand && layer.place !== 'full' && <PinnedHandles layer={layer} hand={hand} wrapper={element} />}
    </span>
  )
}

/** Has what it holds come and go with the picture, as the render does it. */
const useOnItsWay = (
  layer: Extract<Layer, { kind: 'logo' | 'picture' }>,
  picture: Size | null,
  { frame, player, timeline }: Pick<LayerProps<'logo'>, 'frame' | 'player' | 'timeline'>,
): RefObject<HTMLSpanElement | null> => {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const { motion } = layer
    if (!motion || !picture) return
    let moved: HTMLElement | null = null
    const windows = windowsFor(layer, timeline)
    const box = placeOf(layer, picture, frame)
    const stop = player.onTime((seconds) => {
      const at = frameOf(seconds, timeline.fps)
      const window = windows.find(({ from, to }) => at >= from && at < to)
      const entrance = window ? entranceAt(motion, window, timeline.fps, at) : null
      moved = element.current
      if (moved) Object.assign(moved.style, entrance ? onItsWay(box, entrance) : stands)
    })
    return () => {
      stop()
      if (moved) Object.assign(moved.style, stands)
    }
  }, [layer, picture, frame, player, timeline])
  return element
}

const stands = { opacity: '', transform: '', clipPath: '' }

const onItsWay = (box: Box, entrance: Entrance): typeof stands => {
  const { box: now, opacity, shown } = pinnedLook(box, entrance)
  const moved = [(now.x - box.x) / box.width, (now.y - box.y) / box.height].map((part) => `${100 * part}%`)
  const sized = [now.width / box.width, now.height / box.height]
  return {
    opacity: String(opacity),
    transform: `translate(${moved.join(', ')}) scale(${sized.join(', ')})`,
    clipPath: shown < now.width ? `inset(0 ${100 * (1 - shown / now.width)}% 0 0)` : '',
  }
}

type Clips = Omit<LayerProps<'b-roll'>, 'layer'> & { layers: readonly Layer[] }

/** Each is a video of its own, thirty megabytes of a browser's memory: so many are there at once. */
const mostClips = 8

/** Whoever goes so far at once jumps; and has found the place after so many milliseconds without another jump. */
const [jumpSeconds, restsAfter] = [2, 400]

/** The B-roll that is seen, and what is seen next or was seen last; that is loaded once a jump has its picture, which it would make late. */
export const NearClips = ({ layers, player, timeline, ...more }: Clips) => {
  const clips = useMemo(() => {
    const on = layers.flatMap((layer) => (layer.kind === 'b-roll' && layer.on ? layer : []))
    const covers = coversOf(
      on.map((layer) => ({ ...layer, windows: windowsFor(layer, timeline) })),
      timeline.fps,
    )
    return on.map((layer, i) => ({ layer, covers: covers[i]!, windows: covers[i]!.map(seenIn) }))
  }, [layers, timeline])
  const [near, setNear] = useState('')
  useEffect(() => {
    let [before, rests] = [NaN, 0]
    const stop = player.onTime((seconds) => {
      const at = frameOf(seconds, timeline.fps)
      const isJump = !(Math.abs(at - before) * timeline.fps.den <= jumpSeconds * timeline.fps.num)
      before = at
      const wanted = nearestOf(clips, at)
      if (isJump) {
        clearTimeout(rests)
        rests = window.setTimeout(() => {
          rests = 0
          setNear(nearestOf(clips, before).join(' '))
        }, restsAfter)
      }
      if (rests === 0) return setNear(wanted.join(' '))
      const isSeen = ({ from, to }: Window) => at >= from && at < to
      const seen = new Set(clips.filter(({ windows }) => windows.some(isSeen)).map(({ layer }) => layer.id))
      setNear((there) => wanted.filter((id) => seen.has(id) || there.split(' ').includes(id)).join(' '))
    })
    return () => {
      stop()
      clearTimeout(rests)
    }
  }, [player, clips, timeline])
  const ids = near.split(' ')
  return (
    <div className="pointer-events-none absolute inset-0 isolate">
      {clips.map(
        ({ layer, covers }) =>
          ids.includes(layer.id) && <BRoll key={layer.id} {...{ layer, covers, player, timeline }} {...more} />,
      )}
    </div>
  )
}

/** Ids of the layers that are nearest to a frame, in their own order. What has passed is half as near. */
export const nearestOf = (
  clips: readonly { layer: { id: string }; windows: readonly Window[] }[],
  at: number,
): string[] => {
  const away = clips.map(({ windows }) =>
    Math.min(...windows.map(({ from, to }) => (at < from ? from - at : 2 * Math.max(0, at - to + 1)))),
  )
  const last = away.toSorted((a, b) => a - b)[mostClips - 1] ?? Infinity
  return clips.filter((_, i) => away[i]! <= last).map(({ layer }) => layer.id)
}

/** Covers the picture while its passage is seen; too short, it stays on its last picture, as in the render. */
const BRoll = ({
  layer,
  covers,
  frame,
  assets,
  player,
  timeline,
}: LayerProps<'b-roll'> & { covers: readonly Cover[] }) => {
  const element = useRef<HTMLVideoElement & HTMLImageElement>(null)
  const wrapper = useRef<HTMLSpanElement>(null)
  const asset = assets.get(layer.assetId)
  const { fromMs, speed: pace = 1, focus } = layer
  const isPush = layer.push !== undefined
  const size = useMemo(
    () => (asset?.width && asset.height ? { width: asset.width, height: asset.height } : null),
    [asset?.width, asset?.height],
  )
  useEffect(() => {
    const of = covers.reduce((sum, { whole: { from, to } }) => sum + to - from, 0)
    const { num, den } = timeline.fps
    const follow = () => {
      const cover = element.current
      if (!cover) return
      const at = frameOf(player.time(), timeline.fps)
      const here = covers.find(({ whole, under }) => at >= whole.from && at < whole.to + under)
      const shown = here ? here.before + at - here.whole.from : null
      const entrance = here ? coverEntrance(layer, here, timeline.fps, at) : null
      const { playing, speed } = player.state()
      const look = entrance && pinnedLook({ x: 0, y: 0, ...frame }, entrance)
      const seen = here ? (look?.opacity ?? 1) : 0
      Object.assign(wrapper.current?.style ?? {}, {
        clipPath: look && look.shown < frame.width ? `inset(0 ${100 * (1 - look.shown / frame.width)}% 0 0)` : '',
        // What goes on under the one that comes lies below it.
        zIndex: here && at >= here.whole.to ? '0' : '1',
      })
      cover.style.opacity = String(playing ? seen : alwaysDrawn(seen))
      if (isPush && size && shown !== null) Object.assign(cover.style, styleAt(layer, size, frame, shown, of))
      if (!(cover instanceof HTMLVideoElement) || cover.readyState < 1) return
      const wanted = clipSeconds({ fromMs, speed: pace }, shown ?? 0, timeline.fps)
      const goal = Math.min(wanted, cover.duration - (0.5 * den) / num)
      const plays = playing && shown !== null && goal < cover.duration - 0.1
      const away = Math.abs(cover.currentTime - goal)
      if (away > (plays ? 0.25 * Math.max(1, pace) : 0.02 * Math.min(1, pace)) && !cover.seeking)
        cover.currentTime = goal
      // A browser plays nothing faster than sixteen times.
      cover.playbackRate = Math.min(16, speed * pace)
      if (plays && cover.paused) cover.play().catch(() => {})
      if (!plays) cover.pause()
    }
    const left = new AbortController()
    if (element.current instanceof HTMLVideoElement) seekTwice(element.current, left.signal)
    const stops = [player.onTime(follow), player.subscribe(follow), () => left.abort()]
    return () => stops.forEach((stop) => stop())
  }, [layer, covers, fromMs, pace, player, timeline, isPush, size, frame])
  const picture = asset && sizeOfAsset(asset)
  const fit = { objectFit: 'cover' as const, objectPosition: `${focus.x * 100}% ${focus.y * 100}%` }
  const style = picture ? styleAt(layer, picture, frame, 0, 1) : fit
  const look = { ref: element, className: 'pointer-events-none absolute inset-0 size-full', style }
  // Until its playable copy is made a clip shows its poster.
  const address = asset?.type === 'video' ? asset.posterUrl : asset?.assetUrl
  return (
    <span ref={wrapper} className="pointer-events-none absolute inset-0 block overflow-hidden">
      {asset?.playUrl ? (
        <video {...look} src={asset.playUrl} aria-hidden muted playsInline preload="auto" />
      ) : (
        address && <img {...look} src={address} alt="" />
      )}
    </span>
  )
}

/** How B-roll lies over the frame when `shown` of its `of` frames have been seen; as the render cuts, pushes and turns it. */
const styleAt = (layer: Extract<Layer, { kind: 'b-roll' }>, picture: Size, frame: Size, shown: number, of: number) => {
  const { focus, near, turn } = layer
  const push = pushAt(layer, shown, of)
  return framed(picture, windowOf(picture, frame, focus, cropOf(near, focus)), {
    pushed: layer.push === undefined ? undefined : { to: pushedTo({ from: push, to: push, focus }, frame, 0), frame },
    turned: turn ? { degrees: turn, frame } : undefined,
  })
}

const sizeOfAsset = ({ width, height }: Asset): Size | null => (width && height ? { width, height } : null)

/**
 * How much of a video is seen while it stands: never all and never nothing, by less than an eye can tell. Of one that is hidden,
 * or hides another one altogether, a browser keeps the picture that was there before and may show it after the next jump.
 */
export const alwaysDrawn = (share: number): number => Math.max(0.001, Math.min(0.999, share))
