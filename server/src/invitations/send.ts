import { randomUUID } from 'node:crypto'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { invitations } from '@clear-to-post/contract/invitations'
import { Email } from '@clear-to-post/contract/accounts'
import { invitationRules, mayAccept, mayInviteTo } from '@clear-to-post/domain/invitations'
import { hasDuty } from '@clear-to-post/domain/roles'
import { hashOfToken, linkToken } from '../identity/actions.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { sendMail } from '../mail/actions.ts'
import { tellAdmins } from '../accounts/actions.ts'
import { seatsOf } from '../tenants/actions.ts'
import {
  addInvitation,
  countsOf,
  dropOver,
  findInvitation,
  lockInvitation,
  lockInviting,
  lockMailboxes,
  mailsTo,
  personOf,
  renew,
  withdrawRow,
  type InvitationRow,
} from './store.ts'

const day = 86_400_000

/**
 * Invites each address of `lines`, and says of each line that was not sent why. An address that the caller may not see is
 * invited whether or not it has an account. Throws `tenant.none` for a company that is not theirs to invite to, and
 * `invitation.too-many` when nothing more goes today.
 */
export const sendInvitations = async (
  tx: Tx,
  caller: Caller,
  { role, tenantId, lines }: CallRequest<typeof invitations.send>['body'],
  now: Date,
): Promise<{ sent: number; lines: { line: string; error: string | null }[] }> => {
  if (!mayInviteTo(caller, tenantId)) throw refusal('tenant.none')
  // Whoever was shut out while they waited invites nobody.
  await holdSession(tx, caller)
  await lockInviting(tx, tenantId)
  await lockMailboxes(
    tx,
    lines.flatMap((line) => addressIn(line) ?? []),
  )
  const isForOfficers = hasDuty(role, 'film')
  const seats = tenantId === null ? null : await asService(tx, () => seatsOf(tx, tenantId))
  const counted = await countsOf(tx, caller, tenantId, new Date(now.getTime() - day))
  let mailsLeft = Math.min(invitationRules.open - counted.open, invitationRules.perDay - counted.made)
  if (mailsLeft <= 0) throw refusal('invitation.too-many')
  let seatsLeft = isForOfficers && seats !== null ? seats - counted.officers : Infinity
  const seen = new Set<string>()
  const answered: { line: string; error: string | null }[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    const email = addressIn(line)
    const invite = async (): Promise<string | null> => {
      if (email === null) return words.noAddress
      if (seen.has(email)) return words.twice
      seen.add(email)
      const there = await personOf(tx, caller, email)
      if (there) {
        const hasPlace = there.role === role && there.tenant_id === tenantId
        const mayMove = mayAccept({ role: there.role, tenantId: there.tenant_id }, { role, tenantId })
        if (hasPlace || !mayMove) return words.isThere
      }
      if (mailsLeft <= 0) return words.tooMany
      if (seatsLeft <= 0) return words.noSeat
      if (await isMailedOften(tx, email, tenantId, now)) return words.mailedOften
      await asService(tx, () => dropOver(tx, caller, email, tenantId, now))
      const link = await newLink(tx)
      const endsAt = new Date(now.getTime() + invitationRules.days * day)
      if (!(await addInvitation(tx, { email, role, tenantId, invitedBy: caller.id, ...link, now, endsAt })))
        return words.waits
      await mailLink(tx, email, link.mailId, endsAt)
      mailsLeft -= 1
      seatsLeft -= 1
      return null
    }
    answered.push({ line, error: await invite() })
  }
  const sent = answered.filter(({ error }) => error === null).length
  if (sent > 0) await tellOfInvited(tx, caller, { role, tenantId })
  return { sent, lines: answered }
}

const words = {
  noAddress: 'This is no e-mail address. Write one on each line.',
  twice: 'This address stands above already.',
  isThere: 'This person has a place already. Change it under People.',
  tooMany: 'Too many invitations for today. Go on tomorrow.',
  noSeat: 'No seat is left, with those who are invited already.',
  // The same whoever wrote there: nobody learns that another company did.
  mailedOften: 'No more mails go to this address today. Try again tomorrow.',
  waits: 'This address is invited already. Send it again from the list.',
}

