import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Refusal } from '@clear-to-post/contract/errors'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { messages } from './messages.ts'
import { StatusBadge } from './status-badge.tsx'
import { TriggerForm } from './trigger-form.tsx'
import { TriggerHistory } from './trigger-history.tsx'
import { TriggerMenu } from './trigger-menu.tsx'
import { nextWords } from './triggers-page.tsx'
import { useTrigger } from './use-triggers.ts'

const route = getRouteApi('/panel/triggers/$triggerId')

/** One trigger with its history, or a new one. */
export const TriggerPage = () => {
  const { triggerId } = route.useParams()
  const navigate = route.useNavigate()
  const isNew = triggerId === 'new'
  const found = useTrigger(triggerId, { enabled: !isNew })
  const trigger = found.data
  const isMissing = found.error instanceof Refusal && ['not-found', 'invalid-argument'].includes(found.error.kind)
  return (
    <>
      <PageHead
        title={isNew ? messages.newTitle : (trigger?.title ?? messages.one)}
        before={
          <Link
            to={paths.triggers}
            aria-label={messages.back}
            className="-ml-2 grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken max-md:size-11"
          >
            <ArrowLeft aria-hidden className="size-5" />
          </Link>
        }
        beside={
          trigger && (
            <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={trigger.status} />
              <span className="figures text-[0.8125rem] text-muted max-md:hidden">{nextWords(trigger)}</span>
            </div>
          )
        }
        actions={
          trigger && (
            <TriggerMenu
              trigger={trigger}
              onDeleted={() => void navigate({ to: paths.triggers, replace: true, ignoreBlocker: true })}
            />
          )
        }
      />
      <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5 md:px-6">
        {isNew || (trigger && !isMissing) ? (
          <>
            <TriggerForm key={triggerId} trigger={trigger} />
            {trigger && <TriggerHistory trigger={trigger} />}
          </>
        ) : isMissing ? (
          <EmptyState
            title={messages.missingTitle}
            text={messages.missingText}
            action={<LinkButton to={paths.triggers}>{messages.toList}</LinkButton>}
          />
        ) : found.isError ? (
          <ErrorState title={messages.oneFailed} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Loading>
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
              <div className="grid gap-5">
                <Skeleton className="h-96 rounded-card" />
                <Skeleton className="h-60 rounded-card" />
              </div>
              <Skeleton className="h-80 rounded-card" />
            </div>
          </Loading>
        )}
      </div>
    </>
  )
}
