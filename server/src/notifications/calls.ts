import { refusal } from '@clear-to-post/contract/errors'
import { notifications } from '@clear-to-post/contract/notifications'
import { page } from '../db/page.ts'
import { sql } from '../db/tenant.ts'
import { on, type Mounted } from '../http/mount.ts'
import { presentNotification } from './present.ts'
import { deleteNotifications, listColumns, openNotification, type NotificationRow } from './store.ts'

export const notificationsCalls: Mounted[] = [
  on(notifications.list, async ({ query }, { tx, caller }) => {
    // What was deleted is gone from the list, unless somebody asks for it by status.
    const asked = query.wheres?.some((where) => where.startsWith('status:')) ?? false
    const kept = asked ? sql`true` : sql`n.status <> 'deleted'`
    const { rows, nextCursor } = await page(
      tx,
      notifications.list.page,
      listColumns,
      query,
      ({ where, tail, keys }) =>
        sql<
          NotificationRow & { page_key: string; page_id: string }
        >`select n.*, ${keys} from notification n where n.user_id = ${caller.id} and ${kept} and ${where} ${tail}`,
    )
    return { items: rows.map(presentNotification), nextCursor }
  }),
  on(notifications.read, async ({ params }, { tx, caller, now }) => {
    const opened = await openNotification(tx, caller.id, params.id, now)
    if (!opened) throw refusal('notification.not-found')
    return presentNotification(opened)
  }),
  on(notifications.clear, async (_input, { tx, caller, now }) => {
    await deleteNotifications(tx, caller.id, now)
    return { success: true as const }
  }),
]
