import type { Query, QueryClient } from '@tanstack/react-query'
import { mostWatched } from '@clear-to-post/contract/live'

/** Whoever opens a page is there for a moment before its stream is asked for; what is left stays watched for longer. */
const soonMs = 300
const laterMs = 5_000
/** An answer is this much older than when it came, at most. */
const slackMs = 5_000

/** What is on the page, as its stream names it. */
export const watchedBy = (client: QueryClient): Set<string> => {
  const found = client.getQueryCache().findAll({ type: 'active' })
  const topics = found.flatMap(({ queryKey }) => topicsOf(queryKey))
  return new Set([...new Set(topics)].sort().slice(0, mostWatched))
}

const topicsOf = (queryKey: readonly unknown[]): string[] => {
  const [room, , input] = queryKey as [string, string, { params?: { projectId?: string } } | undefined]
  const projectId = input?.params?.projectId
  if (projectId !== undefined) return uuid.test(projectId) ? [`project:${projectId}`] : []
  return room === 'projects' || room === 'support' ? [room] : []
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** How long ago the oldest answer that is on the page was asked for. */
export const ageOf = (client: QueryClient, now: number): number =>
  Math.max(
    0,
    ...client
      .getQueryCache()
      .findAll({ type: 'active' })
      .filter((query: Query) => query.state.dataUpdatedAt > 0 && topicsOf(query.queryKey).length > 0)
      .map(({ state }) => now - state.dataUpdatedAt),
  ) + slackMs

/** Calls `change` when what is on the page is no longer what is watched: soon for what is new, later for what is gone. */
export const onOtherPage = (
  client: QueryClient,
  watched: () => ReadonlySet<string>,
  change: () => void,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const [own, now] = [watched(), watchedBy(client)]
    clearTimeout(timer)
    const isNew = !now.isSubsetOf(own)
    if (isNew || !own.isSubsetOf(now)) timer = setTimeout(change, isNew ? soonMs : laterMs)
  }
  const forget = client.getQueryCache().subscribe(({ type }) => {
    if (type === 'observerAdded' || type === 'observerRemoved' || type === 'observerOptionsUpdated') look()
  })
  return () => {
    clearTimeout(timer)
    forget()
  }
}
