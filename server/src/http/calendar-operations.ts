import { text, type OtherOperation } from './operation.ts'

/** A person's calendar, for programs that cannot sign in. */
export const calendar: OtherOperation = {
  name: 'calendar.feed',
  method: 'GET',
  path: '/calendar/{secret}.ics',
  route: '/calendar/:secret',
  summary: 'When a person’s videos go out and their work is due, as iCalendar (RFC 5545)',
  description:
    'For calendar programs, which cannot sign in: the address is the permission and is answered once, by the ' +
    'call `calendar.renew`. If-None-Match is understood. It ends when it is renewed or removed.',
  who: 'Whoever has the address',
  isSigned: false,
  parameters: [
    {
      name: 'secret',
      in: 'path',
      required: true,
      schema: { type: 'string', pattern: '^[\\w-]{43}$' },
      description: 'The secret part of the address.',
    },
  ],
  success: { status: 200, description: 'The calendar', content: { 'text/calendar': { schema: text } } },
  more: { 304: { description: 'It is the one you have' } },
  refuses: ['calendar.not-found', 'service.unavailable'],
}
