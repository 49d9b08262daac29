import { problemsOf, upgrade, type Recipe } from '@clear-to-post/edit/recipe'

/**
 * A recipe as the service sent it, brought up to date; null when a newer program wrote it. Its shape was judged by the
 * service, which alone has the schemas (zod is not in the browser).
 */
export const readDocument = (document: unknown): Recipe | null => {
  const read = upgrade(document)
  if (!read.document) return null
  const recipe = read.document as unknown as Recipe
  return Array.isArray(recipe.words) && Array.isArray(recipe.removed) && problemsOf(recipe).length === 0 ? recipe : null
}
