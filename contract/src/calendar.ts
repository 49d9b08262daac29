import { z } from 'zod'
import { call } from './call.ts'

export const calendar = {
  read: call({
    method: 'GET',
    path: '/calendar/',
    summary: 'Whether my calendar (iCalendar) has a link; its address is answered only when it is made',
    access: 'signed-in',
    returns: z.object({ hasLink: z.boolean() }),
    refuses: [],
  }),
  renew: call({
    method: 'POST',
    path: '/calendar/',
    summary: 'Make a link of my calendar; an older one ends at once',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    /** The address of my calendar for programs; whoever has it reads it. Answered here once and never again. */
    returns: z.object({ url: z.url() }),
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
