import { DetailedError, Upload as Tus } from 'tus-js-client'
import { queryClient } from '../../api.ts'
import { bearerOf, renew } from '../../session.ts'
import { keepAddress, letGo, type KeptFile } from './kept-files.ts'
import { messages } from './messages.ts'
import { changeUpload, idOf, uploadNamed } from './uploads.ts'

/** Sends a file whole, whatever happens to the network; resolves when it is with the service, was refused, or is to stop. */
export const sendFile = (kept: KeptFile, stop: AbortSignal): Promise<void> =>
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
      if (stop.aborted || uploadNamed(key)?.state !== 'paused') return
      clearTimeout(timer)
      speed.reset()
      changeUpload(key, { state: 'sending' })
      tus.start()
    }
    // A request into a dead network may hang for minutes; the browser knows earlier.
    const pause = () => {
      void tus.abort()
      sendingParts?.abort()
      changeUpload(key, { state: 'paused', secondsLeft: null })
      clearTimeout(timer)
      timer = setTimeout(goOn, Math.min(10_000, 1000 * 2 ** Math.min(++failures, 5)))
    }
    const refuse = (error: string) => {
      void letGo(key)
      changeUpload(key, { state: 'refused', error, secondsLeft: null })
      end()
    }

    const succeed = () => {
      if (isOver) return
      void letGo(key)
      changeUpload(key, { state: 'sent', sentAt: Date.now(), sentBytes: file.size, secondsLeft: null })
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
      end()
    }
    const progress = (sentBytes: number) => {
      failures = 0
      changeUpload(key, { state: 'sending', sentBytes, secondsLeft: speed.secondsLeft(sentBytes) })
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
        changeUpload(key, { assetId })
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

const chunkSize = 6 * 1024 * 1024

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

const wordsOf = (error: DetailedError): string => {
  try {
    const { message } = JSON.parse(error.originalResponse?.getBody() ?? '') as { message?: string }
    return message || messages.refused
  } catch {
    return messages.refused
  }
}
