import type { ReactNode } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { projects } from '@clear-to-post/contract/projects'
import { reports } from '@clear-to-post/contract/reports'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { currentZone, dayWords, whenWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { Select } from '../../ui/select.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { editorsQuery, useChoosesCompany, useCompanies } from '../accounts/use-people.ts'
import { endOfToday } from '../board/columns.ts'
import { PageHead } from '../page-head.tsx'
import { useFilters } from '../use-filters.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { FigureCharts } from './figure-charts.tsx'
import { messages } from './messages.ts'
import { MoneyCharts } from './money-charts.tsx'
import { PartsCard } from './parts-card.tsx'
import { ReportsNav } from './reports-nav.tsx'
import { daysOfPeriod, periods, type ReportsSearch } from './search.ts'
import { hoursWords, numberWords, saysWhenClear, shareWords } from './words.ts'

const route = getRouteApi('/panel/reports')

export type VideosReport = CallAnswer<typeof reports.videos>

/** How the business does in a period, from the ledger: figures, charts, and by whom. */
export const ReportsPage = () => {
  const { search, change, isFiltered, clear } = useFilters<ReportsSearch>(route.useSearch(), ['period', 'by'])
  const askedOfCompany = {
    ...daysOfPeriod(search.period ?? 'month', new Date(), currentZone()),
    timezone: currentZone(),
    ...(search.tenant === undefined ? {} : { tenantId: search.tenant }),
  }
  const asked = {
    ...askedOfCompany,
    ...(search.editor === undefined ? {} : { editorId: search.editor }),
    ...(search.officer === undefined ? {} : { userId: search.officer }),
  }
  const user = useUser()
  const answer = useQuery({ ...query(reports.videos, { query: asked }), placeholderData: keepPreviousData })
  return (
    <>
      <PageHead title={messages.title} beside={<ReportsNav />} />
      <div className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6">
        <Narrowing search={search} change={change} onClear={isFiltered ? clear : undefined} officer={search.officer} />
        <p className="max-w-prose text-muted">{messages.days(dayOf(asked.from), dayOf(asked.to))}</p>
        <Loaded answer={answer} failed={messages.failed} loading={<ReportLoading />}>
          {(report) => (
            <div
              className={cx(
                'grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity',
                answer.isPlaceholderData && 'opacity-60',
              )}
            >
              <Tiles report={report} />
              <FigureCharts report={report} />
            </div>
          )}
        </Loaded>
        {user.rooms.includes('payments') && search.editor === undefined && search.officer === undefined && (
          <MoneyCharts asked={askedOfCompany} />
        )}
        <PartsCard asked={asked} by={search.by ?? 'editor'} change={change} />
      </div>
    </>
  )
}

const Narrowing = ({
  search,
  change,
  onClear,
  officer,
}: {
  search: ReportsSearch
  change: (part: Partial<ReportsSearch>) => void
  onClear: (() => void) | undefined
  officer: string | undefined
}) => {
  const editors = useQuery(editorsQuery)
  const companies = useCompanies()
  const choosesCompany = useChoosesCompany()
  return (
    <div role="search" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <Select
        label={messages.period}
        hideLabel
        className="sm:w-44"
        value={search.period ?? 'month'}
        options={periods.map((one) => ({ value: one, label: messages.periods[one] }))}
        onChange={(period) => change({ period })}
      />
      {choosesCompany && (
        <FilterSelect
          label={messages.company}
          all={messages.allCompanies}
          value={search.tenant}
          options={companies.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(tenant) => change({ tenant })}
        />
      )}
      <FilterSelect
        label={messages.editor}
        all={messages.allEditors}
        value={search.editor}
        options={(editors.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(editor) => change({ editor })}
      />
      <ViewsMenu search={search} />
      {officer !== undefined && (
        <Button variant="quiet" icon={<X aria-hidden />} onPress={() => change({ officer: undefined } as never)}>
          {messages.only(messages.oneOfficer)}
        </Button>
      )}
      {onClear && (
        <Button variant="quiet" icon={<X aria-hidden />} onPress={onClear}>
          {messages.clear}
        </Button>
      )}
    </div>
  )
}

const Tiles = ({ report: { total, before, officers } }: { report: VideosReport }) => {
  const triage = useQuery(query(projects.triage, { query: { until: endOfToday().toISOString() } }))
  const { data: forecast } = useQuery(query(reports.forecast, {}))
  const { tenantId } = useUser()
  const earlier = (figure: string) => messages.before(figure)
  return (
    <dl className="grid grid-cols-2 gap-3 max-md:[&>:last-child:nth-child(odd)]:col-span-2 md:grid-cols-3 2xl:grid-cols-5">
      <Tile name={messages.sentIn} note={earlier(numberWords(before.sentIn))}>
        {numberWords(total.sentIn)}
      </Tile>
      <Tile name={messages.approved} note={earlier(numberWords(before.approved))}>
        {numberWords(total.approved)}
      </Tile>
      <Tile name={messages.onTime} note={earlier(shareWords(before.onTime, before.promised))}>
        {shareWords(total.onTime, total.promised)}
      </Tile>
      <Tile name={messages.turnaround} note={earlier(hoursWords(before.turnaroundHours))}>
        {hoursWords(total.turnaroundHours)}
      </Tile>
      <Tile name={messages.firstPass} note={earlier(shareWords(before.firstPass, before.approved))}>
        {shareWords(total.firstPass, total.approved)}
      </Tile>
      <Tile name={messages.revisions} note={earlier(numberWords(before.revisions))}>
        {numberWords(total.revisions)}
      </Tile>
      {officers && (
        <Tile
          name={messages.officers}
          note={messages.officersNote(numberWords(officers.fresh), numberWords(officers.lost))}
        >
          {numberWords(officers.active)}
        </Tile>
      )}
      {/* Before what a company may not have: pressed, it stays where it is. */}
      {triage.isPending ? (
        <Skeleton className="min-h-24 rounded-card" />
      ) : triage.data ? (
        <Tile
          name={messages.late}
          isBad={triage.data.late > 0}
          note={
            <Link to={paths.board} search={{ view: 'list', triage: 'late' }} className="underline hover:text-ink">
              {messages.lateNote}
            </Link>
          }
        >
          {numberWords(triage.data.late)}
        </Tile>
      ) : null}
      {saysWhenClear(forecast, tenantId) && (
        <Tile
          name={messages.forecast}
          className="2xl:col-span-2"
          note={
            <>
              {forecast.paceHours === undefined
                ? messages.noPace(numberWords(forecast.open))
                : messages.forecastOf(
                    numberWords(forecast.open),
                    hoursWords(forecast.paceHours),
                    messages.editorsAtWork(forecast.editors, forecast.away),
                  )}
              {' · '}
              <Link to={paths.goals} className="underline hover:text-ink">
                {messages.toHours}
              </Link>
            </>
          }
        >
          {forecast.clearBy === undefined
            ? messages.noForecast[forecast.reason ?? 'no-pace']
            : whenWords(forecast.clearBy)}
        </Tile>
      )}
    </dl>
  )
}

const Tile = ({
  name,
  note,
  isBad = false,
  className,
  children,
}: {
  name: string
  note: ReactNode
  isBad?: boolean
  className?: string
  children: ReactNode
}) => (
  <div
    className={cx(
      'grid min-w-0 content-start rounded-card border border-line bg-surface px-4 py-3 [overflow-wrap:anywhere]',
      className,
    )}
  >
    <dt className="text-[0.8125rem] text-muted">{name}</dt>
    <dd className={cx('figures font-display text-2xl font-bold max-sm:text-xl', isBad && 'text-danger')}>{children}</dd>
    <dd className="figures text-[0.8125rem] text-muted">{note}</dd>
  </div>
)

const ReportLoading = () => (
  <div className="grid gap-4">
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 2xl:grid-cols-5">
      {Array.from({ length: 9 }, (_, place) => (
        <Skeleton key={place} className="h-24 rounded-card" />
      ))}
    </div>
    <div className="grid gap-4 xl:grid-cols-2">
      {Array.from({ length: 4 }, (_, place) => (
        <Skeleton key={place} className="h-72 rounded-card" />
      ))}
    </div>
  </div>
)

const dayOf = (day: string): string => dayWords(`${day}T12:00:00Z`)
