/** Bars of a voice; the same at every build. */
export const Waveform = ({
  bars,
  withPauses = false,
  className,
}: {
  bars: number
  withPauses?: boolean
  className: string
}) => (
  <svg aria-hidden viewBox={`0 0 ${bars * 6} 56`} preserveAspectRatio="none" className={`size-full ${className}`}>
    {Array.from({ length: bars }, (_, bar) => {
      const isPause = withPauses && pauses.some(([from, to]) => bar / bars > from && bar / bars < to)
      const height = isPause
        ? 3
        : 6 + 34 * Math.abs(Math.sin(bar * 0.41) * Math.sin(bar * 1.73 + 1) + 0.25 * Math.sin(bar * 4.1))
      return (
        <rect
          key={bar}
          x={bar * 6}
          y={28 - height / 2}
          width="3"
          height={height}
          rx="1.5"
          fill={isPause ? '#ff5a3c' : 'currentColor'}
        />
      )
    })}
  </svg>
)

const pauses = [
  [0.12, 0.2],
  [0.34, 0.42],
  [0.55, 0.66],
  [0.82, 0.88],
] as const
