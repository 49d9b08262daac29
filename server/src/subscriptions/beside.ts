import type { Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { whoPayBeside } from './store.ts'

/**
 * Somebody joined a company, or a company bought a plan: who goes on paying one of their own beside it hears of it, once of
 * each two plans. It is theirs to end: they may leave the company again. As the service.
 */
export const tellWhoPayBeside = async (tx: Tx, who: { userId?: string; tenantId?: string }): Promise<void> => {
  for (const { user_id, own_id, company_id, company } of await whoPayBeside(tx, who)) {
    const notice = {
      kind: 'payments' as const,
      cause: `paid beside ${own_id} ${company_id}`,
      title: 'Your own plan goes on beside your company’s',
      body: `The plan of ${company} counts for your videos from now on. You go on paying your own, and it gives you nothing more while that one runs.\n\nEnd or pause it on the page of your plan.`,
      cta: { label: 'Open my plan', url: '/panel/plan' },
      metadata: {},
    }
    await enqueue(tx, 'notice', { notice, userIds: [user_id] })
  }
}
