import type { Recipe } from '@clear-to-post/edit/recipe'
import { readDocument } from './document.ts'

/** Work that the service does not have yet, kept in this browser by person and project, with the revision it was made from. */

const keyOf = (userId: string, projectId: string) => `edit:${userId}:${projectId}`

export const keep = (userId: string, projectId: string, revision: number, recipe: Recipe): void => {
  try {
    localStorage.setItem(keyOf(userId, projectId), JSON.stringify({ revision, recipe }))
  } catch {
    // A full or forbidden storage: the work is still on the screen and goes to the service in a second.
  }
}

export const dropKept = (userId: string, projectId: string): void => {
  try {
    localStorage.removeItem(keyOf(userId, projectId))
  } catch {
    // As above.
  }
}

export const readKept = (userId: string, projectId: string): { revision: number; recipe: Recipe } | null => {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(userId, projectId)) ?? 'null') as {
      revision: number
      recipe: unknown
    } | null
    const recipe = kept && readDocument(kept.recipe)
    return recipe && Number.isInteger(kept.revision) ? { revision: kept.revision, recipe } : null
  } catch {
    return null
  }
}
