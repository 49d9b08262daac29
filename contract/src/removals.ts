import { z } from 'zod'

const Removed = z.object({
  /** Sentences. */
  erased: z.array(z.string()),
  stays: z.array(z.object({ what: z.string(), why: z.string() })),
})
/** What removing somebody would do; `canceled`: videos that are not finished. */
export const RemovalPreview = Removed.extend({ canceled: z.number().int() })
/** What a removal did. It names nobody. */
export const Receipt = Removed.extend({
  number: z.string(),
  removedAt: z.iso.datetime(),
  /** When files and outside services were done, too; null: not yet. */
  finishedAt: z.iso.datetime().nullable(),
  isByAdmin: z.boolean(),
})
export type Receipt = z.infer<typeof Receipt>
