import { useState, type FormEvent } from 'react'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import { paths } from '../paths.ts'
import { signInWithPassword } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { EmailField, OtherForm, useFocusOnWrong } from './form-parts.tsx'
import { emailFault } from './email-fault.ts'
import { messages } from './messages.ts'
import { useNewPassword } from './new-password.tsx'
import { codeIsGoodFor } from './sent-code.ts'
import { noteWays } from '../security/after-reset.ts'

const route = getRouteApi('/login')

/**
 * Forgotten password: a code by e-mail, then a new one. Nothing here tells whether an address is known. Which step one is
 * at stands in the page's place in the history, so that a reload changes nothing while the code is good.
 */
export const ForgotForm = () => {
  const navigate = useNavigate()
  const search = route.useSearch()
  const state = useLocation({ select: (at) => at.state })
  const [openedAt] = useState(Date.now)
  const [email, setEmail] = useState(state.email ?? '')
  const [error, setError] = useState<string>()
  const form = useFocusOnWrong(error)
  const isSent = state.codeSentAt !== undefined && openedAt - state.codeSentAt < codeIsGoodFor
  const ask = useCall(accounts.sendCode, {
    onSuccess: () => navigate({ to: paths.login, search, state: { email: email.trim(), codeSentAt: Date.now() } }),
    onError: (failure) => setError(failureWords(failure)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { email: fault } = emailFault(email)
    setError(fault)
    if (fault !== undefined) return
    ask.mutate({ query: { email: email.trim() } })
  }
  return (
    <div className="grid gap-5">
      <h1 className="text-2xl font-bold">{messages.forgotTitle}</h1>
      {isSent ? (
        <NewPassword
          email={state.email ?? ''}
          onOther={() => void navigate({ to: paths.login, search, state: { email } })}
        />
      ) : (
        <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
          <p className="text-muted">{messages.forgotText}</p>
          <EmailField value={email} onChange={setEmail} error={error} autoFocus />
          <Button type="submit" variant="primary" size="large" isPending={ask.isPending}>
            {messages.sendCode}
          </Button>
        </form>
      )}
      <OtherForm>{messages.backToSignIn}</OtherForm>
    </div>
  )
}

const NewPassword = ({ email, onOther }: { email: string; onOther: () => void }) => {
  const navigate = useNavigate()
  const search = route.useSearch()
  // Signing in at once: the person has just proved who they are.
  const { form, fields, submit, isPending } = useNewPassword(email, (password, ways) => {
    toast.success(messages.passwordChanged)
    if (noteWays(ways))
      void navigate({
        to: paths.login,
        search: { ...search, next: `${paths.profile}#security` },
        replace: true,
        state: true,
      })
    void signInWithPassword(email, password).catch((error: unknown) => {
      console.error('The new password did not sign in', error)
      location.assign(paths.login)
    })
  })
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className="text-muted">
        {messages.codeSent(email)}{' '}
        <button
          type="button"
          onClick={onOther}
          className="touch font-medium text-primary-text underline-offset-4 hover:underline"
        >
          {messages.otherEmail}
        </button>
      </p>
      {fields}
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {messages.setPassword}
      </Button>
    </form>
  )
}
