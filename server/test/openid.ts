import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importSPKI,
  jwtVerify,
  SignJWT,
  type JWTPayload,
} from 'jose'
import Provider from 'oidc-provider'

/** Changes what the provider's token endpoint answers, as a forger would: claims, or the whole ID token. */
export type Forger = {
  claims?: (claims: JWTPayload) => JWTPayload
  token?: (token: string, claims: JWTPayload) => Promise<string> | string
}

/** Whom the provider vouches for. */
export type Account = { sub: string; email?: string; email_verified?: boolean | string; name?: string }

type Client = {
  clientId: string
  secret: string | { teamId: string; publicKey: string }
  redirectUri: string
}

/** A real OpenID provider (the certified `oidc-provider`) on a port of its own. Its sign-in page asks for nothing. */
export const openOpenIdProvider = async ({ clientId, secret, redirectUri }: Client) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey))
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
  let account: Account = { sub: 'nobody' }
  let forger: Forger = {}
  let asked = new URLSearchParams()

  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: typeof secret === 'string' ? secret : 'a-jwt-each-time',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['only-a-test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name'], name: ['name'] },
    // As Google and Apple do, the claims come in the ID token itself.
    conformIdTokenClaims: false,
    extraParams: ['hl', 'locale'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...account }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: account.sub })
      grant.addOIDCScope('openid email profile name')
      await grant.save()
      return grant
    },
    ttl: { Grant: 60, Session: 60, Interaction: 60, IdToken: 300, AccessToken: 60 },
  })
  if (typeof secret !== 'string')
    // Apple's way: the secret is a JWT that the client signs.
    (
      provider.Client.prototype as unknown as { compareClientSecret: (given: string) => Promise<boolean> }
    ).compareClientSecret = async (given) => {
      const key = await importSPKI(secret.publicKey, 'ES256')
      const { payload } = await jwtVerify(given, key, {
        algorithms: ['ES256'],
        issuer: secret.teamId,
        subject: clientId,
        audience: issuer,
      })
      return payload.exp! - payload.iat! <= 300
    }
  const answer = provider.callback()

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, issuer)
    if (url.pathname === '/auth') asked = url.searchParams
    if (url.pathname.startsWith('/interaction/'))
      return void (await provider.interactionFinished(request, response, { login: { accountId: account.sub } }))
    if (url.pathname === '/token') forge(response)
    void answer(request, response)
  }
  const forge = (response: ServerResponse) => {
    const end = response.end.bind(response) as (text: string) => void
    response.end = ((text: string) => {
      void forged(text, forger, privateKey, kid).then((changed) => {
        response.setHeader('content-length', Buffer.byteLength(changed))
        end(changed)
      })
      return response
    }) as never
  }

  return {
    issuer,
    /** What the last visitor was sent with. */
    asked: () => asked,
    /**
     * Goes where a browser was sent, signs in as somebody, and answers what comes back at the callback: its address, and
     * the form's fields where it comes by form.
     */
    visit: async (address: string, as: Account, by: Forger = {}) => {
      account = as
      forger = by
      const jar = new Map<string, string>()
      let at = address
      for (;;) {
        const response = await fetch(at, {
          redirect: 'manual',
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
          jar.set(name!, value!)
        }
        const next = response.headers.get('location')
        if (next === null) return { form: fieldsOf(await response.text()) }
        at = new URL(next, at).href
        if (at.startsWith(redirectUri)) return { address: at }
      }
    },
    /** Signs what the provider says unasked, such as Apple's notices. */
    sign: (claims: JWTPayload) =>
      new SignJWT({ iss: issuer, aud: clientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuedAt()
        .sign(privateKey),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type OpenIdProviderServer = Awaited<ReturnType<typeof openOpenIdProvider>>

const forged = async (text: string, { claims, token }: Forger, key: CryptoKey, kid: string): Promise<string> => {
  const body = JSON.parse(text) as { id_token?: string }
  if (body.id_token === undefined || (!claims && !token)) return text
  const told = decodeJwt(body.id_token)
  if (claims) body.id_token = await new SignJWT(claims(told)).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
  if (token) body.id_token = await token(body.id_token, told)
  return JSON.stringify(body)
}

const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
