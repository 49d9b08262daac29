import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { security } from '@clear-to-post/contract/security'
import { send } from '../api.ts'
import { personHere } from '../session.ts'
import { failureWords } from '../failures.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Problem } from '../ui/problem.tsx'
import { messages } from './messages.ts'
import { makePasskey, isAlreadyRegistered, wasStopped } from './passkey.ts'
import type { Added } from './totp-set-up.tsx'

/** A passkey's name, and the device's own question. `challenge`: of a sign-in that demands it. */
export const PasskeySetUp = ({
  passkey,
  challenge,
  onAdded,
  onAgain,
}: {
  /** What the device needs; good for one try. */
  passkey: CallAnswer<typeof security.startPasskey>
  challenge?: string
  onAdded: (added: Added) => void
  /** Asks the service for another try. */
  onAgain: () => void
}) => {
  const [name, setName] = useState(matchMedia('(pointer: coarse)').matches ? messages.onPhone : messages.onComputer)
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (name.trim() === '') {
      setError(messages.needName)
      return input.current?.focus()
    }
    const as = personHere()
    setPending(true)
    setProblem(undefined)
    try {
      const credential = await makePasskey(passkey.options)
      onAdded(
        await send(
          security.addPasskey,
          { body: { name: name.trim(), credential, ...(challenge === undefined ? {} : { challenge }) } },
          { as },
        ),
      )
    } catch (failure) {
      if (isAlreadyRegistered(failure)) setProblem(messages.passkeyKnown)
      else if (wasStopped(failure)) setProblem(messages.passkeyStopped)
      else {
        setProblem(failureWords(failure))
        onAgain()
      }
    } finally {
      setPending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{messages.passkeyText}</p>
      {problem !== undefined && <Problem>{problem}</Problem>}
      <TextField
        label={messages.passkeyName}
        name="passkey-name"
        autoComplete="off"
        hint={messages.passkeyNameHint}
        maxLength={60}
        value={name}
        onChange={setName}
        error={error}
        inputRef={input}
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {messages.passkeyMake}
      </Button>
    </form>
  )
}
