import { useState, type Ref } from 'react'
import { Input } from 'react-aria-components/Input'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import { Eye, EyeOff } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Below, box, field, FieldLabel } from '../ui/fields.tsx'
import { messages } from './messages.ts'

export const PasswordField = ({
  label,
  autoComplete,
  value,
  onChange,
  hint,
  error,
  inputRef,
  autoFocus = false,
}: {
  label: string
  autoComplete: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  hint?: string
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
}) => {
  const [isShown, setShown] = useState(false)
  return (
    <AriaTextField
      name={autoComplete}
      type={isShown ? 'text' : 'password'}
      autoComplete={autoComplete}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      isInvalid={error !== undefined}
      className={field}
    >
      <FieldLabel>{label}</FieldLabel>
      <div className="relative">
        <Input ref={inputRef} className={cx(box, 'touch h-10 pr-12 pl-3')} />
        <IconButton
          label={isShown ? messages.hide : messages.show}
          onPress={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 my-auto text-muted"
        >
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      </div>
      <Below hint={hint} error={error} />
    </AriaTextField>
  )
}
