import type { Recipe } from '@clear-to-post/edit/recipe'
import { readDocument } from './document.ts'

/**
 * Work that the service does not have yet, kept in this browser by person, project and tab, with the revision it was made
 * from: two tabs of one project never keep theirs in the other's place. What a tab left behind, closed or ended with its
 * browser, is taken up by the next that opens the project.
 */

const keyOf = (userId: string, projectId: string) => `edit:${userId}:${projectId}`

/** Of this page of this tab: a tab that was duplicated begins with what the other one remembers. */
const page = Math.random().toString(36).slice(2)
const remembered = 'edit-page'

/** What this page began with, and where that was kept; it goes once the service has it. */
let takenUp: { key: string; text: string } | null = null

export const keep = (userId: string, projectId: string, revision: number, recipe: Recipe): void => {
  try {
    const text = JSON.stringify({ revision, recipe, at: Date.now() })
    localStorage.setItem(`${keyOf(userId, projectId)}:${page}`, text)
    sessionStorage.setItem(remembered, page)
  } catch {
    // A full or forbidden storage: the work is still on the screen and goes to the service in a second.
  }
}

export const dropKept = (userId: string, projectId: string): void => {
  try {
    const key = keyOf(userId, projectId)
    localStorage.removeItem(`${key}:${page}`)
    // Unless a tab that is still open has gone on with it.
    if (takenUp?.key.startsWith(key) && localStorage.getItem(takenUp.key) === takenUp.text)
      localStorage.removeItem(takenUp.key)
  } catch {
    // As above.
  }
}

/** What this tab kept before it was loaded anew, else the newest of what others have left. */
export const readKept = (userId: string, projectId: string): { revision: number; recipe: Recipe } | null => {
  try {
    const [key, before] = [keyOf(userId, projectId), sessionStorage.getItem(remembered)]
    const found = Object.keys(localStorage)
      .filter((one) => one === key || one.startsWith(`${key}:`))
      .flatMap((one) => read(one) ?? [])
      .toSorted((a, b) => b.at - a.at)
    const kept = found.find((one) => one.key === `${key}:${before}`) ?? found[0]
    if (!kept) return null
    takenUp = { key: kept.key, text: kept.text }
    return { revision: kept.revision, recipe: kept.recipe }
  } catch {
    return null
  }
}

const read = (key: string) => {
  const text = localStorage.getItem(key)
  const kept = JSON.parse(text ?? 'null') as { revision: number; recipe: unknown; at?: number } | null
  const recipe = kept && readDocument(kept.recipe)
  if (!text || !recipe || !Number.isInteger(kept.revision)) return null
  return { key, text, revision: kept.revision, recipe, at: kept.at ?? 0 }
}
