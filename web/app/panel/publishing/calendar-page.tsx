import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { publishing, type Post } from '@clear-to-post/contract/publishing'
import { dayIn, instantAt } from '@clear-to-post/domain/calendar'
import { networks } from '@clear-to-post/domain/networks'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { paths } from '../../paths.ts'
import { currentZone } from '../../times.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { StateBadge } from './posts-card.tsx'
import { calendarViews, type CalendarView } from './search.ts'

const route = getRouteApi('/panel/calendar')

/** A person's posts by day, in their account's time: a month, a week, or thirty days as a list. */
export const CalendarPage = () => {
  const { search, change } = useFilters(route.useSearch())
  const today = dayIn(new Date(), currentZone())
  const { view = 'list', day = today } = search
  const days = daysOf(view, day)
  const answer = useQuery(
    query(publishing.calendar, {
      query: { from: startOf(days[0]!).toISOString(), to: startOf(plusDays(days.at(-1)!, 1)).toISOString() },
    }),
  )
  const byDay = Map.groupBy(answer.data?.items ?? [], ({ dueAt }) => dayIn(new Date(dueAt), currentZone()))
  const move = (way: 1 | -1) =>
    change({ day: view === 'month' ? otherMonth(day, way) : plusDays(day, way * days.length) })
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
                  isToday={one === today}
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
  const times = Map.groupBy(posts, ({ dueAt, network }) => `${dueAt} ${network}`)
  const together = Math.max(0, ...[...times.values()].map((some) => some.length))
  return (
    <li
      className={cx(
        'grid content-start gap-2 rounded-control border bg-surface p-2.5',
        isToday ? 'border-primary' : 'border-line',
        isGrid && posts.length === 0 && 'max-md:hidden',
      )}
    >
      <h3 className={cx('text-[0.8125rem]', isToday ? 'font-bold' : 'text-muted')}>{dayName.format(noonOf(day))}</h3>
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

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

const otherMonth = (day: string, way: 1 | -1): string => {
  const at = new Date(`${day.slice(0, 7)}-01`)
  at.setUTCMonth(at.getUTCMonth() + way)
  return at.toISOString().slice(0, 10)
}

/** A day's beginning in the account's zone: on days when the clock changes it is no multiple of 24 hours from the next. */
const startOf = (day: string): Date => instantAt(day, '00:00', currentZone())

// The week begins on Monday.
const mondayOf = (day: string): string => plusDays(day, -((new Date(day).getUTCDay() + 6) % 7))

const daysOf = (view: CalendarView, day: string): string[] => {
  if (view === 'list') return Array.from({ length: 30 }, (_, index) => plusDays(day, index))
  if (view === 'week') return Array.from({ length: 7 }, (_, index) => plusDays(mondayOf(day), index))
  const first = mondayOf(`${day.slice(0, 7)}-01`)
  const after = otherMonth(day, 1)
  const weeks = Math.ceil((Date.parse(after) - Date.parse(first)) / (7 * 86_400_000))
  return Array.from({ length: weeks * 7 }, (_, index) => plusDays(first, index))
}

const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`)
const dayName = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: currentZone() }).format(new Date(at))

const spanWords = (view: CalendarView, days: readonly string[], day: string): string =>
  view === 'month'
    ? monthName.format(noonOf(`${day.slice(0, 7)}-01`))
    : dayName.formatRange(noonOf(days[0]!), noonOf(days.at(-1)!))
