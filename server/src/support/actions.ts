import { refusal } from '@clear-to-post/contract/errors'
import { cutText } from '@clear-to-post/domain/cut-text'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Notice } from '@clear-to-post/domain/notice'
import { mayTake, sideOf, supportActsOf, type SupportAct, type SupportSide } from '@clear-to-post/domain/support'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { sendMail } from '../mail/actions.ts'
import { isVisible } from '../projects/actions.ts'
import {
  addMessage,
  addThread,
  askedLately,
  closeSomeLetter,
  countMessages,
  findHelper,
  findThread,
  giveThread,
  helpersFor,
  leaveThreads,
  lettersOfHour,
  lockLetters,
  lockThread,
  moveThread,
  saidLately,
  staffWereLast,
  waitingLetters,
  type ThreadRow,
} from './store.ts'

/** Asks something. Answers its id; throws `support.too-many`, `project.not-found`. */
export const ask = async (
  tx: Tx,
  caller: Caller,
  { subject, body, projectId }: { subject: string; body: string; projectId?: string | undefined },
  now: Date,
): Promise<string> => {
  if (projectId !== undefined && !(await isVisible(tx, caller, projectId))) throw refusal('project.not-found')
  if ((await askedLately(tx, caller.id, now)) >= mostKept.questionsPerDay)
    throw refusal('support.too-many', 'You asked 20 questions since yesterday. Go on in one of them.')
  const { tenantId } = caller
  const thread = {
    personId: caller.id,
    tenantId,
    guestEmail: null,
    fromNet: null,
    projectId: projectId ?? null,
    subject,
  }
  const id = await addThread(tx, thread, now)
  const row = { id, person_id: caller.id, tenant_id: tenantId }
  const message = await addMessage(tx, row, { authorId: caller.id, byStaff: false, kind: 'message', body }, now)
  await tellHelpers(tx, { ...row, assignee_id: null }, message, caller.id)
  return id
}

/**
 * Keeps a letter of the contact form as a question of somebody without an account; as the service. Where all places are
 * taken, one of the sender who takes most of them is closed unread, or `request.too-many` thrown when staff have all in hand.
 */
export const askByLetter = async (
  tx: Tx,
  { email, subject, body, fromNet }: { email: string | null; subject: string; body: string; fromNet: string },
  now: Date,
): Promise<void> => {
  await lockLetters(tx)
  if ((await waitingLetters(tx)) >= mostKept.waitingLetters && (await closeSomeLetter(tx, now)) === 0)
    throw refusal('request.too-many', 'Too many messages wait for us. Try again tomorrow.')
  await tellOfLetter(tx, now)
  const thread = { personId: null, tenantId: null, guestEmail: email, fromNet, projectId: null, subject }
  const row = { id: await addThread(tx, thread, now), person_id: null, tenant_id: null }
  await addMessage(tx, row, { authorId: null, byStaff: false, kind: 'message', body }, now)
}

/** Says more in a question: whoever asked waits again, staff answer. Throws as the contract says. */
export const reply = async (tx: Tx, caller: Caller, threadId: string, body: string, now: Date): Promise<void> => {
  const { thread, side } = await lockedThread(tx, caller, threadId)
  if (!actsOf(caller, thread).includes('reply'))
    throw refusal(side === 'staff' ? 'support.no-address' : 'support.left-company')
  await requireRoom(tx, caller, threadId, side, now)
  const byStaff = side === 'staff'
  const isNews = !byStaff && (await staffWereLast(tx, threadId))
  const id = await addMessage(tx, thread, { authorId: caller.id, byStaff, kind: 'message', body }, now)
  await moveThread(tx, caller, threadId, byStaff ? 'answered' : 'waiting', now)
  if (isNews) await tellHelpers(tx, thread, id, caller.id)
  if (!byStaff) return
  // Whoever answers what nobody has taken has taken it.
  if (thread.assignee_id === null) await giveThread(tx, caller, threadId, caller.id)
  await tellAsker(tx, thread, id, body)
}

