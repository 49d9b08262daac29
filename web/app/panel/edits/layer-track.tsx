import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { BRoll } from '@clear-to-post/edit/commands/layers'
import { windowsOf, type Timeline, type Window } from '@clear-to-post/edit/timeline'
import { cx } from '../../ui/cx.ts'
import { preciseClock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'
import { atFrame } from './timeline-player.ts'
import type { Layers } from './use-layers.ts'

type TrackProps = { layers: Layers; timeline: Timeline; mayWrite: boolean }

/** The overlays under the ruler: each where it is seen, its ends to be dragged or moved by keys. */
export const LayerTrack = ({ layers, timeline, mayWrite }: TrackProps) => {
  const track = useRef<HTMLDivElement>(null)
  if (layers.all.length === 0) return null
  return (
    <div ref={track} role="group" aria-label={messages.layerTrack} className="layer-track">
      {layers.all.map((layer) => (
        <Bar
          key={layer.id}
          layer={layer}
          layers={layers}
          timeline={timeline}
          mayWrite={mayWrite}
          frameAtX={(x) => {
            const box = track.current!.getBoundingClientRect()
            return Math.round(((x - box.left) / Math.max(1, box.width)) * timeline.frames)
          }}
        />
      ))}
    </div>
  )
}

type BarProps = TrackProps & { layer: BRoll; frameAtX: (clientX: number) => number }

const Bar = ({ layer, layers, timeline, mayWrite, frameAtX }: BarProps) => {
  const windows = windowsOf(timeline, layer.span)
  const [first, last] = [windows[0], windows.at(-1)]
  // Where a drag of the whole began: the frame under the pointer.
  const held = useRef<{ at: number; key: string } | null>(null)
  if (!first || !last) return null
  const isChosen = layers.layer?.id === layer.id
  const title = layers.titleOf(layer)
  const share = (frames: number) => `${(frames / Math.max(1, timeline.frames)) * 100}%`
  const time = (frame: number) => preciseClock(atFrame(frame, timeline.fps))
  const down = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !mayWrite || !isChosen) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { at: frameAtX(event.clientX), key: `move ${layer.id} ${Date.now()}` }
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const hold = held.current
    if (!hold) return
    const by = frameAtX(event.clientX) - hold.at
    if (by === 0) return
    layers.move(layer.id, by, hold.key)
    held.current = { ...hold, at: hold.at + by }
  }
  return (
    <>
      {windows.map((window, i) => (
        <button
          key={i}
          type="button"
          tabIndex={i === 0 ? 0 : -1}
          aria-hidden={i > 0}
          aria-pressed={isChosen}
          aria-label={messages.layerAt(title, time(first.from), time(last.to), layer.on)}
          className={cx('layer-bar', !layer.on && 'layer-bar-off')}
          style={{ left: share(window.from), width: share(window.to - window.from) }}
          title={title}
          onClick={() => !isChosen && layers.choose(layer.id)}
          onFocus={() => isChosen && layers.edge !== null && layers.choose(layer.id)}
          onPointerDown={down}
          onPointerMove={drag}
          onPointerUp={() => (held.current = null)}
          onPointerCancel={() => (held.current = null)}
        >
          <span>{title}</span>
        </button>
      ))}
      {isChosen && mayWrite && (
        <>
          <Handle
            edge="from"
            frame={first.from}
            {...{ layer, layers, timeline, frameAtX, title }}
            limits={{ first, last }}
          />
          <Handle
            edge="to"
            frame={last.to}
            {...{ layer, layers, timeline, frameAtX, title }}
            limits={{ first, last }}
          />
        </>
      )}
    </>
  )
}

type HandleProps = Omit<BarProps, 'mayWrite'> & {
  edge: 'from' | 'to'
  frame: number
  title: string
  limits: { first: Window; last: Window }
}

/** An end of the chosen layer: a slider over the frames of the video. */
const Handle = ({ edge, frame, layer, layers, timeline, frameAtX, title, limits }: HandleProps) => {
  const drag = useRef<string | null>(null)
  const keys = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 5 : 1
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    layers.setEdge(layer.id, edge, frame + by, `nudge ${layer.id} ${edge}`)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? messages.layerStart(title) : messages.layerEnd(title)}
      aria-valuemin={edge === 'from' ? 0 : limits.first.from + 1}
      aria-valuemax={edge === 'from' ? limits.last.to - 1 : timeline.frames}
      aria-valuenow={frame}
      aria-valuetext={preciseClock(atFrame(frame, timeline.fps))}
      data-edge={edge}
      className="layer-handle"
      style={{ left: `${(frame / Math.max(1, timeline.frames)) * 100}%` }}
      onFocus={() => layers.choose(layer.id, edge)}
      onKeyDown={keys}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        // One way of the hand is one step back.
        drag.current = `drag ${layer.id} ${edge} ${Date.now()}`
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) layers.setEdge(layer.id, edge, frameAtX(event.clientX), drag.current)
      }}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
    />
  )
}
