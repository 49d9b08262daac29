import type { CallRequest } from '@clear-to-post/contract/call'
import type { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { asService, type Caller, type Database, type Tx } from '../db/tenant.ts'
import {
  codeMinutes,
  dropPendingTokens,
  endSessions,
  forgetWrongTries,
  hashPassword,
  issueCode,
  judgeCode,
  redeemCode,
  setPassword,
} from '../identity/actions.ts'
import { sendMail } from '../mail/actions.ts'
import { requireStrong } from './actions.ts'
import { activeByEmail, isTaken, personById, saveEmail, type PersonRow } from './store.ts'

/**
 * Sends a code to an address, whoever's it is: one that is nobody's yet may become somebody's new one. The work and the
 * answer are the same either way. Throws `request.too-many` past the address's limit.
 */
export const sendCode = async (database: Database, email: string, now: Date): Promise<void> => {
  const codeId = await database.asSystem(async (tx) => {
    const id = await issueCode(tx, email)
    if (id !== null)
      await sendMail(tx, {
        key: `code:${id}`,
        to: email,
        template: 'code',
        data: { codeId: id },
        uselessAt: new Date(now.getTime() + codeMinutes * 60_000),
      })
    return id
  })
  // Thrown after the commit: the try counts.
  if (codeId === null)
    throw refusal('request.too-many', 'Too many codes were sent to this address. Wait an hour and try again.')
}

/** Is this the code of this address? Without `keepCode` it is used up by the question. */
export const validateCode = (
  database: Database,
  { email, code, keepCode }: CallRequest<typeof accounts.validateCode>['query'],
): Promise<boolean> =>
  database.asSystem(async (tx) => {
    const right = await judgeCode(tx, email, code, 'any')
    return right !== null && (keepCode || (await redeemCode(tx, right)))
  })

/**
 * Sets a new password with a code and ends every session of that person. Throws `account.wrong-code`, and
 * `account.weak-password`: what staff need in addition is told only to who has the code.
 */
export const changePassword = async (
  database: Database,
  policy: PasswordPolicy,
  { email, pass, passConfirm, code }: CallRequest<typeof accounts.changePassword>['body'],
): Promise<void> => {
  requireStrong(pass, 'User', { email, name: '', policy }, 'pass')
  if (pass !== passConfirm)
    throw refusal('request.invalid', 'The two passwords are not the same.', [
      { path: 'body.passConfirm', message: 'This must be the same as the password.' },
    ])
  const { right, person } = await database.asSystem(async (tx) => ({
    right: await judgeCode(tx, email, code, 'password'),
    person: await activeByEmail(tx, email),
  }))
  if (!right || person?.id !== right.personId) throw refusal('account.wrong-code')
  requireStrong(pass, person.role, { email, name: person.name, policy }, 'pass')
  // No connection is held while a core hashes.
  const hash = await hashPassword(pass)
  await database.asSystem(async (tx) => {
    if (!(await redeemCode(tx, right))) throw refusal('account.wrong-code')
    await setPassword(tx, person.id, hash)
    await endSessions(tx, person.id)
    await forgetWrongTries(tx, email)
    await sendMail(tx, { key: `password:${right.id}`, to: email, template: 'passwordChanged', data: {} })
  })
}

/**
 * Moves the caller's account to a new address with the code that was sent there; the old one is told. Sessions stay, codes
 * and tokens on their way end. Repeated, it answers the same. Throws `account.email-taken`, `account.wrong-code`.
 */
export const changeEmail = async (
  database: Database,
  caller: Caller,
  { email, code }: CallRequest<typeof accounts.changeEmail>['body'],
): Promise<PersonRow> => {
  const changed = await database
    .inTenant(caller, (tx) => asService(tx, () => moveTo(tx, caller.id, email, code)))
    .catch((error: { code?: string }) => {
      throw error.code === uniqueViolation ? refusal('account.email-taken') : error
    })
  // Thrown after the commit: a wrong guess counts.
  if (!changed) throw refusal('account.wrong-code')
  return changed
}

const uniqueViolation = '23505'

const moveTo = async (tx: Tx, personId: string, email: string, code: string): Promise<PersonRow | null> => {
  const before = (await personById(tx, personId))!
  if (before.email === email) return before
  if (await isTaken(tx, email)) throw refusal('account.email-taken')
  const right = await judgeCode(tx, email, code, 'address')
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
