import { randomUUID } from 'node:crypto'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { webhooks } from '@clear-to-post/contract/webhooks'
import { mostKept } from '@clear-to-post/domain/most-kept'
import {
  formerSecretHours,
  webhookActsOf,
  webhookTest,
  webhookTypes,
  type WebhookAct,
  type WebhookType,
} from '@clear-to-post/domain/webhooks'
import { isAsItWas } from '../kernel/as-it-was.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { newWebhookSecret, webhookSender } from '../outside/webhooks.ts'
import {
  addEndpoint,
  addTest,
  countEndpoints,
  countSince,
  countWaiting,
  deliveryOf,
  dropEndpoint,
  endpointOf,
  endRest,
  repeatOne,
  repeatSince,
  saveEndpoint,
  type EndpointRow,
} from './store.ts'
import { tellWhereEventsGo } from './notices.ts'
import { suppressWaiting } from './send-store.ts'

export { notePost, noteStep } from './outbox.ts'
export { webhookLag } from './send-store.ts'

/** In a restored copy: what waited is sent again only by hand, because it may have been sent since. Answers how much. */
export const suppressWebhooks = (tx: Tx, now: Date): Promise<number> => suppressWaiting(tx, now)

/** What a secret is sealed about: it opens for its own endpoint alone. */
export const sealedFor = (endpointId: string): string => `webhook ${endpointId}`

/**
 * Adds an endpoint of the caller's company, or the service's. Its secret is answered here and nowhere again. Throws
 * `webhook.bad-address`, `webhook.too-many`.
 */
export const createEndpoint = async (
  tx: Tx,
  caller: Caller,
  given: { url: string; description: string; events: readonly WebhookType[] },
  now: Date,
): Promise<{ id: string; secret: string }> => {
  requirePublic(given.url)
  await holdSession(tx, caller)
  if ((await countEndpoints(tx, caller.tenantId)) >= mostKept.webhookEndpoints) throw refusal('webhook.too-many')
  const [id, secret] = [randomUUID(), newWebhookSecret()]
  const sealed = webhookSender().seal.seal(secret, sealedFor(id))
  await addEndpoint(tx, {
    ...given,
    id,
    tenantId: caller.tenantId,
    events: [...new Set(given.events)],
    secret: sealed,
    now,
  })
  await tellWhereEventsGo(tx, caller, { id, tenantId: caller.tenantId, url: given.url }, 'added')
  return { id, secret }
}

/** Throws `webhook.not-found`, `webhook.changed`, `webhook.bad-address`. */
export const updateEndpoint = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { was, ...given }: CallRequest<typeof webhooks.update>['body'],
  now: Date,
): Promise<void> => {
  const endpoint = await required(tx, caller, id)
  const { description, events } = endpoint
  if (!isAsItWas(was && inOrder(was), inOrder({ url: endpoint.url, description, events })))
    throw refusal('webhook.changed')
  if (given.url !== undefined) {
    requirePublic(given.url)
    await holdSession(tx, caller)
  }
  const url = given.url ?? endpoint.url
  await saveEndpoint(
    tx,
    {
      ...endpoint,
      url,
      description: given.description ?? endpoint.description,
      events: given.events ? [...new Set(given.events)] : endpoint.events,
    },
    now,
  )
  if (url !== endpoint.url) await tellWhereEventsGo(tx, caller, { id, tenantId: endpoint.tenant_id, url }, 'moved')
}

// Whoever names events names them in any order.
const inOrder = <Parts extends { events?: WebhookType[] }>(parts: Parts): Parts =>
  parts.events ? { ...parts, events: webhookTypes.filter((type) => parts.events!.includes(type)) } : parts

/** A new secret; the one before it signs, too, for a day. Throws `webhook.not-found`. */
export const rotateSecret = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<string> => {
  const endpoint = await required(tx, caller, id)
  await holdSession(tx, caller)
  const secret = newWebhookSecret()
  await saveEndpoint(
    tx,
    {
      ...endpoint,
      secret: webhookSender().seal.seal(secret, sealedFor(id)),
      former_secret: endpoint.secret,
      former_until: new Date(now.getTime() + formerSecretHours * 3_600_000),
    },
    now,
  )
  await tellWhereEventsGo(tx, caller, { id, tenantId: endpoint.tenant_id, url: endpoint.url }, 'rotated')
  return secret
}

/** Throws `webhook.not-found`, `webhook.wrong-state`. */
export const pauseEndpoint = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> => {
  const endpoint = await required(tx, caller, id, 'pause')
  await saveEndpoint(tx, { ...endpoint, state: 'paused' }, now)
}

/** What waits is sent first, from the beginning of its tries. Throws `webhook.not-found`, `webhook.wrong-state`. */
export const resumeEndpoint = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<void> => {
  const endpoint = await required(tx, caller, id, 'resume')
  await saveEndpoint(tx, { ...endpoint, state: 'active', failing_since: null }, now)
  await endRest(tx, id, now)
}

/** Throws `webhook.not-found`. */
export const removeEndpoint = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  if ((await dropEndpoint(tx, caller, id)) === 0) throw refusal('webhook.not-found')
}

/** Answers the delivery's id. Throws `webhook.not-found`, `webhook.wrong-state`, `webhook.too-many-waiting`. */
export const sendTest = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<string> => {
  const endpoint = await required(tx, caller, id, 'test')
  await requireRoom(tx, id, 1)
  return asService(tx, () => addTest(tx, { endpoint, type: webhookTest, now }))
}

/** Throws `webhook.not-found`, `webhook.too-many-waiting`. */
export const resendDelivery = async (
  tx: Tx,
  caller: Caller,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
  now: Date,
): Promise<void> => {
  await required(tx, caller, endpointId)
  const delivery = await deliveryOf(tx, caller, endpointId, deliveryId)
  if (!delivery) throw refusal('webhook.not-found')
  if (delivery.state !== 'waiting') await requireRoom(tx, endpointId, 1)
  await repeatOne(tx, caller, endpointId, deliveryId, now)
}

/** Answers how many wait that did not before. Throws `webhook.not-found`, `webhook.too-many-waiting`. */
export const resendSince = async (
  tx: Tx,
  caller: Caller,
  endpointId: string,
  { since, onlyFailed }: { since: Date; onlyFailed: boolean },
  now: Date,
): Promise<number> => {
  await required(tx, caller, endpointId)
  const more = await countSince(tx, { endpointId, since, onlyFailed, most: mostKept.webhookWaiting + 1 })
  await requireRoom(tx, endpointId, more)
  return repeatSince(tx, { endpointId, since, onlyFailed, now })
}

const required = async (tx: Tx, caller: Caller, id: string, act?: WebhookAct): Promise<EndpointRow> => {
  const endpoint = await endpointOf(tx, caller, id)
  if (!endpoint) throw refusal('webhook.not-found')
  if (act && !webhookActsOf(endpoint.state).includes(act)) throw refusal('webhook.wrong-state')
  return endpoint
}

const requireRoom = async (tx: Tx, endpointId: string, more: number): Promise<void> => {
  if ((await countWaiting(tx, endpointId, mostKept.webhookWaiting)) + more > mostKept.webhookWaiting)
    throw refusal('webhook.too-many-waiting')
}

const requirePublic = (url: string): void => {
  if (!webhookSender().mayReach(url)) throw refusal('webhook.bad-address')
}
