import { equalHousings, equalHousingWords } from '@clear-to-post/domain/licences'
import { FormCard } from '../../ui/form-card.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from '../licences/messages.ts'
import { NmlsField } from '../licences/nmls-field.tsx'
import { SmallPrint, writtenNumber } from '../licences/small-print.tsx'
import { StatesField } from '../licences/states-field.tsx'
import type { Form } from './tenant-data.ts'

/** What a company's advertisements say of it. */
export const LicenceFields = ({ form, onChange }: { form: Form; onChange: (part: Partial<Form>) => void }) => (
  <FormCard id="licences" title={messages.title} text={messages.companyText}>
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <NmlsField label={messages.company} value={form.nmlsNumber} onChange={(nmlsNumber) => onChange({ nmlsNumber })} />
      <Select
        label={messages.equalHousing}
        hint={messages.equalHousingHint}
        value={form.equalHousing}
        options={[
          ...equalHousings.map((value) => ({ value, label: equalHousingWords[value] })),
          { value: 'none' as const, label: messages.none },
        ]}
        onChange={(equalHousing) => onChange({ equalHousing })}
      />
      <div className="sm:col-span-2">
        <StatesField value={form.licenceStates} onChange={(licenceStates) => onChange({ licenceStates })} />
      </div>
    </div>
    <SmallPrint
      nmlsNumber={null}
      company={{
        nmlsNumber: writtenNumber(form.nmlsNumber),
        equalHousing: form.equalHousing === 'none' ? null : form.equalHousing,
      }}
    />
  </FormCard>
)
