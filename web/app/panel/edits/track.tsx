import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { Edge } from '@clear-to-post/edit/commands/trims'
import type { Timeline, Window } from '@clear-to-post/edit/timeline'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

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
  /** Missing: things of this track cannot be moved along. */
  move?: ((id: string, by: number, merge: string) => void) | undefined
}

type TrackProps = {
  label: string
  kind: 'video' | 'layers' | 'titles' | 'music'
  bars: readonly Bar[]
  /** What is in hand on this track. */
  held: { id: string; edge: Edge | null } | null
  hand: TrackHand
  timeline: Timeline
  mayWrite: boolean
  /** Drawn under the bars. */
  children?: ReactNode
}

/** A track under the ruler: bars with ends to be dragged or moved by keys, to the frame. */
export const Track = ({ label, kind, bars, held, hand, timeline, mayWrite, children }: TrackProps) => {
  const track = useRef<HTMLDivElement>(null)
  /** Frames of the video under so many pixels, as long as a drag lasts: the line may get shorter meanwhile. */
  const scale = () => timeline.frames / Math.max(1, track.current!.getBoundingClientRect().width)
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
          {...{ hand, timeline, mayWrite, scale }}
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
  scale: () => number
}

const BarOf = ({ bar, lane, isHeld, edge, hand, timeline, mayWrite, scale }: BarProps) => {
  const { id, title, windows, ends } = bar
  const [first, last] = [windows[0], windows.at(-1)]
  const drag = useDrag(scale)
  if (!first || !last) return null
  const share = (frames: number) => `${(frames / Math.max(1, timeline.frames)) * 100}%`
  const row = { '--lane': lane }
  const { move } = hand
  const isMovable = isHeld && mayWrite && move !== undefined
  let moved = 0
  return (
    <>
      {windows.map((window, i) => (
        <button
          key={i}
          type="button"
          tabIndex={i === 0 ? 0 : -1}
          aria-hidden={i > 0}
          aria-pressed={isHeld}
          aria-label={bar.label}
          data-movable={isMovable || undefined}
          className={cx('track-bar', bar.isOff && 'track-bar-off')}
          style={{ ...row, left: share(window.from), width: share(window.to - window.from) }}
          title={title}
          onClick={() => !isHeld && hand.hold(id, null)}
          onFocus={() => isHeld && edge !== null && hand.hold(id, null)}
          {...(isMovable &&
            drag(`move ${id}`, () => {
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
            style={{ ...row, left: share(one === 'from' ? first.from : last.to) }}
            {...{ hand, drag }}
          />
        ))}
    </>
  )
}

type HandleProps = {
  edge: Edge
  bar: Bar
  end: BarEnd
  style: CSSProperties
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
    hand.setEnd(id, edge, end.value + by, `nudge ${id} ${edge}`, event.altKey)
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
      {...drag(`drag ${id} ${edge}`, (event) => {
        const rolls = event.altKey
        // A finger that draws does not give the focus.
        hand.hold(id, edge)
        return (by, merge) => hand.setEnd(id, edge, end.value + by, merge, rolls)
      })}
    />
  )
}

/**
 * One way of the hand, one step back: answers the pointer handlers of an element. `begin` answers what is called with the
 * frames from where the pointer went down to where it is.
 */
const useDrag = (scale: () => number) => {
  const under = useRef<{
    x: number
    scale: number
    by: number
    merge: string
    to: (by: number, merge: string) => void
  }>(null)
  const end = () => {
    under.current = null
  }
  return (name: string, begin: (event: PointerEvent<HTMLElement>) => (by: number, merge: string) => void) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      under.current = { x: event.clientX, scale: scale(), by: 0, merge: `${name} ${Date.now()}`, to: begin(event) }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const drag = under.current
      if (!drag) return
      const by = Math.round((event.clientX - drag.x) * drag.scale)
      if (by === drag.by) return
      drag.by = by
      drag.to(by, drag.merge)
    },
    onPointerUp: end,
    onPointerCancel: end,
  })
}
