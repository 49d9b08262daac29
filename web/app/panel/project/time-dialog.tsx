import { useId, useState } from 'react'
import { locale } from '../../language.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { box, field, labelLook } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

type TimeDialogProps = {
  title: string
  hint: string
  confirm: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  isPending: boolean
  /** An ISO instant in the future. */
  onChoose: (at: string) => void
}

/** A moment in the future, in the viewer's own zone, which is named. The browser's own picker: phones have the better one. */
export const TimeDialog = ({ title, hint, confirm, isOpen, onOpenChange, isPending, onChoose }: TimeDialogProps) => {
  const [value, setValue] = useState(() => wall(morning(1)))
  const [error, setError] = useState<string>()
  const ids = { input: useId(), hint: useId() }
  const choose = () => {
    const at = new Date(value)
    if (value === '' || Number.isNaN(at.getTime())) return setError(messages.noTime)
    if (at.getTime() <= Date.now()) return setError(messages.inPast)
    onChoose(at.toISOString())
  }
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.stop}</Button>
          <Button variant="primary" isPending={isPending} onPress={choose}>
            {confirm}
          </Button>
        </>
      )}
    >
      <p className="text-muted">{hint}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {quick.map(({ label, days }) => (
          <Button
            key={label}
            size="small"
            onPress={() => {
              setError(undefined)
              setValue(wall(morning(days())))
            }}
          >
            {`${label}, ${timeOf.format(morning(days()))}`}
          </Button>
        ))}
      </div>
      <div className={cx(field, 'mt-4')}>
        <label htmlFor={ids.input} className={labelLook}>
          {messages.when}
        </label>
        <input
          id={ids.input}
          type="datetime-local"
          value={value}
          min={wall(new Date())}
          autoFocus
          aria-describedby={ids.hint}
          aria-invalid={error !== undefined}
          className={cx(box, 'touch h-10 px-3')}
          onChange={(event) => {
            setError(undefined)
            setValue(event.target.value)
          }}
          onKeyDown={(event) => event.key === 'Enter' && choose()}
        />
        <p
          id={ids.hint}
          role={error ? 'alert' : undefined}
          className={cx('text-[0.8125rem]', error ? 'text-danger' : 'text-muted')}
        >
          {error ?? messages.zone(zoneName(new Date(value)))}
        </p>
      </div>
    </Dialog>
  )
}

const daysToMonday = () => ((8 - new Date().getDay()) % 7) + (new Date().getDay() === 1 ? 7 : 0)

const quick = [
  { label: messages.quickTomorrow, days: () => 1 },
  { label: messages.quickMonday, days: daysToMonday },
  { label: messages.quickWeek, days: () => 7 },
]

const timeOf = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })

// Eight in the morning, when loan officers post.
const morning = (days: number): Date => {
  const at = new Date()
  at.setDate(at.getDate() + days)
  at.setHours(8, 0, 0, 0)
  return at
}

/** As `datetime-local` wants it: the wall's time without a zone. */
const wall = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const zoneName = (at: Date): string => {
  const moment = Number.isNaN(at.getTime()) ? new Date() : at
  const long = new Intl.DateTimeFormat(locale, { timeZoneName: 'long' }).formatToParts(moment)
  const place = Intl.DateTimeFormat().resolvedOptions().timeZone.split('/').at(-1)?.replaceAll('_', ' ')
  return [long.find(({ type }) => type === 'timeZoneName')?.value, place && `(${place})`].filter(Boolean).join(' ')
}
