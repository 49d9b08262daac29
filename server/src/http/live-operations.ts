import { liveEvents } from '@clear-to-post/contract/live'
import { text, type OtherOperation } from './operation.ts'

const described = Object.entries(liveEvents)
  .map(([name, { shape, description }]) => {
    const fields = Object.keys(shape)
    return `\`${name}\`${fields.length > 0 ? ` { ${fields.join(', ')} }` : ''}: ${description}`
  })
  .join('; ')

/** The stream of live events. */
export const live: OtherOperation = {
  name: 'events.stream',
  method: 'GET',
  path: '/api/events',
  route: '/api/events',
  summary: 'What happens, as it happens: server-sent events about what the caller may see',
  description:
    `Each \`data\` is one line of JSON. ${described}. Each has its \`type\`. They say that something changed: ask the call ` +
    'for what it is now. The stream ends after 15 minutes; open the next one with a fresh token. Browsers read it over ' +
    'fetch, for EventSource sends no Authorization header.',
  who: 'Anyone signed in',
  isSigned: true,
  parameters: [
    {
      name: 'watch',
      in: 'query',
      required: false,
      schema: text,
      description:
        'What the stream is about, parted by commas: `projects` (hints about lists), `project:<id>` (all about one), `support`. ' +
        'What concerns the caller themselves comes anyway; without `watch` everything within their reach does.',
    },
    {
      name: 'age',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 0 },
      description:
        'How many milliseconds ago the oldest of what the caller looks at was asked for. What happened since is told first; ' +
        '`again` comes where that is no longer known.',
    },
  ],
  success: { status: 200, description: 'The stream', content: { 'text/event-stream': { schema: text } } },
  refuses: ['session.required', 'session.ended', 'request.invalid', 'service.unavailable', 'service.crowded'],
}
