import { useSyncExternalStore } from 'react'
import { requestId } from '@clear-to-post/contract/client'
import { assets } from '@clear-to-post/contract/assets'
import { queryClient, send } from '../../api.ts'
import { currentSession, onSignedOut } from '../../session.ts'
import { keepFile, keptFile, keptFilesOf, letGo, type KeptFile } from './kept-files.ts'
import { messages } from './messages.ts'

/**
 * A file on its way to the service, in this tab or another one.
 * `sending` runs; `paused` waits for the network and goes on by itself; `elsewhere` is another tab's work;
 * `sent` is with the service whole (its asset tells what happens then); `refused` will not be taken, `error` says why.
 */
export type Upload = {
  key: string
  fileName: string
  fileSize: number
  state: 'sending' | 'paused' | 'elsewhere' | 'sent' | 'refused'
  sentBytes: number
  /** When `sent` was reached, in `Date.now()` time. */
  sentAt?: number
  secondsLeft: number | null
  /** The service's id of the file, as soon as it has begun. */
  assetId: string | null
  /** The staff's cut of this project; absent for an officer's new video. */
  projectId?: string | undefined
  error?: string
  /** A take of the recorder's: `left` is what a page that ended in the middle of it left here. */
  take?: { begunAt: number; ms: number; stands: 'recording' | 'left' | 'ended' }
  /** Only for the page that chose it: previews. */
  file?: File
  /** The browser kept no copy: a reload would need the same file again. */
  isFragile: boolean
}

/** All uploads this browser knows of, oldest first. */
export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads)

/** Starts at once; answers the key that `discardUpload` takes. */
export const startUpload = (
  file: File,
  {
    projectId,
    key = requestId(),
    onKept,
  }: { projectId?: string; key?: string; onKept?: (isKept: boolean) => void } = {},
): string => {
  const { user } = currentSession()
  if (user === null) throw new Error('Uploads need a signed-in person')
  const kept: KeptFile = { key, userId: user.id, file, projectId }
  if (file.size > largest || file.size === 0) {
    add(kept, { state: 'refused', error: file.size === 0 ? messages.emptyFile : messages.tooLarge })
    onKept?.(true)
    return kept.key
  }
  add(kept, { state: 'sending' })
  // The copy is made while the upload already runs.
  void keepFile(kept).then((isKept) => {
    change(kept.key, { isFragile: !isKept })
    onKept?.(isKept)
  })
  void run(kept)
  return kept.key
}

/** Goes on with what an earlier page of this person left; called by the panel. Other tabs' uploads stay theirs until they close. */
export const resumeUploads = async (userId: string): Promise<void> => {
  // Few devices have recorded anything: the others need not load what sends it.
  void hasRecorded().then(async (has) => has && (await import('./takes.ts')).resumeTakes(userId))
  for (const kept of await keptFilesOf(userId)) {
    if (uploads.some(({ key }) => key === kept.key)) continue
    const isElsewhere = await isHeld(`upload ${kept.key}`)
    add(kept, { state: isElsewhere ? 'elsewhere' : 'paused', assetId: idOf(kept.uploadUrl) })
    void run(kept)
  }
}

/** Whether another tab has this in hand. */
const isHeld = async (name: string): Promise<boolean> => {
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some((lock) => lock.name === name)
}

/** Throws the file away, here and at the service. */
export const discardUpload = async (key: string): Promise<void> => {
  if (uploadNamed(key)?.take) return (await import('./takes.ts')).dropTake(key)
  const assetId = uploads.find((upload) => upload.key === key)?.assetId
  forgetUpload(key)
  if (assetId) await send(assets.discard, { params: { assetId } }).catch(() => undefined)
  void queryClient.invalidateQueries({ queryKey: ['assets'] })
}

/** Takes it out of the list without touching the service: it was refused, or somebody else shows it now. */
export const forgetUpload = (key: string): void => {
  running.get(key)?.()
  running.delete(key)
  void letGo(key)
  uploads = uploads.filter((upload) => upload.key !== key)
  notifyListeners()
}

/** The upload of this key, if it is shown. */
export const uploadNamed = (key: string): Upload | undefined => uploads.find((upload) => upload.key === key)

