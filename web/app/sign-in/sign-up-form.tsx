import { useDeferredValue, useState, type FormEvent } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { tenants } from '@clear-to-post/contract/tenants'
import { query, useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import { paths } from '../paths.ts'
import { signInWithCustomToken } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { isEmail } from './is-email.ts'
import { messages } from './messages.ts'
import { passwordFault } from './password-fault.ts'
import { PasswordField } from './password-field.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { TenantFace } from './tenant-face.tsx'

const route = getRouteApi('/login')
type Wrong = Partial<Record<'code' | 'name' | 'email' | 'password' | 'confirmation' | 'form', string>>

export const SignUpForm = ({ invitation = '' }: { invitation?: string | undefined }) => {
  const { next } = route.useSearch()
  const [code, setCode] = useState(invitation)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [profession, setProfession] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const create = useCall(accounts.create)

  const asked = useDeferredValue(code.trim())
  const face = useQuery({
    ...query(tenants.invitation, { params: { code: asked } }),
    enabled: asked.length >= 4,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isUnknown = asked.length >= 4 && face.error instanceof Refusal && face.error.kind === 'not-found'

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found: Wrong = {
      ...(name.trim() === '' ? { name: messages.needName } : {}),
      ...(email.trim() === '' ? { email: messages.needEmail } : isEmail(email) ? {} : { email: messages.wrongEmail }),
      ...passwordFault(password),
      ...(password === confirmation ? {} : { confirmation: messages.differ }),
    }
    setWrong(found)
    const [first] = Object.keys(found)
    if (first !== undefined) return
    try {
      const { token } = await create.mutateAsync({
        body: {
          email,
          name,
          password,
          passwordConfirmation: confirmation,
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...(profession.trim() ? { profession } : {}),
          ...(code.trim() ? { invitationCode: code.trim() } : {}),
        },
      })
      await signInWithCustomToken(token).catch((error: unknown) => {
        console.error('The new account could not be signed in', error)
        setWrong({ form: messages.signedInFailed })
      })
    } catch (error) {
      setWrong(wrongOf(error))
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <h1 className="text-2xl font-bold">{messages.signUpTitle}</h1>
      {face.data !== undefined && !isUnknown && asked.length >= 4 && <TenantFace face={face.data} />}
      {wrong.form !== undefined && (
        <p role="alert" className="rounded-control bg-danger-tint px-3 py-2.5 font-medium text-danger">
          {wrong.form}
        </p>
      )}
      <TextField
        label={messages.code}
        name="invitationCode"
        value={code}
        onChange={setCode}
        hint={messages.codeHint}
        error={wrong.code ?? (isUnknown ? face.error?.message : undefined)}
        autoComplete="off"
        isRequired={false}
      />
      <TextField
        label={messages.name}
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        hint={messages.nameHint}
        error={wrong.name}
      />
      <TextField
        label={messages.email}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        onChange={setEmail}
        error={wrong.email}
      />
      <TextField
        label={messages.profession}
        name="profession"
        autoComplete="organization-title"
        placeholder={messages.professionPlaceholder}
        value={profession}
        onChange={setProfession}
        isRequired={false}
      />
      <PasswordField
        label={messages.password}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        hint={messages.passwordHint}
        error={wrong.password}
      />
      <PasswordField
        label={messages.confirmation}
        autoComplete="new-password"
        value={confirmation}
        onChange={setConfirmation}
        error={wrong.confirmation}
      />
      <Button type="submit" variant="primary" size="large" isPending={create.isPending}>
        {messages.create}
      </Button>
      <ProviderButtons
        next={next}
        invitationCode={code}
        withPasskey={false}
        onProblem={(words) => setWrong(words === undefined ? {} : { form: words })}
      />
      <p className="text-center text-muted">
        {messages.toSignIn}{' '}
        <Link
          to={paths.login}
          search={next ? { next } : {}}
          className="touch inline-flex items-center justify-center font-medium text-primary-text underline-offset-4 hover:underline"
        >
          {messages.toSignInLink}
        </Link>
      </p>
    </form>
  )
}

/** The service's words at the field they speak of. */
const wrongOf = (error: unknown): Wrong => {
  const words = failureWords(error)
  switch (error instanceof Refusal ? error.code : '') {
    case 'account.email-taken':
      return { email: words }
    case 'account.weak-password':
      return { password: words }
    case 'tenant.not-found':
    case 'tenant.full':
      return { code: words }
    default:
      return { form: words }
  }
}
