import { isDeepStrictEqual } from 'node:util'

/** Whether the parts that a change was made from (`was`) still say what they say `now`; no parts always do. */
export const isAsItWas = <Thing extends object>(was: Partial<NoInfer<Thing>> | undefined, now: Thing): boolean =>
  isDeepStrictEqual({ ...now, ...was }, now)
