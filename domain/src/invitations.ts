import { hasDuty, isServiceAdmin, type Actor, type PersonRole } from './roles.ts'

/** What an invitation by e-mail is bounded by. */
export const invitationRules = {
  /** Days for which a link is good. */
  days: 7,
  /** Lines of one request. */
  lines: 50,
  /** Invitations that a company has open, and that it makes within 24 hours; the service's own, too. */
  open: 200,
  perDay: 200,
  /** That one mailbox is sent within 24 hours, however its address is spelled: by all companies together, and for any one. */
  perMailbox: 5,
  perMailboxOfOne: 3,
  /** Mails of one invitation, and minutes between two of them. */
  mails: 5,
  minutesBetween: 10,
  /** Days for which one that has ended is still listed; then nothing is left of it. */
  keptDays: 90,
} as const

/** Whether somebody may invite to this company (null: the whole service): an ADMIN to their own, the service's to any. */
export const mayInviteTo = (actor: Pick<Actor, 'role' | 'tenantId'>, tenantId: string | null): boolean =>
  isServiceAdmin(actor) || (hasDuty(actor.role, 'administer') && actor.tenantId === tenantId)

/**
 * Whether somebody who has an account may take this invitation: an officer of no company or of this one, who gains by it.
 * Nobody leaves a company, and nobody loses a role, by following a link: an ADMIN does that under People.
 */
export const mayAccept = (
  person: Pick<Actor, 'role' | 'tenantId'>,
  invitation: { role: PersonRole; tenantId: string | null },
): boolean => hasDuty(person.role, 'film') && (person.tenantId === null || person.tenantId === invitation.tenantId)
