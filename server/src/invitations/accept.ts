import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { invitations, ReadInvitation } from '@clear-to-post/contract/invitations'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import { mayAccept } from '@clear-to-post/domain/invitations'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { hasDuty } from '@clear-to-post/domain/roles'
import {
  accountOf,
  awaitCallsOf,
  lockPerson,
  openInvitedAccount,
  placeInvited,
  requireStrong,
} from '../accounts/actions.ts'
import { hashOfToken, hashPassword, issueCustomToken, passwordWasChosen } from '../identity/actions.ts'
import { systemCaller, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { goodByHash, goodByMail, holdInviter, redeemInvitation, type GoodInvitation } from './store.ts'
import { tokenOfMail } from './send.ts'

/** What a link leads to, for whoever has it: they read the mailbox. Throws `invitation.ended`. */
export const readInvitationOf = (database: Database, token: string): Promise<ReadInvitation> =>
  database.asSystem(async (tx) => {
    const found = await goodOf(tx, token)
    const account = await accountOf(tx, found.email)
    return {
      email: found.email,
      role: found.role,
      tenantName: found.tenant_name,
      invitedBy: found.inviter,
      endsAt: found.ends_at.toISOString(),
      way: account === 'confirmed' ? 'sign-in' : 'open-account',
      replaces: account === 'unconfirmed',
    }
  })

/**
 * Opens the account that an invitation is for; answers a custom token. The link shows that the address is theirs. Where
 * somebody has opened an account of this address and never confirmed it, it becomes theirs, without what was put there.
 * Throws `invitation.ended`, `invitation.sign-in` for an address with an account, `account.weak-password`, `tenant.full`.
 */
export const openByInvitation = async (
  database: Database,
  policy: PasswordPolicy,
  {
    token,
    name,
    password,
    passwordConfirmation,
    timezone,
    network,
  }: CallRequest<typeof invitations.open>['body'] & { network: string },
  now: Date,
): Promise<string> => {
  const { role, email } = await database.asSystem((tx) => goodOf(tx, token))
  requireStrong(password, role, { email, name, policy })
  if (password !== passwordConfirmation)
    throw refusal('request.invalid', 'The two passwords are not the same.', [
      { path: 'body.passwordConfirmation', message: 'This must be the same as the password.' },
    ])
  // No connection is held while a core hashes.
  const hash = await hashPassword(password)
  return database.asSystem(async (tx) => {
    const found = await goodOf(tx, token)
    // Sent again with another role meanwhile: the password was weighed for the first.
    if (found.role !== role) throw refusal('invitation.ended')
    await requireInviter(tx, found)
    const personId = await openInvitedAccount(
      tx,
      {
        email: found.email,
        name,
        role: found.role,
        tenantId: found.tenant_id,
        by: found.invited_by,
        timeZone: timezone !== undefined && isTimeZone(timezone) ? timezone : null,
        hash,
      },
      now,
    )
    await passwordWasChosen(tx, { id: personId, email: found.email }, network)
    await redeem(tx, token, personId, now)
    return issueCustomToken(tx, personId)
  })
}

/**
 * Takes an invitation with the account that the caller has. Throws `invitation.ended`, `invitation.other-person` where it was
 * sent to another address, `invitation.has-place`, `tenant.full`. Answers whether they choose a new password now.
 */
export const acceptInvitation = (
  database: Database,
  caller: Caller,
  token: string,
  now: Date,
): Promise<{ mustChoosePassword: boolean }> =>
  database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      await awaitCallsOf(tx, caller.id)
      await holdSession(tx, caller)
      const found = await goodOf(tx, token)
      await requireInviter(tx, found)
      const person = (await lockPerson(tx, systemCaller, caller.id))!
      if (person.email !== found.email) throw refusal('invitation.other-person')
      if (
        !mayAccept({ role: person.role, tenantId: person.tenant_id }, { role: found.role, tenantId: found.tenant_id })
      )
        throw refusal('invitation.has-place')
      await placeInvited(tx, person, { role: found.role, tenantId: found.tenant_id, by: found.invited_by }, now)
      await redeem(tx, token, person.id, now)
      return { mustChoosePassword: hasDuty(found.role, 'serve') }
    }),
  )

/** What the mail of an invitation says; null when it is of no use any more. As the service. */
export const invitationToSend = async (tx: Tx, mailId: string) => {
  const found = await goodByMail(tx, mailId)
  return (
    (found && {
      token: await tokenOfMail(tx, mailId),
      role: found.role,
      company: found.tenant_name,
      inviter: found.inviter,
      endsAt: found.ends_at,
    }) ??
    null
  )
}

const goodOf = async (tx: Tx, token: string): Promise<GoodInvitation> => {
  const found = await goodByHash(tx, hashOfToken(token))
  if (!found) throw refusal('invitation.ended')
  return found
}

// Whoever was shut out meanwhile vouches for nobody. Held before the invited person and the company's seats, as an ADMIN's
// own calls hold them: the other way round the two would wait for each other.
const requireInviter = async (tx: Tx, { id }: GoodInvitation): Promise<void> => {
  if (!(await holdInviter(tx, id))) throw refusal('invitation.ended')
}

// After the persons, as everywhere.
const redeem = async (tx: Tx, token: string, personId: string, now: Date): Promise<void> => {
  if ((await redeemInvitation(tx, hashOfToken(token), personId, now)) === 0) throw refusal('invitation.ended')
}
