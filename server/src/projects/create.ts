import { hasDutySql } from '../kernel/domain-sql.ts'
import { mayName } from '@clear-to-post/domain/access'
import { hasDuty } from '@clear-to-post/domain/roles'
import { randomUUID } from 'node:crypto'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { projects } from '@clear-to-post/contract/projects'
import { monthIn } from '@clear-to-post/domain/calendar'
import { rightToSubmit, termsOf } from '@clear-to-post/domain/plans'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { decide } from '@clear-to-post/domain/decide'
import { Status } from '@clear-to-post/domain/workflow'
import { requireRoomAhead, takeSources } from '../assets/actions.ts'
import { enqueueFirstCut } from '../edits/actions.ts'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { holdPlan, submitRightsOf } from '../subscriptions/actions.ts'
import { dueBy } from './effects.ts'
import { factsOfNew } from './facts.ts'
import { countedFor, markUsed, quotaUsed, useQuota } from './quota.ts'
import { queueEnd, sentInLately, withinReach } from './store.ts'
import { record } from './timeline.ts'
import { submitRefusal, tooManyToday } from './waiting.ts'

/** Submits a video: quota, files, first event and queue place in one transaction. Answers the new project's id. */
export const createProject = async (
  tx: Tx,
  caller: Caller,
  input: CallRequest<typeof projects.create>['body'],
  now: Date,
): Promise<string> => {
  const officer = await officerOf(tx, caller, input.userId)
  const submitMonth = input.submitMonth ?? monthIn(now, officer.time_zone)
  const decision = decide('create', factsOfNew(officer, submitMonth), caller, { submitMonth }, now)
  if ('refusal' in decision) throw refusal(decision.refusal, decision.message)

  if ((await sentInLately(tx, officer.id, now)) >= mostKept.videosPerDay) throw tooManyToday(officer.id === caller.id)
  const rights = await submitRightsOf(tx, officer.id, now)
  const use = countedFor(rights, await quotaUsed(tx, officer.id, submitMonth, officer.tenant_id))
  const right = rightToSubmit(rights, { ...use, ...(await holdPlan(tx, rights, submitMonth, now)) })
  if ('refusal' in right) throw submitRefusal(right.refusal, officer.id === caller.id)
  const isFree = right.right === 'free'

  const id = randomUUID()
  // For a later month these are asked for again when it enters the queue.
  const { turnaroundHours: hours, revisionsPerProject: revisions } = termsOf(rights.plan, right.right)
  const queued = decision.effects.queue === 'end'
  const waits = decision.to === Status.scheduled
  await tx.count(sql`
    insert into project (id, tenant_id, user_id, title, instructions, caption_style, caption_suggestion, submit_month, status,
      queue_position, due_at, is_free, turnaround_hours, revisions_left, due_by, submitted_at, modified_at, seq, tour)
    values (${id}, ${officer.tenant_id}, ${officer.id}, ${input.title}, ${input.instructions}, ${input.captionStyle},
      ${input.captionSuggestion ?? null}, ${submitMonth}, ${decision.to}, ${queued ? await queueEnd(tx) : null},
      ${decision.effects.dueAt ?? null}, ${isFree}, ${hours}, ${revisions}, ${queued ? dueBy(now, hours) : null}, ${now}, ${now}, 1,
      ${input.tour ? JSON.stringify(input.tour) : null}::jsonb)`)
  await useQuota(tx, { id, user_id: officer.id, tenant_id: officer.tenant_id }, submitMonth, right.right, { now })
  if (!waits) await markUsed(tx, id, right.right === 'plan' ? rights : null, now)
  const coverId = await takeSources(tx, { assetIds: input.assets, userId: officer.id, projectId: id, actor: caller })
  await tx.count(sql`update project set cover_id = ${coverId} where id = ${id}`)
  if (waits) await requireRoomAhead(tx, officer.id)
  // What waits has no right to work yet: see decision 400.
  if (!waits) await enqueueFirstCut(tx, { id, tenant_id: officer.tenant_id, user_id: officer.id })
  await record(tx, caller, {
    project: { id, user_id: officer.id, tenant_id: officer.tenant_id, seq: 0 },
    verb: 'create',
    from: null,
    to: decision.to,
    now,
    more: { submitMonth, ...(waits ? { waitsFor: submitMonth } : {}) },
  })
  return id
}

type Officer = { id: string; tenant_id: string | null; time_zone: string; is_confirmed: boolean }

const officerOf = async (tx: Tx, caller: Caller, userId: string | undefined): Promise<Officer> => {
  if (!mayName(caller, 'project.create', userId ?? caller.id)) throw refusal('account.not-found')
  if (!hasDuty(caller.role, 'film') && userId === undefined)
    throw refusal('request.invalid', 'Say for whom: an admin submits on behalf of an officer.', [
      { path: 'body.userId', message: 'Required for an admin' },
    ])
  // Not their key: whoever buys a video holds the plan, and writes a row that names them.
  const officer = await tx.first(sql<Officer>`
    select id, tenant_id, time_zone, email_verified_at is not null as is_confirmed from person
    where id = ${userId ?? caller.id} and ${hasDutySql(sql`role`, 'film')} and not is_disabled and ${withinReach(caller)} for no key update`)
  if (!officer) throw refusal('account.not-found')
  // Whoever asks: a right belongs to a mailbox that somebody has shown to read.
  if (!officer.is_confirmed) throw refusal(officer.id === caller.id ? 'account.unverified' : 'account.not-confirmed')
  return officer
}
