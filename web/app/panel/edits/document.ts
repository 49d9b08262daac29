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

/** Do two documents say the same? The service keeps no order of keys. */
export const sameDocument = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const keys = Object.keys(a).filter((key) => a[key] !== undefined)
  return (
    keys.length === Object.keys(b).filter((key) => b[key] !== undefined).length &&
    keys.every((key) => sameDocument(a[key], b[key]))
  )
}
