import type { Recipe } from '@clear-to-post/edit/recipe'

/** Twelve chunks of a second and a card: enough to be killed in the middle of. Another shift (ms) shares no chunk. */
export const manyChunks =
  (shift: number) =>
  (recipe: Recipe): Recipe => ({
    ...recipe,
    removed: [],
    moves: [],
    keep: Array.from({ length: 12 }, (_, i) => ({
      id: `k${i}`,
      source: 's1',
      start: ((i * 250) % 3000) + shift,
      end: ((i * 250) % 3000) + shift + 1000,
    })),
  })
