import { mostKept } from '@clear-to-post/domain/most-kept'
import { webhookData, type WebhookMessage } from '@clear-to-post/contract/webhook-events'
import { webhookOfPost, webhookOfVerb, type WebhookType } from '@clear-to-post/domain/webhooks'
import type { PostEvent } from '@clear-to-post/domain/posting'
import type { Status, Verb } from '@clear-to-post/domain/workflow'
import type { Tx } from '../kernel/database.ts'
import { addEvent, projectOf } from './store.ts'

type Project = { id: string; user_id: string; tenant_id: string | null }

/** Keeps a step of a project for the programs that hear of it, in the transaction in which it is taken. */
export const noteStep = async (
  tx: Tx,
  step: { project: Project; verb: Verb; seq: number; status: Status; now: Date; metadata: Record<string, unknown> },
): Promise<void> => {
  const type = webhookOfVerb[step.verb]
  if (type === null) return
  const { cut, publishAt, submitMonth, editorId, waits, undoes } = step.metadata
  const undone = undoes === undefined ? null : webhookOfVerb[undoes as Verb]
  await note(tx, step.project, type, step.now, {
    seq: step.seq,
    status: step.status,
    cut,
    publishAt,
    submitMonth,
    editorId,
    waitsFor: waits,
    undoes: undone ?? undefined,
  })
}

/** The same for what happened to a post. */
export const notePost = async (
  tx: Tx,
  post: {
    id: string
    projectId: string
    event: PostEvent
    network: string
    state: string
    failure: string | null
    dueAt: Date
    now: Date
  },
): Promise<void> => {
  const type = webhookOfPost[post.event]
  if (type === null) return
  const project = await projectOf(tx, post.projectId)
  if (!project) return
  await note(tx, project, type, post.now, {
    postId: post.id,
    network: post.network,
    state: post.state,
    dueAt: post.dueAt.toISOString(),
    failure: post.failure ?? undefined,
  })
}

/** Of all that is known, what the type's own shape names. */
const note = async (tx: Tx, project: Project, type: WebhookType, at: Date, known: Record<string, unknown>) => {
  const shape = webhookData[type]
  const all: Record<string, unknown> = {
    projectId: project.id,
    tenantId: project.tenant_id,
    userId: project.user_id,
    ...known,
  }
  const named = Object.keys(shape.shape).filter((key) => all[key] !== undefined)
  const data = shape.parse(Object.fromEntries(named.map((key) => [key, all[key]])))
  await addEvent(tx, { projectId: project.id, type, data, at, most: mostKept.webhookWaiting })
}

/** What is sent of an event, to the letter: the same at every try. */
export const bodyOf = (event: { type: WebhookMessage['type']; at: Date; data: Record<string, unknown> }): string =>
  JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: event.data } satisfies WebhookMessage)

/** As it stands in `webhook-id`. */
export const messageIdOf = (eventId: string): string => `msg_${eventId.replaceAll('-', '')}`
