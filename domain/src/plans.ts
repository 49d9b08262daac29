import { hasDuty, type Role } from './roles.ts'

/** What a plan entitles to each month (docs/specification/things.md). */
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
  /** Since when an invoice of this subscription's is open. */
  owedSince?: Date | null
  /** Paused: what was paid counts until then. */
  pausedFrom: Date | null
  /** It does not renew. */
  endsAt: Date | null
  /** Paid although an earlier plan of the same payer runs: it is undone, and its price given back. */
  isSurplus: boolean
  plan: PlanMetadata
}

/** Days in which a failed renewal is tried again while everything goes on. */
export const graceDays = 14

/**
 * Until when what is owed changes nothing yet; null while nothing is. Counted from the oldest open invoice: a period that
 * begins unpaid on top of another gives no new grace, and neither does the payment of a newer invoice alone, after which the
 * provider calls the subscription active.
 */
export const graceEnd = ({
  status,
  periodStart,
  owedSince = null,
}: Pick<SubscriptionFacts, 'status' | 'periodStart' | 'owedSince'>): Date | null => {
  const since = status === 'past_due' && periodStart !== null ? earlier(periodStart, owedSince) : owedSince
  return since && new Date(since.getTime() + graceDays * day)
}

const earlier = (one: Date, other: Date | null): Date => (other !== null && other < one ? other : one)

/** Does this subscription entitle to anything now? */
export const entitles = (subscription: SubscriptionFacts, now: Date): boolean => {
  const { status, pausedFrom, isSurplus } = subscription
  if (isSurplus) return false
  if (pausedFrom !== null && now >= pausedFrom) return false
  if (status !== 'active' && status !== 'trialing' && status !== 'past_due') return false
  const end = graceEnd(subscription)
  return end === null || now < end
}

/** The one that counts: the tenant's before the own one. Undefined when none entitles. The first of equals wins. */
export const entitlement = <S extends SubscriptionFacts>(subscriptions: readonly S[], now: Date): S | undefined => {
  const counting = subscriptions.filter((one) => entitles(one, now))
  return counting.find(({ ofTenant }) => ofTenant) ?? counting[0]
}

/** Why none of a person's subscriptions entitles them. */
export type Lack = 'no-plan' | 'paused' | 'unpaid'

/** The nearest way back to an entitlement: a plan that is owed or paused comes before none at all. Null when one entitles. */
export const lackOf = (subscriptions: readonly SubscriptionFacts[], now: Date): Lack | null => {
  if (entitlement(subscriptions, now)) return null
  if (subscriptions.some(({ pausedFrom }) => pausedFrom !== null && now >= pausedFrom)) return 'paused'
  return subscriptions.some(({ status, owedSince }) => status === 'past_due' || status === 'unpaid' || owedSince)
    ? 'unpaid'
    : 'no-plan'
}

/** Is it known already that this subscription stops before a moment: ended, or paused and not resumed? */
export const stopsBefore = ({ endsAt, pausedFrom }: SubscriptionFacts, moment: Date): boolean =>
  (endsAt !== null && endsAt <= moment) || (pausedFrom !== null && pausedFrom <= moment)

/**
 * A person's rights to submit, before this month's use is counted. `spareExtras`: videos bought by themselves and
 * not used yet.
 */
export type SubmitRights = { plan: PlanMetadata | null; freeProjectUsed: boolean; spareExtras: number }

/**
 * What was counted for a month: projects, and how many of them on videos bought by themselves. `planIsFull`: why the plan pays
 * for no more of them, although the officer's own videos of the month are not used up.
 */
export type MonthUse = { used: number; extras: number; planIsFull?: PlanFull | null }

/** `seats`: the company's plan holds no more of that month for all its seats; `payments`: what was paid holds no more. */
export type PlanFull = 'seats' | 'payments'

