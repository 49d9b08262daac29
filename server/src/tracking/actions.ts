import type { FastifyBaseLogger } from 'fastify'
import type { CallRequest } from '@clear-to-post/contract/call'
import { TrackingEvent, type tracking } from '@clear-to-post/contract/tracking'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Database } from '../kernel/database.ts'
import { holderOf, networkOf } from '../kernel/network.ts'
import { NetworkCounter } from '../kernel/network-counter.ts'
import { refusal, tooMany } from '@clear-to-post/contract/errors'
import { storage } from '../outside/storage.ts'
import { askByLetter } from '../support/actions.ts'
import { addEvent } from './store.ts'

/** Counts an event of a page in the background: the page never waits for us, and a wrong event is left out, no error of the page's. */
export const countEvent = (
  database: Database,
  body: CallRequest<typeof tracking.send>['body'],
  { ip, now, log }: { ip: string; now: Date; log: FastifyBaseLogger },
): void => {
  const event = TrackingEvent.safeParse(readForm(body))
  if (!event.success || !allows(ip, now) || !take()) return
  void storage()
    .hasRoom('write')
    .then((hasRoom) => (hasRoom ? database.asSystem((tx) => addEvent(tx, event.data)) : undefined))
    .catch((error: unknown) => log.warn({ err: error }, 'an event was not counted'))
    .finally(() => (waiting -= 1))
}

/**
 * A letter of the contact form becomes a question that the service's ADMINs answer. Throws `request.too-many` where a network
 * has sent a day's worth.
 */
export const sendContact = async (
  database: Database,
  { to, subject, body }: CallRequest<typeof tracking.contact>['body'],
  { ip, now }: { ip: string; now: Date },
): Promise<void> => {
  const { lettersPerDay: most } = mostKept
  const { current, ttl } = letters.count(ip, { most, windowMs: 86_400_000, now: now.getTime() })
  if (current > most) throw tooMany(ttl, `${most} messages came from your network today. Try again tomorrow.`)
  if (!(await storage().hasRoom('write'))) throw refusal('service.unavailable')
  await database.asSystem((tx) =>
    askByLetter(tx, { email: to ?? null, subject, body, fromNet: holderOf(networkOf(ip)) }, now),
  )
}
const letters = new NetworkCounter()

// A network counts so much a minute and a day and no more: nobody fills the table, and a busy office is still counted.
const most = { minute: 300, day: 5000 }
const [minutes, days] = [new NetworkCounter(), new NetworkCounter()]
/** What this room counts of networks, by the names that all hosts give it. */
export const trackingCounters = {
  'letters of a day': letters,
  'events of a minute': minutes,
  'events of a day': days,
}
/** Whether an event of this address is counted. */
export const allows = (ip: string, at: Date): boolean => {
  const now = at.getTime()
  return (
    minutes.count(ip, { most: most.minute, windowMs: 60_000, now }).current <= most.minute &&
    days.count(ip, { most: most.day, windowMs: 86_400_000, now }).current <= most.day
  )
}

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
