import { accounts, type User } from '@clear-to-post/contract/accounts'
import { send } from '../../api.ts'

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
            wheres: ['role:in:Editor,ADMIN'],
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

type Editor = Pick<User, 'id' | 'name' | 'role' | 'tenantId' | 'isDisabled'>

/** Those of them who may get an officer's videos: not disabled, and of the officer's company or of the service. */
export const editorsFor = <E extends Editor>(editors: readonly E[], tenantId: string | undefined): E[] =>
  editors.filter((one) => !one.isDisabled && (one.tenantId === undefined || one.tenantId === tenantId))

/** Those whose work it is, for lists where an admin who might lend a hand is in the way. */
export const onlyEditors = <E extends Editor>(editors: readonly E[]): E[] =>
  editors.filter(({ role }) => role === 'Editor')
