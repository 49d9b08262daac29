import { sees } from '@clear-to-post/domain/access'
import { scripts } from '@clear-to-post/contract/scripts'
import { page } from '../kernel/page.ts'
import { on, type Mounted } from '../kernel/call.ts'
import { changeScript, createScript, deleteScript, keepCategory } from './actions.ts'
import { presentCategory, presentLibrary, presentScript } from './present.ts'
import { categoriesOf, findScript, libraryFor, ownScriptsSelect, scriptColumns } from './store.ts'

export const scriptsCalls: Mounted[] = [
  on(scripts.library, async (_input, { tx, caller, now }) => {
    // The service's own library is made by a migration: there is always one.
    const library = (await libraryFor(tx, caller))!
    const categories = await categoriesOf(tx, library.id, { inactiveToo: sees(caller.role, 'script.inactive') })
    return presentLibrary(library, categories, caller, now)
  }),
  on(scripts.create, async ({ body }, { tx, caller }) =>
    presentScript((await findScript(tx, await createScript(tx, caller, body)))!),
  ),
  on(scripts.list, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, scripts.list.page, scriptColumns, query, (parts) =>
      ownScriptsSelect(caller, parts),
    )
    return { items: rows.map(presentScript), nextCursor }
  }),
  on(scripts.update, async ({ params: { id }, body }, { tx, caller }) => {
    await changeScript(tx, caller, id, body)
    return presentScript((await findScript(tx, id))!)
  }),
  on(scripts.remove, async ({ params: { id } }, { tx, caller }) => {
    await deleteScript(tx, caller, id)
    return { success: true as const }
  }),
  on(scripts.saveCategory, async ({ body }, { tx, caller, now }) => {
    const { id, libraryId } = await keepCategory(tx, caller, body, now)
    return presentCategory(
      (await categoriesOf(tx, libraryId, { inactiveToo: true })).find((category) => category.id === id)!,
      now,
    )
  }),
]
