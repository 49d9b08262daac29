import type { Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { paidBeside } from './beside-store.ts'

/** Those of them who still pay two plans for which they were not told of this cause: they may have left meanwhile. As the service. */
export const whoPayBeside = async (tx: Tx, cause: string, userIds: readonly string[], now: Date): Promise<string[]> => {
  const still: string[] = []
  for (const userId of userIds)
    if ((await paidBeside(tx, { userId }, now)).untold.some((one) => one.cause === cause)) still.push(userId)
  return still
}

/**
 * Somebody joined or left a company, or a plan of theirs or of the company's is another one than before: who goes on paying one of
 * their own beside it hears of it, once of each two plans, and no longer than it is so. It is theirs to end: they may leave the
 * company again. As the service.
 */
export const tellWhoPayBeside = async (
  tx: Tx,
  who: { userId: string } | { tenantId: string },
  now: Date,
): Promise<void> => {
  const { untold, over } = await paidBeside(tx, who, now)
  for (const { user_id, cause } of over) await enqueue(tx, 'notice', { overCause: cause, userIds: [user_id] })
  for (const { user_id, cause, company } of untold) {
    const notice = {
      kind: 'payments' as const,
      cause,
      title: 'Your own plan goes on beside your company’s',
      body: `The plan of ${company} counts for your videos from now on. You go on paying your own, and it gives you nothing more while that one runs.\n\nEnd or pause it on the page of your plan.`,
      cta: { label: 'Open my plan', url: '/panel/plan' },
      metadata: {},
    }
    await enqueue(tx, 'notice', { notice, userIds: [user_id], isPaidBeside: true })
  }
}
