import { accounts } from '@clear-to-post/contract/accounts'
import { on, onOpen, type Mounted } from '../kernel/call.ts'
import { page } from '../kernel/page.ts'
import { openExport, presentExport, startExport } from './exports.ts'
import { exportOf } from './exports-store.ts'
import { presentRemoval, previewRemoval, removePerson } from './removal.ts'
import { removalColumns, removalsSelect } from './removal-store.ts'

export const personalDataCalls: Mounted[] = [
  on(accounts.remove, async ({ query }, { tx, caller, now }) => ({
    success: true as const,
    receipt: presentRemoval(await removePerson(tx, caller, query.userId, now)),
  })),
  on(accounts.previewRemoval, ({ query }, { tx, caller }) => previewRemoval(tx, caller, query.userId)),
  on(accounts.removals, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, accounts.removals.page, removalColumns, query, (parts) =>
      removalsSelect(caller, parts),
    )
    return { items: rows.map(presentRemoval), nextCursor }
  }),
  on(accounts.dataExport, async (_input, { tx, caller }) => presentExport(await exportOf(tx, caller.id))),
  on(accounts.startExport, async (_input, { tx, caller, now }) => presentExport(await startExport(tx, caller, now))),
  onOpen(accounts.openExport, async (_input, { database, caller, now }) => ({
    url: await openExport(database, caller!, now),
  })),
]
