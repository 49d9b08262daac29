import { looks } from '@clear-to-post/contract/looks'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { addLook, giveName, looksOfProject, removeLook } from './actions.ts'

export const looksCalls: Mounted[] = [
  onRead(looks.list, async ({ params: { projectId } }, { tx, caller }) => ({
    items: await looksOfProject(tx, caller, projectId),
  })),
  on(looks.add, ({ params: { projectId }, body }, { tx, caller, now }) => addLook(tx, caller, projectId, body, now)),
  on(looks.rename, ({ params: { lookId }, body }, { tx, caller, now }) => giveName(tx, caller, lookId, body.name, now)),
  on(looks.remove, async ({ params: { lookId } }, { tx, caller }) => {
    await removeLook(tx, caller, lookId)
    return { success: true as const }
  }),
]
