import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { networks } from '@clear-to-post/domain/networks'
import { query, send } from '../../api.ts'
import { whenInSentence } from '../../times.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import type { Moving } from './calendar-cards.ts'
import { endsBefore, endsWords } from './ends-before.tsx'
import { messages } from './messages.ts'

/** Moves what goes out to another time: shown at once, with an undo in the toast; taken back with the reason where it is refused. */
export const useMove = () => {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)

  const shift = ({ projectId, from, posts }: Moving, to: string) => {
    client.setQueriesData<{ items: Post[] }>({ queryKey: ['posts', publishing.calendar.path] }, (list) =>
      mapped(list, (post) => {
        const moves = post.projectId === projectId && (posts === 'all' ? post.dueAt === from : posts.includes(post.id))
        return moves && post.actions.includes('move') ? { ...post, dueAt: to } : post
      }),
    )
    if (posts === 'all')
      client.setQueriesData<{ items: Project[] }>({ queryKey: scheduledVideosKey }, (list) =>
        mapped(list, (video) => (video.id === projectId ? { ...video, publishAt: to } : video)),
      )
  }

  /** Whoever drags a post sees no dialog: that its connection ends before is said once it is moved. */
  const warn = async ({ projectId, posts }: Moving, to: string) => {
    const at = new Date(to)
    const [{ items: all }, { items: connections }] = await Promise.all([
      client.fetchQuery(query(publishing.posts, { params: { projectId } })),
      client.fetchQuery(query(publishing.connections, {})),
    ])
    const ending = connections.filter(
      (one) =>
        endsBefore(one, at) &&
        all.some(
          ({ id, connectionId, actions }) =>
            connectionId === one.id && actions.includes('move') && (posts === 'all' || posts.includes(id)),
        ),
    )
    for (const one of ending)
      toast.warning(`${messages.on(networks[one.network].name, one.name)}: ${endsWords(one)}`, {
        id: `end of ${one.id}`,
        duration: 15_000,
      })
  }

  const move = async (moving: Moving, to: string, isBack = false): Promise<boolean> => {
    const { projectId, title, from, seq, posts } = moving
    shift(moving, to)
    setPending(true)
    try {
      const moved =
        posts === 'all'
          ? await send(projects.reschedule, { params: { projectId }, body: { publishAt: to, seq } })
          : null
      // It is moved again from here on before the list is read anew.
      if (moved)
        client.setQueriesData<{ items: Project[] }>({ queryKey: scheduledVideosKey }, (list) =>
          mapped(list, (video) => (video.id === projectId ? { ...video, seq: moved.seq } : video)),
        )
      if (posts !== 'all')
        for (const postId of posts) await send(publishing.move, { params: { postId }, body: { dueAt: to } })
      const action = isBack
        ? undefined
        : {
            label: messages.undo,
            onClick: () => void move({ ...moving, from: to, ...(moved && { seq: moved.seq }) }, from, true),
          }
      toast.success(messages.movedTo(title, whenInSentence(to)), { id: `move of ${projectId}`, action })
      await warn(moving, to).catch(() => {})
      return true
    } catch (error) {
      toastFailure(error)
      return false
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: ['posts'] })
      void client.invalidateQueries({ queryKey: ['projects'] })
    }
  }
  return { move, isPending }
}
export type Move = ReturnType<typeof useMove>

/** Under which the calendar keeps the scheduled videos that it shows. */
export const scheduledVideosKey = ['projects', 'scheduled'] as const

const mapped = <Item>(list: { items: Item[] } | undefined, change: (item: Item) => Item) =>
  list && { ...list, items: list.items.map(change) }
