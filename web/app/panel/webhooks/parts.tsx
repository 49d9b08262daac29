import { Ban, Check, CircleAlert, Clock, Pause, RotateCw, type LucideIcon } from 'lucide-react'
import type { WebhookDelivery, WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { agoWords, whenInSentence } from '../../times.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'

type Tone = 'plain' | 'primary' | 'good' | 'warn' | 'danger'

export const StateBadge = ({ of: { state } }: { of: Pick<WebhookEndpoint, 'state'> }) => {
  const { icon: Icon, tone } = looks[state]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {messages.states[state]}
    </Badge>
  )
}
const looks = {
  active: { icon: Check, tone: 'good' },
  paused: { icon: Pause, tone: 'warn' },
  failing: { icon: CircleAlert, tone: 'danger' },
  gone: { icon: Ban, tone: 'danger' },
  full: { icon: CircleAlert, tone: 'danger' },
} satisfies Record<WebhookEndpoint['state'], { icon: LucideIcon; tone: Tone }>

export const DeliveryBadge = ({ of: { state, tries } }: { of: Pick<WebhookDelivery, 'state' | 'tries'> }) => {
  const isRetried = state === 'waiting' && tries > 0
  const { icon: Icon, tone } = isRetried ? { icon: RotateCw, tone: 'warn' as Tone } : deliveryLooks[state]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {isRetried ? messages.retrying : messages.deliveryStates[state]}
    </Badge>
  )
}
const deliveryLooks = {
  waiting: { icon: Clock, tone: 'primary' },
  delivered: { icon: Check, tone: 'good' },
  failed: { icon: CircleAlert, tone: 'danger' },
  suppressed: { icon: Pause, tone: 'plain' },
} satisfies Record<WebhookDelivery['state'], { icon: LucideIcon; tone: Tone }>

/** How it goes there, in words. */
export const healthWords = ({ failingSince, lastDeliveredAt }: WebhookEndpoint): string =>
  failingSince !== undefined
    ? messages.failingSince(whenInSentence(failingSince))
    : lastDeliveredAt !== undefined
      ? messages.lastDelivered(agoWords(lastDeliveredAt))
      : messages.neverDelivered

/** What a person calls it. */
export const nameOf = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
  description || (URL.parse(url)?.host ?? url)
