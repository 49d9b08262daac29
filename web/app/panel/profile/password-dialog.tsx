import { useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { noteWays } from '../../security/after-reset.ts'
import { signInWithPassword, useUser } from '../../session.ts'
import { useNewPassword } from '../../sign-in/new-password.tsx'
import { messages as signInMessages } from '../../sign-in/messages.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
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
    <FormDialog
      title={messages.changePassword}
      submit={isSent ? messages.changePassword : messages.sendCode}
      cancel={messages.stop}
      problem={ask.isError && failureWords(ask.error)}
      isPending={ask.isPending || isPending}
      autoFocusSubmit={!isSent}
      formRef={form}
      onSubmit={() => (isSent ? submit() : ask.mutate({ query: { email } }))}
      onClose={onClose}
    >
      {isSent ? (
        <>
          <p className="text-muted">{signInMessages.codeSentTo(email)}</p>
          {fields}
        </>
      ) : (
        <div className="grid gap-2 text-muted">
          <p>{messages.passwordSend(email)}</p>
          <p>{messages.passwordText}</p>
        </div>
      )}
    </FormDialog>
  )
}
