import { refusal } from '@clear-to-post/contract/errors'
import type { Look } from '@clear-to-post/contract/looks'
import { mayWriteLooks } from '@clear-to-post/domain/access'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { Look as LookContent } from '@clear-to-post/edit/read-look'
import { requireProject } from '../edits/actions.ts'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import {
  countLooks,
  deleteLook,
  insertLook,
  isNameTaken,
  keptLook,
  lockLooks,
  looksFor,
  renameLook,
  type LookRow,
} from './store.ts'

/** The looks for a project that the caller may see. Throws project.not-found. */
export const looksOfProject = async (tx: Reader, caller: Caller, projectId: string): Promise<Look[]> => {
  const { tenant_id } = await requireProject(tx, caller, projectId)
  return (await looksFor(tx, tenant_id)).map((row) => present(caller, row))
}

/**
 * Saves a look for the project's company, or for all where the caller serves all and says so. Throws project.not-found,
 * look.invalid, look.name-taken, look.library-full.
 */
export const addLook = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { name, content, isForAll }: { name: string; content: unknown; isForAll: boolean },
  now: Date,
): Promise<Look> => {
  const { tenant_id } = await requireProject(tx, caller, projectId)
  const tenantId = caller.tenantId ?? (isForAll ? null : tenant_id)
  const read = LookContent.safeParse(content)
  if (!read.success) throw refusal('look.invalid')
  await lockLooks(tx, tenantId)
  if ((await countLooks(tx, tenantId)) >= mostKept.looks) throw refusal('look.library-full')
  const row = await insertLook(tx, { tenantId, name, content: read.data, now })
  if (!row) throw refusal('look.name-taken')
  return present(caller, row)
}

/** Throws look.not-found, look.name-taken. */
export const giveName = async (tx: Tx, caller: Caller, lookId: string, name: string, now: Date): Promise<Look> => {
  const look = await requireKept(tx, caller, lookId)
  // One at a time in each library, so that the second sees the first one's name.
  await lockLooks(tx, look.tenant_id)
  if (await isNameTaken(tx, look, name)) throw refusal('look.name-taken')
  return present(caller, (await renameLook(tx, lookId, name, now))!)
}

/** Throws look.not-found. */
export const removeLook = async (tx: Tx, caller: Caller, lookId: string): Promise<void> => {
  await requireKept(tx, caller, lookId)
  await deleteLook(tx, lookId)
}

const requireKept = async (tx: Tx, caller: Caller, lookId: string): Promise<LookRow> => {
  const look = await keptLook(tx, caller, lookId)
  if (!look) throw refusal('look.not-found')
  return look
}

const present = (caller: Caller, { id, tenant_id: tenantId, name, content }: LookRow): Look => ({
  id,
  tenantId,
  isForAll: tenantId === null,
  name,
  content: content as Look['content'],
  actions: mayWriteLooks(caller, { tenantId }) ? ['change'] : [],
})
