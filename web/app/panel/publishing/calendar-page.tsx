import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { dayIn } from '@clear-to-post/domain/calendar'
import { networks } from '@clear-to-post/domain/networks'
import { dayAfter } from '@clear-to-post/domain/periods'
import { fillsItsMoment, gapsOf, mostTogether } from '@clear-to-post/domain/post-days'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { currentZone } from '../../times.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { dayName, mondayOf, monthName, otherMonth, spanName, startOfDay, timeOf, today, weeksOfMonth } from '../days.ts'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { StateBadge } from './posts-card.tsx'
import { calendarViews, type CalendarView } from './search.ts'

const route = getRouteApi('/panel/calendar')

/** A person's posts by day, in their account's time: a month, a week, or thirty days as a list. */
export const CalendarPage = () => {
  const { search, change } = useFilters(route.useSearch())
  const { view = 'list', day = today() } = search
  const days = daysOf(view, day)
  const answer = useQuery(
    query(publishing.calendar, {
      query: { from: startOfDay(days[0]!).toISOString(), to: startOfDay(dayAfter(days.at(-1)!, 1)).toISOString() },
    }),
  )
  const byDay = Map.groupBy(answer.data?.items ?? [], ({ dueAt }) => dayIn(new Date(dueAt), currentZone()))
  const move = (way: 1 | -1) =>
    change({ day: view === 'month' ? otherMonth(day, way) : dayAfter(day, way * days.length) })
  const filled = new Set(days.filter((one) => byDay.get(one)?.some(({ state }) => fillsItsMoment(state))))
  const gaps = gapsOf(days, filled, today())
  const shown = view === 'list' ? days.filter((one) => byDay.has(one)) : days
  return (
    <ListPage
      words={{ ...messages, title: messages.calendar, text: messages.calendarText, failed: messages.calendarFailed }}
      icon={CalendarDays}
      beside={
        <div className="flex flex-wrap items-center gap-2">
          <IconButton label={messages.before} variant="secondary" onPress={() => move(-1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <Button onPress={() => change({ day: undefined })}>{messages.today}</Button>
          <IconButton label={messages.after} variant="secondary" onPress={() => move(1)}>
            <ChevronRight aria-hidden />
          </IconButton>
          <Select
            label={messages.view}
            hideLabel
            value={view}
            options={calendarViews.map((value) => ({ value, label: messages.views[value] }))}
            onChange={(chosen) => change({ view: chosen === 'list' ? undefined : chosen })}
            className="min-w-28"
          />
        </div>
      }
      list={{ ...answer, items: answer.data ? [answer.data] : undefined }}
      loading={<PeopleLoading count={4} />}
    >
      {() => (
        <>
          <h2 className="text-base font-bold">{spanWords(view, days, day)}</h2>
          {gaps.length > 0 && (
            <ul aria-label={messages.gaps} className="grid gap-0.5 text-[0.8125rem] text-muted">
              {gaps.map((gap) => (
                <li key={gap.first}>{messages.gap(gap.days, spanName([gap.first, gap.last]))}</li>
              ))}
            </ul>
          )}
          {shown.length === 0 ? (
            <EmptyState
              icon={<CalendarDays aria-hidden />}
              title={messages.noPosts}
              text={messages.noPostsText}
              action={<LinkButton to={paths.panel}>{messages.toVideos}</LinkButton>}
            />
          ) : (
            <ol className={cx('grid gap-2', view !== 'list' && 'md:grid-cols-7')}>
              {shown.map((one) => (
                <Day
                  key={one}
                  day={one}
                  posts={byDay.get(one) ?? []}
                  isToday={one === today()}
                  isGrid={view !== 'list'}
                />
              ))}
            </ol>
          )}
        </>
      )}
    </ListPage>
  )
}

const Day = ({
  day,
  posts,
  isToday,
  isGrid,
}: {
  day: string
  posts: readonly Post[]
  isToday: boolean
  isGrid: boolean
}) => {
  const together = mostTogether(posts)
  return (
    <li
      className={cx(
        'grid content-start gap-2 rounded-control border bg-surface p-2.5',
        isToday ? 'border-primary' : 'border-line',
        isGrid && posts.length === 0 && 'max-md:hidden',
      )}
    >
      <h3 className={cx('text-[0.8125rem]', isToday ? 'font-bold' : 'text-muted')}>{dayName(day)}</h3>
      {posts.map((post) => (
        <Link
          key={post.id}
          to={paths.project}
          params={{ projectId: post.projectId }}
          className="grid gap-1 rounded-control p-1.5 hover:bg-sunken"
        >
          <span className="figures text-[0.8125rem] text-muted">
            {timeOf(post.dueAt)} · {networks[post.network].name}
          </span>
          <span className="[overflow-wrap:anywhere]">{post.projectTitle}</span>
          <span>
            <StateBadge state={post.state} />
          </span>
        </Link>
      ))}
      {together > 1 && <p className="text-[0.8125rem] text-danger">{messages.together(together)}</p>}
    </li>
  )
}

const daysOf = (view: CalendarView, day: string): string[] => {
  if (view === 'list') return Array.from({ length: 30 }, (_, index) => dayAfter(day, index))
  if (view === 'week') return Array.from({ length: 7 }, (_, index) => dayAfter(mondayOf(day), index))
  return weeksOfMonth(day)
}

const spanWords = (view: CalendarView, days: readonly string[], day: string): string =>
  view === 'month' ? monthName(day) : spanName(days)
