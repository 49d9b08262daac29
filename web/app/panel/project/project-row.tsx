import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { paths } from '../../paths.ts'
import { fullWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { rowLink } from '../../ui/table-look.ts'
import { Skeleton } from '../../ui/states.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { dueOf } from './due.ts'
import { ProjectThumb } from './project-thumb.tsx'

type RowProps = {
  project: Project
  /** Under the title, beside the officer's name. */
  detail?: ReactNode
  /** Under both: what was said about it. */
  note?: ReactNode
  /** At the beginning, outside the link. */
  lead?: ReactNode
  /** At the end, outside the link. */
  action?: ReactNode
  showStatus?: boolean
  /** And the company; not where all of them are one officer’s. */
  showOfficer?: boolean
}

/** A project as a line of a list; the whole line leads to it. */
export const ProjectRow = ({
  project,
  detail,
  note,
  lead,
  action,
  showStatus = true,
  showOfficer = true,
}: RowProps) => (
  // On a wide screen its words stand in columns, so that what belongs together is not a screen apart.
  <div className="@container relative flex items-start gap-3.5 px-3 py-3 hover:bg-sunken/60 md:px-4">
    {/* On phones what is pressed is larger than what is seen of it: the words get the room around. */}
    {lead && <div className="relative z-[1] self-center max-md:-mx-3">{lead}</div>}
    <ProjectThumb project={project} className="h-16 w-12" />
    <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto] @7xl:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0 @7xl:grid @7xl:grid-cols-2 @7xl:content-start @7xl:gap-x-6">
        <Link
          to={paths.project}
          params={{ projectId: project.id }}
          className={`line-clamp-2 font-medium ${rowLink} focus-visible:after:rounded-md`}
        >
          {project.title}
        </Link>
        <p className="flex flex-wrap gap-x-1.5 text-[0.8125rem] text-muted [&>span:not(:last-child)]:after:ml-1.5 [&>span:not(:last-child)]:after:content-['·']">
          {showOfficer && project.userName && <span>{project.userName}</span>}
          {showOfficer && project.tenantName && <span>{project.tenantName}</span>}
          {detail}
        </p>
        {note && <div className="@7xl:col-span-2">{note}</div>}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 sm:flex-col sm:items-end @7xl:items-start">
        {showStatus && <StatusChip status={project.status} />}
        <DueWords project={project} />
      </div>
    </div>
    {action && <div className="relative z-[1] max-md:-mr-2.5 max-md:-ml-2">{action}</div>}
  </div>
)

/** The time that counts, red when it has passed. */
export const DueWords = ({ project }: { project: Project }) => {
  const due = dueOf(project)
  if (!due) return null
  const exact = project.publishAt ?? project.dueBy
  return (
    <span
      className={cx(
        'figures inline-flex items-center gap-1.5 text-[0.8125rem]',
        due.tone === 'late' ? 'font-medium text-danger' : due.tone === 'soon' ? 'text-warn' : 'text-muted',
      )}
      title={exact ? fullWords(exact) : undefined}
    >
      <Clock aria-hidden className="size-3.5 shrink-0" />
      {due.words}
    </span>
  )
}

/** Lines in a frame, in their order. */
export const ProjectRows = ({
  items,
  children,
}: {
  items: readonly Project[]
  children: (project: Project) => ReactNode
}) => (
  <ol className={rowList}>
    {items.map((project) => (
      <li key={project.id}>{children(project)}</li>
    ))}
  </ol>
)

/** As many skeletons of lines in the same frame. */
export const ProjectRowsLoading = ({ count }: { count: number }) => (
  <div className={rowList}>
    {Array.from({ length: count }, (_, place) => (
      <div key={place} className="flex gap-3.5 px-3 py-3 md:px-4">
        <Skeleton className="h-16 w-12" />
        <div className="grid flex-1 content-start gap-2 pt-1">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-3.5 w-28" />
        </div>
        <Skeleton className="h-6 w-24 rounded-full max-sm:hidden" />
      </div>
    ))}
  </div>
)

export const rowList = 'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface'
