import type { PostEvent } from './posting.ts'
import type { Verb } from './workflow.ts'

/** What a company's own programs can hear of, as Standard Webhooks names types: a thing, a full stop, what happened to it. */
export const webhookTypes = [
  'video.submitted',
  'video.queued',
  'video.waiting',
  'video.assigned',
  'video.started',
  'video.sent_to_approval',
  'video.approved',
  'video.denied',
  'video.revision_requested',
  'video.scheduled',
  'video.unscheduled',
  'video.due',
  'video.canceled',
  'video.rolled_back',
  'post.live',
  'post.failed',
  'post.unconfirmed',
  'post.removed',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** What is sent when somebody tries an endpoint; nobody chooses it. */
export const webhookTest = 'webhook.test'

/** Every step of the ledger and what it is told as; null: nothing outside hears of it. */
export const webhookOfVerb = {
  create: 'video.submitted',
  release: 'video.queued',
  hold: 'video.waiting',
  assign: 'video.assigned',
  start: 'video.started',
  send: 'video.sent_to_approval',
  approve: 'video.approved',
  deny: 'video.denied',
  review: 'video.revision_requested',
  schedule: 'video.scheduled',
  reschedule: 'video.scheduled',
  unschedule: 'video.unscheduled',
  publish: 'video.due',
  cancel: 'video.canceled',
  rollback: 'video.rolled_back',
  // The order of work is the staff's own.
  reorder: null,
} as const satisfies Record<Verb, WebhookType | null>

/** The same for what happens to a post. */
export const webhookOfPost = {
  live: 'post.live',
  fail: 'post.failed',
  lose: 'post.unconfirmed',
  remove: 'post.removed',
  prepare: null,
  prepared: null,
  restart: null,
  arm: null,
  absent: null,
  send: null,
  process: null,
  // Its owner posts it in the network's own app, and then it is told as live.
  hand: null,
  repeat: null,
  deny: null,
  withdraw: null,
  hold: null,
  // When a post goes out is told with its video.
  move: null,
  reword: null,
} as const satisfies Record<PostEvent, WebhookType | null>

export const webhookStates = ['active', 'paused', 'failing', 'gone', 'full'] as const
export type WebhookState = (typeof webhookStates)[number]

/** From which states of an endpoint each act starts. */
const acts = {
  test: ['active'],
  pause: ['active'],
  resume: ['paused', 'failing', 'gone', 'full'],
} as const satisfies Record<string, readonly WebhookState[]>
export type WebhookAct = keyof typeof acts
export const webhookActs = Object.keys(acts) as WebhookAct[]

/** What may be done with an endpoint now. */
export const webhookActsOf = (state: WebhookState): WebhookAct[] =>
  webhookActs.filter((act) => (acts[act] as readonly WebhookState[]).includes(state))

export const deliveryStates = ['waiting', 'delivered', 'failed', 'suppressed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Seconds before each next try, as Standard Webhooks recommends: some three days in all. */
const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Seconds until the next try after so many failed ones; null: it is given up. */
export const secondsBeforeWebhook = (failed: number): number | null => pauses[failed - 1] ?? null

/** An endpoint at which so many videos fail, and nothing was taken since, rests as a whole between tries. */
export const failingVideos = 5

/** Hours without anything taken after which an endpoint is paused. */
export const failingHours = 72

/** Hours for which a secret that was replaced still signs. */
export const formerSecretHours = 24

/** Days for which deliveries and their tries are kept. */
export const webhookDays = 30
