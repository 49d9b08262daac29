import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CallRequest } from '@clear-to-post/contract/call'
import { TrackingEvent, tracking } from '@clear-to-post/contract/tracking'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import { networkOf } from '../kernel/network.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { sendMail } from '../mail/actions.ts'

/** The version that runs, as package.json says. */
export const { version: productVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string }

export const trackingCalls: Mounted[] = [
  onOpen(tracking.send, async ({ body }, { database, log, now, request }) => {
    const event = TrackingEvent.safeParse(readForm(body))
    // The page never waits for us, and a wrong event is no error of the page's: it is left out.
    if (event.success && allows(networkOf(request.ip), now) && take())
      void database
        .asSystem((tx) =>
          tx.count(sql`
            insert into tracked_event (category, label, action, params)
            values (${event.data.category}, ${event.data.label}, ${event.data.action}, ${JSON.stringify(event.data.params ?? null)})`),
        )
        .catch((error: unknown) => log.warn({ err: error }, 'an event was not counted'))
        .finally(() => (waiting -= 1))
    return { success: true as const }
  }),
  on(tracking.version, async () => ({ version: productVersion })),
  onOpen(tracking.contact, async ({ body }, { database }) => {
    await database.asSystem((tx) => tellAdmins(tx, body))
    return { result: 'Thank you. Your message is on its way to us.' }
  }),
]

// Every admin of the service gets the letter, and answers whoever wrote it.
const tellAdmins = async (tx: Tx, { to, subject, body }: CallRequest<typeof tracking.contact>['body']) => {
  const letter = randomUUID()
  const admins = await tx.rows(sql<{ email: string }>`
    select email from person where role = 'ADMIN' and tenant_id is null and not is_disabled order by created_at limit 20`)
  for (const { email } of admins)
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
}

// A network counts so much a minute and no more: nobody fills the table, and a busy office is still counted.
const mostPerMinute = 300
let minute = 0
const counted = new Map<string, number>()
const allows = (network: string, now: Date): boolean => {
  const running = Math.floor(now.getTime() / 60_000)
  if (running !== minute) counted.clear()
  minute = running
  const count = (counted.get(network) ?? 0) + 1
  counted.set(network, count)
  return count <= mostPerMinute
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
