import { useInfiniteQuery } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { send } from '../../api.ts'

export type Notice = CallAnswer<typeof notifications.list>['items'][number]
export const noticesKey = ['notifications', 'list'] as const

/** What I was told, newest first, page by page; read anew whenever the service says that something has changed. */
export const useNotices = () => {
  const list = useInfiniteQuery({
    queryKey: noticesKey,
    queryFn: ({ pageParam, signal }) =>
      send(notifications.list, { query: { perPage: 20, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const items = list.data?.pages.flatMap((page) => page.items).filter(({ status }) => status !== 'deleted')
  const unread = items?.filter(({ openedAt }) => openedAt === undefined).length ?? 0
  // As the bell writes it; null when there is nothing.
  return { list, items, unread: unread === 0 ? null : unread > 9 ? '9+' : String(unread) }
}
