import type { CodeLimits } from '../kernel/config.ts'
import type { CallRequest } from '@clear-to-post/contract/call'
import type { accounts, OtherWay, TakenAway } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { systemCaller, type Caller, type Database, type Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import {
  codeMinutes,
  dropPendingTokens,
  dropUnprovenWays,
  endSessions,
  hashPassword,
  issueCode,
  passwordWasChosen,
  rememberPlace,
  verifyCode,
  redeemCode,
  setPassword,
} from '../identity/actions.ts'
import { sendMail } from '../mail/actions.ts'
import {
  activeByEmail,
  isTaken,
  lockPerson,
  personById,
  saveEmail,
  verifyAddress,
  withdrawInvitations,
  type PersonRow,
} from './store.ts'

import { dropUnconfirmed, takeSeat } from './unconfirmed.ts'
import { requireStrong } from './strong.ts'
import { networkOf } from '../kernel/network.ts'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { newcomer } from '@clear-to-post/domain/roles'

/**
 * Sends a code to an address, whoever's it is: one that is nobody's yet may become somebody's new one. The work and the
 * answer are the same either way. Throws `request.too-many` past a limit: the address's, the network's, or everybody's.
 */
export const sendCode = async (database: Database, asked: CodeAsked): Promise<void> => {
  const issued = await database.asSystem((tx) => queueCode(tx, asked))
  // Thrown after the commit: the try counts.
  if ('refused' in issued) throw refusal('request.too-many', tooMany[issued.refused])
}

/** Who asks for a code, for which address. */
export type CodeAsked = {
  email: string
  /** The address that asks. */
  ip: string
  /** Who asks, when they are signed in. */
  callerId: string | null
  limits: CodeLimits
  now: Date
  log: { error: (about: object, words: string) => void }
}

/** The same within a transaction of the service's; past a limit nothing is sent. */
export const queueCode = async (tx: Tx, { email, ip, callerId, limits, now, log }: CodeAsked) => {
  const issued = await issueCode(tx, { email, ip, callerId, limits })
  if ('id' in issued && issued.isMailed)
    await sendMail(tx, {
      key: `code:${issued.id}`,
      to: email,
      template: 'code',
      data: { codeId: issued.id },
      uselessAt: new Date(now.getTime() + codeMinutes * 60_000),
    })
  if ('refused' in issued ? issued.refused === 'everybody' : issued.isScarce)
    log.error(
      { network: networkOf(ip), limit: limits.everybody },
      'codes are scarce this hour, and only confirmed addresses are sent some: somebody asks for too many',
    )
  return issued
}

const tooMany = {
  address: 'Too many codes were sent to this address. Wait an hour and try again.',
  network: 'Too many codes were asked for from your network. Wait an hour and try again.',
  everybody: 'Too many codes are being asked for right now. We have been told; try again in an hour.',
}

/** The network that a code comes from (kernel/network.ts). */
type Guesser = { network: string }

/**
 * Shows that the caller's address is theirs; repeated, it changes nothing. Throws `account.wrong-code`, `request.too-many`,
 * `session.ended`, and `account.no-seat` when it is confirmed and their company has no seat left: they are without one then.
 */
export const verifyEmail = async (
  database: Database,
  caller: Caller,
  { code, network, now }: { code: string; now: Date } & Guesser,
): Promise<void> => {
  const refused = await database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      await holdSession(tx, caller)
      const person = (await personById(tx, caller.id))!
      if (person.email_verified_at !== null) return null
      const right = await verifyCode(tx, { email: person.email, code, network }, 'password')
      if (right?.personId !== person.id || !(await redeemCode(tx, right))) return 'account.wrong-code'
      const isSeated = await takeSeat(tx, (await lockPerson(tx, systemCaller, person.id))!, now)
      await verifyAddress(tx, person.id)
      await rememberPlace(tx, person.id, network)
      return isSeated ? null : 'account.no-seat'
    }),
  )
  // Thrown after the commit: a wrong guess counts, and a confirmed address stays so.
  if (refused) throw refusal(refused)
}

/** Is this the code of this address? Without `keepCode` it is used up by the question. Throws `request.too-many`. */
export const validateCode = (
  database: Database,
  { email, code, keepCode, network }: CallRequest<typeof accounts.validateCode>['query'] & Guesser,
): Promise<boolean> =>
  database.asSystem(async (tx) => {
    const right = await verifyCode(tx, { email, code, network }, 'any')
    return right !== null && (keepCode || (await redeemCode(tx, right)))
  })

/**
 * Sets a new password with a code, ends every session of that person and the link of their calendar, and takes away what signs
 * in besides and was there before the address was verified; of an account that never was, its company, profile and files, too.
 * Answers what that was, and what stays. Throws `account.wrong-code`, `request.too-many`, and `account.weak-password`: what staff need in addition
 * is told only to who has the code.
 */
