import { views } from '@clear-to-post/contract/views'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { createView, nameView, removeView } from './actions.ts'
import { viewsOf } from './store.ts'

export const viewsCalls: Mounted[] = [
  onRead(views.list, async (_input, { tx, caller }) => ({ items: await viewsOf(tx, caller.id) })),
  on(views.create, ({ body }, { tx, caller }) => createView(tx, caller, body)),
  on(views.rename, ({ params: { viewId }, body }, { tx, caller }) => nameView(tx, caller, viewId, body.name)),
  on(views.remove, async ({ params: { viewId } }, { tx, caller }) => {
    await removeView(tx, caller, viewId)
    return {}
  }),
]
