import { z } from 'zod'

/** Comparisons a filter may use: `wheres=field:operation:value`; `in` takes values parted by commas. */
export const operations = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'startsWith'] as const
export type Operation = (typeof operations)[number]

/** The query of every paged call. `cursor` is what the page before answered as `nextCursor`. */
export const PageQuery = z.strictObject({
  perPage: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(1000).optional(),
  orderBy: z
    .string()
    .regex(/^\w+:(asc|desc)$/, 'Write orderBy as field:asc or field:desc')
    .optional(),
  wheres: z
    .union([z.string().transform((one) => [one]), z.array(z.string()).max(10)])
    .pipe(z.array(z.string().max(500)))
    .optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The answer of every paged call; `nextCursor` is null on the last page. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })
