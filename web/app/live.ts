import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Asset } from '@clear-to-post/contract/assets'
import { assets } from '@clear-to-post/contract/assets'
import type { LiveEvents } from '@clear-to-post/contract/live'
import { projects } from '@clear-to-post/contract/projects'
import { keyOf, queryClient, send } from './api.ts'
import { idOf, keepLists } from './live-lists.ts'
import { ageOf, onOtherPage, watchedBy } from './live-watch.ts'
import { bearerOf } from './session.ts'

/**
 * Keeps one stream open as long as the panel is, over fetch because EventSource carries no bearer token. It names what is on the
 * page; when that changes, the next stream is opened, and says how old the page's oldest answer is: what happened since is told,
 * or `again` where the service does not know it. After a gap it is `again`, too.
 */
export const listen = (person: string): (() => void) => {
  const stop = new AbortController()
  void keepOpen(person, stop.signal)
  return () => stop.abort()
}

const silenceMs = 60_000

const keepOpen = async (person: string, stop: AbortSignal): Promise<void> => {
  let failures = 0
  let isFull = false
  let watched: ReadonlySet<string> = new Set()
  // A page that has just been opened, or shows something else now, has missed nothing that is older than its answers.
  let isGap = false
  while (!stop.aborted) {
    // A connection that went silent (a phone that slept) is dead although nobody closed it.
    const round = new AbortController()
    const end = () => round.abort()
    stop.addEventListener('abort', end)
    let isMoving = false
    watched = watchedBy(queryClient)
    const forget = onOtherPage(
      queryClient,
      () => watched,
      () => {
        isMoving = true
        end()
      },
    )
    let silence: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(end, silenceMs)
    }
    try {
      // Nobody else's stream is opened where this person has just left.
      const token = await bearerOf(person)
      if (token === null) throw new Error('This person is not signed in')
      const asked = new URLSearchParams({
        watch: [...watched].join(),
        ...(isGap ? {} : { age: String(Math.ceil(ageOf(queryClient, Date.now()))) }),
      })
      isGap = true
      const response = await fetch(`/api/events?${asked.toString()}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
        },
        signal: round.signal,
      })
      if (!response.ok || response.body === null) throw new Error(`The live stream answered ${response.status}`)
      failures = 0
      const parser = createParser({
        onEvent: (event) => {
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
      if (!isMoving) failures += 1
    } finally {
      clearTimeout(silence)
      forget()
      stop.removeEventListener('abort', end)
    }
    if (isMoving) {
      isGap = false
      continue
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
  // Whoever hears it here need not be there before this file is.
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
  'projects',
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
    // Of the single projects only this one changed; lists may gain or lose it.
    void queryClient.invalidateQueries({
      queryKey: ['projects'],
      predicate: ({ queryKey }) => idOf(queryKey) === projectId,
    })
    lists.changed([projectId])
  },
  projects: ({ projectIds, isMore }) => lists.changed(projectIds, { more: isMore }),
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

const lists = keepLists(queryClient, async (ids) => {
  const wheres = [`id:in:${ids.join(',')}`]
  return (await send(projects.list, { query: { perPage: ids.length, wheres } })).items
})

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
