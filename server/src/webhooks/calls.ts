import { refusal } from '@clear-to-post/contract/errors'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import { page } from '../kernel/page.ts'
import {
  createEndpoint,
  pauseEndpoint,
  removeEndpoint,
  resendDelivery,
  resendSince,
  resumeEndpoint,
  rotateSecret,
  sendTest,
  updateEndpoint,
} from './actions.ts'
import { bodyOf } from './outbox.ts'
import { presentAttempt, presentDelivery, presentEndpoint } from './present.ts'
import {
  attemptsOf,
  deliveriesSelect,
  deliveryOf,
  deliveryPage,
  endpointPage,
  endpointsSelect,
  shownEndpoint,
} from './store.ts'

export const webhooksCalls: Mounted[] = [
  onRead(webhooks.list, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, webhooks.list.page, endpointPage, query, (parts) =>
      endpointsSelect(caller, parts),
    )
    return { items: rows.map((row) => presentEndpoint(row, now)), nextCursor }
  }),
  on(webhooks.create, async ({ body }, { tx, caller, now }) => {
    const { id, secret } = await createEndpoint(tx, caller, body, now)
    return { secret, endpoint: await shown(tx, caller, id, now) }
  }),
  onRead(webhooks.find, ({ params }, { tx, caller, now }) => shown(tx, caller, params.endpointId, now)),
  on(webhooks.update, async ({ params, body }, { tx, caller, now }) => {
    await updateEndpoint(tx, caller, params.endpointId, body, now)
    return shown(tx, caller, params.endpointId, now)
  }),
  on(webhooks.rotate, async ({ params }, { tx, caller, now }) => {
    const secret = await rotateSecret(tx, caller, params.endpointId, now)
    return { secret, endpoint: await shown(tx, caller, params.endpointId, now) }
  }),
  on(webhooks.pause, async ({ params }, { tx, caller, now }) => {
    await pauseEndpoint(tx, caller, params.endpointId, now)
    return shown(tx, caller, params.endpointId, now)
  }),
  on(webhooks.resume, async ({ params }, { tx, caller, now }) => {
    await resumeEndpoint(tx, caller, params.endpointId, now)
    return shown(tx, caller, params.endpointId, now)
  }),
  on(webhooks.remove, async ({ params }, { tx, caller }) => {
    await removeEndpoint(tx, caller, params.endpointId)
    return { success: true as const }
  }),
  on(webhooks.test, async ({ params: { endpointId } }, { tx, caller, now }) => {
    const deliveryId = await sendTest(tx, caller, endpointId, now)
    return presentDelivery(await delivery(tx, caller, { endpointId, deliveryId }))
  }),
  onRead(webhooks.deliveries, async ({ params: { endpointId }, query }, { tx, caller }) => {
    if (!(await shownEndpoint(tx, caller, endpointId))) throw refusal('webhook.not-found')
    const { rows, nextCursor } = await page(tx, webhooks.deliveries.page, deliveryPage, query, (parts) =>
      deliveriesSelect(caller, endpointId, parts),
    )
    return { items: rows.map(presentDelivery), nextCursor }
  }),
  onRead(webhooks.delivery, async ({ params }, { tx, caller }) => {
    const found = await delivery(tx, caller, params)
    const attempts = await attemptsOf(tx, caller, found.id, mostKept.webhookAttempts)
    return { ...presentDelivery(found), body: bodyOf(found), attempts: attempts.map(presentAttempt) }
  }),
  on(webhooks.resend, async ({ params }, { tx, caller, now }) => {
    await resendDelivery(tx, caller, params, now)
    return presentDelivery(await delivery(tx, caller, params))
  }),
  on(webhooks.resendSince, async ({ params, body: { since, onlyFailed } }, { tx, caller, now }) => ({
    count: await resendSince(tx, caller, params.endpointId, { since: new Date(since), onlyFailed }, now),
  })),
]

const shown = async (tx: Reader, caller: Caller, id: string, now: Date) => {
  const row = await shownEndpoint(tx, caller, id)
  if (!row) throw refusal('webhook.not-found')
  return presentEndpoint(row, now)
}

const delivery = async (
  tx: Reader,
  caller: Caller,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
) => {
  const row = await deliveryOf(tx, caller, endpointId, deliveryId)
  if (!row) throw refusal('webhook.not-found')
  return row
}
