import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { addressVerified, useUser } from '../../session.ts'
import { CodeField } from '../../sign-in/code-field.tsx'
import { hasCode, noteCode } from '../../sign-in/sent-code.ts'
import { messages as signInMessages } from '../../sign-in/messages.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

/** Six digits that were sent to one's own address: at sign-up, or now. */
export const VerifyDialog = ({ onClose }: { onClose: () => void }) => {
  const { email } = useUser()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { mutate: ask } = useCall(accounts.sendCode, {
    onSuccess: () => noteCode(email),
    onError: (failure) => setError(failureWords(failure)),
  })
  useEffect(() => {
    if (!hasCode(email)) ask({ query: { email } })
  }, [email, ask])
  const verify = useCall(accounts.verifyEmail, {
    onSuccess: () => {
      addressVerified()
      toast.success(messages.confirmed)
      onClose()
    },
    onError: (failure) => {
      setError(failureWords(failure))
      if (!(failure instanceof Refusal && failure.code === 'account.no-seat')) return
      // The address is confirmed all the same, so this is asked no more; the words stay until they are closed.
      toast.warning(failureWords(failure), { duration: Infinity, closeButton: true })
      addressVerified()
      onClose()
    },
  })
  const confirm = () => {
    if (code.length < 6) return setError(signInMessages.needCode)
    setError(undefined)
    verify.mutate({ body: { code } })
  }
  return (
    <FormDialog
      title={messages.title}
      submit={messages.confirm}
      cancel={messages.later}
      isPending={verify.isPending}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p className="text-muted wrap-anywhere">{messages.text(email)}</p>
      <CodeField
        email={email}
        value={code}
        onChange={(text) => {
          setError(undefined)
          setCode(text)
        }}
        error={error}
      />
      <p className="text-[0.8125rem] text-muted">{messages.wrongAddress}</p>
    </FormDialog>
  )
}
