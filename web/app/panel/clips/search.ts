/** What of the B-roll page lives in its address: the words that are looked for. */
export type ClipsSearch = { q?: string }

export const readClipsSearch = (search: Record<string, unknown>): ClipsSearch =>
  typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}

/** The filters of the call: each of the words, ten at the most, stands in a clip's title or in its tags. */
export const wheresOf = ({ q }: ClipsSearch): string[] =>
  q === undefined
    ? []
    : q
        .split(/\s+/)
        .slice(0, 10)
        .map((word) => `about:contains:${word}`)
