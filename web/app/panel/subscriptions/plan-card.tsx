import { useId, useState } from 'react'
import { CreditCard, Pause, Play, TriangleAlert } from 'lucide-react'
import { toast } from 'sonner'
import { subscriptions, type Subscription } from '@clear-to-post/contract/subscriptions'
import { planStateOf } from '@clear-to-post/domain/plans'
import { useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { cardName } from './charges.tsx'
import { messages } from './messages.ts'
import { moneyWords } from './money.ts'
import { planChanged } from './settled.ts'

type Plan = NonNullable<Subscription['plan']>

/** What runs, until when, and what its payer may do with it; beneath it what they pay themselves beside it. */
export const PlanCard = ({ subscription, isOwn = true }: { subscription: Subscription; isOwn?: boolean }) => (
  <>
    <OnePlan subscription={subscription} isOwn={isOwn} isBeside={false} />
    {subscription.paidBeside && <OnePlan subscription={subscription.paidBeside} isOwn={isOwn} isBeside />}
  </>
)

const OnePlan = ({
  subscription,
  isOwn,
  isBeside,
}: {
  subscription: Subscription
  isOwn: boolean
  isBeside: boolean
}) => {
  const { product, plan, actions = [], currentPeriodEnd, endsAt, graceUntil } = subscription
  const nameId = useId()
  const [asking, setAsking] = useState<'pause' | 'resume' | null>(null)
  const done = (words: string) => () => {
    toast.success(words)
    setAsking(null)
    planChanged()
  }
  const failed = (error: Error) => {
    toastFailure(error)
    setAsking(null)
    // Another tab, or the company, was quicker.
    planChanged()
  }
  const pause = useCall(subscriptions.pause, { onSuccess: done(messages.paused), onError: failed })
  const resume = useCall(subscriptions.resume, { onSuccess: done(messages.resumed), onError: failed })
  const portal = useCall(subscriptions.portal, {
    onSuccess: ({ url }) => location.assign(url),
    onError: toastFailure,
  })
  const may = (action: (typeof actions)[number]) => actions.includes(action)
  const pays = may('portal')
  const day = currentPeriodEnd ? dayWords(currentPeriodEnd) : ''
  const isPaused = planStateOf(subscription) === 'paused'
  const { renewalPrice = 0 } = subscription
  const price = moneyWords(renewalPrice, plan?.currency ?? 'usd')
  // What was paid still counts, or a new period begins and is paid.
  const goOn = () => resume.mutate({ body: { shown: { due: isPaused ? renewalPrice : 0, renewalPrice } } })
  return (
    <section aria-labelledby={nameId} className="rounded-card border border-line bg-surface">
      <div className="grid gap-4 p-5">
        <div>
          <h2 id={nameId} className="text-xl">
            {product.name}
          </h2>
          <p className="text-muted">{product.descriptions.subtitle}</p>
        </div>
        {isBeside && (
          <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">
            {isOwn ? messages.paidBeside : messages.paidBesideOf}
          </p>
        )}
        {graceUntil !== undefined && (
          <div role="alert" className="grid gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
            <p className="flex gap-2">
              <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
              {owingWords(subscription)(dayWords(graceUntil))}
            </p>
            {pays && subscription.daysUntilDue === undefined && (
              <Button className="justify-self-start" isPending={portal.isPending} onPress={() => portal.mutate({})}>
                {messages.updateCard}
              </Button>
            )}
          </div>
        )}
        {plan && <Facts subscription={subscription} plan={plan} price={price} />}
        {plan && <Includes plan={plan} isOfCompany={subscription.type === 1} />}
        {!pays && subscription.type === 1 && (
          <p className="text-muted">{isOwn ? messages.ofCompany : messages.ofTheCompany}</p>
        )}
        {pays && actions.length === 1 && endsAt === undefined && graceUntil === undefined && (
          <p className="text-muted">{messages.byHand}</p>
        )}
      </div>
      {pays && (
        <footer className="flex flex-wrap gap-2 border-t border-line px-5 py-3">
          {may('change') && (
            <LinkButton to={paths.plans} variant="primary">
              {messages.change}
            </LinkButton>
          )}
          {may('resume') && (
            <Button
              variant="primary"
              icon={<Play aria-hidden />}
              isPending={resume.isPending}
              onPress={() => (isPaused ? setAsking('resume') : goOn())}
            >
              {messages.resume}
            </Button>
          )}
          {may('pause') && (
            <Button icon={<Pause aria-hidden />} onPress={() => setAsking('pause')}>
              {messages.pause}
            </Button>
          )}
          <Button icon={<CreditCard aria-hidden />} isPending={portal.isPending} onPress={() => portal.mutate({})}>
            {messages.portal}
          </Button>
          <p className="w-full text-[0.8125rem] text-muted">{messages.portalHint}</p>
        </footer>
      )}
      <Confirm
        title={messages.pauseTitle}
        text={isBeside ? messages.pauseBesideText(day) : messages.pauseText(day)}
        confirm={messages.pause}
        keep={messages.keep}
        isDanger={false}
        isOpen={asking === 'pause'}
        onOpenChange={() => setAsking(null)}
        isPending={pause.isPending}
        onConfirm={() => pause.mutate({})}
      />
      <Confirm
        title={messages.resumeTitle}
        text={messages.resumeText(price)}
        confirm={messages.resume}
        keep={messages.keep}
        isDanger={false}
        isOpen={asking === 'resume'}
        onOpenChange={() => setAsking(null)}
        isPending={resume.isPending}
        onConfirm={goOn}
      />
    </section>
  )
}

/** What it costs, how it goes on, and what pays for it. */
const Facts = ({ subscription, plan, price }: { subscription: Subscription; plan: Plan; price: string }) => (
  <dl className="grid gap-1.5">
    {subscription.renewalPrice !== undefined && (
      <div>
        <dt className="sr-only">{messages.amount}</dt>
        <dd className="figures text-lg font-medium">
          {messages.price(price, messages.periods[plan.interval])}{' '}
          <span className="text-sm font-normal text-muted">
            {[
              (subscription.quantity ?? 1) > 1 ? messages.seats(subscription.quantity ?? 1) : '',
              (subscription.percentOff ?? 0) > 0 ? messages.off(subscription.percentOff ?? 0) : '',
              subscription.amountOff === undefined
                ? ''
                : messages.amountOff(moneyWords(subscription.amountOff, plan.currency)),
              subscription.discountEnds === undefined ? '' : messages.offUntil(dayWords(subscription.discountEnds)),
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </dd>
      </div>
    )}
    <div>
      <dt className="sr-only">{messages.state}</dt>
      <dd>{subscription.graceUntil === undefined ? stateWords(subscription) : null}</dd>
    </div>
    {subscription.credit !== undefined && (
      <div>
        <dt className="sr-only">{messages.creditTitle}</dt>
        <dd className="figures">{messages.credit(moneyWords(subscription.credit, plan.currency))}</dd>
      </div>
    )}
    {subscription.renewalPrice !== undefined && (
      <div>
        <dt className="sr-only">{messages.paidWith}</dt>
        <dd className="text-muted">
          {subscription.daysUntilDue !== undefined
            ? messages.byMail(subscription.daysUntilDue)
            : subscription.card
              ? messages.card(cardName(subscription.card.brand), subscription.card.last4)
              : messages.noCard}
        </dd>
      </div>
    )}
  </dl>
)

const Includes = ({ plan, isOfCompany }: { plan: Plan; isOfCompany: boolean }) => (
  <ul aria-label={messages.includes} className="grid gap-1 border-t border-line pt-4 text-muted">
    <li>
      {isOfCompany
        ? messages.videosEach(plan.metadata.projectsPerMonth)
        : messages.videos(plan.metadata.projectsPerMonth)}
    </li>
    <li>{messages.turnaround(plan.metadata.turnaroundHours)}</li>
    <li>{messages.revisions(plan.metadata.revisionsPerProject)}</li>
  </ul>
)

const stateWords = (subscription: Subscription): string => {
  const { endsAt, pausedFrom, currentPeriodEnd } = subscription
  switch (planStateOf(subscription)) {
    case 'ends':
      return messages.ends(dayWords(endsAt!))
    case 'paused':
      return messages.pausedSince(dayWords(pausedFrom!))
    case 'pauses':
      return messages.pausedUntil(dayWords(pausedFrom!))
    case 'renews':
      return messages.renews(currentPeriodEnd ? dayWords(currentPeriodEnd) : '')
  }
}

/** A plan that is active although something is owed was renewed, or was paid and taken back. */
const owingWords = ({ status, daysUntilDue }: Subscription) => {
  if (status === 'active') return messages.owingElse
  return daysUntilDue === undefined ? messages.owing : messages.owingByMail
}
