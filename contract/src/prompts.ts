import { z } from 'zod'
import { call } from './call.ts'

export const Script = z.object({
  id: z.uuid(),
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()).optional(),
  userId: z.uuid().optional(),
})

export const Prompt = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  categories: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      pictureUrl: z.string(),
      backgroundColor: z.string(),
      active: z.boolean(),
      scripts: z.array(Script),
    }),
  ),
})

export const prompts = {
  find: call({
    method: 'GET',
    path: '/prompts/getPrompt',
    summary: 'The library of scripts to read from: the tenant’s when it uses its own, else the service’s',
    access: 'signed-in',
    returns: Prompt,
    refuses: [],
  }),
}
