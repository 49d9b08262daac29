import { useState } from 'react'
import { Plus, X } from 'lucide-react'
import { comingTimeOff, mostTimeOff } from '@clear-to-post/domain/availability'
import { locale } from '../../language.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/fields.tsx'
import { isRight, type Form } from './form.ts'
import { messages } from './messages.ts'

/** The hours of each day of the week, and days off. */
export const AvailabilityFields = ({ form, onChange }: { form: Form; onChange: (part: Partial<Form>) => void }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-medium">{messages.week}</legend>
      {form.workWeek.map((hours, place) => {
        const day = messages.days[place]!
        const set = (value: Form['workWeek'][number]) => onChange({ workWeek: form.workWeek.with(place, value) })
        return (
          <div key={day} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1">
            <div className="w-32">
              <Checkbox
                isSelected={hours !== null}
                onChange={(isOn) => set(isOn ? { from: '09:00', to: '17:00' } : null)}
              >
                {day}
              </Checkbox>
            </div>
            {hours === null ? (
              <span className="text-muted">{messages.dayOff}</span>
            ) : (
              <>
                <Time label={messages.fromOn(day)} value={hours.from} onChange={(from) => set({ ...hours, from })} />
                <span aria-hidden className="text-muted">
                  {messages.to}
                </span>
                <Time label={messages.toOn(day)} value={hours.to} onChange={(to) => set({ ...hours, to })} />
                {!isRight(hours) && (
                  <span role="alert" className="text-[0.8125rem] text-danger">
                    {messages.wrongHours}
                  </span>
                )}
              </>
            )}
          </div>
        )
      })}
    </fieldset>
    <DaysOff timeOff={form.timeOff} onChange={(timeOff) => onChange({ timeOff })} />
  </div>
)

const DaysOff = ({ timeOff, onChange }: { timeOff: Form['timeOff']; onChange: (timeOff: Form['timeOff']) => void }) => {
  const [written, setWritten] = useState({ from: '', to: '' })
  const [isWrong, setIsWrong] = useState(false)
  const isFull = comingTimeOff(timeOff, new Date()).length >= mostTimeOff
  const write = (part: Partial<typeof written>) => {
    setIsWrong(false)
    setWritten({ ...written, ...part })
  }
  const add = () => {
    const span = { from: written.from, to: written.to === '' ? written.from : written.to }
    if (span.from === '' || span.to < span.from) return setIsWrong(true)
    onChange([...timeOff, span].toSorted((a, b) => a.from.localeCompare(b.from)))
    setWritten({ from: '', to: '' })
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="font-medium">{messages.off}</legend>
      <p className="-mt-2 text-[0.8125rem] text-muted">{messages.offText}</p>
      {timeOff.length === 0 ? (
        <p className="text-muted">{messages.none}</p>
      ) : (
        <ul className="grid gap-1">
          {timeOff.map(({ from, to }, place) => {
            const words = messages.span(dayOf(from), dayOf(to))
            return (
              <li key={`${from} ${to}`} className="flex items-center gap-2">
                <span className="figures min-w-0 flex-1">{words}</span>
                <IconButton label={messages.remove(words)} onPress={() => onChange(timeOff.toSpliced(place, 1))}>
                  <X aria-hidden className="size-4" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={messages.first}
          type="date"
          value={written.from}
          onChange={(from) => write({ from })}
          className="w-40"
        />
        <TextField
          label={messages.last}
          type="date"
          value={written.to}
          onChange={(to) => write({ to })}
          className="w-40"
        />
        <Button icon={<Plus aria-hidden />} isDisabled={isFull} onPress={add}>
          {messages.add}
        </Button>
      </div>
      {isFull && <p className="text-[0.8125rem] text-muted">{messages.full(mostTimeOff)}</p>}
      {isWrong && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {messages.wrongOff}
        </p>
      )}
    </fieldset>
  )
}

const Time = ({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) => (
  <TextField label={label} type="time" value={value} onChange={onChange} className="w-32 [&>label]:sr-only" />
)

const dayOf = (day: string): string => dayFormat.format(new Date(`${day}T12:00:00Z`))
const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
