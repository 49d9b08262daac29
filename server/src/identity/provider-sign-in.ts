import { createHmac, randomUUID } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import type { NextStep, Provider } from '@clear-to-post/contract/identity'
import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import type { Database, Tx } from '../kernel/database.ts'
import type { Claims, OpenIdProvider, OAuthSecrets } from '../outside/openid.ts'
import { addOAuthFlow, connect, connectedPerson, redeemOAuthFlow } from './factor-store.ts'
import { hashOf } from './one-time-tokens.ts'
import { openOrAsk, type Opened } from './second-factor.ts'
import { lockPerson, oneTimeSecret, sessionPerson } from './store.ts'

/** The providers that are configured. */
export type Providers = Partial<Record<Provider, OpenIdProvider>>

/** What came back from a provider. */
export type Returned = { state: string; code: string; iss?: string | undefined; user?: string | undefined }

export const oauthMinutes = 15

/** Notes that a browser sets out, and answers where it goes. Throws when the provider is away. */
export const startOAuth = async (
  database: Database,
  to: OpenIdProvider,
  flow: { provider: Provider; state: string; browser: string; language: string | null },
): Promise<string> => {
  const id = randomUUID()
  const secrets = await database.asSystem(async (tx) => {
    await addOAuthFlow(
      tx,
      { id, state: hashOf(flow.state), browser: hashOf(flow.browser), provider: flow.provider },
      oauthMinutes,
    )
    return secretsOf(tx, id, flow.state)
  })
  return (await to.address(secrets, flow.language)).href
}

/**
 * What the provider says of whoever comes back. The flow is over with that, whatever comes of it: each state is good once,
 * and in the browser that set out. Throws `session.provider-failed`, and tells `log` why.
 */
export const finishOAuth = async (
  database: Database,
  providers: Providers,
  { browser, ...returned }: Returned & { browser: string | null },
  log: { warn: (about: object, words: string) => void },
): Promise<Claims & { provider: Provider }> => {
  const flow = await database.asSystem(async (tx) => {
    const row = browser === null ? undefined : await redeemOAuthFlow(tx, hashOf(returned.state), hashOf(browser))
    return row && { provider: row.provider as Provider, secrets: await secretsOf(tx, row.id, returned.state) }
  })
  const from = flow && providers[flow.provider]
  if (!from) throw refusal('session.provider-failed')
  const texts = Object.fromEntries(Object.entries(returned).filter(([, value]) => value !== undefined))
  // No connection is held while the provider thinks.
  const claims = await from.claims(texts as Record<string, string>, flow.secrets).catch((error: unknown) => {
    log.warn({ err: error, provider: flow.provider }, 'a provider’s sign-in was refused')
    throw refusal('session.provider-failed')
  })
  return { ...claims, provider: flow.provider }
}

/** Opens an account for somebody whom a provider vouches for; answers its id. The room of accounts does it. */
export type OpenProviderAccount = (
  tx: Tx,
  claims: { email: string | null; isEmailVerified: boolean; name: string | null },
  asked: { invitationCode?: string | undefined; timezone?: string | undefined },
) => Promise<string>

/** Opens the session of whoever comes back from a provider, or answers the step that is left. Throws as `finishOAuth` and `open` do. */
export const signInWithProvider = async (
  { database, log }: { database: Database; log: { warn: (about: object, words: string) => void } },
  { providers, secondFactor }: { providers: Providers; secondFactor: SecondFactorPolicy },
  { invitationCode, timezone, ...returned }: Returned & { browser: string | null } & Parameters<OpenProviderAccount>[2],
  open: OpenProviderAccount,
): Promise<Opened | NextStep> => {
  const claims = await finishOAuth(database, providers, returned, log)
  return database.asSystem((tx) =>
    signInByClaims(tx, claims, secondFactor, () => open(tx, claims, { invitationCode, timezone })),
  )
}

/**
 * Opens the session of the account that is connected with these claims; one that nobody has yet gets an account by `open`,
 * which answers its id and throws where there must not be one. Never looks for an account of the same address.
 */
const signInByClaims = async (
  tx: Tx,
  claims: Claims & { provider: Provider },
  policy: SecondFactorPolicy,
  open: () => Promise<string>,
): Promise<Opened | NextStep> => {
  let personId = await connectedPerson(tx, claims.issuer, claims.subject)
  if (personId === null) {
    personId = await open()
    // Somebody came back twice at the same moment: the first one has the account.
    if (!(await connect(tx, { ...claims, personId }))) throw refusal('session.provider-failed')
  }
  await lockPerson(tx, personId)
  const person = await sessionPerson(tx, personId)
  // It may have been disconnected while this waited.
  if (!person || (await connectedPerson(tx, claims.issuer, claims.subject)) !== personId)
    throw refusal('session.provider-failed')
  return openOrAsk(tx, person, policy)
}

// Computed rather than kept, as codes are (decision 33).
const secretsOf = async (tx: Tx, id: string, state: string): Promise<OAuthSecrets> => {
  const secret = await oneTimeSecret(tx)
  const of = (name: string) => createHmac('sha256', secret).update(`${name} ${id}`).digest('base64url')
  return { state, nonce: of('nonce'), verifier: of('verifier') }
}
