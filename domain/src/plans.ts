/** What a plan entitles to each month (decisions.md, section 5). */
export type PlanMetadata = {
  projectsPerMonth: number
  revisionsPerProject: number
  turnaroundHours: number
  rank: number
}

/** A person's standing right to submit, before this month's use is counted. */
export type Standing = { plan: PlanMetadata | null; freeProjectUsed: boolean }

/** The right a new project would use, or why there is none. `used` = projects already counted for the month. */
export const rightToSubmit = (
  standing: Standing,
  used: number,
): { right: 'plan' | 'free' } | { refusal: 'project.quota-used' | 'project.no-plan' } => {
  if (standing.plan !== null)
    return used < standing.plan.projectsPerMonth ? { right: 'plan' } : { refusal: 'project.quota-used' }
  return standing.freeProjectUsed ? { refusal: 'project.no-plan' } : { right: 'free' }
}

/** Hours a person without a plan waits at most (their free project). */
export const freeTurnaroundHours = 48

/** Source assets may be removed this many days after completion; the final video and its versions stay. */
export const expiryDays = 90
