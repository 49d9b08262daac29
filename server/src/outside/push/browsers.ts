import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent, request } from 'node:https'
import webPush from 'web-push'
import { isPublicAddress, publicLookup } from '../public-address.ts'
import { deliveryOutcome, type Outcome } from './outcome.ts'
import type { PushServices, Shown } from './push.ts'

/** Longest text in bytes that fits an encrypted message: services take 4096 (RFC 8030), of which encryption needs 103. */
const most = 3900
/** Milliseconds that a push service has for its whole answer. */
const patienceMs = 15_000

/** Browsers, each by its own push service (RFC 8030, encrypted by RFC 8291, signed by RFC 8292). */
export const browsers = ({
  publicUrl,
  mailFrom,
  pushTestOrigin,
  patience = patienceMs,
}: {
  publicUrl: string
  mailFrom: string
  patience?: number
  /** One more origin that may be a push service: a test's, on this machine. */
  pushTestOrigin: string | undefined
}): Pick<PushServices, 'mayReach' | 'toBrowser'> => {
  const isTest = (endpoint: string) => pushTestOrigin !== undefined && URL.parse(endpoint)?.origin === pushTestOrigin
  const mayReach = (endpoint: string) => isTest(endpoint) || isPublicAddress(endpoint)
  // Whom a push service writes to when something is wrong with what we send.
  const subject = publicUrl.startsWith('https:') ? publicUrl : `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mailFrom)![0]}`
  const agent = new Agent({ keepAlive: true, lookup: publicLookup, maxSockets: 20 })
  const testAgent = new HttpAgent({ keepAlive: true })

  return {
    mayReach,
    toBrowser: async ({ endpoint, p256dh, auth }, shown, { ttl, key }) => {
      if (!mayReach(endpoint)) return { state: 'failed', error: 'the address is not public' }
      let message: webPush.RequestDetails
      try {
        message = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payloadOf(shown), {
          TTL: ttl,
          urgency: 'normal',
          // What was not delivered yet is replaced by the same message, should it be sent twice. At most 32 letters.
          topic: shown.id.replaceAll('-', ''),
          vapidDetails: { subject, ...key },
        })
      } catch (error) {
        return { state: 'failed', error: (error as Error).message }
      }
      const { body, headers } = message
      return new Promise<Outcome>((resolve) => {
        // From the connection to the last byte: one that answers a byte at a time is slow, too.
        const signal = AbortSignal.timeout(patience)
        const asked = isTest(endpoint)
          ? httpRequest(endpoint, { method: 'POST', headers, agent: testAgent, signal })
          : request(endpoint, { method: 'POST', headers, agent, signal })
        asked.on('error', ({ message }) =>
          resolve({ state: 'later', error: signal.aborted ? `no answer within ${patience / 1000} s` : message }),
        )
        // Whatever comes instead of an answer ends here, such as another protocol: a message that is never told holds a worker up.
        asked.on('close', () => resolve({ state: 'later', error: 'no whole answer came' }))
        asked.on('response', (answer) => {
          answer.on('error', () => {}).resume()
          const status = answer.statusCode ?? 0
          // A redirect is not followed: it could lead where the address itself may not.
          resolve(deliveryOutcome(status, answer.headers['retry-after'], `the push service answered ${status}`))
        })
        asked.end(body)
      })
    },
  }
}

/** The message as the service worker reads it (web/public/worker.js), cut to what fits. */
const payloadOf = ({ id, title, body, url }: Shown): Buffer => {
  const write = (text: string) => Buffer.from(JSON.stringify({ id, title, body: text, url }))
  let [text, payload] = [body, write(body)]
  while (payload.length > most && text !== '') {
    text = [...text].slice(0, Math.floor(([...text].length * most) / payload.length) - 2).join('')
    payload = write(`${text}…`)
  }
  return payload
}
