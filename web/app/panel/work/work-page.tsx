import type { ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { toast } from 'sonner'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { idBeginningIn, jobCodeOf } from '@clear-to-post/domain/job-code'
import { Status } from '@clear-to-post/domain/workflow'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { startUpload } from '../assets/uploads.ts'
import { PageHead } from '../page-head.tsx'
import { ageOf } from '../project/due.ts'
import { messages as projectMessages } from '../project/messages.ts'
import { ProjectRow, ProjectRows, ProjectRowsLoading } from '../project/project-row.tsx'
import { messages } from './messages.ts'
import { NextUp } from './next-up.tsx'
import { WeekGoal } from './week-goal.tsx'

/** An editor's day: what is next and one button, the week's goal, what came back, what is under way. */
export const WorkPage = () => {
  const user = useUser()
  const work = useQuery(
    query(projects.list, {
      query: {
        perPage: 100,
        orderBy: 'modified:desc',
        wheres: [`editorId:eq:${user.id}`, `status:in:${underWay.join(',')}`],
      },
    }),
  )
  const items = work.data?.items ?? []
  const navigate = useNavigate()
  /** A file from another editing program goes to the project whose code stands in its name. */
  const bringBack = (file: File) => {
    const beginning = idBeginningIn(file.name)
    if (beginning === null) return void toast.error(messages.noCode)
    const project = items.find(({ id }) => id.startsWith(beginning))
    if (!project) return void toast.error(messages.notYours(jobCodeOf(beginning)))
    startUpload(file, { projectId: project.id })
    void navigate({ to: paths.project, params: { projectId: project.id } })
  }
  return (
    <>
      <PageHead
        title={messages.title}
        actions={
          <FileTrigger
            acceptedFileTypes={['video/*', '.mp4', '.mov', '.m4v', '.mkv', '.webm']}
            onSelect={(files) => files?.[0] && bringBack(files[0])}
          >
            <Button icon={<Upload aria-hidden />} isDisabled={!work.data}>
              {messages.bringBack}
            </Button>
          </FileTrigger>
        }
      />
      <div className="mx-auto grid max-w-page gap-6 px-4 py-5 md:px-6">
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-stretch">
          <NextUp />
          <WeekGoal />
        </div>
        <Listed
          list={listOf(work, (data) => data.items)}
          failed={messages.failed}
          loading={
            <>
              <Skeleton className="mb-3 h-5 w-32" />
              <ProjectRowsLoading count={3} />
            </>
          }
          empty={null}
        >
          {(mine) => (
            <>
              <Group
                title={messages.back}
                items={mine
                  .filter(({ status }) => status === Status.denied || status === Status.revisioning)
                  .toSorted(byDue)}
                noteOf={(project) => <Why project={project} />}
              />
              <Group
                title={messages.inProgress}
                items={mine.filter(({ status }) => status === Status.inProgress).toSorted(byDue)}
              />
              <Group
                title={messages.waiting}
                items={mine.filter(({ status }) => status === Status.waitingApproval)}
                detailOf={(project) => (
                  <>
                    <span>{messages.cut(project.cuts)}</span>
                    <span>{projectMessages.waitingSince(ageOf(project))}</span>
                  </>
                )}
              />
            </>
          )}
        </Listed>
      </div>
    </>
  )
}

type GroupProps = {
  title: string
  items: readonly Project[]
  noteOf?: (project: Project) => ReactNode
  detailOf?: (project: Project) => ReactNode
}

const Group = ({ title, items, noteOf, detailOf }: GroupProps) =>
  items.length > 0 && (
    <section aria-label={title}>
      <h2 className="mb-2.5 flex items-baseline gap-2 text-base">
        {title}
        <span className="figures font-sans text-sm font-normal text-muted">{items.length}</span>
      </h2>
      <ProjectRows items={items}>
        {(project) => <ProjectRow project={project} note={noteOf?.(project)} detail={detailOf?.(project)} />}
      </ProjectRows>
    </section>
  )

// Why it came back, in the words of who sent it: the revision, or the denial's sentence and its weak points.
const Why = ({ project }: { project: Project }) => {
  const { revision } =
    project.timeline
      .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
      .find(({ metadata }) => metadata['verb'] === (project.status === Status.revisioning ? 'review' : 'deny'))
      ?.metadata ?? {}
  const weak = project.feedback?.criteria.filter(({ score }) => score < 6) ?? []
  const text = project.status === Status.revisioning ? revision : project.feedback?.comment
  return (
    <div className="mt-1.5 grid gap-1">
      {typeof text === 'string' && <p className="line-clamp-3 max-w-prose whitespace-pre-line">{text}</p>}
      {project.status === Status.denied && weak.length > 0 && (
        <ul className="grid gap-0.5 text-[0.8125rem] text-muted">
          {weak.map(({ id, label, score, comment }) => (
            <li key={id}>
              <span className="figures font-medium text-danger">{`${label} ${score}`}</span>
              {comment && ` · ${comment}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const underWay = [Status.inProgress, Status.waitingApproval, Status.denied, Status.revisioning]
const byDue = (a: Project, b: Project) => (a.dueBy ?? '9').localeCompare(b.dueBy ?? '9')
