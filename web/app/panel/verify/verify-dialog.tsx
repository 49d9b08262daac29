import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { addressVerified, useUser } from '../../session.ts'
import { CodeField } from '../../sign-in/code-field.tsx'
import { hasCode, noteCode } from '../../sign-in/sent-code.ts'
import { messages as signInMessages } from '../../sign-in/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
    onError: (failure) => setError(failureWords(failure)),
  })
  return (
    <Dialog
      title={messages.title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.later}</Button>
          <Button variant="primary" type="submit" form={formId} isPending={verify.isPending}>
            {messages.confirm}
          </Button>
        </>
      )}
    >
      <form
        id={formId}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length < 6) return setError(signInMessages.needCode)
          setError(undefined)
          verify.mutate({ body: { code } })
        }}
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
      </form>
    </Dialog>
  )
}

const formId = 'verify-address'
