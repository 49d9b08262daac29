import { licenceStateCodes, licenceStates, type LicenceState } from '@clear-to-post/domain/licences'
import { ChoicesField } from '../../ui/choices-field.tsx'
import { messages } from './messages.ts'

/** The states somebody is licensed in. */
export const StatesField = ({
  value,
  onChange,
}: {
  value: readonly LicenceState[]
  onChange: (value: LicenceState[]) => void
}) => (
  <ChoicesField
    label={messages.states}
    hint={messages.statesHint}
    options={options}
    value={value}
    onChange={onChange}
    removeWords={messages.removeState}
  />
)

const options = licenceStateCodes.map((code) => ({ value: code, label: licenceStates[code] }))
