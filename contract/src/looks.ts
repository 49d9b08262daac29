import { z } from 'zod'
import { call } from './call.ts'
import { visible } from './visible.ts'

/** A look as it travels; `edit/read-look` reads it. The contract does not fix its shape, as with recipes. */
export const LookDocument = z.looseObject({ version: z.number().int() })

/** What of an edit is taste: captions, cards, sound, colours and moves, saved under a name. */
export const Look = z.object({
  id: z.uuid(),
  /** The company it is of; null for the service's. */
  tenantId: z.uuid().nullable(),
  /** It is the service's, for every company. */
  isForAll: z.boolean(),
  name: z.string(),
  content: LookDocument,
  /** What the caller may do with it. */
  actions: z.array(z.enum(['change'])),
})
export type Look = z.infer<typeof Look>

const name = visible(60)
const inProject = z.object({ projectId: z.uuid() })
const inLook = z.object({ lookId: z.uuid() })

export const looks = {
  list: call({
    method: 'GET',
    path: '/looks/for/:projectId/',
    summary: 'The looks for a project: those of its company and the service’s, by name',
    access: 'look.read',
    params: inProject,
    returns: z.object({ items: z.array(Look) }),
    refuses: ['project.not-found'],
  }),
  add: call({
    method: 'POST',
    path: '/looks/for/:projectId/',
    summary: 'Save a look under a name, for the project’s company; whoever serves all may save it for all',
    access: 'look.write',
    params: inProject,
    body: z.strictObject({ name, content: LookDocument, isForAll: z.boolean().default(false) }),
    returns: Look,
    creates: true,
    refuses: ['project.not-found', 'look.invalid', 'look.name-taken', 'look.library-full'],
  }),
  rename: call({
    method: 'PUT',
    path: '/looks/:lookId/',
    summary: 'Give a look another name',
    access: 'look.write',
    params: inLook,
    body: z.strictObject({ name }),
    returns: Look,
    refuses: ['look.not-found', 'look.name-taken'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/looks/:lookId/',
    summary: 'Delete a look; edits that have it stay as they are',
    access: 'look.write',
    params: inLook,
    returns: z.object({ success: z.literal(true) }),
    refuses: ['look.not-found'],
  }),
}
