import { deliveryStates, webhookStates, type DeliveryState, type WebhookState } from '@clear-to-post/domain/webhooks'

/** What of the list of webhooks lives in its address. */
export type WebhooksSearch = { q?: string; state?: WebhookState }

export const readWebhooksSearch = (search: Record<string, unknown>): WebhooksSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(webhookStates.includes(search['state'] as WebhookState) ? { state: search['state'] as WebhookState } : {}),
})

export const wheresOf = ({ q, state }: WebhooksSearch): string[] => [
  ...(state === undefined ? [] : [`state:eq:${state}`]),
  ...(q === undefined ? [] : [`search:contains:${q}`]),
]

/** What of the log of one lives in its address. */
export type WebhookSearch = { show?: DeliveryState }

export const readWebhookSearch = (search: Record<string, unknown>): WebhookSearch =>
  deliveryStates.includes(search['show'] as DeliveryState) ? { show: search['show'] as DeliveryState } : {}