/** Whether a plan pays for no more videos of a month: so many for each seat that is paid for, whoever sits in it. */
export const isFull = ({ projectsPerMonth }: PlanMetadata, seats: number, paidFor: number): boolean =>
  paidFor >= projectsPerMonth * seats

/**
 * Whether the payments of a payer hold no more videos: those of every period that was paid, and one month's before them,
 * because a period may begin late in a month and hold all of that month's videos and the next month's. Whoever pays without a
 * break never meets this bound, also with a smaller plan than before; whoever pays every other month does. The month before them
 * is the biggest that was paid, once. `held`: of all paid periods; null: none was kept. `most`: of a month of one of them.
 */
export const isPaidUp = (
  { projectsPerMonth }: PlanMetadata,
  { seats, held, most, used }: { seats: number; held: number | null; most: number; used: number },
): boolean => held !== null && used >= held + Math.max(most, projectsPerMonth * seats)

/** Why there is no right to submit. */
export type SubmitRefusal = 'project.quota-used' | 'project.seats-used' | 'project.payments-used' | 'project.no-plan'

/** The right a new project would use, or why there is none: the plan first, then the free one, then what was bought. */
export const rightToSubmit = (
  rights: SubmitRights,
  { used, extras, planIsFull = null }: MonthUse,
): { right: 'plan' | 'free' | 'extra' } | { refusal: SubmitRefusal } => {
  const isWithinQuota = rights.plan !== null && used - extras < rights.plan.projectsPerMonth
  if (isWithinQuota && planIsFull === null) return { right: 'plan' }
  if (rights.plan === null && !rights.freeProjectUsed) return { right: 'free' }
  if (rights.spareExtras > 0) return { right: 'extra' }
  if (rights.plan === null) return { refusal: 'project.no-plan' }
  if (!isWithinQuota) return { refusal: 'project.quota-used' }
  return { refusal: planIsFull === 'payments' ? 'project.payments-used' : 'project.seats-used' }
}

/** The most free videos that all addresses of one domain have within these days; those of open providers have no such bound. */
export const freeVideosOfDomain = { most: 10, days: 30 }

/** Whether somebody may still send in their one free video. */
export const hasFreeVideo = (role: Role, { plan, freeProjectUsed }: SubmitRights): boolean =>
  hasDuty(role, 'film') && plan === null && !freeProjectUsed

/** Projects a month can hold in all, with what was bought; what is spare counts for whichever month needs it first. */
export const monthAllows = ({ plan, freeProjectUsed, spareExtras }: SubmitRights, { extras }: MonthUse): number =>
  (plan?.projectsPerMonth ?? (freeProjectUsed ? 0 : 1)) + extras + spareExtras

/**
 * A month as the new-video page says it: what is counted, what it can hold, the right a video would use, and what a video sent
 * in now needs when a month that is ahead begins: a plan; `renewal`: a plan beyond the one that stops before.
 */
export const allowanceOf = (
  rights: SubmitRights,
  use: MonthUse,
  { isAhead, planStops }: { isAhead: boolean; planStops: boolean },
): {
  used: number
  allowed: number
  right: 'plan' | 'free' | 'extra' | 'none'
  needs: 'nothing' | 'plan' | 'renewal'
} => {
  const found = rightToSubmit(rights, use)
  const right = 'right' in found ? found.right : 'none'
  const needs = isAhead && right === 'plan' ? (planStops ? 'renewal' : 'plan') : 'nothing'
  return { used: use.used, allowed: monthAllows(rights, use), right, needs }
}

/**
 * A month and how far its counted projects have come: `waiting` of them have not entered the queue, `onPlan` entered it on
 * a plan. The others that entered stand on videos bought by themselves.
 */
export type MonthProgress = MonthUse & { waiting: number; onPlan: number }

/**
 * Why a project whose month has begun waits: nothing entitles its officer, the plan holds no more videos, or its officer is shut
 * out or films no more.
 */
