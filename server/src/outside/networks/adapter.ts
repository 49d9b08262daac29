import { once } from 'node:events'
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text as textOf } from 'node:stream/consumers'
import { cutText } from '@clear-to-post/domain/cut-text'
import type { Figures } from '@clear-to-post/domain/figures'
import type { FailureKind } from '@clear-to-post/domain/posting'
import type { Network, PostWords } from '@clear-to-post/domain/networks'
import { isPublicAddress, publicLookup } from '../public-address.ts'

/** What the product is to a network: the app's keys, and where its interfaces answer. */
export type AppKeys = {
  clientId: string
  clientSecret: string
  hosts: Readonly<Record<string, string>>
  isStandIn: boolean
  /** Its app may post as pages that a member administers, too, where the network asks for another app for that. */
  hasPages?: boolean
}

/** What opens an account at a network. Times are milliseconds since 1970; null: no end is told. */
export type Tokens = {
  access: string
  accessEndsAt: number | null
  refresh: string | null
  /** When the connection ends, unless it is used before and then lasts longer; null: it lasts while it is used. */
  endsAt: number | null
  /** Where the account lives, at a network of many servers: an origin. */
  server?: string
}

/** What a network sent back for a way that was begun; `verifier` is PKCE's. */
export type GivenCode = { code: string; verifier: string; redirectUri: string; now: Date }

/** What a person types in of their account: `password` is one that they made there for this app, and is kept nowhere. */
export type GivenPassword = { server: string | undefined; name: string; password: string }

/** One account or page that a person may post to. */
export type Account = { id: string; name: string; tokens: Tokens }

/** What a network gave out on the way of a post; each is kept before the next request. */
export type Handles = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The file that is posted. */
export type PostedFile = {
  bytes: number
  /** How long it is, where that is known. */
  seconds: number | null
  /** Of its bytes, as they are recorded. */
  sha256: string
  /** Both ends included; read from the disk while it is sent. */
  part: (start: number, end: number) => Promise<Blob>
  /** Points of its picture, where they are known. */
  width: number | null
  height: number | null
  /** An address that the network itself may fetch it from, good for an hour at least. */
  address: () => Promise<string>
}

/** One post as an adapter sees it. */
export type Work = {
  keys: AppKeys
  token: string
  /** Where the account lives, at a network of many servers. */
  server: string | undefined
  /** The adapter's own. */
  partBytes: number
  accountId: string
  handles: Handles
  /** Adds to the handles; they are durable when it returns. Throws when another run has taken the post over. */
  keep: (more: Handles) => Promise<void>
  file: PostedFile
  /** The picture that stands before it, where it is brought as a file. */
  cover?: { bytes: number; read: () => Promise<Blob> }
  /** What goes beside it as a file, in two forms of the same; of a language by its two letters. Null: they are gone, which is kept. */
  captions?: { language: string; read: () => Promise<{ srt: string; vtt: string } | null> }
  /** `armedAt`: when it may have been sent for the first time. */
  post: PostWords & { id: string; madeAt: Date; armedAt: Date | null }
  ask: Ask
  now: () => Date
}

/**
 * Where a post stands at its network. `absent`: proved that nothing was posted, and what was made ready is still there;
 * `expired`: proved too, and it has to be made ready anew; `refused`: proved, and the network will not post it; `unknown`: the
 * network does not say. `isTwin`: the network refused it as the same as this one, which may be another post with the same words;
 * `isFurther`: more of the file is there than when it was asked before. `id` is null where nobody can say under which one it is
 * there: then it is taken down by hand alone. Before `until` no answer is expected.
 */
export type PostAtNetwork =
  | { is: 'live'; id: string | null; address: string | null; isTwin?: boolean }
  | { is: 'processing' }
  /** It holds the video for the account's owner, who posts it in the network's own app. */
  | { is: 'handed' }
  | { is: 'absent'; isFurther?: boolean }
  | { is: 'expired' }
  | { is: 'refused'; kind: 'permanent' | 'policy'; words: string }
  | { is: 'unknown'; until?: Date }

