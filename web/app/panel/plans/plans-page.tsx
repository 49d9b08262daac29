import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tracking } from '@clear-to-post/contract/tracking'
import { query, useCall } from '../../api.ts'
import { useUser } from '../../session.ts'
import { PlanCards, PlanPeriod } from '../../site/plan-cards.tsx'
import { formatPrice } from '../../site/price.ts'
import { useProducts } from '../../site/use-products.ts'
import { Button } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/plans')

/** Where a choice made on the front page arrives: the plan that was chosen, what happens next, and the others. */
export const PlansPage = () => {
  const { email, name } = useUser()
  const { plan: chosen } = route.useSearch()
  const { isLoading, products } = useProducts()
  const running = useQuery({ ...query(subscriptions.active, {}), retry: false }).data
  const ask = useCall(tracking.contact, { onSuccess: () => toast.success(messages.asked), onError: toastFailure })
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
            <p>{ask.isSuccess ? messages.asked : messages.next}</p>
            {!ask.isSuccess && (
              <Button
                variant="primary"
                size="large"
                className="justify-self-start"
                isPending={ask.isPending}
                onPress={() =>
                  ask.mutate({
                    body: {
                      to: email,
                      subject: messages.subject(product.name, period),
                      body: messages.body(`${name} (${email})`, `${product.name}, ${period} (${plan.id})`),
                    },
                  })
                }
              >
                {messages.ask}
              </Button>
            )}
          </section>
        ) : (
          <p className="text-muted">
            {running ? messages.running(running.product.name) : messages.none} {messages.pick}
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
