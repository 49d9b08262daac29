import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { CallRequest } from '@clear-to-post/contract/call'
import { TrackingEvent, type tracking } from '@clear-to-post/contract/tracking'
import type { Database } from '../kernel/database.ts'
import { NetworkCounter } from '../kernel/network-counter.ts'
import { sendMail } from '../mail/actions.ts'
import { addEvent, serviceAdmins } from './store.ts'

/** Counts an event of a page in the background: the page never waits for us, and a wrong event is left out, no error of the page's. */
export const countEvent = (
  database: Database,
  body: CallRequest<typeof tracking.send>['body'],
  { ip, now, log }: { ip: string; now: Date; log: FastifyBaseLogger },
): void => {
  const event = TrackingEvent.safeParse(readForm(body))
  if (!event.success || !allows(ip, now) || !take()) return
  void database
    .asSystem((tx) => addEvent(tx, event.data))
    .catch((error: unknown) => log.warn({ err: error }, 'an event was not counted'))
    .finally(() => (waiting -= 1))
}

/** Sends a letter from the contact form to every admin of the service, who answers whoever wrote it. */
export const sendContact = (
  database: Database,
  { to, subject, body }: CallRequest<typeof tracking.contact>['body'],
): Promise<void> =>
  database.asSystem(async (tx) => {
    const letter = randomUUID()
    for (const { email } of await serviceAdmins(tx))
      await sendMail(tx, {
        key: `contact:${letter}:${email}`,
        to: email,
        template: 'message',
        data: {
          title: `Contact form: ${subject}`,
          body: `${to === undefined ? 'Somebody who left no address' : to} wrote:\n\n${body}`,
          ...(to === undefined ? {} : { replyTo: to }),
        },
      })
  })

// A network counts so much a minute and no more: nobody fills the table, and a busy office is still counted.
const mostPerMinute = 300
const counted = new NetworkCounter()
const allows = (ip: string, now: Date): boolean =>
  counted.count(ip, { most: mostPerMinute, windowMs: 60_000, now: now.getTime() }).current <= mostPerMinute

// Under a flood events are dropped rather than piled up in memory.
let waiting = 0
const take = (): boolean => waiting < 100 && ++waiting > 0

// A form carries `params` as JSON text.
const readForm = (body: Record<string, unknown> | string | undefined): unknown => {
  try {
    if (typeof body === 'string') return JSON.parse(body) as unknown
    return typeof body?.params === 'string' ? { ...body, params: JSON.parse(body.params) as unknown } : body
  } catch {
    return body
  }
}
