import type { z } from 'zod'
import type { Notification } from '@clear-to-post/contract/notifications'
import type { NotificationRow } from './store.ts'

export const presentNotification = (n: NotificationRow): z.input<typeof Notification> => ({
  id: n.id,
  userId: n.user_id,
  triggerId: n.trigger_id ?? undefined,
  title: n.title,
  body: n.body,
  status: n.status,
  deliveredAt: n.delivered_at.toISOString(),
  openedAt: n.opened_at?.toISOString(),
  deletedAt: n.deleted_at?.toISOString(),
  cta: n.cta ?? undefined,
  metadata: n.metadata,
  error: n.error ?? undefined,
})
