import { getRouteApi } from '@tanstack/react-router'
import { isMissing } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Awaiting, EmptyState, Skeleton } from '../../ui/states.tsx'
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
  return (
    <>
      <PageHead
        title={isNew ? messages.newTitle : (trigger?.title ?? messages.one)}
        back={{ to: paths.triggers, label: messages.back }}
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
        {isNew || (trigger && !isMissing(found.error)) ? (
          <>
            <TriggerForm key={triggerId} trigger={trigger} />
            {trigger && <TriggerHistory trigger={trigger} />}
          </>
        ) : isMissing(found.error) ? (
          <EmptyState
            title={messages.missingTitle}
            text={messages.missingText}
            action={<LinkButton to={paths.triggers}>{messages.toList}</LinkButton>}
          />
        ) : (
          <Awaiting answer={found} failed={messages.oneFailed}>
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
              <div className="grid gap-5">
                <Skeleton className="h-96 rounded-card" />
                <Skeleton className="h-60 rounded-card" />
              </div>
              <Skeleton className="h-80 rounded-card" />
            </div>
          </Awaiting>
        )}
      </div>
    </>
  )
}
