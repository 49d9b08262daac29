import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { Refusal } from '@clear-to-post/contract/errors'
import { identity, type Provider } from '@clear-to-post/contract/identity'
import { query } from '../api.ts'
import { askForPasskey, hasPasskeys, offerPasskeys, wasStopped, type Credential } from '../security/passkey.ts'
import { signInBy } from '../session.ts'
import { slots } from '../site/frame.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/states.tsx'
import { messages } from './messages.ts'
import { ProviderMark } from './provider-mark.tsx'
import { orLook, wayLook, waysLook, WayWords } from './ways.tsx'
import { startOAuth, takeReturn, type OAuthReturn, type OAuthFlow } from './oauth-flow.ts'

/** The ways in beside a password, below a line. `onProblem` is told what the person can do something about. */
export const ProviderButtons = ({
  next,
  invitationCode,
  withPasskey = true,
  onProblem,
}: {
  next?: string | undefined
  invitationCode?: string | undefined
  withPasskey?: boolean
  onProblem: (words: string | undefined) => void
}) => {
  const { data } = useQuery({ ...query(identity.providers, {}), staleTime: Infinity })
  const [said, setSaid] = useState('')
  const [isPending, setPending] = useState(false)
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  const end = async ({ provider, invitationCode: code }: Omit<OAuthFlow, 'state'>, back: OAuthReturn) => {
    setSaid('')
    if (back.code === undefined) return console.error(`Signing in with ${provider} ended: ${back.error ?? 'no code'}`)
    setPending(true)
    try {
      const body = {
        state: back.state,
        code: back.code,
        ...(back.iss === undefined ? {} : { iss: back.iss }),
        ...(back.user === undefined ? {} : { user: back.user }),
        ...(code ? { invitationCode: code } : {}),
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }
      await signInBy((call) => call(identity.provider, { body }))
    } catch (error) {
      // Failures are logged only (docs/specification/failures.md); what the person must do first is no failure.
      console.error(`Signing in with ${provider} failed`, error)
      if (error instanceof Refusal && toldCodes.includes(error.code)) onProblem(error.message)
    } finally {
      setPending(false)
    }
  }
  // A flow in this very window, or one whose other window was gone, ends here.
  const endKept = useEffectEvent(() => {
    const kept = takeReturn('sign-in')
    if (kept) void end(kept.flow, kept.back)
  })
  useEffect(() => endKept(), [])

  const begin = (provider: Provider, name: string) => {
    onProblem(undefined)
    stop.current()
    const flow = { provider, purpose: 'sign-in', next, invitationCode: invitationCode?.trim() || undefined } as const
    stop.current = startOAuth(flow, (back) => void end(flow, back))
    setSaid(messages.goOnThere(name))
  }
  const passkey = async (ask: () => Promise<Credential>) => {
    onProblem(undefined)
    setSaid('')
    setPending(true)
    try {
      const credential = await ask()
      await signInBy((call) => call(identity.passkey, { body: { credential } }))
    } catch (error) {
      console.error('Signing in with a passkey failed', error)
      // Browsers do not tell a "no" from a device that has none.
      if (wasStopped(error)) setSaid(messages.noPasskey)
      else onProblem(messages.passkeyFailed)
    } finally {
      setPending(false)
    }
  }
  // Also where the browser completes the e-mail address, as long as nothing else is asked of the device.
  const takePasskey = useEffectEvent((credential: Credential) => passkey(async () => credential))
  useEffect(() => {
    if (!withPasskey || isPending) return
    const stop = new AbortController()
    offerPasskeys(stop.signal)
      .then((credential) => credential && takePasskey(credential))
      .catch((error: unknown) => console.warn('Passkeys were not offered', error))
    return () => stop.abort()
  }, [withPasskey, isPending])

  // The page that is prerendered: the service writes there what it offers.
  if (typeof document === 'undefined') return slots.ways
  if (data?.items.length === 0 && !(withPasskey && hasPasskeys())) return null
  return (
    <div className={waysLook}>
      <p className={orLook}>{messages.or}</p>
      {data === undefined && (
        <>
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </>
      )}
      {data?.items.map(({ provider, name, isSandbox }) => (
        <Button
          key={provider}
          data-way={provider}
          size="large"
          className={wayLook}
          icon={<ProviderMark provider={provider} />}
          isPending={isPending}
          onPress={() => begin(provider, name)}
        >
          <WayWords name={name} isSandbox={isSandbox} />
        </Button>
      ))}
      {withPasskey && hasPasskeys() && (
        <Button
          data-way="passkey"
          size="large"
          icon={<KeyRound aria-hidden />}
          isPending={isPending}
          onPress={() => void passkey(askForPasskey)}
        >
          {messages.withPasskey}
        </Button>
      )}
      <p role="status" className="text-center text-[0.8125rem] text-muted empty:hidden">
        {said}
      </p>
    </div>
  )
}

/** Which refusals tell the person what to do; every other one is for the log. */
const toldCodes = ['account.connect-first', 'session.provider-unverified', 'tenant.not-found', 'tenant.full']
