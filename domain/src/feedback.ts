/** What QA scores, 0 to 10 each (decisions.md, section 5). The default set. */
export const feedbackCriteria = [
  { id: 'pacing', label: 'Pacing' },
  { id: 'captions', label: 'Captions' },
  { id: 'audio', label: 'Audio' },
  { id: 'brand', label: 'Brand' },
  { id: 'compliance', label: 'Compliance' },
] as const

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
