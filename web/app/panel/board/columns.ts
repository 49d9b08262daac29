import { useInfiniteQuery, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { keyOf, send } from '../../api.ts'
import type { BoardSearch } from './search.ts'

export type Filters = Pick<BoardSearch, 'q' | 'editor'>
type Page = CallAnswer<typeof projects.list>
type Pages = InfiniteData<Page, string | undefined>

/** The projects of one status, or of all (null), in pages. The queue in its order, waiting work oldest first, the rest newest first. */
export const useColumn = (status: Status | null, filters: Filters) => {
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

const columnKey = (status: Status | null, filters: Filters) =>
  [...keyOf(projects.list, inputOf(status, filters)), 'pages'] as const

const inputOf = (status: Status | null, { q, editor }: Filters) => ({
  query: {
    perPage: status === null ? 50 : 20,
    orderBy: status === null ? 'modified:desc' : orders[status],
    wheres: [
      ...(status === null ? [] : [`status:eq:${status}`]),
      ...(q ? [`title:contains:${q}`] : []),
      ...(editor ? [`editorId:eq:${editor}`] : []),
    ],
  },
})

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
