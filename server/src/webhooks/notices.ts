import type { WebhookState } from '@clear-to-post/domain/webhooks'
import { asLine } from '@clear-to-post/contract/visible'
import type { Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { administratorsOf } from './store.ts'

/** Tells whoever administers an endpoint's company that nothing is sent to it any more, and what to do. */
export const tellAdministrators = async (
  tx: Tx,
  endpoint: { id: string; tenant_id: string | null; url: string; state: Exclude<WebhookState, 'active' | 'paused'> },
  now: Date,
): Promise<void> => {
  const userIds = await administratorsOf(tx, endpoint.tenant_id)
  if (userIds.length === 0) return
  await enqueue(tx, 'notice', {
    notice: {
      kind: 'news',
      title: 'A webhook is paused',
      body: `${asLine(new URL(endpoint.url).host, 100)} ${why[endpoint.state]}`,
      cta: { label: 'Open the webhook', url: `/panel/people/webhooks/${endpoint.id}` },
      metadata: { endpointId: endpoint.id },
      cause: `webhook ${endpoint.id} ${endpoint.state} ${now.toISOString()}`,
    },
    userIds,
  })
}

const why = {
  failing:
    'has taken nothing for three days, so nothing is sent there. What happens is kept for 30 days. Have the program looked at, then resume the webhook.',
  gone: 'answered that it is gone, so nothing is sent there. Resume the webhook when it is back, or delete it.',
  full: 'has too much waiting for it, so no more is kept. Have the program looked at, then resume the webhook.',
} as const
