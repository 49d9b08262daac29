import { randomUUID } from 'node:crypto'
import type { CallRequest } from '@clear-to-post/contract/call'
import type { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { loginSystems, type Role, newcomer, type PersonRole } from '@clear-to-post/domain/roles'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import {
  checkPassword,
  forgetSecondFactor,
  hashPassword,
  holdPassword,
  countForNets,
  issueCustomToken,
  passwordWasRight,
  setPassword,
} from '../identity/actions.ts'
import { sendMail } from '../mail/actions.ts'
import { invitingTenant } from '../tenants/actions.ts'
import { queueCode, type CodeAsked } from './codes.ts'
import { requireStrong } from './strong.ts'
import { acceptAllTerms } from './terms.ts'
import { setAccountState, type AccountState } from './account-state.ts'
import { insertPerson } from './insert.ts'
import { isTaken, lockPerson, lockPersonByEmail, type PersonRow } from './store.ts'

export { keepAnAdmin } from './account-state.ts'
export { tellAdmins, tellOfAdmin } from './admins-told.ts'
export { awaitCallsOf, findPerson, isAdmin, lockAdmins, lockPerson, type PersonRow } from './store.ts'
export { accountOf, openInvitedAccount, placeInvited } from './invited.ts'
export { openProviderAccount } from './provider-account.ts'
export { requireStrong } from './strong.ts'

/** Whether nobody has this address. As the service, whoever asks: it may be somebody's whom the caller may not see. */
export const isFree = (tx: Tx, email: string): Promise<boolean> =>
  asService(tx, async () => !(await isTaken(tx, email)))

/** Signs in at one of the doors; answers a custom token. The wrong door is refused with the words of a wrong password. */
export const logIn = async (
  database: Database,
  { system, email, password }: CallRequest<typeof accounts.login>['body'],
  { network, log }: { network: string; log: CodeAsked['log'] },
): Promise<string> => {
  const person = await checkPassword(database, { email, password, network }, log)
  const admitted: readonly Role[] = loginSystems[system]
  if (!admitted.includes(person.role)) throw refusal('session.wrong-credentials')
  return database.asSystem(async (tx) => {
    await holdPassword(tx, person)
    await passwordWasRight(tx, { id: person.id, email }, network)
    return issueCustomToken(tx, person.id)
  })
}

/**
 * Opens an officer's account and sends the code that confirms its address; answers a custom token. Throws `account.weak-password`, `account.email-taken`,
 * `tenant.not-found` for an unknown code, `tenant.full`, `request.too-many` when a network has opened too many in this hour.
 */
export const openAccount = async (
  database: Database,
  policy: PasswordPolicy,
  { email, name, password, passwordConfirmation, ...more }: CallRequest<typeof accounts.create>['body'],
  asked: Omit<CodeAsked, 'email' | 'callerId'>,
): Promise<string> => {
  requireStrong(password, newcomer, { email, name, policy })
  if (password !== passwordConfirmation)
    throw refusal('request.invalid', 'The two passwords are not the same.', [
      { path: 'body.passwordConfirmation', message: 'This must be the same as the password.' },
    ])
  const code = more.invitationCode || null
  // A code that is wrong is said before a core is busy with the password.
  if (code !== null) await database.asSystem((tx) => invitingTenant(tx, code))
  const hash = await hashPassword(password)
  return database.asSystem(async (tx) => {
    if (!(await countForNets(tx, 'accounts of', asked))) throw refusal('request.too-many', tooManyAccounts)
    const tenantId = code === null ? null : (await invitingTenant(tx, code)).id
    const person = await insertPerson(tx, {
      email,
      name,
      role: newcomer,
      tenantId,
      profession: more.profession || null,
      // A browser may know a newer zone than we do: better the default than no account.
      timeZone: more.timezone !== undefined && isTimeZone(more.timezone) ? more.timezone : null,
      isEmailVerified: false,
    })
    await setPassword(tx, person.id, hash)
    await acceptAllTerms(tx, person.id)
    // Until they show it, the address may be anybody's.
    await queueCode(tx, { ...asked, email, callerId: null })
    return issueCustomToken(tx, person.id)
  })
}

const tooManyAccounts =
  'Too many accounts were opened from your network. Wait an hour and try again, or use another connection, such as your phone’s.'

/**
 * Makes a person of any role, for the operator's command and the demo, who vouch for the address; runs as the service.
 * Without a password they cannot sign in by one. Throws `account.weak-password`, `account.email-taken`, `tenant.full`.
 */
export const createPerson = async (
  tx: Tx,
  input: {
    email: string
    name: string
    role: PersonRole
    password?: string | undefined
    tenantId?: string | null | undefined
    timeZone?: string | undefined
    profession?: string | undefined
    policy?: PasswordPolicy | undefined
    /** A sample person agreed to the terms; others are asked when they come. */
    isSample?: boolean | undefined
  },
): Promise<PersonRow> => {
  const { name, role, password, policy } = input
  const email = input.email.trim().toLowerCase()
  if (password !== undefined) requireStrong(password, role, { email, name, policy })
  const person = await insertPerson(tx, {
    email,
    name,
    role,
    tenantId: input.tenantId ?? null,
    profession: input.profession ?? null,
    timeZone: input.timeZone ?? null,
    isEmailVerified: true,
  })
  if (password !== undefined) await setPassword(tx, person.id, await hashPassword(password))
  if (input.isSample) await acceptAllTerms(tx, person.id)
  return person
}

/**
 * Changes a person's role, tenant or whether they may sign in; runs as the service. It counts at once: their ID tokens end, and who is
 * disabled loses every session. Throws `account.not-found`, `account.not-confirmed`, `tenant.full`.
 */
export const changeAccountState = async (tx: Tx, email: string, change: Partial<AccountState>): Promise<PersonRow> => {
  const before = await lockPersonByEmail(tx, email.trim().toLowerCase())
  if (!before) throw refusal('account.not-found')
  return setAccountState(tx, before, change, new Date())
}

/** For who lost phone and recovery codes; runs as the service. Throws `account.not-found`. */
export const resetSecondFactor = async (tx: Tx, email: string): Promise<void> => {
  const person = await lockPersonByEmail(tx, email.trim().toLowerCase())
  if (!person) throw refusal('account.not-found')
  await resetAndTell(tx, person)
}

/**
 * The same by an ADMIN, for somebody in reach. Throws `account.not-found`, and `account.own-factor` for oneself: one's own
 * is removed in the profile.
 */
export const resetSecondFactorOf = async (tx: Tx, caller: Caller, userId: string): Promise<void> => {
  if (userId === caller.id) throw refusal('account.own-factor')
  const person = await lockPerson(tx, caller, userId)
  if (!person) throw refusal('account.not-found')
  await asService(tx, () => resetAndTell(tx, person))
}

const resetAndTell = async (tx: Tx, { id, email }: PersonRow): Promise<void> => {
  if (!(await forgetSecondFactor(tx, id))) return
  await sendMail(tx, {
    key: `second-factor:${randomUUID()}`,
    to: email,
    template: 'message',
    data: {
      title: 'Your second step was removed',
      body:
        'You sign in without it now, and set up a new one where your company asks for it.\n\n' +
        'Did you not ask for this? Write to us at once, and choose a new password.',
      link: { label: 'Go to sign in', url: '/login' },
    },
  })
}
