import { randomUUID } from 'node:crypto'
import type { WebhookState } from '@clear-to-post/domain/webhooks'
import { asLine } from '@clear-to-post/contract/visible'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { sendMails } from '../mail/actions.ts'
import { administratorsOf } from './store.ts'

type Told = { id: string; tenant_id: string | null; url: string }

/** Tells whoever administers an endpoint's company that nothing is sent to it any more, and what to do. */
export const tellAdministrators = (
  tx: Tx,
  endpoint: Told & { state: Exclude<WebhookState, 'active' | 'paused'> },
  now: Date,
): Promise<void> =>
  tell(tx, endpoint, {
    title: 'A webhook is paused',
    happened: why[endpoint.state],
    cause: `${endpoint.state} ${now.toISOString()}`,
  })

/** The same of a message that was given up while others are taken: the first of a day, for a program may refuse many. */
export const tellOfGivenUp = (tx: Tx, endpoint: Told, now: Date): Promise<void> =>
  tell(tx, endpoint, {
    title: 'A webhook did not take a message',
    happened:
      'has refused a message ten times, so it is not sent again by itself. Have the program looked at, then send it again from the list of what was sent.',
    cause: `gave up ${now.toISOString().slice(0, 10)}`,
  })

const tell = async (
  tx: Tx,
  endpoint: Told,
  { title, happened, cause }: { title: string; happened: string; cause: string },
): Promise<void> => {
  const userIds = (await administratorsOf(tx, endpoint.tenant_id)).map(({ id }) => id)
  if (userIds.length === 0) return
  await enqueue(tx, 'notice', {
    notice: {
      kind: 'news',
      title,
      body: `${asLine(new URL(endpoint.url).host, 100)} ${happened}`,
      cta: { label: 'Open the webhook', url: `/panel/people/webhooks/${endpoint.id}` },
      metadata: { endpointId: endpoint.id },
      cause: `webhook ${endpoint.id} ${cause}`,
    },
    userIds,
  })
}

const why = {
  failing:
    'has taken nothing for three days, so nothing is sent there. What happens is kept for 30 days. Have the program looked at, then resume the webhook.',
  gone: 'answered that it is gone, so nothing is sent there. Resume the webhook when it is back, or delete it.',
  full: 'has too much waiting for it, so no more is kept. Have the program looked at, then resume the webhook.',
} as const

/**
 * Tells all who administer an endpoint's company, by a mail that nobody can switch off, that its events go to an address, and
 * whose doing that is: whoever sends them elsewhere cannot hide it.
 */
export const tellWhereEventsGo = async (
  tx: Tx,
  caller: Caller,
  endpoint: { id: string; tenantId: string | null; url: string },
  what: 'added' | 'moved' | 'rotated',
): Promise<void> => {
  const administrators = await asService(tx, () => administratorsOf(tx, endpoint.tenantId))
  const by = administrators.find(({ id }) => id === caller.id)?.name ?? 'An administrator'
  const host = asLine(new URL(endpoint.url).host, 100)
  const [title, happened] = changes[what]
  // Each change is told: two may come within a millisecond.
  const change = randomUUID()
  await sendMails(
    tx,
    administrators.map(({ id, email }) => ({
      key: `webhook-${what}:${caller.id}:${endpoint.id}:${id}:${change}` as const,
      to: email,
      company: endpoint.tenantId ?? caller.id,
      template: 'message' as const,
      data: {
        title,
        body: `${by} ${happened(host)}\n\nDid nobody of you mean to? Delete the webhook, and have ${by} choose a new password.`,
        link: { label: 'Look at the webhook', url: `/panel/people/webhooks/${endpoint.id}` },
      },
    })),
  )
}

const changes = {
  added: ['A webhook was added', (host: string) => `had events of videos and posts sent to ${host} from now on.`],
  moved: ['A webhook sends to another address', (host: string) => `had its events sent to ${host} from now on.`],
  rotated: [
    'A webhook has a new secret',
    (host: string) => `made a new secret for the webhook to ${host}. The one before it signs for a day more.`,
  ],
} as const
