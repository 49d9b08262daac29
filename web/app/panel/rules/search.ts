/** Of how many days the rules' figures may be. */
export const ruleDays = [7, 30, 90, 365] as const
export type RuleDays = (typeof ruleDays)[number]

/** What of the page lives in its address: the period in days; without one the last thirty. */
export type RulesSearch = { days?: RuleDays }

export const readRulesSearch = (search: Record<string, unknown>): RulesSearch => {
  const days = ruleDays.find((one) => one === search['days'])
  return days === undefined ? {} : { days }
}
