import type { z } from 'zod'
import type { Product, Subscription } from '@clear-to-post/contract/subscriptions'
import type { ProductRow, SubscriptionRow } from './store.ts'

export const presentProduct = ({ percent_off, plans, ...product }: ProductRow): z.input<typeof Product> => ({
  ...product,
  percentOff: percent_off,
  // Nobody's subscription stands behind a plan on the shelf.
  plans: plans.map((plan) => ({ ...plan, subscriptionItemId: '' })),
})

export const presentSubscription = (row: SubscriptionRow, product: ProductRow): z.input<typeof Subscription> => {
  const shown = presentProduct(product)
  const plan = shown.plans.find(({ id }) => id === row.plan_id)
  return {
    id: row.id,
    status: row.status,
    startDate: row.start_date.toISOString(),
    renewAutomatically: row.status === 'active',
    ...(row.current_period_start ? { currentPeriodStart: row.current_period_start.toISOString() } : {}),
    ...(row.current_period_end ? { currentPeriodEnd: row.current_period_end.toISOString() } : {}),
    product: shown,
    type: row.tenant_id === null ? 0 : 1,
    ...(plan ? { plan: { ...plan, subscriptionItemId: row.id } } : {}),
  }
}
