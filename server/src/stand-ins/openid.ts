import { createHash, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sandboxClient } from '../kernel/config-outside.ts'

/** What a browser or a server asked of the sandbox: `form` is a POST's body. */
export type SandboxRequest = { path: string; query: URLSearchParams; form: URLSearchParams | null }
export type SandboxReply = { json: unknown; status?: number } | { html: string; status?: number } | { redirect: string }

/**
 * A small OpenID provider that asks for no account: whoever opens it writes a name and an address and is that person.
 * Authorization code flow with PKCE, RS256, both response modes. It stands in for Google and Apple while nobody has
 * configured them, keeps everything in memory, and must never be open to others.
 */
export const openSandbox = (issuer: string, name: string) => {
  let made: ReturnType<typeof newKey> | undefined
  // An RSA key takes a tenth of a second: it is made for whoever signs in first.
  const ownKey = () => (made ??= newKey())
  const codes = new Map<string, { query: URLSearchParams; person: Person; endsAt: number }>()

  const authorize = (query: URLSearchParams): SandboxReply =>
    query.get('client_id') === sandboxClient.clientId && isOurs(query.get('redirect_uri'), issuer)
      ? { html: askPage(name, query) }
      : { html: page(name, '<p>This request is not from this server.</p>'), status: 400 }

  const decide = (query: URLSearchParams, form: URLSearchParams): SandboxReply => {
    if (!isOurs(query.get('redirect_uri'), issuer)) return authorize(query)
    const email = (form.get('email') ?? '').trim().toLowerCase()
    const answer = new URLSearchParams({ state: query.get('state') ?? '', iss: issuer })
    if (form.get('decision') !== 'go' || !email.includes('@')) answer.set('error', 'access_denied')
    else {
      const code = randomBytes(32).toString('base64url')
      const person = { email, name: (form.get('name') ?? '').trim() }
      codes.set(code, { query, person, endsAt: Date.now() + 60_000 })
      answer.set('code', code)
      const [firstName, ...rest] = person.name.split(' ')
      if (query.get('response_mode') === 'form_post')
        answer.set('user', JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, email }))
    }
    const address = query.get('redirect_uri')!
    return query.get('response_mode') === 'form_post'
      ? { html: formPage(name, address, answer) }
      : { redirect: `${address}?${answer}` }
  }

  const token = async (form: URLSearchParams): Promise<SandboxReply> => {
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      given !== undefined &&
      given.endsAt > Date.now() &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === sandboxClient.clientId &&
      given.query.get('redirect_uri') === form.get('redirect_uri') &&
      given.query.get('code_challenge') === challenge
    if (!isRight) return { json: { error: 'invalid_grant' }, status: 400 }
    const { query, person } = given
    const isForm = query.get('response_mode') === 'form_post'
    const { kid, privateKey } = await ownKey()
    const idToken = new SignJWT({
      nonce: query.get('nonce'),
      email: person.email,
      email_verified: true,
      // As Apple does, whose tokens hold no name.
      ...(isForm ? {} : { name: person.name }),
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setAudience(sandboxClient.clientId)
      .setSubject(createHash('sha256').update(person.email).digest('hex').slice(0, 24))
      .setIssuedAt()
      .setExpirationTime('5m')
    return {
      json: { access_token: 'none', token_type: 'Bearer', expires_in: 60, id_token: await idToken.sign(privateKey) },
    }
  }

  /** Answers one request below the issuer's path; null for an unknown one. */
  return async ({ path, query, form }: SandboxRequest): Promise<SandboxReply | null> => {
    for (const [code, { endsAt }] of codes) if (endsAt < Date.now()) codes.delete(code)
    if (path === '/.well-known/openid-configuration') return { json: configuration(issuer) }
    if (path === '/keys') return { json: { keys: [(await ownKey()).published] } }
    if (path === '/authorize') return form ? decide(query, form) : authorize(query)
    return path === '/token' && form ? token(form) : null
  }
}

type Person = { email: string; name: string }

const newKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, published: { ...jwk, kid, alg: 'RS256', use: 'sig' } }
}

const configuration = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  authorization_response_iss_parameter_supported: true,
})

// Codes go to the server that the sandbox is part of, and nowhere else.
const isOurs = (address: string | null, issuer: string): boolean =>
  URL.parse(address ?? '')?.origin === new URL(issuer).origin

const askPage = (name: string, query: URLSearchParams): string =>
  page(
    name,
    `<p>This page stands in for ${name}, because this server has no ${name} account of its own. Be whoever you like; nothing leaves this machine.</p>
<form method="post" action="?${escape(query.toString())}">
<label>Name<input name="name" autocomplete="off" value="Sam Sandbox" required></label>
<label>E-mail<input name="email" type="email" autocomplete="off" value="sam@sandbox.test" required></label>
<p class="buttons"><button name="decision" value="stop" formnovalidate>Cancel</button>
<button name="decision" value="go" class="main">Continue</button></p></form>`,
  )

const formPage = (name: string, address: string, answer: URLSearchParams): string =>
  page(
    name,
    `<form method="post" action="${escape(address)}">
${[...answer].map(([key, value]) => `<input type="hidden" name="${escape(key)}" value="${escape(value)}">`).join('\n')}
<p class="buttons"><button class="main">Go back to Clear to Post</button></p></form>
<script src="/dev/sign-in/submit.js"></script>`,
  )

const page = (name: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandbox for ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="stylesheet" href="/dev/sign-in/sandbox.css"></head>
<body><main><p class="mark">Sandbox</p><h1>Sign in as ${name} would</h1>
${body}</main></body></html>`

export const sandboxFiles: Record<string, { type: string; text: string }> = {
  'submit.js': { type: 'text/javascript; charset=utf-8', text: 'document.forms[0].submit()\n' },
  'sandbox.css': {
    type: 'text/css; charset=utf-8',
    text: `:root { color-scheme: light dark }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1c2733, #e8ecf4); background: light-dark(#fff7e0, #2a2208) }
main { max-width: 400px; margin: 0 auto }
h1 { font-size: 22px; margin: 8px 0 }
.mark { display: inline-block; margin: 0; padding: 2px 10px; border-radius: 4px; font-weight: 700; color: #fff; background: #8a4b00 }
label { display: block; margin: 16px 0 }
input { display: block; box-sizing: border-box; width: 100%; min-height: 44px; padding: 0 12px; font: inherit; border: 1px solid #7d7358; border-radius: 6px }
.buttons { display: flex; gap: 12px; justify-content: flex-end }
button { min-height: 44px; padding: 0 20px; font: inherit; border: 1px solid #7d7358; border-radius: 6px }
.main { font-weight: 600; color: #fff; background: #8a4b00; border-color: #8a4b00 }
`,
  },
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
