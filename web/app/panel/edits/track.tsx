import { useEffect, useRef, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { Edge } from '@clear-to-post/edit/commands/trims'
import { snapBy } from '@clear-to-post/edit/snapping'
import type { Timeline, Window } from '@clear-to-post/edit/timeline'
import { cx } from '../../ui/cx.ts'
import type { LineView } from './line-view.ts'
import { messages } from './messages.ts'
import type { Held } from './use-held.ts'
import type { Line, Snap } from './use-line.ts'
import { usePlacing } from './use-placing.ts'
import { thingName, type SeveralInHand } from './use-several.ts'

/** An end that can be moved: a slider over frames. */
export type BarEnd = {
  /** Where it is, and how far it can go; in frames that grow to the right. */
  value: number
  min: number
  max: number
  /** The place as a person reads it. */
  text: string
}

/** A thing on a track: where it is seen, and what a screen reader calls it. */
export type Bar = {
  id: string
  title: string
  label: string
  windows: readonly Window[]
  isOff?: boolean
  /** Missing: its ends stay where they are. */
  ends?: Record<Edge, BarEnd> | undefined
}

/** What a hand does to a thing; `merge` joins all of one drag into one step back. */
export type TrackHand = {
  hold: (id: string, edge: Edge | null) => void
  /** `value` as in the end's own; `rolls`: the neighbour gives or takes what this end takes or gives. */
  setEnd: (id: string, edge: Edge, value: number, merge: string, rolls: boolean) => void
  /** Where an end goes by steps of its own, not by frames: one step earlier or later. */
  stepEnd?: (id: string, edge: Edge, by: 1 | -1) => void
  /** Missing: things of this track cannot be moved along. */
  move?: ((id: string, by: number, merge: string) => void) | undefined
  /** Shows another part of what a thing is made of, by frames, while its place stays; with Shift. */
  slip?: (id: string, by: number, merge: string) => void
  /** Things that follow each other, drawn to another place in their order. Missing: their order stays. */
  placing?: {
    placeAt: (id: string, frame: number) => { before: number; frame: number } | null
    drop: (id: string, before: number) => void
  }
}

type TrackProps = {
  label: string
  kind: 'video' | 'layers' | 'titles' | 'captions' | 'voice' | 'music'
  bars: readonly Bar[]
  /** What is in hand on this track. */
  held: { id: string; edge: Edge | null } | null
  hand: TrackHand
  timeline: Timeline
  mayWrite: boolean
  /** Drawn under the bars. */
  children?: ReactNode
  /** Missing: its things are drawn to nothing and are not chosen together with others. */
  line?: { kind: Held['kind']; of: Line; several: SeveralInHand }
  /** Bars that are too narrow to be pressed rest until the line is near enough; what they stand for is reached otherwise, too. */
  zoomed?: { view: LineView }
}

/** Smaller than that nothing is pressed, in pixels. */
const leastTarget = 24

/** A track under the ruler: bars with ends to be dragged or moved by keys, to the frame. */
export const Track = ({ label, kind, bars, held, hand, timeline, mayWrite, children, line, zoomed }: TrackProps) => {
  const track = useRef<HTMLDivElement>(null)
  /** Frames of the video under so many pixels, as long as a drag lasts: the line may get shorter meanwhile. */
  const scale = () => timeline.frames / Math.max(1, track.current!.getBoundingClientRect().width)
  // Passages lie side by side: one that is too narrow is no stop of Tab. D takes it at each width, and the line can be brought nearer.
  const skips = kind === 'video'
  const view = skips ? line?.of.view : zoomed?.view
  useEffect(() => {
    if (!view) return
    let width = 0
    let asked = 0
    const stop = view.onMove(() => {
      asked ||= requestAnimationFrame(() => {
        asked = 0
        const now = track.current?.offsetWidth ?? 0
        if (now === width) return
        width = now
        for (const bar of track.current?.querySelectorAll<HTMLButtonElement>('.track-bar') ?? []) {
          const isNarrow = bar.getBoundingClientRect().width < leastTarget
          if (skips) bar.tabIndex = isNarrow ? -1 : 0
          else bar.disabled = isNarrow
        }
      })
    })
    return () => {
      stop()
      cancelAnimationFrame(asked)
    }
  }, [view, bars, skips])
  const lanes = lanesOf(bars)
  const style: CSSProperties & { '--lanes': number } = { '--lanes': Math.max(1, ...lanes.map((lane) => lane + 1)) }
  return (
    <div ref={track} role="group" aria-label={label} className="track" data-kind={kind} style={style}>
      {children}
      {bars.map((bar, i) => (
        <BarOf
          lane={lanes[i]!}
          key={bar.id}
          bar={bar}
          isHeld={held?.id === bar.id}
          edge={held?.id === bar.id ? held.edge : null}
          track={() => track.current}
          view={line?.of.view ?? zoomed?.view}
          {...{ hand, timeline, mayWrite, scale, line }}
        />
      ))}
    </div>
  )
}

/** The row of each bar: the first in which nothing else is seen at the same time. */
const lanesOf = (bars: readonly Bar[]): number[] => {
  const rows: Window[][] = []
  return bars.map(({ windows }) => {
    const isFree = (row: Window[]) =>
      row.every((one) => windows.every(({ from, to }) => to <= one.from || from >= one.to))
    const free = rows.findIndex(isFree)
    const lane = free < 0 ? rows.length : free
    rows[lane] = [...(rows[lane] ?? []), ...windows]
    return lane
  })
}

type BarProps = {
  bar: Bar
  lane: number
  isHeld: boolean
  edge: Edge | null
  hand: TrackHand
  timeline: Timeline
  mayWrite: boolean
  track: () => HTMLElement | null
  scale: () => number
  line: TrackProps['line']
  view: LineView | undefined
}

const BarOf = ({ bar, lane, isHeld, edge, hand, timeline, mayWrite, track, scale, line, view }: BarProps) => {
  const { id, title, windows, ends } = bar
  const [first, last] = [windows[0], windows.at(-1)]
  const share = (frames: number) => `${(frames / Math.max(1, timeline.frames)) * 100}%`
  const drag = useDrag(scale, view, {
    snapOf: (which) => line?.of.snapOf(line.kind, id, which) ?? null,
    guide: (at) => line?.of.view.guide(at === null ? null : at / Math.max(1, timeline.frames)),
  })
  const slip = useDrag(scale, undefined, { snapOf: () => null, guide: () => {} })
  const frames = Math.max(1, timeline.frames)
  const placed = usePlacing(track, view, {
    placeAt: (share) => {
      const place = hand.placing?.placeAt(id, share * frames) ?? null
      return place && { before: place.before, share: place.frame / frames }
    },
    guide: (share) => line?.of.view.guide(share),
    drop: (before) => hand.placing?.drop(id, before),
  })
  let slippedBy = 0
  // What is drawn to the right shows what comes before it.
  const slipped = slip(`slip ${id}`, null, () => {
    slippedBy = 0
    placed.setDrawn(false)
    return (by, merge) => {
      placed.setDrawn(true)
      hand.slip?.(id, slippedBy - by, merge)
      slippedBy = by
    }
  })
  if (!first || !last) return null
  const row = { '--lane': lane }
  const { move } = hand
  const isMovable = isHeld && mayWrite && move !== undefined
  const isPlaceable = isHeld && mayWrite && hand.placing !== undefined
  let moved = 0
  const thing = line && { kind: line.kind, id }
  const isOneOfSeveral = thing !== undefined && line!.several.names.has(thingName(thing))
  const press = (isMore: boolean) => {
    if (thing && (isMore || line!.several.isOn)) line!.several.add(thing)
    else {
      line?.several.clear()
      if (!isHeld) hand.hold(id, null)
    }
  }
  return (
    <>
      {windows.map((window, i) => (
        <button
          key={i}
          type="button"
          tabIndex={i === 0 ? 0 : -1}
          aria-hidden={i > 0}
          aria-pressed={isHeld || isOneOfSeveral}
          aria-label={bar.label}
          data-thing={thing && thingName(thing)}
          data-movable={isMovable || isPlaceable || undefined}
          className={cx('track-bar', bar.isOff && 'track-bar-off')}
          style={{ ...row, left: share(window.from), width: share(window.to - window.from) }}
          title={title}
          onClick={(event) => !placed.wasDrawn() && press(event.shiftKey)}
          onFocus={() => isHeld && edge !== null && hand.hold(id, null)}
          {...(isPlaceable && withShift(slipped, placed.handlers))}
          {...(isMovable &&
            drag(`move ${id}`, null, () => {
              moved = 0
              return (by, merge) => {
                move(id, by - moved, merge)
                moved = by
              }
            }))}
        >
          <span>{title}</span>
        </button>
      ))}
      {isHeld &&
        mayWrite &&
        ends &&
        (['from', 'to'] as const).map((one) => (
          <Handle
            key={one}
            edge={one}
            bar={bar}
            end={ends[one]}
            style={{
              ...row,
              left: share(one === 'from' ? first.from : last.to),
              '--wide': ((last.to - first.from) / Math.max(1, timeline.frames)) * 100,
            }}
            {...{ hand, drag }}
          />
        ))}
    </>
  )
}

type Handlers = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
  (event: PointerEvent<HTMLElement>) => void
>

/** A drag that begins with Shift held, or another one. */
const withShift = (shifted: Handlers, other: Handlers): Handlers => ({
  onPointerDown: (event) => (event.shiftKey ? shifted : other).onPointerDown(event),
  // Whichever has begun goes on.
  onPointerMove: (event) => [shifted, other].forEach((one) => one.onPointerMove(event)),
  onPointerUp: (event) => [shifted, other].forEach((one) => one.onPointerUp(event)),
  onPointerCancel: (event) => [shifted, other].forEach((one) => one.onPointerCancel(event)),
})

type HandleProps = {
  edge: Edge
  bar: Bar
  end: BarEnd
  /** With how wide its bar is, in hundredths of the track. */
  style: CSSProperties & { '--wide': number }
  hand: TrackHand
  drag: ReturnType<typeof useDrag>
}

/** An end of what is in hand: a slider over frames. Alt moves the neighbour's end along. */
const Handle = ({ edge, bar: { id, title }, end, style, hand, drag }: HandleProps) => {
  const keys = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 5 : 1
    const by = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (hand.stepEnd) hand.stepEnd(id, edge, by > 0 ? 1 : -1)
    else hand.setEnd(id, edge, end.value + by, `nudge ${id} ${edge}`, event.altKey)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? messages.startOf(title) : messages.endOf(title)}
      aria-valuemin={end.min}
      aria-valuemax={end.max}
      aria-valuenow={end.value}
      aria-valuetext={end.text}
      data-edge={edge}
      className="track-handle"
      style={style}
      onFocus={() => hand.hold(id, edge)}
      onKeyDown={keys}
      {...drag(`drag ${id} ${edge}`, edge, (event) => {
        const rolls = event.altKey
        // A finger that draws does not give the focus.
        hand.hold(id, edge)
        return (by, merge) => hand.setEnd(id, edge, end.value + by, merge, rolls)
      })}
    />
  )
}

