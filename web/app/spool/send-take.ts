import type { Spool } from './spool.ts'
import type { Take } from './take.ts'

/** A request to the service with the session's right; `path` begins with a slash. Throws where nobody answers. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>

/** `sent`: the service has all of it. `gone`: it was thrown away here. `refused`: it will not be taken, with the reason. */
export type Outcome = { state: 'sent'; assetId: string } | { state: 'gone' } | { state: 'refused'; text: string }

/**
 * Sends a take from the spool while it is still being written, at its own pace, and its length when it has ended (tus 1.0 with
 * a deferred length). Goes on where the service says it stopped, as often as it must: it ends with an outcome, or when
 * `signal` is aborted. Sent by two at once, or begun twice, it is still one file: the service knows the take's id.
 */
export const sendTake = async (
  spool: Spool,
  id: string,
  {
    ask,
    signal,
    onWaiting,
    paceMs = 2000,
  }: { ask: Ask; signal: AbortSignal; onWaiting?: (waits: boolean) => void; paceMs?: number },
): Promise<Outcome> => {
  const changed = changesOf(spool, id, signal)
  /** Null until the service has said it: after a beginning, and after anything that went wrong. */
  let offset: number | null = null
  let isLengthKnown = false
  let failures = 0
  let heldSince = Date.now()
  for (;;) {
    signal.throwIfAborted()
    const take = await spool.find(id)
    if (!take) return { state: 'gone' }
    // Two requests a second carry no more than one in two; a short tail of an ended take waits for nothing.
    const isSmall = take.safeBytes - (offset ?? take.sentBytes) < leastBytes
    if (!take.isEnded && (take.safeBytes === 0 || (isSmall && Date.now() - heldSince < paceMs))) {
      await changed(paceMs)
      continue
    }
    heldSince = Date.now()
    try {
      const step: Step = await next(spool, take, { offset, isLengthKnown }, ask, signal)
      failures = 0
      onWaiting?.(false)
      if ('outcome' in step) return step.outcome
      if (step.offset === offset && !take.isEnded) await changed(paceMs)
      offset = step.offset
      isLengthKnown = step.isLengthKnown ?? false
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refused) return { state: 'refused', text: error.message }
      offset = null
      onWaiting?.(true)
      await changed.online(Math.min(10_000, 500 * 2 ** Math.min(failures++, 5)))
    }
  }
}

/** How many bytes the service has (null: not known), and whether it knows already how long the take is. */
type ServiceHas = { offset: number | null; isLengthKnown?: boolean }
type Step = ServiceHas | { outcome: Outcome }

/** One exchange with the service. Throws `Refused` where it will not have it, anything else where asking again may help. */
const next = async (
  spool: Spool,
  take: Take,
  { offset, isLengthKnown = false }: ServiceHas,
  ask: Ask,
  signal: AbortSignal,
): Promise<Step> => {
  if (take.address === null) {
    const address = await begin(take, ask, signal)
    await spool.note(take.id, { address })
    return { offset: null }
  }
  if (offset === null) return place(spool, take, take.address, ask, signal)
  const bytes = await spool.read(take.id, offset, pieceBytes)
  const end = offset + bytes.byteLength
  const isLast = take.isEnded && end === take.safeBytes
  if (bytes.byteLength === 0 && !isLast) return { offset }
  if (isLast && take.log && !take.isLogTold) await sendWordLog(spool, take, take.address, ask, signal)
  // Noted before it is said: what the service then calls whole is what we called whole.
  if (isLast) await spool.note(take.id, { isTold: true })
  const answer = await ask(take.address, {
    method: 'PATCH',
    headers: {
      ...protocol,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(isLast && !isLengthKnown ? { 'upload-length': String(end) } : {}),
    },
    body: bytes,
    signal,
  })
  if (answer.status === 404 || answer.status === 410) return again(spool, take)
  // Its length was told before: where it stands will say so.
  if (isLast && answer.status === 400) throw new Error('The service knows its length already')
  await requireTaken(answer)
  const now = Number(answer.headers.get('upload-offset'))
  await spool.note(take.id, { sentBytes: now })
  return isLast && now === end
    ? { outcome: { state: 'sent', assetId: assetIdOf(take.address) } }
    : { offset: now, isLengthKnown }
}

