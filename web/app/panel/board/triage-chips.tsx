import { useQuery } from '@tanstack/react-query'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { projects } from '@clear-to-post/contract/projects'
import { reports } from '@clear-to-post/contract/reports'
import { query } from '../../api.ts'
import { byWords } from '../../times.ts'
import { locale } from '../../language.ts'
import { cx } from '../../ui/cx.ts'
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
  const { data } = useQuery(query(projects.triage, { query: { until: endOfToday().toISOString() } }))
  const forecast = useQuery(query(reports.forecast, {}))
  const counts: Record<Triage, number> | undefined = data && {
    late: data.late,
    today: data.dueSoon,
    unassigned: data.unassigned,
  }
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2">
      <div role="group" aria-label={messages.triage} className="flex flex-wrap gap-2">
        {counts &&
          triages.map((triage) => (
            <ToggleButton
              key={triage}
              isSelected={chosen === triage}
              onChange={(isOn) => onChange(isOn ? triage : undefined)}
              className={cx(
                'touch figures h-9 rounded-full border border-line bg-surface px-3.5 text-[0.8125rem] hover:border-edge data-selected:border-primary data-selected:bg-primary-tint data-selected:font-medium data-selected:text-primary-text',
                triage === 'late' && counts.late > 0 && 'text-danger',
              )}
            >
              {messages.triages[triage](counts[triage])}
            </ToggleButton>
          ))}
      </div>
      {forecast.data?.clearBy !== undefined && (
        <p className="figures md:ml-auto text-[0.8125rem] text-muted">
          {messages.queue}{' '}
          <span className="font-medium text-ink">{messages.clearBy(byWords(forecast.data.clearBy))}</span>
        </p>
      )}
      {data?.turnaroundHours !== undefined && (
        <p
          className={cx(
            'figures text-[0.8125rem] text-muted',
            forecast.data?.clearBy === undefined ? 'md:ml-auto' : 'sm:border-l sm:border-line sm:pl-2',
          )}
        >
          {messages.turnaround}{' '}
          <span className="font-medium text-ink">
            {messages.median(data.turnaroundHours.toLocaleString(locale, { maximumFractionDigits: 1 }))}
          </span>
        </p>
      )}
    </div>
  )
}
