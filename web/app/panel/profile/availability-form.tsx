import { useState } from 'react'
import { readUserAnew, useMay, useUser } from '../../session.ts'
import { changesOf } from '../../ui/changes-of.ts'
import { zoneWords } from '../availability/availability-dialog.tsx'
import { AvailabilityFields } from '../availability/availability-fields.tsx'
import { areHoursRight, formOf, type Form } from '../availability/form.ts'
import { messages } from '../availability/messages.ts'
import { FormSection } from './section.tsx'
import { useProfile } from './use-profile.ts'

/** An editor's own hours and days off. */
export const AvailabilityForm = () => (useMay('availability.own') ? <OwnHours /> : null)

const OwnHours = () => {
  const user = useUser()
  const kept = formOf(user)
  // With what it was made from: what an admin changes meanwhile is not taken back.
  const [written, setWritten] = useState<{ form: Form; from: Form }>()
  const { form, from } = written ?? { form: kept, from: kept }
  const { save, isPending, failure, forget } = useProfile()
  const changes = changesOf(form, from)
  return (
    <FormSection
      id="hours"
      title={messages.title}
      text={`${messages.text(zoneWords(user.timezone))}${user.workWeek === undefined ? ` ${messages.usual}` : ''}`}
      isChanged={changes !== undefined}
      isPending={isPending}
      failure={failure}
      onSave={() => {
        if (changes && areHoursRight(form)) void save(changes, () => setWritten(undefined))
      }}
      onUndo={() => {
        setWritten(undefined)
        // What was refused may have been changed by somebody else.
        if (failure) void readUserAnew()
        forget()
      }}
    >
      <AvailabilityFields form={form} onChange={(part) => setWritten({ form: { ...form, ...part }, from })} />
    </FormSection>
  )
}
