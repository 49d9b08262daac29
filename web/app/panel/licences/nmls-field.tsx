import { nmlsDigits } from '@clear-to-post/domain/licences'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** A number of the Nationwide Multistate Licensing System; what is no number is said at the field. */
export const NmlsField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <TextField
    label={label}
    hint={messages.nmlsHint}
    value={value}
    onChange={onChange}
    error={nmlsDigits(value) === null ? messages.wrongNmls : undefined}
    maxLength={40}
    inputMode="numeric"
    autoComplete="off"
    isRequired={false}
  />
)
