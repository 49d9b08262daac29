import { useId, useRef, useState, type ReactNode } from 'react'
import { dayIn, instantAt, timeIn } from '@clear-to-post/domain/calendar'
import { isTooNear } from '@clear-to-post/domain/posting'
import { locale } from '../../language.ts'
import { currentZone, whenInSentence } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { box, field, labelLook } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import { quickChoices } from './quick-choices.ts'

type TimeDialogProps = {
  title: string
  hint: string
  confirm: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  isPending: boolean
  /** Whether what else is chosen is complete. */
  isReady?: boolean
  /** What is moved goes out some minutes later at the soonest (`leastMinutesAhead`). */
  isMove?: boolean
  /** What stands there first; else tomorrow morning. */
  begin?: Date | undefined
  /** The officer’s next free slot, which is offered first and stands there first. */
  slot?: Date | undefined
  /** When the officer’s posts do best, which is offered, too. */
  best?: Date | undefined
  /** An ISO instant in the future. */
  onChoose: (at: string) => void
  /** What is said of the moment, below it; not while it is none, or has passed. */
  about?: (at: Date) => ReactNode
  /** What else is chosen, below the moment, which is null while it is none. */
  children?: ReactNode | ((at: Date | null) => ReactNode)
}

/** A moment in the future, in the zone of the viewer's account, which is named. The browser's own picker: phones have the better one. */
export const TimeDialog = ({
  title,
  hint,
  confirm,
  isOpen,
  onOpenChange,
  isPending,
  isReady = true,
  isMove = false,
  slot,
  best,
  begin = slot,
  onChoose,
  about,
  children,
}: TimeDialogProps) => {
  const [written, setValue] = useState<string>()
  const [tomorrow] = useState(() => morning(1))
  const value = written ?? wall(begin ?? tomorrow)
  const [error, setError] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  /** Said at the field, where it is mended. */
  const refuse = (words: string) => {
    setError(words)
    input.current?.focus()
  }
  const ids = { input: useId(), hint: useId() }
  const moment = momentOf(value)
  const choose = () => {
    const at = momentOf(value)
    if (at === null) return refuse(messages.noTime)
    if (at.getTime() <= Date.now()) return refuse(messages.inPast)
    if (isMove && isTooNear(at, new Date())) return refuse(messages.tooNear)
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
          <Button variant="primary" isPending={isPending} isDisabled={!isReady} onPress={choose}>
            {confirm}
          </Button>
        </>
      )}
    >
      <p className="text-muted">{hint}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {slot && (
          <Button
            size="small"
            onPress={() => {
              setError(undefined)
              setValue(wall(slot))
            }}
          >
            {messages.nextSlot(whenInSentence(slot.toISOString()))}
          </Button>
        )}
        {best && (
          <Button
            size="small"
            onPress={() => {
              setError(undefined)
              setValue(wall(best))
            }}
          >
            {messages.best(whenInSentence(best.toISOString()))}
          </Button>
        )}
        {quickChoices(today()).map(({ label, days }) => (
          <Button
            key={label}
            size="small"
            onPress={() => {
              setError(undefined)
              setValue(wall(morning(days)))
            }}
          >
            {`${label}, ${timeOf().format(morning(days))}`}
          </Button>
        ))}
      </div>
      <div className={cx(field, 'mt-4')}>
        <label htmlFor={ids.input} className={labelLook}>
          {messages.when}
        </label>
        <input
          ref={input}
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
          onKeyDown={(event) => event.key === 'Enter' && isReady && choose()}
        />
        <p
          id={ids.hint}
          role={error ? 'alert' : undefined}
          className={cx('text-[0.8125rem]', error ? 'text-danger' : 'text-muted')}
        >
          {error ?? aboutTime(value, moment)}
        </p>
      </div>
      {about && moment !== null && moment.getTime() > Date.now() && about(moment)}
      {typeof children === 'function' ? children(moment) : children}
    </Dialog>
  )
}

const today = (): string => dayIn(new Date(), currentZone())

/** A day `YYYY-MM-DD` so many days from today. */
const dayAfter = (days: number): string => new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10)

const timeOf = () => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: currentZone() })

// Eight in the morning, when loan officers post.
const morning = (days: number): Date => instantAt(dayAfter(days), '08:00', currentZone())

/** As `datetime-local` wants it: the wall's time without a zone. */
const wall = (at: Date): string => `${dayIn(at, currentZone())}T${timeIn(at, currentZone())}`

/** The instant at which the account's clocks show this; null when it is no time. */
const momentOf = (value: string): Date | null => {
  const [day = '', time = ''] = value.split('T')
  if (Number.isNaN(Date.parse(`${day}T${time.slice(0, 5)}:00Z`))) return null
  const at = instantAt(day, time.slice(0, 5), currentZone())
  return Number.isNaN(at.getTime()) ? null : at
}

/** The zone; or the moment that is meant, where the clocks are put forward past this time. */
const aboutTime = (value: string, at: Date | null): string =>
  at !== null && wall(at) !== value.slice(0, 16)
    ? messages.skipped(whenInSentence(at.toISOString()))
    : messages.zone(zoneName(at ?? new Date()))

const zoneName = (at: Date): string => {
  const timeZone = currentZone()
  const long = new Intl.DateTimeFormat(locale, { timeZoneName: 'long', timeZone }).formatToParts(at)
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ')
  return [long.find(({ type }) => type === 'timeZoneName')?.value, place && `(${place})`].filter(Boolean).join(' ')
}