/** What was noted of a take, before its length: whoever looks into it has that. A log that is refused stops no take. */
const sendWordLog = async (spool: Spool, take: Take, address: string, ask: Ask, signal: AbortSignal): Promise<void> => {
  const answer = await ask(`/api/assets/${assetIdOf(address)}/log`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(take.log),
    signal,
  })
  if (passes(answer.status)) throw new Error(`The service answered ${answer.status}`)
  await spool.note(take.id, { isLogTold: true })
}

const begin = async (take: Take, ask: Ask, signal: AbortSignal): Promise<string> => {
  const named = { filename: take.fileName, filetype: take.type, takeId: take.sentAs ?? take.id }
  const metadata = Object.entries(named).map(([key, value]) => `${key} ${base64(value)}`)
  const answer = await ask('/uploads', {
    method: 'POST',
    headers: { ...protocol, 'upload-defer-length': '1', 'upload-metadata': metadata.join() },
    signal,
  })
  await requireTaken(answer)
  const address = answer.headers.get('location')
  if (address === null) throw new Error('The service named no place for the take')
  return new URL(address, 'http://service').pathname
}

/** Where the service stands. */
const place = async (spool: Spool, take: Take, address: string, ask: Ask, signal: AbortSignal): Promise<Step> => {
  const answer = await ask(address, { method: 'HEAD', headers: protocol, signal })
  if (answer.status === 404 || answer.status === 410) return again(spool, take)
  await requireTaken(answer)
  const here = Number(answer.headers.get('upload-offset'))
  const length = answer.headers.get('upload-length')
  if (length === null) {
    await spool.note(take.id, { sentBytes: here })
    // More is there than our note calls safe: it was safe, and the note was lost.
    if (here > take.safeBytes) await spool.note(take.id, { safeBytes: here })
    return { offset: here }
  }
  // Told with bytes of which the line lost the end.
  if (take.isTold && here < Number(length) && Number(length) === take.safeBytes)
    return { offset: here, isLengthKnown: true }
  if (take.isEnded && here >= take.safeBytes) return { outcome: { state: 'sent', assetId: assetIdOf(address) } }
  // The service closed it while this device was away, with less than is here.
  return anew(spool, take, crypto.randomUUID())
}

/** It is not there any more. What was whole there was thrown away, or lost: this device may have the only copy. */
const again = async (spool: Spool, take: Take): Promise<Step> => {
  if (take.isTold && take.sentBytes >= take.safeBytes)
    throw new Refused(
      'The service does not have this recording any more. Save the file if you need it, and send it as a file.',
    )
  return anew(spool, take)
}

const anew = async (spool: Spool, take: Take, sentAs = take.sentAs): Promise<Step> => {
  const changed = sentAs === undefined ? {} : { sentAs }
  await spool.note(take.id, { address: null, sentBytes: 0, isTold: false, isLogTold: false, ...changed })
  return { offset: null }
}

class Refused extends Error {}

const requireTaken = async (answer: Response): Promise<void> => {
  if (answer.ok) return
  const { status } = answer
  const text = await answer.text().catch(() => '')
  if (passes(status)) throw new Error(`The service answered ${status}`)
  throw new Refused(wordsIn(text) ?? 'The service did not take this recording.')
}

/** The session, another sender, too many at once: each goes by. */
const passes = (status: number): boolean => [401, 408, 409, 423, 429].includes(status) || status >= 500

const wordsIn = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { message?: string }).message || undefined
  } catch {
    return undefined
  }
}

const assetIdOf = (address: string): string => address.split('/').at(-1)!

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** Waits until something of the take changes, or a time is over. */
const changesOf = (spool: Spool, id: string, signal: AbortSignal) => {
  const wait = (ms: number, hears: (wake: () => void) => () => void): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        stop()
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
      const stop = hears(wake)
    })
  const changed = (ms: number) => wait(ms, (wake) => spool.listen((one) => one === id && wake()))
  return Object.assign(changed, {
    /** Until the network is said to be back, or the time is over. */
    online: (ms: number) =>
      wait(ms, (wake) => {
        globalThis.addEventListener?.('online', wake)
        return () => globalThis.removeEventListener?.('online', wake)
      }),
  })
}

const protocol = { 'tus-resumable': '1.0.0' }
/** Below that a request is hardly worth its way. */
const leastBytes = 512 * 1024
const pieceBytes = 4 * 1024 * 1024
