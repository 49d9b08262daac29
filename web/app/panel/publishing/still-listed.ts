import type { NewPost } from '@clear-to-post/contract/publishing'

/** A draft outlives the accounts that were chosen in it: only those that are still listed are posted to. Before the list is known, all. */
export const stillListed = (
  chosen: readonly NewPost[],
  listed: readonly { id: string }[] | undefined,
): readonly NewPost[] =>
  listed === undefined ? chosen : chosen.filter(({ connectionId }) => listed.some(({ id }) => id === connectionId))
