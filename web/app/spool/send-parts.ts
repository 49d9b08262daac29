import { assets } from '@clear-to-post/contract/assets'
import type { CallAnswer, CallInput } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { stretchesToSend, uploadParts, type Stretch } from '@clear-to-post/domain/upload-parts'

type Answer = CallAnswer<typeof assets.sendParts>
type Address = Answer['addresses'][number]

/** The call of this upload, as its sender. */
export type AskForParts = (body: CallInput<typeof assets.sendParts>['body']) => Promise<Answer>
/** Puts a part to its address. Rejects where it was not taken, whatever the reason. */
export type PutPart = (
  address: Address,
  bytes: Blob,
  watch: { signal: AbortSignal; onSent: (bytes: number) => void },
) => Promise<void>

/** More connections to one host than browsers make wait in line. */
const atOnce = Math.min(6, uploadParts.atOnce)
/** So often in a row the bucket took no part, while the service answered: it is not reached from here. */
const mostFailures = 3

/**
 * Sends a file in parts straight to the bucket, as far as it is not there yet. `otherwise`: the bucket is not reached from here,
 * and what has come is kept for another way. Throws what the service refuses, where it does not answer, and when `signal` is
 * aborted; whoever begins again goes on where it stopped.
 */
export const sendParts = async (
  file: Blob,
  {
    ask,
    put,
    signal,
    onSent,
  }: { ask: AskForParts; put: PutPart; signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<'whole' | 'otherwise'> => {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const onTheirWay = new Map<string, { part: Stretch; sent: number; ends: Promise<void> }>()
  let done: string[] = []
  let stood: Stretch[] = []
  let failures = 0
  let hasFailed = false
  let now: Answer | undefined

  const show = (): void => {
    if (!now) return
    const sending = [...onTheirWay.values()].reduce((sum, { sent }) => sum + sent, 0)
    onSent(Math.min(file.size, bytesIn(now) + stood.reduce((sum, { bytes }) => sum + bytes, sending)))
  }
  const begin = (address: Address): void => {
    const { partId, at, bytes } = address
    const own = { part: { at, bytes }, sent: 0, ends: Promise.resolve() }
    const watch = { signal: either, onSent: (sent: number) => void ((own.sent = Math.min(sent, bytes)), show()) }
    own.ends = put(address, file.slice(at, at + bytes), watch).then(
      () => {
        onTheirWay.delete(partId)
        done.push(partId)
        stood.push(own.part)
      },
      () => {
        onTheirWay.delete(partId)
        hasFailed = true
      },
    )
    onTheirWay.set(partId, own)
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      // What the bucket did not take is asked for anew; and who is overtaken takes over again.
      const told: string[] = done
      done = []
      const open = [...[...onTheirWay.values()].map(({ part }) => part), ...stood]
      const next = now ? stretchesToSend(file.size, { received: now.receivedBytes, here: [...now.here, ...open] }) : []
      const wanted = await Promise.all(
        next.slice(0, atOnce - onTheirWay.size).map(async (part) => ({ ...part, sha256: await hashOf(file, part) })),
      )
      const before = now ? bytesIn(now) : 0
      now = await ask({ ...(now ? { writer: now.writer } : {}), put: told, next: wanted })
      if (now.isWhole) return 'whole'
      // What was just told is counted, or has to be sent again.
      stood = stood.slice(told.length)
      if (bytesIn(now) > before) failures = 0
      else if (hasFailed || told.length > 0) failures++
      if (failures >= mostFailures) return 'otherwise'
      hasFailed = false
      now.addresses.forEach(begin)
      show()
      if (onTheirWay.size > 0 && done.length === 0) await Promise.race([...onTheirWay.values()].map(({ ends }) => ends))
    }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'asset.no-parts') return 'otherwise'
    throw error
  } finally {
    ended.abort()
  }
}

const bytesIn = ({ receivedBytes, here }: Answer): number => here.reduce((sum, { bytes }) => sum + bytes, receivedBytes)

const hashOf = async (file: Blob, { at, bytes }: Stretch): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await file.slice(at, at + bytes).arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Puts a part as a page does, which hears how far it has come. */
export const putByPage: PutPart = ({ url, headers }, bytes, { signal, onSent }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new Error(`The bucket answered ${request.status}`))
    request.onerror = request.ontimeout = request.onabort = () => reject(new Error('The bucket did not answer'))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    // A line that broke without a word: a part that takes longer is asked for anew, smaller files' lines are no slower.
    request.timeout = uploadParts.seconds * 1000
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(bytes)
  })
