import { prompts } from '@clear-to-post/contract/prompts'
import { isStaff } from '@clear-to-post/domain/roles'
import { on, type Mounted } from '../http/mount.ts'
import { presentPrompt } from './present.ts'
import { categoriesOf, libraryFor } from './store.ts'

export const promptsCalls: Mounted[] = [
  on(prompts.find, async (_input, { tx, caller }) => {
    // The service's own library is made by a migration: there is always one.
    const library = (await libraryFor(tx, caller))!
    return presentPrompt(library, await categoriesOf(tx, library.id, { inactiveToo: isStaff(caller.role) }))
  }),
]
