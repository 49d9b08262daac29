/** Something QA scores. Its id stays when its label is changed. */
export type Criterion = { id: string; label: string }

/** What QA scores, 0 to 10 each (docs/specification/things.md), until an ADMIN of the service sets a list. */
export const feedbackCriteria = [
  { id: 'pacing', label: 'Pacing' },
  { id: 'captions', label: 'Captions' },
  { id: 'audio', label: 'Audio' },
  { id: 'brand', label: 'Brand' },
  { id: 'compliance', label: 'Compliance' },
] as const satisfies readonly Criterion[]

/** At most so many criteria; a label's and an id's length in characters. */
export const criteriaLimits = { count: 20, label: 60 } as const

/**
 * The list as an ADMIN wants it, each with an id: one that was there keeps its own, a new one is named after its label,
 * so that the same list sent twice makes the same ids. `unknown` is the place of an id that `list` does not have.
 */
export const numbered = (
  list: readonly Criterion[],
  wanted: readonly { id?: string | undefined; label: string }[],
): { criteria: Criterion[] } | { unknown: number } => {
  const unknown = wanted.findIndex(({ id }) => id !== undefined && !list.some((one) => one.id === id))
  if (unknown >= 0) return { unknown }
  const taken = new Set(wanted.flatMap(({ id }) => id ?? []))
  return {
    criteria: wanted.map(({ id, label }) => {
      if (id !== undefined) return { id, label }
      const made = freeId(label, taken)
      taken.add(made)
      return { id: made, label }
    }),
  }
}

/** A denial's scores with the labels of `list`, which stay with it. `unknown` is the place of an id that `list` does not have. */
export const labelled = <Score extends { id: string }>(
  list: readonly Criterion[],
  scores: readonly Score[],
): { scores: (Score & Criterion)[] } | { unknown: number } => {
  const labels = new Map(list.map(({ id, label }) => [id, label]))
  const unknown = scores.findIndex(({ id }) => !labels.has(id))
  return unknown >= 0 ? { unknown } : { scores: scores.map((one) => ({ ...one, label: labels.get(one.id)! })) }
}

const freeId = (label: string, taken: ReadonlySet<string>): string => {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  const name = words?.join('-').slice(0, criteriaLimits.label - 5) ?? 'criterion'
  for (let i = 1; ; i++) {
    const id = i === 1 ? name : `${name}-${i}`
    if (!taken.has(id)) return id
  }
}

export const feedbackScore = { min: 0, max: 10 } as const

/** Why a cut is denied; at least one. */
export const denyCategories = {
  cut: 'Cut',
  captions: 'Captions',
  audio: 'Audio',
  brand: 'Brand',
  instructions: 'Instructions not followed',
  compliance: 'Compliance',
  technical: 'Technical',
} as const
export type DenyCategory = keyof typeof denyCategories
export const denyCategoryValues = Object.keys(denyCategories) as [DenyCategory, ...DenyCategory[]]
