import { useQuery } from '@tanstack/react-query'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { scripts } from '@clear-to-post/contract/scripts'
import { query, queryClient, usePages } from '../../api.ts'

export type Library = CallAnswer<typeof scripts.library>
export type Category = Library['categories'][number]
export type Script = Category['scripts'][number]

/** The library this person reads, what of it they may write, and their own scripts. */
export const useLibrary = () => {
  const library = useQuery({ ...query(scripts.library, {}), staleTime: 5 * 60_000 })
  const own = usePages(scripts.list, { perPage: 100 })
  const may = (action: Library['actions'][number]) => library.data?.actions.includes(action) ?? false
  return { library, own, mayWrite: may('write'), mayBegin: may('begin') }
}

/** After scripts or categories were changed. */
// Keys of what is asked begin with the first word of the path, and the paths of scripts begin with /prompts.
export const refreshScripts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['prompts'] })
