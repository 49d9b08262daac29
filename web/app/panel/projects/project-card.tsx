import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { fullWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/states.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { ProjectThumb } from '../project/project-thumb.tsx'
import { stateWords } from './groups.ts'

/** One video of the officer; the whole card leads to it. */
export const ProjectCard = ({ project }: { project: Project }) => {
  const { words, due, isLate } = stateWords(project)
  return (
    <Link
      to={paths.project}
      params={{ projectId: project.id }}
      className="flex h-full min-h-29 gap-3.5 rounded-card border border-line bg-surface p-3 transition-colors hover:border-edge"
    >
      <ProjectThumb project={project} className="w-16 self-stretch [&_img]:absolute [&_img]:inset-0" />
      <span className="flex min-w-0 flex-1 flex-col items-start gap-1.5 py-0.5">
        <span className="line-clamp-2 leading-snug font-medium [overflow-wrap:anywhere]">{project.title}</span>
        <StatusChip status={project.status} />
        <span className="mt-auto text-[0.8125rem] leading-snug text-muted">{words}</span>
        {due !== undefined && (
          <time
            dateTime={project.dueBy}
            title={fullWords(project.dueBy!)}
            className={cx(
              'figures -mt-1 flex items-center gap-1.5 text-[0.8125rem] leading-snug',
              isLate ? 'text-danger' : 'text-ink',
            )}
          >
            <Clock aria-hidden className="size-3.5 shrink-0" />
            {due}
          </time>
        )}
      </span>
    </Link>
  )
}

export const ProjectCardSkeleton = () => (
  <div className="flex min-h-29 gap-3.5 rounded-card border border-line bg-surface p-3">
    <Skeleton className="w-16 self-stretch" />
    <div className="flex flex-1 flex-col gap-2 py-0.5">
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-6 w-28 rounded-full" />
      <Skeleton className="mt-auto h-3.5 w-3/5" />
    </div>
  </div>
)
