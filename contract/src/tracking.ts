import { z } from 'zod'
import { visible, visibleText } from './visible.ts'
import { call } from './call.ts'

export const TrackingEvent = z.strictObject({
  category: z.string().max(100),
  label: z.string().max(200),
  action: z.string().max(100),
  params: z
    .array(z.strictObject({ name: z.string().max(60), value: z.union([z.string().max(200), z.number(), z.boolean()]) }))
    .max(12)
    .optional(),
})

/** What belongs to no room of its own: the page's events, the app's version, the contact form. */
export const tracking = {
  send: call({
    method: 'POST',
    path: '/track/public/send/',
    summary: 'Count something that happened on a page; always quick, never an error to the page',
    access: 'anyone',
    form: true,
    /** As JSON, as a form, or as JSON in plain text, which is how a page that closes sends it. */
    body: z.union([z.looseObject({}), z.string()]).optional(),
    returns: z.object({ success: z.literal(true) }),
    neverFails: { success: true },
    perMinute: 600,
    unrecorded: true,
    refuses: [],
  }),
  version: call({
    method: 'GET',
    path: '/app-config/public/version/latest',
    summary: 'The version that runs',
    access: 'anyone',
    returns: z.object({ version: z.string() }),
    perMinute: 600,
    refuses: ['request.too-many'],
  }),
  contact: call({
    method: 'POST',
    path: '/emails/public/send',
    summary: 'The contact form: a message to the people who run the service',
    access: 'anyone',
    form: true,
    body: z.strictObject({
      /** Where to answer. */
      to: z.email().max(254).optional(),
      subject: visible(200),
      body: visibleText(10_000),
    }),
    returns: z.object({ result: z.string() }),
    unrecorded: true,
    perMinute: 5,
    refuses: ['request.too-many'],
  }),
}
