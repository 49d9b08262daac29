import { skipToken, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { send } from '../../api.ts'

export type Notice = CallAnswer<typeof notifications.list>['items'][number]
export type Shown = 'all' | 'unread'
export const noticesKey = ['notifications', 'list'] as const
/** Until when what I was told is put away: a moment while the service has not been told so yet. */
export const clearedKey = ['cleared notifications'] as const

/** What I was told, newest first, page by page; read anew whenever the service says that something has changed. */
export const useNotices = (shown: Shown) => {
  const list = useInfiniteQuery({
    queryKey: [...noticesKey, shown],
    queryFn: ({ pageParam, signal }) =>
      send(
        notifications.list,
        {
          query: {
            perPage: 20,
            ...(shown === 'unread' ? { wheres: ['opened:eq:false'] } : {}),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const { data: cleared } = useQuery<string | null>({ queryKey: clearedKey, queryFn: skipToken })
  const items = list.data?.pages
    .flatMap((page) => page.items)
    .filter(({ status, deliveredAt }) => status !== 'deleted' && !(cleared && deliveredAt <= cleared))
  return { list, items }
}

/** What nobody has read, and how many as the bell writes it; null when there is nothing. */
export const useUnread = () => {
  const unread = useNotices('unread').items?.filter(({ openedAt }) => openedAt === undefined)
  const count = unread?.length ?? 0
  return { unread, count: count === 0 ? null : count > 9 ? '9+' : String(count) }
}
