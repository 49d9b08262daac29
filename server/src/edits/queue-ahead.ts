import { isRenderedAhead, quietMs } from '@clear-to-post/domain/render-ahead'
import type { Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { openAheadBeside, type EditedProject } from './store.ts'

/** Has the edit of a project, as saved at `revision`, rendered ahead once nothing was saved for a while, if it is somebody's work. */
export const queueRenderAhead = async (tx: Tx, project: EditedProject, revision: number, now: Date): Promise<void> => {
  if (isRenderedAhead({ editorId: project.editor_id, status: project.status }))
    await enqueueAhead(tx, project, revision, new Date(now.getTime() + quietMs.before))
}

/** Who has many edits that wait goes behind who has few. */
export const enqueueAhead = async (
  tx: Tx,
  project: Pick<EditedProject, 'id' | 'tenant_id' | 'user_id'>,
  revision: number,
  startAfter: Date,
): Promise<void> => {
  const priority = -(await openAheadBeside(tx, project))
  await enqueue(tx, 'render-ahead', { projectId: project.id, revision }, { startAfter, priority })
}
