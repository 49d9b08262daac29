import type { Criterion } from '@clear-to-post/domain/feedback'

/** A criterion as it is being written; a new one has no id yet. `key` tells rows apart on the screen. */
export type Row = { key: string; id?: string; label: string }

export const rowsOf = (criteria: readonly Criterion[]): Row[] =>
  criteria.map(({ id, label }) => ({ key: `kept-${id}`, id, label }))

/** The rows with the one at `from` standing at `to`. */
export const moved = (rows: readonly Row[], from: number, to: number): Row[] => {
  const rest = rows.filter((_, i) => i !== from)
  return [...rest.slice(0, to), rows[from]!, ...rest.slice(to)]
}

/** What the service is sent. */
export const bodyOf = (rows: readonly Row[]) =>
  rows.map(({ id, label }) => ({ ...(id === undefined ? {} : { id }), label: label.trim() }))

export const isSame = (rows: readonly Row[], criteria: readonly Criterion[]): boolean =>
  rows.length === criteria.length &&
  rows.every(({ id, label }, i) => id === criteria[i]!.id && label.trim() === criteria[i]!.label)

/** Rows that cannot be kept, by key: nameless, or with the name of one above. */
export const wrongOf = (rows: readonly Row[]): Map<string, 'nameless' | 'twice'> => {
  const wrong = new Map<string, 'nameless' | 'twice'>()
  const names = new Set<string>()
  for (const { key, label } of rows) {
    const name = label.trim().toLowerCase()
    if (name === '') wrong.set(key, 'nameless')
    else if (names.has(name)) wrong.set(key, 'twice')
    names.add(name)
  }
  return wrong
}
