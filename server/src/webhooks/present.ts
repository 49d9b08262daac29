import type { z } from 'zod'
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { webhookActsOf } from '@clear-to-post/domain/webhooks'
import { messageIdOf } from './outbox.ts'
import type { AttemptRow, DeliveryRow, ShownEndpoint } from './store.ts'

export const presentEndpoint = (row: ShownEndpoint, now: Date): z.input<typeof WebhookEndpoint> => ({
  id: row.id,
  ...(row.tenant_id === null ? {} : { tenantId: row.tenant_id }),
  ...(row.tenant_name === null ? {} : { tenantName: row.tenant_name }),
  url: row.url,
  description: row.description,
  events: row.events,
  state: row.state,
  ...(row.failing_since ? { failingSince: row.failing_since.toISOString() } : {}),
  ...(row.last_delivered_at ? { lastDeliveredAt: row.last_delivered_at.toISOString() } : {}),
  ...(row.former_until && row.former_until > now ? { formerSecretUntil: row.former_until.toISOString() } : {}),
  createdAt: row.created_at.toISOString(),
  actions: webhookActsOf(row.state),
})

export const presentDelivery = (row: DeliveryRow): z.input<typeof WebhookDelivery> => ({
  id: row.id,
  messageId: messageIdOf(row.event_id),
  type: row.type,
  ...(row.project_id === null ? {} : { projectId: row.project_id }),
  ...(row.project_title === null ? {} : { projectTitle: row.project_title }),
  state: row.state,
  tries: row.tries,
  ...(row.status === null ? {} : { status: row.status }),
  at: row.at.toISOString(),
  ...(row.state === 'waiting' ? { nextAt: row.next_at.toISOString() } : {}),
  ...(row.settled_at ? { settledAt: row.settled_at.toISOString() } : {}),
})

export const presentAttempt = (row: AttemptRow): z.input<typeof WebhookAttempt> => ({
  at: row.at.toISOString(),
  ms: row.ms,
  ...(row.status === null ? {} : { status: row.status }),
  ...(row.error === null ? {} : { error: row.error }),
  answer: row.answer,
})
