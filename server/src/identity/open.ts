import { defaultPasswordPolicy, type PasswordPolicy } from '@clear-to-post/domain/passwords'
import type { Provider } from '@clear-to-post/contract/identity'
import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import type { Caller, Database } from '../kernel/database.ts'
import type { ProviderConfig } from '../kernel/config-outside.ts'
import { openProvider } from '../outside/openid.ts'
import { refreshCookie, oauthCookie, type SecretCookie } from './cookie.ts'
import { makeRequireFresh, type RequireFresh } from './fresh.ts'
import { idTokenSeconds, signIdToken } from './id-token.ts'
import { openKeys, type Keys } from './keys.ts'
import { newSecret } from './one-time-tokens.ts'
import type { RelyingParty } from './passkeys.ts'
import type { Providers } from './provider-sign-in.ts'
import { makeAuthenticate, type Authenticate } from './session.ts'

/** What the identity service holds while it runs. */
export type Identity = {
  /** Who sends a request, once the database has said that their session counts: for every door (see session.ts). */
  authenticate: Authenticate
  /** What the token says, for who begins a transaction as that caller. */
  readToken: Authenticate
  /** Refuses whoever is not shown to be at their device now (see fresh.ts). */
  requireFresh: RequireFresh
  keys: Keys
  cookie: SecretCookie
  /** Tells which browser set out to a provider. */
  oauthCookie: SecretCookie & { newValue: () => string }
  providers: Providers
  /** Of whom the service demands a second factor. */
  secondFactor: SecondFactorPolicy
  /** Whom passkeys are for. */
  party: RelyingParty
  /** What a new password must be like. */
  passwordPolicy: PasswordPolicy
  /** An ID token, good for `idTokenSeconds`, or until its session must end. */
  signIdToken: (person: Caller, mustEndAt?: Date, confirmedAt?: Date) => Promise<string>
}

/** Opens the identity service; the first server of a new database makes its signing key. */
export const openIdentity = async ({
  database,
  config,
}: {
  database: Database
  config: {
    publicUrl: string
    passwordPolicy?: PasswordPolicy
    secondFactor?: SecondFactorPolicy
    signIn?: Partial<Record<Provider, ProviderConfig>>
  }
}): Promise<Identity> => {
  // The address is the issuer: a copy of the database under another address honours no token of this one.
  const issuer = `${config.publicUrl}/identity`
  const keys = openKeys(database, { idTokenSeconds })
  await keys.signing()
  const cookie = refreshCookie(config.publicUrl)
  return {
    ...makeAuthenticate(keys, { database, issuer }),
    requireFresh: makeRequireFresh(cookie),
    keys,
    cookie,
    oauthCookie: { ...oauthCookie(config.publicUrl), newValue: newSecret },
    providers: Object.fromEntries(
      Object.entries(config.signIn ?? {}).map(([provider, one]) => [
        provider,
        openProvider(provider as Provider, one, `${issuer}/${provider}/callback`),
      ]),
    ),
    secondFactor: config.secondFactor ?? 'nobody',
    party: { id: new URL(config.publicUrl).hostname, origin: config.publicUrl },
    passwordPolicy: config.passwordPolicy ?? defaultPasswordPolicy,
    signIdToken: (person, mustEndAt, confirmedAt) => signIdToken(keys, issuer, person, { mustEndAt, confirmedAt }),
  }
}
