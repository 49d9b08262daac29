import { randomBytes } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import { mayEver } from '@clear-to-post/domain/access'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { scopesOf, type Scope } from '@clear-to-post/domain/scopes'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { ownSignInOf } from '../identity/actions.ts'
import { sendMail, type MailKey } from '../mail/actions.ts'
import { hashOf } from './read-key.ts'
import {
  addKey,
  addressOf,
  adminAddressesOf,
  endKey,
  goodKeysOf,
  keysOfADay,
  lockCompany,
  type KeyRow,
} from './store.ts'

export { callerByKey, openApiKeys } from './read-key.ts'
export { keyShown } from './store.ts'

/**
 * Makes a key of the caller's, or, as its ADMIN, of their company itself: `ctp_` and 256 random bits, which are answered here and
 * nowhere again. It is noted with the session of the refresh token: a theft of that ends it. Throws `api-key.not-yours` for a scope
 * that the caller's role does not have, and `api-key.too-many`.
 */
export const makeKey = async (
  tx: Tx,
  caller: Caller,
  {
    name,
    scopes,
    days,
    forCompany = false,
  }: { name: string; scopes: readonly Scope[]; days: number; forCompany?: boolean | undefined },
  refreshToken: string | null,
): Promise<{ key: string; made: KeyRow }> => {
  // The person is locked: two at once count each other, and whoever ends sessions comes before or after.
  await holdSession(tx, caller)
  const offered = forCompany ? offeredForCompany(caller) : scopesOf(caller.role)
  if (scopes.some((scope) => !offered.includes(scope))) throw refusal('api-key.not-yours')
  const companyId = forCompany ? caller.tenantId : null
  const ownerId = companyId === null ? caller.id : await asService(tx, () => lockCompany(tx, companyId))
  if ((await goodKeysOf(tx, ownerId)) >= mostKept.apiKeys) throw refusal('api-key.too-many')
  // Each of its ADMINs hears of every one, made and revoked: nobody fills their mailboxes.
  if (companyId !== null && (await keysOfADay(tx, ownerId)) >= mostKept.apiKeys)
    throw refusal('api-key.too-many', tooManyToday)
  const key = `ctp_${randomBytes(32).toString('base64url')}`
  const allowed = offered.filter((scope) => scopes.includes(scope))
  const madeIn = await asService(tx, () => ownSignInOf(tx, caller.id, refreshToken))
  const add = () =>
    addKey(tx, ownerId, { name, prefix: key.slice(0, 10), hash: hashOf(key), scopes: allowed, days, madeIn })
  if (companyId !== null) {
    const made = await asService(tx, add)
    await tellAdmins(tx, companyId, {
      key: `company-key:${made.id}`,
      title: 'An API key of your company was made',
      body:
        `${keyWords(made)} is good until ${dayWords(made.ends_at)}. A program that holds it acts for your company, whoever leaves it. The audit log says who made it.\n\n` +
        'Does nobody of you know of it? Revoke it at once.',
    })
    return { key, made }
  }
  const made = await add()
  await tellOwner(tx, {
    key: `api-key:${made.id}`,
    to: await addressOf(tx, caller.id),
    title: 'An API key was made in your name',
    body:
      `${keyWords(made)} is good until ${dayWords(made.ends_at)}. A program that holds it acts in your name.\n\n` +
      'Was it not you? Choose a new password at once: that ends every key and signs everybody out.',
  })
  return { key, made }
}

/** Ends a key of the caller's, or as an ADMIN of somebody's within reach. Throws `api-key.not-found`. */
export const revokeKey = async (tx: Tx, caller: Caller, id: string, now: Date): Promise<KeyRow> => {
  const ended = await endKey(tx, caller, id, mayEver(caller.role, 'api-key.list'), now)
  if (!ended) throw refusal('api-key.not-found')
  if (ended.is_ended_now && ended.is_company && ended.tenant_id !== null)
    await tellAdmins(tx, ended.tenant_id, {
      key: `company-key-revoked:${caller.id}:${ended.id}`,
      title: 'An API key of your company was revoked',
      body: `${keyWords(ended)} was ended by an administrator. Programs that call by it are refused from now on.`,
    })
  else if (ended.is_ended_now && ended.person_id !== caller.id)
    await tellOwner(tx, {
      key: `api-key-revoked:${ended.id}`,
      to: ended.email,
      title: 'Your API key was revoked',
      body:
        `An administrator ended ${keyWords(ended)}. Programs that call by it are refused from now on.\n\n` +
        'Do you still need it? Ask your administrator first, then make a new one in your profile.',
    })
  return ended
}

/** What the caller may allow a key of their company's own, as one of its ADMINs; nothing for anybody else. */
export const offeredForCompany = ({ role, tenantId }: Pick<Caller, 'role' | 'tenantId'>): Scope[] =>
  tenantId !== null && mayEver(role, 'api-key.list') ? scopesOf(role, { isCompanys: true }) : []

const tooManyToday = `A company makes ${mostKept.apiKeys} API keys a day at most. Make this one tomorrow.`

const keyWords = ({ name, prefix }: KeyRow): string => `“${name}” (${prefix}…)`
const dayWords = (at: Date): string =>
  at.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'America/New_York' })

/** Whoever makes or ends somebody's key cannot hide it from them. */
const tellOwner = (tx: Tx, { key, to, title, body }: { key: MailKey; to: string; title: string; body: string }) =>
  sendMail(tx, {
    key,
    to,
    template: 'message',
    data: { title, body, link: { label: 'Look at your keys', url: '/panel/profile' } },
  })

/** The same of a company's own: each of its ADMINs hears of it. */
const tellAdmins = async (
  tx: Tx,
  tenantId: string,
  { key, title, body }: { key: MailKey; title: string; body: string },
): Promise<void> => {
  for (const { id, email } of await adminAddressesOf(tx, tenantId))
    await sendMail(tx, {
      key: `${key}:${id}`,
      to: email,
      template: 'message',
      data: { title, body, link: { label: 'Look at the keys', url: '/panel/people/keys' } },
    })
}
