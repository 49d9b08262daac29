import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { UserRound } from 'lucide-react'
import { Status } from '@clear-to-post/domain/workflow'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Listed } from '../../ui/listed.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { ageOf } from '../project/due.ts'
import { messages as projectMessages } from '../project/messages.ts'
import { ProjectRow, ProjectRowsLoading, rowList } from '../project/project-row.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CardMenu } from './card-menu.tsx'
import { useColumn, type Filters, type Ordered } from './columns.ts'
import { messages } from './messages.ts'

type ListProps = { status: Status | null; filters: Filters & Ordered; empty: ReactNode }

/** The same projects as lines. Only those on the screen are in the page; the next ones are asked for before the end is reached. */
export const BoardList = ({ status, filters, empty }: ListProps) => {
  const list = useColumn(status, filters)
  const items = list.items ?? []
  // Places and moves are those of the queue's own order.
  const isQueue = status === Status.submitted && filters.order === undefined
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter(({ id, actions }) => chosenIds.has(id) && actions.includes('assign'))
  const choose = (id: string, isChosen: boolean) =>
    setChosenIds((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id)))
  const frame = useRef<HTMLOListElement>(null)
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 90,
    overscan: 8,
    scrollMargin: frame.current?.offsetTop ?? 0,
    getItemKey: (index) => items[index]?.id ?? index,
  })
  const visible = rows.getVirtualItems()
  const last = visible.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= items.length - 10) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, items.length])

  return (
    <Listed
      list={{ items: list.items, error: list.error, refetch: list.refetch }}
      failed={messages.failed}
      loading={<ProjectRowsLoading count={8} />}
      empty={empty}
    >
      {() => (
        <>
          {chosen.length > 0 && <BulkBar chosen={chosen} onEnd={() => setChosenIds(new Set())} />}
          <ol ref={frame} className={`${rowList} relative divide-y-0`} style={{ height: rows.getTotalSize() + 2 }}>
            {visible.map(({ index, start }) => {
              const project = items[index]
              if (!project) return null
              return (
                <li
                  key={project.id}
                  ref={rows.measureElement}
                  data-index={index}
                  aria-setsize={hasNextPage ? -1 : items.length}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0 border-line not-first:border-t"
                  style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
                >
                  <ProjectRow
                    project={project}
                    lead={
                      project.actions.includes('assign') ? (
                        <Checkbox
                          aria-label={messages.choose(project.title)}
                          isSelected={chosenIds.has(project.id)}
                          onChange={(isChosen) => choose(project.id, isChosen)}
                          className="max-md:size-11 max-md:justify-center"
                        >
                          {null}
                        </Checkbox>
                      ) : (
                        // What nobody assigns stands under what somebody does.
                        <span className="block size-4.5 max-md:size-11" />
                      )
                    }
                    detail={
                      <>
                        {project.editorName && (
                          <span className="inline-flex items-center gap-1">
                            <UserRound aria-hidden className="size-3.5" />
                            {project.editorName}
                          </span>
                        )}
                        {project.status === Status.waitingApproval && (
                          <span>{projectMessages.waitingSince(ageOf(project))}</span>
                        )}
                        {project.status === Status.submitted && isQueue && <span>{messages.place(index + 1)}</span>}
                      </>
                    }
                    action={<CardMenu project={project} items={isQueue ? items : []} className="text-muted" />}
                  />
                </li>
              )
            })}
          </ol>
          <div className="mt-3 grid">
            <MoreButton list={list} />
          </div>
        </>
      )}
    </Listed>
  )
}
