import { useEffect, useRef, useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import type { CallInput } from '@clear-to-post/contract/call'
import { identity, type NextStep } from '@clear-to-post/contract/identity'
import { failureWords } from '../failures.ts'
import { askForPasskey, hasPasskeys, wasStopped } from '../security/passkey.ts'
import { forgetStep, signInBy } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Problem } from '../ui/problem.tsx'
import { messages } from './messages.ts'

type Proof = CallInput<typeof identity.secondFactor>['body']['proof']
type Method = NextStep['methods'][number]

/** The second step of a sign-in, by whichever way the person has at hand. */
export const SecondFactorForm = ({ step }: { step: NextStep }) => {
  const methods = step.methods.filter((method) => method !== 'passkey' || hasPasskeys())
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery-code')
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => (input.current ?? heading.current)?.focus(), [method])

  const show = async (proof: () => Promise<Proof>) => {
    setPending(true)
    setError(undefined)
    try {
      const body = { challenge: step.challenge, proof: await proof() }
      await signInBy((call) => call(identity.secondFactor, { body }))
    } catch (failure) {
      console.error('The second step failed', failure)
      setPending(false)
      if (failure instanceof Refusal && failure.code === 'session.step-ended') {
        toast.error(failure.message)
        return forgetStep()
      }
      setError(wasStopped(failure) ? messages.passkeyStopped : failureWords(failure))
      if (method === 'totp') setCode('')
      input.current?.focus()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (method === 'passkey')
      return void show(async () => ({ method, credential: await askForPasskey(step.challenge) }))
    if (method === 'totp' && code.length < 6) {
      setError(messages.needCode)
      return input.current?.focus()
    }
    if (code.trim() === '') {
      setError(messages.needRecoveryCode)
      return input.current?.focus()
    }
    void show(async () => ({ method, code }))
  }
  const turnTo = (other: Method) => {
    setMethod(other)
    setCode('')
    setError(undefined)
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-bold outline-none">
        {messages.stepTitle}
      </h1>
      <p className="text-muted">{messages.stepText[method]}</p>
      {method === 'passkey' && error !== undefined && <Problem>{error}</Problem>}
      {method === 'totp' && (
        <TextField
          key="totp"
          label={messages.appCode}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(text) => setCode(text.replaceAll(/\D/g, '').slice(0, 6))}
          error={error}
          inputRef={input}
          className="figures [&_input]:max-w-48 [&_input]:font-mono [&_input]:text-lg [&_input]:tracking-[0.3em]"
        />
      )}
      {method === 'recovery-code' && (
        <TextField
          key="recovery"
          label={messages.recoveryCode}
          name="recovery-code"
          autoComplete="off"
          placeholder="K7QM-2XPA-9RTD-BE4H"
          value={code}
          onChange={setCode}
          error={error}
          inputRef={input}
          className="[&_input]:font-mono"
        />
      )}
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {method === 'passkey' ? messages.usePasskey : messages.signIn}
      </Button>
      <div className="grid justify-items-start gap-1">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} size="small" variant="quiet" className="-ml-3" onPress={() => turnTo(other)}>
              {messages.otherStep[other]}
            </Button>
          ))}
        <Button size="small" variant="quiet" className="-ml-3" onPress={forgetStep}>
          {messages.backToSignIn}
        </Button>
      </div>
      <p className="text-[0.8125rem] text-muted">{messages.lostAll}</p>
    </form>
  )
}
