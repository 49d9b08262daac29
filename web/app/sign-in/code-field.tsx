import { useEffect, useState, type Ref } from 'react'
import { accounts } from '@clear-to-post/contract/accounts'
import { useCall } from '../api.ts'
import { failureWords } from '../failures.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { messages } from './messages.ts'

/** The six digits that came by e-mail, and the way to ask for them again. */
export const CodeField = ({
  email,
  value,
  onChange,
  error,
  inputRef,
}: {
  email: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}) => {
  const [seconds, setSeconds] = useState(waitSeconds)
  const [said, setSaid] = useState<string>()
  const again = useCall(accounts.sendCode, {
    onSuccess: () => {
      setSaid(messages.sentAgain)
      setSeconds(waitSeconds)
    },
    onError: (failure) => setSaid(failureWords(failure)),
  })
  useEffect(() => {
    if (seconds === 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return (
    <div className="grid gap-1.5">
      <TextField
        label={messages.mailCode}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={(text) => onChange(text.replaceAll(/\D/g, '').slice(0, 6))}
        error={error}
        inputRef={inputRef}
        autoFocus
        className="figures [&_input]:max-w-48 [&_input]:font-mono [&_input]:text-lg [&_input]:tracking-[0.3em]"
      />
      <div className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-muted">
        <span role="status">{said ?? messages.noMail}</span>
        <Button
          size="small"
          variant="quiet"
          className="figures -mx-2 px-2!"
          isDisabled={seconds > 0}
          isPending={again.isPending}
          onPress={() => again.mutate({ query: { email } })}
        >
          {seconds > 0 ? messages.sendAgainIn(seconds) : messages.sendAgain}
        </Button>
      </div>
    </div>
  )
}

/** Long enough for a mail to arrive. */
const waitSeconds = 30
