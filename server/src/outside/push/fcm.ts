import { cutText } from '@clear-to-post/domain/cut-text'
import { importPKCS8, SignJWT } from 'jose'
import type { FcmAccount } from '../../kernel/config-outside.ts'
import { deliveryOutcome, type Outcome } from './outcome.ts'
import type { PushServices, Shown } from './push.ts'

const patience = 15_000

/**
 * Phones by Firebase Cloud Messaging (HTTP v1). The account's key signs an assertion (RFC 7523), for which Google gives
 * an access token of an hour.
 */
export const fcm = (account: FcmAccount, publicUrl: string): NonNullable<PushServices['toPhone']> => {
  let kept: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined
  const accessToken = (): Promise<string> | string => {
    if (kept && kept.until > Date.now()) return kept.token
    asking ??= askToken(account)
      .then(({ token, seconds }) => {
        kept = { token, until: Date.now() + (seconds - 300) * 1000 }
        return token
      })
      .finally(() => (asking = undefined))
    return asking
  }

  return async (token, shown, { ttl }) => {
    try {
      const answer = await fetch(`${account.apiUrl}/v1/projects/${account.projectId}/messages:send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: messageOf(token, shown, ttl, publicUrl) }),
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      })
      const text = await answer.text()
      if (answer.status === 401) kept = undefined
      return answered(answer.status, answer.headers.get('retry-after') ?? undefined, text)
    } catch (error) {
      return error instanceof Refused
        ? { state: 'later', error: error.message, ...(error.retryAt ? { retryAt: error.retryAt } : {}) }
        : { state: 'later', error: (error as Error).message }
    }
  }
}

/** Google gave no access token. */
class Refused extends Error {
  readonly retryAt: Date | undefined
  constructor(message: string, retryAt: Date | undefined) {
    super(message)
    this.retryAt = retryAt
  }
}

const askToken = async ({ clientEmail, privateKey, tokenUrl }: FcmAccount) => {
  const assertion = await new SignJWT({ scope: 'https://www.googleapis.com/auth/firebase.messaging' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(privateKey, 'RS256'))
  const answer = await fetch(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
  const read = (await answer.json().catch(() => ({}))) as { access_token?: string; expires_in?: number }
  if (!answer.ok || !read.access_token) {
    const outcome = deliveryOutcome(answer.status, answer.headers.get('retry-after') ?? undefined, '')
    throw new Refused(
      `FCM gave no access token (${answer.status}): look at FCM_SERVICE_ACCOUNT`,
      outcome.state === 'later' ? outcome.retryAt : undefined,
    )
  }
  return { token: read.access_token, seconds: read.expires_in ?? 3600 }
}

/** `id` as tag and collapse key: a message that comes twice takes its own place. */
const messageOf = (token: string, { id, title, body, url }: Shown, ttl: number, publicUrl: string) => ({
  token,
  notification: { title, body: body.length > 1000 ? `${cutText(body, 999)}…` : body },
  data: { id, url },
  android: { ttl: `${ttl}s`, collapse_key: id, notification: { tag: id } },
  apns: {
    headers: { 'apns-collapse-id': id, 'apns-expiration': String(Math.floor(Date.now() / 1000) + ttl) },
    payload: { aps: { 'thread-id': id } },
  },
  ...(publicUrl.startsWith('https:') && url.startsWith('/')
    ? { webpush: { fcm_options: { link: publicUrl + url } } }
    : {}),
})

/** FCM's own codes say more than the status: a token is gone by UNREGISTERED, and a 404 may be a wrong project. */
const answered = (status: number, retryAfter: string | undefined, text: string): Outcome => {
  const found = [...text.matchAll(/"(?:errorCode|status)":\s*"([A-Z_]+)"/g)].map(([, code]) => code!)
  const codes = [...new Set(found)]
  const error = `FCM answered ${status} ${codes.join(' ')}`.trim()
  if (codes.includes('UNREGISTERED') || codes.includes('SENDER_ID_MISMATCH')) return { state: 'gone', error }
  // The account's own trouble passes when the operator mends it; the message is not at fault.
  if (status === 401 || status === 403 || status === 404) return { state: 'later', error }
  return deliveryOutcome(status, retryAfter, error)
}
