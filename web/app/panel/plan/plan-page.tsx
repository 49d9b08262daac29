import { useEffect, useState, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Pause, Play, TriangleAlert } from 'lucide-react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions, type Subscription } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { query, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { dayWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Awaiting, EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { PageHead } from '../page-head.tsx'
import { cardName, Charges } from './charges.tsx'
import { messages } from './messages.ts'
import { moneyWords } from './money.ts'
import { planChanged } from './settled.ts'

const route = getRouteApi('/panel/plan')

/** One's own plan; for an admin, with `?person=` or `?company=`, anybody's, to look at. */
export const PlanPage = () => {
  const { person, company } = route.useSearch()
  if (person !== undefined) return <PersonPlan userId={String(person)} />
  if (company !== undefined) return <CompanyPlan tenantId={String(company)} />
  return <OwnPlan />
}

const OwnPlan = () => {
  const bought = route.useSearch().bought === 'yes'
  const navigate = route.useNavigate()
  const active = useQuery({
    ...query(subscriptions.active, {}),
    retry: false,
    // What was just paid is on its way.
    refetchInterval: ({ state }) => (bought && state.data === undefined ? 1500 : false),
  })
  const buysOwn = useMay('plan.buy')
  const buysForCompany = useMay('company-plan.buy')
  const mayBuy = buysOwn || buysForCompany
  const charges = useQuery({ ...query(subscriptions.charges, {}), enabled: mayBuy })
  const free = useQuery({ ...query(projects.free, {}), enabled: buysOwn })
  const hadOne = (charges.data?.length ?? 0) > 0
  const isNone = active.error instanceof Refusal && active.error.code === 'subscription.none'
  useEffect(() => {
    if (!bought || active.data === undefined) return
    toast.success(messages.arrived)
    planChanged()
    void navigate({ search: {}, replace: true })
  }, [bought, active.data, navigate])
  return (
    <>
      <PageHead title={messages.title} />
      <div className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-5 md:px-6">
        {active.data ? (
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <PlanCard subscription={active.data} />
            {buysOwn && <Usage subscription={active.data} />}
          </div>
        ) : bought && isNone ? (
          <p role="status" className="rounded-card border border-line bg-surface p-5">
            {messages.arriving}
          </p>
        ) : isNone && !mayBuy ? (
          <EmptyState icon={<CreditCard aria-hidden />} title={messages.noneStaffTitle} text={messages.noneStaffText} />
        ) : isNone ? (
          <EmptyState
            icon={<CreditCard aria-hidden />}
            title={hadOne ? messages.noneNowTitle : messages.noneTitle}
            text={
              !buysOwn
                ? messages.noneCompanyText
                : free.data?.canCreate
                  ? messages.noneText
                  : hadOne
                    ? messages.noneNowText
                    : messages.noneAfterFreeText
            }
            action={
              <LinkButton to={paths.plans} variant="primary">
                {messages.toPlans}
              </LinkButton>
            }
          />
        ) : (
          <PlanAwaiting answer={active} />
        )}
        {mayBuy && <Charges found={charges} />}
      </div>
    </>
  )
}

