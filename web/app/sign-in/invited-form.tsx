import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Refusal } from '@clear-to-post/contract/errors'
import { invitations, type ReadInvitation } from '@clear-to-post/contract/invitations'
import { hasDuty } from '@clear-to-post/domain/roles'
import { query, useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import { readUserAnew, signInWithCustomToken, signOut, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Skeleton } from '../ui/states.tsx'
import { NewPasswordFields, ProblemInView, useFocusOnWrong } from './form-parts.tsx'
import { messages } from './messages.ts'
import { passwordFault } from './password-fault.ts'
import { SignInForm } from './sign-in-form.tsx'

/** What the link of an invitation leads to: an account to open, or the one that its address has, to sign in with and accept. */
export const InvitedForm = ({ token, onEnd }: { token: string | null; onEnd: () => void }) => {
  const { user } = useSession()
  const answer = useQuery({
    ...query(invitations.read, { body: { token: token ?? '' } }),
    enabled: token !== null,
    // Whether the address has an account may change while the page is open.
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  if (token === null) return <Ended words={messages.invitedAgain} onEnd={onEnd} />
  if (answer.isError) return <Ended words={failureWords(answer.error)} onEnd={onEnd} />
  if (!answer.data) return <Skeleton className="h-64" />
  const found = answer.data
  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        <h1 className="text-2xl font-bold">{messages.invitedTitle(found.tenantName)}</h1>
        <p>{messages.invitedText(found.invitedBy, found.email, found.role)}</p>
      </div>
      {found.way === 'open-account' ? (
        <OpenAccount token={token} found={found} onEnd={onEnd} />
      ) : user === null ? (
        <>
          <p className="rounded-control bg-sunken px-3 py-2.5">{messages.invitedSignIn(found.email)}</p>
          <SignInForm />
        </>
      ) : (
        <Accept token={token} found={found} onEnd={onEnd} />
      )}
    </div>
  )
}

const Ended = ({ words, onEnd }: { words: string; onEnd: () => void }) => (
  <div className="grid gap-5">
    <h1 className="text-2xl font-bold">{messages.invitedEnded}</h1>
    <p>{words}</p>
    <Button size="large" onPress={onEnd}>
      {messages.signInTitle}
    </Button>
  </div>
)

type Wrong = Partial<Record<'name' | 'password' | 'confirmation' | 'form', string>>

const OpenAccount = ({ token, found, onEnd }: { token: string; found: ReadInvitation; onEnd: () => void }) => {
  const { user } = useSession()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFocusOnWrong(wrong)
  const open = useCall(invitations.open)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const faults: Wrong = {
      ...(name.trim() === '' ? { name: messages.needName } : {}),
      ...passwordFault(password),
      ...(password === confirmation ? {} : { confirmation: messages.differ }),
    }
    setWrong(faults)
    if (Object.keys(faults).length > 0) return
    try {
      const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const opened = await open.mutateAsync({
        body: { token, name, password, passwordConfirmation: confirmation, timezone },
      })
      await signInWithCustomToken(opened.token).catch((error: unknown) =>
        console.error('The new account could not be signed in', error),
      )
      onEnd()
    } catch (error) {
      const words = failureWords(error)
      setWrong(
        error instanceof Refusal && error.code === 'account.weak-password' ? { password: words } : { form: words },
      )
    }
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      {found.replaces && (
        <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">{messages.invitedReplaces}</p>
      )}
      {user && user.email !== found.email && (
        <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">{messages.invitedOther(user.name)}</p>
      )}
      {wrong.form !== undefined && <ProblemInView>{wrong.form}</ProblemInView>}
      {/* For whatever keeps passwords: the address is not theirs to choose. */}
      <input type="hidden" name="email" autoComplete="username" value={found.email} readOnly />
      <TextField
        label={messages.name}
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        error={wrong.name}
        maxLength={120}
      />
      <NewPasswordFields
        label={messages.password}
        hint={hasDuty(found.role, 'serve') ? messages.staffPasswordHint : messages.passwordHint}
        password={password}
        onPassword={setPassword}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
        wrong={wrong}
      />
      <Button type="submit" variant="primary" size="large" isPending={open.isPending}>
        {messages.create}
      </Button>
    </form>
  )
}

const Accept = ({ token, found, onEnd }: { token: string; found: ReadInvitation; onEnd: () => void }) => {
  const { user } = useSession()
  const accept = useCall(invitations.accept, {
    onSuccess: async ({ mustChoosePassword }) => {
      // Who became staff is signed out, and finds a mail about the new password.
      if (!mustChoosePassword) await readUserAnew()
      onEnd()
    },
  })
  const isNotFresh = accept.error instanceof Refusal && accept.error.code === 'session.not-fresh'
  if (user?.email !== found.email || isNotFresh)
    return (
      <>
        <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">
          {isNotFresh ? messages.invitedFresh : messages.invitedWrongPerson(user?.email ?? '', found.email)}
        </p>
        <Button variant="primary" size="large" onPress={() => void signOut()}>
          {messages.invitedSwitch}
        </Button>
        <Button size="large" onPress={onEnd}>
          {messages.switchNot}
        </Button>
      </>
    )
  return (
    <>
      {accept.isError && <ProblemInView>{failureWords(accept.error)}</ProblemInView>}
      {hasDuty(found.role, 'serve') && <p className="text-muted">{messages.invitedStaff}</p>}
      <Button
        variant="primary"
        size="large"
        isPending={accept.isPending}
        onPress={() => accept.mutate({ body: { token } })}
      >
        {messages.invitedAccept}
      </Button>
      <Button size="large" onPress={onEnd}>
        {messages.invitedLater}
      </Button>
    </>
  )
}
