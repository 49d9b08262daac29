import { useState, useSyncExternalStore } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Inbox, RotateCw } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { statuses, Status } from '@clear-to-post/domain/workflow'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/states.tsx'
import { CsvButton } from '../csv-button.tsx'
import type { CsvColumn } from '../csv.ts'
import { NothingFits } from '../list-page.tsx'
import { PageHead } from '../page-head.tsx'
import { useUser } from '../../session.ts'
import { SetUpCard, useSetUp } from '../tenants/set-up-card.tsx'
import { useFilters } from '../use-filters.ts'
import { Ask } from './ask.tsx'
import { BoardCalendar } from './board-calendar.tsx'
import { BoardColumn, BoardRail, useDragged } from './board-column.tsx'
import { BoardList } from './board-list.tsx'
import { inputOf, type Filters } from './columns.ts'
import { BoardFilters } from './filters.tsx'
import { messages } from './messages.ts'
import { ordersOf } from './search.ts'
import { TriageChips } from './triage-chips.tsx'
import { MovesContext, useMoves } from './use-moves.ts'
import { ViewSwitch } from './view-switch.tsx'

const route = getRouteApi('/panel/board')

/** All projects an ADMIN may see, as a board, a list or a calendar of the same data; list first on phones. */
export const BoardPage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch(), ['view', 'day', 'order'])
  const isNarrow = useNarrow()
  const { tenantId } = useUser()
  const setUp = useSetUp(tenantId)
  const view = search.view ?? (isNarrow ? 'list' : 'board')
  const filters: Filters = {
    ...(search.q ? { q: search.q } : {}),
    ...(search.editor ? { editor: search.editor } : {}),
    ...(search.tenant ? { tenant: search.tenant } : {}),
    ...(search.triage ? { triage: search.triage } : {}),
  }
  const listed =
    view === 'list' && search.order && ordersOf(search.status).includes(search.order)
      ? { ...filters, order: search.order }
      : filters
  const moves = useMoves(filters)
  return (
    <MovesContext value={moves}>
      <PageHead
        title={messages.title}
        beside={<ViewSwitch value={view} onChange={(chosen) => change({ view: chosen })} />}
        actions={
          <CsvButton
            shape={projects.list}
            asked={inputOf(search.status ?? null, listed).query}
            columns={csv}
            name="projects"
          />
        }
      />
      <div hidden={!setUp.isKnown} data-unsettled={setUp.isKnown ? undefined : ''}>
        <div className="grid gap-3 px-4 pt-4 md:px-6">
          {tenantId && setUp.steps && <SetUpCard tenantId={tenantId} steps={setUp.steps} />}
          <TriageChips chosen={search.triage} onChange={(triage) => change({ triage })} />
          <BoardFilters
            search={search}
            isList={view === 'list'}
            onChange={change}
            onClear={isFiltered ? clear : undefined}
          />
        </div>
        {view === 'board' ? (
          <Columns status={search.status} filters={filters} />
        ) : view === 'calendar' ? (
          <BoardCalendar
            day={search.day}
            status={search.status}
            filters={filters}
            onDay={(day) => change({ day } as { day: string })}
          />
        ) : (
          <div className="px-4 py-4 md:px-6">
            <BoardList
              key={JSON.stringify([search.status, listed])}
              status={search.status ?? null}
              filters={listed}
              empty={isFiltered ? <NothingFits words={messages} onClear={clear} /> : <NoProjects />}
            />
          </div>
        )}
      </div>
      {moves.asking && <Ask key={moves.asking.project.id} asking={moves.asking} onEnd={moves.endAsking} />}
    </MovesContext>
  )
}

const csv: CsvColumn<Project>[] = [
  { title: messages.project, text: ({ title }) => title },
  { title: messages.officer, text: ({ userName = '' }) => userName },
  { title: messages.company, text: ({ tenantName = '' }) => tenantName, isCompany: true },
  { title: messages.editor, text: ({ editorName = '' }) => editorName },
  { title: messages.status, text: ({ status }) => statuses[status] },
  { title: messages.due, text: ({ dueBy = '' }) => dueBy },
  { title: messages.sentIn, text: ({ submitTimestamp }) => submitTimestamp },
]

const working = [
  Status.submitted,
  Status.inProgress,
  Status.waitingApproval,
  Status.revisioning,
  Status.scheduled,
] as const satisfies readonly Status[]
const resting = [Status.completed, Status.denied, Status.canceled] as const satisfies readonly Status[]

// What moves stands open; what rests is folded to rails at the end, as long as nobody opens it.
const Columns = ({ status, filters }: { status: Status | undefined; filters: Filters }) => {
  const dragged = useDragged()
  const [open, setOpen] = useState<ReadonlySet<Status>>(new Set())
  const fold = (one: Status) => setOpen((before) => new Set([...before].filter((other) => other !== one)))
  const columns = status === undefined ? [...working, ...resting.filter((one) => open.has(one))] : [status]
  const rails = status === undefined ? resting.filter((one) => !open.has(one)) : []
  return (
    <div className="relative overflow-x-auto px-4 pt-2 pb-6 [scroll-padding:1rem] max-md:snap-x md:px-6">
      <div
        className="grid min-h-[60svh] min-w-max gap-2 md:h-[calc(100dvh-15.25rem)] md:grid-rows-[minmax(0,1fr)] [--column:10.5rem] max-md:[--column:16rem]"
        style={{
          gridTemplateColumns: `${columns.length > 0 ? `repeat(${columns.length}, minmax(var(--column), 1fr))` : ''} ${rails.length > 0 ? `repeat(${rails.length}, 2.25rem)` : ''}`,
          minWidth: '100%',
        }}
      >
        {columns.map((one) => (
          <div key={one} className={cx('min-h-0 snap-start', status !== undefined && 'max-w-2xl')}>
            <BoardColumn
              status={one}
              filters={filters}
              dragged={dragged}
              onFold={open.has(one) ? () => fold(one) : undefined}
            />
          </div>
        ))}
        {rails.map((one) => (
          <BoardRail
            key={one}
            status={one}
            filters={filters}
            dragged={dragged}
            onOpen={() => setOpen((before) => new Set(before).add(one))}
          />
        ))}
      </div>
    </div>
  )
}

const NoProjects = () => {
  const client = useQueryClient()
  return (
    <EmptyState
      icon={<Inbox aria-hidden />}
      title={messages.firstTitle}
      text={messages.firstText}
      action={
        <Button
          icon={<RotateCw aria-hidden />}
          onPress={() => void client.invalidateQueries({ queryKey: ['projects'] })}
        >
          {messages.look}
        </Button>
      }
    />
  )
}

const useNarrow = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia('(width < 48rem)')
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia('(width < 48rem)').matches,
  )
