import { calendar } from '@clear-to-post/contract/calendar'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { calendarUrl, renewLink } from './actions.ts'
import { dropSecret, hasSecret } from './store.ts'

export const calendarCalls = ({ publicUrl }: { publicUrl: string }): Mounted[] => [
  onRead(calendar.read, async (_input, { tx, caller }) => ({ hasLink: await hasSecret(tx, caller.id) })),
  on(calendar.renew, async (_input, { tx, caller }) => ({ url: calendarUrl(publicUrl, await renewLink(tx, caller)) })),
  on(calendar.remove, async (_input, { tx, caller }) => {
    await dropSecret(tx, caller.id)
    return { success: true as const }
  }),
]
