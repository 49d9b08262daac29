import type { z } from 'zod'
import type { Product } from '@clear-to-post/contract/subscriptions'
import type { ProductRow } from './store.ts'

export const presentProduct = ({ percent_off, plans, ...product }: ProductRow): z.input<typeof Product> => ({
  ...product,
  percentOff: percent_off,
  // Nobody's subscription stands behind a plan on the shelf.
  plans: plans.map((plan) => ({ ...plan, subscriptionItemId: '' })),
})
