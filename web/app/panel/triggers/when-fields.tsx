import { useMemo } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Choice } from '../../ui/choice.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { TextField } from '../../ui/fields.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { timeZones } from '../profile/time-zones.ts'
import { messages } from './messages.ts'
import type { Form, PartProps, Repeats } from './trigger-data.ts'
import { weekDayWords } from './words.ts'

/** When a trigger runs: its recurrence, time of day and zone, its first day and its end. */
export const WhenFields = ({ form, problems, onChange, isDisabled }: PartProps) => {
  const zones = useMemo(() => timeZones(form.timezone), [form.timezone])
  const { repeats } = form
  const many = (part: keyof Form) => (value: number) => Number.isFinite(value) && onChange({ [part]: value })
  return (
    <>
      <div className={isDisabled ? 'pointer-events-none' : undefined} inert={isDisabled}>
        <Choice<Repeats>
          label={messages.repeats}
          options={(Object.keys(messages.repeat) as Repeats[]).map((key) => ({ key, label: messages.repeat[key] }))}
          value={repeats}
          onChange={(chosen) => onChange({ repeats: chosen })}
        />
      </div>
      <div className="flex flex-wrap items-start gap-5">
        {repeats !== 'once' && (
          <NumberField
            label={messages.every[repeats]}
            value={form.interval}
            onChange={many('interval')}
            minValue={1}
            maxValue={366}
            isDisabled={isDisabled}
          />
        )}
        {repeats === 'weekly' && (
          <div className="grid gap-1.5">
            <span className="text-[0.8125rem] font-medium">{messages.weekDays}</span>
            <ToggleButtonGroup
              aria-label={messages.weekDays}
              selectionMode="multiple"
              disallowEmptySelection
              isDisabled={isDisabled}
              selectedKeys={form.weekDays.map(String)}
              onSelectionChange={(keys) => onChange({ weekDays: [...keys].map(Number).sort((a, b) => a - b) })}
              className="flex flex-wrap gap-1.5"
            >
              {[1, 2, 3, 4, 5, 6, 7].map((day) => (
                <ToggleButton
                  key={day}
                  id={String(day)}
                  className="touch inline-flex h-10 min-w-12 items-center justify-center rounded-control border border-edge bg-surface px-2 hover:bg-sunken data-disabled:opacity-50 data-selected:border-primary data-selected:bg-primary-tint data-selected:font-medium data-selected:text-primary-text"
                >
                  <WeekDay day={day} />
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          </div>
        )}
        {repeats === 'monthly' && (
          <NumberField
            label={messages.dayOfMonth}
            hint={form.dayOfMonth > 28 ? messages.dayOfMonthHint : undefined}
            value={form.dayOfMonth}
            onChange={many('dayOfMonth')}
            minValue={1}
            maxValue={31}
            isDisabled={isDisabled}
          />
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={messages.timeOfDay}
          type="time"
          value={form.timeOfDay}
          onChange={(timeOfDay) => onChange({ timeOfDay: timeOfDay.slice(0, 5) })}
          error={problems.timeOfDay}
          isDisabled={isDisabled}
        />
        {isDisabled ? (
          <TextField label={messages.timezone} value={form.timezone} isDisabled />
        ) : (
          <ComboBox
            label={messages.timezone}
            options={zones}
            value={form.timezone}
            onChange={(timezone) => onChange({ timezone })}
          />
        )}
        <TextField
          label={repeats === 'once' ? messages.day : messages.firstDay}
          hint={messages.firstDayHint}
          type="date"
          value={form.firstDay}
          onChange={(firstDay) => onChange({ firstDay })}
          isRequired={false}
          isDisabled={isDisabled}
        />
      </div>
      {repeats !== 'once' && (
        <div className="flex flex-wrap items-start gap-5">
          <div className="grid gap-1.5" inert={isDisabled}>
            <span className="text-[0.8125rem] font-medium">{messages.ends}</span>
            <Choice
              label={messages.ends}
              options={(['never', 'on', 'after'] as const).map((key) => ({ key, label: messages.end[key] }))}
              value={form.ends}
              onChange={(ends) => onChange({ ends })}
            />
          </div>
          {form.ends === 'on' && (
            <TextField
              label={messages.lastDay}
              type="date"
              value={form.lastDay}
              onChange={(lastDay) => onChange({ lastDay })}
              error={problems.lastDay}
              isDisabled={isDisabled}
            />
          )}
          {form.ends === 'after' && (
            <NumberField
              label={messages.times}
              value={form.times}
              onChange={many('times')}
              minValue={1}
              maxValue={10_000}
              isDisabled={isDisabled}
            />
          )}
        </div>
      )}
    </>
  )
}

/** `Mon`, heard as Monday. */
const WeekDay = ({ day }: { day: number }) => (
  <>
    <span aria-hidden>{weekDayWords(day, 'short')}</span>
    <span className="sr-only">{weekDayWords(day, 'long')}</span>
  </>
)
