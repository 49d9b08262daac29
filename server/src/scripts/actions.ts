import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { scripts } from '@clear-to-post/contract/scripts'
import { keepPicture } from '../assets/actions.ts'
import { isAsItWas } from '../kernel/as-it-was.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import {
  addCategory,
  addScript,
  countScripts,
  categoryInReach,
  countCategories,
  findScript,
  scriptsKept,
  libraryOf,
  removeScript,
  removeScriptsOf,
  saveScript,
  scriptInReach,
  writeCategory,
  writePicture,
} from './store.ts'
import { mayEver } from '@clear-to-post/domain/access'
import { mostKept } from '@clear-to-post/domain/most-kept'

type Written = { title: string; content: string; tags?: string[] | undefined }

/** Keeps a script of the caller's own; with `categoryId` an ADMIN adds to a library. Answers its id; throws script.too-many. */
export const createScript = async (
  tx: Tx,
  caller: Caller,
  script: Written & { categoryId?: string | undefined },
): Promise<string> => {
  const place = { userId: script.categoryId === undefined ? caller.id : null, categoryId: script.categoryId ?? null }
  if (script.categoryId === undefined) return addWhereRoom(tx, { ...script, ...place })
  if (!mayEver(caller.role, 'script.write')) throw refusal('access.forbidden')
  if (!(await categoryInReach(tx, caller, script.categoryId))) throw refusal('category.not-found')
  return addWhereRoom(tx, { ...script, ...place })
}

const addWhereRoom = async (tx: Tx, script: Parameters<typeof addScript>[1]): Promise<string> => {
  await requireRoom(tx, script, { scripts: 1, letters: lettersOf(script) })
  if ((await countScripts(tx, script)) >= mostKept.scripts) throw refusal('script.too-many')
  return addScript(tx, script)
}

const lettersOf = ({ title = '', content = '', tags = [] }: Partial<Written>): number =>
  [title, content, ...tags].reduce((sum, text) => sum + [...text].length, 0)

/** Throws script.too-many where so many letters more, or one script more, would be beyond what is kept in one place. */
const requireRoom = async (
  tx: Tx,
  place: { userId: string | null; categoryId: string | null },
  more: { scripts: number; letters: number },
): Promise<void> => {
  const kept = await scriptsKept(tx, place)
  if (kept.scripts + more.scripts > mostKept.libraryScripts)
    throw refusal('script.too-many', 'This library holds 3,000 scripts already. Delete some first.')
  if (kept.letters + more.letters > mostKept.scriptLetters)
    throw refusal('script.too-many', 'These scripts hold a million letters already. Delete or shorten some first.')
}

/** Changes parts of a script that the caller may write. Throws script.not-found, script.changed, script.too-many. */
export const changeScript = async (
  tx: Tx,
  caller: Caller,
  id: string,
  { was, ...parts }: Partial<Written> & { was?: Partial<Written> | undefined },
): Promise<void> => {
  const script = await scriptInReach(tx, caller, id)
  if (!script) throw refusal('script.not-found')
  const { title, content, tags } = (await findScript(tx, id))!
  if (!isAsItWas(was, { title, content, tags })) throw refusal('script.changed')
  await saveScript(tx, id, parts)
  // Counted as it is now; who shortens one is never refused.
  const after = (await scriptInReach(tx, caller, id))!
  if (after.letters > script.letters) await requireRoom(tx, script, { scripts: 0, letters: 0 })
}

/** Deletes whatever scripts this person wrote for themselves; answers how many there were. As the service. */
export const deleteScriptsOf = (tx: Tx, userId: string): Promise<number> => removeScriptsOf(tx, userId)

export const deleteScript = async (tx: Tx, caller: Caller, id: string): Promise<void> => {
  if (!(await scriptInReach(tx, caller, id))) throw refusal('script.not-found')
  await removeScript(tx, id)
}

/**
 * Adds a category to the service's library or a tenant's own, or changes parts of one. Answers its id and library. Throws
 * category.not-found, category.changed, category.too-many, tenant.none, asset.not-found.
 */
export const keepCategory = async (
  tx: Tx,
  caller: Caller,
  { id, tenantId, pictureUrl, was, ...parts }: CallRequest<typeof scripts.saveCategory>['body'],
  now: Date,
): Promise<{ id: string; libraryId: string }> => {
  if (id !== undefined) {
    const found = await categoryInReach(tx, caller, id)
    if (!found) throw refusal('category.not-found')
    const { libraryId, ...before } = found
    if (!isAsItWas(was, before)) throw refusal('category.changed')
    await writeCategory(tx, id, parts)
    await keepCategoryPicture(tx, caller, id, pictureUrl, now)
    return { id, libraryId }
  }
  // A tenant's own ADMIN writes that tenant's library, whatever is named.
  const libraryId = await libraryOf(tx, caller.tenantId ?? tenantId ?? null)
  if (libraryId === null) throw refusal('tenant.none')
  if ((await countCategories(tx, libraryId)) >= mostKept.categories) throw refusal('category.too-many')
  // The contract has both for a new one.
  const { title, backgroundColor, active = true } = parts
  const made = await addCategory(tx, libraryId, { title: title!, backgroundColor: backgroundColor!, active })
  await keepCategoryPicture(tx, caller, made, pictureUrl, now)
  return { id: made, libraryId }
}

const keepCategoryPicture = async (
  tx: Tx,
  caller: Caller,
  id: string,
  address: string | undefined,
  now: Date,
): Promise<void> => {
  if (address === undefined) return
  await writePicture(tx, id, await keepPicture(tx, { address, owner: id, field: 'picture', by: caller.id }, now))
}
