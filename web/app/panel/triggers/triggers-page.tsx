import { Link } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { notifications, type Trigger } from '@clear-to-post/contract/notifications'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { rowLink } from '../../ui/data-table.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Awaiting, EmptyState, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'
import { StatusBadge } from './status-badge.tsx'
import { TriggerMenu } from './trigger-menu.tsx'
import { useProducts } from './use-triggers.ts'
import { audienceWords, momentWords, outcomeWords, scheduleWords } from './words.ts'

/** Every trigger: what it is, when it runs next, and what became of the last run. */
export const TriggersPage = () => {
  const list = usePages(notifications.triggers, { perPage: 50 })
  const products = useProducts()
  const planNames = new Map(products.data?.map(({ id, name }) => [id, name]))
  const create = (
    <LinkButton to={paths.trigger} params={{ triggerId: 'new' }} variant="primary" icon={<Plus aria-hidden />}>
      {messages.create}
    </LinkButton>
  )
  const isEmpty = list.items?.length === 0
  return (
    <>
      <PageHead title={messages.title} actions={!isEmpty && create} />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6">
        {list.items === undefined ? (
          <Awaiting answer={list} failed={messages.failed}>
            <ListSkeleton />
          </Awaiting>
        ) : isEmpty ? (
          <EmptyState
            icon={<BellRing aria-hidden />}
            title={messages.emptyTitle}
            text={messages.emptyText}
            action={create}
          />
        ) : (
          <>
            <p className="text-muted">{messages.text}</p>
            <ul aria-label={messages.list} className="divide-y divide-line rounded-card border border-line bg-surface">
              {list.items.map((trigger) => (
                <Row key={trigger.id} trigger={trigger} planNames={planNames} />
              ))}
            </ul>
          </>
        )}
        <MoreButton list={list} />
      </div>
    </>
  )
}

const Row = ({ trigger, planNames }: { trigger: Trigger; planNames: ReadonlyMap<string, string> }) => (
  <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 px-3 py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken/60 md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_auto] md:items-center md:px-4">
    <div className="grid min-w-0 gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          to={paths.trigger}
          params={{ triggerId: trigger.id }}
          className={`font-medium ${rowLink} focus-visible:after:rounded-md`}
        >
          {trigger.title}
        </Link>
        <StatusBadge status={trigger.status} />
      </p>
      <p className="text-[0.8125rem] text-muted">
        {audienceWords(trigger, planNames)}
        <br />
        {scheduleWords(trigger)}
      </p>
    </div>
    <div className="figures min-w-0 text-[0.8125rem] max-md:col-start-1">
      <p>{nextWords(trigger)}</p>
      <p className="text-muted">{lastWords(trigger)}</p>
    </div>
    <span className="relative z-[1] max-md:col-start-2 max-md:row-start-1">
      <TriggerMenu trigger={trigger} />
    </span>
  </li>
)

/** When it runs next, or why it does not. */
export const nextWords = ({ status, nextExecution, timezone = 'UTC' }: Trigger): string => {
  if (status === 'running') return messages.noNext.running
  if (nextExecution) return messages.next(momentWords(nextExecution, timezone))
  return status === 'paused' ? messages.noNext.paused : messages.noNext.other
}

const lastWords = ({ history }: Trigger): string => {
  const [last] = history ?? []
  return last ? messages.last(momentWords(last.executedAt, last.timezone), outcomeWords(last)) : messages.neverRan
}

const ListSkeleton = () => (
  <div className="divide-y divide-line rounded-card border border-line bg-surface">
    {Array.from({ length: 3 }, (_, row) => (
      <div key={row} className="flex items-center gap-4 px-4 py-4">
        <div className="grid gap-2">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-3.5 w-64 max-w-full" />
        </div>
        <Skeleton className="ml-auto h-4 w-40 max-md:hidden" />
      </div>
    ))}
  </div>
)