export type WaitReason = Lack | 'month-full' | 'officer-inactive'
export const waitReasons = [
  'no-plan',
  'paused',
  'unpaid',
  'month-full',
  'officer-inactive',
] as const satisfies readonly WaitReason[]

/**
 * The right by which a project that was submitted for a later month enters the queue now, or why it waits. `own`: the month
 * it was submitted for, itself among the waiting ones; `running`: the running month when it is another one, in which the
 * project then counts like a new submission. The free video is free whenever it comes. `takesExtra`: on a video bought by
 * itself that was spare until now.
 */
export const rightToEnter = (
  rights: SubmitRights & { lack: Lack | null },
  project: { isFree: boolean; own: MonthProgress; running: MonthUse | null },
): { right: 'plan' | 'free' | 'extra'; takesExtra: boolean } | { waits: WaitReason } => {
  const { isFree, own, running } = project
  const { plan, lack, spareExtras } = rights
  const waits = { waits: plan === null ? (lack ?? 'no-plan') : ('month-full' as const) }
  if (isFree) return { right: 'free', takesExtra: false }
  if (running !== null) {
    const freed = givenBack(own, { hadEntered: false }).extraFreed
    const asked = { ...rights, freeProjectUsed: true, spareExtras: spareExtras + Number(freed) }
    const found = rightToSubmit(asked, running)
    return 'right' in found ? { right: found.right, takesExtra: found.right === 'extra' } : waits
  }
  const bought = boughtInUse(own)
  // Whatever entered on neither was entered on a plan before that was noted.
  const onPlan = own.onPlan + Math.max(0, bought - own.extras)
  if (!own.planIsFull && onPlan < (plan?.projectsPerMonth ?? 0)) return { right: 'plan', takesExtra: false }
  if (bought < own.extras) return { right: 'extra', takesExtra: false }
  return spareExtras > 0 ? { right: 'extra', takesExtra: true } : waits
}

/**
 * What a month looks like when one project of it is given back: a video that was bought comes back before the plan's, but
 * not one on which another project has entered the queue, unless the plan's video that comes back stands in for it.
 */
export const givenBack = (
  month: MonthProgress,
  { hadEntered }: { hadEntered: boolean },
): MonthUse & { extraFreed: boolean } => {
  const { used, extras } = month
  const extraFreed = extras > (hadEntered ? 0 : boughtInUse(month))
  return { used: Math.max(0, used - 1), extras: extras - Number(extraFreed), extraFreed }
}

/** Of a company, in one month: its videos that wait or stand on one that was bought, and how many of those are set aside for it; null: of none. */
export type StandsOnBought = { company: string | null; videos: number; bought: number }

/**
 * How many that were bought stand in a month for no video, and for which company. What was bought for a company stands for its
 * videos, and for those of none; what was bought for none, for any.
 */
export const boughtForNothing = (month: readonly StandsOnBought[]): { company: string | null; videos: number }[] => {
  const ofNone = month.find(({ company }) => company === null)
  let open = ofNone?.videos ?? 0
  let openElsewhere = 0
  const idle: { company: string | null; videos: number }[] = []
  for (const { company, videos, bought } of month) {
    if (company === null) continue
    const beyond = Math.max(0, bought - videos)
    const stand = Math.min(beyond, open)
    open -= stand
    openElsewhere += Math.max(0, videos - bought)
    idle.push({ company, videos: beyond - stand })
  }
  idle.push({ company: null, videos: Math.max(0, (ofNone?.bought ?? 0) - open - openElsewhere) })
  return idle.filter(({ videos }) => videos > 0)
}

const boughtInUse = ({ used, waiting, onPlan }: MonthProgress): number => Math.max(0, used - waiting - onPlan)

/** What a project is promised: hours from entering the queue until it is ready, and revisions. */
export type Terms = Pick<PlanMetadata, 'turnaroundHours' | 'revisionsPerProject'>

/** Of the free project, and of one bought by itself where no plan runs. */
export const freeTerms: Terms = { turnaroundHours: 48, revisionsPerProject: 1 }

