import { useEffect } from 'react'
import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { useCall } from '../../api.ts'
import { projectPath } from '../../paths.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { noticesKey, useNotices, type Notice } from './use-notices.ts'

type Pages = InfiniteData<CallAnswer<typeof notifications.list>, string | undefined>

/** My notices with what I may do with them; changes are shown at once and taken back when the service refuses. */
export const useInbox = () => {
  const client = useQueryClient()
  const router = useRouter()
  const { list, items, unread } = useNotices()
  const settle = { onError: toastFailure, onSettled: () => void client.invalidateQueries({ queryKey: noticesKey }) }
  const readOne = useCall(notifications.read, settle)
  const readRest = useCall(notifications.readAll, settle)
  const clear = useCall(notifications.clear, settle)

  const change = (part: (items: Notice[]) => Notice[]) =>
    client.setQueryData<Pages>(
      noticesKey,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: part(page.items) })) },
    )
  const opened = (all: Notice[], is: (one: Notice) => boolean) => {
    const openedAt = new Date().toISOString()
    return all.map((one) => (one.openedAt === undefined && is(one) ? { ...one, openedAt } : one))
  }
  const read = (item: Notice) => {
    if (item.openedAt !== undefined) return
    change((all) => opened(all, ({ id }) => id === item.id))
    readOne.mutate({ params: { id: item.id } })
  }

  return {
    items,
    unread,
    error: list.error,
    retry: () => void list.refetch(),
    hasOlder: list.hasNextPage,
    isLoadingOlder: list.isFetchingNextPage,
    showOlder: () => void list.fetchNextPage(),
    read,
    /** Marks it as read and goes where it leads; `onLeave` runs when it leads somewhere. */
    open: (item: Notice, onLeave?: () => void) => {
      read(item)
      const address = addressOf(item)
      if (address === null) return
      onLeave?.()
      if (address.startsWith('/')) router.history.push(address)
      else window.open(address, '_blank', 'noopener')
    },
    readAll: () => {
      change((all) => opened(all, () => true))
      readRest.mutate({})
    },
    /** Gone from the screen at once; from the service when nobody took it back while the toast stood. */
    clear: () => {
      const before = client.getQueryData<Pages>(noticesKey)
      let isTakenBack = false
      const forGood = () => !isTakenBack && clear.mutate({})
      change(() => [])
      toast(messages.cleared, {
        action: {
          label: messages.undo,
          onClick: () => {
            isTakenBack = true
            client.setQueryData(noticesKey, before)
          },
        },
        onAutoClose: forGood,
        onDismiss: forGood,
      })
    },
  }
}

/** Whoever looks at a project has read what was said about it. */
export const useReadAbout = (projectId: string): void => {
  const { items, read } = useInbox()
  const unread = items?.filter((item) => item.openedAt === undefined && item.metadata['projectId'] === projectId) ?? []
  const ids = unread.map(({ id }) => id).join(' ')
  useEffect(() => {
    // A page in the background is looked at by nobody.
    if (document.visibilityState === 'visible') unread.forEach(read)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ids])
}

const addressOf = ({ cta, metadata }: Notice): string | null =>
  cta?.url ?? (typeof metadata['projectId'] === 'string' ? projectPath(metadata['projectId']) : null)
