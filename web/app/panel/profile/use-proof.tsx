import { useState, type FormEvent } from 'react'
import { Refusal } from '@clear-to-post/contract/errors'
import { failureWords } from '../../failures.ts'
import { signOut } from '../../session.ts'
import { PasswordField } from '../../sign-in/password-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

type Work = (password?: string) => Promise<unknown>

/**
 * Changes of what one signs in with need a sign-in of a moment ago, or the password. `prove` does the work; where the
 * service asks for proof, `dialog` asks for the password (or a new sign-in) and the work is done with it.
 */
export const useProof = (hasPassword: boolean) => {
  const [waiting, setWaiting] = useState<Work | null>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const stop = () => {
    setWaiting(null)
    setPassword('')
    setError(undefined)
  }
  const prove = async (work: Work): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      if (failure instanceof Refusal && failure.code === 'session.not-fresh') setWaiting(() => work)
      else toastFailure(failure)
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (waiting === null) return
    if (password === '') return setError(messages.needPassword)
    setPending(true)
    try {
      await waiting(password)
      stop()
    } catch (failure) {
      if (failure instanceof Refusal && failure.code !== 'session.wrong-password' && failure.kind === 'conflict') {
        toastFailure(failure)
        stop()
      } else setError(failureWords(failure))
    } finally {
      setPending(false)
    }
  }
  const dialog = waiting !== null && (
    <Dialog
      title={messages.proofTitle}
      isOpen
      onOpenChange={stop}
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
          <p className="text-muted">{messages.proofText}</p>
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
        <p className="text-muted">{messages.proofByNewSignIn}</p>
      )}
    </Dialog>
  )
  return { prove, dialog }
}

const formId = 'proof'
