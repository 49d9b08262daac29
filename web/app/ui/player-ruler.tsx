import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { clock, preciseClock, spoken, tickSteps } from './player-time.ts'
import type { Playback } from './player-transport.ts'
import { words } from './player-words.ts'
import type { Filmstrip } from './player-stage.tsx'

/** A remark on the ruler; `at` in seconds. */
export type PlayerMark = { id: string; at: number; label: string; isDone?: boolean }

type RulerProps = {
  transport: Playback
  peaks?: ArrayLike<number> | undefined
  filmstrip?: Filmstrip | undefined
  marks?: readonly PlayerMark[]
  onMark?: ((mark: PlayerMark) => void) | undefined
  /** Instead of the ruler’s own drawing of all of its sound. */
  wave?: ReactNode
  /** Keys that skip, with their seconds. */
  skips?: Readonly<Record<string, number>>
  /** Drawn over the sound, under the playhead. */
  children?: ReactNode
}

/**
 * The ledger ruler: ticks, the sound's shape, comments and the coral playhead. It is one slider for a keyboard or a screen
 * reader; marks lie over it as buttons of their own.
 */
export const PlayerRuler = ({
  transport,
  peaks,
  filmstrip,
  marks = [],
  onMark,
  wave,
  skips = everySkip,
  children,
}: RulerProps) => {
  const { duration } = useSyncExternalStore(transport.subscribe, transport.state)
  const root = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLSpanElement>(null)
  const [hover, setHover] = useState<{ x: number; at: number; width: number } | null>(null)
  const resume = useRef<boolean | null>(null)
  const colours = useColourScheme()

  useEffect(() => {
    const ruler = root.current
    if (!ruler) return undefined
    let bars = 0
    const show = (seconds: number) => {
      const end = transport.state().duration
      const played = end > 0 ? Math.min(1, seconds / end) : 0
      playhead.current!.style.transform = `translateX(${(100 * played).toFixed(4)}cqi)`
      // Everything on the ruler inherits this: it is said anew only where another bar of the sound was played.
      const shown = String(bars > 0 ? Math.floor(played * bars) / bars : played)
      if (shown !== ruler.style.getPropertyValue('--played')) ruler.style.setProperty('--played', shown)
      slider.current?.setAttribute('aria-valuenow', seconds.toFixed(2))
      slider.current?.setAttribute('aria-valuetext', words.timeOf(spoken(seconds), spoken(end)))
    }
    const watch = new ResizeObserver(([entry]) => {
      bars = Math.floor((entry?.contentRect.width ?? 0) / barRoom)
    })
    watch.observe(ruler)
    const stop = transport.onTime(show)
    return () => {
      stop()
      watch.disconnect()
    }
  }, [transport, duration])

  const timeAt = (event: PointerEvent<HTMLElement>) => {
    // The slider reaches a little over both ends; the ruler itself is what is measured.
    const box = (root.current ?? event.currentTarget).getBoundingClientRect()
    const x = Math.min(Math.max(0, event.clientX - box.left), box.width)
    return { x, at: box.width > 0 ? (x / box.width) * duration : 0, width: box.width }
  }
  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || duration === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    resume.current = transport.state().playing
    transport.pause()
    const place = timeAt(event)
    setHover(place)
    transport.seek(place.at)
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (duration === 0) return
    const place = timeAt(event)
    if (event.pointerType === 'mouse' || resume.current !== null) setHover(place)
    if (resume.current !== null) transport.seek(place.at)
  }
  const up = (event: PointerEvent<HTMLDivElement>) => {
    if (resume.current) transport.play()
    resume.current = null
    if (event.pointerType !== 'mouse') setHover(null)
  }
  const keys = (event: KeyboardEvent) => {
    const by = skips[event.key]
    if (by === undefined) return
    event.preventDefault()
    transport.skip(by)
  }

  return (
    <div ref={root} className="player-ruler">
      {wave ?? <Wave peaks={peaks} duration={duration} colours={colours} />}
      {children}
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={words.time}
        aria-valuemin={0}
        aria-valuemax={duration}
        aria-valuenow={0}
        className="player-slider"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onPointerLeave={() => resume.current === null && setHover(null)}
        onKeyDown={keys}
      />
      <span aria-hidden className="player-way">
        <span ref={playhead} className="player-playhead" />
      </span>
      {duration > 0 &&
        marks.map((mark) => (
          <button
            key={mark.id}
            type="button"
            className="player-mark"
            data-done={mark.isDone || undefined}
            style={{ left: `${Math.min(100, (mark.at / duration) * 100)}%` }}
            aria-label={words.marked(clock(mark.at), mark.label)}
            title={mark.label}
            onClick={() => onMark?.(mark)}
          >
            <span />
          </button>
        ))}
      {hover && <Preview {...hover} filmstrip={filmstrip} />}
    </div>
  )
}

const everySkip = { PageUp: 10, PageDown: -10, ArrowUp: 1, ArrowDown: -1 }