/** Gives a question to an ADMIN who answers there, or to nobody. */
export const assign = async (
  tx: Tx,
  caller: Caller,
  threadId: string,
  assigneeId: string | null,
  now: Date,
): Promise<void> => {
  const { thread } = await actingOn(tx, caller, threadId, 'assign')
  if (assigneeId === thread.assignee_id) return
  if (assigneeId !== null) {
    const helper = await findHelper(tx, caller, assigneeId)
    if (!helper || !mayTake({ id: helper.id, role: helper.role, tenantId: helper.tenant_id }, factsOf(thread)))
      throw refusal('support.not-theirs')
  }
  await requireRoom(tx, caller, threadId, 'staff', now)
  await giveThread(tx, caller, threadId, assigneeId)
  const done = { authorId: caller.id, byStaff: true, kind: 'assigned' as const, aboutId: assigneeId }
  const id = await addMessage(tx, thread, done, now)
  if (assigneeId !== null && assigneeId !== caller.id)
    await enqueue(tx, 'notice', {
      notice: waits(threadId, id, 'A question was given to you', 'Read it and answer it in the panel.'),
      userIds: [assigneeId],
    })
}

/** Closes a question; `seen`: the last message that the caller has read, refused where somebody has written since. */
export const close = async (
  tx: Tx,
  caller: Caller,
  threadId: string,
  seen: string | undefined,
  now: Date,
): Promise<void> => {
  const { thread, side } = await actingOn(tx, caller, threadId, 'close')
  if (seen !== undefined && seen !== thread.last_message_id) throw refusal('support.said-more')
  await addMessage(tx, thread, { authorId: caller.id, byStaff: side === 'staff', kind: 'closed' }, now)
  await moveThread(tx, caller, threadId, 'closed', now)
}

/** Opens a question again: it waits for an answer. */
export const reopen = async (tx: Tx, caller: Caller, threadId: string, now: Date): Promise<void> => {
  const { thread, side } = await actingOn(tx, caller, threadId, 'reopen')
  await requireRoom(tx, caller, threadId, side, now)
  const isNews = side === 'asker' && (await staffWereLast(tx, threadId))
  const id = await addMessage(tx, thread, { authorId: caller.id, byStaff: side === 'staff', kind: 'reopened' }, now)
  await moveThread(tx, caller, threadId, 'waiting', now)
  if (isNews) await tellHelpers(tx, thread, id, caller.id)
}

/** Gives the questions of somebody who may answer them no more to nobody, and tells who answers of those that wait; as the service. */
export const leaveQuestionsOf = async (tx: Tx, helperId: string): Promise<void> => {
  const waiting = await leaveThreads(tx, helperId)
  for (const thread of waiting.slice(0, mostKept.leftWork))
    await tellHelpers(tx, { ...thread, assignee_id: null }, thread.last_message_id, thread.person_id)
}

export const actsOf = (caller: Caller, thread: ThreadRow): SupportAct[] => supportActsOf(caller, factsOf(thread))

const factsOf = ({ person_id, tenant_id, guest_email, state }: ThreadRow) => ({
  personId: person_id,
  tenantId: tenant_id,
  guestEmail: guest_email,
  state,
})

const lockedThread = async (
  tx: Tx,
  caller: Caller,
  threadId: string,
): Promise<{ thread: ThreadRow; side: SupportSide }> => {
  await lockThread(tx, caller, threadId)
  const thread = await findThread(tx, caller, threadId)
  const side = thread ? sideOf(caller, factsOf(thread)) : null
  if (!thread || side === null) throw refusal('support.not-found')
  return { thread, side }
}

const actingOn = async (tx: Tx, caller: Caller, threadId: string, act: SupportAct) => {
  const found = await lockedThread(tx, caller, threadId)
  if (!actsOf(caller, found.thread).includes(act)) throw refusal('support.wrong-state')
  return found
}

