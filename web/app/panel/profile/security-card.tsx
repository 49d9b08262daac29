import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { providers as names, type Provider } from '@clear-to-post/contract/identity'
import { security, type Security } from '@clear-to-post/contract/security'
import { query, send } from '../../api.ts'
import { messages as securityMessages } from '../../security/messages.ts'
import { hasPasskeys } from '../../security/passkey.ts'
import { PasskeySetUp } from '../../security/passkey-set-up.tsx'
import { RecoveryCodes } from '../../security/recovery-codes.tsx'
import { TotpSetUp, type Added } from '../../security/totp-set-up.tsx'
import { ProviderMark } from '../../sign-in/provider-mark.tsx'
import { startOAuth, takeReturn, type OAuthReturn } from '../../sign-in/oauth-flow.ts'
import { dayWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { ResetNotice } from './reset-notice.tsx'
import { Section } from './section.tsx'

type Open =
  | { what: 'totp'; app: CallAnswer<typeof security.startTotp> }
  | { what: 'passkey'; passkey: CallAnswer<typeof security.startPasskey> }
  | { what: 'codes'; codes: readonly string[] }
  | { what: 'remove'; title: string; text: string; confirm: string; go: () => Promise<Security> }

/** The second step, passkeys, Google and Apple: what one signs in with beside the password. */
export const SecurityCard = () => {
  const asked = query(security.read, {})
  const shown = useQuery(asked)
  const cache = useQueryClient()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const changed = (now: Security) => cache.setQueryData(asked.queryKey, now)

  const addApp = () => attempt(async () => setOpen({ what: 'totp', app: await send(security.startTotp, { body: {} }) }))
  const addPasskey = () =>
    attempt(async () => setOpen({ what: 'passkey', passkey: await send(security.startPasskey, { body: {} }) }))
  const newCodes = () =>
    attempt(async () => {
      const { recoveryCodes } = await send(security.newRecoveryCodes, {})
      setOpen({ what: 'codes', codes: recoveryCodes })
      await shown.refetch()
    })
  const onAdded = ({ recoveryCodes }: Added) => {
    toast.success(messages.factorAdded)
    setOpen(recoveryCodes.length > 0 ? { what: 'codes', codes: recoveryCodes } : null)
    void shown.refetch()
  }
  const remove = (title: string, text: string, go: () => Promise<Security>, confirm: string = messages.removeIt) =>
    setOpen({ what: 'remove', title, text, confirm, go })
  const connect = useConnect(changed)

  return (
    <Section id="security" title={messages.security} text={messages.securityText}>
      <ResetNotice />
      <Loaded
        answer={shown}
        loading={
          <>
            <Skeleton className="h-10" />
            <Skeleton className="mt-3 h-10" />
          </>
        }
      >
        {(data) => (
          <div className="-my-3 grid divide-y divide-line">
            {data.isRequired && <p className="py-3 text-[0.8125rem] text-muted">{messages.factorRequired}</p>}
            <Row
              title={securityMessages.app}
              text={data.totp ? messages.addedOn(dayWords(data.totp.addedAt)) : messages.appText}
              action={
                data.totp ? (
                  <Button
                    aria-label={messages.removeOf(securityMessages.app)}
                    onPress={() =>
                      remove(messages.removeApp, messages.removeFactorText, () => send(security.removeTotp, {}))
                    }
                  >
                    {messages.removeIt}
                  </Button>
                ) : (
                  <Button aria-label={messages.setUpApp} onPress={addApp}>
                    {messages.setUp}
                  </Button>
                )
              }
            />
            {data.passkeys.map(({ id, name, addedAt, lastUsedAt }) => (
              <Row
                key={id}
                title={messages.passkeyOf(name)}
                text={lastUsedAt ? messages.usedOn(dayWords(lastUsedAt)) : messages.addedOn(dayWords(addedAt))}
                action={
                  <Button
                    aria-label={messages.removeOf(messages.passkeyOf(name))}
                    onPress={() =>
                      remove(messages.removePasskey(name), messages.removeFactorText, () =>
                        send(security.removePasskey, { body: { id } }),
                      )
                    }
                  >
                    {messages.removeIt}
                  </Button>
                }
              />
            ))}
            {hasPasskeys() && (
              <Row
                title={data.passkeys.length === 0 ? securityMessages.passkey : messages.anotherPasskey}
                text={messages.passkeyText}
                action={<Button onPress={addPasskey}>{messages.addPasskey}</Button>}
              />
            )}
            {(data.totp !== null || data.passkeys.length > 0) && (
              <Row
                title={securityMessages.codes}
                text={messages.codesLeft(data.recoveryCodesLeft)}
                action={<Button onPress={newCodes}>{messages.newCodes}</Button>}
              />
            )}
            {data.providers.map(({ provider, isConnected, email }) => (
              <Row
                key={provider}
                icon={<ProviderMark provider={provider} />}
                title={names[provider]}
                text={isConnected ? messages.connectedAs(email) : messages.notConnected}
                action={
                  isConnected ? (
                    <Button
                      aria-label={messages.disconnectOf(names[provider])}
                      onPress={() =>
                        remove(
                          messages.disconnectTitle(names[provider]),
                          messages.disconnectText,
                          () => send(security.removeProvider, { body: { provider } }),
                          messages.disconnect,
                        )
                      }
                    >
                      {messages.disconnect}
                    </Button>
                  ) : (
                    <Button aria-label={messages.connectOf(names[provider])} onPress={() => connect(provider)}>
                      {messages.connect}
                    </Button>
                  )
                }
              />
            ))}
          </div>
        )}
      </Loaded>
      {open?.what === 'totp' && (
        <Dialog title={messages.setUpApp} isOpen onOpenChange={close}>
          <TotpSetUp app={open.app} onAdded={onAdded} />
        </Dialog>
      )}
      {open?.what === 'passkey' && (
        <Dialog title={messages.addPasskey} isOpen onOpenChange={close}>
          <PasskeySetUp passkey={open.passkey} onAdded={onAdded} onAgain={addPasskey} />
        </Dialog>
      )}
      {open?.what === 'codes' && (
        <Dialog title={securityMessages.codes} isOpen onOpenChange={close} role="alertdialog">
          <RecoveryCodes codes={open.codes} onKept={close} />
        </Dialog>
      )}
      {open?.what === 'remove' && (
        <Confirm
          title={open.title}
          text={open.text}
          confirm={open.confirm}
          keep={messages.stop}
          isOpen
          onOpenChange={close}
          onConfirm={() => {
            const { go } = open
            close()
            attempt(async () => changed(await go()))
          }}
        />
      )}
    </Section>
  )
}

/** Starts the OAuth flow and connects what comes back; also what a flow in this very window has brought. */
const useConnect = (changed: (now: Security) => void) => {
  const stop = useRef(() => {})
  const end = (provider: Provider, { state, code, iss, user, error }: OAuthReturn) => {
    if (code === undefined) return console.error(`Connecting ${provider} ended: ${error ?? 'no code'}`)
    const body = { state, code, ...(iss === undefined ? {} : { iss }), ...(user === undefined ? {} : { user }) }
    attempt(async () => {
      changed(await send(security.connectProvider, { body }))
      toast.success(messages.connected(names[provider]))
    })
  }
  const endKept = useEffectEvent(() => {
    const kept = takeReturn('connect')
    if (kept) end(kept.flow.provider, kept.back)
  })
  useEffect(() => {
    endKept()
    return () => stop.current()
  }, [])
  return (provider: Provider) => {
    stop.current()
    stop.current = startOAuth({ provider, purpose: 'connect' }, (back) => end(provider, back))
  }
}

const attempt = (work: () => Promise<unknown>): void => void work().catch(toastFailure)

const Row = ({ icon, title, text, action }: { icon?: ReactNode; title: string; text: string; action: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 [&_svg]:size-4">
    <div className="min-w-44 flex-1">
      <h3 className="flex items-center gap-2 font-sans text-sm font-medium tracking-normal [overflow-wrap:anywhere]">
        {icon}
        {title}
      </h3>
      <p className="text-muted [overflow-wrap:anywhere]">{text}</p>
    </div>
    {action}
  </div>
)
