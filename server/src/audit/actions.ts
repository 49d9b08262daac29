import type { z } from 'zod'
import { audit, auditPortion } from '@clear-to-post/contract/audit'
import type { PageQuery } from '@clear-to-post/contract/page'
import type { Caller, Reader } from '../kernel/database.ts'
import { page } from '../kernel/page.ts'
import { faultsOf } from './chain.ts'
import { presentEntry } from './present.ts'
import { countWaiting, entryColumns, entrySelect, linksAfter, namesOf } from './store.ts'

export { addressSince, formerlyOf } from './store.ts'

/** A page of the log, newest first, within the caller's reach. */
export const listEntries = async (tx: Reader, caller: Caller, query: PageQuery) => {
  const { rows, nextCursor } = await page(tx, audit.list.page, entryColumns(caller), query, (parts) =>
    entrySelect(caller, parts),
  )
  const names = await namesOf(tx, caller, rows)
  return { items: rows.map((row) => presentEntry(row, names)), nextCursor }
}

/** Checks the links that stand after this one, at most a portion of them. */
export const verifyChains = async (
  tx: Reader,
  caller: Caller,
  after: number,
): Promise<z.input<typeof audit.verify.returns>> => {
  const links = await linksAfter(tx, caller, { after, most: auditPortion })
  // It looks at all of the log: once for all portions.
  const waiting = after === 0 ? await countWaiting(tx, caller) : 0
  const last = links.at(-1)
  return {
    checked: links.length,
    erased: links.filter((link) => link.changes === null && link.is_person_gone).length,
    waiting,
    faults: links.flatMap((link) =>
      faultsOf(link)
        .slice(0, 1)
        .map((fault) => ({
          fault,
          seq: Number(link.seq),
          entryId: link.entry_id,
          ...(link.at === null ? {} : { at: link.at.toISOString() }),
        })),
    ),
    next: last && links.length === auditPortion ? Number(last.id) : null,
  }
}
