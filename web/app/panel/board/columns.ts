import { useInfiniteQuery, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { dayIn, instantAt } from '@clear-to-post/domain/calendar'
import { Status } from '@clear-to-post/domain/workflow'
import { keyOf, send } from '../../api.ts'
import { currentZone } from '../../times.ts'
import { openWork, type BoardSearch, type ListOrder, type Triage } from './search.ts'

export type Filters = Pick<BoardSearch, 'q' | 'editor' | 'tenant' | 'triage'>
/** Another order than the one that fits the status; the list alone offers it. */
export type Ordered = { order?: ListOrder | undefined }
type Page = CallAnswer<typeof projects.list>
type Pages = InfiniteData<Page, string | undefined>

/** The projects of one status, or of all (null), in pages. The queue in its order, waiting work oldest first, the rest newest first. */
export const useColumn = (status: Status | null, filters: Filters & Ordered) => {
  const list = useInfiniteQuery({
    queryKey: columnKey(status, filters),
    queryFn: ({ pageParam, signal }) =>
      send(
        projects.list,
        { query: { ...inputOf(status, filters).query, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return { ...list, items: list.data?.pages.flatMap((page) => page.items) }
}

export type Column = ReturnType<typeof useColumn>

/** Changes what a column shows until the service has answered. */
export const editColumn = (
  client: QueryClient,
  status: Status,
  filters: Filters,
  edit: (items: Project[]) => Project[],
) => {
  client.setQueryData<Pages>(columnKey(status, filters), (data) => {
    if (!data) return data
    const all = edit(data.pages.flatMap((page) => page.items))
    // The pages' borders move with the length; only the last page may be of another size.
    const last = data.pages.length - 1
    const sizes = data.pages.map((page) => page.items.length)
    let from = 0
    const pages = data.pages.map((page, i) => {
      const to = i === last ? all.length : from + sizes[i]!
      const items = all.slice(from, to)
      from = to
      return { ...page, items }
    })
    return { ...data, pages }
  })
}

const columnKey = (status: Status | null, filters: Filters & Ordered) =>
  [...keyOf(projects.list, inputOf(status, filters)), 'pages'] as const

/** What a column, or with null the whole list, asks for. */
export const inputOf = (status: Status | null, { q, editor, tenant, triage, order }: Filters & Ordered) => ({
  query: {
    perPage: status === null ? 50 : 20,
    orderBy: order ?? (status === null ? 'modified:desc' : orders[status]),
    wheres: [
      ...(status === null ? [] : [`status:eq:${status}`]),
      ...(q ? [`search:contains:${q}`] : []),
      ...(tenant ? [`tenantId:eq:${tenant}`] : []),
      ...(triage ? triageWheres(triage, status) : []),
      ...(editor ? [`editorId:eq:${editor}`] : []),
    ],
  },
})

// The moments stand still for a minute: a query is known by its words.
const triageWheres = (triage: Triage, status: Status | null): string[] => {
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
  const open = status === null ? [`status:in:${openWork.join(',')}`] : []
  if (triage === 'unassigned') return [...open, 'isAssigned:eq:false']
  return triage === 'late'
    ? [...open, `dueBy:lt:${now}`]
    : [...open, `dueBy:gte:${now}`, `dueBy:lt:${endOfToday().toISOString()}`]
}

/** The end of the viewer's day. */
export const endOfToday = (): Date => {
  const zone = currentZone()
  const tomorrow = new Date(Date.parse(dayIn(new Date(), zone)) + 86_400_000).toISOString().slice(0, 10)
  return instantAt(tomorrow, '00:00', zone)
}

const orders: Record<Status, string> = {
  [Status.submitted]: 'position:asc',
  [Status.inProgress]: 'modified:asc',
  [Status.completed]: 'modified:desc',
  [Status.waitingApproval]: 'modified:asc',
  [Status.denied]: 'modified:asc',
  [Status.revisioning]: 'modified:asc',
  [Status.canceled]: 'modified:desc',
  [Status.scheduled]: 'modified:desc',
}
