/** What of the scripts page lives in its address: the words, and one category or `own`. */
export type ScriptsSearch = { q?: string; category?: string }

export const readScriptsSearch = (search: Record<string, unknown>): ScriptsSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(typeof search['category'] === 'string' && search['category'] !== '' ? { category: search['category'] } : {}),
})

/** Instead of a category: one's own scripts. */
export const ownKey = 'own'
