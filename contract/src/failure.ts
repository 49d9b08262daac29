import { z } from 'zod'
import { kinds, type Kind } from './errors.ts'

/** The body of every failure. `issues` name each field that was not as declared. */
export const Failure = z.object({
  message: z.string(),
  kind: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]),
  code: z.string().optional(),
  requestId: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
export type Failure = z.infer<typeof Failure>
