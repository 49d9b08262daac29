import { assetId, id, text, type OtherOperation, type Parameter } from './operation.ts'

const signedBy: readonly Parameter[] = (
  [
    ['until', { type: 'integer' }, true, 'When the address ends, in seconds since 1970.'],
    ['sign', text, true, 'The signature over all the rest.'],
    ['name', text, false, 'The name a browser saves it under.'],
  ] as const
).map(([name, schema, required, description]) => ({ name, in: 'query', required, schema, description }))
const binary = { schema: { type: 'string', format: 'binary' } }
const reader: Parameter = {
  name: 'reader',
  in: 'query',
  required: true,
  schema: id,
  description: 'Whom it was given to.',
}
const byAddress = 'Whoever has the address, for two to four hours'

const files: readonly OtherOperation[] = (['GET', 'HEAD'] as const).map((method) => ({
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
  description: `Its address is answered by the call ${call}, and good while the person who asked for it still reaches the project.`,
  who: byAddress,
  isSigned: false,
  parameters: [
    { name: 'projectId', in: 'path', required: true, schema: id, description: 'The project.' },
    reader,
    ...signedBy,
  ],
  success: { status: 200, description: 'The zip', content: { 'application/zip': binary } },
  refuses: ['asset.address-ended', 'asset.not-found', ...(kind === 'kit' ? (['service.crowded'] as const) : [])],
}))

/** Stored files and zips, by signed addresses. */
export const media: readonly OtherOperation[] = [...files, ...zips]
