import { useEffect, useEffectEvent, type MouseEvent } from 'react'
import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { useCall } from '../../api.ts'
import { projectPath } from '../../paths.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { clearedKey, noticesKey, useNotices, useUnread, type Notice, type Shown } from './use-notices.ts'

type Pages = InfiniteData<CallAnswer<typeof notifications.list>, string | undefined>

/** My notices with what I may do with them; changes are shown at once and taken back when the service refuses. */
export const useInbox = (shown: Shown = 'all') => {
  const client = useQueryClient()
  const router = useRouter()
  const { list, items } = useNotices(shown)
  const { read, readAll, settle } = useReading()
  const clear = useCall(notifications.clear, {
    ...settle,
    onError: (error) => {
      client.setQueryData(clearedKey, null)
      toastFailure(error)
    },
  })

  return {
    list: { items, error: list.error, refetch: list.refetch },
    hasOlder: list.hasNextPage,
    isLoadingOlder: list.isFetchingNextPage,
    showOlder: () => void list.fetchNextPage(),
    /** Marks it as read. A page of ours opens here, unless it was asked for elsewhere; the rest is the browser's. */
    open: (item: Notice, press: MouseEvent) => {
      read(item)
      const address = addressOf(item)
      if (!address?.startsWith('/') || press.button !== 0 || press.metaKey || press.ctrlKey || press.shiftKey) return
      press.preventDefault()
      router.history.push(address)
    },
    /** Those on the screen: what comes meanwhile nobody has read. */
    readAll: () => {
      const until = items?.[0]?.deliveredAt
      if (until !== undefined) readAll(until)
    },
    /**
     * Gone from the screen at once; from the service when nobody took it back while the toast stood. What comes meanwhile
     * stays: nobody has seen it.
     */
    clear: () => {
      const until = items?.[0]?.deliveredAt
      if (until === undefined) return
      let isTakenBack = false
      const forGood = () => !isTakenBack && clear.mutate({ query: { until } })
      client.setQueryData(clearedKey, until)
      toast(messages.cleared, {
        action: {
          label: messages.undo,
          onClick: () => {
            isTakenBack = true
            client.setQueryData(clearedKey, null)
          },
        },
        onAutoClose: forGood,
        onDismiss: forGood,
      })
    },
  }
}

/** Marks notices as read, at once wherever they stand. */
const useReading = () => {
  const client = useQueryClient()
  const settle = { onError: toastFailure, onSettled: () => void client.invalidateQueries({ queryKey: noticesKey }) }
  const readOne = useCall(notifications.read, settle)
  const readRest = useCall(notifications.readAll, settle)
  const open = (is: (one: Notice) => boolean) => {
    const openedAt = new Date().toISOString()
    const opened = (one: Notice) => (one.openedAt === undefined && is(one) ? { ...one, openedAt } : one)
    client.setQueriesData<Pages>(
      { queryKey: noticesKey },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(opened) })) },
    )
  }
  return {
    settle,
    read: (item: Notice) => {
      if (item.openedAt !== undefined) return
      open(({ id }) => id === item.id)
      readOne.mutate({ params: { id: item.id } })
    },
    readAll: (until: string) => {
      open(({ deliveredAt }) => deliveredAt <= until)
      readRest.mutate({ query: { until } })
    },
  }
}

/** Whoever looks at a project has read what was said about it. */
export const useReadAbout = (projectId: string): void => {
  const { read } = useReading()
  const unread = useUnread().unread?.filter(({ metadata }) => metadata['projectId'] === projectId) ?? []
  const ids = unread.map(({ id }) => id).join(' ')
  const readAll = useEffectEvent(() => unread.forEach(read))
  useEffect(() => {
    // A page in the background is looked at by nobody.
    if (ids !== '' && document.visibilityState === 'visible') readAll()
  }, [ids])
}

/** Where a notice leads, if anywhere. */
export const addressOf = ({ cta, metadata }: Notice): string | null =>
  cta?.url ?? (typeof metadata['projectId'] === 'string' ? projectPath(metadata['projectId']) : null)