/** The first comment below a post, as an adapter sees it. */
export type CommentWork = Pick<Work, 'keys' | 'token' | 'server' | 'accountId' | 'handles' | 'keep' | 'ask' | 'now'> & {
  /** `id`: ours, the same for each try; `postId`: the post's at the network. */
  comment: { id: string; words: string; postId: string; madeAt: Date }
}

/**
 * Where a comment stands at its network. `absent`: proved that it is not there; `unknown`: it does not say so now;
 * `untold`: it tells apps of our kind nothing of this account's comments.
 */
export type CommentAtNetwork =
  | { is: 'live'; id: string | null }
  | { is: 'absent' }
  | { is: 'unknown' }
  | { is: 'untold' }

/** How an account is connected: by a way through the browser, or with a password that its owner made there for this app. */
type Connecting =
  | {
      /** Where the browser goes to allow it; `challenge` is PKCE's S256. */
      authorize: (keys: AppKeys, asked: { state: string; challenge: string; redirectUri: string }) => string
      /** Exchanges the code for the accounts that were allowed. */
      accounts: (keys: AppKeys, ask: Ask, given: GivenCode) => Promise<Account[]>
      signIn?: undefined
    }
  | { signIn: (keys: AppKeys, ask: Ask, given: GivenPassword) => Promise<Account[]>; authorize?: undefined }

/** A network, by plain requests. Everything but `publish` may be repeated. */
export type Adapter = Connecting & {
  network: Network
  /** Where the app's interfaces are, by name. */
  hosts: Readonly<Record<string, string>>
  /** A file goes there in parts of so many bytes, where we choose. */
  partBytes: number
  /** Renews the tokens; null where the network renews none. */
  refresh: (keys: AppKeys, ask: Ask, tokens: Tokens, now: Date) => Promise<Tokens | null>
  /** Ends what a person allowed; null where the network lets only the person end it. */
  revoke: ((keys: AppKeys, ask: Ask, tokens: Tokens) => Promise<void>) | null
  /** Everything that can be done before the moment and taken back; `waiting`: to be asked again a little later. */
  prepare: (work: Work) => Promise<'ready' | 'waiting'>
  /** The one request that cannot be taken back. */
  publish: (work: Work) => Promise<PostAtNetwork>
  /** Asks the network itself; changes nothing there, or only what the network takes once. */
  find: (work: Work) => Promise<PostAtNetwork>
  /** `publish` changes something by several requests: a refusal may be of any of them, and says nothing of those before. */
  publishAsksMore?: true
  /** `publish` brings the file itself, which may take long. */
  publishBringsFile?: true
  /** `find` sends the post once more, which the network takes as the same: only while the video is still approved. */
  findSends?: true
  /** The first comment below a post; null where the network takes none from apps. Everything but `publish` may be repeated. */
  comment: {
    prepare?: (work: CommentWork) => Promise<'ready' | 'waiting'>
    /** The one request that cannot be taken back: the comment's id. */
    publish: (work: CommentWork) => Promise<string | null>
    /** Asks the network itself. */
    find: (work: CommentWork) => Promise<CommentAtNetwork>
  } | null
  /** How often posts were seen; null where the network tells apps nothing. */
  measure: {
    /** Posts that are asked about at once. */
    most: number
    /** Accounts that are asked about in a minute at most, of all people together: the app's own quota there. */
    perMinute: number
    /** What it says of these posts; one that it does not know stays absent. */
    read: (
      work: Pick<Work, 'keys' | 'token' | 'server' | 'accountId' | 'ask'>,
      postIds: readonly string[],
    ) => Promise<Map<string, Figures>>
  } | null
  takeDown:
    | ((work: Pick<Work, 'keys' | 'token' | 'server' | 'accountId' | 'ask'> & { postId: string }) => Promise<void>)
    | null
}

/** The network said no, and did nothing. `kind` is what helps; `again`: not before this moment. */
export class RefusedByNetwork extends Error {
  readonly kind: FailureKind
  readonly again: Date | null
  constructor(kind: FailureKind, message: string, again: Date | null = null) {
    super(message)
    this.kind = kind
    this.again = again
  }
}

