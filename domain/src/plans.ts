/** What a plan entitles to each month (decisions.md, section 5). */
export type PlanMetadata = {
  projectsPerMonth: number
  revisionsPerProject: number
  turnaroundHours: number
  /** A higher one is the bigger plan. */
  rank: number
}

/** What decides whether a subscription counts. `ofTenant`: the company pays it. */
export type SubscriptionFacts = {
  status: string
  ofTenant: boolean
  periodStart: Date | null
  /** Paused: what was paid counts until then. */
  pausedFrom: Date | null
  plan: PlanMetadata
}

/** Days in which a failed renewal is tried again while everything goes on. */
export const graceDays = 14

/** Until when a failed renewal changes nothing yet; null while nothing is owed. */
export const graceEnd = ({ status, periodStart }: Pick<SubscriptionFacts, 'status' | 'periodStart'>): Date | null =>
  status === 'past_due' && periodStart !== null ? new Date(periodStart.getTime() + graceDays * day) : null

/** Does this subscription entitle to anything now? */
export const entitles = (subscription: SubscriptionFacts, now: Date): boolean => {
  const { status, periodStart, pausedFrom } = subscription
  if (pausedFrom !== null && now >= pausedFrom) return false
  if (status === 'active' || status === 'trialing') return true
  if (status !== 'past_due') return false
  const end = graceEnd({ status, periodStart })
  return end === null || now < end
}

/** The one that counts: the tenant's before the own one. Undefined when none entitles. The first of equals wins. */
export const entitlement = <S extends SubscriptionFacts>(subscriptions: readonly S[], now: Date): S | undefined => {
  const counting = subscriptions.filter((one) => entitles(one, now))
  return counting.find(({ ofTenant }) => ofTenant) ?? counting[0]
}

/**
 * A person's standing right to submit, before this month's use is counted. `spareExtras`: videos bought by themselves and
 * not used yet.
 */
export type Standing = { plan: PlanMetadata | null; freeProjectUsed: boolean; spareExtras: number }

/** What was counted for a month: projects, and how many of them on videos bought by themselves. */
export type MonthUse = { used: number; extras: number }

/** The right a new project would use, or why there is none: the plan first, then the free one, then what was bought. */
export const rightToSubmit = (
  standing: Standing,
  { used, extras }: MonthUse,
): { right: 'plan' | 'free' | 'extra' } | { refusal: 'project.quota-used' | 'project.no-plan' } => {
  if (standing.plan !== null && used - extras < standing.plan.projectsPerMonth) return { right: 'plan' }
  if (standing.plan === null && !standing.freeProjectUsed) return { right: 'free' }
  if (standing.spareExtras > 0) return { right: 'extra' }
  return { refusal: standing.plan === null ? 'project.no-plan' : 'project.quota-used' }
}

/** Projects a month can hold in all, with what was bought; what is spare counts for whichever month needs it first. */
export const monthAllows = ({ plan, freeProjectUsed, spareExtras }: Standing, { extras }: MonthUse): number =>
  (plan?.projectsPerMonth ?? (freeProjectUsed ? 0 : 1)) + extras + spareExtras

/** What a month looks like when one project of it is given back: a video that was bought comes back before the plan's. */
export const givenBack = ({ used, extras }: MonthUse): MonthUse & { extraFreed: boolean } => {
  const extraFreed = extras > 0
  return { used: Math.max(0, used - 1), extras: extras - Number(extraFreed), extraFreed }
}

/** Hours a person without a plan waits at most (their free project). */
export const freeTurnaroundHours = 48

/** Revisions of the free project. */
export const freeRevisions = 1

/** Source assets may be removed this many days after completion; the final video and its versions stay. */
export const expiryDays = 90

const day = 86_400_000
