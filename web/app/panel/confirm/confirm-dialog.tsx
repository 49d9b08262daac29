import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Refusal } from '@clear-to-post/contract/errors'
import { security } from '@clear-to-post/contract/security'
import { query } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { confirmWithPassword, signOut } from '../../session.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

/**
 * The password once more, and a code where there is an authenticator app. Who has no password, or passkeys alone as their
 * second step, signs in anew.
 */
export const ConfirmDialog = ({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) => {
  const own = useQuery(query(security.read, {})).data
  const hasApp = own !== undefined && own.totp !== null
  const [isStepAsked, setStepAsked] = useState(false)
  const isAskedHere = (own?.hasPassword ?? true) && (hasApp || ((own?.passkeys.length ?? 0) === 0 && !isStepAsked))
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [faults, setFaults] = useState<{ password?: string; code?: string }>({})
  const codeInput = useRef<HTMLInputElement>(null)
  const [isPending, setPending] = useState(false)
  const submit = async () => {
    if (password === '') return setFaults({ password: messages.needPassword })
    if (hasApp && code.trim() === '') {
      setFaults({ code: messages.needCode })
      return codeInput.current?.focus()
    }
    setPending(true)
    try {
      await confirmWithPassword({ password, ...(hasApp ? { proof: proofOf(code) } : {}) })
      onAnswer(true)
    } catch (failure) {
      setPending(false)
      if (failure instanceof Refusal && failure.code === 'session.second-step') setStepAsked(true)
      const isOfCode = failure instanceof Refusal && failure.code === 'session.wrong-code'
      setFaults({ [isOfCode ? 'code' : 'password']: failureWords(failure) })
      if (isOfCode) codeInput.current?.focus()
    }
  }
  return (
    <FormDialog
      title={messages.title}
      submit={isAskedHere ? messages.goOn : messages.signInAgain}
      cancel={messages.stop}
      isPending={isPending}
      onSubmit={() => void (isAskedHere ? submit() : signOut())}
      onClose={() => onAnswer(false)}
    >
      {isAskedHere ? (
        <>
          <p className="text-muted">{hasApp ? messages.textWithCode : messages.text}</p>
          <PasswordField
            label={messages.password}
            autoComplete="current-password"
            value={password}
            onChange={(text) => {
              setFaults({})
              setPassword(text)
            }}
            error={faults.password}
            autoFocus
          />
          {hasApp && (
            <TextField
              label={messages.code}
              hint={messages.codeHint}
              name="code"
              autoComplete="one-time-code"
              value={code}
              onChange={(text) => {
                setFaults({})
                setCode(text)
              }}
              error={faults.code}
              inputRef={codeInput}
              className="[&_input]:font-mono"
            />
          )}
        </>
      ) : (
        <p className="text-muted">{messages.byNewSignIn}</p>
      )}
    </FormDialog>
  )
}

/** Six digits are the app's; whatever else is written is taken for a recovery code. */
const proofOf = (code: string) => {
  const digits = code.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { method: 'totp' as const, code: digits } : { method: 'recovery-code' as const, code }
}