/** No answer came, or one that does not say what was done. */
export class SilentNetwork extends Error {}

export type Answer = { status: number; headers: Headers; text: string; json: () => any }
export type Ask = (
  address: string,
  request?: {
    method?: string
    headers?: Record<string, string>
    body?: string | Blob | FormData
    /** People, or their accounts, gave this address: only a public one is asked, and no more than a megabyte of it is read. */
    isGiven?: boolean
    /** How long it may take at most, where that is less than usual. */
    withinSeconds?: number
  },
) => Promise<Answer>

/** Seconds that a request with a part of a file may take more: it comes at 8 Mbit/s at least. */
export const bringingSeconds = ({ body }: NonNullable<Parameters<Ask>[1]> = {}): number => {
  const parts = body instanceof FormData ? [...body.values()] : [body]
  return Math.ceil(parts.reduce((all, part) => all + (part instanceof Blob ? part.size : 0), 0) / 1_000_000)
}

/** Asks by HTTP with an end; throws SilentNetwork where no whole answer comes. Redirects are not followed. */
export const openAsk =
  ({ seconds = 30, fetch: fetchBy = fetch }: { seconds?: number; fetch?: typeof fetch } = {}): Ask =>
  async (address, { method = 'GET', headers = {}, body, isGiven = false, withinSeconds = seconds } = {}) => {
    try {
      const signal = AbortSignal.timeout(
        Math.ceil((Math.min(seconds, withinSeconds) + bringingSeconds({ body })) * 1000),
      )
      const named = { 'user-agent': 'ClearToPost/1.0', ...headers }
      const answer = isGiven
        ? await publicFetch(address, { method, headers: named, body: String(body ?? ''), signal })
        : body instanceof Blob
          ? await bringFile(address, { method, headers: named, body, signal })
          : await fetchBy(address, {
              method,
              headers: named,
              ...(body === undefined ? {} : { body }),
              redirect: 'manual',
              signal,
            })
      const text = await answer.text()
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: () => {
          try {
            return JSON.parse(text)
          } catch {
            throw new SilentNetwork(`${new URL(address).host} answered ${answer.status} without JSON`)
          }
        },
      }
    } catch (error) {
      if (error instanceof SilentNetwork) throw error
      // An address may hold a token: only its host is told.
      throw new SilentNetwork(`${URL.parse(address)?.host ?? 'the network'} did not answer`, {
        cause: (error as Error).name,
      })
    }
  }

/** Brings a file, read while it is sent: `fetch` would keep whatever it has sent until the end, to send it once more. */
const bringFile = async (
  address: string,
  {
    method,
    headers,
    body,
    signal,
  }: { method: string; headers: Record<string, string>; body: Blob; signal: AbortSignal },
): Promise<GivenAnswer> => {
  const ask = new URL(address).protocol === 'https:' ? httpsRequest : httpRequest
  const type = body.type === '' ? {} : { 'content-type': body.type }
  const named = { ...type, ...headers, 'content-length': String(body.size) }
  const asked = ask(address, { method, headers: named, agent: false, signal })
  // Some answer before they have it all, and hang up: their answer counts.
  asked.on('error', () => {})
  const sending = pipeline(Readable.from(body.stream()), asked)
  sending.catch(() => {})
  try {
    const [answer] = (await once(asked, 'response', { signal })) as [IncomingMessage]
    const said = await textOf(answer)
    const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return { status: answer.statusCode ?? 0, headers: new Headers(told), text: () => said }
  } finally {
    asked.destroy()
  }
}

