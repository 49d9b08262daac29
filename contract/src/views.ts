import { z } from 'zod'
import { call } from './call.ts'
import { line, visible } from './visible.ts'

/** The address of a list of the panel, such as `/panel/people`. */
const Page = z
  .string()
  .regex(/^\/panel(\/[a-z-]+)*$/, 'Name a page of the panel')
  .max(100)

/** What stands in its address, by name: words, choices and the order. */
const Search = z
  .record(z.string().regex(/^[a-zA-Z]{1,30}$/, 'Names are letters'), z.union([line(300), z.number(), z.boolean()]))
  .refine((search) => Object.keys(search).length <= 20, 'No list has so many filters')

/** What somebody narrows a list to, under a name of their own. */
export const SavedView = z.object({
  id: z.uuid(),
  page: z.string(),
  name: z.string(),
  search: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type SavedView = z.infer<typeof SavedView>

const one = z.object({ viewId: z.uuid() })

export const views = {
  list: call({
    method: 'GET',
    path: '/views/list/',
    summary: 'The views that I keep of all lists, by name',
    access: 'signed-in',
    returns: z.object({ items: z.array(SavedView) }),
    refuses: [],
  }),
  create: call({
    method: 'POST',
    path: '/views/create/',
    summary: 'Keep what a list is narrowed to under a name; one of the same name is replaced',
    access: 'signed-in',
    needsVerifiedAddress: true,
    body: z.strictObject({ page: Page, name: visible(60), search: Search }),
    creates: true,
    returns: SavedView,
    refuses: ['view.too-many'],
  }),
  rename: call({
    method: 'PUT',
    path: '/views/:viewId/update/',
    summary: 'Give a view of mine another name',
    access: 'signed-in',
    params: one,
    body: z.strictObject({ name: visible(60) }),
    returns: SavedView,
    refuses: ['view.not-found', 'view.name-taken'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/views/:viewId/delete/',
    summary: 'Keep a view of mine no more',
    access: 'signed-in',
    params: one,
    returns: z.object({}),
    refuses: ['view.not-found'],
  }),
}
