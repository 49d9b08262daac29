import type { z } from 'zod'
import { refusal } from '@clear-to-post/contract/errors'
import { providers as names, type Provider } from '@clear-to-post/contract/identity'
import type { Security, WaysIn } from '@clear-to-post/contract/security'
import { needsSecondFactor, type SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import type { Claims } from '../outside/openid.ts'
import {
  connect,
  connectedPerson,
  connectionsOf,
  disconnect,
  dropPasskey,
  dropRecoveryCodes,
  dropTotp,
  factorsOf,
  passkeysOf,
  isInReach,
  saveTotp,
  totpOf,
  waysInOf,
  type FactorRow,
} from './factor-store.ts'
import { notifyOwner } from './notify-owner.ts'
import { keepPasskey, passkeyQuestion, type Credential, type RelyingParty } from './passkeys.ts'
import type { Providers } from './provider-sign-in.ts'
import { issueRecoveryCodes } from './recovery-codes.ts'
import { hasFactor, isDemanded, takeCode } from './second-factor.ts'
import { forgetCodeTries, mayTryCode } from './second-factor-tries.ts'
import { lockPerson } from './store.ts'
import { newTotpSecret, totpForApp } from './totp.ts'

/** What the rules here need to know of the service. */
export type SecurityRules = { policy: SecondFactorPolicy; providers: Providers; party: RelyingParty }

/** What a person signs in with. Runs as the service, as everything here. */
export const readSecurity = async (
  tx: Tx,
  personId: string,
  { policy, providers }: SecurityRules,
): Promise<z.input<typeof Security>> => {
  const factors = await mine(tx, personId)
  const connections = await connectionsOf(tx, personId)
  return {
    hasPassword: factors.has_password,
    isRequired: isDemanded(factors, policy),
    totp: factors.totp_since && { addedAt: factors.totp_since.toISOString() },
    passkeys: (await passkeysOf(tx, personId)).map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      addedAt: created_at.toISOString(),
      lastUsedAt: last_used_at?.toISOString() ?? null,
    })),
    recoveryCodesLeft: factors.recovery_codes,
    providers: (Object.keys(names) as Provider[])
      .map((provider) => ({ provider, found: connections.find((one) => one.provider === provider) }))
      .filter(({ provider, found }) => found || providers[provider])
      .map(({ provider, found }) => ({ provider, isConnected: found !== undefined, email: found?.email ?? null })),
  }
}

/** What somebody within the caller's reach signs in with. Throws `account.not-found`. */
export const readWaysIn = async (
  tx: Tx,
  caller: Caller,
  personId: string,
  policy: SecondFactorPolicy,
): Promise<z.input<typeof WaysIn>> => {
  if (!(await isInReach(tx, caller, personId))) throw refusal('account.not-found')
  const ways = (await asService(tx, () => waysInOf(tx, personId)))!
  const { role, tenant_demands: tenantDemands, last_sign_in: lastSignIn } = ways
  return {
    hasPassword: ways.has_password,
    hasApp: ways.has_app,
    passkeys: ways.passkeys,
    recoveryCodesLeft: ways.recovery_codes,
    providers: ways.providers as Provider[],
    isRequired: needsSecondFactor(policy, { role, tenantDemands }),
    ...(lastSignIn ? { lastSignIn: lastSignIn.toISOString() } : {}),
  }
}

/** A new secret for an app. Throws `security.has-totp`. */
export const startTotp = async (tx: Tx, personId: string): Promise<{ secret: string; uri: string }> => {
  const secret = newTotpSecret()
  if (!(await saveTotp(tx, personId, secret))) throw refusal('security.has-totp')
  return totpForApp(secret, (await mine(tx, personId)).email)
}

/** What the browser needs to make a passkey for this person. Throws `security.too-many-passkeys`. */
export const startPasskey = async (
  tx: Tx,
  party: RelyingParty,
  personId: string,
): Promise<{ options: Record<string, unknown> }> => ({
  options: await passkeyQuestion(tx, party, { id: personId, ...(await mine(tx, personId)) }),
})

/** What adding a factor came to; a refusal is thrown after the commit, for a wrong try counts. */
export type Outcome<T> = { done: T } | { refused: 'session.wrong-code' | 'session.wrong-passkey' | 'request.too-many' }

