import { z } from 'zod'
import { call } from './call.ts'
import { visible } from './visible.ts'

/** A browser that shows notifications of its person. `reachedAt`: when a message last got to its push service. */
export const PushDevice = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  reachedAt: z.iso.datetime().optional(),
})
export type PushDevice = z.infer<typeof PushDevice>

/** 65 and 16 bytes as base64url; some browsers write the padding. */
const publicPoint = z.string().regex(/^[\w-]{87}=?$/)
const secret = z.string().regex(/^[\w-]{22}={0,2}$/)
const inDevice = z.object({ deviceId: z.uuid() })

export const push = {
  read: call({
    method: 'GET',
    path: '/push/',
    summary: 'The key to subscribe with, and my subscribed browsers',
    access: 'signed-in',
    /** `publicKey`: P-256 point, base64url, for `pushManager.subscribe`. `hasPhone`: notifications also go to a phone's app. */
    returns: z.object({ publicKey: z.string(), devices: z.array(PushDevice), hasPhone: z.boolean() }),
    refuses: [],
  }),
  subscribe: call({
    method: 'POST',
    path: '/push/devices/',
    summary: 'Show notifications in this browser for as long as its sign-in lives; safe to repeat',
    access: 'signed-in',
    /** As `PushSubscription.toJSON()` says it (W3C Push API), with a name that its person recognises. */
    body: z.strictObject({
      endpoint: z.url().max(2000),
      keys: z.strictObject({ p256dh: publicPoint, auth: secret }),
      name: visible(80),
    }),
    returns: PushDevice,
    creates: true,
    // Whoever repeats it subscribes the same browser again.
    unrecorded: true,
    refuses: ['push.bad-address', 'push.no-session'],
  }),
  unsubscribe: call({
    method: 'DELETE',
    path: '/push/devices/:deviceId/',
    summary: 'No more notifications in this browser of mine',
    access: 'signed-in',
    params: inDevice,
    returns: z.object({ success: z.literal(true) }),
    refuses: ['push.not-found'],
  }),
  test: call({
    method: 'POST',
    path: '/push/devices/:deviceId/test/',
    summary: 'Send a test notification to this browser of mine',
    access: 'signed-in',
    params: inDevice,
    returns: z.object({ success: z.literal(true) }),
    perMinute: 10,
    refuses: ['push.not-found'],
  }),
}
