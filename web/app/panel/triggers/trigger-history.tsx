import { notifications, type HistoryEntry, type Trigger } from '@clear-to-post/contract/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { keyOf, send } from '../../api.ts'
import { locale } from '../../language.ts'
import { lengthWords } from '../../times.ts'
import { Listed } from '../../ui/listed.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'
import { momentWords, outcomeOf, outcomeWords } from './words.ts'

/** Every run of a trigger, newest first. */
export const TriggerHistory = ({ trigger }: { trigger: Trigger }) => {
  const { id, history } = trigger
  const params = { id }
  // The trigger itself tells when there is something new.
  const newest = history?.[0]
  const shape = notifications.triggerRuns
  const list = useInfiniteQuery({
    queryKey: [...keyOf(shape, { params }), newest?.batchId, newest?.executionTimeDuration, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      send(shape, { params, query: { perPage: 20, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
  const runs = list.data?.pages.flatMap(({ items }) => items)
  return (
    <section aria-labelledby="history" className="rounded-card border border-line bg-surface">
      <div className="p-4 md:px-5">
        <h2 id="history" className="text-base">
          {messages.history}
        </h2>
        <p className="mt-0.5 text-muted">{newest ? messages.historyText : messages.noHistory}</p>
      </div>
      {runs === undefined && newest === undefined && !list.isError ? null : (
        <Listed
          list={{ items: runs, error: list.error, refetch: list.refetch }}
          failed={messages.historyFailed}
          loading={<Skeleton className="mx-5 mb-5 h-16" />}
          empty={null}
        >
          {(all) => (
            <ul className="divide-y divide-line border-t border-line">
              {all.map((run) => (
                <Run key={run.batchId} run={run.batchId === newest?.batchId ? newest : run} />
              ))}
            </ul>
          )}
        </Listed>
      )}
      {list.hasNextPage && (
        <div className="grid border-t border-line p-3">
          <MoreButton list={list} />
        </div>
      )}
    </section>
  )
}

const Run = ({ run }: { run: HistoryEntry }) => {
  const outcome = outcomeOf(run)
  const { total, success, error } = run.users
  const others = total - success - error
  const reasons = outcome === 'missed' ? [] : (run.errorList ?? [])
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[15rem_7rem_minmax(0,1fr)] md:px-5">
      <p className="figures">{momentWords(run.executedAt, run.timezone)}</p>
      <p>
        <Badge tone={tones[outcome]}>{messages.outcomes[outcome]}</Badge>
      </p>
      <div className="min-w-0">
        <p className="figures">
          {outcomeWords(run)}
          {total > 0 && run.executionTimeDuration !== undefined && (
            <span className="text-muted">, {messages.took(durationWords(run.executionTimeDuration))}</span>
          )}
        </p>
        {others > 0 && outcome !== 'sending' && (
          <p className="text-[0.8125rem] text-muted">{messages.others(others.toLocaleString(locale))}</p>
        )}
        {outcome === 'missed' && <p className="text-[0.8125rem] text-muted">{run.errorList![0]}</p>}
        {reasons.length > 0 && (
          <details className="mt-1 text-[0.8125rem]">
            <summary className="touch inline-flex w-fit cursor-pointer items-center rounded underline underline-offset-2">
              {messages.reasons(reasons.length)}
            </summary>
            <ul className="mt-1 grid gap-0.5 text-muted [overflow-wrap:anywhere]">
              {reasons.map((reason, place) => (
                <li key={place}>{reason}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}

const durationWords = (ms: number): string => (ms < 1000 ? messages.lessThanSecond : lengthWords(ms / 1000))

const tones = {
  success: 'good',
  failed: 'danger',
  info: 'plain',
  warn: 'warn',
  missed: 'warn',
  sending: 'primary',
} as const
