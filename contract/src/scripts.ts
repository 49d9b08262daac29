import { z } from 'zod'
import { PictureAddress } from './assets.ts'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible, visibleText } from './visible.ts'

export const Script = z.object({
  id: z.uuid(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()).optional(),
  userId: z.uuid().optional(),
})

export const Category = z.object({
  id: z.uuid(),
  title: z.string(),
  pictureUrl: z.string(),
  backgroundColor: z.string(),
  active: z.boolean(),
  scripts: z.array(Script),
})

export const ScriptLibrary = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  categories: z.array(Category),
  /** What the reader may do with it: change it, or begin one of their company's own. */
  actions: z.array(z.enum(['write', 'begin'])),
})

const written = {
  title: visible(200),
  content: visibleText(20_000),
  tags: z.array(visible(40)).max(20).optional(),
}

const category = {
  title: visible(120),
  backgroundColor: z.string().regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #rrggbb'),
  active: z.boolean(),
}

export const scripts = {
  library: call({
    method: 'GET',
    path: '/prompts/getPrompt',
    summary: 'The library of scripts to read from: the tenant’s when it uses its own, else the service’s',
    access: 'signed-in',
    scope: 'scripts.read',
    returns: ScriptLibrary,
    refuses: [],
  }),
  create: call({
    method: 'POST',
    path: '/prompts/script/new/',
    summary: 'Keep a script of my own; with categoryId, an ADMIN adds to the library',
    access: 'signed-in',
    scope: 'scripts.write',
    body: z.strictObject({ ...written, categoryId: z.uuid().optional() }),
    returns: Script,
    creates: true,
    refuses: ['category.not-found', 'access.forbidden', 'script.too-many'],
  }),
  list: call({
    method: 'GET',
    path: '/prompts/script/list/',
    summary: 'My own scripts, newest first',
    access: 'signed-in',
    scope: 'scripts.read',
    query: PageQuery,
    page: {
      filters: { title: 'text', content: 'text', tag: 'words' },
      orders: ['createdAt', 'title'],
      defaultOrder: 'createdAt:desc',
    },
    returns: pageOf(Script),
    refuses: [],
  }),
  update: call({
    method: 'PUT',
    path: '/prompts/script/:id/update/',
    summary: 'Change a script of mine; an ADMIN also the library’s',
    access: 'signed-in',
    scope: 'scripts.write',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({
      ...z.strictObject(written).partial().shape,
      /** Parts as they were when this change was begun: refused when somebody has changed one of them since. */
      was: z.strictObject(written).partial().optional(),
    }),
    returns: Script,
    refuses: ['script.not-found', 'script.too-many', 'script.changed'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/prompts/script/:id/delete/',
    summary: 'Delete a script of mine; an ADMIN also the library’s',
    access: 'signed-in',
    scope: 'scripts.write',
    params: z.object({ id: z.uuid() }),
    returns: z.object({ success: z.literal(true) }),
    refuses: ['script.not-found'],
  }),
  saveCategory: call({
    method: 'PUT',
    path: '/prompts/category/',
    summary: 'Add a category to the library, or change parts of one; tenantId names a tenant’s own library',
    creates: 'without-id',
    access: 'script.write',
    /** A new one has a title and a colour, and is active unless it says otherwise; of one that is there, what is absent stays. */
    body: z
      .strictObject({
        id: z.uuid().optional(),
        tenantId: z.uuid().optional(),
        ...z.strictObject(category).partial().shape,
        /** An empty text takes it away. */
        pictureUrl: PictureAddress.optional(),
        /** Parts as they were when this change was begun: refused when somebody has changed one of them since. */
        was: z.strictObject(category).partial().optional(),
      })
      .refine(({ id, title }) => id ?? title, { message: 'Give the category a title', path: ['title'] })
      .refine(({ id, backgroundColor }) => id ?? backgroundColor, {
        message: 'Give the category a colour',
        path: ['backgroundColor'],
      }),
    returns: Category,
    refuses: [
      'category.not-found',
      'category.changed',
      'category.too-many',
      'tenant.none',
      'asset.not-found',
      'asset.not-a-picture',
    ],
  }),
}
