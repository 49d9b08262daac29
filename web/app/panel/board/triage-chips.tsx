import { useQuery } from '@tanstack/react-query'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { projects } from '@clear-to-post/contract/projects'
import { reports } from '@clear-to-post/contract/reports'
import { query } from '../../api.ts'
import { byWords } from '../../times.ts'
import { locale } from '../../language.ts'
import { cx } from '../../ui/cx.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { endOfToday } from './columns.ts'
import { messages } from './messages.ts'
import { triages, type Triage } from './search.ts'

/** What of the open work is late, due today and nobody's, each a filter; and how long videos took lately. */
export const TriageChips = ({
  chosen,
  onChange,
}: {
  chosen: Triage | undefined
  onChange: (triage: Triage | undefined) => void
}) => {
  const counts = useQuery(query(projects.triage, { query: { until: endOfToday().toISOString() } }))
  const forecast = useQuery(query(reports.forecast, {}))
  const { data } = counts
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2">
      <div role="group" aria-label={messages.triage}>
        <Loaded answer={counts} isSmall loading={<ChipsLoading />}>
          {({ late, dueSoon: today, unassigned }) => (
            <div className={chips}>
              {triages.map((triage) => (
                <ToggleButton
                  key={triage}
                  isSelected={chosen === triage}
                  onChange={(isOn) => onChange(isOn ? triage : undefined)}
                  className={cx(
                    'touch figures h-9 rounded-full border border-line bg-surface px-3.5 text-[0.8125rem] hover:border-edge data-selected:border-primary data-selected:bg-primary-tint data-selected:font-medium data-selected:text-primary-text',
                    triage === 'late' && late > 0 && 'text-danger',
                  )}
                >
                  {messages.triages[triage]({ late, today, unassigned }[triage])}
                </ToggleButton>
              ))}
            </div>
          )}
        </Loaded>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted max-md:w-full md:ml-auto">
        <Fact name={messages.queue} isPending={forecast.isPending} width="w-28">
          {forecast.data &&
            (forecast.data.clearBy === undefined
              ? messages.notClear[forecast.data.reason ?? 'no-pace']
              : messages.clearBy(byWords(forecast.data.clearBy)))}
        </Fact>
        <Fact
          name={messages.turnaround}
          isPending={counts.isPending}
          width="w-20"
          className="md:border-l md:border-line md:pl-2"
        >
          {data &&
            (data.turnaroundHours === undefined
              ? messages.noMedian
              : messages.median(data.turnaroundHours.toLocaleString(locale, { maximumFractionDigits: 1 })))}
        </Fact>
      </div>
    </div>
  )
}

/** A line that stands there from the first, also when there is nothing to say: coming later it would push down what is below. */
const Fact = ({
  name,
  isPending,
  width,
  className,
  children,
}: {
  name: string
  isPending: boolean
  /** Of the skeleton. */
  width: string
  className?: string
  /** Absent where asking failed. */
  children: string | undefined
}) => (
  <p className={cx('figures max-md:w-full', className)}>
    {name}{' '}
    {isPending ? (
      <span aria-hidden className={cx('skeleton inline-block h-3 align-middle', width)} />
    ) : (
      <span className="font-medium text-ink">{children ?? '–'}</span>
    )}
  </p>
)

const ChipsLoading = () => (
  <div className={chips}>
    <Skeleton className="touch h-9 w-18 rounded-full" />
    <Skeleton className="touch h-9 w-26 rounded-full" />
    <Skeleton className="touch h-9 w-30 rounded-full" />
  </div>
)

const chips = 'flex flex-wrap gap-2'
