import { useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { isNotFresh } from '../../send.ts'
import { addressVerified, changedUser, useUser } from '../../session.ts'
import { CodeField } from '../../sign-in/code-field.tsx'
import { isEmail } from '../../sign-in/email-fault.ts'
import { messages as signInMessages } from '../../sign-in/messages.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

/** A new address, and the code that was sent there. */
export const EmailDialog = ({ onClose }: { onClose: () => void }) => {
  const user = useUser()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const change = useCall(accounts.changeEmail, {
    onSuccess: (changed) => {
      changedUser(changed)
      addressVerified()
      toast.success(messages.emailChanged)
      onClose()
    },
    onError: (failure) => {
      if (!isNotFresh(failure)) setError(failureWords(failure))
    },
  })
  const ask = async () => {
    const address = email.trim().toLowerCase()
    if (!isEmail(address)) return setError(messages.wrongEmail)
    if (address === user.email) return setError(messages.sameEmail)
    setError(undefined)
    setAsking(true)
    try {
      const { isValid } = await send(accounts.available, { query: { email: address } })
      if (!isValid) return setError(messages.taken)
      await send(accounts.sendCode, { query: { email: address } })
      setSentTo(address)
    } catch (failure) {
      setError(failureWords(failure))
    } finally {
      setAsking(false)
    }
  }
  const confirm = () => {
    if (sentTo === null) return void ask()
    if (code.length < 6) return setError(signInMessages.needCode)
    setError(undefined)
    change.mutate({ body: { email: sentTo, code } })
  }
  const isTaken = change.error instanceof Refusal && change.error.code === 'account.email-taken'
  return (
    <FormDialog
      title={messages.changeEmail}
      submit={sentTo === null ? messages.sendCode : messages.confirmEmail}
      cancel={messages.stop}
      isPending={isAsking || change.isPending}
      onSubmit={confirm}
      onClose={onClose}
    >
      {sentTo === null || isTaken ? (
        <TextField
          label={messages.newEmail}
          hint={messages.newEmailHint}
          type="email"
          inputMode="email"
          autoComplete="email"
          value={email}
          onChange={(text) => {
            setEmail(text)
            setSentTo(null)
            setError(undefined)
            change.reset()
          }}
          error={error}
          autoFocus
        />
      ) : (
        <>
          <p className="text-muted">{signInMessages.codeSentTo(sentTo)}</p>
          <CodeField email={sentTo} value={code} onChange={setCode} error={error} />
        </>
      )}
    </FormDialog>
  )
}
