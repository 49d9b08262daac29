import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { toast } from 'sonner'
import { webhooks, type WebhookAttempt } from '@clear-to-post/contract/webhooks'
import { query, queryClient, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { fullWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { locale } from '../../language.ts'
import { messages } from './messages.ts'
import { DeliveryBadge } from './parts.tsx'

/** One delivery: what is sent, every try with its answer, and once more by hand. */
export const DeliveryDialog = ({
  endpointId,
  deliveryId,
  onClose,
}: {
  endpointId: string
  deliveryId: string
  onClose: () => void
}) => {
  const params = { endpointId, deliveryId }
  const found = useQuery({ ...query(webhooks.delivery, { params }), refetchInterval: 4000 })
  const resend = useCall(webhooks.resend, {
    onSuccess: () => toast.success(messages.resent),
    onError: toastFailure,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const { data } = found
  return (
    <Dialog
      title={data ? messages.types[data.type] : messages.one}
      size="large"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          {data?.projectId !== undefined && (
            <LinkButton variant="quiet" to={paths.project} params={{ projectId: data.projectId }}>
              {messages.video}
            </LinkButton>
          )}
          <Button
            icon={<RotateCw aria-hidden />}
            onPress={() => resend.mutate({ params })}
            isPending={resend.isPending}
            isDisabled={!data}
          >
            {messages.resend}
          </Button>
          <Button variant="primary" onPress={close}>
            {messages.close}
          </Button>
        </>
      )}
    >
      <Loaded answer={found} failed={messages.deliveryFailed} loading={<Skeleton className="h-48" />}>
        {(one) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <DeliveryBadge of={one} />
              <span className="figures text-muted">{fullWords(one.at)}</span>
            </div>
            {one.projectTitle !== undefined && <p className="[overflow-wrap:anywhere]">{one.projectTitle}</p>}
            {one.state === 'suppressed' && <p>{messages.heldBack}</p>}
            <div className="grid gap-1">
              <h3 className="text-[0.8125rem] font-medium text-muted">{messages.messageId}</h3>
              <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{one.messageId}</code>
            </div>
            <div className="grid gap-1">
              <h3 className="text-[0.8125rem] font-medium text-muted">{messages.sent}</h3>
              <pre className={codeLook}>{JSON.stringify(JSON.parse(one.body), null, 2)}</pre>
            </div>
            <div className="grid gap-1">
              <h3 className="text-[0.8125rem] font-medium text-muted">{messages.attempts}</h3>
              {one.attempts.length === 0 ? (
                <p>{messages.noAttempts}</p>
              ) : (
                <ul aria-label={messages.attempts} className="grid gap-3">
                  {one.attempts.map((attempt) => (
                    <Attempt key={attempt.at} of={attempt} />
                  ))}
                </ul>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

const Attempt = ({ of: { at, ms, status, error, answer } }: { of: WebhookAttempt }) => {
  const isTaken = status !== undefined && status >= 200 && status < 300
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={isTaken ? 'good' : 'danger'}>{status ?? messages.noAnswer}</Badge>
        <span className="figures text-[0.8125rem] text-muted">
          {fullWords(at)}, {messages.took(ms.toLocaleString(locale))}
        </span>
      </p>
      {error !== undefined ? (
        <p className="[overflow-wrap:anywhere]">{error}</p>
      ) : answer === '' ? (
        <p className="text-[0.8125rem] text-muted">{messages.noBody}</p>
      ) : (
        <pre className={codeLook}>{answer}</pre>
      )}
    </li>
  )
}

const codeLook = 'rounded-control bg-sunken p-3 font-mono text-[0.8125rem] whitespace-pre-wrap [overflow-wrap:anywhere]'
