import { access } from '@clear-to-post/domain/access'
import { assetId, text, type Header, type OtherOperation, type Parameter } from './operation.ts'

const bytes = { type: 'integer', minimum: 0 } as const
const protocol: Parameter = {
  name: 'Tus-Resumable',
  in: 'header',
  required: true,
  schema: { const: '1.0.0' },
  description: 'The protocol: tus 1.0, https://tus.io/protocols/resumable-upload. Any tus client speaks it.',
}
const content = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } }
const offset: Header = { schema: bytes, description: 'How many bytes are here. Go on from this one.' }
const expires: Header = { schema: text, description: 'When an upload that gets no byte is given up: three days.' }
const parts: Header = {
  schema: { const: 'yes' },
  description: 'The file may also go in parts straight to the bucket: `POST /api/assets/{assetId}/parts`.',
}
const uploaders = access['asset.upload'].join(', ')
const whoseUpload = `${uploaders}; one’s own`

/** Resumable uploads by tus. */
export const uploads: readonly OtherOperation[] = [
  {
    name: 'uploads.protocol',
    method: 'OPTIONS',
    path: '/uploads',
    route: '/uploads',
    summary: 'What this server knows of the protocol',
    description:
      'Tus-Version, Tus-Extension (creation, creation-with-upload, creation-defer-length, termination, expiration), Tus-Max-Size.',
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
      { name: 'Upload-Length', in: 'header', required: false, schema: bytes, description: 'The file’s size in bytes.' },
      {
        name: 'Upload-Defer-Length',
        in: 'header',
        required: false,
        schema: { const: '1' },
        description:
          'In the place of Upload-Length for a take that is sent while it is being recorded: room is kept for 1 GB (256 MB ' +
          'before one’s address is confirmed), and the last PATCH says how long it has become.',
      },
      {
        name: 'Upload-Metadata',
        in: 'header',
        required: false,
        schema: text,
        description:
          'Pairs of a key and a base64 value, parted by commas: `filename`, `filetype` (its media type), and for a cut ' +
          'that staff send `projectId`. A recorder adds `takeId`, a UUID of its own: who begins the same take twice is ' +
          'answered the same Location. Without one, the project whose code stands in a staff member’s file name is taken.',
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
        'Upload-Parts': parts,
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
      'project.cuts-full',
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
        'Upload-Length': { schema: bytes, description: 'The size, as soon as it is known.' },
        'Upload-Defer-Length': { schema: { const: '1' }, description: 'The size is not known yet.' },
        'Upload-Expires': expires,
        'Upload-Parts': parts,
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
      {
        name: 'Upload-Length',
        in: 'header',
        required: false,
        schema: bytes,
        description: 'How long a take has become that began without a length; with its last bytes, or with none.',
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