/** What a project is promised that enters the queue by this right, while this plan runs. */
export const termsOf = (plan: PlanMetadata | null, right: 'plan' | 'free' | 'extra'): Terms =>
  right === 'free' || plan === null ? freeTerms : plan

/** Source assets may be removed this many days after completion; the final video and its versions stay. */
export const expiryDays = 90
/** So many days a video waits from when its officer was told that no paid plan covers it; then it is canceled. */
export const waitingDays = 90
/** Whoever paused a plan, filled a month, or is shut out, is waited for without an end. */
const waitsThatEnd: readonly WaitReason[] = ['no-plan', 'unpaid']
export const endsByWaiting = (waits: WaitReason): boolean => waitsThatEnd.includes(waits)
/** Its officer can do nothing about it: the admins of the project's company are told, and not the officer. */
export const isForAdmins = (waits: WaitReason): waits is 'officer-inactive' => waits === 'officer-inactive'
/** The reasons of which the same people were told the same: that it waits for so long, or without an end. */
export const toldAlike = (waits: WaitReason): WaitReason[] =>
  waitReasons.filter((one) => endsByWaiting(one) === endsByWaiting(waits) && isForAdmins(one) === isForAdmins(waits))
/** And so many days after it was canceled: until then it can be brought back with its files. */
export const canceledDays = 7

const day = 86_400_000

/** How a plan goes on. */
export type PlanState = 'renews' | 'ends' | 'pauses' | 'paused'

/** What a plan does at the end of its period, or since its last one. Times as dates or in ISO form. */
export const planStateOf = ({
  endsAt,
  pausedFrom,
  currentPeriodStart,
}: {
  endsAt?: string | undefined
  pausedFrom?: string | undefined
  currentPeriodStart?: string | undefined
}): PlanState => {
  if (endsAt) return 'ends'
  if (!pausedFrom) return 'renews'
  // What was paid is used up once the period that would have followed has begun.
  return new Date(pausedFrom) <= new Date(currentPeriodStart ?? 0) ? 'paused' : 'pauses'
}

/** What is offered to somebody for whom no plan runs; staff of the service and of a company's editing buy none. */
export type OfferWithoutPlan = 'none' | 'company' | 'free-video' | 'again' | 'first'

/** The free video comes before a plan; who had a plan is asked back. `buysOwn`, `buysForCompany`: for whom they may pay (access.ts). */
export const offerWithoutPlan = (person: {
  buysOwn: boolean
  buysForCompany: boolean
  hasFreeVideo: boolean
  hadPlan: boolean
}): OfferWithoutPlan => {
  if (person.buysForCompany) return 'company'
  if (!person.buysOwn) return 'none'
  if (person.hasFreeVideo) return 'free-video'
  return person.hadPlan ? 'again' : 'first'
}

/** What is to be done about a payment. */
export const paymentSteps = ['none', 'settled', 'retrying', 'new-card', 'invoice-waits', 'invoice-late'] as const
export type PaymentStep = (typeof paymentSteps)[number]

/**
 * `none`: it is paid, or over. `settled`: something later was paid. `retrying`: the plan goes on, and the card is tried
 * again. `new-card`: nothing is tried any more. `invoice-waits` and `invoice-late`: before and after its day.
 */
export const nextStepOf = (
  {
    paid,
    status,
    isSettled,
    planStatus,
    invoiceDue,
  }: { paid: boolean; status: string; isSettled: boolean; planStatus: string | null; invoiceDue: Date },
  now: Date,
): PaymentStep => {
  if (paid) return 'none'
  if (status === 'open') return now < invoiceDue ? 'invoice-waits' : 'invoice-late'
  if (status !== 'failed') return 'none'
  if (isSettled) return 'settled'
  return planStatus === 'past_due' ? 'retrying' : 'new-card'
}

/** How often something is given back of one payment, with what the payment service refused. */
export const mostRefunds = 20
