/** What of the list of consents lives in its address. */
export type ConsentsSearch = { q?: string; show?: 'due' | 'agreed' }

export const readConsentsSearch = (search: Record<string, unknown>): ConsentsSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(search['show'] === 'due' || search['show'] === 'agreed' ? { show: search['show'] } : {}),
})

/** The filters of the call. */
export const wheresOf = ({ q, show }: ConsentsSearch): string[] => [
  ...(show === undefined ? [] : [`isCurrent:eq:${show === 'agreed'}`]),
  ...(q === undefined ? [] : [`person:contains:${q}`]),
]
