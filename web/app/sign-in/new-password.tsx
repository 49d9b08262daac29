import { useState } from 'react'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import type { Ways } from '../security/after-reset.ts'
import { CodeField } from './code-field.tsx'
import { NewPasswordFields, ProblemInView, useFocusOnWrong } from './form-parts.tsx'
import { messages } from './messages.ts'
import { passwordFault } from './password-fault.ts'

type Wrong = Partial<Record<'code' | 'password' | 'confirmation' | 'form', string>>

/** A code that was sent and a new password: for who forgot theirs, and for who changes it. */
export const useNewPassword = (email: string, onChanged: (password: string, ways: Ways) => void) => {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFocusOnWrong(wrong)
  const change = useCall(accounts.changePassword, {
    onSuccess: ({ kept, removed }) => onChanged(password, { kept, removed }),
    onError: (error) => setWrong(wrongOf(error)),
  })
  const submit = () => {
    const found: Wrong = {
      ...(code.length === 6 ? {} : { code: messages.needCode }),
      ...passwordFault(password),
      ...(password === confirmation ? {} : { confirmation: messages.differ }),
    }
    setWrong(found)
    if (Object.keys(found).length === 0)
      change.mutate({ body: { email, code, pass: password, passConfirm: confirmation } })
  }
  const fields = (
    <>
      {wrong.form !== undefined && <ProblemInView>{wrong.form}</ProblemInView>}
      <CodeField email={email} value={code} onChange={setCode} error={wrong.code} />
      <NewPasswordFields
        label={messages.newPasswordLabel}
        hint={messages.newPasswordHint}
        password={password}
        onPassword={setPassword}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
        wrong={wrong}
      />
    </>
  )
  return { form, fields, submit, isPending: change.isPending || change.isSuccess }
}

const wrongOf = (error: unknown): Wrong => {
  const words = failureWords(error)
  switch (error instanceof Refusal ? error.code : '') {
    case 'account.wrong-code':
      return { code: words }
    case 'account.weak-password':
      return { password: words }
    default:
      return { form: words }
  }
}
