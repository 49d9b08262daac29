import { ProgressBar } from 'react-aria-components/ProgressBar'
import { percentWords } from '../times.ts'
import { cx } from './cx.ts'

/** A bar and its words: what runs, how far, what is left. `value` 0 to 1; null when nobody knows. */
export const Progress = ({
  label,
  detail,
  value,
  tone = 'primary',
  className,
}: {
  label: string
  /** To the right: time left, megabytes. */
  detail?: string | undefined
  value: number | null
  tone?: 'primary' | 'good' | 'warn' | 'danger'
  className?: string
}) => (
  <ProgressBar
    aria-label={label}
    {...(value === null ? { isIndeterminate: true } : { value: value * 100, valueLabel: percentWords(value) })}
    className={cx('flex flex-col gap-1.5', className)}
  >
    <div className="figures flex flex-wrap items-baseline justify-between gap-x-3 text-[0.8125rem]">
      <span className="font-medium">
        {label}
        {value !== null && <span className="font-normal text-muted"> {percentWords(value)}</span>}
      </span>
      {detail !== undefined && <span className="text-muted">{detail}</span>}
    </div>
    <div className="h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className={cx(
          'h-full rounded-full transition-[width] duration-300 ease-out',
          tones[tone],
          value === null && 'w-1/3 animate-breathe',
        )}
        style={value === null ? undefined : { width: `${value * 100}%` }}
      />
    </div>
  </ProgressBar>
)

const tones = { primary: 'bg-primary', good: 'bg-good', warn: 'bg-warn', danger: 'bg-danger' }
