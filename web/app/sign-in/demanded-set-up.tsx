import { useEffect, useRef, useState } from 'react'
import { KeyRound, Smartphone } from 'lucide-react'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import type { NextStep } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import { send } from '../api.ts'
import { failureWords } from '../failures.ts'
import { hasPasskeys } from '../security/passkey.ts'
import { PasskeySetUp } from '../security/passkey-set-up.tsx'
import { RecoveryCodes } from '../security/recovery-codes.tsx'
import { TotpSetUp, type Added } from '../security/totp-set-up.tsx'
import { forgetStep, signInBy } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { messages } from './messages.ts'

type Stage =
  | { at: 'choice' }
  | { at: 'totp'; app: CallAnswer<typeof security.startTotp> }
  | { at: 'passkey'; passkey: CallAnswer<typeof security.startPasskey> }
  | { at: 'codes'; added: Added }

/** Company or service demand a second step and there is none: set up now, and the session begins. */
export const DemandedSetUp = ({ step: { challenge } }: { step: NextStep }) => {
  const [stage, setStage] = useState<Stage>({ at: 'choice' })
  const [isPending, setPending] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (stage.at === 'choice') heading.current?.focus()
  }, [stage.at])
  const go = async (ask: () => Promise<Stage>) => {
    setPending(true)
    try {
      setStage(await ask())
    } catch (error) {
      toast.error(failureWords(error))
      if (error instanceof Refusal && error.code === 'session.step-ended') forgetStep()
    } finally {
      setPending(false)
    }
  }
  const totp = () => go(async () => ({ at: 'totp', app: await send(security.startTotp, { body: { challenge } }) }))
  const passkey = () =>
    go(async () => ({ at: 'passkey', passkey: await send(security.startPasskey, { body: { challenge } }) }))
  const onAdded = (added: Added) => setStage({ at: 'codes', added })
  return (
    <div className="grid gap-5">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-bold outline-none">
        {stage.at === 'codes' ? messages.setUpDone : messages.setUpTitle}
      </h1>
      {stage.at === 'choice' && (
        <>
          <p className="text-muted">{messages.setUpText}</p>
          <Button
            size="large"
            variant="primary"
            icon={<Smartphone aria-hidden />}
            isPending={isPending}
            onPress={() => void totp()}
          >
            {messages.setUpApp}
          </Button>
          {hasPasskeys() && (
            <Button size="large" icon={<KeyRound aria-hidden />} isPending={isPending} onPress={() => void passkey()}>
              {messages.setUpPasskey}
            </Button>
          )}
        </>
      )}
      {stage.at === 'totp' && <TotpSetUp app={stage.app} challenge={challenge} onAdded={onAdded} />}
      {stage.at === 'passkey' && (
        <PasskeySetUp passkey={stage.passkey} challenge={challenge} onAdded={onAdded} onAgain={() => void passkey()} />
      )}
      {stage.at === 'codes' ? (
        <RecoveryCodes
          codes={stage.added.recoveryCodes}
          onKept={() => void signInBy(async () => stage.added.session!)}
        />
      ) : (
        <Button
          size="small"
          variant="quiet"
          className="-ml-3 justify-self-start"
          onPress={() => (stage.at === 'choice' ? forgetStep() : setStage({ at: 'choice' }))}
        >
          {stage.at === 'choice' ? messages.backToSignIn : messages.otherWay}
        </Button>
      )}
    </div>
  )
}
