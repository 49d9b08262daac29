import { getRouteApi } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Play, Send } from 'lucide-react'
import { webhooks, type WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { whenInSentence } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { DetailPage } from '../detail-page.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { messages } from './messages.ts'
import { healthWords, nameOf, StateBadge } from './parts.tsx'
import { SignatureHelp } from './signature-help.tsx'
import { useWebhookActs } from './use-webhook-acts.ts'
import { WebhookMenu } from './webhook-menu.tsx'

const route = getRouteApi('/panel/people/webhooks/$endpointId')

/** One webhook: where it leads, what it hears of, how it goes, and its log. */
export const WebhookPage = () => {
  const { endpointId } = route.useParams()
  const navigate = route.useNavigate()
  const found = useQuery({ ...query(webhooks.find, { params: { endpointId } }), refetchInterval: 15_000 })
  return (
    <DetailPage
      title={found.data ? nameOf(found.data) : messages.one}
      back={{ to: paths.webhooks, label: messages.back }}
      beside={(one) => (
        <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateBadge of={one} />
          <span className="text-[0.8125rem] text-muted max-md:hidden">{healthWords(one)}</span>
        </div>
      )}
      actions={(one) => (
        <>
          <NextButton of={one} />
          <WebhookMenu of={one} onDeleted={() => void navigate({ to: paths.webhooks, replace: true })} />
        </>
      )}
      found={found}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.oneFailed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Skeleton className="h-80 rounded-card" />
          <Skeleton className="h-60 rounded-card" />
        </div>
      }
    >
      {(one) =>
        one && (
          <>
            {one.state === 'paused' ? (
              <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">{messages.stateWhy.paused}</p>
            ) : (
              one.state !== 'active' && <Problem>{messages.stateWhy[one.state]}</Problem>
            )}
            <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <DeliveryLog endpointId={one.id} />
              <About of={one} />
            </div>
          </>
        )
      }
    </DetailPage>
  )
}

/** The one thing that is wanted most: to try it, or to let it go on. */
const NextButton = ({ of: { id, actions } }: { of: WebhookEndpoint }) => {
  const { test, resume, isPending } = useWebhookActs(id)
  return actions.includes('resume') ? (
    <Button variant="primary" icon={<Play aria-hidden />} onPress={resume} isPending={isPending}>
      {messages.resume}
    </Button>
  ) : (
    <Button icon={<Send aria-hidden />} onPress={test} isPending={isPending}>
      {messages.test}
    </Button>
  )
}

const About = ({ of: one }: { of: WebhookEndpoint }) => (
  <section aria-labelledby="about" className="grid gap-4 rounded-card border border-line bg-surface p-4 md:p-5">
    <h2 id="about" className="text-base">
      {messages.about}
    </h2>
    <div className="grid gap-1">
      <h3 className="text-[0.8125rem] font-medium text-muted">{messages.url}</h3>
      <p className="[overflow-wrap:anywhere]">{one.url}</p>
      <p className="text-[0.8125rem] text-muted">{one.tenantName ?? messages.everyCompany}</p>
    </div>
    <div className="grid gap-1">
      <h3 className="text-[0.8125rem] font-medium text-muted">{messages.events}</h3>
      <ul className="grid gap-0.5">
        {one.events.map((type) => (
          <li key={type}>{messages.types[type]}</li>
        ))}
      </ul>
    </div>
    <SignatureHelp />
    {one.formerSecretUntil !== undefined && (
      <p className="text-[0.8125rem] text-muted">{messages.formerSecret(whenInSentence(one.formerSecretUntil))}</p>
    )}
  </section>
)
