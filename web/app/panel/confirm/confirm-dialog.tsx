import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { security } from '@clear-to-post/contract/security'
import { query } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { confirmWithPassword, signOut } from '../../session.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messages } from './messages.ts'

/** The password once more; who has none signs in anew. */
export const ConfirmDialog = ({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) => {
  const hasPassword = useQuery(query(security.read, {})).data?.hasPassword ?? true
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setError(messages.needPassword)
    setPending(true)
    try {
      await confirmWithPassword(password)
      onAnswer(true)
    } catch (failure) {
      setError(failureWords(failure))
      setPending(false)
    }
  }
  return (
    <Dialog
      title={messages.title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onAnswer(false)}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.stop}</Button>
          {hasPassword ? (
            <Button variant="primary" type="submit" form={formId} isPending={isPending}>
              {messages.goOn}
            </Button>
          ) : (
            <Button variant="primary" onPress={() => void signOut()}>
              {messages.signInAgain}
            </Button>
          )}
        </>
      )}
    >
      {hasPassword ? (
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
          <p className="text-muted">{messages.text}</p>
          <PasswordField
            label={messages.password}
            autoComplete="current-password"
            value={password}
            onChange={(text) => {
              setError(undefined)
              setPassword(text)
            }}
            error={error}
            autoFocus
          />
        </form>
      ) : (
        <p className="text-muted">{messages.byNewSignIn}</p>
      )}
    </Dialog>
  )
}

const formId = 'confirm-identity'
