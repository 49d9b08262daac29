import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { security } from '@clear-to-post/contract/security'
import { send } from '../api.ts'
import { failureWords } from '../failures.ts'
import { copyText } from '../ui/copy-text.ts'
import { buttonLook } from '../ui/button-look.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { messages } from './messages.ts'

export type Added = CallAnswer<typeof security.addPasskey>

/** The app's QR code and key, and its first code, which turns it on. `challenge`: of a sign-in that demands it. */
export const TotpSetUp = ({
  app,
  challenge,
  onAdded,
}: {
  app: CallAnswer<typeof security.startTotp>
  challenge?: string
  onAdded: (added: Added) => void
}) => {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (code.length < 6) {
      setError(messages.needCode)
      return input.current?.focus()
    }
    setPending(true)
    try {
      onAdded(await send(security.confirmTotp, { body: { code, ...(challenge === undefined ? {} : { challenge }) } }))
    } catch (failure) {
      setError(failureWords(failure))
      if (failure instanceof Refusal && failure.code === 'session.wrong-code') setCode('')
      input.current?.focus()
    } finally {
      setPending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{messages.appScan}</p>
      <QrCode text={app.uri} label={messages.appQr} className="w-44 justify-self-center border border-line" />
      <div className="grid gap-1.5 text-[0.8125rem]">
        <p className="text-muted">{messages.appType}</p>
        <code
          aria-label={messages.appKey}
          className="rounded-control bg-sunken px-3 py-2 font-mono [overflow-wrap:anywhere]"
        >
          {app.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <div className="flex flex-wrap gap-2">
          <Button size="small" onPress={() => void copyText(app.secret, messages.copied)}>
            {messages.copy}
          </Button>
          <a href={app.uri} className={buttonLook({ size: 'small' })}>
            {messages.appOpen}
          </a>
        </div>
      </div>
      <TextField
        label={messages.code}
        name="code"
        hint={messages.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(text) => {
          setError(undefined)
          setCode(text.replaceAll(/\D/g, '').slice(0, 6))
        }}
        error={error}
        inputRef={input}
        className="figures [&_input]:max-w-48 [&_input]:font-mono [&_input]:text-lg [&_input]:tracking-[0.3em]"
      />
      <Button type="submit" variant="primary" size="large" isPending={isPending}>
        {messages.confirm}
      </Button>
    </form>
  )
}
