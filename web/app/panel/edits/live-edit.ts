import { useEffect } from 'react'
import { edits, type Edit, type Render } from '@clear-to-post/contract/edits'
import type { LiveEvents } from '@clear-to-post/contract/live'
import { keyOf, queryClient } from '../../api.ts'

/** Keeps the edit and the renders of a project as fresh as the service tells. */
export const useLiveEdit = (projectId: string): void =>
  useEffect(() => {
    const editKey = keyOf(edits.find, { params: { projectId } })
    const rendersKey = keyOf(edits.renders, { params: { projectId } })
    const stops = [
      onLive('edit', ({ projectId: id, state, stage, progress, revision }) => {
        if (id !== projectId) return
        // On its way: the stage is all there is to know. A save of our own comes back with the number it has here already.
        const known = queryClient.getQueryData<Edit>(editKey)
        if (known?.state === state && known.revision === revision)
          queryClient.setQueryData<Edit>(editKey, { ...known, ...workOf({ stage, progress }) })
        else void queryClient.invalidateQueries({ queryKey: editKey })
      }),
      onLive('render', ({ renderId, projectId: id, state, stage, progress, secondsLeft }) => {
        if (id !== projectId) return
        const known = queryClient
          .getQueryData<{ items: Render[] }>(rendersKey)
          ?.items.find((render) => render.id === renderId)
        if (known?.state !== state) return void queryClient.invalidateQueries({ queryKey: rendersKey })
        queryClient.setQueryData<{ items: Render[] }>(
          rendersKey,
          (list) =>
            list && {
              items: list.items.map((one) =>
                one.id === renderId
                  ? { ...one, ...workOf({ stage, progress }), secondsLeft: secondsLeft ?? undefined }
                  : one,
              ),
            },
        )
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [projectId])

/** As the calls answer it: what is not said is left out. */
const workOf = ({ stage, progress }: Pick<LiveEvents['edit'], 'stage' | 'progress'>) => ({
  stage: stage ?? undefined,
  progress: progress ?? undefined,
})

const onLive = <K extends keyof LiveEvents>(kind: K, listener: (event: LiveEvents[K]) => void): (() => void) => {
  const heard = (event: Event) => listener((event as CustomEvent<LiveEvents[K]>).detail)
  addEventListener(`live-${kind}`, heard)
  return () => removeEventListener(`live-${kind}`, heard)
}
