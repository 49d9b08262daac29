import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions, type Subscription } from '@clear-to-post/contract/subscriptions'
import { query, useCall } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { cardName } from './charges.tsx'
import { messages } from './messages.ts'
import { moneyWords } from './money.ts'
import { planChanged } from './settled.ts'

/** What this month holds, and one more beyond it. */
export const UsageCard = ({ subscription }: { subscription: Subscription }) => {
  const [isAsking, setAsking] = useState(false)
  const allowance = useQuery(query(projects.allowance, {}))
  const { extra, card, actions = [] } = subscription
  // While one is owed, no other is sold.
  const owed = extra?.owed
  const buy = useCall(subscriptions.charge, {
    onSuccess: ({ success }) => {
      toast.success(success ? (owed ? messages.owedPaid : messages.bought) : messages.boughtLater)
      planChanged()
    },
    onError: (error) => {
      if (lacksCard(error)) return
      toastFailure(error)
      planChanged()
    },
    onSettled: () => setAsking(false),
  })
  const portal = useCall(subscriptions.portal, { onSuccess: ({ url }) => location.assign(url), onError: toastFailure })
  const due = owed ?? (extra && { due: extra.price, currency: extra.currency })
  const price = due && moneyWords(due.due, due.currency)
  const words = owed ? messages.owedText : messages.buyText
  const buys = price !== undefined && actions.includes('charge')
  return (
    <section aria-labelledby="usage" className="grid gap-3 rounded-card border border-line bg-surface p-5">
      <h2 id="usage" className="text-base">
        {messages.usage}
      </h2>
      <Loaded
        answer={{ ...allowance, data: allowance.data?.months[0] }}
        failed={messages.usageFailed}
        isSmall
        loading={
          <div className="grid gap-3">
            <div className="grid gap-1.5">
              <Skeleton className="h-5 w-40" />
              <Skeleton className="h-1.5" />
            </div>
            <p className="text-muted">{messages.laterMonths}</p>
            {buys && <Skeleton className="touch h-9 w-48" />}
          </div>
        }
      >
        {(month) => (
          <>
            <Progress
              label={messages.used(month.used - month.held, month.allowed)}
              value={month.allowed === 0 ? 1 : Math.min(1, (month.used - month.held) / month.allowed)}
              tone={month.used >= month.allowed ? 'warn' : 'primary'}
            />
            {(extra?.spare ?? 0) > 0 && <p className="text-muted">{messages.spare(extra!.spare)}</p>}
            {owed && price !== undefined && <p className="text-warn">{messages.owed(owed.videos, price)}</p>}
            {month.held > 0 && <p className="text-warn">{messages.held(month.held)}</p>}
            {month.right === 'none' && (
              <p className="text-warn">{buys && !owed ? messages.usedUp : messages.usedUpAlone}</p>
            )}
            <p className="text-muted">{messages.laterMonths}</p>
          </>
        )}
      </Loaded>
      {/* With what it is about: what is used and held comes above it. */}
      {buys && !allowance.isPending && (
        <Button className="justify-self-start" onPress={() => setAsking(true)}>
          {owed ? messages.payOwed(price) : messages.buy(price)}
        </Button>
      )}
      {lacksCard(buy.error) && (
        <div role="alert" className="grid gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
          <p>{messages.needsCard}</p>
          <Button className="justify-self-start" isPending={portal.isPending} onPress={() => portal.mutate({})}>
            {messages.addCard}
          </Button>
        </div>
      )}
      <Confirm
        title={owed ? messages.owedTitle : messages.buyTitle}
        text={words(price ?? '', card ? messages.card(cardName(card.brand), card.last4) : null)}
        confirm={messages.buyNow(price ?? '')}
        keep={messages.keep}
        isDanger={false}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={buy.isPending}
        onConfirm={() => due && buy.mutate({ body: { shown: { due: due.due }, ...(owed ? { forOwed: true } : {}) } })}
      />
    </section>
  )
}

const lacksCard = (error: Error | null) => error instanceof Refusal && error.code === 'payment.no-card'
