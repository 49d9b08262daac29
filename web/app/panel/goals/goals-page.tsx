import { getRouteApi } from '@tanstack/react-router'
import { useQueries, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, UsersRound } from 'lucide-react'
import { goals } from '@clear-to-post/contract/goals'
import { isoWeekIn } from '@clear-to-post/domain/calendar'
import { defaultWeeklyTarget } from '@clear-to-post/domain/goals'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { headCell, table, tableFrame } from '../../ui/data-table.ts'
import { Awaiting, EmptyState, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { onlyEditors } from '../people/editors.ts'
import { editorsQuery } from '../people/use-people.ts'
import { GoalRow } from './goal-row.tsx'
import { messages } from './messages.ts'
import { weekFrom, weekWords } from './weeks.ts'

const route = getRouteApi('/panel/goals')

/** Every editor's week: what is approved, day by day, and the target, which is set here. */
export const GoalsPage = () => {
  const user = useUser()
  const thisWeek = isoWeekIn(new Date(), user.timezone ?? 'UTC')
  const { week = thisWeek } = route.useSearch()
  const navigate = route.useNavigate()
  const go = (chosen: string) =>
    void navigate({ search: chosen === thisWeek ? {} : { week: chosen }, replace: true, resetScroll: false })
  const editors = useQuery(editorsQuery)
  const items = onlyEditors(editors.data ?? [])
  const weeks = useQueries({
    queries: items.map(({ id }) => query(goals.list, { query: { editorId: id, isoWeek: week } })),
  })
  const loaded = weeks.map(({ data }) => data?.items.find(({ isoWeek }) => isoWeek === week))
  const done = loaded.reduce((sum, goal) => sum + (goal?.progress ?? 0), 0)
  const target = loaded.reduce((sum, goal) => sum + (goal?.target ?? defaultWeeklyTarget), 0)
  return (
    <>
      <PageHead
        title={messages.title}
        beside={
          <div role="group" aria-label={messages.week} className="flex items-center">
            <IconButton label={messages.before} onPress={() => go(weekFrom(week, -1))}>
              <ChevronLeft aria-hidden />
            </IconButton>
            <p aria-live="polite" className="figures text-center font-medium sm:min-w-34">
              {weekWords(week)}
            </p>
            <IconButton label={messages.after} onPress={() => go(weekFrom(week, 1))}>
              <ChevronRight aria-hidden />
            </IconButton>
            {week !== thisWeek && (
              <Button variant="quiet" size="small" onPress={() => go(thisWeek)}>
                {messages.thisWeek}
              </Button>
            )}
          </div>
        }
      />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6">
        {editors.isPending || editors.isError ? (
          <Awaiting answer={editors} failed={messages.failed}>
            <div className="divide-y divide-line rounded-card border border-line bg-surface">
              {[0, 1, 2, 3].map((row) => (
                <div key={row} className="flex items-center gap-4 px-4 py-4">
                  <Skeleton className="size-8 rounded-full" />
                  <Skeleton className="h-4 w-32" />
                  <Skeleton className="ml-auto h-9 w-32" />
                </div>
              ))}
            </div>
          </Awaiting>
        ) : items.length === 0 ? (
          <EmptyState
            icon={<UsersRound aria-hidden />}
            title={messages.emptyTitle}
            text={messages.emptyText}
            action={<LinkButton to={paths.people}>{messages.toPeople}</LinkButton>}
          />
        ) : (
          <>
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <p className="figures font-medium">
                {messages.together(done.toLocaleString(locale), target.toLocaleString(locale))}
              </p>
              <p className="text-[0.8125rem] text-muted">{messages.text}</p>
            </div>
            <div className={tableFrame}>
              <table className={cx(table, 'max-md:block')}>
                <caption className="sr-only">{messages.editors}</caption>
                <thead className="max-md:hidden">
                  <tr>
                    <th scope="col" className={headCell}>
                      {messages.editor}
                    </th>
                    <th scope="col" className={cx(headCell, 'w-[26%]')}>
                      {messages.progress}
                    </th>
                    <th scope="col" className={headCell}>
                      {messages.days}
                    </th>
                    <th scope="col" className={headCell}>
                      {messages.target}
                    </th>
                  </tr>
                </thead>
                <tbody className="max-md:block">
                  {items.map((editor, place) => (
                    <GoalRow
                      key={`${editor.id} ${week}`}
                      editor={editor}
                      week={week}
                      goal={loaded[place]}
                      isPending={weeks[place]?.isPending ?? true}
                      isError={weeks[place]?.isError ?? false}
                      onRetry={() => void weeks[place]?.refetch()}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </div>
    </>
  )
}
