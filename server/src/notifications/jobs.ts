import { mostKept } from '@clear-to-post/domain/most-kept'
import {
  endedBy,
  isStillTrue,
  isTrueAgain,
  messagesOf,
  turns,
  type Listener,
  type Message,
  type Step,
} from '@clear-to-post/domain/audiences'
import type { Database, Tx } from '../kernel/database.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job, Log } from '../kernel/work.ts'
import { sendDue } from './due.ts'
import { notify, notifyAgain } from './notify.ts'
import { approversOf } from '../projects/actions.ts'
import { whoPayBeside } from '../subscriptions/actions.ts'
import {
  deleteOldNotices,
  endNotices,
  endedUnread,
  eventToNotify,
  stepCause,
  turnCause,
  withdrawEnded,
  withdrawStep,
  type NotifiedEvent,
} from './store.ts'
import { fireDue, workRuns } from './triggers-runs.ts'

/**
 * Tells people about one step of a project, takes back what it makes untrue, and brings back what is true again after it was
 * undone. A rerun tells nobody twice, whoever took
 * the step is never told, and a step that was undone meanwhile is told to nobody.
 */
export const projectEventJob: Job<'project-event'> = {
  name: 'project-event',
  atOnce: 4,
  run: ({ projectId, seq }, { database }) => database.asSystem((tx) => notifyOfEvent(tx, projectId, seq, new Date())),
}

/** Says something on behalf of another room, or ends what it said. A rerun says it to nobody twice. */
export const noticeJob: Job<'notice'> = {
  name: 'notice',
  atOnce: 1,
  run: async (said, { database }) => {
    await database.asSystem(async (tx) => {
      const now = new Date()
      if (!('notice' in said)) return void (await endNotices(tx, said.overCause, said.userIds, now))
      const { notice, userIds, isPaidBeside } = said
      await notify(tx, notice, isPaidBeside ? await whoPayBeside(tx, notice.cause, userIds, now) : userIds, now)
    })
  },
}

/** Digests, and what quiet hours held back. */
export const noticeTasks = (database: Database): PeriodicTask[] => [
  { name: 'due notifications', seconds: 20, run: async (now) => void (await sendDue(database, now)) },
  {
    name: 'old notifications',
    seconds: 6 * 3600,
    run: async (now, signal) => {
      for (let some = 1; some > 0 && !signal?.aborted;) some = await forgetOldNotices(database, now)
    },
  },
]

/** Deletes notices past the number and the age of `mostKept`, some thousands at once. Answers how many. */
export const forgetOldNotices = (database: Database, now: Date): Promise<number> =>
  database.asSystem((tx) => deleteOldNotices(tx, new Date(now.getTime() - mostKept.noticeDays * 86_400_000)))

const notifyOfEvent = async (tx: Tx, projectId: string, seq: number, now: Date): Promise<void> => {
  const event = await eventToNotify(tx, projectId, seq)
  if (!event) throw new Error(`Project ${projectId} has no event ${seq} to tell of`)
  if (!event.is_undone) await withdrawEnded(tx, projectId, seq, endedBy(event.verb, event.status), now)
  await tellOfEvent(tx, projectId, seq, event, now)
  if (event.undone_seq === null) return
  const ended = await endedUnread(tx, projectId)
  const again = ended.filter((one) => isTrueAgain(one, one.later, one.later_statuses))
  await notifyAgain(
    tx,
    again.map(({ id }) => id),
    now,
  )
}

const tellOfEvent = async (tx: Tx, projectId: string, seq: number, event: NotifiedEvent, now: Date): Promise<void> => {
  const knows = event.undone_seq === null ? null : await withdrawn(tx, projectId, event.undone_seq, event.at, now)
  const tell = async (step: Step, message: Message, userIds: readonly string[]) => {
    const { kind, title, channels, tellsDoer } = message
    const unpaid = event.unpaid_until === null ? undefined : message.bodyUnpaid?.replace('{until}', event.unpaid_until)
    const body = unpaid ?? message.bodyIn?.[event.status] ?? message.body
    const notice = {
      kind,
      title,
      body: body.replaceAll('{title}', () => event.title),
      cta: { label: 'Open the project', url: `/panel/projects/${projectId}` },
      metadata: { projectId, seq, verb: event.verb, step },
      cause: step === 'turn' ? turnCause(projectId, seq) : stepCause(projectId, seq),
      about: projectId,
      channels,
    }
    const others = userIds.filter((id) => tellsDoer || id !== event.actor_id)
    await notify(tx, notice, others, now)
  }
  const turn = event.is_past ? undefined : turns[event.status]
  if (turn) {
    const found = hearers(event, turn)
    await tell('turn', turn, turn.to === 'reviewers' ? await approversOf(tx, projectId, found) : found)
  }
  if (event.is_undone) return
  // Its posts have told how they ended.
  if (event.is_posted) return
  const { undone_verb: undone, is_late: isLate } = event
  const said = undone === null ? messagesOf(event.verb) : messagesOf(undone, { isUndone: true, isLate })
  for (const { step, message } of said) {
    if (!isStillTrue(message, event.later, event.later_statuses)) continue
    await tell(
      step,
      message,
      hearers(event, message).filter((id) => step === 'late' || (knows?.(id) ?? true)),
    )
  }
}

/** Takes back what a step said; answers who needs to hear that it is true no more: all but those who never knew. */
const withdrawn = async (tx: Tx, projectId: string, seq: number, since: Date, now: Date) => {
  const said = await withdrawStep(tx, projectId, seq, since, now)
  const unaware = new Set(said.filter(({ is_known }) => !is_known).map(({ user_id }) => user_id))
  return (userId: string) => !unaware.has(userId)
}

const hearers = (event: NotifiedEvent, { to }: Message): string[] => {
  const former = event.former_editor_id === event.editor_id ? null : event.former_editor_id
  const found: Record<Listener, (string | null)[]> = {
    user: [event.user_id],
    editor: [event.editor_id],
    formerEditor: [former],
    reviewers: event.reviewer_ids,
    assigners: event.assigner_ids,
  }
  return found[to].filter((id) => id !== null)
}

/** Triggers: what is due fires, what fired is sent. */
export const triggerTasks = ({ database, log }: { database: Database; log: Log }): PeriodicTask[] => [
  { name: 'due triggers', seconds: 5, run: async (now) => void (await fireDue(database, now)) },
  {
    name: 'trigger runs',
    seconds: 5,
    run: async (now, signal) => {
      const ended = await workRuns(database, { now, signal, log })
      if (ended > 0) log.info({ ended }, 'triggers were sent')
    },
  },
]
