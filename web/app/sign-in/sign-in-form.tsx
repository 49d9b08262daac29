import { useRef, useState, type FormEvent } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { failureWords } from '../failures.ts'
import { paths } from '../paths.ts'
import { signInWithPassword } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { EmailField, OtherForm, ProblemInView } from './form-parts.tsx'
import { emailFault } from './email-fault.ts'
import { messages } from './messages.ts'
import { PasswordField } from './password-field.tsx'
import { ProviderButtons } from './provider-buttons.tsx'

const route = getRouteApi('/login')

export const SignInForm = () => {
  const { next } = route.useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<{ email?: string; password?: string; form?: string }>({})
  const [isPending, setPending] = useState(false)
  const emailRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = {
      ...emailFault(email),
      ...(password === '' ? { password: messages.needPassword } : {}),
    }
    setWrong(found)
    if (found.email) return emailRef.current?.focus()
    if (found.password) return passwordRef.current?.focus()
    setPending(true)
    try {
      await signInWithPassword(email, password)
      setPending(false)
    } catch (error) {
      console.error('Sign-in failed', error)
      setWrong({ form: messages.failed })
      setPending(false)
      passwordRef.current?.focus()
    }
  }

  return (
    // A dialog's, which goes nowhere by itself: pressed before its script is there, it would put the password into the address.
    <form method="dialog" noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <h1 className="text-2xl font-bold">{messages.signInTitle}</h1>
      {wrong.form !== undefined && <ProblemInView>{wrong.form}</ProblemInView>}
      {/* At rest, where the app itself may not arrive: at-rest.ts shows it. */}
      {typeof document === 'undefined' && (
        <ProblemInView id="unreachable" hidden>
          {failureWords(undefined)}
        </ProblemInView>
      )}
      <EmailField
        autoComplete="username webauthn"
        value={email}
        onChange={setEmail}
        error={wrong.email}
        inputRef={emailRef}
        autoFocus
      />
      <PasswordField
        label={messages.password}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={wrong.password}
        inputRef={passwordRef}
      />
      <Link
        to={paths.login}
        search={{ mode: 'forgot', ...(next ? { next } : {}) }}
        state={{ email }}
        className="touch -mt-3 inline-flex items-center justify-self-start text-[0.8125rem] font-medium text-primary-text underline-offset-4 hover:underline"
      >
        {messages.forgot}
      </Link>
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {messages.signIn}
      </Button>
      <ProviderButtons next={next} onProblem={(words) => setWrong(words === undefined ? {} : { form: words })} />
      <OtherForm mode="sign-up" before={messages.toSignUp}>
        {messages.toSignUpLink}
      </OtherForm>
    </form>
  )
}
