import { Button } from 'react-aria-components/Button'
import { GripVertical, Hourglass, LoaderCircle } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/states.tsx'
import { ageOf } from '../project/due.ts'
import { messages as projectMessages } from '../project/messages.ts'
import { DueWords } from '../project/project-row.tsx'
import { ProjectThumb } from '../project/project-thumb.tsx'
import { CardMenu } from './card-menu.tsx'
import { messages } from './messages.ts'
import { useBoardMoves } from './use-moves.ts'
import { Status } from '@clear-to-post/domain/workflow'

/** A project on the board: picture, title, whose, when, and who has it. */
export const Card = ({ project, items }: { project: Project; items: readonly Project[] }) => {
  const { busy } = useBoardMoves()
  const isBusy = busy.has(project.id)
  return (
    <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-2', isBusy && 'opacity-60')}>
      <div className="flex gap-2.5">
        <ProjectThumb project={project} className="h-14 w-10" />
        <div className="min-w-0 flex-1">
          <p className="line-clamp-4 leading-snug font-medium [overflow-wrap:anywhere]">{project.title}</p>
          <div className="flex items-center gap-0.5">
            <p className="min-w-0 flex-1 truncate text-[0.8125rem] text-muted">{project.userName}</p>
            <CardMenu
              project={project}
              items={items}
              className="-my-1 -mr-1.5 size-8! text-muted max-md:-my-2 max-md:-mr-2 max-md:size-11!"
            />
          </div>
          {project.tenantName && (
            <p title={project.tenantName} className="truncate text-[0.8125rem] text-muted">
              {project.tenantName}
            </p>
          )}
        </div>
      </div>
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        {isBusy ? (
          <span role="status" className="inline-flex items-center gap-1.5 text-[0.8125rem] text-muted">
            <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
            {messages.busy}
          </span>
        ) : project.status === Status.waitingApproval && !isLate(project) ? (
          <span className="figures inline-flex items-center gap-1.5 text-[0.8125rem] text-muted">
            <Hourglass aria-hidden className="size-3.5" />
            {projectMessages.waitingSince(ageOf(project))}
          </span>
        ) : (
          <DueWords project={project} />
        )}
        {project.editorName && (
          <span className="ml-auto" title={`${messages.editor}: ${project.editorName}`}>
            <Avatar name={project.editorName} className="size-6 text-[0.6875rem]" />
            <span className="sr-only">{`${messages.editor}: ${project.editorName}`}</span>
          </span>
        )}
      </div>
      {/* The keyboard's and the screen reader's way to pick a card up; a mouse may take it anywhere. */}
      <Button
        slot="drag"
        aria-label={messages.drag(project.title)}
        className="absolute -left-0.5 top-1/2 grid size-6 -translate-y-1/2 place-items-center rounded-md bg-surface text-muted opacity-0 outline-offset-0 data-focus-visible:opacity-100"
      >
        <GripVertical aria-hidden className="size-4" />
      </Button>
    </div>
  )
}

export const CardSkeleton = () => (
  <div className={cx(cardLook, 'grid gap-2')}>
    <div className="flex gap-2.5">
      <Skeleton className="h-14 w-10" />
      <div className="grid flex-1 content-start gap-2 pt-1">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-3.5 w-2/5" />
      </div>
    </div>
    <Skeleton className="my-1 h-4 w-3/5" />
  </div>
)

export const cardLook = 'relative rounded-card border border-line bg-surface p-2.5'

const isLate = ({ dueBy }: Project): boolean => dueBy !== undefined && Date.parse(dueBy) < Date.now()
