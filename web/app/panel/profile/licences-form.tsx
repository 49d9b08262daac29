import type { LicenceState } from '@clear-to-post/domain/licences'
import { nmlsDigits } from '@clear-to-post/domain/licences'
import { useUser } from '../../session.ts'
import { useWritten } from '../../ui/use-written.ts'
import { messages } from '../licences/messages.ts'
import { NmlsField } from '../licences/nmls-field.tsx'
import { SmallPrint, writtenNumber } from '../licences/small-print.tsx'
import { StatesField } from '../licences/states-field.tsx'
import { FormSection } from './section.tsx'
import { useProfile } from './use-profile.ts'

type Form = { nmlsNumber: string; licenceStates: readonly LicenceState[] }

/** An officer's NMLS number and the states of their licences. */
export const LicencesForm = () => {
  const user = useUser()
  const kept: Form = { nmlsNumber: user.nmlsNumber ?? '', licenceStates: user.licenceStates ?? [] }
  const { form, write, forget: forgetWritten } = useWritten<Form>(kept)
  const { save, isPending, failure, forget } = useProfile()
  const changes = {
    ...((nmlsDigits(form.nmlsNumber) ?? form.nmlsNumber) === kept.nmlsNumber ? {} : { nmlsNumber: form.nmlsNumber }),
    ...([...form.licenceStates].toSorted().join() === [...kept.licenceStates].toSorted().join()
      ? {}
      : { licenceStates: [...form.licenceStates] }),
  }
  return (
    <FormSection
      id="licences"
      title={messages.title}
      text={messages.ownText}
      isChanged={Object.keys(changes).length > 0}
      isPending={isPending}
      failure={failure}
      onSave={() => {
        if (nmlsDigits(form.nmlsNumber) !== null) void save(changes, forgetWritten)
      }}
      onUndo={() => {
        forgetWritten()
        forget()
      }}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <NmlsField label={messages.own} value={form.nmlsNumber} onChange={(nmlsNumber) => write({ nmlsNumber })} />
        <StatesField value={form.licenceStates} onChange={(licenceStates) => write({ licenceStates })} />
      </div>
      <SmallPrint
        nmlsNumber={writtenNumber(form.nmlsNumber)}
        company={
          user.companyLicences
            ? {
                nmlsNumber: user.companyLicences.nmlsNumber ?? null,
                equalHousing: user.companyLicences.equalHousing ?? null,
              }
            : null
        }
      />
    </FormSection>
  )
}
