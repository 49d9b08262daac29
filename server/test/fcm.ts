import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { jwtVerify } from 'jose'

/** A message as the FCM HTTP v1 API takes it; what we send of it. */
export type FcmMessage = {
  token: string
  notification: { title: string; body: string }
  data: { id: string; url: string }
  android: { ttl: string; collapse_key: string; notification: { tag: string } }
  apns: { headers: Record<string, string> }
}
export type FcmAnswer = { status: number; code?: string; headers?: Record<string, string> }

/**
 * Google's token service and FCM's HTTP v1 API for a test, as both are published: an access token for a right assertion
 * only, a message for a right access token only. `answer` says what becomes of a message; undefined: it is taken.
 */
export const openFcm = async (
  answer: (message: FcmMessage) => FcmAnswer | undefined | Promise<FcmAnswer | undefined> = () => undefined,
) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const received: FcmMessage[] = []
  const tokens = new Set<string>()
  let tokensGiven = 0
  const server = createServer(async (request, response) => {
    const say = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.url === '/token') {
      const form = new URLSearchParams(await text(request))
      const isRight = await isValid(form, publicKey, `${origin}/token`)
      if (!isRight) return say(400, { error: 'invalid_grant' })
      tokensGiven++
      const access_token = randomUUID()
      tokens.add(access_token)
      return say(200, { access_token, expires_in: 3599, token_type: 'Bearer' })
    }
    const { message } = (await json(request)) as { message: FcmMessage }
    if (request.url !== '/v1/projects/clear-test/messages:send') return say(404, errorBody(404, 'NOT_FOUND'))
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      return say(401, errorBody(401, 'UNAUTHENTICATED'))
    const given = await answer(message)
    if (given) return say(given.status, errorBody(given.status, given.code ?? 'INTERNAL'), given.headers)
    received.push(message)
    say(200, { name: `projects/clear-test/messages/${randomUUID()}` })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    received,
    tokensGiven: () => tokensGiven,
    /** Every access token has ended. */
    forgetTokens: () => tokens.clear(),
    /** What an operator configures. */
    env: {
      FCM_API_URL: origin,
      FCM_SERVICE_ACCOUNT: JSON.stringify({
        type: 'service_account',
        project_id: 'clear-test',
        client_email: 'push@clear-test.iam.gserviceaccount.com',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: `${origin}/token`,
      }),
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const isValid = async (form: URLSearchParams, key: KeyObject, audience: string): Promise<boolean> => {
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return false
  const { payload } = await jwtVerify(form.get('assertion') ?? '', key, {
    audience,
    issuer: 'push@clear-test.iam.gserviceaccount.com',
    maxTokenAge: '1h',
  }).catch(() => ({ payload: {} as { scope?: unknown } }))
  return payload.scope === 'https://www.googleapis.com/auth/firebase.messaging'
}

/** As the API writes errors: the status in words, and FCM's own code in the details. */
const errorBody = (code: number, errorCode: string) => ({
  error: {
    code,
    message: 'Not like this.',
    status: errorCode === 'UNREGISTERED' ? 'NOT_FOUND' : errorCode,
    details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
  },
})