/** Shows an upload that others send (takes.ts). */
export const putUpload = (upload: Upload): void => {
  uploads = [...uploads.filter(({ key }) => key !== upload.key), upload]
  notifyListeners()
}

export const changeUpload = (key: string, part: Partial<Upload>): void => change(key, part)

/** What of this device alone would be lost with it: a take, that nobody can film again, or a file that is on its way. */
export const onlyHere = (): 'take' | 'file' | null => {
  const here = uploads.filter(
    ({ state, take }) => state === 'sending' || state === 'paused' || (take !== undefined && state === 'refused'),
  )
  return here.some(({ take }) => take !== undefined) ? 'take' : here.length > 0 ? 'file' : null
}

/** Asked of the database itself: what localStorage was told in a browser's last seconds dies with it. */
const hasRecorded = async (): Promise<boolean> => {
  const known = await globalThis.indexedDB?.databases?.().catch(() => undefined)
  return known === undefined || known.some(({ name }) => name === 'takes')
}

const largest = 4 * 1024 ** 3

let uploads: readonly Upload[] = []
const listeners = new Set<() => void>()
/** Stops the upload of a key. */
const running = new Map<string, () => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notifyListeners = (): void => {
  for (const listener of listeners) listener()
}

const add = ({ key, file, projectId }: KeptFile, more: Partial<Upload> & Pick<Upload, 'state'>): void => {
  const blank = { sentBytes: 0, secondsLeft: null, assetId: null, isFragile: false }
  uploads = [...uploads, { key, fileName: file.name, fileSize: file.size, file, projectId, ...blank, ...more }]
  notifyListeners()
}

const change = (key: string, part: Partial<Upload>): void => {
  uploads = uploads.map((upload) => (upload.key === key ? { ...upload, ...part } : upload))
  notifyListeners()
}

type Sender = typeof import('./send-file.ts')

/** Fetched when a page with uploads opens: most visits send nothing. Waits when even that does not come through. */
export const loadSender = (): Promise<Sender> => import('./send-file.ts')

const sender = async (key: string, stop: AbortSignal): Promise<Sender> => {
  try {
    return await loadSender()
  } catch (error) {
    if (stop.aborted) throw error
    change(key, { state: 'paused' })
    await new Promise((resume) => setTimeout(resume, 4000))
    return sender(key, stop)
  }
}

/** One tab at a time sends a file; when that tab closes, the next one takes over where it stopped. */
const run = async (kept: KeptFile): Promise<void> => {
  const stop = new AbortController()
  running.set(kept.key, () => stop.abort())
  const work = async () => {
    if (stop.signal.aborted) return
    const isOurs = uploads.some(({ key, state }) => key === kept.key && state === 'sending')
    const latest = isOurs ? kept : await keptFile(kept.key)
    // The other tab finished it, or it was thrown away there.
    if (latest === undefined) return forgetUpload(kept.key)
    change(kept.key, { state: 'sending' })
    const { sendFile } = await sender(latest.key, stop.signal)
    await sendFile(latest, stop.signal)
  }
  void learnId(kept.key, stop.signal)
  try {
    if ('locks' in navigator) await navigator.locks.request(`upload ${kept.key}`, { signal: stop.signal }, work)
    else await work()
  } catch (error) {
    if (!stop.signal.aborted) console.error('The upload stopped', error)
  }
}

/** The tab that sends a file writes down where the service receives it: by that the others know the file once it is there whole. */
const learnId = async (key: string, stop: AbortSignal): Promise<void> => {
  const isUnknown = () => uploadNamed(key)?.state === 'elsewhere' && uploadNamed(key)?.assetId === null
  while (!stop.aborted && isUnknown()) {
    const assetId = idOf((await keptFile(key))?.uploadUrl)
    if (assetId !== null) return change(key, { assetId })
    await new Promise((resume) => setTimeout(resume, 1000))
  }
}

/** The id of a file by the address that it is sent to. */
export const idOf = (url: string | null | undefined): string | null => url?.split('/').pop() ?? null

// What is here of who left is forgotten by forget.ts; a session that merely ended keeps it for the next sign-in.
onSignedOut(() => {
  for (const { key } of uploads) running.get(key)?.()
  running.clear()
  uploads = []
  notifyListeners()
})
