import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { views } from '@clear-to-post/contract/views'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Caller, Tx } from '../kernel/database.ts'
import { addView, countViews, dropView, lockViews, renameView, viewById, viewNamed, type ViewRow } from './store.ts'

export { dropViewsOf } from './store.ts'

/** Keeps what a list is narrowed to; one of the same name on the same page is replaced. Throws `view.too-many`. */
export const createView = async (
  tx: Tx,
  { id }: Caller,
  { page, name, search }: CallRequest<typeof views.create>['body'],
): Promise<ViewRow> => {
  await lockViews(tx, id)
  const isThere = (await viewNamed(tx, id, page, name)) !== undefined
  if (!isThere && (await countViews(tx, id)) >= mostKept.views) throw refusal('view.too-many')
  return addView(tx, { personId: id, page, name, search })
}

/** Throws `view.not-found`, `view.name-taken` where the same list has one of this name. */
export const nameView = async (tx: Tx, { id }: Caller, viewId: string, name: string): Promise<ViewRow> => {
  await lockViews(tx, id)
  const view = await viewById(tx, id, viewId)
  if (!view) throw refusal('view.not-found')
  const other = await viewNamed(tx, id, view.page, name)
  if (other && other.id !== viewId) throw refusal('view.name-taken')
  return (await renameView(tx, id, viewId, name))!
}

/** Throws `view.not-found`. */
export const removeView = async (tx: Tx, { id }: Caller, viewId: string): Promise<void> => {
  if (!(await dropView(tx, id, viewId))) throw refusal('view.not-found')
}
