import { defaultPasswordPolicy, type PasswordPolicy } from '@clear-to-post/domain/passwords'
import type { Caller, Database } from '../db/tenant.ts'
import { refreshCookie, type RefreshCookie } from './cookie.ts'
import { idTokenSeconds, signIdToken } from './id-token.ts'
import { openKeys, type Keys } from './keys.ts'
import { makeAuthenticate, type Authenticate } from './session.ts'

/** What the identity service holds while it runs. */
export type Identity = {
  /** Reads and verifies the bearer token of a request (see session.ts). */
  authenticate: Authenticate
  keys: Keys
  cookie: RefreshCookie
  /** What a new password must be like. */
  passwordPolicy: PasswordPolicy
  /** An ID token, good for `idTokenSeconds`. */
  signIdToken: (person: Caller) => Promise<string>
}

/** Opens the identity service; the first server of a new database makes its signing key. */
export const openIdentity = async ({
  database,
  config,
}: {
  database: Database
  config: { publicUrl: string; passwordPolicy?: PasswordPolicy }
}): Promise<Identity> => {
  // The address is the issuer: a copy of the database under another address honours no token of this one.
  const issuer = `${config.publicUrl}/identity`
  const keys = openKeys(database, { idTokenSeconds })
  await keys.signing()
  return {
    authenticate: makeAuthenticate(keys, { issuer }),
    keys,
    cookie: refreshCookie(config.publicUrl),
    passwordPolicy: config.passwordPolicy ?? defaultPasswordPolicy,
    signIdToken: (person) => signIdToken(keys, issuer, person),
  }
}