// The tile of the filmstrip under the pointer, with its time.
const Preview = ({
  x,
  at,
  width,
  filmstrip,
}: {
  x: number
  at: number
  width: number
  filmstrip?: Filmstrip | undefined
}) => {
  const scale = filmstrip ? Math.min(1, 112 / filmstrip.tileHeight) : 1
  const [w, h] = filmstrip ? [filmstrip.tileWidth * scale, filmstrip.tileHeight * scale] : [64, 0]
  const left = Math.min(Math.max(x, w / 2 + 2), width - w / 2 - 2)
  const tile = filmstrip ? Math.min(filmstrip.count - 1, Math.floor((at * 1000) / filmstrip.everyMs)) : 0
  return (
    <>
      <span aria-hidden className="player-hairline" style={{ left: x }} />
      <div aria-hidden className="player-preview" style={{ left }}>
        {filmstrip && (
          <div
            style={{
              width: w,
              height: h,
              backgroundImage: `url("${filmstrip.url}")`,
              backgroundSize: `${w * filmstrip.columns}px ${h * filmstrip.rows}px`,
              backgroundPosition: `${-(tile % filmstrip.columns) * w}px ${-Math.floor(tile / filmstrip.columns) * h}px`,
            }}
          />
        )}
        <span>{preciseClock(at)}</span>
      </div>
    </>
  )
}

type WaveProps = { peaks?: ArrayLike<number> | undefined; duration: number; colours: string }

// Drawn twice, muted and in the played colour; CSS clips the second at the playhead, so playing redraws nothing.
const Wave = ({ peaks, duration, colours }: WaveProps) => {
  const plain = useRef<HTMLCanvasElement>(null)
  const played = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const loudest = peaks && loudestOf(peaks)
    const draw = () => {
      if (plain.current) paintWave(plain.current, loudest, duration)
      // Ticks and times are the same on both; drawn twice they would only look bolder.
      if (played.current) paintWave(played.current, loudest, 0)
    }
    const watch = new ResizeObserver(draw)
    if (plain.current) watch.observe(plain.current)
    return () => watch.disconnect()
  }, [peaks, duration, colours])
  return (
    <>
      <canvas ref={plain} aria-hidden className="player-wave" />
      <canvas ref={played} aria-hidden className="player-wave player-wave-played" />
    </>
  )
}

const loudestOf =
  (peaks: ArrayLike<number>): Loudest =>
  (from, to) => {
    const first = Math.floor(from * peaks.length)
    const last = Math.max(first + 1, Math.floor(to * peaks.length))
    let loudest = 0
    for (let i = first; i < last; i++) loudest = Math.max(loudest, peaks[i] ?? 0)
    return loudest
  }

/** The loudest between two shares of the whole length, 0 to 1. */
export type Loudest = (from: number, to: number) => number

const tickRoom = 22

/** Pixels from one bar of the sound to the next. */
const barRoom = 3

/** Paints a ruler’s sound and, with a duration in seconds, its ticks; `part` is what of the ruler the canvas shows, in pixels. */
export const paintWave = (
  canvas: HTMLCanvasElement,
  loudest: Loudest | undefined,
  duration: number,
  part?: { from: number; whole: number },
) => {
  const { width, height } = canvas.getBoundingClientRect()
  const ctx = canvas.getContext('2d')
  if (!ctx || width === 0) return
  const dots = Math.min(3, devicePixelRatio || 1)
  canvas.width = Math.round(width * dots)
  canvas.height = Math.round(height * dots)
  ctx.scale(dots, dots)
  const { from, whole } = part ?? { from: 0, whole: width }
  ctx.translate(-from, 0)
  const style = getComputedStyle(canvas)
  ctx.fillStyle = style.color
  const room = height - tickRoom
  // Each bar is the loudest of what it stands for.
  const bars = Math.floor(whole / barRoom)
  const lastBar = Math.min(bars, Math.ceil((from + width) / barRoom))
  for (let bar = Math.floor(from / barRoom); bar < lastBar && loudest; bar++) {
    const tall = Math.max(1, loudest(bar / bars, (bar + 1) / bars) * (room - 4))
    ctx.fillRect(bar * barRoom, (room - tall) / 2, 2, tall)
  }
  if (duration <= 0) return
  const { fine, labelled } = tickSteps(duration, whole)
  // The border has no width; it only carries a second colour that the style sheet has resolved.
  ctx.fillStyle = style.borderTopColor
  ctx.font = `10px ${style.fontFamily}`
  ctx.textBaseline = 'alphabetic'
  const seconds = duration / whole
  const count = Math.min(Math.floor(duration / fine + 1e-6), Math.ceil(((from + width) * seconds) / fine))
  // A label reaches into what is seen from the left.
  for (let i = Math.max(0, Math.floor(((from - 64) * seconds) / fine)); i <= count; i++) {
    const at = i * fine
    const x = Math.min(whole - 1, Math.round(at / seconds))
    const major = isMultiple(at, labelled)
    ctx.fillRect(x, room, 1, major ? 8 : 4)
    if (!major) continue
    const text = clock(at)
    const wide = ctx.measureText(text).width
    if (x + wide + 4 > whole) continue
    ctx.fillText(text, x + 4, height - 4)
  }
}

const isMultiple = (at: number, of: number): boolean => Math.abs(at / of - Math.round(at / of)) < 1e-6

/** Light or dark: a canvas does not follow the style sheet by itself, it is drawn again when this changes. */
export const useColourScheme = (): string =>
  useSyncExternalStore(
    (changed) => {
      const query = matchMedia('(prefers-color-scheme: dark)')
      query.addEventListener('change', changed)
      const theme = new MutationObserver(changed)
      theme.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-theme', 'style'] })
      return () => {
        query.removeEventListener('change', changed)
        theme.disconnect()
      }
    },
    () => {
      const { dataset, className } = document.documentElement
      return `${matchMedia('(prefers-color-scheme: dark)').matches} ${dataset['theme'] ?? ''} ${className}`
    },
  )
