import { ClipboardCheck, RotateCw } from 'lucide-react'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { usePages } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { ListPage } from '../list-page.tsx'
import { Answers } from './answers.tsx'
import { Decided } from './decided.tsx'
import { ageOf } from '../project/due.ts'
import { messages as projectMessages } from '../project/messages.ts'
import { ProjectRow, ProjectRows, ProjectRowsLoading } from '../project/project-row.tsx'
import { messages } from './messages.ts'

/** What waits for approval, oldest first. Opening one leads to the player with approve and deny beside it. */
export const ReviewPage = () => {
  // The last change of a waiting cut is its sending, so this order is the order of waiting.
  const list = usePages(projects.list, {
    perPage: 50,
    orderBy: 'modified:asc',
    wheres: [`status:eq:${Status.waitingApproval}`],
  })
  const count = list.items?.length ?? 0
  return (
    <ListPage
      words={messages}
      icon={ClipboardCheck}
      beside={
        count > 0 && (
          <p className="figures text-muted" role="status">
            {messages.waiting(count, list.hasNextPage)}
          </p>
        )
      }
      list={list}
      foot={
        <>
          <Decided />
          <Answers />
        </>
      }
      className="mx-auto gap-6 py-5"
      loading={<ProjectRowsLoading count={4} />}
      emptyAction={
        <Button icon={<RotateCw aria-hidden />} isPending={list.isFetching} onPress={() => void list.refetch()}>
          {messages.again}
        </Button>
      }
    >
      {(waiting) => <ProjectRows items={waiting}>{(project) => <WaitingRow project={project} />}</ProjectRows>}
    </ListPage>
  )
}

const WaitingRow = ({ project }: { project: Project }) => (
  <ProjectRow
    project={project}
    showStatus={false}
    detail={
      <>
        <span>{messages.cut(project.currentCut ?? project.cuts)}</span>
        {project.editorName && <span>{messages.editedBy(project.editorName)}</span>}
      </>
    }
    note={
      <p className="mt-1 text-[0.8125rem]">
        <span className="figures font-medium text-waiting">{projectMessages.waitingSince(ageOf(project))}</span>
        {project.withheld?.map(({ verb, reason }) => (
          <span key={verb} className="text-muted">
            {' '}
            · {reason}
          </span>
        ))}
      </p>
    }
  />
)
