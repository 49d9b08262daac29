import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { views, type SavedView } from '@clear-to-post/contract/views'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { query, queryClient, send } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

type Search = SavedView['search']

/** The views that somebody keeps of one page. */
export const useViews = (page: string): readonly SavedView[] =>
  (useQuery({ ...query(views.list, {}), staleTime: 5 * 60_000 }).data?.items ?? []).filter((one) => one.page === page)

/** What of an address a view keeps: what stands there with a plain value. */
export const keptOf = (search: object): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  ) as Search

/** Whether both show the same, in whichever order they stand. */
export const isSame = (a: Search, b: Search): boolean => {
  const sorted = (one: Search) => JSON.stringify(Object.entries(one).toSorted(([x], [y]) => (x < y ? -1 : 1)))
  return sorted(a) === sorted(b)
}

/** Keeps a view; throws what the call refuses. It can be undone. */
export const keepView = async (page: string, name: string, search: Search, before: SavedView | undefined) => {
  const made = await ask(views.create, { body: { page, name, search } })
  told(before ? messages.replaced(name) : messages.saved(name), () =>
    before
      ? ask(views.create, { body: { page, name, search: before.search } })
      : ask(views.remove, { params: { viewId: made.id } }),
  )
}

/** Gives a view another name; throws what the call refuses. It can be undone. */
export const renameView = async ({ id, name: before }: SavedView, name: string) => {
  await ask(views.rename, { params: { viewId: id }, body: { name } })
  told(messages.renamed(name), () => ask(views.rename, { params: { viewId: id }, body: { name: before } }))
}

/** Deletes a view. It can be undone. */
export const removeView = async ({ id, page, name, search }: SavedView): Promise<void> => {
  try {
    await ask(views.remove, { params: { viewId: id } })
    told(messages.removed(name), () => ask(views.create, { body: { page, name, search } }))
  } catch (error) {
    toastFailure(error)
  }
}

const ask = async <C extends CallShape>(shape: C, input: CallInput<C>) => {
  try {
    return await send(shape, input)
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['views'] })
  }
}

const told = (words: string, undo: () => Promise<unknown>) =>
  toast.success(words, { action: { label: messages.undo, onClick: () => void undo().catch(toastFailure) } })
