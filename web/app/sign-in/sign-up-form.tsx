import { useState, type FormEvent } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import { signInWithCustomToken } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { InvitingTenant, useInvitation } from '../ui/invitation.tsx'
import { EmailField, NewPasswordFields, OtherForm, ProblemInView, useFocusOnWrong } from './form-parts.tsx'
import { emailFault } from './email-fault.ts'
import { messages } from './messages.ts'
import { passwordFault } from './password-fault.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { noteCode } from './sent-code.ts'

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
  const form = useFocusOnWrong(wrong)
  const create = useCall(accounts.create)

  const { tenant, unknown } = useInvitation(code)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found: Wrong = {
      ...(name.trim() === '' ? { name: messages.needName } : {}),
      ...emailFault(email),
      ...passwordFault(password),
      ...(password === confirmation ? {} : { confirmation: messages.differ }),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
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
      noteCode(email)
      await signInWithCustomToken(token).catch((error: unknown) => {
        console.error('The new account could not be signed in', error)
        setWrong({ form: messages.signedInFailed })
      })
    } catch (error) {
      setWrong(wrongOf(error))
    }
  }

  // Who came without an invitation needs no code, and is asked last.
  const codeField = (
    <TextField
      label={messages.code}
      name="invitationCode"
      value={code}
      onChange={(typed) => {
        setCode(typed)
        // What was said of the code before is not said of this one.
        setWrong((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== 'code')))
      }}
      hint={messages.codeHint}
      error={wrong.code ?? unknown}
      autoComplete="off"
      isRequired={false}
    />
  )
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <h1 className="text-2xl font-bold">{messages.signUpTitle}</h1>
      {tenant && <InvitingTenant tenant={tenant} />}
      {wrong.form !== undefined && <ProblemInView>{wrong.form}</ProblemInView>}
      {invitation !== '' && codeField}
      <TextField
        label={messages.name}
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        hint={messages.nameHint}
        error={wrong.name}
      />
      <EmailField value={email} onChange={setEmail} error={wrong.email} />
      <TextField
        label={messages.profession}
        name="profession"
        autoComplete="organization-title"
        placeholder={messages.professionPlaceholder}
        value={profession}
        onChange={setProfession}
        isRequired={false}
      />
      <NewPasswordFields
        label={messages.password}
        hint={messages.passwordHint}
        password={password}
        onPassword={setPassword}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
        wrong={wrong}
      />
      {invitation === '' && codeField}
      <Button type="submit" variant="primary" size="large" isPending={create.isPending}>
        {messages.create}
      </Button>
      <ProviderButtons
        next={next}
        invitationCode={code}
        withPasskey={false}
        onProblem={(words) => setWrong(words === undefined ? {} : { form: words })}
      />
      <OtherForm before={messages.toSignIn}>{messages.toSignInLink}</OtherForm>
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
