/** What of the list of invitations lives in its address; it shows open ones unless said. */
export type InvitationsSearch = { q?: string; show?: 'all' }

export const readInvitationsSearch = (search: Record<string, unknown>): InvitationsSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(search['show'] === 'all' ? { show: 'all' } : {}),
})
