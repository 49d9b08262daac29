import { useEffect, useRef, type MouseEvent } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions, type Subscription } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { query, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { firstPrice, PlanCards, PlanPeriod, secondPrice, type Product } from '../../site/plan-cards.tsx'
import { formatPrice } from '../../site/price.ts'
import { useProducts } from '../../site/use-products.ts'
import { dayWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { PageHead } from '../page-head.tsx'
import { planChanged } from '../subscriptions/settled.ts'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/plans')

/** Where a choice made on the front page arrives: the plan that was chosen, what happens next, and the others. */
export const PlansPage = () => {
  const { plan: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const buysOwn = useMay('plan.buy')
  const { isLoading, hasFailed, products, lookAgain } = useProducts()
  const running = useQuery({ ...query(subscriptions.active, {}), retry: false })
  const free = useQuery({ ...query(projects.free, {}), enabled: buysOwn })
  const choice = useRef<HTMLHeadingElement>(null)
  const isByHand = useRef(false)
  const product = products.find(({ plans }) => plans.some(({ id }) => id === chosen))
  const plan = product?.plans.find(({ id }) => id === chosen)
  const isCompany = useMay('company-plan.buy')
  const mayChoose = isCompany || (buysOwn && (running.data?.type !== 1 || isPayer(running.data)))
  // Chosen here, the choice stays in this page, and whoever hears or types is led to it.
  const choose = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href*="?plan="]') : null
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    isByHand.current = true
    const wanted = new URL(link.href).searchParams.get('plan')
    void navigate({ search: wanted === null ? {} : { plan: wanted } })
    if (wanted === chosen) choice.current?.focus()
  }
  useEffect(() => {
    if (isByHand.current && plan) choice.current?.focus()
  }, [plan])
  return (
    <>
      <PageHead title={messages.title} />
      <div className="plans mx-auto grid max-w-6xl gap-6 px-4 py-6 text-base md:px-6">
        {product && plan ? (
          <section className="grid gap-3 rounded-card border border-primary bg-primary-tint p-5">
            <h2 ref={choice} tabIndex={-1} className="scroll-mt-24 text-lg outline-none">
              {messages.chosen(product.name, messages[plan.interval], priceOf(plan, 1), isCompany)}
            </h2>
            {running.isPending ? (
              <>
                <Skeleton className={cx('w-full max-w-prose', sentences)} />
                <Skeleton className="h-11 w-44" />
              </>
            ) : running.data && isPayer(running.data) ? (
              <ChangeStep key={plan.id} planId={plan.id} name={product.name} running={running.data} />
            ) : (
              <BuyStep key={plan.id} plan={plan} running={running.data} lookAgain={lookAgain} />
            )}
          </section>
        ) : chosen !== undefined && products.length > 0 ? (
          <p role="status">{mayChoose ? messages.gone : messages.goneToLook}</p>
        ) : running.isPending || free.isLoading ? (
          <Loading className={sentences}>
            <Skeleton className="h-6 w-72 max-w-full" />
          </Loading>
        ) : (
          <p className={cx('text-muted', sentences)}>
            {[
              running.data
                ? messages.running(running.data.product.name)
                : isCompany
                  ? messages.noneCompany
                  : buysOwn
                    ? messages.none
                    : messages.staff,
              running.data?.type === 1 && !mayChoose ? messages.ofCompany : '',
              free.data?.canCreate ? messages.free : '',
              mayChoose ? messages.pick : '',
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        )}
        <div className="justify-self-start">
          <PlanPeriod key={plan?.interval ?? 'month'} period={plan?.interval ?? 'month'} />
        </div>
        {isLoading ? (
          <Loading>
            <div className="grid gap-4 md:grid-cols-3">
              {[0, 1, 2].map((place) => (
                <Skeleton key={place} className="h-90" />
              ))}
            </div>
          </Loading>
        ) : products.length > 0 ? (
          // The links in it work by themselves; this only spares a new page.
          <div onClick={choose}>
            <h2 className="sr-only">{messages.offered}</h2>
            <PlanCards products={products} chosen={chosen} running={running.data?.plan?.id} isToLook={!mayChoose} />
          </div>
        ) : hasFailed ? null : (
          <p className="text-muted">{messages.empty}</p>
        )}
      </div>
    </>
  )
}

/** The lines of a few sentences, by the width: what stands below stays where it is when they come. */
const sentences = 'min-h-[3lh] sm:min-h-[2lh] lg:min-h-[1lh]'

const isPayer = ({ actions }: Subscription): boolean => actions?.includes('portal') ?? false

/** A period's price for so many seats, with what is taken off. */
const priceOf = (plan: Product['plans'][number], seats: number): string =>
  formatPrice(firstPrice(plan, seats), plan.currency)

/** The first plan: on to the payment page. */
const BuyStep = ({
  plan,
  running,
  lookAgain,
}: {
  plan: Product['plans'][number]
  running: Subscription | undefined
  lookAgain: () => void
}) => {
  const buysOwn = useMay('plan.buy')
  const isCompany = useMay('company-plan.buy')
  const mine = useQuery({ ...query(tenants.me, {}), enabled: isCompany })
  // An officer's company may be known here already; it does not pay.
  const company = isCompany ? mine.data : undefined
  const pay = useCall(subscriptions.checkout, {
    onSuccess: ({ url }) => {
      planChanged()
      location.assign(url)
    },
    onError: (error) => {
      toastFailure(error)
      if (!(error instanceof Refusal) || error.code !== 'price.changed') return
      void queryClient.invalidateQueries({ queryKey: ['tenants'] })
      lookAgain()
    },
  })
  const { reset } = pay
  // The way back from the payment page may bring this very page again, still waiting.
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      reset()
      void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [reset])
  if (running?.type === 1) return <p>{messages.ofCompany}</p>
  if (!buysOwn && !isCompany) return <p>{messages.staff}</p>
  if (isCompany && mine.isError) return <p role="alert">{failureWords(mine.error)}</p>
  if (isCompany && !company) return <Skeleton className="h-11 w-44" />
  const seats = Math.max(1, company?.totalUsersAllowed ?? 1)
  const total = `${priceOf(plan, seats)} ${messages.periods[plan.interval]}`
  const shown = { due: firstPrice(plan, seats), renewalPrice: secondPrice(plan, seats) }
  return (
    <>
      {company && <p className="figures font-medium">{messages.seats(seats, total)}</p>}
      <p>{company?.chargeByEmail ? messages.nextByMail : messages.next}</p>
      <Button
        variant="primary"
        size="large"
        className="justify-self-start"
        isPending={pay.isPending || pay.isSuccess}
        onPress={() => pay.mutate({ body: { planId: plan.id, shown } })}
      >
        {company?.chargeByEmail ? messages.begin : messages.pay}
      </Button>
    </>
  )
}

/** Another plan: the difference first, then the change. */
const ChangeStep = ({ planId, name, running }: { planId: string; name: string; running: Subscription }) => {
  const navigate = useNavigate()
  const isSame = running.plan?.id === planId
  const preview = useQuery({
    ...query(subscriptions.previewPlan, { query: { planId } }),
    enabled: !isSame,
    retry: false,
    staleTime: 0,
  })
  const change = useCall(subscriptions.updatePlan, {
    onSuccess: () => {
      toast.success(messages.changed(name))
      void navigate({ to: paths.plan }).then(planChanged)
    },
    onError: (error) => {
      toastFailure(error)
      planChanged()
    },
  })
  const toMine = (
    <LinkButton to={paths.plan} className="justify-self-start">
      {messages.toMine}
    </LinkButton>
  )
  if (isSame)
    return (
      <>
        <p>{messages.same}</p>
        {toMine}
      </>
    )
  if (preview.isError)
    return (
      <>
        <p role="alert">{failureWords(preview.error)}</p>
        {toMine}
      </>
    )
  if (!preview.data) return <p role="status">{messages.counting}</p>
  const { due, fromCredit, charge, credit, currency, renewalPrice, interval, renewsAt, at } = preview.data
  const money = (cents: number) => formatPrice(Math.abs(cents), currency)
  // The period goes on, unless another interval or more videos for no more money begin a new one.
  const isWithin = interval === running.plan?.interval && renewsAt === running.currentPeriodEnd
  // While an invoice is open, a plan can only be taken back to what was paid.
  const isBack = running.daysUntilDue !== undefined && running.graceUntil !== undefined
  return (
    <>
      <p className="font-medium">
        {due > 0
          ? messages[isWithin ? 'bigger' : 'newPeriod'](money(due - fromCredit), running.daysUntilDue !== undefined)
          : due < 0
            ? messages.smaller(money(due))
            : isBack
              ? messages.back
              : messages.even}
      </p>
      <p className="figures text-muted">
        {messages.details(money(charge), money(credit))}
        {fromCredit > 0 && `, ${messages.fromCredit(money(fromCredit))}`}
      </p>
      <p>{messages.afterwards(money(renewalPrice), messages.periods[interval], dayWords(renewsAt))}</p>
      <Button
        variant="primary"
        size="large"
        className="justify-self-start"
        isPending={change.isPending}
        onPress={() => change.mutate({ body: { planId, shown: { due, fromCredit, renewalPrice, at } } })}
      >
        {messages.change}
      </Button>
    </>
  )
}
