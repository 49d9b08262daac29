import { useSyncExternalStore } from 'react'
import type { DetailedError } from 'tus-js-client'
import { requestId } from '@clear-to-post/contract/client'
import { assets } from '@clear-to-post/contract/assets'
import { queryClient, send } from '../../api.ts'
import { bearerOf, currentSession, onSignedOut, renew } from '../../session.ts'
import { keepAddress, keepFile, keptFile, keptFilesOf, letGo, type KeptFile } from './kept-files.ts'
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
const chunkSize = 6 * 1024 * 1024

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

type Protocol = typeof import('tus-js-client')

/** Fetched when a page with uploads opens: most visits send nothing. Waits when even that does not come through. */
export const loadProtocol = (): Promise<Protocol> => import('tus-js-client')

const protocol = async (key: string, stop: AbortSignal): Promise<Protocol> => {
  try {
    return await loadProtocol()
  } catch (error) {
    if (stop.aborted) throw error
    change(key, { state: 'paused' })
    await new Promise((resume) => setTimeout(resume, 4000))
    return protocol(key, stop)
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
    await sendWhole(await protocol(latest.key, stop.signal), latest, stop.signal)
  }
  try {
    if ('locks' in navigator) await navigator.locks.request(`upload ${kept.key}`, { signal: stop.signal }, work)
    else await work()
  } catch (error) {
    if (!stop.signal.aborted) console.error('The upload stopped', error)
  }
}

const sendWhole = ({ Upload: Tus, DetailedError }: Protocol, kept: KeptFile, stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const { key, file } = kept
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let usedToken: string | null = null
    /** Whether the service lets this file go straight to the bucket. */
    let isOffered = false
    let sendingParts: AbortController | undefined
    const speed = speedometer(file.size)

    let isOver = false
    const end = () => {
      isOver = true
      sendingParts?.abort()
      clearTimeout(timer)
      removeEventListener('offline', pause)
      removeEventListener('online', goOn)
      done()
    }
    const goOn = () => {
      if (stop.aborted || uploads.find((upload) => upload.key === key)?.state !== 'paused') return
      clearTimeout(timer)
      speed.reset()
      change(key, { state: 'sending' })
      tus.start()
    }
    // A request into a dead network may hang for minutes; the browser knows earlier.
    const pause = () => {
      void tus.abort()
      sendingParts?.abort()
      change(key, { state: 'paused', secondsLeft: null })
      clearTimeout(timer)
      timer = setTimeout(goOn, Math.min(10_000, 1000 * 2 ** Math.min(++failures, 5)))
    }
    const refuse = (error: string) => {
      void letGo(key)
      change(key, { state: 'refused', error, secondsLeft: null })
      end()
    }

    const succeed = () => {
      if (isOver) return
      void letGo(key)
      change(key, { state: 'sent', sentAt: Date.now(), sentBytes: file.size, secondsLeft: null })
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
      end()
    }
    const progress = (sentBytes: number) => {
      failures = 0
      change(key, { state: 'sending', sentBytes, secondsLeft: speed.secondsLeft(sentBytes) })
    }
    /** In parts straight to the bucket; by the protocol's own way where a page does not reach it. */
    const goByParts = async (assetId: string) => {
      void tus.abort()
      sendingParts = new AbortController()
      const { signal } = sendingParts
      try {
        const { sendInParts } = await import('./parts.ts')
        const how = await sendInParts(file, { userId: kept.userId, assetId, signal, onSent: progress })
        if (signal.aborted || isOver) return
        if (how === 'whole') return succeed()
        if (how !== 'otherwise') return refuse(how.refused)
        isBucketAway = true
        tus.start()
      } catch {
        if (signal.aborted || isOver) return
        pause()
        refuseUnreadable()
      }
    }
    // Not the network: the file was moved or deleted, or the phone took the permission back.
    const refuseUnreadable = () =>
      void file
        .slice(0, 1)
        .arrayBuffer()
        .catch(() => refuse(messages.unreadable))

    const tus = new Tus(file, {
      endpoint: new URL('/uploads', location.href).href,
      ...(kept.uploadUrl ? { uploadUrl: kept.uploadUrl } : {}),
      chunkSize,
      retryDelays: [500, 1500, 4000],
      metadata: {
        filename: file.name,
        filetype: file.type || 'application/octet-stream',
        ...(kept.projectId ? { projectId: kept.projectId } : {}),
      },
      // Where no copy could be kept, choosing the same file again goes on where it stopped.
      fingerprint: async () =>
        ['upload', kept.userId, kept.projectId ?? '', file.name, file.size, file.lastModified].join('|'),
      removeFingerprintOnSuccess: true,
      onBeforeRequest: async (request) => {
        usedToken = await bearerOf(kept.userId)
        if (usedToken) request.setHeader('Authorization', `Bearer ${usedToken}`)
      },
      onAfterResponse: (_request, response) => {
        isOffered = response.getHeader('Upload-Parts') === 'yes' && !isBucketAway && 'subtle' in crypto
      },
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        if (status === 401) void renew(usedToken)
        // Two senders of one upload may meet; a new one that is refused stays refused.
        const isMeeting = status === 409 && error.originalRequest.getMethod() !== 'POST'
        return status === 401 || isMeeting || status === 423 || (status >= 500 && status < 600)
      },
      onUploadUrlAvailable: () => {
        const assetId = idOf(tus.url)
        change(key, { assetId })
        if (tus.url) void keepAddress(key, tus.url)
        void queryClient.invalidateQueries({ queryKey: ['assets'] })
        if (assetId && isOffered) void goByParts(assetId)
      },
      onProgress: progress,
      onSuccess: succeed,
      onError: (error) => {
        if (stop.aborted) return
        const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0
        const isFinal = error instanceof DetailedError && status >= 400 && status < 500 && status !== 423
        if (isFinal && status !== 401 && status !== 429) return refuse(wordsOf(error))
        pause()
        refuseUnreadable()
      },
    })

    stop.addEventListener('abort', () => {
      void tus.abort()
      end()
    })
    addEventListener('offline', pause)
    addEventListener('online', goOn)
    void tus
      .findPreviousUploads()
      .then(([previous]) => {
        if (!kept.uploadUrl && previous) tus.resumeFromPreviousUpload(previous)
        if (!stop.aborted) tus.start()
      })
      .catch(() => tus.start())
  })

/** The bucket was not reached from this page. */
let isBucketAway = false

/** Time left from the speed of the last twenty seconds; null until that says something. */
const speedometer = (total: number) => {
  let marks: { at: number; bytes: number }[] = []
  return {
    reset: () => void (marks = []),
    secondsLeft: (bytes: number): number | null => {
      const at = performance.now()
      marks = [...marks.filter((mark) => at - mark.at < 20_000), { at, bytes }]
      const first = marks[0]!
      const speed = (bytes - first.bytes) / ((at - first.at) / 1000)
      return at - first.at > 1500 && speed > 0 ? (total - bytes) / speed : null
    },
  }
}

const idOf = (url: string | null | undefined): string | null => url?.split('/').pop() ?? null

const wordsOf = (error: DetailedError): string => {
  try {
    const { message } = JSON.parse(error.originalResponse?.getBody() ?? '') as { message?: string }
    return message || messages.refused
  } catch {
    return messages.refused
  }
}

// What is here of who left is forgotten by forget.ts; a session that merely ended keeps it for the next sign-in.
onSignedOut(() => {
  for (const { key } of uploads) running.get(key)?.()
  running.clear()
  uploads = []
  notifyListeners()
})
