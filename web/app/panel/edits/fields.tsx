import { useId, type ComponentProps, type ReactNode } from 'react'
import { drawn, leftOut } from '@clear-to-post/edit/drawn'
import { missingFrom } from '@clear-to-post/edit/fonts'
import { cx } from '../../ui/cx.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** A value between two ends, moved by hand or by arrow keys; its number stands beside the label. */
export const Range = ({
  label,
  value,
  min,
  max,
  step,
  onChange,
  say,
  isDisabled = false,
  action,
}: {
  label: string
  value: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
  /** The value in words. */
  say: (value: number) => string
  isDisabled?: boolean
  action?: ReactNode
}) => {
  const id = useId()
  return (
    <div className="grid gap-1">
      <div className="flex min-h-6 items-center justify-between gap-3 text-[0.8125rem]">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <span className="flex items-center gap-2">
          {action}
          <output htmlFor={id} className="figures text-muted">
            {say(value)}
          </output>
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={isDisabled}
        aria-valuetext={say(value)}
        onChange={(event) => onChange(Number(event.target.value))}
        className="touch h-6 w-full accent-primary disabled:opacity-45"
      />
    </div>
  )
}

type Focus = { x: number; y: number }

/** What stays in the picture where its shape is another one: two values from 0 to 1, of its width and height. */
export const FocusFields = ({
  value,
  onChange,
  isDisabled,
}: {
  value: Focus
  onChange: (part: Partial<Focus>) => void
  isDisabled: boolean
}) => {
  const percent = { min: 0, max: 100, step: 1, isDisabled }
  return (
    <>
      <Range
        {...percent}
        label={messages.focusX}
        value={Math.round(value.x * 100)}
        say={messages.leftRight}
        onChange={(x) => onChange({ x: x / 100 })}
      />
      <Range
        {...percent}
        label={messages.focusY}
        value={Math.round(value.y * 100)}
        say={messages.upDown}
        onChange={(y) => onChange({ y: y / 100 })}
      />
    </>
  )
}

/** A group of settings under its name. */
export const Group = ({
  title,
  id,
  children,
  className,
}: {
  title: string
  /** By which a command finds it. */
  id?: string
  children: ReactNode
  className?: string
}) => (
  <section
    aria-label={title}
    id={id}
    className={cx('grid gap-3 border-t border-line py-4 first:border-t-0 first:pt-0', className)}
  >
    <h2 className="text-[0.9375rem]">{title}</h2>
    {children}
  </section>
)

/** A text that is painted into the video: says at once what of it nobody would see. */
export const DrawnField = (props: ComponentProps<typeof TextField> & { value: string }) => (
  <TextField {...props} hint={notesOf(props)} />
)

/** The same for a text of several lines. */
export const DrawnArea = (props: ComponentProps<typeof TextArea> & { value: string }) => (
  <TextArea {...props} hint={notesOf(props)} />
)

const notesOf = ({ value, hint }: { value: string; hint?: ReactNode }): ReactNode => {
  const [gone, boxes] = [leftOut(value), missingFrom(drawn(value))]
  const notes = [
    gone.length > 0 && messages.noPicture(gone),
    boxes.length > 0 && messages.boxesIn(boxes.join('')),
  ].filter((note) => typeof note === 'string')
  if (notes.length === 0) return hint
  return (
    <span role="status" className="text-warn">
      {notes.join(' ')}
    </span>
  )
}
