import { refusal } from '@clear-to-post/contract/errors'
import { notifications } from '@clear-to-post/contract/notifications'
import { page } from '../kernel/page.ts'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { choicesOf, choose } from './choices.ts'
import { presentNotification } from './present.ts'
import { notify } from './notify.ts'
import { deleteNotifications, listColumns, listSelect, openAll, openNotification } from './store.ts'
import {
  changeTrigger,
  createTrigger,
  deleteTrigger,
  findTrigger,
  presentTriggers,
  previewTrigger,
  requireReach,
  triggerColumns,
  triggersSelect,
} from './triggers.ts'
import { presentRun, runColumns, runsSelect } from './triggers-history.ts'
import { noticeOf, stopRuns } from './triggers-runs.ts'

export const notificationsCalls: Mounted[] = [
  on(notifications.list, async ({ query }, { tx, caller }) => {
    // What was deleted is gone from the list, unless somebody asks for it by status.
    const withDeleted = query.wheres?.some((where) => where.startsWith('status:')) ?? false
    const { rows, nextCursor } = await page(tx, notifications.list.page, listColumns, query, (parts) =>
      listSelect(caller, parts, { withDeleted }),
    )
    return { items: rows.map(presentNotification), nextCursor }
  }),
  on(notifications.read, async ({ params }, { tx, caller, now }) => {
    const opened = await openNotification(tx, caller.id, params.id, now)
    if (!opened) throw refusal('notification.not-found')
    return presentNotification(opened)
  }),
  on(notifications.clear, async ({ query: { until } }, { tx, caller, now }) => {
    await deleteNotifications(tx, caller.id, momentOf(until), now)
    return { success: true as const }
  }),
  on(notifications.createTrigger, async ({ body }, { tx, caller, now }) => {
    const [made] = await presentTriggers(tx, caller, [await createTrigger(tx, caller, body, now)])
    return made!
  }),
  onRead(notifications.triggers, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, notifications.triggers.page, triggerColumns, query, (parts) =>
      triggersSelect(caller, parts),
    )
    return { items: await presentTriggers(tx, caller, rows), nextCursor }
  }),
  onRead(notifications.trigger, async ({ params: { id } }, { tx, caller }) => {
    const [found] = await presentTriggers(tx, caller, [await findTrigger(tx, caller, id)])
    return found!
  }),
  on(notifications.updateTrigger, async ({ params: { id }, body }, { tx, caller, now }) => {
    const [changed] = await presentTriggers(tx, caller, [
      await changeTrigger(tx, caller, id, body, { now, stop: stopRuns }),
    ])
    return changed!
  }),
  on(notifications.deleteTrigger, async ({ params: { id } }, { tx, caller }) => {
    await deleteTrigger(tx, caller, id)
    return { success: true as const }
  }),
  onRead(notifications.triggerRuns, async ({ params: { id }, query }, { tx, caller }) => {
    await findTrigger(tx, caller, id)
    const { rows, nextCursor } = await page(tx, notifications.triggerRuns.page, runColumns, query, (parts) =>
      runsSelect(caller, id, parts),
    )
    return { items: rows.map(presentRun), nextCursor }
  }),
  on(notifications.previewTrigger, ({ body }, { tx, caller, now }) => previewTrigger(tx, caller, body, now)),
  on(notifications.testTrigger, async ({ body: { notification, transportType } }, { tx, caller, now, requestId }) => {
    const notice = noticeOf(notification, transportType, { cause: `trigger-test:${requestId}` })
    await notify(tx, { ...notice, isAwaited: true }, [caller.id], now)
    return { success: true as const }
  }),
  on(notifications.push, async ({ body: { userIds, ...words } }, { tx, caller, now, requestId }) => {
    await requireReach(tx, caller, userIds)
    await notify(
      tx,
      {
        kind: 'news',
        title: words.title,
        body: words.body,
        cta: words.cta ?? null,
        metadata: words.metadata ?? {},
        // Request ids are the callers' own: two may choose the same.
        cause: `push:${caller.id}:${requestId}`,
      },
      userIds,
      now,
    )
    return { success: true }
  }),
  on(notifications.readAll, async ({ query: { until } }, { tx, caller, now }) => {
    await openAll(tx, caller.id, momentOf(until), now)
    return { success: true as const }
  }),
  onRead(notifications.choices, (_input, { tx, caller }) => choicesOf(tx, caller)),
  on(notifications.choose, async ({ body }, { tx, caller, now }) => {
    await choose(tx, caller, body, now)
    return choicesOf(tx, caller)
  }),
]

const momentOf = (until: string | undefined): Date | undefined => (until === undefined ? undefined : new Date(until))
