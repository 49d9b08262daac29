import { useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { noteWays } from '../../security/after-reset.ts'
import { signInWithPassword, useUser } from '../../session.ts'
import { useNewPassword } from '../../sign-in/new-password.tsx'
import { messages as signInMessages } from '../../sign-in/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messages } from './messages.ts'

/** A code to one's own address, then the new password. It ends every session, so this device signs in anew. */
export const PasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const { email } = useUser()
  const [isSent, setSent] = useState(false)
  const ask = useCall(accounts.sendCode, { onSuccess: () => setSent(true) })
  const { form, fields, submit, isPending } = useNewPassword(email, (password, ways) => {
    noteWays(ways)
    signInWithPassword(email, password).then(
      () => {
        // What ended with the old password is gone from the cards at once.
        void queryClient.invalidateQueries()
        toast.success(messages.passwordChanged)
        onClose()
      },
      (error: unknown) => {
        console.error('The new password did not sign in', error)
        toast.info(messages.signedOutByChange)
      },
    )
  })
  return (
    <Dialog
      title={messages.changePassword}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.stop}</Button>
          {isSent ? (
            <Button variant="primary" type="submit" form={formId} isPending={isPending}>
              {messages.changePassword}
            </Button>
          ) : (
            <Button
              variant="primary"
              isPending={ask.isPending}
              onPress={() => ask.mutate({ query: { email } })}
              autoFocus
            >
              {messages.sendCode}
            </Button>
          )}
        </>
      )}
    >
      {isSent ? (
        <form
          ref={form}
          id={formId}
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <p className="text-muted">{signInMessages.codeSentTo(email)}</p>
          {fields}
        </form>
      ) : (
        <div className="grid gap-2 text-muted">
          <p>{messages.passwordSend(email)}</p>
          <p>{messages.passwordText}</p>
          {ask.isError && (
            <p role="alert" className="text-danger">
              {failureWords(ask.error)}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

const formId = 'change-password'
