import { useEffect } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { subscriptions, type Subscription } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { query, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { PlanCards, PlanPeriod } from '../../site/plan-cards.tsx'
import { formatPrice } from '../../site/price.ts'
import { useProducts } from '../../site/use-products.ts'
import { dayWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/plans')

/** Where a choice made on the front page arrives: the plan that was chosen, what happens next, and the others. */
export const PlansPage = () => {
  const { plan: chosen } = route.useSearch()
  const { isLoading, products } = useProducts()
  const running = useQuery({ ...query(subscriptions.active, {}), retry: false })
  const product = products.find(({ plans }) => plans.some(({ id }) => id === chosen))
  const plan = product?.plans.find(({ id }) => id === chosen)
  const period = plan && messages[plan.interval]
  return (
    <>
      <PageHead title={messages.title} />
      <div className="plans mx-auto grid max-w-6xl gap-6 px-4 py-6 text-base md:px-6">
        {product && plan && period ? (
          <section className="grid gap-3 rounded-card border border-primary bg-primary-tint p-5">
            <h2 className="text-lg">
              {messages.chosen(
                product.name,
                period,
                formatPrice(Math.round((plan.price * (100 - product.percentOff)) / 100), plan.currency),
              )}
            </h2>
            {running.isPending ? (
              <Skeleton className="h-11 w-44" />
            ) : running.data?.actions?.includes('portal') ? (
              <ChangeStep key={plan.id} planId={plan.id} name={product.name} running={running.data} />
            ) : (
              <BuyStep key={plan.id} planId={plan.id} running={running.data} />
            )}
          </section>
        ) : (
          <p className="text-muted">
            {running.data ? messages.running(running.data.product.name) : messages.none} {messages.pick}
          </p>
        )}
        <div className="justify-self-start">
          <PlanPeriod />
        </div>
        {isLoading ? (
          <Loading>
            <div className="grid gap-4 md:grid-cols-3">
              {[0, 1, 2].map((place) => (
                <Skeleton key={place} className="h-90" />
              ))}
            </div>
          </Loading>
        ) : products.length === 0 ? (
          <p className="text-muted">{messages.empty}</p>
        ) : (
          <PlanCards products={products} {...(chosen === undefined ? {} : { chosen })} />
        )}
      </div>
    </>
  )
}

/** The first plan: on to the payment page. */
const BuyStep = ({ planId, running }: { planId: string; running: Subscription | undefined }) => {
  const user = useUser()
  const isCompany = user.role === 'ADMIN' && user.tenantId !== undefined
  const company = useQuery({ ...query(tenants.me, {}), enabled: isCompany }).data
  const pay = useCall(subscriptions.checkout, {
    onSuccess: ({ url }) => location.assign(url),
    onError: toastFailure,
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
  if (user.role !== 'User' && !isCompany) return <p>{messages.staff}</p>
  return (
    <>
      {company && <p>{messages.seats(company.totalUsersAllowed)}</p>}
      <p>{company?.chargeByEmail ? messages.nextByMail : messages.next}</p>
      <Button
        variant="primary"
        size="large"
        className="justify-self-start"
        isPending={pay.isPending || pay.isSuccess}
        onPress={() => pay.mutate({ body: { planId } })}
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
      void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
      void queryClient.invalidateQueries({ queryKey: ['projects'] })
      void navigate({ to: paths.plan })
    },
    onError: toastFailure,
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
  const { due, charge, credit, currency, renewalPrice, interval, renewsAt } = preview.data
  const money = (cents: number) => formatPrice(Math.abs(cents), currency)
  return (
    <>
      <p className="font-medium">
        {due > 0 ? messages.bigger(money(due)) : due < 0 ? messages.smaller(money(due)) : messages.even}
      </p>
      <p className="figures text-muted">{messages.details(money(charge), money(credit))}</p>
      <p>{messages.afterwards(money(renewalPrice), messages.periods[interval], dayWords(renewsAt))}</p>
      <Button
        variant="primary"
        size="large"
        className="justify-self-start"
        isPending={change.isPending}
        onPress={() => change.mutate({ body: { planId } })}
      >
        {messages.change}
      </Button>
    </>
  )
}
