import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { dayIn } from '@clear-to-post/domain/calendar'
import { dayAfter } from '@clear-to-post/domain/periods'
import { Status } from '@clear-to-post/domain/workflow'
import { send } from '../../api.ts'
import { paths } from '../../paths.ts'
import { currentZone } from '../../times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState, Loaded, Skeleton } from '../../ui/states.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { dayName, monthName, otherMonth, startOfDay, timeOf, today, weeksOfMonth } from '../days.ts'
import { inputOf, type Filters } from './columns.ts'
import { openWork } from './search.ts'
import { messages } from './messages.ts'

/** So many videos of each kind stand in a month at most. */
const most = 300

/** The same projects by the day on which they are promised, or scheduled: a month of whole weeks, on phones a list of days. */
export const BoardCalendar = ({
  day = today(),
  status,
  filters,
  onDay,
}: {
  /** A day of the month that is shown. */
  day?: string | undefined
  status: Status | undefined
  filters: Filters
  onDay: (day: string | undefined) => void
}) => {
  const days = weeksOfMonth(day)
  const span = { from: startOfDay(days[0]!).toISOString(), to: startOfDay(dayAfter(days.at(-1)!, 1)).toISOString() }
  const answer = useQuery({
    queryKey: ['projects', 'calendar', span, status ?? null, filters],
    queryFn: ({ signal }) => videosBetween(span, status, filters, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={messages.views.calendar} className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-4 md:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <h2 aria-live="polite" className="mr-auto text-base font-bold">
          {monthName(day)}
        </h2>
        <IconButton label={messages.earlier} variant="secondary" onPress={() => onDay(otherMonth(day, -1))}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <Button onPress={() => onDay(undefined)}>{messages.today}</Button>
        <IconButton label={messages.later} variant="secondary" onPress={() => onDay(otherMonth(day, 1))}>
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
      <Loaded answer={answer} failed={messages.failed} loading={<Skeleton className="h-96 rounded-card" />}>
        {({ items, isCut }) => {
          const byDay = Map.groupBy(items, (one) => dayIn(new Date(momentOf(one)!), currentZone()))
          const shown = days.filter((one) => byDay.has(one) || one.slice(0, 7) === day.slice(0, 7))
          return (
            <div className={cx('grid gap-3 transition-opacity', answer.isPlaceholderData && 'opacity-60')}>
              {isCut && <p className="text-muted">{messages.monthCut}</p>}
              {items.length === 0 && (
                <EmptyState
                  icon={<CalendarDays aria-hidden />}
                  title={messages.noneInMonth}
                  text={messages.noneInMonthText}
                  className="md:hidden"
                />
              )}
              <ol className="grid gap-2 md:grid-cols-7">
                {days.map((one) => (
                  <Day
                    key={one}
                    day={one}
                    items={byDay.get(one) ?? []}
                    isOfMonth={one.slice(0, 7) === day.slice(0, 7)}
                    isShown={shown.includes(one)}
                  />
                ))}
              </ol>
            </div>
          )
        }}
      </Loaded>
    </section>
  )
}

const Day = ({
  day,
  items,
  isOfMonth,
  isShown,
}: {
  day: string
  items: readonly Project[]
  isOfMonth: boolean
  isShown: boolean
}) => {
  const isToday = day === today()
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] content-start gap-1 rounded-control border p-2 md:min-h-24',
        isToday ? 'border-primary' : 'border-line',
        isOfMonth ? 'bg-surface' : 'bg-canvas',
        (items.length === 0 || !isShown) && 'max-md:hidden',
      )}
    >
      <h3 className={cx('text-[0.8125rem]', isToday ? 'font-bold' : 'text-muted')}>{dayName(day)}</h3>
      {items.map((project) => (
        <Link
          key={project.id}
          to={paths.project}
          params={{ projectId: project.id }}
          className="touch -mx-1 grid grid-cols-[minmax(0,1fr)] gap-0.5 rounded-control p-1 hover:bg-sunken max-md:mx-0 max-md:p-1.5"
        >
          <span className="leading-snug [overflow-wrap:anywhere]">{project.title}</span>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 [&>span]:max-w-full [&>span]:whitespace-normal [&>span:first-child]:h-auto [&>span:first-child]:min-h-6">
            <StatusChip status={project.status} />
            <span className={cx('figures text-[0.8125rem]', isLate(project) ? 'text-danger' : 'text-muted')}>
              {isLate(project) ? messages.lateAt(timeOf(momentOf(project)!)) : timeOf(momentOf(project)!)}
            </span>
          </span>
        </Link>
      ))}
    </li>
  )
}

const momentOf = ({ status, publishAt, dueBy }: Project): string | undefined =>
  status === Status.scheduled ? publishAt : dueBy

const isLate = ({ status, dueBy }: Project): boolean =>
  status !== Status.scheduled && dueBy !== undefined && Date.parse(dueBy) < Date.now()

/** Open videos by their promise and scheduled ones by their moment, within what narrows the board. */
const videosBetween = async (
  { from, to }: { from: string; to: string },
  status: Status | undefined,
  filters: Filters,
  signal: AbortSignal,
) => {
  const narrowed = inputOf(null, filters).query.wheres
  const asks = [
    { is: (openWork as readonly Status[]).filter((one) => status === undefined || one === status), at: 'dueBy' },
    { is: status === undefined || status === Status.scheduled ? [Status.scheduled] : [], at: 'publishAt' },
  ]
  let isCut = false
  const items: Project[] = []
  for (const { is, at } of asks.filter((one) => one.is.length > 0)) {
    const wheres = [...narrowed, `status:in:${is.join(',')}`, `${at}:gte:${from}`, `${at}:lt:${to}`]
    let found = 0
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await send(
        projects.list,
        { query: { perPage: 100, orderBy: 'modified:desc', wheres, ...(cursor === undefined ? {} : { cursor }) } },
        { signal },
      )
      items.push(...page.items)
      found += page.items.length
      cursor = page.nextCursor
      if (cursor !== null && found >= most) {
        isCut = true
        break
      }
    }
  }
  const shown = items.filter((one) => momentOf(one) !== undefined)
  return { items: shown.toSorted((a, b) => (momentOf(a)! < momentOf(b)! ? -1 : 1)), isCut }
}
