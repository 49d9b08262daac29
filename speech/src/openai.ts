import { setTimeout as sleep } from 'node:timers/promises'
import { levelsOf, quietIn } from './sound.ts'
import { spread, TranscriberTrouble, wav, type HeardWord, type Transcriber } from './transcriber.ts'

export type Endpoint = {
  /** Up to and without `/audio/transcriptions`: `https://api.example.com/v1`. */
  url: string
  /** Sent as a bearer token; many local servers want none. */
  key?: string
  model: string
  /** For one answer; 5 minutes unless told. */
  timeoutMs?: number
  /** How often a busy or unreachable server is asked again; 3 unless told. */
  retries?: number
  /** The longest wait between two tries; 60 s unless told. */
  longestWaitMs?: number
}

/** Servers take 25 MB; ten minutes of our sound are 19. */
const pieceMs = 10 * 60_000
const mostAnswer = 16 * 2 ** 20

/** Any server that speaks OpenAI's transcription call (`verbose_json` with the times of words). */
export function openAiTranscriber(endpoint: Endpoint): Transcriber {
  return {
    name: new URL(endpoint.url).host,
    async hear({ samples, prompt, signal }) {
      const words: HeardWord[] = []
      for (const { start, end } of await pieces(samples)) {
        const heard = await ask(endpoint, samples.subarray(start * 16, end * 16), prompt, signal)
        words.push(...heard.map((word) => ({ ...word, start: word.start + start, end: word.end + start })))
      }
      return words
    },
  }
}

/** Long recordings in pieces, parted in the last silence of each. */
async function pieces(samples: Int16Array): Promise<{ start: number; end: number }[]> {
  const whole = Math.floor(samples.length / 16)
  const list: { start: number; end: number }[] = []
  if (whole <= pieceMs) return [{ start: 0, end: whole }]
  const levels = await levelsOf(samples)
  let start = 0
  while (whole - start > pieceMs) {
    const quiet = quietIn(levels, start + pieceMs / 2, start + pieceMs, 200).at(-1)
    const end = quiet ? Math.round((quiet.start + quiet.end) / 20) * 10 : start + pieceMs
    list.push({ start, end })
    start = end
  }
  return [...list, { start, end: whole }]
}

async function ask(
  endpoint: Endpoint,
  samples: Int16Array,
  prompt: string | undefined,
  signal: AbortSignal | undefined,
): Promise<HeardWord[]> {
  const form = new FormData()
  form.set('file', new Blob([wav(samples)], { type: 'audio/wav' }), 'voice.wav')
  form.set('model', endpoint.model)
  form.set('language', 'en')
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'word')
  form.append('timestamp_granularities[]', 'segment')
  if (prompt) form.set('prompt', prompt)
  // Encoded once: a stream that is called off half-way makes Node reject where nobody can catch it.
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type')!
  const body = await encoded.arrayBuffer()
  const retries = endpoint.retries ?? 3
  for (let tried = 0; ; tried++) {
    signal?.throwIfAborted()
    const { words, trouble, waitMs } = await once(endpoint, { type, body }, signal)
    if (words) return words
    if (tried >= retries || trouble.reason === 'refused' || trouble.reason === 'nonsense') throw trouble
    const wait = waitMs ?? 1000 * 2 ** tried
    await sleep(Math.min(wait, endpoint.longestWaitMs ?? 60_000), undefined, { signal }).catch(() =>
      signal?.throwIfAborted(),
    )
  }
}

type Answer =
  | { words: HeardWord[]; trouble?: never; waitMs?: never }
  | { words?: never; trouble: TranscriberTrouble; waitMs?: number }

async function once(
  endpoint: Endpoint,
  sent: { type: string; body: ArrayBuffer },
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const clock = AbortSignal.timeout(endpoint.timeoutMs ?? 300_000)
  let response: Response
  let body: string
  try {
    response = await fetch(`${endpoint.url.replace(/(?<!\/)\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      body: sent.body,
      headers: {
        accept: 'application/json',
        'content-type': sent.type,
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
      // A key must not wander to where a server points.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, clock]) : clock,
    })
    body = await limited(response)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof TranscriberTrouble) return { trouble: error }
    const why = clock.aborted ? 'no answer in time' : String((error as Error).cause ?? error)
    return { trouble: new TranscriberTrouble('unreachable', why, { cause: error }) }
  }
  if (response.ok) {
    const words = wordsOf(body)
    return words
      ? { words }
      : { trouble: new TranscriberTrouble('nonsense', `not a transcript: ${body.slice(0, 200)}`) }
  }
  const detail = `${response.status} ${messageOf(body)}`
  const busy = response.status === 429 || response.status === 408 || response.status >= 500
  // An account without money answers 429 for ever.
  if (!busy || /insufficient_quota/.test(body)) return { trouble: new TranscriberTrouble('refused', detail) }
  return { trouble: new TranscriberTrouble('busy', detail), waitMs: retryAfter(response.headers.get('retry-after')) }
}

async function limited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostAnswer) throw new TranscriberTrouble('nonsense', 'the answer does not end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Seconds, or a date. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

function messageOf(body: string): string {
  try {
    return String(JSON.parse(body).error?.message ?? body)
  } catch {
    return body
  }
}

type Verbose = {
  words?: { word?: unknown; start?: unknown; end?: unknown; probability?: unknown }[]
  segments?: { text?: unknown; start?: unknown; end?: unknown; avg_logprob?: unknown; words?: Verbose['words'] }[]
}

/** `verbose_json`: words with seconds, beside the segments or (some servers) inside them; else segments alone. */
function wordsOf(body: string): HeardWord[] | undefined {
  let told: Verbose
  try {
    told = JSON.parse(body)
  } catch {
    return undefined
  }
  if (typeof told !== 'object' || told === null) return undefined
  const segments = Array.isArray(told.segments) ? told.segments : []
  const sure = (seconds: number) => {
    const within = segments.find(({ start, end }) => Number(start) <= seconds && seconds < Number(end))
    const log = Number(within?.avg_logprob)
    return Number.isFinite(log) ? Math.min(0.99, Math.max(0.05, Math.exp(log))) : 0.7
  }
  const timed = Array.isArray(told.words)
    ? told.words
    : segments.flatMap(({ words }) => (Array.isArray(words) ? words : []))
  const words = timed.flatMap(({ word, start, end, probability }): HeardWord[] => {
    const [from, to] = [Math.round(Number(start) * 1000), Math.round(Number(end) * 1000)]
    const text = String(word ?? '').trim()
    if (!text || !Number.isFinite(from) || !Number.isFinite(to) || from < 0) return []
    const p = Number(probability)
    return [{ text, start: from, end: Math.max(to, from + 1), confidence: p > 0 && p <= 1 ? p : sure(from / 1000) }]
  })
  if (words.length > 0) return words
  if (!Array.isArray(told.segments)) return Array.isArray(told.words) ? [] : undefined
  return segments.flatMap(({ text, start, end }) =>
    Number(end) > Number(start)
      ? spread(String(text ?? ''), Number(start) * 1000, Number(end) * 1000, sure(Number(start)))
      : [],
  )
}