/**
 * Sends an invitation once more, in the caller's name, who vouches for it from now on; the link before is no good any more.
 * Throws `invitation.not-found`, `invitation.settled`, `invitation.too-many`.
 */
export const sendAgain = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<InvitationRow> => {
  await holdSession(tx, caller)
  const { email } = (await findInvitation(tx, caller, id)) ?? refuseUnknown()
  await lockMailboxes(tx, [email])
  const row = await lockUnsettled(tx, caller, id)
  if (row.sent_times >= invitationRules.mails)
    throw refusal('invitation.too-many', 'It was sent five times. Take it back, and ask them for the right address.')
  if (now.getTime() - row.sent_at.getTime() < invitationRules.minutesBetween * 60_000)
    throw refusal('invitation.too-many', 'It was sent a moment ago. Try again in ten minutes.')
  if (await isMailedOften(tx, row.email, row.tenant_id, now)) throw refusal('invitation.too-many', words.mailedOften)
  const link = await newLink(tx)
  const endsAt = new Date(now.getTime() + invitationRules.days * day)
  await renew(tx, id, { invitedBy: caller.id, ...link, now, endsAt })
  await mailLink(tx, row.email, link.mailId, endsAt)
  const sent = (await findInvitation(tx, caller, id))!
  await tellOfInvited(tx, caller, { role: sent.role, tenantId: sent.tenant_id })
  return sent
}

/** Takes an invitation back. Throws `invitation.not-found`, `invitation.settled`. */
export const withdrawInvitation = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<InvitationRow> => {
  await lockUnsettled(tx, caller, id)
  await asService(tx, () => withdrawRow(tx, id, now))
  return (await findInvitation(tx, caller, id))!
}

/** All ADMINs hear that one of them would have one more. Whom is in the list: a mail that names them would outlive their account. */
const tellOfInvited = async (
  tx: Tx,
  { id }: Caller,
  { role, tenantId }: Pick<CallRequest<typeof invitations.send>['body'], 'role' | 'tenantId'>,
): Promise<void> => {
  if (!hasDuty(role, 'administer')) return
  await tellAdmins(tx, tenantId, {
    kind: 'admin-invited',
    by: id,
    title: 'Somebody is invited to be an admin',
    happened: (company) => `An invitation to be an admin of ${company} was sent; the list of invitations says to whom.`,
    wayBack: 'Take the invitation back under People',
  })
}

const addressIn = (line: string): string | null => Email.safeParse(line.trim()).data ?? null

/** Lock the mailbox before: what is counted here is sent afterwards. */
const isMailedOften = async (tx: Tx, email: string, tenantId: string | null, now: Date): Promise<boolean> => {
  const mails = await asService(tx, () => mailsTo(tx, email, tenantId, new Date(now.getTime() - day)))
  return mails.all >= invitationRules.perMailbox || mails.ours >= invitationRules.perMailboxOfOne
}

const lockUnsettled = async (tx: Tx, caller: Caller, id: string) => {
  const row = await lockInvitation(tx, caller, id)
  if (!row) return refuseUnknown()
  if (row.accepted_at !== null || row.withdrawn_at !== null) throw refusal('invitation.settled')
  return row
}

const refuseUnknown = (): never => {
  throw refusal('invitation.not-found')
}

/** The token of a mail's link: made anew from its id when the mail goes out, so that no queue holds it. As the service. */
export const tokenOfMail = (tx: Tx, mailId: string): Promise<string> => linkToken(tx, `invitation ${mailId}`)

const newLink = async (tx: Tx): Promise<{ mailId: string; hash: Buffer }> => {
  const mailId = randomUUID()
  return { mailId, hash: hashOfToken(await asService(tx, () => tokenOfMail(tx, mailId))) }
}

const mailLink = (tx: Tx, to: string, mailId: string, uselessAt: Date): Promise<void> =>
  sendMail(tx, { key: `invitation:${mailId}`, to, template: 'invitation', data: { mailId }, uselessAt })
