/** What of the B-roll page lives in its address: the words that are looked for. */
export type ClipsSearch = { q?: string }

export const readClipsSearch = (search: Record<string, unknown>): ClipsSearch =>
  typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}
