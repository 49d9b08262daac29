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

/** A short sign of a document: the same for documents that say the same (`sameDocument`), and for hardly any others. */
export const signOf = (document: unknown): string => {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  const text = written(document)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x85ebca6b)
    other ^= other >>> 13
  }
  return `${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}.${text.length.toString(36)}`
}

const written = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(written).join()}]`
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${written(one)}`)
    .join()}}`
}
