import type { refusals } from '@clear-to-post/contract/errors'
import { access } from '@clear-to-post/domain/access'

/** An operation that is no call of the contract, as OpenAPI writes it; `refuses` are the contract's codes. */
export type OtherOperation = {
  /** `room.name`, as calls have it. */
  name: string
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** With `{parameters}`. */
  path: string
  /** The address as the router knows it, to be found again by the test. */
  route: string
  summary: string
  description: string
  who: string
  isSigned: boolean
  parameters: readonly Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  success: { status: number; description: string; headers?: Record<string, Header>; content?: object }
  /** Answers that are neither the success nor a refusal by a code. */
  more?: Record<string, { description: string }>
  refuses: readonly (keyof typeof refusals)[]
}
type Parameter = {
  name: string
  in: 'path' | 'header' | 'query'
  required: boolean
  schema: object
  description: string
}
type Header = { schema: object; description: string }

const text = { type: 'string' } as const
const id = { type: 'string', format: 'uuid' } as const
const bytes = { type: 'integer', minimum: 0 } as const

const protocol: Parameter = {
  name: 'Tus-Resumable',
  in: 'header',
  required: true,
  schema: { const: '1.0.0' },
  description: 'The protocol: tus 1.0, https://tus.io/protocols/resumable-upload. Any tus client speaks it.',
}
const assetId: Parameter = {
  name: 'assetId',
  in: 'path',
  required: true,
  schema: id,
  description: 'The file’s id: the last part of the Location that the upload’s begin answered.',
}
const content = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } }
const offset: Header = { schema: bytes, description: 'How many bytes are here. Go on from this one.' }
const expires: Header = { schema: text, description: 'When an upload that gets no byte is given up: three days.' }
const uploaders = access['asset.upload'].join(', ')
const whoseUpload = `${uploaders}; one’s own`

const uploads: readonly OtherOperation[] = [
  {
    name: 'uploads.protocol',
    method: 'OPTIONS',
    path: '/uploads',
    route: '/uploads',
    summary: 'What this server knows of the protocol',
    description: 'Tus-Version, Tus-Extension (creation, creation-with-upload, termination, expiration), Tus-Max-Size.',
    who: 'Anyone',
    isSigned: false,
    parameters: [],
    success: { status: 204, description: 'In the headers' },
    refuses: [],
  },
  {
    name: 'uploads.begin',
    method: 'POST',
    path: '/uploads',
    route: '/uploads',
    summary: 'Begin a resumable upload; at most 4 GB, ten unused ones at a time',
    description:
      'The answer’s Location is `/uploads/{assetId}`: send the bytes there by PATCH. When the last one is here the file is ' +
      'checked; follow it by `GET /api/assets/{assetId}` or the `asset` events until its state is `ready`, `rejected` or ' +
      '`failed`. Then name the id in `assets` of `POST /api/projects/create`, or of the call that wants the file.',
    who: uploaders,
    isSigned: true,
    parameters: [
      protocol,
      { name: 'Upload-Length', in: 'header', required: true, schema: bytes, description: 'The file’s size in bytes.' },
      {
        name: 'Upload-Metadata',
        in: 'header',
        required: false,
        schema: text,
        description:
          'Pairs of a key and a base64 value, parted by commas: `filename`, `filetype` (its media type), and for a cut ' +
          'that staff send `projectId`. Without one, the project whose code stands in a staff member’s file name is taken.',
      },
    ],
    requestBody: { required: false, content },
    success: {
      status: 201,
      description: 'Begun',
      headers: {
        Location: { schema: text, description: '`/uploads/{assetId}`, relative to this server.' },
        'Upload-Offset': offset,
        'Upload-Expires': expires,
      },
    },
    refuses: [
      'request.invalid',
      'session.required',
      'session.ended',
      'access.forbidden',
      'asset.too-large',
      'asset.no-room',
      'asset.other-project',
      'project.not-found',
      'service.unavailable',
    ],
  },
  {
    name: 'uploads.offset',
    method: 'HEAD',
    path: '/uploads/{assetId}',
    route: '/uploads/:assetId',
    summary: 'How many bytes are here; asked before going on',
    description: 'After a lost line: ask, then send from this byte on.',
    who: whoseUpload,
    isSigned: true,
    parameters: [assetId, protocol],
    success: {
      status: 200,
      description: 'In the headers',
      headers: {
        'Upload-Offset': offset,
        'Upload-Length': { schema: bytes, description: 'The size that was said at the begin.' },
        'Upload-Expires': expires,
      },
    },
    refuses: ['session.required', 'session.ended', 'access.forbidden', 'asset.not-found'],
  },
  {
    name: 'uploads.append',
    method: 'PATCH',
    path: '/uploads/{assetId}',
    route: '/uploads/:assetId',
    summary: 'Send bytes from an offset on, as many as there are or a part of them',
    description: 'A byte that was acknowledged is kept. Of two connections the newer one goes on.',
    who: whoseUpload,
    isSigned: true,
    parameters: [
      assetId,
      protocol,
      {
        name: 'Upload-Offset',
        in: 'header',
        required: true,
        schema: bytes,
        description: 'Where these bytes begin: the offset that the last answer told.',
      },
    ],
    requestBody: { required: true, content },
    success: {
      status: 204,
      description: 'The bytes are here',
      headers: { 'Upload-Offset': offset, 'Upload-Expires': expires },
    },
    more: {
      412: { description: '`request.invalid`: Tus-Resumable must be 1.0.0.' },
      423: {
        description:
          '`asset.busy`: another connection took this upload over. Wait a moment, ask for the offset, go on.',
      },
    },
    refuses: [
      'request.invalid',
      'request.wrong-type',
      'session.required',
      'session.ended',
      'access.forbidden',
      'asset.not-found',
      'asset.wrong-offset',
      'asset.too-large',
      'service.unavailable',
    ],
  },
  {
    name: 'uploads.discard',
    method: 'DELETE',
    path: '/uploads/{assetId}',
    route: '/uploads/:assetId',
    summary: 'Throw the upload away',
    description: 'A finished file goes by `DELETE /api/assets/{assetId}`, too.',
    who: whoseUpload,
    isSigned: true,
    parameters: [assetId, protocol],
    success: { status: 204, description: 'Gone' },
    refuses: ['session.required', 'session.ended', 'access.forbidden', 'asset.not-found', 'asset.in-use'],
  },
]

