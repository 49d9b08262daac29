import { z } from 'zod'
import { Asset } from './assets.ts'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible } from './visible.ts'

/** A clip of a B-roll library: a video or a picture that edits show over words. */
export const Clip = z.object({
  id: z.uuid(),
  /** The company whose library it is in; null for the service's. */
  tenantId: z.uuid().nullable(),
  tenantName: z.string().optional(),
  title: z.string(),
  tags: z.array(z.string()),
  asset: Asset,
  addedAt: z.iso.datetime(),
  /** It is offered no more; edits that show it keep it. */
  isRemoved: z.boolean(),
  /** What the caller may do with it. */
  actions: z.array(z.enum(['change'])),
})
export type Clip = z.infer<typeof Clip>

const title = visible(120)
const tags = z.array(visible(40)).max(20)
const words = { title: title.optional(), tags: tags.optional() }

export const clips = {
  list: call({
    method: 'GET',
    path: '/clips/',
    summary: 'The B-roll libraries within reach: the service’s, and those of the companies served',
    access: 'clip.read',
    query: PageQuery,
    page: {
      filters: { id: 'uuid', about: 'text', tenantId: 'uuid' },
      orders: ['addedAt', 'title'],
      defaultOrder: 'addedAt:desc',
    },
    returns: pageOf(Clip),
    refuses: [],
  }),
  add: call({
    method: 'POST',
    path: '/clips/',
    summary: 'Put an uploaded video or picture of mine into a B-roll library; tenantId names a company’s',
    access: 'clip.write',
    body: z.strictObject({ assetId: z.uuid(), tenantId: z.uuid().optional(), title, tags: tags.default([]) }),
    returns: Clip,
    creates: true,
    refuses: [
      'asset.not-found',
      'asset.in-use',
      'asset.not-ready',
      'clip.no-picture',
      'clip.library-full',
      'tenant.none',
    ],
  }),
  change: call({
    method: 'PUT',
    path: '/clips/:clipId/',
    summary: 'Change a clip’s title and tags, take it out of its library, or put it back',
    access: 'clip.write',
    params: z.object({ clipId: z.uuid() }),
    body: z.strictObject({
      ...words,
      isRemoved: z.boolean().optional(),
      /** Words as they were when this change was begun: refused when somebody has changed one of them since. */
      was: z.strictObject(words).optional(),
    }),
    returns: Clip,
    refuses: ['clip.not-found', 'clip.changed', 'clip.library-full'],
  }),
}