export const changePassword = async (
  database: Database,
  policy: PasswordPolicy,
  {
    email,
    pass,
    passConfirm,
    code,
    network,
    now,
  }: CallRequest<typeof accounts.changePassword>['body'] & Guesser & { now: Date },
): Promise<{ kept: OtherWay[]; removed: TakenAway[] }> => {
  requireStrong(pass, newcomer, { email, name: '', policy }, 'pass')
  if (pass !== passConfirm)
    throw refusal('request.invalid', 'The two passwords are not the same.', [
      { path: 'body.passConfirm', message: 'This must be the same as the password.' },
    ])
  const { right, person } = await database.asSystem(async (tx) => ({
    right: await verifyCode(tx, { email, code, network }, 'password'),
    person: await activeByEmail(tx, email),
  }))
  if (!right || person?.id !== right.personId) throw refusal('account.wrong-code')
  requireStrong(pass, person.role, { email, name: person.name, policy }, 'pass')
  // No connection is held while a core hashes.
  const hash = await hashPassword(pass)
  return database.asSystem(async (tx) => {
    // The person before the code, as everywhere (decision 348).
    const before = (await lockPerson(tx, systemCaller, person.id))!
    if (!(await redeemCode(tx, right))) throw refusal('account.wrong-code')
    await setPassword(tx, person.id, hash)
    const { hadCalendarLink } = await endSessions(tx, person.id, 'password')
    const { kept, removed: ways } = await dropUnprovenWays(tx, person.id)
    const removed = [...ways, ...(await dropUnconfirmed(tx, before, now))]
    await verifyAddress(tx, person.id)
    await passwordWasChosen(tx, { id: person.id, email }, network)
    const names = (ways: readonly TakenAway[]) => ways.map(({ name }) => name)
    await sendMail(tx, {
      key: `password:${right.id}`,
      to: email,
      template: 'passwordChanged',
      data: {
        kept: names(kept),
        removed: names(removed),
        hadLink: hadCalendarLink,
        hadCompany: removed.some(({ kind }) => kind === 'company'),
      },
    })
    return { kept, removed: hadCalendarLink ? [...removed, calendarLink] : removed }
  })
}

const calendarLink: OtherWay = { kind: 'calendar', name: 'The link of your calendar' }

/**
 * Moves the caller's account to a new address with the code that was sent there; the old one is told. Sessions stay, codes
 * and tokens on their way end. Repeated, it answers the same. Throws `account.email-taken`, `account.wrong-code`, `request.too-many`,
 * `session.ended`, and
 * `account.no-seat` when it is moved and their company has no seat left, as `verifyEmail`.
 */
export const changeEmail = async (
  database: Database,
  caller: Caller,
  asked: CallRequest<typeof accounts.changeEmail>['body'] & Guesser & { now: Date },
): Promise<PersonRow> => {
  const changed = await database
    .inTenant(caller, (tx) =>
      asService(tx, async () => {
        await holdSession(tx, caller)
        return moveTo(tx, caller.id, asked)
      }),
    )
    .catch((error: { code?: string }) => {
      throw error.code === uniqueViolation ? refusal('account.email-taken') : error
    })
  // Thrown after the commit: a wrong guess counts.
  if (!changed) throw refusal('account.wrong-code')
  if (!changed.isSeated) throw refusal('account.no-seat')
  return changed.after
}

const uniqueViolation = '23505'

const moveTo = async (
  tx: Tx,
  personId: string,
  { email, code, network, now }: { email: string; code: string; now: Date } & Guesser,
): Promise<{ after: PersonRow; isSeated: boolean } | null> => {
  const before = (await personById(tx, personId))!
  if (before.email === email) return { after: before, isSeated: true }
  if (await isTaken(tx, email)) throw refusal('account.email-taken')
  const right = await verifyCode(tx, { email, code, network }, 'address')
  if (!right || !(await redeemCode(tx, right))) return null
  const locked = (await lockPerson(tx, systemCaller, personId))!
  const isSeated = await takeSeat(tx, locked, now)
  // What waits for an address that was never shown to be theirs waits for its owner; another spelling of it is theirs as before.
  if (locked.email_verified_at !== null && canonicalMailbox(locked.email) !== canonicalMailbox(email))
    await withdrawInvitations(tx, { email: locked.email, to: 'all' }, now)
  const after = (await saveEmail(tx, personId, email))!
  await dropPendingTokens(tx, personId)
  await sendMail(tx, {
    key: `address:${right.id}`,
    to: before.email,
    template: 'addressChanged',
    data: { newAddress: email },
  })
  return { after, isSeated }
}
