import { useMay, useUser } from '../../session.ts'
import { useWritten } from '../../ui/use-written.ts'
import { zoneWords } from '../availability/availability-dialog.tsx'
import { AvailabilityFields } from '../availability/availability-fields.tsx'
import { areHoursRight, changesOf, formOf, type Form } from '../availability/form.ts'
import { messages } from '../availability/messages.ts'
import { FormSection } from './section.tsx'
import { useProfile } from './use-profile.ts'

/** An editor's own hours and days off. */
export const AvailabilityForm = () => (useMay('availability.own') ? <OwnHours /> : null)

const OwnHours = () => {
  const user = useUser()
  const kept = formOf(user)
  const { form, write, forget: forgetWritten } = useWritten<Form>(kept)
  const { save, isPending, failure, forget } = useProfile()
  const changes = changesOf(form, kept)
  return (
    <FormSection
      id="hours"
      title={messages.title}
      text={`${messages.text(zoneWords(user.timezone))}${user.workWeek === undefined ? ` ${messages.usual}` : ''}`}
      isChanged={Object.keys(changes).length > 0}
      isPending={isPending}
      failure={failure}
      onSave={() => {
        if (areHoursRight(form)) void save(changes, forgetWritten)
      }}
      onUndo={() => {
        forgetWritten()
        forget()
      }}
    >
      <AvailabilityFields form={form} onChange={write} />
    </FormSection>
  )
}