/** How near to a target a drag is drawn to it, in pixels. */
const snapPixels = 8

type Drawn = {
  /** To what this end, or the whole thing, is drawn. */
  snapOf: (edge: Edge | null) => Snap | null
  /** Shows the timeline frame that draws. */
  guide: (at: number | null) => void
}

/**
 * One way of the hand, one step back: answers the pointer handlers of an element. `begin` answers what is called with the
 * frames from where the pointer went down to where it is, or to what draws it; with Ctrl nothing draws.
 */
const useDrag = (scale: () => number, view: LineView | undefined, { snapOf, guide }: Drawn) => {
  const under = useRef<{
    x: number
    /** Where the line was moved to when the pointer went down. */
    left: number
    scale: number
    by: number
    merge: string
    snap: Snap | null
    to: (by: number, merge: string) => void
  }>(null)
  const end = () => {
    under.current = null
    view?.drawnAt(null)
    guide(null)
  }
  const show = (clientX: number, isFreed: boolean) => {
    const drag = under.current
    if (!drag) return
    const hand = Math.round((clientX - drag.x + (view?.left() ?? 0) - drag.left) * drag.scale)
    const isFree = isFreed || hand === 0 || !drag.snap
    const { by, at } = isFree
      ? { by: hand, at: null }
      : snapBy(drag.snap!.targets, drag.snap!.moved, hand, snapPixels * drag.scale)
    guide(at)
    if (by === drag.by) return
    drag.by = by
    drag.to(by, drag.merge)
  }
  return (
    name: string,
    edge: Edge | null,
    begin: (event: PointerEvent<HTMLElement>) => (by: number, merge: string) => void,
  ) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const snap = snapOf(edge)
      under.current = {
        x: event.clientX,
        left: view?.left() ?? 0,
        scale: scale(),
        by: 0,
        merge: `${name} ${Date.now()}`,
        snap,
        to: begin(event),
      }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!under.current) return
      const { clientX } = event
      const isFreed = event.ctrlKey || event.metaKey
      show(clientX, isFreed)
      view?.drawnAt(clientX, () => show(clientX, isFreed))
    },
    onPointerUp: end,
    onPointerCancel: end,
  })
}
