import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { query } from '../../api.ts'
import { isForbidden } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { NoProject } from '../project/no-project.tsx'
import { BenchHead } from './bench-head.tsx'
import { FirstCut } from './first-cut.tsx'
import { readKept } from './kept.ts'
import { readSteps } from './kept-steps.ts'
import { useLiveEdit } from './live-edit.ts'
import { messages } from './messages.ts'
import { recipeOf, type Left } from './use-bench.ts'
import { WorkbenchOf } from './workbench.tsx'
import '../../ui/player.css'
import './workbench.css'
import './transcript.css'
import './line.css'
import './on-picture.css'

const route = getRouteApi('/panel/projects/$projectId/edit')

/** Where an editor edits: the words, the video as it will be, and what can be set. */
export const WorkbenchPage = () => {
  const { projectId } = route.useParams()
  const params = { projectId }
  const project = useQuery(query(projects.find, { params }))
  const edit = useQuery({
    ...query(edits.find, { params }),
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' || state.data?.state === 'preparing' ? 3000 : false,
  })
  useLiveEdit(projectId)
  const document = edit.data?.recipe
  // A new answer with the same recipe is no other recipe.
  const recipe = useMemo(() => recipeOf(document), [document])
  const error = project.error ?? edit.error
  const left = useLeft(projectId)
  if (project.data && edit.data && left)
    return edit.data.state === 'ready' && recipe ? (
      <WorkbenchOf key={projectId} project={project.data} edit={edit.data} remote={recipe} left={left} />
    ) : (
      <>
        <BenchHead project={project.data} />
        <FirstCut key={projectId} edit={edit.data} unreadable={edit.data.state === 'ready'} />
      </>
    )
  if (project.data && isForbidden(edit.error))
    return (
      <div className="mx-auto max-w-3xl px-4 py-10">
        <EmptyState
          title={messages.forOfficers}
          text={messages.forOfficersText}
          action={
            <LinkButton to={paths.project} params={{ projectId }} variant="primary">
              {messages.toProject}
            </LinkButton>
          }
        />
      </div>
    )
  const again = () => {
    void project.refetch()
    void edit.refetch()
  }
  return error ? <NoProject error={error} title={messages.failed} onRetry={again} /> : <PageSkeleton />
}

/** What was kept here of this project when its page was opened; undefined until the browser has said so. */
const useLeft = (projectId: string): Left | undefined => {
  const { id } = useUser()
  const [left, setLeft] = useState<Left & { projectId: string }>()
  useEffect(() => {
    let isOver = false
    void Promise.all([readKept(id, projectId), readSteps(id, projectId)]).then(
      ([kept, steps]) => isOver || setLeft({ projectId, kept, steps }),
    )
    return () => void (isOver = true)
  }, [id, projectId])
  return left?.projectId === projectId ? left : undefined
}

const PageSkeleton = () => (
  <Loading>
    <div className="flex min-h-14 items-center border-b border-line bg-surface px-4 max-[22rem]:min-h-22 md:px-6">
      <Skeleton className="h-6 w-56" />
    </div>
    <div className="bench lg:h-[calc(100dvh-3.5rem)]">
      <Skeleton className="bench-waits h-[45svh] w-full rounded-card max-md:h-[calc(22svh+8.25rem)] lg:h-full" />
      <Skeleton className="h-96 w-full rounded-card lg:h-full" />
      <Skeleton className="hidden h-full w-full rounded-card min-[82rem]:block" />
    </div>
  </Loading>
)