const requireRoom = async (tx: Tx, caller: Caller, threadId: string, side: SupportSide, now: Date): Promise<void> => {
  const byStaff = side === 'staff'
  const most = byStaff ? mostKept.staffMessages : mostKept.askerMessages
  if ((await countMessages(tx, threadId, byStaff)) >= most)
    throw refusal('support.too-many', `This question holds ${most} messages of yours. Close it and go on in a new one.`)
  if (!byStaff && (await saidLately(tx, caller.id, now)) >= mostKept.askerMessagesPerDay)
    throw refusal(
      'support.too-many',
      `You wrote ${mostKept.askerMessagesPerDay} messages since yesterday. Go on tomorrow.`,
    )
}

/** Notices of staff's carry no words of whoever asked: those are read in the panel and are erased there. */
const waits = (threadId: string, messageId: string, title: string, body: string): Notice => ({
  kind: 'support',
  title,
  body,
  cta: { label: 'Read and answer', url: `/panel/support/${threadId}` },
  metadata: { threadId },
  cause: `support:${messageId}`,
})

const tellHelpers = async (
  tx: Tx,
  thread: Pick<ThreadRow, 'id' | 'tenant_id' | 'assignee_id'>,
  messageId: string,
  askerId: string | null,
): Promise<void> => {
  const helpers = await asService(tx, () =>
    helpersFor(tx, { tenantId: thread.tenant_id, assigneeId: thread.assignee_id }),
  )
  const words = 'Somebody asked something, or wrote again. Read it and answer it in the panel.'
  const userIds = helpers.filter((id) => id !== askerId)
  if (userIds.length > 0)
    await enqueue(tx, 'notice', {
      notice: waits(thread.id, messageId, 'A question waits for an answer', words),
      userIds,
    })
}

/**
 * Before a letter is kept: tells the service's ADMINs at once where none came in this hour or the one before, else together
 * with all others when the hour is over. So they hear of letters once an hour, however many come.
 */
const tellOfLetter = async (tx: Tx, now: Date): Promise<void> => {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  const { now: inHour, isAnyBefore } = await lettersOfHour(tx, hour)
  const isFirst = inHour === 0 && !isAnyBefore
  if (!isFirst && inHour !== (isAnyBefore ? 0 : 1)) return
  const userIds = await helpersFor(tx, { tenantId: null, assigneeId: null })
  if (userIds.length === 0) return
  const notice: Notice = {
    kind: 'support',
    title: isFirst ? 'A message waits for an answer' : 'Messages came by the contact form',
    body: 'Somebody without an account wrote by the contact form. Your answer in the panel goes to them by e-mail.',
    cta: { label: 'Read and answer', url: '/panel/support' },
    metadata: {},
    cause: `letters:${hour.toISOString()}:${isFirst ? 'first' : 'rest'}`,
  }
  await enqueue(tx, 'notice', { notice, userIds }, isFirst ? {} : { startAfter: new Date(hour.getTime() + hourMs) })
}
const hourMs = 3_600_000

const tellAsker = async (tx: Tx, thread: ThreadRow, messageId: string, body: string): Promise<void> => {
  if (thread.person_id !== null) {
    const words = body.length > 1000 ? `${cutText(body, 999)}…` : body
    await enqueue(tx, 'notice', {
      notice: {
        kind: 'support',
        title: `Answered: ${thread.subject}`,
        body: words,
        cta: { label: 'Open your question', url: `/panel/support/${thread.id}` },
        metadata: { threadId: thread.id },
        cause: `support:${messageId}`,
      },
      userIds: [thread.person_id],
    })
    return
  }
  await asService(tx, () =>
    sendMail(tx, {
      key: `support:${messageId}`,
      to: thread.guest_email!,
      template: 'message',
      data: {
        title: `Our answer: ${thread.subject}`,
        body: `${body}\n\nA reply to this e-mail reaches nobody. To write again, use the form on our page.`,
        link: { label: 'Write to us', url: '/#contact' },
      },
    }),
  )
}
