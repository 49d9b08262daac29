/** What of the list of invitations lives in its address; it shows open ones unless said. */
export type InvitationsSearch = { q?: string; show?: 'all' }

export const readInvitationsSearch = (search: Record<string, unknown>): InvitationsSearch => ({
  ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
  ...(search['show'] === 'all' ? { show: 'all' } : {}),
})

/** The filters of the call: only open ones, unless all are asked for. */
export const wheresOf = ({ q, show }: InvitationsSearch): string[] => [
  ...(show === 'all' ? [] : ['isOpen:eq:true']),
  ...(q === undefined ? [] : [`email:contains:${q}`]),
]
