import { useQuery } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { prompts } from '@clear-to-post/contract/prompts'
import { query, queryClient, usePages } from '../../api.ts'
import { useUser } from '../../session.ts'
import { myTenant } from '../brand/use-brand.ts'

export type Library = CallAnswer<typeof prompts.find>
export type Category = Library['categories'][number]
export type Script = Category['scripts'][number]

/** The library this person reads, what of it they may write, and their own scripts. */
export const useLibrary = () => {
  const me = useUser()
  const library = useQuery({ ...query(prompts.find, {}), staleTime: 5 * 60_000 })
  const own = usePages(prompts.scripts, { perPage: 100 })
  const isAdmin = me.role === 'ADMIN'
  const tenant = useQuery({ ...myTenant, enabled: isAdmin && me.tenantId !== undefined }).data
  const mayWrite = isAdmin && library.data !== undefined && library.data.tenantId === (me.tenantId ?? null)
  // A company that uses its own scripts reads ours until it has a category of its own.
  const mayBegin = isAdmin && !mayWrite && tenant?.useOwnScripts === true
  return { library, own, mayWrite, mayBegin }
}

/** After scripts or categories were changed. */
export const refreshScripts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['prompts'] })
