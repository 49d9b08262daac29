import { systemCaller } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import type { Job } from '../kernel/work.ts'
import { assign } from './actions.ts'
import { leftWorkOf, unheardCuts, unstartableProjectsOf } from './left-work-store.ts'

/**
 * Of staff who are gone, shut out, or in another role or company now: gives waiting projects that they can start no more back to the
 * pool, tells the ADMINs of those that were begun, and who reviews now of cuts that nobody else was told of. A job, so it sees also
 * what was done while they went: see docs/decisions/1155.
 */
export const leftWorkJob: Job<'left-work'> = {
  name: 'left-work',
  atOnce: 1,
  run: async ({ userId, tenantId }, { database, signal }) => {
    const giveBackSome = () =>
      database.asSystem(async (tx) => {
        const some = await unstartableProjectsOf(tx, userId)
        for (const { id } of some) await assign(tx, systemCaller, id, { editorId: null }, new Date())
        return some.length
      })
    while ((await giveBackSome()) > 0) signal.throwIfAborted()
    await database.asSystem(async (tx) => {
      // What their last step says is looked at once more: whose turn it is cannot go on, or has nobody who hears of it.
      for (const { id, seq } of [...(await leftWorkOf(tx, userId)), ...(await unheardCuts(tx, tenantId))])
        await enqueue(tx, 'project-event', { projectId: id, seq })
    })
  },
}
