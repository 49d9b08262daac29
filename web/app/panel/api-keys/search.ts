/** What of the list of keys lives in its address; it shows good ones unless said. */
export type ApiKeysSearch = { q?: string; show?: 'all' }

export const readApiKeysSearch = (search: Record<string, unknown>): ApiKeysSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(search['show'] === 'all' ? { show: 'all' } : {}),
})

/** The filters of the call: only good ones, unless all are asked for. */
export const wheresOf = ({ q, show }: ApiKeysSearch): string[] => [
  ...(show === 'all' ? [] : ['isGood:eq:true']),
  ...(q === undefined ? [] : [`owner:contains:${q}`]),
]
