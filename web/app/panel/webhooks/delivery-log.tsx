import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Button as Plain } from 'react-aria-components/Button'
import { RotateCw } from 'lucide-react'
import { webhooks, type WebhookDelivery } from '@clear-to-post/contract/webhooks'
import { deliveryStates } from '@clear-to-post/domain/webhooks'
import { usePages } from '../../api.ts'
import { whenInSentence, whenWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { rowLink } from '../../ui/table-look.ts'
import { useFilters } from '../use-filters.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { messages } from './messages.ts'
import { DeliveryBadge } from './parts.tsx'
import { ResendDialog } from './resend-dialog.tsx'

const route = getRouteApi('/panel/people/webhooks/$endpointId')

/** What an endpoint was and will be sent; a press on a line shows every try. */
export const DeliveryLog = ({ endpointId }: { endpointId: string }) => {
  const { search, change } = useFilters(route.useSearch())
  const [opened, setOpened] = useState<string | null>(null)
  const [isResending, setResending] = useState(false)
  const list = usePages(
    webhooks.deliveries,
    { perPage: 30, wheres: search.show === undefined ? [] : [`state:eq:${search.show}`] },
    { params: { endpointId }, refetchInterval: 4000 },
  )
  return (
    <section aria-labelledby="log" className="min-w-0 rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4 md:px-5">
        <div className="mr-auto">
          <h2 id="log" className="text-base">
            {messages.log}
          </h2>
          <p className="mt-0.5 text-muted">{messages.logText}</p>
        </div>
        <FilterSelect
          label={messages.show}
          all={messages.showAll}
          value={search.show}
          options={deliveryStates.map((state) => ({ value: state, label: messages.deliveryStates[state] }))}
          onChange={(show) => change({ show })}
        />
        <Button icon={<RotateCw aria-hidden />} onPress={() => setResending(true)}>
          {messages.resendMany}
        </Button>
      </div>
      <Listed
        list={list}
        failed={messages.logFailed}
        isSmall
        loading={<Skeleton className="mx-5 mb-5 h-16" />}
        empty={
          <p className="border-t border-line px-4 py-6 text-muted md:px-5">
            {search.show === undefined ? messages.logEmpty : messages.logNone}
          </p>
        }
      >
        {(items) => (
          <ul aria-label={messages.log} className="divide-y divide-line border-t border-line">
            {items.map((one) => (
              <Line key={one.id} of={one} onOpen={() => setOpened(one.id)} />
            ))}
          </ul>
        )}
      </Listed>
      {opened !== null && (
        <DeliveryDialog endpointId={endpointId} deliveryId={opened} onClose={() => setOpened(null)} />
      )}
      {isResending && <ResendDialog endpointId={endpointId} onClose={() => setResending(false)} />}
    </section>
  )
}

const Line = ({ of: one, onOpen }: { of: WebhookDelivery; onOpen: () => void }) => (
  <li className="relative grid gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken/60 md:grid-cols-[minmax(0,1fr)_8.5rem_minmax(0,1fr)] md:items-center md:px-5">
    <div className="grid min-w-0 gap-0.5">
      <Plain onPress={onOpen} className={`cursor-pointer text-left font-medium ${rowLink}`}>
        {messages.types[one.type]}
      </Plain>
      {one.projectTitle !== undefined && (
        <p className="line-clamp-1 text-[0.8125rem] [overflow-wrap:anywhere]">{one.projectTitle}</p>
      )}
      <p className="figures text-[0.8125rem] text-muted">{whenWords(one.at)}</p>
    </div>
    <p>
      <DeliveryBadge of={one} />
    </p>
    <p className="figures min-w-0 text-[0.8125rem] text-muted">{factWords(one)}</p>
  </li>
)

const factWords = ({ status, state, tries, nextAt }: WebhookDelivery): string =>
  [
    ...(status === undefined ? [] : [messages.answered(status)]),
    ...(tries > 0 && state !== 'delivered' ? [messages.tries(tries)] : []),
    // A paused webhook is not tried, whenever its next try was to be.
    ...(tries > 0 && nextAt !== undefined && Date.parse(nextAt) > Date.now()
      ? [messages.next(whenInSentence(nextAt))]
      : []),
  ].join(', ')
