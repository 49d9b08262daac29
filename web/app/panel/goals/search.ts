/** What of the goals page lives in its address: the week, `2026-W47`; without one the running week. */
export type GoalsSearch = { week?: string }

export const readGoalsSearch = (search: Record<string, unknown>): GoalsSearch =>
  typeof search['week'] === 'string' && /^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(search['week'])
    ? { week: search['week'] }
    : {}
