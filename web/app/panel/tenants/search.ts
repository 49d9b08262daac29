/** What of the tenants page lives in its address. */
export type TenantsSearch = { q?: string }

export const readTenantsSearch = (search: Record<string, unknown>): TenantsSearch =>
  typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}
