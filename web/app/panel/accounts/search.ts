import { personRoles, type PersonRole } from '@clear-to-post/domain/roles'

export const orders = ['name:asc', 'email:asc', 'createdAt:desc'] as const
export type PeopleOrder = (typeof orders)[number]

/** What of the people page lives in its address. */
export type PeopleSearch = {
  q?: string
  role?: PersonRole
  company?: string
  access?: 'active' | 'disabled'
  order?: PeopleOrder
}

export const readPeopleSearch = (search: Record<string, unknown>): PeopleSearch => {
  const role = personRoles.find((one) => one === search['role'])
  const order = orders.find((one) => one === search['order'])
  return {
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(role ? { role } : {}),
    ...(typeof search['company'] === 'string' && /^[\da-f-]{36}$/.test(search['company'])
      ? { company: search['company'] }
      : {}),
    ...(search['access'] === 'active' || search['access'] === 'disabled' ? { access: search['access'] } : {}),
    ...(order && order !== 'name:asc' ? { order } : {}),
  }
}

/** Words with an @ or a dot inside are looked for in addresses, all others in names. */
export const isAddressLike = (words: string): boolean => /@|\S\.\S/.test(words)

/** The filters of the call. `field` is where the words are looked for. */
export const wheresOf = ({ q, role, company, access }: PeopleSearch, field: 'name' | 'email'): string[] => [
  ...(q ? [`${field}:contains:${q}`] : []),
  ...(role ? [`role:eq:${role}`] : []),
  ...(company ? [`tenantId:eq:${company}`] : []),
  ...(access ? [`isDisabled:eq:${access === 'disabled'}`] : []),
]
