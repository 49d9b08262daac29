import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Asset } from '@clear-to-post/contract/assets'
import { assets } from '@clear-to-post/contract/assets'
import type { LiveEvents } from '@clear-to-post/contract/live'
import { keyOf, queryClient } from './api.ts'
import { bearer } from './session.ts'

/**
 * Keeps one stream open as long as the panel is, over fetch because EventSource carries no bearer token.
 * After a gap it says the last event it heard; the service answers with `again` when it cannot tell what was missed.
 */
export const listen = (): (() => void) => {
  const stop = new AbortController()
  void keepOpen(stop.signal)
  return () => stop.abort()
}

const silenceMs = 60_000

const keepOpen = async (stop: AbortSignal): Promise<void> => {
  let failures = 0
  let lastId = ''
  let isFull = false
  while (!stop.aborted) {
    // A connection that went silent (a phone that slept) is dead although nobody closed it.
    const round = new AbortController()
    const end = () => round.abort()
    stop.addEventListener('abort', end)
    let silence: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
    }
    try {
      const token = await bearer()
      const response = await fetch('/api/events', {
        headers: {
          accept: 'text/event-stream',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(lastId ? { 'last-event-id': lastId } : {}),
        },
        signal: round.signal,
      })
      if (!response.ok || response.body === null) throw new Error(`The live stream answered ${response.status}`)
      failures = 0
      const parser = createParser({
        onEvent: (event) => {
          if (event.id !== undefined) lastId = event.id
          if (event.event === 'full') isFull = true
          dispatch(event)
        },
      })
      heard()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        heard()
        parser.feed(chunk.value)
      }
    } catch {
      failures += 1
    } finally {
      clearTimeout(silence)
      stop.removeEventListener('abort', end)
    }
    // Newer tabs of the same person took its place: a tab that nobody looks at waits until somebody does.
    if (isFull) await seen(stop)
    isFull = false
    if (!stop.aborted)
      await pause(Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) * (0.75 + Math.random() / 2), stop)
  }
}

const dispatch = ({ event, data }: EventSourceMessage): void => {
  if (event === 'again') void readAnew()
  if (!kinds.some((kind) => kind === event)) return
  const detail = JSON.parse(data) as LiveEvents[keyof LiveEvents]
  refresh[event as keyof typeof refresh]?.(detail as never)
  // Rooms that are loaded later hear it here; an import would cut this file out of the first page's.
  dispatchEvent(new CustomEvent(`live-${event}`, { detail }))
}

/**
 * What happened before the stream opened, or while the service did not listen, is not known. An answer that is still under
 * way may be older than the stream: what waits for one is read once more when it has come.
 */
const readAnew = async (): Promise<void> => {
  const underWay = new Set(queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' }))
  await queryClient.invalidateQueries(undefined, { cancelRefetch: false })
  if (underWay.size > 0) await queryClient.invalidateQueries({ predicate: (query) => underWay.has(query) })
}

const kinds = [
  'project',
  'asset',
  'edit',
  'render',
  'notification',
  'prompter',
  'support',
] satisfies (keyof LiveEvents)[]

// Edits and renders are refreshed by the workbench, which alone shows them.
const refresh: { [K in keyof LiveEvents]?: (event: LiveEvents[K]) => void } = {
  project: ({ projectId }) => {
    // Of the single projects only this one changed. Lists may gain or lose it: they are read at once, and then at most every
    // two seconds, however much happens in the company.
    void queryClient.invalidateQueries({
      queryKey: ['projects'],
      predicate: ({ queryKey }) => idOf(queryKey) === projectId,
    })
    readLists()
  },
  asset: ({ assetId, projectId, state, stage, progress }) => {
    // Progress comes often and carries all there is to know; a new state brings addresses and reasons.
    let isOnlyProgress = false
    const moved = (asset: Asset): Asset => {
      if (asset.assetId !== assetId || asset.state !== state || state === 'ready') return asset
      isOnlyProgress = true
      return { ...asset, stage: stage ?? undefined, progress: progress ?? undefined }
    }
    queryClient.setQueryData<Asset>(keyOf(assets.find, { params: { assetId } }), (asset) => asset && moved(asset))
    queryClient.setQueryData<{ items: Asset[] }>(
      keyOf(assets.unused, {}),
      (list) => list && { items: list.items.map(moved) },
    )
    if (isOnlyProgress) return
    void queryClient.invalidateQueries({ queryKey: ['assets'] })
    if (projectId !== null)
      void queryClient.invalidateQueries({
        queryKey: ['projects'],
        predicate: ({ queryKey }) => idOf(queryKey) === projectId,
      })
  },
  support: () => void queryClient.invalidateQueries({ queryKey: ['support'] }),
  notification: () => void queryClient.invalidateQueries({ queryKey: ['notifications'] }),
}

/** Which project a question is about; undefined for a list. */
const idOf = (queryKey: readonly unknown[]): string | undefined =>
  (queryKey[2] as { params?: { projectId?: string } } | undefined)?.params?.projectId

const listsEveryMs = 2000
let listsWait: ReturnType<typeof setTimeout> | undefined
let listsAreOld = false

const readLists = (): void => {
  listsAreOld = true
  if (listsWait !== undefined) return
  listsAreOld = false
  void queryClient.invalidateQueries({
    queryKey: ['projects'],
    predicate: ({ queryKey }) => idOf(queryKey) === undefined,
  })
  listsWait = setTimeout(() => {
    listsWait = undefined
    if (listsAreOld) readLists()
  }, listsEveryMs)
}

const seen = (stop: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !stop.aborted) return
      document.removeEventListener('visibilitychange', look)
      stop.removeEventListener('abort', look)
      resume()
    }
    document.addEventListener('visibilitychange', look)
    stop.addEventListener('abort', look)
    look()
  })

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      stop.removeEventListener('abort', done)
      resume()
    }
    addEventListener('online', done)
    stop.addEventListener('abort', done)
  })
