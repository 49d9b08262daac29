import { z } from 'zod'
import { call } from './call.ts'

/** The address of my calendar for programs; whoever has it reads it. Null: there is none. */
const CalendarLink = z.object({ url: z.url().nullable() })

export const calendar = {
  read: call({
    method: 'GET',
    path: '/calendar/',
    summary: 'The link of my calendar (iCalendar), if I have one',
    access: 'signed-in',
    returns: CalendarLink,
    refuses: [],
  }),
  renew: call({
    method: 'POST',
    path: '/calendar/',
    summary: 'Make a link of my calendar; an older one ends at once',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    returns: CalendarLink,
    // Its answer is a secret.
    unrecorded: true,
    refuses: [],
  }),
  remove: call({
    method: 'DELETE',
    path: '/calendar/',
    summary: 'My calendar has no link any more',
    access: 'signed-in',
    returns: z.object({ success: z.literal(true) }),
    refuses: [],
  }),
}
