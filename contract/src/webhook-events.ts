import { z } from 'zod'
import { monthPattern } from '@clear-to-post/domain/calendar'
import { networkNames } from '@clear-to-post/domain/networks'
import { failureKinds, postStates } from '@clear-to-post/domain/posting'
import { waitReasons } from '@clear-to-post/domain/plans'
import { webhookOfVerb, webhookTest, webhookTypes, type WebhookType } from '@clear-to-post/domain/webhooks'
import { statusValues } from '@clear-to-post/domain/workflow'

/** Of which video and whose: what a key with `videos.read` of that company reads, too. */
const about = {
  projectId: z.uuid(),
  /** The company; null for an officer without one. */
  tenantId: z.uuid().nullable(),
  /** The officer. */
  userId: z.uuid(),
}
const step = {
  ...about,
  /** The number of this step of the video. Numbers grow, with gaps where a step is told to nobody. */
  seq: z.number().int(),
  /** Where the video stands after it. */
  status: z.literal(statusValues),
}
const video = z.strictObject(step)
const PublishAt = z.iso.datetime({ offset: true })
const ofCut = z.strictObject({ ...step, cut: z.number().int().optional() })
const stepTypes = [...new Set(Object.values(webhookOfVerb))].filter((type) => type !== null)

const post = z.strictObject({
  ...about,
  postId: z.uuid(),
  network: z.enum(networkNames),
  state: z.enum(postStates),
  dueAt: z.iso.datetime(),
})

/** The `data` of each type. Nothing that people wrote stands in it: whoever needs more asks for it with an API key. */
export const webhookData = {
  'video.submitted': z.strictObject({ ...step, submitMonth: z.string().regex(monthPattern) }),
  'video.queued': video,
  'video.waiting': z.strictObject({ ...step, waitsFor: z.enum(waitReasons).optional() }),
  'video.assigned': z.strictObject({ ...step, editorId: z.uuid().nullable() }),
  'video.started': video,
  'video.sent_to_approval': ofCut,
  /** `publishAt`: where it was scheduled at once. */
  'video.approved': ofCut.extend({ publishAt: PublishAt.optional() }),
  'video.denied': ofCut,
  'video.revision_requested': ofCut,
  'video.scheduled': z.strictObject({ ...step, publishAt: PublishAt.optional() }),
  'video.unscheduled': video,
  'video.due': video,
  'video.canceled': video,
  /** `undoes`: the type of the step that counts no more; absent where that step is told to nobody. */
  'video.rolled_back': z.strictObject({ ...step, undoes: z.enum(stepTypes).optional() }),
  'post.live': post,
  'post.failed': post.extend({ failure: z.enum(failureKinds).optional() }),
  'post.unconfirmed': post,
  'post.removed': post,
} satisfies Record<WebhookType, z.ZodType>

export type WebhookData<T extends WebhookType> = z.output<(typeof webhookData)[T]>

/** What an endpoint is sent, as a test too. */
export const WebhookMessage = z.object({
  type: z.enum([...webhookTypes, webhookTest]),
  /** When it happened; when it was sent stands in the header `webhook-timestamp`. */
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
})
export type WebhookMessage = z.infer<typeof WebhookMessage>