/** Confirms an app by its first code; answers recovery codes with the first factor. `now` in ms since 1970. */
export const confirmTotp = async (
  tx: Tx,
  personId: string,
  { code, network }: { code: string; network: string },
  now: number,
): Promise<Outcome<string[]>> => {
  if (!(await mayTryCode(tx, personId, { method: 'totp', network }))) return { refused: 'request.too-many' }
  await lockPerson(tx, personId)
  const app = await totpOf(tx, personId)
  if (!app || app.is_confirmed || !(await takeCode(tx, personId, app.secret, code, now)))
    return { refused: 'session.wrong-code' }
  await forgetCodeTries(tx, personId, { network })
  return { done: await added(tx, personId, 'An authenticator app') }
}

/** Keeps a passkey; answers recovery codes with the first factor. */
export const addPasskey = async (
  tx: Tx,
  party: RelyingParty,
  personId: string,
  made: { name: string; credential: Credential },
): Promise<Outcome<string[]>> => {
  await lockPerson(tx, personId)
  return (await keepPasskey(tx, party, personId, made))
    ? { done: await added(tx, personId, `The passkey “${made.name}”`) }
    : { refused: 'session.wrong-passkey' }
}

/** Throws `security.last-factor` where one is demanded. */
export const removeTotp = (tx: Tx, personId: string, rules: SecurityRules): Promise<void> =>
  remove(tx, personId, rules, 'The authenticator app', () => dropTotp(tx, personId))

export const removePasskey = (tx: Tx, personId: string, id: string, rules: SecurityRules): Promise<void> =>
  remove(tx, personId, rules, 'A passkey', () => dropPasskey(tx, personId, id))

/** Throws `security.no-factor`: codes stand in for a factor, and are none by themselves. */
export const renewRecoveryCodes = async (tx: Tx, personId: string): Promise<string[]> => {
  await lockPerson(tx, personId)
  if (!hasFactor(await mine(tx, personId))) throw refusal('security.no-factor')
  await notifyOwner(
    tx,
    personId,
    'New recovery codes were made for your account',
    'The ones before are no good any more.',
  )
  return issueRecoveryCodes(tx, personId)
}

/** Connects a provider's account. Throws `security.connected-elsewhere`; repeated, it changes nothing. */
export const connectProvider = async (
  tx: Tx,
  personId: string,
  claims: Claims & { provider: Provider },
): Promise<void> => {
  if ((await connectedPerson(tx, claims.issuer, claims.subject)) === personId) return
  if (!(await connect(tx, { ...claims, personId }))) throw refusal('security.connected-elsewhere')
  await notifyOwner(tx, personId, `You can sign in with ${names[claims.provider]} now`)
}

/** Throws `security.last-way-in` for who has neither a password nor another way. */
export const removeProvider = async (tx: Tx, personId: string, provider: Provider): Promise<void> => {
  await lockPerson(tx, personId)
  const factors = await mine(tx, personId)
  const others = (await connectionsOf(tx, personId)).filter((one) => one.provider !== provider)
  if (!factors.has_password && others.length === 0) throw refusal('security.last-way-in')
  if ((await disconnect(tx, personId, provider)) === 1)
    await notifyOwner(tx, personId, `${names[provider]} signs you in no more`)
}

const mine = async (tx: Tx, personId: string): Promise<FactorRow> => {
  const factors = await factorsOf(tx, personId)
  if (!factors) throw refusal('session.ended')
  return factors
}

const added = async (tx: Tx, personId: string, what: string): Promise<string[]> => {
  await notifyOwner(tx, personId, `${what} was added to your account`)
  const { recovery_codes } = await mine(tx, personId)
  return recovery_codes > 0 ? [] : issueRecoveryCodes(tx, personId)
}

const remove = async (
  tx: Tx,
  personId: string,
  { policy }: SecurityRules,
  what: string,
  drop: () => Promise<number>,
): Promise<void> => {
  await lockPerson(tx, personId)
  if ((await drop()) === 0) return
  const factors = await mine(tx, personId)
  if (!hasFactor(factors)) {
    if (isDemanded(factors, policy)) throw refusal('security.last-factor')
    await dropRecoveryCodes(tx, personId)
  }
  await notifyOwner(tx, personId, `${what} was removed from your account`)
}
