import { readFileSync } from 'node:fs'
import { tracking } from '@clear-to-post/contract/tracking'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import { countEvent, sendContact } from './actions.ts'

/** The version that runs, as package.json says. */
export const { version: productVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string }

export const trackingCalls: Mounted[] = [
  onOpen(tracking.send, async ({ body }, { database, log, now, request }) => {
    countEvent(database, body, { ip: request.ip, now, log })
    return { success: true as const }
  }),
  on(tracking.version, async () => ({ version: productVersion })),
  onOpen(tracking.contact, async ({ body }, { database, now, request }) => {
    await sendContact(database, body, { ip: request.ip, now })
    return { result: 'Thank you. We have your message, and answer by e-mail.' }
  }),
]
