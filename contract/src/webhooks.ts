import { z } from 'zod'
import { deliveryStates, webhookActs, webhookStates, webhookTest, webhookTypes } from '@clear-to-post/domain/webhooks'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { line } from './visible.ts'

const Moment = z.iso.datetime()
const EventType = z.enum(webhookTypes)
const Events = z.array(EventType).min(1).max(webhookTypes.length)
/** An https address without a password in it. Whether it leads to somewhere public is asked again at every try. */
const Address = z.url({ protocol: /^https?$/ }).max(500)

/** An address of a program that hears of videos and posts, without its secret. */
export const WebhookEndpoint = z.object({
  id: z.uuid(),
  /** Whose; absent: the service's, which hears of every company. */
  tenantId: z.uuid().optional(),
  tenantName: z.string().optional(),
  url: z.string(),
  description: z.string(),
  events: z.array(EventType).max(webhookTypes.length),
  /** `failing`: nothing was taken for days; `gone`: it answered 410; `full`: too much waits. All but `active` send nothing. */
  state: z.enum(webhookStates),
  /** Since when nothing was taken there. */
  failingSince: Moment.optional(),
  /** To the minute. */
  lastDeliveredAt: Moment.optional(),
  /** Until then the secret before this one signs, too. */
  formerSecretUntil: Moment.optional(),
  createdAt: Moment,
  /** What may be done with it now. */
  actions: z.array(z.enum(webhookActs)).max(webhookActs.length),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** One event on its way to one endpoint. */
export const WebhookDelivery = z.object({
  id: z.uuid(),
  /** As it is sent in `webhook-id`: the same at every try. */
  messageId: z.string(),
  type: z.enum([...webhookTypes, webhookTest]),
  projectId: z.uuid().optional(),
  /** What the video is called now; it is not sent. */
  projectTitle: z.string().optional(),
  state: z.enum(deliveryStates),
  /** Failed tries since it began to wait. */
  tries: z.number().int(),
  /** Of the last try: what was answered, if anything. */
  status: z.number().int().optional(),
  /** When it happened. */
  at: Moment,
  /** When it is tried next, unless an earlier one of the same video fails until then. */
  nextAt: Moment.optional(),
  settledAt: Moment.optional(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookAttempt = z.object({
  at: Moment,
  ms: z.number().int(),
  status: z.number().int().optional(),
  /** Why no answer came. */
  error: z.string().optional(),
  /** How the answer began. */
  answer: z.string(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

const told = { url: Address.optional(), description: line(200).optional(), events: Events.optional() }
const inEndpoint = z.object({ endpointId: z.uuid() })
const inDelivery = z.object({ endpointId: z.uuid(), deliveryId: z.uuid() })
/** `secret`: `whsec_` and 32 random bytes in base64. */
const WithSecret = z.object({ secret: z.string(), endpoint: WebhookEndpoint })

export const webhooks = {
  list: call({
    method: 'GET',
    path: '/webhooks/',
    summary: 'The webhook endpoints within my reach',
    access: 'webhook.write',
    query: PageQuery,
    page: {
      filters: { search: 'search', state: 'text', tenantId: 'uuid' },
      orders: ['createdAt'],
      defaultOrder: 'createdAt:desc',
    },
    returns: pageOf(WebhookEndpoint),
    refuses: [],
  }),
  create: call({
    method: 'POST',
    path: '/webhooks/',
    summary: 'Add a webhook endpoint of my company, or the service’s; its secret is answered this once and never again',
    access: 'webhook.write',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body: z.strictObject({ url: Address, description: line(200).default(''), events: Events }),
    returns: WithSecret,
    creates: true,
    // Its answer is a secret.
    unrecorded: true,
    refuses: ['webhook.bad-address', 'webhook.too-many'],
  }),
  find: call({
    method: 'GET',
    path: '/webhooks/:endpointId/',
    summary: 'One webhook endpoint',
    access: 'webhook.write',
    params: inEndpoint,
    returns: WebhookEndpoint,
    refuses: ['webhook.not-found'],
  }),
  update: call({
    method: 'PUT',
    path: '/webhooks/:endpointId/',
    summary: 'Change where an endpoint is and what it hears of; what waits goes to the new address',
    access: 'webhook.write',
    needsFreshSignIn: ['url'],
    params: inEndpoint,
    body: z.strictObject({
      ...told,
      /** Parts as they were when this change was begun: refused when somebody has changed one of them since. */
      was: z.strictObject(told).optional(),
    }),
    returns: WebhookEndpoint,
    refuses: ['webhook.bad-address', 'webhook.not-found', 'webhook.changed'],
  }),
  rotate: call({
    method: 'POST',
    path: '/webhooks/:endpointId/rotate/',
    summary: 'Replace the secret of an endpoint; for 24 hours both sign',
    access: 'webhook.write',
    needsFreshSignIn: true,
    params: inEndpoint,
    returns: WithSecret,
    unrecorded: true,
    refuses: ['webhook.not-found'],
  }),
  pause: call({
    method: 'POST',
    path: '/webhooks/:endpointId/pause/',
    summary: 'Send nothing to an endpoint for now; what happens meanwhile is kept',
    access: 'webhook.write',
    params: inEndpoint,
    returns: WebhookEndpoint,
    refuses: ['webhook.not-found', 'webhook.wrong-state'],
  }),
  resume: call({
    method: 'POST',
    path: '/webhooks/:endpointId/resume/',
    summary: 'Send to an endpoint again, what waits first',
    access: 'webhook.write',
    params: inEndpoint,
    returns: WebhookEndpoint,
    refuses: ['webhook.not-found', 'webhook.wrong-state'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/webhooks/:endpointId/',
    summary: 'Remove an endpoint with its log',
    access: 'webhook.write',
    params: inEndpoint,
    returns: z.object({ success: z.literal(true) }),
    refuses: ['webhook.not-found'],
  }),
  test: call({
    method: 'POST',
    path: '/webhooks/:endpointId/test/',
    summary: 'Send a `webhook.test` to an endpoint; what it answers stands in the log',
    access: 'webhook.write',
    params: inEndpoint,
    returns: WebhookDelivery,
    creates: true,
    refuses: ['webhook.not-found', 'webhook.wrong-state', 'webhook.too-many-waiting'],
  }),
  deliveries: call({
    method: 'GET',
    path: '/webhooks/:endpointId/deliveries/',
    summary: 'What an endpoint was and will be sent, of the last 30 days',
    access: 'webhook.write',
    params: inEndpoint,
    query: PageQuery,
    page: {
      filters: { state: 'text', type: 'text', projectId: 'uuid', at: 'time' },
      orders: ['at'],
      defaultOrder: 'at:desc',
    },
    returns: pageOf(WebhookDelivery),
    refuses: ['webhook.not-found'],
  }),
  delivery: call({
    method: 'GET',
    path: '/webhooks/:endpointId/deliveries/:deliveryId/',
    summary: 'One delivery: what is sent, and every try with what was answered',
    access: 'webhook.write',
    params: inDelivery,
    returns: WebhookDelivery.extend({
      /** What is sent, to the letter. */
      body: z.string(),
      attempts: z.array(WebhookAttempt).max(mostKept.webhookAttempts),
    }),
    refuses: ['webhook.not-found'],
  }),
  resend: call({
    method: 'POST',
    path: '/webhooks/:endpointId/deliveries/:deliveryId/resend/',
    summary: 'Send one delivery again, under the same id; what waits is tried at once',
    access: 'webhook.write',
    params: inDelivery,
    returns: WebhookDelivery,
    refuses: ['webhook.not-found', 'webhook.too-many-waiting'],
  }),
  resendSince: call({
    method: 'POST',
    path: '/webhooks/:endpointId/resend/',
    summary: 'Send everything again that happened since a moment, in its order',
    access: 'webhook.write',
    params: inEndpoint,
    body: z.strictObject({
      since: z.iso.datetime({ offset: true }),
      /** Only what failed or was held back; else what was delivered goes again, too. */
      onlyFailed: z.boolean().default(false),
    }),
    returns: z.object({
      /** How many wait now that did not before. */
      count: z.number().int(),
    }),
    refuses: ['webhook.not-found', 'webhook.too-many-waiting'],
  }),
}