const signedBy: readonly Parameter[] = (
  [
    ['until', { type: 'integer' }, true, 'When the address ends, in seconds since 1970.'],
    ['sign', text, true, 'The signature over path, end and name.'],
    ['name', text, false, 'The name a browser saves it under.'],
  ] as const
).map(([name, schema, required, description]) => ({ name, in: 'query', required, schema, description }))
const binary = { schema: { type: 'string', format: 'binary' } }
const byAddress = 'Whoever has the address, for two to four hours'

const media: readonly OtherOperation[] = (['GET', 'HEAD'] as const).map((method) => ({
  name: method === 'GET' ? 'media.read' : 'media.look',
  method,
  path: '/media/{assetId}/{path}',
  route: '/media/:assetId/*',
  summary: method === 'GET' ? 'Read a stored file by its signed address' : 'Its size and type',
  description:
    'Never built by hand: addresses stand in the answers (`assetUrl`, `playUrl`, `posterUrl`…) and end, so ask again rather ' +
    'than keep them. Single ranges and If-None-Match are understood. `path` may have several parts.',
  who: byAddress,
  isSigned: false,
  parameters: [
    { ...assetId, description: 'The file.' },
    { name: 'path', in: 'path', required: true, schema: text, description: 'Which of its forms.' },
    ...signedBy,
  ],
  success: { status: 200, description: 'The file', ...(method === 'GET' ? { content: { '*/*': binary } } : {}) },
  more: {
    206: { description: 'The range that was asked for' },
    304: { description: 'It is the one you have' },
    416: { description: 'The range lies beyond the end' },
  },
  refuses: ['asset.address-ended', 'asset.not-found'],
}))

const zips: readonly OtherOperation[] = (
  [
    ['zip', 'media.sources', 'All source files of a project as one zip', 'projects.sources'],
    ['kit', 'media.kit', 'A project for another editing program as one zip', 'edits.handOver'],
  ] as const
).map(([kind, name, summary, call]) => ({
  name,
  method: 'GET',
  path: `/media/${kind}/{projectId}`,
  route: `/media/${kind}/:projectId`,
  summary,
  description: `Its address is answered by the call ${call}.`,
  who: byAddress,
  isSigned: false,
  parameters: [{ name: 'projectId', in: 'path', required: true, schema: id, description: 'The project.' }, ...signedBy],
  success: { status: 200, description: 'The zip', content: { 'application/zip': binary } },
  refuses: ['asset.address-ended', 'asset.not-found'],
}))

const events: OtherOperation = {
  name: 'events.stream',
  method: 'GET',
  path: '/api/events',
  route: '/api/events',
  summary: 'What happens, as it happens: server-sent events about what the caller may see',
  description:
    'Each `data` is one line of JSON. `again` comes first, and whenever something may have been missed: read everything ' +
    'anew. `project` { projectId, status, version, verb }, `asset` { assetId, projectId, state, stage, progress }, `edit` ' +
    '{ projectId, state, stage, progress, revision }, `render` { renderId, projectId, state, stage, progress, secondsLeft }, ' +
    '`notification` { id? }; each has its `type`. They say that something changed: ask the call for what it is now. The ' +
    'stream ends after 15 minutes; open the next one with a fresh token. Browsers read it over fetch, for EventSource ' +
    'sends no Authorization header.',
  who: 'Anyone signed in',
  isSigned: true,
  parameters: [],
  success: { status: 200, description: 'The stream', content: { 'text/event-stream': { schema: text } } },
  refuses: ['session.required', 'session.ended', 'service.unavailable'],
}

const feed: OtherOperation = {
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

/** Bytes that come and go, the stream of events, and calendars: what the contract's calls cannot say. */
export const bytesAndEvents: readonly OtherOperation[] = [...uploads, ...media, ...zips, events, feed]
