import { recipeVersion } from '@clear-to-post/edit/recipe'
import type { Bench } from './bench.ts'
import { answered, browserTable } from './browser-table.ts'
import { inTab } from '../../storage.ts'

/** What can be undone and redone, as it was when the recipe on the bench was this one. */
export type KeptSteps = Pick<Bench, 'recipe' | 'past' | 'future'>

/**
 * Keeps the steps of a person, project and tab until tomorrow, so that a reload takes none away. Recipes share most of what they
 * hold, and the browser writes what is shared once. Never fails: without them there is less to undo.
 */
export const keepSteps = async (userId: string, projectId: string, steps: KeptSteps): Promise<void> => {
  try {
    const key = `${userId}:${projectId}:${tabOf()}`
    const { recipe, future } = steps
    // What is dragged next is a step of its own.
    const past = steps.past.map((step) => ({ ...step, merge: undefined }))
    const writes = (await database()).transaction(table, 'readwrite')
    writes.objectStore(table).put({ recipe, past, future, at: Date.now() } satisfies Note, key)
  } catch {
    // A full or forbidden storage.
  }
}

/** What this tab kept of a project before it was loaded anew. Never fails. */
export const readSteps = async (userId: string, projectId: string): Promise<KeptSteps | null> => {
  try {
    const store = (await database()).transaction(table, 'readwrite').objectStore(table)
    const [keys, notes] = await Promise.all([answered(store.getAllKeys()), answered(store.getAll()) as Promise<Note[]>])
    let found: Note | undefined
    for (const [i, key] of keys.entries()) {
      const note = notes[i]!
      if (note.at < Date.now() - day) store.delete(key)
      else if (key === `${userId}:${projectId}:${tabOf()}`) found = note
    }
    return found && isWhole(found) ? { recipe: found.recipe, past: found.past, future: found.future } : null
  } catch {
    return null
  }
}

type Note = KeptSteps & { at: number }

/** Those of an earlier version of the program are not brought up to date: there are hundreds. */
const isWhole = ({ recipe, past, future }: Note): boolean =>
  [{ recipe }, ...past, ...future].every((step) => step.recipe.version === recipeVersion)

const day = 86_400_000
const table = 'steps'
const database = browserTable('edit-steps', table)

/** A tab has one name for as long as it is open, also when it is loaded anew. */
const tabOf = (): string => {
  const known = inTab.read('edit-tab')
  if (known) return known
  const name = Math.random().toString(36).slice(2)
  inTab.keep('edit-tab', name)
  return name
}
