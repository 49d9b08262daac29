import { createHmac, randomBytes } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { openSeal, type Seal } from './sealed.ts'
import { isPublicAddress, publicLookup } from './public-address.ts'
import { retryMoment } from './push/outcome.ts'

/** One message on its way, to the letter. `secrets`: each signs it. */
export type WebhookRequest = { url: string; messageId: string; body: string; secrets: readonly string[] }

/**
 * What became of it. `status`: what was answered, null where nothing was, and `error` says why; `answer`: how the answer
 * began; `retryAt`: not before this moment, where it says so.
 */
export type WebhookOutcome = { status: number | null; error: string | null; answer: string; retryAt: Date | null }

export type WebhookSender = {
  /** Whether an address may be an endpoint. */
  mayReach: (url: string) => boolean
  /** Posts it once, by Standard Webhooks. Ends within `webhookPatienceMs`. Never throws. */
  post: (message: WebhookRequest) => Promise<WebhookOutcome>
  /** For secrets of endpoints. */
  seal: Seal
}

/** Milliseconds that an endpoint has for its answer. */
export const webhookPatienceMs = 15_000
/** Milliseconds for how an answer that has begun goes on; what it says does not matter. */
const answerMs = 2000
/** Bytes of an answer that are read, and letters that are kept. */
const [mostRead, mostKept] = [4096, 500]

let opened: WebhookSender | undefined

/** Opens the way out for this process: jobs and calls find it by `webhookSender()`. */
export const openWebhooks = async (config: {
  dataDir: string
  connectionKeys: readonly string[]
  webhookTestOrigin: string | undefined
  webhookPatienceMs?: number
}): Promise<void> => {
  const { webhookTestOrigin: testOrigin, webhookPatienceMs: patience = webhookPatienceMs } = config
  const isTest = (url: string) => testOrigin !== undefined && URL.parse(url)?.origin === testOrigin
  const mayReach = (url: string) => isTest(url) || isPublicAddress(url)
  // A connection for each message: a receiver that broke one off hears the next all the same.
  const agent = new Agent({ lookup: publicLookup })
  const testAgent = new HttpAgent()
  opened = {
    mayReach,
    seal: await openSeal(config.dataDir, config.connectionKeys),
    post: async ({ url, messageId, body, secrets }) => {
      if (!mayReach(url)) return failed('the address is not public')
      return new Promise<WebhookOutcome>((resolve) => {
        const signal = AbortSignal.timeout(patience)
        const options = { method: 'POST', headers: headersOf({ messageId, body, secrets }), signal }
        const asked = isTest(url)
          ? httpRequest(url, { ...options, agent: testAgent })
          : request(url, { ...options, agent })
        let isAnswered = false
        const without = (error: string) => isAnswered || resolve(failed(error))
        asked.on('error', (error) =>
          without(signal.aborted ? `no answer within ${patience / 1000} s` : reasonOf(error)),
        )
        // Whatever comes instead of an answer ends here, such as another protocol.
        asked.on('close', () => without('no whole answer came'))
        // A redirect is not followed: it could lead where the address itself may not.
        asked.on('response', (answer) => {
          // The status says it all: what breaks off afterwards takes nothing of it back.
          isAnswered = true
          void beginningOf(answer).then((text) => {
            asked.destroy()
            const retryAt = retryMoment(answer.headers['retry-after'], Date.now()) ?? null
            resolve({ status: answer.statusCode ?? 0, error: null, answer: text, retryAt })
          })
        })
        asked.end(body)
      })
    },
  }
}

export const webhookSender = (): WebhookSender => {
  if (!opened) throw new Error('openWebhooks() was not called')
  return opened
}

const failed = (error: string): WebhookOutcome => ({
  status: null,
  error: error.slice(0, mostKept),
  answer: '',
  retryAt: null,
})

/** Why a message did not reach its program, for whoever runs it; what is not known here as the machine says it. */
export const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'its certificate is not valid for this address'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'it does not speak HTTPS'
  return reasons[code] ?? message
}
const reasons: Record<string, string> = {
  ENOTFOUND: 'the name in its address was not found',
  EAI_AGAIN: 'the name in its address could not be looked up',
  ECONNREFUSED: 'nothing takes connections at its address',
  EHOSTUNREACH: 'its address cannot be reached',
  ENETUNREACH: 'its address cannot be reached',
  ETIMEDOUT: 'its address does not answer',
  ECONNRESET: 'the connection was broken off before an answer',
}

/** A new secret, as whoever checks signatures writes it down. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const headersOf = ({ messageId, body, secrets }: Omit<WebhookRequest, 'url'>) => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'ClearToPost-Webhooks/1',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signatureOf(secret, `${messageId}.${timestamp}.${body}`)).join(' '),
  }
}

const signatureOf = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')}`

/** How an answer begins, as text that can be kept; however long it is or takes. */
const beginningOf = (answer: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const done = () => {
      clearTimeout(late)
      const text = Buffer.concat(parts).subarray(0, mostRead).toString('utf8')
      resolve([...text.replaceAll(unkept, ' ').trim()].slice(0, mostKept).join(''))
    }
    const late = setTimeout(done, answerMs)
    answer.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size >= mostRead) done()
    })
    for (const end of ['end', 'error', 'close'] as const) answer.on(end, done)
  })

// Controls but line ends, marks that turn what stands around them, and halves of letters.
const unkept = /[\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFD]|(?![\n\t])\p{Cc}/gu
