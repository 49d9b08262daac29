import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { keyOf, queryClient } from '../../api.ts'

/** Something about the plan was changed or paid: everything that tells of it is asked anew. */
export const planChanged = (): void => {
  void queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  // The charge itself is told by the payment service, some moments later.
  for (const wait of [2000, 5000, 10_000])
    setTimeout(() => void queryClient.invalidateQueries({ queryKey: keyOf(subscriptions.charges, {}) }), wait)
}
