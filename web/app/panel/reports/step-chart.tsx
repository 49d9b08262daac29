import { useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../ui/cx.ts'

/** What one series of a chart says at each step; a step without a value has no mark. */
export type Series = {
  name: string
  kind: 'bar' | 'line'
  tone: Tone
  values: readonly (number | undefined)[]
}
export type Tone = 'primary' | 'good' | 'danger' | 'quiet'

const height = 200
const edges = { right: 8, top: 8, bottom: 24 }

/**
 * Bars and lines over steps of time, drawn for the width that is there. For who does not see it, it is one picture with
 * `label`; the figures themselves stand in the table beside it.
 */
export const StepChart = ({
  label,
  steps,
  series,
  words,
  most,
  isCount = false,
}: {
  label: string
  /** What each step is called. */
  steps: readonly string[]
  series: readonly Series[]
  /** A value as people read it. */
  words: (value: number) => string
  /** The top of the scale, where it is not the greatest value. */
  most?: number
  /** Values are whole numbers: so is the scale. */
  isCount?: boolean
}) => {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [active, setActive] = useState<number>()
  const greatest = most ?? Math.max(1, ...series.flatMap(({ values }) => values.filter((one) => one !== undefined)))
  const ticks = ticksTo(greatest, isCount ? 1 : 0)
  const top = ticks.at(-1)!
  // As wide as the longest words of the scale.
  const room = { ...edges, left: 12 + 6.5 * Math.max(4, ...ticks.map((tick) => words(tick).length)) }
  const inner = { width: Math.max(width - room.left - room.right, 1), height: height - room.top - room.bottom }
  const step = inner.width / steps.length
  const x = (place: number) => room.left + place * step
  const y = (value: number) => room.top + inner.height * (1 - value / top)
  const bars = series.filter(({ kind }) => kind === 'bar')
  const bar = Math.min((step * 0.7) / Math.max(bars.length, 1), 28)
  const each = Math.max(1, Math.ceil(steps.length / Math.max(1, Math.floor(inner.width / 64))))
  const said = active !== undefined && active < steps.length ? active : undefined
  return (
    <figure className="grid gap-2">
      <figcaption aria-hidden className="flex min-h-6 flex-wrap items-baseline gap-x-4 gap-y-1 text-[0.8125rem]">
        {series.map(({ name, tone, kind, values }) => (
          <span key={name} className="flex items-center gap-1.5">
            <span className={cx('inline-block w-3', kind === 'bar' ? 'h-3 rounded-sm' : 'h-0.5', grounds[tone])} />
            <span className="text-muted">{name}</span>
            {said !== undefined && values[said] !== undefined && (
              <span className="figures font-medium">{words(values[said])}</span>
            )}
          </span>
        ))}
        {said !== undefined && <span className="figures ml-auto text-muted">{steps[said]}</span>}
      </figcaption>
      <div ref={frame} className="min-w-0">
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={height}
          className="block max-w-full touch-pan-y"
          onPointerMove={(event) => {
            const at = event.clientX - event.currentTarget.getBoundingClientRect().left
            setActive(Math.min(Math.max(Math.floor((at - room.left) / step), 0), steps.length - 1))
          }}
          onPointerLeave={() => setActive(undefined)}
        >
          {said !== undefined && (
            <rect x={x(said)} y={room.top} width={step} height={inner.height} className="fill-sunken" />
          )}
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={room.left} x2={width - room.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
              <text x={room.left - 6} y={y(tick) + 4} textAnchor="end" className="figures fill-muted text-[0.6875rem]">
                {words(tick)}
              </text>
            </g>
          ))}
          {steps.map(
            (name, place) =>
              place % each === 0 && (
                <text
                  key={name}
                  x={x(place) + step / 2}
                  y={height - 6}
                  textAnchor={place === 0 && step < 48 ? 'start' : 'middle'}
                  className="figures fill-muted text-[0.6875rem]"
                >
                  {name}
                </text>
              ),
          )}
          {bars.map(({ name, tone, values }, nth) =>
            values.map(
              (value, place) =>
                value !== undefined &&
                value > 0 && (
                  <rect
                    key={`${name} ${steps[place]}`}
                    x={x(place) + step / 2 + (nth - bars.length / 2) * bar}
                    y={y(value)}
                    width={Math.max(bar - 1, 1)}
                    height={Math.max(room.top + inner.height - y(value), 1)}
                    rx={Math.min(2, bar / 3)}
                    className={fills[tone]}
                  />
                ),
            ),
          )}
          {series
            .filter(({ kind }) => kind === 'line')
            .map(({ name, tone, values }, nth) => (
              <g key={name}>
                <path
                  strokeDasharray={nth > 0 ? '5 4' : undefined}
                  d={lineOf(values, (place) => x(place) + step / 2, y)}
                  className={cx('fill-none stroke-2', strokes[tone])}
                />
                {values.map(
                  (value, place) =>
                    value !== undefined && (
                      <circle
                        key={steps[place]}
                        cx={x(place) + step / 2}
                        cy={y(value)}
                        r={place === said ? 4 : 2.5}
                        className={fills[tone]}
                      />
                    ),
                )}
              </g>
            ))}
        </svg>
      </div>
    </figure>
  )
}

/** Reasons with how often each was named, as bars with their words. */
export const NamedBars = ({
  items,
  most = Math.max(1, ...items.map(({ value }) => value)),
}: {
  items: readonly { name: string; value: number; words: string }[]
  /** What a whole bar stands for. */
  most?: number
}) => {
  return (
    <ul className="grid gap-2.5">
      {items.map(({ name, value, words }) => (
        <li key={name} className="grid gap-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className="[overflow-wrap:anywhere]">{name}</span>
            <span className="figures font-medium">{words}</span>
          </span>
          <span aria-hidden className="h-2 overflow-hidden rounded-full bg-sunken">
            <span className="block h-full rounded-full bg-primary" style={{ width: `${(100 * value) / most}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Up to six round values from 0 up to at least `most`, `least` apart or more. */
export const ticksTo = (most: number, least = 0): number[] => {
  const rough = Math.max(most / 4, least)
  const power = 10 ** Math.floor(Math.log10(rough))
  const unit = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough - 1e-9)!
  const count = Math.ceil(most / unit - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => Number((i * unit).toPrecision(6)))
}

// A line ends where a step has no value, and begins again behind it.
const lineOf = (values: readonly (number | undefined)[], x: (place: number) => number, y: (value: number) => number) =>
  values
    .map((value, place) =>
      value === undefined
        ? ''
        : `${values[place - 1] === undefined ? 'M' : 'L'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('')

const useWidth = (frame: { current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(320)
  useLayoutEffect(() => {
    const element = frame.current!
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}

const fills = { primary: 'fill-primary', good: 'fill-good', danger: 'fill-danger', quiet: 'fill-edge' }
const strokes = { primary: 'stroke-primary', good: 'stroke-good', danger: 'stroke-danger', quiet: 'stroke-edge' }
const grounds = { primary: 'bg-primary', good: 'bg-good', danger: 'bg-danger', quiet: 'bg-edge' }
