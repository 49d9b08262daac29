import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Link as LinkIcon, QrCode as QrIcon, RotateCw } from 'lucide-react'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { query, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { clockWords } from '../../times.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { isOpenTo } from '../entries.ts'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

type HandOver = CallAnswer<typeof accounts.createToken>

/** Carries the sign-in to another device: a QR code that is good once and for some minutes. */
export const HandOverCard = () => {
  const films = isOpenTo(useUser(), paths.newVideo)
  return (
    <Section id="hand-over" title={messages.phone} text={films ? messages.phoneText : messages.deviceText}>
      <HandOverCode next={films ? paths.newVideo : null} />
    </Section>
  )
}

/** The code itself, once asked for; who takes it over begins at `next`. */
export const HandOverCode = ({ next }: { next: string | null }) => {
  const [given, setGiven] = useState<HandOver | null>(null)
  const create = useCall(accounts.createToken, { onSuccess: setGiven, onError: toastFailure })
  return (
    <>
      {given === null ? (
        <Button icon={<QrIcon aria-hidden />} isPending={create.isPending} onPress={() => create.mutate({})}>
          {messages.showCode}
        </Button>
      ) : (
        <Shown
          key={given.token}
          given={given}
          address={next === null ? given.url : withNext(given.url, next)}
          isRenewing={create.isPending}
          onRenew={() => create.mutate({})}
        />
      )}
    </>
  )
}

const Shown = ({
  given,
  address,
  isRenewing,
  onRenew,
}: {
  given: HandOver
  address: string
  isRenewing: boolean
  onRenew: () => void
}) => {
  const seconds = useSecondsUntil(given.endsAt)
  // Asked while it is shown: once it was used, the service has no valid one any more.
  const still = useQuery({
    ...query(accounts.getToken, {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.status === 'error' || seconds <= 0 ? false : 3000),
  })
  const isGone = still.error instanceof Refusal && still.error.code === 'account.no-token'
  const isUsed = isGone && seconds > 1
  const isOver = isUsed || isGone || seconds <= 0
  return (
    <div className="grid justify-items-start gap-3">
      {!isOver && (
        <>
          <QrCode text={address} label={messages.codeLabel} className="w-full max-w-52 border border-line" />
          <p className={cx('figures font-medium', seconds < 60 && 'text-warn')}>
            {messages.codeLeft(clockWords(seconds))}
          </p>
          <p className="text-[0.8125rem] text-muted">{messages.codeWarning}</p>
          <Button
            size="small"
            variant="quiet"
            className="-ml-3"
            icon={<LinkIcon aria-hidden />}
            onPress={() => void copyText(address, messages.copied, { isRead: false })}
          >
            {messages.copyLink}
          </Button>
        </>
      )}
      <div role="status" className={isOver ? '' : 'sr-only'}>
        {isOver && (
          <p className={cx('flex items-center gap-1.5', isUsed ? 'text-good' : 'text-muted')}>
            {isUsed && <CircleCheck aria-hidden className="size-4" />}
            {isUsed ? messages.codeUsed : messages.codeEnded}
          </p>
        )}
      </div>
      {isOver && (
        <Button icon={<RotateCw aria-hidden />} isPending={isRenewing} onPress={onRenew}>
          {messages.newCode}
        </Button>
      )}
    </div>
  )
}

const useSecondsUntil = (iso: string): number => {
  const left = () => Math.max(0, Math.ceil((Date.parse(iso) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left), 500)
    return () => clearInterval(timer)
  })
  return seconds
}

/** The token stays behind the #, where no server's log sees it. */
const withNext = (url: string, next: string): string => {
  const address = new URL(url)
  address.searchParams.set('next', next)
  return address.href
}
