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
import { TableFrame } from '../../ui/data-table.tsx'
import { listOf, RowsLoading } from '../../ui/listed.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
import { onlyEditors } from '../accounts/editors.ts'
import { editorsQuery } from '../accounts/use-people.ts'
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
    <ListPage
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
      list={listOf(editors, onlyEditors)}
      failed={messages.failed}
      loading={
        <RowsLoading count={4} row="gap-4 py-4">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-32" />
          <Skeleton className="ml-auto h-9 w-32" />
        </RowsLoading>
      }
      empty={
        <EmptyState
          icon={<UsersRound aria-hidden />}
          title={messages.emptyTitle}
          text={messages.emptyText}
          action={<LinkButton to={paths.people}>{messages.toPeople}</LinkButton>}
        />
      }
    >
      {(people) => (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <p className="figures font-medium">
              {messages.together(done.toLocaleString(locale), target.toLocaleString(locale))}
            </p>
            <p className="text-[0.8125rem] text-muted">{messages.text}</p>
          </div>
          <TableFrame
            label={messages.editors}
            heads={[
              { title: messages.editor },
              { title: messages.progress, className: 'w-[26%]' },
              { title: messages.days },
              { title: messages.target },
            ]}
            narrow="max-md"
          >
            {people.map((editor, place) => (
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
          </TableFrame>
        </>
      )}
    </ListPage>
  )
}
