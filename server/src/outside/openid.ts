import { createRemoteJWKSet, importPKCS8, jwtVerify, SignJWT, type JWTVerifyGetKey } from 'jose'
import * as openid from 'openid-client'
import type { ProviderConfig } from '../kernel/config-outside.ts'

/** What a provider says of somebody. `subject` is theirs for ever at this `issuer`; the rest may change. */
export type Claims = {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

/** One flow's secrets: what the provider must send back, and what we must show it. */
export type OAuthSecrets = { state: string; nonce: string; verifier: string }

/**
 * What happened to an account over there, told unasked: `closed` when the person ended their consent or the account, the
 * rest as the provider calls it.
 */
export type Notice = { issuer: string; subject: string; kind: 'closed' | (string & {}); at: Date }

/** One OpenID provider. */
export type OpenIdProvider = {
  isSandbox: boolean
  /** Where the browser goes. `language` is the device's, as in `Accept-Language`. Throws when the provider is away. */
  address: (secrets: OAuthSecrets, language: string | null) => Promise<URL>
  /**
   * Exchanges what came back for what the provider says of the person, every check of OpenID Connect passed: state, nonce,
   * PKCE, signature, issuer, audience, times. Throws `openid-client`'s error otherwise.
   */
  claims: (returned: Readonly<Record<string, string>>, secrets: OAuthSecrets) => Promise<Claims>
  /** Reads a signed notice ("Processing changes for Sign in with Apple accounts"). Throws when it is not the provider's, or for another. */
  notice: (signed: string) => Promise<Notice>
}

/** What the two differ in (their own manuals: Google "OpenID Connect", Apple "Sign in with Apple REST API"). */
const kinds = {
  google: {
    parameters: { scope: 'openid email profile' },
    language: (tag: string) => ({ hl: tag, ui_locales: tag }),
  },
  apple: {
    // Name and address come by form only.
    parameters: { scope: 'openid email name', response_mode: 'form_post' },
    language: (tag: string) => ({ locale: tag.replace('-', '_') }),
  },
} as const
export type ProviderKind = keyof typeof kinds

/** Opens a provider; its addresses are asked for at first use. `redirectUri` is where it sends people back to. */
export const openProvider = (kind: ProviderKind, config: ProviderConfig, redirectUri: string): OpenIdProvider => {
  let known: Promise<openid.ServerMetadata> | null = null
  let keys: JWTVerifyGetKey | null = null
  const isPlain = config.issuer.startsWith('http:')
  const server = (): Promise<openid.ServerMetadata> => {
    known ??= openid
      .discovery(new URL(config.issuer), config.clientId, undefined, openid.None(), {
        execute: isPlain ? [openid.allowInsecureRequests] : [],
        timeout: timeoutSeconds,
      })
      .then((found) => found.serverMetadata())
      .catch((error: unknown) => {
        // Away now is not away for ever.
        known = null
        throw error
      })
    return known
  }
  const client = async (authentication: openid.ClientAuth): Promise<openid.Configuration> => {
    const found = new openid.Configuration(
      await server(),
      config.clientId,
      { id_token_signed_response_alg: 'RS256' },
      authentication,
    )
    found.timeout = timeoutSeconds
    if (isPlain) openid.allowInsecureRequests(found)
    // The signature too, and not only the line the token came by.
    openid.enableNonRepudiationChecks(found)
    return found
  }
  return {
    isSandbox: config.isSandbox,
    address: async ({ state, nonce, verifier }, language) =>
      openid.buildAuthorizationUrl(await client(openid.None()), {
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...kinds[kind].parameters,
        ...(language === null ? {} : kinds[kind].language(language)),
      }),
    claims: async ({ user, ...returned }, { state, nonce, verifier }) => {
      const configured = await client(openid.ClientSecretPost(await secretOf(config)))
      const address = new URL(redirectUri)
      address.search = new URLSearchParams(returned).toString()
      const tokens = await openid.authorizationCodeGrant(configured, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: text(claims['email']),
        // Apple writes it as a word.
        isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
        name: text(claims['name']) ?? nameOf(user),
      }
    },
    notice: async (signed) => {
      keys ??= createRemoteJWKSet(new URL((await server()).jwks_uri!), { timeoutDuration: timeoutSeconds * 1000 })
      const { payload } = await jwtVerify(signed, keys, {
        algorithms: ['RS256'],
        issuer: config.issuer,
        audience: config.clientId,
      })
      // A text in which the JSON is written once more.
      const { type, sub, event_time } = JSON.parse(String(payload['events'])) as Record<string, unknown>
      if (typeof type !== 'string' || typeof sub !== 'string' || typeof event_time !== 'number')
        throw new Error('A notice names no event')
      return { issuer: config.issuer, subject: sub, kind: closings.has(type) ? 'closed' : type, at: moment(event_time) }
    },
  }
}

// Both spellings of the last are about.
const closings = new Set(['consent-revoked', 'account-delete', 'account-deleted'])

// Apple's page does not say whether these are seconds or milliseconds.
const moment = (time: number): Date => new Date(time < 1e11 ? time * 1000 : time)

const timeoutSeconds = 10

/** Apple's secret is a JWT of ours, signed with the key it gave out; five minutes are enough for one exchange. */
const secretOf = async ({ clientId, issuer, secret }: ProviderConfig): Promise<string> => {
  if ('text' in secret) return secret.text
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: secret.keyId })
    .setIssuer(secret.teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(await importPKCS8(secret.privateKey, 'ES256'))
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** Apple tells the name once, beside the token: it is the person's own word, and signs nobody in. */
const nameOf = (user: string | undefined): string | null => {
  try {
    const { name } = JSON.parse(user ?? '') as { name?: { firstName?: unknown; lastName?: unknown } }
    return text([text(name?.firstName), text(name?.lastName)].filter(Boolean).join(' '))
  } catch {
    return null
  }
}
