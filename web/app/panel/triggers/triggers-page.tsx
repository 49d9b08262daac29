import { Link } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { notifications, type Trigger } from '@clear-to-post/contract/notifications'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { rowLink } from '../../ui/table-look.ts'
import { RowList, RowsLoading, TwoLines } from '../../ui/listed.tsx'
import { EmptyState, Skeleton } from '../../ui/states.tsx'
import { ListPage } from '../list-page.tsx'
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
  return (
    <ListPage
      title={messages.title}
      create={create}
      list={list}
      failed={messages.failed}
      loading={
        <RowsLoading count={3} row="gap-4 py-4">
          <TwoLines first="w-48" second="w-64 max-w-full" />
          <Skeleton className="ml-auto h-4 w-40 max-md:hidden" />
        </RowsLoading>
      }
      empty={
        <EmptyState
          icon={<BellRing aria-hidden />}
          title={messages.emptyTitle}
          text={messages.emptyText}
          action={create}
        />
      }
    >
      {(triggers) => (
        <>
          <p className="text-muted">{messages.text}</p>
          <RowList label={messages.list} items={triggers} columns={columns}>
            {(trigger) => <Row trigger={trigger} planNames={planNames} />}
          </RowList>
        </>
      )}
    </ListPage>
  )
}

const columns = 'grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_auto]'

const Row = ({ trigger, planNames }: { trigger: Trigger; planNames: ReadonlyMap<string, string> }) => (
  <>
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
  </>
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
