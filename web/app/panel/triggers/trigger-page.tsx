import { getRouteApi } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/states.tsx'
import { DetailPage } from '../detail-page.tsx'
import { TwoColumns } from '../two-columns.tsx'
import { messages } from './messages.ts'
import { StatusBadge } from './status-badge.tsx'
import { TriggerForm } from './trigger-form.tsx'
import { TriggerHistory } from './trigger-history.tsx'
import { TriggerMenu } from './trigger-menu.tsx'
import { useTrigger } from './use-triggers.ts'
import { nextWords } from './words.ts'

const route = getRouteApi('/panel/triggers/$triggerId')

/** One trigger with its history, or a new one. */
export const TriggerPage = () => {
  const { triggerId } = route.useParams()
  const navigate = route.useNavigate()
  const isNew = triggerId === 'new'
  const found = useTrigger(triggerId, { enabled: !isNew })
  return (
    <DetailPage
      title={isNew ? messages.newTitle : (found.data?.title ?? messages.one)}
      back={{ to: paths.triggers, label: messages.back }}
      beside={(trigger) => (
        <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={trigger.status} />
          <span className="figures text-[0.8125rem] text-muted max-md:hidden">{nextWords(trigger)}</span>
        </div>
      )}
      actions={(trigger) => (
        <TriggerMenu
          trigger={trigger}
          onDeleted={() => void navigate({ to: paths.triggers, replace: true, ignoreBlocker: true })}
        />
      )}
      found={found}
      isNew={isNew}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.oneFailed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <TwoColumns>
            <Skeleton className="h-96 rounded-card" />
            <Skeleton className="h-60 rounded-card" />
          </TwoColumns>
          <Skeleton className="h-80 rounded-card" />
        </div>
      }
    >
      {(trigger) => (
        <>
          <TriggerForm key={triggerId} trigger={trigger} />
          {trigger && <TriggerHistory trigger={trigger} />}
        </>
      )}
    </DetailPage>
  )
}
