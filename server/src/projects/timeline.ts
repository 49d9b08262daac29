import { workflow, type Status, type Verb } from '@clear-to-post/domain/workflow'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { noteStep } from '../webhooks/actions.ts'
import { addEvent, type Changes, type Counted, type ProjectRow } from './store.ts'

/** Appends the event of a step to the project's ledger, and has told whom it concerns. */
export const record = async (
  tx: Tx,
  caller: Caller,
  step: {
    project: Pick<ProjectRow, 'id' | 'user_id' | 'tenant_id' | 'seq'>
    verb: Verb
    from: Status | null
    to: Status
    now: Date
    more?: Record<string, unknown>
    before?: Changes | null
    counted?: Counted | null
    undoes?: number | null
  },
) => {
  const { project, verb, from, to, now } = step
  const seq = project.seq + 1
  const { title, description } =
    step.more?.['isPosted'] === true
      ? posted
      : step.more?.['waits'] === 'officer-inactive' && verb === 'hold'
        ? withoutOfficer
        : workflow[verb]
  const added = addEvent(tx, {
    projectId: project.id,
    seq,
    userId: project.user_id,
    tenantId: project.tenant_id,
    verb,
    from,
    to,
    title,
    description,
    metadata: { verb, actorId: caller.id, actorRole: caller.role, ...step.more },
    caller,
    at: now,
    before: step.before ?? null,
    counted: step.counted ?? null,
    undoes: step.undoes ?? null,
  })
  await Promise.all([
    added,
    enqueue(tx, 'project-event', { projectId: project.id, seq }),
    noteStep(tx, { project, verb, seq, status: to, now, metadata: step.more ?? {} }),
  ])
}

/** A video that went to networks by itself; how each post ended stands beside it. */
const posted = {
  title: 'Posts have ended',
  description: 'The video went to its networks. How each post ended stands with the video.',
}

/** A video whose month has begun, of somebody who is shut out or films no more. */
const withoutOfficer = {
  title: 'Waits for its officer',
  description:
    'Its month has begun, but its officer is disabled, or no officer any more. It joins the queue by itself when they are back.',
}
