import { sees } from '@clear-to-post/domain/access'
import { prompts } from '@clear-to-post/contract/prompts'
import { page } from '../kernel/page.ts'
import { on, type Mounted } from '../kernel/call.ts'
import { changeScript, createScript, deleteScript, keepCategory } from './actions.ts'
import { presentCategory, presentPrompt, presentScript } from './present.ts'
import { categoriesOf, findScript, libraryFor, ownScriptsSelect, scriptColumns } from './store.ts'

export const promptsCalls: Mounted[] = [
  on(prompts.find, async (_input, { tx, caller, now }) => {
    // The service's own library is made by a migration: there is always one.
    const library = (await libraryFor(tx, caller))!
    const categories = await categoriesOf(tx, library.id, { inactiveToo: sees(caller.role, 'prompt.inactive') })
    return presentPrompt(library, categories, caller, now)
  }),
  on(prompts.newScript, async ({ body }, { tx, caller }) =>
    presentScript((await findScript(tx, await createScript(tx, caller, body)))!),
  ),
  on(prompts.scripts, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, prompts.scripts.page, scriptColumns, query, (parts) =>
      ownScriptsSelect(caller, parts),
    )
    return { items: rows.map(presentScript), nextCursor }
  }),
  on(prompts.updateScript, async ({ params: { id }, body }, { tx, caller }) => {
    await changeScript(tx, caller, id, body)
    return presentScript((await findScript(tx, id))!)
  }),
  on(prompts.deleteScript, async ({ params: { id } }, { tx, caller }) => {
    await deleteScript(tx, caller, id)
    return { success: true as const }
  }),
  on(prompts.saveCategory, async ({ body }, { tx, caller, now }) => {
    const { id, promptId } = await keepCategory(tx, caller, body, now)
    return presentCategory(
      (await categoriesOf(tx, promptId, { inactiveToo: true })).find((category) => category.id === id)!,
      now,
    )
  }),
]
