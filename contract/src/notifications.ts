import { z } from 'zod'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'

export const Notification = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  triggerId: z.uuid().optional(),
  title: z.string(),
  body: z.string(),
  status: z.enum(['failed', 'delivered', 'deleted']),
  deliveredAt: z.iso.datetime(),
  openedAt: z.iso.datetime().optional(),
  deletedAt: z.iso.datetime().optional(),
  cta: z.object({ label: z.string(), url: z.string() }).optional(),
  metadata: z.record(z.string(), z.unknown()),
  error: z.string().optional(),
})

export const notifications = {
  list: call({
    method: 'GET',
    path: '/notifications/list/',
    summary: 'What I was told, newest first',
    access: 'signed-in',
    query: PageQuery,
    page: {
      filters: { status: 'text', deliveredAt: 'time' },
      orders: ['deliveredAt'],
      defaultOrder: 'deliveredAt:desc',
    },
    returns: pageOf(Notification),
    refuses: [],
  }),
  read: call({
    method: 'PUT',
    path: '/notifications/:id/read/',
    summary: 'Mark one as opened',
    access: 'signed-in',
    params: z.object({ id: z.uuid() }),
    returns: Notification,
    refuses: ['notification.not-found'],
  }),
  clear: call({
    method: 'DELETE',
    path: '/notifications/clear/',
    summary: 'Delete all of mine',
    access: 'signed-in',
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
}
