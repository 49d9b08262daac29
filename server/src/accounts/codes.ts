import type { CodeLimits } from '../kernel/config.ts'
import type { CallRequest } from '@clear-to-post/contract/call'
import type { accounts, OtherWay } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import {
  codeMinutes,
  dropPendingTokens,
  dropUnprovenWays,
  endSessions,
  forgetWrongTries,
  hashPassword,
  issueCode,
  verifyCode,
  redeemCode,
  setPassword,
} from '../identity/actions.ts'
import { sendMail } from '../mail/actions.ts'
import { activeByEmail, isTaken, personById, saveEmail, verifyAddress, type PersonRow } from './store.ts'
import { requireStrong } from './strong.ts'
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
  /** The asking address's network (kernel/network.ts). */
  network: string
  limits: CodeLimits
  now: Date
  log: { error: (about: object, words: string) => void }
}

/** The same within a transaction of the service's; past a limit nothing is sent. */
export const queueCode = async (tx: Tx, { email, network, limits, now, log }: CodeAsked) => {
  const issued = await issueCode(tx, { email, network, limits })
  if ('id' in issued)
    await sendMail(tx, {
      key: `code:${issued.id}`,
      to: email,
      template: 'code',
      data: { codeId: issued.id },
      uselessAt: new Date(now.getTime() + codeMinutes * 60_000),
    })
  else if (issued.refused === 'everybody')
    log.error({ network, limit: limits.everybody }, 'no more codes are sent this hour: somebody asks for too many')
  return issued
}

const tooMany = {
  address: 'Too many codes were sent to this address. Wait an hour and try again.',
  network: 'Too many codes were asked for from your network. Wait an hour and try again.',
  everybody: 'Too many codes are being asked for right now. We have been told; try again in an hour.',
}

/** The network that a code comes from (kernel/network.ts). */
type Guesser = { network: string }

/** Shows that the caller's address is theirs; repeated, it changes nothing. Throws `account.wrong-code`. */
export const verifyEmail = async (
  database: Database,
  caller: Caller,
  { code, network }: { code: string } & Guesser,
): Promise<void> => {
  const isRight = await database.inTenant(caller, (tx) =>
    asService(tx, async () => {
      const person = (await personById(tx, caller.id))!
      if (person.email_verified_at !== null) return true
      const right = await verifyCode(tx, { email: person.email, code, network }, 'password')
      if (right?.personId !== person.id || !(await redeemCode(tx, right))) return false
      await verifyAddress(tx, person.id)
      return true
    }),
  )
  // Thrown after the commit: a wrong guess counts.
  if (!isRight) throw refusal('account.wrong-code')
}

/** Is this the code of this address? Without `keepCode` it is used up by the question. */
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
 * in besides and was there before the address was verified; answers what that was, and what stays. Throws `account.wrong-code`, and
 * `account.weak-password`: what staff need in addition is told only to who has the code.
 */
export const changePassword = async (
  database: Database,
  policy: PasswordPolicy,
  { email, pass, passConfirm, code, network }: CallRequest<typeof accounts.changePassword>['body'] & Guesser,
): Promise<{ kept: OtherWay[]; removed: OtherWay[] }> => {
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
    if (!(await redeemCode(tx, right))) throw refusal('account.wrong-code')
    await setPassword(tx, person.id, hash)
    const { hadCalendarLink } = await endSessions(tx, person.id)
    const { kept, removed } = await dropUnprovenWays(tx, person.id)
    await verifyAddress(tx, person.id)
    await forgetWrongTries(tx, email)
    const names = (ways: readonly OtherWay[]) => ways.map(({ name }) => name)
    await sendMail(tx, {
      key: `password:${right.id}`,
      to: email,
      template: 'passwordChanged',
      data: { kept: names(kept), removed: names(removed), hadLink: hadCalendarLink },
    })
    return { kept, removed: hadCalendarLink ? [...removed, calendarLink] : removed }
  })
}

const calendarLink: OtherWay = { kind: 'calendar', name: 'The link of your calendar' }

/**
 * Moves the caller's account to a new address with the code that was sent there; the old one is told. Sessions stay, codes
 * and tokens on their way end. Repeated, it answers the same. Throws `account.email-taken`, `account.wrong-code`.
 */
export const changeEmail = async (
  database: Database,
  caller: Caller,
  asked: CallRequest<typeof accounts.changeEmail>['body'] & Guesser,
): Promise<PersonRow> => {
  const changed = await database
    .inTenant(caller, (tx) => asService(tx, () => moveTo(tx, caller.id, asked)))
    .catch((error: { code?: string }) => {
      throw error.code === uniqueViolation ? refusal('account.email-taken') : error
    })
  // Thrown after the commit: a wrong guess counts.
  if (!changed) throw refusal('account.wrong-code')
  return changed
}

const uniqueViolation = '23505'

const moveTo = async (
  tx: Tx,
  personId: string,
  { email, code, network }: { email: string; code: string } & Guesser,
): Promise<PersonRow | null> => {
  const before = (await personById(tx, personId))!
  if (before.email === email) return before
  if (await isTaken(tx, email)) throw refusal('account.email-taken')
  const right = await verifyCode(tx, { email, code, network }, 'address')
  if (!right || !(await redeemCode(tx, right))) return null
  const after = (await saveEmail(tx, personId, email))!
  await dropPendingTokens(tx, personId)
  await sendMail(tx, {
    key: `address:${right.id}`,
    to: before.email,
    template: 'addressChanged',
    data: { newAddress: email },
  })
  return after
}
