import { useRef, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CalendarClock, CalendarDays, ChartColumn, ChevronLeft, ChevronRight } from 'lucide-react'
import { toast } from 'sonner'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { dayIn, sameTimeOn } from '@clear-to-post/domain/calendar'
import { dayAfter } from '@clear-to-post/domain/periods'
import { fillsItsMoment, gapsOf } from '@clear-to-post/domain/post-days'
import { freeSlotsOn } from '@clear-to-post/domain/post-slots'
import { Status } from '@clear-to-post/domain/workflow'
import { query, send } from '../../api.ts'
import { paths } from '../../paths.ts'
import { currentZone } from '../../times.ts'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { mondayOf, monthName, otherMonth, spanName, startOfDay, today, weeksOfMonth } from '../days.ts'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { cardsOf, movingOf, type CalendarCard } from './calendar-cards.ts'
import { CalendarDay } from './calendar-day.tsx'
import { FiguresDialog } from './figures-dialog.tsx'
import { messages } from './messages.ts'
import { MoveDialog } from './move-dialog.tsx'
import { calendarViews, type CalendarView } from './search.ts'
import { useMedia } from '../../ui/use-media.ts'
import { SlotsDialog } from './slots-dialog.tsx'
import { scheduledVideosKey, useMove } from './use-move.ts'

const route = getRouteApi('/panel/calendar')

/** A person's posts by day, in their account's time: a month, a week, or thirty days as a list. */
export const CalendarPage = () => {
  const { search, change } = useFilters(route.useSearch())
  const { view = 'list', day = today() } = search
  const days = daysOf(view, day)
  const [from, to] = [startOfDay(days[0]!).toISOString(), startOfDay(dayAfter(days.at(-1)!, 1)).toISOString()]
  const posts = useQuery({ ...query(publishing.calendar, { query: { from, to } }), placeholderData: keepPreviousData })
  const videos = useScheduledVideos(from, to)
  const answer = posts.error ? posts : { ...videos, data: posts.data && videos.data }
  const byDay = Map.groupBy(cardsOf(posts.data?.items ?? [], videos.data?.items ?? []), ({ at }) =>
    dayIn(new Date(at), currentZone()),
  )
  const slots = useQuery(query(publishing.slots, {})).data?.items ?? []
  const taken = [...byDay.values()].flat().flatMap((card) => (fillsItsDay(card) ? [card.at] : []))
  const now = new Date()
  const freeOn = (one: string) => freeSlotsOn(one, slots, taken, now, currentZone())
  const [isShowingFigures, setShowingFigures] = useState(false)
  const [isSettingSlots, setSettingSlots] = useState(false)
  const inTime = useMove()
  const [asking, setAsking] = useState<CalendarCard | null>(null)
  const held = useRef<CalendarCard | null>(null)
  const drop = (card: CalendarCard, onDay: string) => {
    const moving = movingOf(card)
    if (moving) void inTime.move(moving, sameTimeOn(onDay, new Date(card.at), currentZone()).toISOString())
    else toast.error(messages.stays)
  }
  const move = (way: 1 | -1) =>
    change({ day: view === 'month' ? otherMonth(day, way) : dayAfter(day, way * days.length) })
  const filled = new Set(days.filter((one) => byDay.get(one)?.some(fillsItsDay)))
  const gaps = gapsOf(days, filled, today())
  // A narrow screen has no grid: days on which nothing is would be an empty page.
  const isNarrow = useMedia('(width < 48rem)')
  const shown = view === 'list' || isNarrow ? days.filter((one) => byDay.has(one) || freeOn(one).length > 0) : days
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
          <Button icon={<CalendarClock aria-hidden />} onPress={() => setSettingSlots(true)}>
            {messages.slots}
          </Button>
          <Button icon={<ChartColumn aria-hidden />} onPress={() => setShowingFigures(true)}>
            {messages.figures}
          </Button>
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
                <CalendarDay
                  key={one}
                  day={one}
                  cards={byDay.get(one) ?? []}
                  free={freeOn(one)}
                  isToday={one === today()}
                  isGrid={view !== 'list'}
                  moves={{ held, onDrop: drop, onMove: setAsking }}
                />
              ))}
            </ol>
          )}
          {isShowingFigures && <FiguresDialog onClose={() => setShowingFigures(false)} />}
          {isSettingSlots && <SlotsDialog slots={slots} onClose={() => setSettingSlots(false)} />}
          {asking && <MoveDialog card={asking} move={inTime} onClose={() => setAsking(null)} />}
        </>
      )}
    </ListPage>
  )
}

/** The officer's videos that go out between two days, with the posts that are due with them or without any. */
const useScheduledVideos = (from: string, to: string) =>
  useQuery({
    queryKey: [...scheduledVideosKey, from, to],
    queryFn: ({ signal }) =>
      send(
        projects.list,
        {
          query: {
            perPage: 100,
            wheres: [`status:eq:${Status.scheduled}`, `publishAt:gte:${from}`, `publishAt:lt:${to}`],
          },
        },
        { signal },
      ),
  })

const daysOf = (view: CalendarView, day: string): string[] => {
  if (view === 'list') return Array.from({ length: 30 }, (_, index) => dayAfter(day, index))
  if (view === 'week') return Array.from({ length: 7 }, (_, index) => dayAfter(mondayOf(day), index))
  return weeksOfMonth(day)
}

const fillsItsDay = ({ posts, video }: CalendarCard): boolean =>
  video !== undefined || posts.some(({ state }) => fillsItsMoment(state))

const spanWords = (view: CalendarView, days: readonly string[], day: string): string =>
  view === 'month' ? monthName(day) : spanName(days)
