import { z } from 'zod'
import { supportActs, supportStates } from '@clear-to-post/domain/support'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { ProjectId } from './projects.ts'
import { visible, visibleText } from './visible.ts'

const Moment = z.iso.datetime()
const Named = z.object({ id: z.uuid(), name: z.string() })

/** A question to the people who run the company or the service. */
export const SupportThread = z.object({
  id: z.uuid(),
  subject: z.string(),
  /** `waiting`: for an answer. */
  state: z.enum(supportStates),
  /** Since when it waits, or when it was answered or closed. */
  since: Moment,
  createdAt: Moment,
  /** Who asked; absent for somebody without an account. */
  person: Named.optional(),
  /** Where somebody without an account is answered, by mail alone; nobody has shown that it is theirs. */
  guestEmail: z.string().optional(),
  tenant: Named.optional(),
  /** The video that it is about. */
  project: z.object({ id: ProjectId, title: z.string() }).optional(),
  /** Who of staff has taken it; to staff. */
  assignee: Named.optional(),
  /** Somebody of the service has taken it; to staff of a company, who are not told the name. */
  isWithService: z.boolean().optional(),
  /** How the last message begins. */
  lastWords: z.string(),
  /** That message: send it back when you close the question, to be refused where somebody has written since. */
  lastMessageId: z.uuid().optional(),
  /** What I may do with it now. */
  actions: z.array(z.enum(supportActs)).max(supportActs.length),
})
export type SupportThread = z.infer<typeof SupportThread>

/** Something said or done in it. */
export const SupportMessage = z.object({
  id: z.uuid(),
  kind: z.enum(['message', 'assigned', 'closed', 'reopened']),
  /** Empty where nothing was said. */
  body: z.string(),
  at: Moment,
  isByStaff: z.boolean(),
  isMine: z.boolean(),
  /** Absent: somebody without an account, or whose name is not told. `Clear to Post`: the service, to staff of a company. */
  author: z.string().optional(),
  /** Of `assigned`: whether anybody has it from here on. */
  isTaken: z.boolean().optional(),
  /** To whom it was given, as `author`. */
  about: z.string().optional(),
})
export type SupportMessage = z.infer<typeof SupportMessage>

/** A question with all that was said in it. */
export const SupportConversation = SupportThread.extend({ messages: z.array(SupportMessage) })
export type SupportConversation = z.infer<typeof SupportConversation>
const one = z.object({ threadId: z.uuid() })
const Body = visibleText(10_000)

export const support = {
  mine: call({
    method: 'GET',
    path: '/support/mine/',
    summary: 'The questions that I have asked, those that wait first',
    access: 'support.ask',
    query: PageQuery,
    page: { filters: { state: 'text' }, orders: ['place'], defaultOrder: 'place:asc' },
    returns: pageOf(SupportThread),
    refuses: [],
  }),
  list: call({
    method: 'GET',
    path: '/support/list/',
    summary: 'The questions within my reach, those that wait for an answer first, the oldest of them first',
    access: 'support.answer',
    query: PageQuery,
    page: {
      filters: { state: 'text', assigneeId: 'uuid', personId: 'uuid', words: 'search' },
      orders: ['place'],
      defaultOrder: 'place:asc',
    },
    returns: pageOf(SupportThread),
    refuses: [],
  }),
  find: call({
    method: 'GET',
    path: '/support/:threadId/find/',
    summary: 'One question with all that was said',
    access: 'support.ask',
    params: one,
    returns: SupportConversation,
    refuses: ['support.not-found'],
  }),
  ask: call({
    method: 'POST',
    path: '/support/create/',
    summary: 'Ask something, also about a video of mine',
    access: 'support.ask',
    body: z.strictObject({ subject: visible(200), body: Body, projectId: ProjectId.optional() }),
    // Who asks is told the answer by e-mail, and those who answer are told of the question.
    needsVerifiedAddress: true,
    creates: true,
    returns: SupportConversation,
    refuses: ['support.too-many', 'project.not-found'],
  }),
  reply: call({
    method: 'POST',
    path: '/support/:threadId/reply/',
    summary: 'Say more in a question of mine, or answer one; somebody without an account gets it by mail',
    access: 'support.ask',
    params: one,
    body: z.strictObject({ body: Body }),
    returns: SupportConversation,
    refuses: ['support.not-found', 'support.no-address', 'support.left-company', 'support.too-many'],
  }),
  assign: call({
    method: 'PUT',
    path: '/support/:threadId/assign/',
    summary: 'Give a question to an administrator who answers there, or to nobody',
    access: 'support.answer',
    params: one,
    body: z.strictObject({ assigneeId: z.uuid().nullable() }),
    returns: SupportConversation,
    refuses: ['support.not-found', 'support.wrong-state', 'support.not-theirs', 'support.too-many'],
  }),
  close: call({
    method: 'POST',
    path: '/support/:threadId/close/',
    summary: 'Close a question that needs no more answer',
    access: 'support.ask',
    params: one,
    /** `lastMessageId`: the last that was seen. */
    body: z.strictObject({ lastMessageId: z.uuid().optional() }).optional(),
    returns: SupportConversation,
    refuses: ['support.not-found', 'support.wrong-state', 'support.said-more'],
  }),
  reopen: call({
    method: 'POST',
    path: '/support/:threadId/reopen/',
    summary: 'Open a closed question again: it waits for an answer',
    access: 'support.ask',
    params: one,
    returns: SupportConversation,
    refuses: ['support.not-found', 'support.wrong-state', 'support.too-many'],
  }),
}
