import { useMemo } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { keyOf, query, useCall } from '../../api.ts'
import type { PlayerMark } from '../../ui/player-ruler.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import type { TimelinePlayer } from './timeline-player.ts'
import { remarkWords } from './words/remarks.ts'

/** A remark at a moment of the cut that was sent last; `at` in seconds. */
export type Remark = PlayerMark & { isDone: boolean; text: string; author: string }

/** So near the playhead stands at a remark, in seconds. */
const near = 0.5

/** What was said about the cut that was sent last, at its moments, QA's points among them: they jump there and are ticked off. */
export const useMarks = (project: Project, player: TimelinePlayer, mayTick: boolean) => {
  const params = { projectId: project.id }
  const client = useQueryClient()
  const { data } = useQuery({ ...query(projects.comments, { params }), enabled: project.cuts > 0 })
  const save = useCall(projects.tickComment, {
    onError: toastFailure,
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(projects.comments, { params }) }),
  })
  const remarks = useMemo(
    () =>
      (data?.items ?? [])
        .filter(({ cut, parentId, isDeleted }) => cut === project.currentCut && !parentId && !isDeleted)
        .map(({ id, atMs, authorName: author, text, doneAt }): Remark => {
          const isDone = doneAt !== undefined
          const label = (isDone ? remarkWords.done : remarkWords.by)(author, text)
          return { id, at: atMs / 1000, label, isDone, text, author }
        }),
    [data, project.currentCut],
  )
  const tick = ({ id, isDone }: Remark) =>
    mayTick && save.mutate({ params: { ...params, commentId: id }, body: { isDone: !isDone } })
  const go = (direction: 1 | -1) => {
    const now = player.time()
    const open = remarks.filter(({ isDone }) => !isDone)
    const next = direction === 1 ? open.find(({ at }) => at > now + 0.05) : open.findLast(({ at }) => at < now - 0.05)
    if (!next) return void toast.info(remarkWords.none)
    player.pause()
    player.seek(next.at)
  }
  return {
    remarks,
    mayTick,
    tick,
    go,
    /** The one nearest to the playhead. */
    tickHere: () => {
      const away = ({ at }: Remark) => Math.abs(at - player.time())
      const [here] = remarks.filter((one) => away(one) <= near).toSorted((a, b) => away(a) - away(b))
      if (here) tick(here)
      else toast.info(remarkWords.none)
    },
  }
}

export type Marks = ReturnType<typeof useMarks>
