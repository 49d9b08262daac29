import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { Inbox, RotateCw, Scissors } from 'lucide-react'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { captionStyles } from '@clear-to-post/domain/captions'
import { keyOf, query, useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/states.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { DueWords } from '../project/project-row.tsx'
import { ProjectThumb } from '../project/project-thumb.tsx'
import { messages } from './messages.ts'

/**
 * What this editor would start next, and the button. The look is no claim: the button asks for whatever is next at that
 * moment, so that two editors who press at once both get work.
 */
export const NextUp = () => {
  const user = useUser()
  const client = useQueryClient()
  const navigate = useNavigate()
  const next = useQuery({ ...query(projects.next, { params: { userId: user.id } }), refetchInterval: 60_000 })
  const pool = useQuery(query(projects.pool, {}))
  const start = useCall(projects.start, {
    onSuccess: (project) => {
      client.setQueryData(keyOf(projects.find, { params: { projectId: project.id } }), project)
      void client.invalidateQueries({ queryKey: ['projects'] })
      toast.success(messages.started)
      void navigate({ to: paths.workbench, params: { projectId: project.id } })
    },
    onError: (error) => {
      toastFailure(error)
      void client.invalidateQueries({ queryKey: ['projects'] })
    },
  })
  const isEmpty = next.error instanceof Refusal && next.error.code === 'project.queue-empty'
  const size = pool.data?.size

  return (
    <section aria-labelledby="next" className="flex min-h-80 flex-col rounded-card border border-line bg-surface">
      <header className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-3 md:px-5">
        <h2 id="next" className="text-base">
          {messages.next}
        </h2>
        <p className="figures text-[0.8125rem] text-muted" role="status">
          {size === undefined ? null : size === 0 ? messages.poolEmpty : messages.poolSize(size)}
        </p>
      </header>
      <Loaded
        answer={{ ...next, data: isEmpty ? null : next.data }}
        failed={messages.nextFailed}
        isSmall
        className="flex-1 p-4 md:p-5"
        loading={
          <div className="flex gap-4">
            <Skeleton className="h-32 w-24" />
            <div className="grid flex-1 content-start gap-2.5">
              <Skeleton className="h-6 w-28 rounded-full" />
              <Skeleton className="h-6 w-4/5" />
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="mt-4 h-11 w-40" />
            </div>
          </div>
        }
      >
        {(project) =>
          project ? (
            <NextProject project={project} isStarting={start.isPending} onStart={() => start.mutate({ body: {} })} />
          ) : (
            <EmptyState
              isSmall
              icon={<Inbox aria-hidden />}
              title={messages.nothingTitle}
              text={messages.nothingText}
              action={
                <Button icon={<RotateCw aria-hidden />} isPending={next.isFetching} onPress={() => void next.refetch()}>
                  {messages.look}
                </Button>
              }
              className="flex-1 justify-center"
            />
          )
        }
      </Loaded>
    </section>
  )
}

const NextProject = ({
  project,
  isStarting,
  onStart,
}: {
  project: Project
  isStarting: boolean
  onStart: () => void
}) => {
  const start = (className: string) => (
    <Button
      variant="primary"
      size="large"
      icon={<Scissors aria-hidden />}
      isPending={isStarting}
      className={className}
      onPress={onStart}
    >
      {messages.start}
    </Button>
  )
  return (
    <>
      <div className="flex flex-1 items-start gap-4 p-4 md:gap-5 md:p-5">
        <ProjectThumb project={project} className="h-40 w-28 max-sm:h-28 max-sm:w-20" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-2 self-stretch">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusChip status={project.status} />
            <DueWords project={project} />
          </div>
          <h3 className="line-clamp-2 text-lg [overflow-wrap:anywhere]">
            <Link
              to={paths.project}
              params={{ projectId: project.id }}
              className="rounded-sm hover:underline hover:underline-offset-4"
            >
              {project.title}
            </Link>
          </h3>
          <p className="line-clamp-1 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
            {[project.userName, captionStyles[project.captionStyle].label].filter(Boolean).join(' · ')}
          </p>
          {project.instructions && (
            <p className="line-clamp-2 max-w-prose max-sm:line-clamp-1 [overflow-wrap:anywhere]">
              {project.instructions}
            </p>
          )}
          {start('mt-auto max-sm:hidden')}
        </div>
      </div>
      <div className="px-4 pb-4 sm:hidden">{start('w-full')}</div>
    </>
  )
}
