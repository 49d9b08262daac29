import { useQuery } from '@tanstack/react-query'
import { accounts, type Person, type User } from '@clear-to-post/contract/accounts'
import { tenants } from '@clear-to-post/contract/tenants'
import { duties, servesAll } from '@clear-to-post/domain/roles'
import { keyOf, query, queryClient, send, usePages } from '../../api.ts'
import { useMay, useUser } from '../../session.ts'
import { isAddressLike, wheresOf, type PeopleSearch } from './search.ts'

/** The people that fit. A word that is in no name is looked for in the addresses too. */
export const usePeople = (search: PeopleSearch) => {
  const asked = { perPage: 50, orderBy: search.order ?? 'name:asc' }
  const first = isAddressLike(search.q ?? '') ? 'email' : 'name'
  const named = usePages(accounts.search, { ...asked, wheres: wheresOf(search, first) })
  const isNone = search.q !== undefined && named.items?.length === 0 && !named.isPlaceholderData
  const other = usePages(
    accounts.search,
    { ...asked, wheres: wheresOf(search, first === 'name' ? 'email' : 'name') },
    { enabled: isNone },
  )
  return isNone && other.items && !other.isPlaceholderData ? other : named
}

/** Somebody who was changed stands so in every list and on their own page at once, before these are asked for again. */
export const putPerson = (changed: User): void => {
  queryClient.setQueryData<Person>(keyOf(accounts.person, { params: { userId: changed.id } }), (before) => {
    if (!before) return before
    const { createdAt, isEmailVerified, tenantName, editorName } = before
    const names = {
      ...(tenantName && before.tenantId === changed.tenantId && { tenantName }),
      ...(editorName && before.editorId === changed.editorId && { editorName }),
    }
    return { ...changed, createdAt, isEmailVerified, ...names }
  })
  queryClient.setQueriesData<{ pages: { items: User[] }[] }>(
    { queryKey: ['accounts', accounts.search.path], predicate: ({ queryKey }) => queryKey[3] === 'pages' },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((one) => (one.id === changed.id ? changed : one)),
        })),
      },
  )
}

/** Companies by id, for who may read them; empty for QA. */
export const useCompanies = (): { id: string; name: string }[] =>
  useQuery({ ...companiesQuery, enabled: useMay('tenant.list') }).data?.items ?? []

/**
 * Whether what narrows a list has a choice of the company: for who serves all of them. How many there are is not asked: a
 * choice that came with the answer would push aside what stands after it.
 */
export const useChoosesCompany = (): boolean => {
  const { role, tenantId = null } = useUser()
  return useMay('tenant.list') && servesAll({ role, tenantId })
}

/** All companies that the reader reaches, by name. */
export const companiesQuery = {
  ...query(tenants.list, { query: { perPage: 100, orderBy: 'name:asc' } }),
  staleTime: 5 * 60_000,
}

/** The company of something, for who reaches several; everybody else knows it. */
export const useCompanyOf = (): ((of: { tenantId?: string | undefined }) => string | undefined) => {
  const companies = useCompanies()
  if (companies.length < 2) return () => undefined
  const names = new Map(companies.map(({ id, name }) => [id, name]))
  return ({ tenantId = '' }) => names.get(tenantId)
}

/** Everybody who edits, as far as this person reaches: editors and admins, by name. */
export const editorsQuery = {
  queryKey: ['accounts', 'editors'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<User[]> => {
    const found: User[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await send(
        accounts.search,
        {
          query: {
            perPage: 100,
            orderBy: 'name:asc',
            wheres: [`role:in:${duties.edit.join(',')}`],
            ...(cursor === undefined ? {} : { cursor }),
          },
        },
        { signal },
      )
      found.push(...page.items)
      cursor = page.nextCursor
    }
    return found
  },
  staleTime: 5 * 60_000,
}
