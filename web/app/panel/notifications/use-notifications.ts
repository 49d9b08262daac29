import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { send, useCall } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

export type Notice = CallAnswer<typeof notifications.list>['items'][number]
type Pages = InfiniteData<CallAnswer<typeof notifications.list>, string | undefined>
const key = ['notifications', 'list'] as const

/** My notifications, with changes shown at once and taken back when the service refuses. */
export const useNotifications = () => {
  const client = useQueryClient()
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      send(notifications.list, { query: { perPage: 20, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const settle = { onError: toastFailure, onSettled: () => void client.invalidateQueries({ queryKey: key }) }
  const read = useCall(notifications.read, settle)
  const clear = useCall(notifications.clear, settle)
  const items = list.data?.pages.flatMap((page) => page.items).filter(({ status }) => status !== 'deleted')
  const unread = items?.filter(({ openedAt }) => openedAt === undefined).length ?? 0

  const change = (part: (items: Notice[]) => Notice[]) =>
    client.setQueryData<Pages>(
      key,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: part(page.items) })) },
    )

  return {
    items,
    /** As the bell writes it; null when there is nothing. */
    unread: unread === 0 ? null : unread > 9 ? '9+' : String(unread),
    isFailed: list.isError,
    retry: () => void list.refetch(),
    hasOlder: list.hasNextPage,
    isLoadingOlder: list.isFetchingNextPage,
    showOlder: () => void list.fetchNextPage(),
    read: (item: Notice) => {
      if (item.openedAt !== undefined) return
      const openedAt = new Date().toISOString()
      change((all) => all.map((one) => (one.id === item.id ? { ...one, openedAt } : one)))
      read.mutate({ params: { id: item.id } })
    },
    /** Gone from the screen at once; from the service when nobody took it back while the toast stood. */
    clear: () => {
      const before = client.getQueryData<Pages>(key)
      let isTakenBack = false
      const forGood = () => !isTakenBack && clear.mutate({})
      change(() => [])
      toast(messages.cleared, {
        action: {
          label: messages.undo,
          onClick: () => {
            isTakenBack = true
            client.setQueryData(key, before)
          },
        },
        onAutoClose: forGood,
        onDismiss: forGood,
      })
    },
  }
}
