import { z } from 'zod'
import { call } from './call.ts'

/** What a stranger with the code may know of a tenant; nothing else. */
export const Invitation = z.object({
  name: z.string(),
  logoUrl: z.string(),
  primaryColor: z.string(),
  secondaryColor: z.string(),
  seatsLeft: z.number().int(),
})

export const tenants = {
  invitation: call({
    method: 'GET',
    path: '/tenants/public/invitation/:code',
    summary: 'The face of the tenant an invitation code belongs to',
    access: 'anyone',
    params: z.object({ code: z.string().min(1).max(64) }),
    returns: Invitation,
    unrecorded: true,
    perMinute: 60,
    refuses: ['tenant.not-found', 'request.too-many'],
  }),
}
