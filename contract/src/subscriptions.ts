import { z } from 'zod'
import { call } from './call.ts'

export const Plan = z.object({
  id: z.string(),
  currency: z.string(),
  /** In the currency's smallest unit (cents). */
  price: z.number().int(),
  interval: z.enum(['month', 'year']),
  metadata: z.object({
    projectsPerMonth: z.number().int(),
    revisionsPerProject: z.number().int(),
    turnaroundHours: z.number(),
    rank: z.number().int(),
  }),
  subscriptionItemId: z.string(),
})

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  descriptions: z.object({ description: z.string(), subtitle: z.string() }),
  metadata: z.looseObject({ position: z.number() }),
  plans: z.array(Plan),
  percentOff: z.number().default(0),
})

export const subscriptions = {
  publicProducts: call({
    method: 'GET',
    path: '/subscriptions/products/public/list/',
    summary: 'What we sell, ascending by metadata position',
    access: 'anyone',
    returns: z.array(Product),
    perMinute: 120,
    refuses: ['request.too-many'],
  }),
}
