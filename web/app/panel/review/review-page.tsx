import { ClipboardCheck, RotateCw } from 'lucide-react'
import { projects } from '@clear-to-post/contract/projects'
import { usePages } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
import { ageOf } from '../project/due.ts'
import { messages as projectMessages } from '../project/messages.ts'
import { ProjectRow, ProjectRowSkeleton, rowList } from '../project/project-row.tsx'
import { messages } from './messages.ts'

/** What waits for approval, oldest first. Opening one leads to the player with approve and deny beside it. */
export const ReviewPage = () => {
  // The last change of a waiting cut is its sending, so this order is the order of waiting.
  const list = usePages(projects.list, { perPage: 50, orderBy: 'modified:asc', wheres: ['status:eq:3'] })
  const { items } = list
  return (
    <ListPage
      title={messages.title}
      beside={
        items && items.length > 0 ? (
          <p className="figures text-muted" role="status">
            {messages.waiting(items.length, list.hasNextPage)}
          </p>
        ) : null
      }
      list={list}
      failed={messages.failed}
      loading={
        <div className={rowList}>
          {[0, 1, 2, 3].map((row) => (
            <ProjectRowSkeleton key={row} />
          ))}
        </div>
      }
      empty={
        <EmptyState
          icon={<ClipboardCheck aria-hidden />}
          title={messages.emptyTitle}
          text={messages.emptyText}
          action={
            <Button icon={<RotateCw aria-hidden />} isPending={list.isFetching} onPress={() => void list.refetch()}>
              {messages.again}
            </Button>
          }
        />
      }
      className="mx-auto gap-4 py-5"
    >
      {(waiting) => (
        <ol className={rowList}>
          {waiting.map((project) => (
            <li key={project.id}>
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
                    <span className="figures font-medium text-waiting">
                      {projectMessages.waitingSince(ageOf(project))}
                    </span>
                    {project.withheld?.map(({ verb, reason }) => (
                      <span key={verb} className="text-muted">
                        {' '}
                        · {reason}
                      </span>
                    ))}
                  </p>
                }
              />
            </li>
          ))}
        </ol>
      )}
    </ListPage>
  )
}
