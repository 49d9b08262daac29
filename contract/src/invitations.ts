import { z } from 'zod'
import { invitationRules } from '@clear-to-post/domain/invitations'
import { personRoles } from '@clear-to-post/domain/roles'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible } from './visible.ts'

const Role = z.enum(personRoles)
const Moment = z.iso.datetime()

/** Somebody who is invited by e-mail. */
export const SentInvitation = z.object({
  id: z.uuid(),
  email: z.string(),
  role: Role,
  tenantId: z.uuid().nullable(),
  tenantName: z.string().nullable(),
  invitedBy: z.string(),
  sentAt: Moment,
  sentTimes: z.number().int(),
  endsAt: Moment,
  /** `void`: whoever sent it could not send it today. */
  state: z.enum(['open', 'over', 'void', 'accepted', 'withdrawn']),
  /** What may be done about it now. */
  actions: z.array(z.enum(['send', 'withdraw'])),
})
export type SentInvitation = z.infer<typeof SentInvitation>

/** What became of one line: `error` says why nobody was invited by it. */
const Line = z.object({ line: z.string(), error: z.string().nullable() })

/** 256 bits, in the letters of a link. */
const Token = z.string().min(1).max(200)

/**
 * What whoever has the link is shown. `way`: what the address needs to do. `replaces`: somebody opened an account of this
 * address and never confirmed it; the link takes it over, and what was put there goes.
 */
export const ReadInvitation = z.object({
  email: z.string(),
  role: Role,
  tenantName: z.string().nullable(),
  invitedBy: z.string(),
  endsAt: Moment,
  way: z.enum(['open-account', 'sign-in']),
  replaces: z.boolean(),
})
export type ReadInvitation = z.infer<typeof ReadInvitation>

const body = z.strictObject({ token: Token })
const one = z.object({ invitationId: z.uuid() })

export const invitations = {
  send: call({
    method: 'POST',
    path: '/invitations/send/',
    summary: 'Invite people by e-mail, one address a line; each line that did not go says why',
    access: 'user.invite',
    needsFreshSignIn: true,
    body: z.strictObject({
      role: Role,
      /** Null: for the whole service. */
      tenantId: z.uuid().nullable(),
      lines: z.array(z.string().max(300)).min(1).max(invitationRules.lines),
    }),
    returns: z.object({ sent: z.number().int(), lines: z.array(Line).max(invitationRules.lines) }),
    creates: true,
    refuses: ['tenant.none', 'invitation.too-many'],
  }),
  list: call({
    method: 'GET',
    path: '/invitations/list/',
    summary: 'Whom I invited, and whom my colleagues did',
    access: 'user.invite',
    query: PageQuery,
    page: {
      filters: { email: 'text', role: 'text', tenantId: 'uuid', isOpen: 'boolean', createdAt: 'time' },
      orders: ['createdAt', 'email'],
      defaultOrder: 'createdAt:desc',
    },
    returns: pageOf(SentInvitation),
    refuses: [],
  }),
  sendAgain: call({
    method: 'POST',
    path: '/invitations/:invitationId/send/',
    summary: 'Send an invitation again, in my name; the link before is no good any more',
    access: 'user.invite',
    needsFreshSignIn: true,
    params: one,
    returns: SentInvitation,
    refuses: ['invitation.not-found', 'invitation.settled', 'invitation.too-many'],
  }),
  withdraw: call({
    method: 'POST',
    path: '/invitations/:invitationId/withdraw/',
    summary: 'Take an invitation back; its link is no good any more',
    access: 'user.invite',
    params: one,
    returns: SentInvitation,
    refuses: ['invitation.not-found', 'invitation.settled'],
  }),
  read: call({
    method: 'POST',
    path: '/invitations/public/read/',
    summary: 'What the link of an invitation leads to',
    access: 'anyone',
    body,
    returns: ReadInvitation,
    unrecorded: true,
    perMinute: 30,
    refuses: ['invitation.ended', 'request.too-many'],
  }),
  open: call({
    method: 'POST',
    path: '/invitations/public/open/',
    summary: 'Open the account that an invitation is for; answers a custom token to sign in with',
    access: 'anyone',
    body: z.strictObject({
      token: Token,
      name: visible(120),
      password: z.string().min(1).max(256),
      passwordConfirmation: z.string().min(1).max(256),
      timezone: z.string().max(64).optional(),
    }),
    returns: z.object({ token: z.string() }),
    creates: true,
    unrecorded: true,
    perMinute: 30,
    refuses: [
      'invitation.ended',
      'invitation.sign-in',
      'account.weak-password',
      'account.email-taken',
      'tenant.full',
      'tenant.not-found',
      'request.too-many',
    ],
  }),
  accept: call({
    method: 'POST',
    path: '/invitations/accept/',
    summary: 'Take an invitation with the account that I have; who becomes staff chooses a new password',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body,
    returns: z.object({ mustChoosePassword: z.boolean() }),
    unrecorded: true,
    perMinute: 30,
    refuses: [
      'invitation.ended',
      'invitation.other-person',
      'invitation.has-place',
      'tenant.full',
      'tenant.not-found',
      'session.ended',
      'request.too-many',
    ],
  }),
}