/** A request to an address that people gave: https, resolved to public addresses alone, with an end of what is read. */
const publicFetch = (
  address: string,
  {
    method,
    headers,
    body,
    signal,
  }: { method: string; headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<GivenAnswer> => {
  if (!isPublicAddress(address)) throw new Error('the address is not public')
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const asked = httpsRequest(address, { method, headers: { ...headers, ...length }, lookup: publicLookup, signal })
  const answer = answerOf(asked)
  asked.end(method === 'GET' ? undefined : body)
  return answer
}

type GivenAnswer = Pick<Answer, 'status' | 'headers'> & { text: () => string }

/**
 * What anybody’s server answers to a request, up to a megabyte. Whatever it sends, this ends, and throws nowhere else: a
 * `Response` refuses statuses that servers may send.
 */
export const answerOf = (asked: ClientRequest): Promise<GivenAnswer> =>
  new Promise((resolve, reject) => {
    asked.on('error', reject)
    asked.on('close', () => reject(new Error('no whole answer came')))
    asked.on('upgrade', (_answer, socket) => {
      // The connection is nobody's any more: without a listener its error would end the process.
      socket.on('error', reject).destroy()
      reject(new Error('the answer is of another protocol'))
    })
    asked.on('response', (answer) => {
      const parts: Buffer[] = []
      let bytes = 0
      answer.on('error', reject)
      answer.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > mostGivenBytes) asked.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      answer.on('end', () => {
        const seconds = answer.headers['retry-after']
        // Only what a number of seconds is made of: a name or value that headers refuse would throw.
        const headers = new Headers(
          seconds !== undefined && /^\d{1,9}$/.test(seconds) ? { 'retry-after': seconds } : {},
        )
        resolve({ status: answer.statusCode ?? 0, headers, text: () => Buffer.concat(parts).toString() })
      })
    })
  })
const mostGivenBytes = 1_000_000

/**
 * Throws what an answer that is no success means: 5xx is silence, because it may have been done; 401 asks for a new sign-in, 429
 * for patience; the rest is refused for good, unless `kindOf` knows better. `busy`: try again, in some minutes where nothing is said.
 */
export const requireDone = (
  answer: Answer,
  kindOf: (answer: Answer) => FailureKind | 'busy' | null = () => null,
): Answer => {
  if (answer.status >= 200 && answer.status < 300) return answer
  const kind = kindOf(answer)
  // Whatever code stands beside it: some say so of what they did all the same.
  if (answer.status >= 500 || answer.status === 408) throw new SilentNetwork(`the network answered ${answer.status}`)
  if (kind === 'busy')
    throw new RefusedByNetwork(
      'retry',
      saidIn(answer),
      againAfter(answer) ?? new Date(Date.now() + busyMinutes * 60_000),
    )
  throw new RefusedByNetwork(kind ?? byStatus(answer.status), saidIn(answer), againAfter(answer))
}

const busyMinutes = 5

const byStatus = (status: number): FailureKind => {
  if (status === 401) return 'reauth'
  return status === 429 ? 'limit' : status === 425 ? 'retry' : 'permanent'
}

/** What a refusal says, at most 300 signs of it, without what could be a token. */
export const saidIn = (answer: Answer): string => {
  let said = answer.text
  try {
    const { error, message, error_description: description, detail } = JSON.parse(answer.text)
    const words: unknown[] = [error?.message, error?.error_user_msg, description, message, detail, error]
    said = words.find((one) => typeof one === 'string') ?? said
  } catch {
    // It is no JSON: as it stands.
  }
  // What the database takes as a text: no half of a character, and no zero.
  const plain = String(said)
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\w-]{40,}/g, '…')
  return `${cutText(plain, 300)} (${answer.status})`
}

const againAfter = ({ headers }: Answer): Date | null => {
  // X says when instead of how long.
  const reset = Number(headers.get('x-rate-limit-reset') ?? NaN) * 1000
  if (reset > Date.now()) return new Date(Math.min(reset, Date.now() + 86_400_000))
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) && seconds > 0 ? new Date(Date.now() + Math.min(seconds, 86_400) * 1000) : null
}

/** A number of what happened, as an answer holds it: in digits, or as a number. */
export const countIn = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(Math.floor(count)) && count >= 0
    ? Math.floor(count)
    : undefined
}

/** Two clocks differ by no more than this. */
export const clocksMs = 60_000

/** An address with a query. */
export const withQuery = (address: string, query: Record<string, string>): string =>
  `${address}?${new URLSearchParams(query)}`

export const basic = (name: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(name)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})
export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
export const json = { 'content-type': 'application/json; charset=utf-8' }