/** What runs, until when, and what its payer may do with it. */
const PlanCard = ({ subscription, isOwn = true }: { subscription: Subscription; isOwn?: boolean }) => {
  const { product, plan, actions = [], card, currentPeriodEnd, pausedFrom, endsAt, graceUntil } = subscription
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
  const seesMoney = subscription.renewalPrice !== undefined
  const day = currentPeriodEnd ? dayWords(currentPeriodEnd) : ''
  const isOver = pausedFrom !== undefined && new Date(pausedFrom) <= new Date(subscription.currentPeriodStart ?? 0)
  const price = moneyWords(subscription.renewalPrice ?? 0, plan?.currency ?? 'usd')
  const state = endsAt
    ? messages.ends(dayWords(endsAt))
    : pausedFrom
      ? isOver
        ? messages.pausedSince(dayWords(pausedFrom))
        : messages.pausedUntil(dayWords(pausedFrom))
      : messages.renews(day)
  return (
    <section aria-labelledby="plan-name" className="rounded-card border border-line bg-surface">
      <div className="grid gap-4 p-5">
        <div>
          <h2 id="plan-name" className="text-xl">
            {product.name}
          </h2>
          <p className="text-muted">{product.descriptions.subtitle}</p>
        </div>
        {graceUntil !== undefined && (
          <div role="alert" className="grid gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
            <p className="flex gap-2">
              <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
              {subscription.daysUntilDue === undefined
                ? messages.owing(dayWords(graceUntil))
                : messages.owingByMail(dayWords(graceUntil))}
            </p>
            {pays && subscription.daysUntilDue === undefined && (
              <Button className="justify-self-start" isPending={portal.isPending} onPress={() => portal.mutate({})}>
                {messages.updateCard}
              </Button>
            )}
          </div>
        )}
        {plan && (
          <dl className="grid gap-1.5">
            {seesMoney && (
              <div>
                <dt className="sr-only">{messages.amount}</dt>
                <dd className="figures text-lg font-medium">
                  {messages.price(price, messages.periods[plan.interval])}
                  <span className="ml-2 text-sm font-normal text-muted">
                    {[
                      (subscription.quantity ?? 1) > 1 ? messages.seats(subscription.quantity ?? 1) : '',
                      (subscription.percentOff ?? 0) > 0 ? messages.off(subscription.percentOff ?? 0) : '',
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </dd>
              </div>
            )}
            <div>
              <dt className="sr-only">{messages.state}</dt>
              <dd>{graceUntil === undefined ? state : null}</dd>
            </div>
            {subscription.credit !== undefined && (
              <div>
                <dt className="sr-only">{messages.creditTitle}</dt>
                <dd className="figures">{messages.credit(moneyWords(subscription.credit, plan.currency))}</dd>
              </div>
            )}
            {seesMoney && (
              <div>
                <dt className="sr-only">{messages.paidWith}</dt>
                <dd className="text-muted">
                  {subscription.daysUntilDue !== undefined
                    ? messages.byMail(subscription.daysUntilDue)
                    : card
                      ? messages.card(cardName(card.brand), card.last4)
                      : messages.noCard}
                </dd>
              </div>
            )}
          </dl>
        )}
        {plan && (
          <ul aria-label={messages.includes} className="grid gap-1 border-t border-line pt-4 text-muted">
            <li>
              {subscription.type === 1
                ? messages.videosEach(plan.metadata.projectsPerMonth)
                : messages.videos(plan.metadata.projectsPerMonth)}
            </li>
            <li>{messages.turnaround(plan.metadata.turnaroundHours)}</li>
            <li>{messages.revisions(plan.metadata.revisionsPerProject)}</li>
          </ul>
        )}
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
              onPress={() => (isOver ? setAsking('resume') : resume.mutate({}))}
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
        text={messages.pauseText(day)}
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
        onConfirm={() => resume.mutate({})}
      />
    </section>
  )
}

/** What this month holds, and one more beyond it. */
const Usage = ({ subscription }: { subscription: Subscription }) => {
  const [isAsking, setAsking] = useState(false)
  const allowance = useQuery(query(projects.allowance, {}))
  const month = allowance.data?.months[0]
  const { extra, card, actions = [] } = subscription
  const buy = useCall(subscriptions.charge, {
    onSuccess: ({ success }) => {
      toast.success(success ? messages.bought : messages.boughtLater)
      planChanged()
    },
    onError: (error) => (lacksCard(error) ? undefined : toastFailure(error)),
    onSettled: () => setAsking(false),
  })
  const portal = useCall(subscriptions.portal, { onSuccess: ({ url }) => location.assign(url), onError: toastFailure })
  const price = extra && moneyWords(extra.price, extra.currency)
  return (
    <section aria-labelledby="usage" className="grid gap-3 rounded-card border border-line bg-surface p-5">
      <h2 id="usage" className="text-base">
        {messages.usage}
      </h2>
      {month ? (
        <>
          <Progress
            label={messages.used(month.used - month.held, month.allowed)}
            value={month.allowed === 0 ? 1 : Math.min(1, (month.used - month.held) / month.allowed)}
            tone={month.used >= month.allowed ? 'warn' : 'primary'}
          />
          {(extra?.spare ?? 0) > 0 && <p className="text-muted">{messages.spare(extra!.spare)}</p>}
          {month.held > 0 && <p className="text-warn">{messages.held(month.held)}</p>}
          {month.right === 'none' && <p className="text-warn">{messages.usedUp}</p>}
          <p className="text-muted">{messages.laterMonths}</p>
        </>
      ) : allowance.isError ? (
        <p className="text-warn">{messages.usageFailed}</p>
      ) : (
        <Loading>
          <Skeleton className="h-8" />
        </Loading>
      )}
      {price !== undefined && actions.includes('charge') && (
        <Button className="justify-self-start" onPress={() => setAsking(true)}>
          {messages.buy(price)}
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
        title={messages.buyTitle}
        text={messages.buyText(price ?? '', card ? messages.card(cardName(card.brand), card.last4) : null)}
        confirm={messages.buyNow(price ?? '')}
        keep={messages.keep}
        isDanger={false}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={buy.isPending}
        onConfirm={() => buy.mutate({})}
      />
    </section>
  )
}

const lacksCard = (error: Error | null) => error instanceof Refusal && error.code === 'payment.no-card'

const PersonPlan = ({ userId }: { userId: string }) => {
  const found = useQuery({ ...query(subscriptions.find, { params: { userId } }), retry: false })
  const charges = useQuery(query(subscriptions.chargesOf, { params: { payerId: userId } }))
  const who = useQuery({ ...query(accounts.search, { query: { wheres: `id:eq:${userId}` } }), retry: false })
  const name = who.data?.items[0]?.name
  return (
    <Seen
      title={name === undefined ? messages.titleOfPerson : messages.titleOf(name)}
      charges={charges}
      back={{ to: paths.people, label: messages.backToPeople }}
    >
      {found.data ? (
        <PlanCard subscription={found.data} isOwn={false} />
      ) : found.error instanceof Refusal && found.error.code === 'subscription.none' ? (
        <p className="text-muted">{messages.noneOf}</p>
      ) : (
        <PlanAwaiting answer={found} />
      )}
    </Seen>
  )
}

const CompanyPlan = ({ tenantId }: { tenantId: string }) => {
  const found = useQuery({ ...query(tenants.find, { params: { tenantId } }), retry: false })
  const charges = useQuery(query(subscriptions.chargesOf, { params: { payerId: tenantId } }))
  return (
    <Seen
      title={found.data ? messages.titleOf(found.data.name) : messages.title}
      charges={charges}
      back={{ to: `${paths.tenants}/${tenantId}`, label: messages.backToCompany }}
    >
      {found.data?.subscription ? (
        <PlanCard subscription={found.data.subscription} isOwn={false} />
      ) : found.data ? (
        <p className="text-muted">{messages.noneOf}</p>
      ) : (
        <PlanAwaiting answer={found} />
      )}
    </Seen>
  )
}

const Seen = ({
  title,
  charges,
  back,
  children,
}: {
  title: string
  charges: Parameters<typeof Charges>[0]['found']
  back: { to: string; label: string }
  children: ReactNode
}) => (
  <>
    <PageHead title={title} back={back} />
    <div className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-5 md:px-6">
      {children}
      <Charges found={charges} />
    </div>
  </>
)

const PlanAwaiting = ({ answer }: Pick<Parameters<typeof Awaiting>[0], 'answer'>) => (
  <Awaiting answer={answer} failed={messages.failed}>
    <div className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-36 rounded-card" />
    </div>
  </Awaiting>
)
