import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  betterOffer,
  discountAt,
  changeCounts,
  extraPrice,
  partLeft,
  periodEnd,
  periodPrice,
  periodsOff,
  planChange,
  type Billed,
  type PeriodUse,
} from './money.ts'
import {
  allowanceOf,
  entitlement,
  entitles,
  givenBack,
  graceDays,
  graceEnd,
  hasFreeVideo,
  isFull,
  isPaidUp,
  lackOf,
  monthAllows,
  offerWithoutPlan,
  planStateOf,
  boughtForNothing,
  rightToEnter,
  rightToSubmit,
  stopsBefore,
  termsOf,
  type Lack,
  type MonthProgress,
  type MonthUse,
  type PlanFull,
  type SubmitRights,
  type SubscriptionFacts,
} from './plans.ts'

const plan = { projectsPerMonth: 2, revisionsPerProject: 1, turnaroundHours: 24, rank: 1 }
const now = new Date('2026-11-21T12:00:00Z')
const day = 86_400_000
const after = (days: number, from = now) => new Date(from.getTime() + days * day)
const none = { used: 0, extras: 0 }

describe('a month as the new-video page says it', () => {
  const rights = (more: Partial<SubmitRights> = {}): SubmitRights => ({
    plan,
    freeProjectUsed: true,
    spareExtras: 0,
    ...more,
  })
  const now = { isAhead: false, planStops: false }

  it('counts what is used of what it allows, and names the right that comes next', () => {
    expect(allowanceOf(rights(), { used: 1, extras: 0 }, now)).toEqual({
      used: 1,
      allowed: 2,
      right: 'plan',
      needs: 'nothing',
    })
    expect(allowanceOf(rights({ spareExtras: 1 }), { used: 2, extras: 0 }, now)).toMatchObject({
      allowed: 3,
      right: 'extra',
    })
    expect(allowanceOf(rights(), { used: 2, extras: 0 }, now)).toMatchObject({ right: 'none', needs: 'nothing' })
    expect(allowanceOf(rights({ plan: null, freeProjectUsed: false }), none, now)).toMatchObject({
      allowed: 1,
      right: 'free',
    })
  })

  it('needs a plan when it lies ahead and the plan is what would pay, one more where that stops before', () => {
    const needs = (isAhead: boolean, planStops: boolean, more: Partial<SubmitRights> = {}) =>
      allowanceOf(rights(more), none, { isAhead, planStops }).needs
    expect([needs(true, false), needs(true, true), needs(false, true)]).toEqual(['plan', 'renewal', 'nothing'])
    expect(needs(true, true, { plan: null, freeProjectUsed: false })).toBe('nothing')
  })

  it('offers the free video to who films, has no plan and has not used it', () => {
    const free = rights({ plan: null, freeProjectUsed: false })
    expect(hasFreeVideo('User', free)).toBe(true)
    expect(hasFreeVideo('Editor', free)).toBe(false)
    expect(hasFreeVideo('User', rights({ freeProjectUsed: false }))).toBe(false)
    expect(hasFreeVideo('User', rights({ plan: null }))).toBe(false)
  })
})

describe('the videos of all payments', () => {
  it('holds the videos of its periods over all seats, and one month’s more', () => {
    const full = (used: number, held: number | null = 10, seats = 3) => isPaidUp(plan, { seats, held, most: 0, used })
    expect([full(15), full(16), full(17)]).toEqual([false, true, true])
    expect([full(11, 10, 1), full(12, 10, 1)]).toEqual([false, true])
    expect(full(1000, null)).toBe(false)
  })

  it('never bounds whoever pays without a break, on whichever day of the month', () => {
    for (const isOnTheFirst of [true, false])
      for (let [month, held, used] = [0, 0, 0]; month < 24; month++) {
        // A month’s videos are used up on its first day; all but the first period begin later in it.
        if (month === 0 || isOnTheFirst) held += plan.projectsPerMonth
        for (let n = 0; n < plan.projectsPerMonth; n++)
          expect(isPaidUp(plan, { seats: 1, held, most: plan.projectsPerMonth, used: used++ })).toBe(false)
        if (month > 0 && !isOnTheFirst) held += plan.projectsPerMonth
      }
  })

  it('never bounds whoever takes a smaller plan, and holds the biggest month that was paid more, once', () => {
    const bigger = 4 * plan.projectsPerMonth
    // Ahead by a month of the bigger plan, of which three were paid; then the smaller one's, each used before it is paid.
    for (let [month, held, used] = [0, 3 * bigger, 4 * bigger]; month < 24; month++) {
      held += plan.projectsPerMonth
      for (let n = 0; n < plan.projectsPerMonth; n++)
        expect(isPaidUp(plan, { seats: 1, held, most: bigger, used: used++ })).toBe(false)
      expect(isPaidUp(plan, { seats: 1, held, most: bigger, used })).toBe(true)
    }
  })

  it('says whether the seats or the payments are what is used up', () => {
    const rights = { plan, freeProjectUsed: true, spareExtras: 0 }
    const full = (planIsFull: PlanFull) => rightToSubmit(rights, { used: 0, extras: 0, planIsFull })
    expect(full('payments')).toEqual({ refusal: 'project.payments-used' })
    expect(full('seats')).toEqual({ refusal: 'project.seats-used' })
    expect(rightToSubmit({ ...rights, spareExtras: 1 }, { used: 0, extras: 0, planIsFull: 'payments' })).toEqual({
      right: 'extra',
    })
  })
})

describe('the right to submit', () => {
  const rights = (more: Partial<SubmitRights> = {}): SubmitRights => ({
    plan,
    freeProjectUsed: true,
    spareExtras: 0,
    ...more,
  })
  it('a company’s plan holds its videos once for each seat, and then a bought video is used or the reason says so', () => {
    expect([isFull(plan, 3, 5), isFull(plan, 3, 6), isFull(plan, 1, 3)]).toEqual([false, true, true])
    const use = { used: 1, extras: 0, planIsFull: 'seats' as const }
    expect(rightToSubmit(rights(), use)).toEqual({ refusal: 'project.seats-used' })
    expect(rightToSubmit(rights(), { ...use, used: 2 })).toEqual({ refusal: 'project.quota-used' })
    expect(rightToSubmit(rights({ spareExtras: 1 }), use)).toEqual({ right: 'extra' })
    const own = { ...use, waiting: 1, onPlan: 0 }
    expect(rightToEnter({ ...rights(), lack: null }, { isFree: false, own, running: null })).toEqual({
      waits: 'month-full',
    })
  })
  it('a submission uses the plan first, the free video when there is no plan, then a bought video', () => {
    expect(rightToSubmit(rights(), { used: 1, extras: 0 })).toEqual({ right: 'plan' })
    expect(rightToSubmit(rights({ freeProjectUsed: false }), { used: 2, extras: 0 })).toEqual({
      refusal: 'project.quota-used',
    })
    expect(rightToSubmit(rights({ spareExtras: 1 }), { used: 2, extras: 0 })).toEqual({ right: 'extra' })
    expect(rightToSubmit(rights({ plan: null, freeProjectUsed: false, spareExtras: 1 }), none)).toEqual({
      right: 'free',
    })
    expect(rightToSubmit(rights({ plan: null, spareExtras: 1 }), none)).toEqual({ right: 'extra' })
    expect(rightToSubmit(rights({ plan: null }), none)).toEqual({ refusal: 'project.no-plan' })
  })

  it('a video gets the running plan’s turnaround and revisions; a free one, or one without a plan, the free terms', () => {
    const free = { turnaroundHours: 48, revisionsPerProject: 1 }
    expect(termsOf(plan, 'plan')).toBe(plan)
    expect(termsOf(plan, 'extra')).toBe(plan)
    expect(termsOf(plan, 'free')).toEqual(free)
    expect(termsOf(null, 'extra')).toEqual(free)
  })

  it('no sequence of submissions and returns exceeds the plan’s quota or loses a bought video', () => {
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.nat(4),
        fc.array(fc.boolean(), { maxLength: 60 }),
        (projectsPerMonth, bought, steps) => {
          let use: MonthUse = none
          let spare = bought
          for (const submits of steps) {
            const rights = { plan: { ...plan, projectsPerMonth }, freeProjectUsed: true, spareExtras: spare }
            const right = rightToSubmit(rights, use)
            if (submits && 'right' in right) {
              if (right.right === 'extra') spare--
              use = { used: use.used + 1, extras: use.extras + Number(right.right === 'extra') }
            } else if (!submits && use.used > 0) {
              const { extraFreed, ...left } = givenBack(
                { ...use, waiting: 0, onPlan: use.used - use.extras },
                { hadEntered: true },
              )
              if (extraFreed) spare++
              use = left
            }
            expect(spare + use.extras).toBe(bought)
            expect(use.used - use.extras).toBeLessThanOrEqual(projectsPerMonth)
            expect(use.used).toBeLessThanOrEqual(monthAllows({ ...rights, spareExtras: spare }, use))
            // Nothing bought is used while the plan has room.
            if (use.extras > 0) expect(use.used - use.extras).toBe(projectsPerMonth)
          }
        },
      ),
    )
  })
})

describe('the entitlement of a subscription', () => {
  const facts = (more: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
    status: 'active',
    ofTenant: false,
    periodStart: after(-3),
    pausedFrom: null,
    endsAt: null,
    isSurplus: false,
    plan,
    ...more,
  })
  it('a past-due subscription entitles until its grace ends', () => {
    const owing = facts({ status: 'past_due', periodStart: now })
    expect(graceEnd(owing)).toEqual(after(14))
    expect(entitles(owing, new Date(after(graceDays).getTime() - 1))).toBe(true)
    expect(entitles(owing, after(graceDays))).toBe(false)
    // A second period that begins unpaid gives no new grace, and an invoice of this period no shorter one.
    const twice = { ...owing, owedSince: after(-30) }
    expect(graceEnd(twice)).toEqual(after(-30 + graceDays))
    expect(entitles(twice, now)).toBe(false)
    expect(graceEnd({ ...owing, owedSince: after(1) })).toEqual(after(14))
  })
  it('an invoice of an earlier period that stays open ends its rights, also when a newer one was paid', () => {
    const owing = facts({ owedSince: after(-20), periodStart: after(-1) })
    expect(lackOf([owing], now)).toBe('unpaid')
    expect(entitles(owing, now)).toBe(false)
    expect(entitles({ ...owing, status: 'trialing' }, now)).toBe(false)
    const fresh = facts({ owedSince: after(-1) })
    expect([entitles(fresh, now), entitles(fresh, after(graceDays - 1))]).toEqual([true, false])
    expect(lackOf([fresh], now)).toBeNull()
  })
  it('a paused subscription entitles until the pause begins, and not after', () => {
    const paused = facts({ pausedFrom: after(10) })
    expect([entitles(paused, after(9)), entitles(paused, after(10))]).toEqual([true, false])
  })
  it('canceled, unpaid, incomplete and paused subscriptions entitle to nothing; a trial does', () => {
    for (const status of ['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused'])
      expect(entitles(facts({ status }), now), status).toBe(false)
    expect(entitles(facts({ status: 'trialing' }), now)).toBe(true)
  })
  it('the company’s subscription counts before one’s own, and one’s own counts when the company’s does not run', () => {
    const [own, company] = [facts(), facts({ ofTenant: true })]
    expect(entitlement([own, company], now)).toBe(company)
    expect(entitlement([own, { ...company, status: 'unpaid' }], now)).toBe(own)
    expect(entitlement([{ ...own, pausedFrom: now }], now)).toBeUndefined()
    // One that was paid beside an earlier one is undone, and entitles to nothing until then.
    expect(entitlement([{ ...own, isSurplus: true }, own], now)).toBe(own)
    expect(entitlement([{ ...company, isSurplus: true }], now)).toBeUndefined()
  })
})

/**
 * What a project that was submitted for a later month is answered when it begins, for every plan status × period × pause ×
 * payer × month × bought videos × free video. The expectation is written a second time by hand.
 */
describe('the right to enter the queue', () => {
  const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', null] as const
  const periods = { fresh: after(-3), 'in grace': after(-13), 'after grace': after(-14) }
  const pauses = { none: null, ahead: after(5), over: after(-1) }
  const months: Record<string, { own: MonthProgress; running: MonthUse | null; room: boolean; bound: boolean }> = {
    'its own month, none entered yet': {
      own: { used: 2, extras: 0, waiting: 2, onPlan: 0 },
      running: null,
      room: true,
      bound: false,
    },
    'its own month, the plan has none left': {
      own: { used: 5, extras: 0, waiting: 3, onPlan: 2 },
      running: null,
      room: false,
      bound: false,
    },
    'its own month, submitted on a bought video': {
      own: { used: 3, extras: 1, waiting: 1, onPlan: 2 },
      running: null,
      room: false,
      bound: true,
    },
    'its own month, the bought video is in use': {
      own: { used: 4, extras: 1, waiting: 1, onPlan: 2 },
      running: null,
      room: false,
      bound: false,
    },
    'a past month, room in the running one': {
      own: { used: 2, extras: 0, waiting: 2, onPlan: 0 },
      running: { used: 1, extras: 0 },
      room: true,
      bound: false,
    },
    'a past month, the running one is full': {
      own: { used: 2, extras: 0, waiting: 2, onPlan: 0 },
      running: { used: 2, extras: 0 },
      room: false,
      bound: false,
    },
    'a past month with a bought video, the running one is full': {
      own: { used: 2, extras: 1, waiting: 2, onPlan: 0 },
      running: { used: 2, extras: 0 },
      room: false,
      bound: true,
    },
  }
  const all = statuses.flatMap((status) =>
    Object.keys(periods).flatMap((period) =>
      Object.keys(pauses).flatMap((pause) =>
        [false, true].map((ofTenant) => ({
          status,
          period: period as keyof typeof periods,
          pause: pause as keyof typeof pauses,
          ofTenant,
        })),
      ),
    ),
  )
  let answered = 0
  for (const { status, period, pause, ofTenant } of all)
    it(`is as in the table for ${ofTenant ? 'a company’s' : 'one’s own'} plan: ${status ?? 'never bought'}, ${period}, pause ${pause}`, () => {
      const subscriptions: SubscriptionFacts[] =
        status === null
          ? []
          : [
              {
                status,
                ofTenant,
                periodStart: periods[period],
                pausedFrom: pauses[pause],
                endsAt: null,
                isSurplus: false,
                plan,
              },
            ]
      const counts =
        pause !== 'over' &&
        (status === 'active' || status === 'trialing' || (status === 'past_due' && period !== 'after grace'))
      const lack: Lack | null = counts
        ? null
        : status !== null && pause === 'over'
          ? 'paused'
          : status === 'past_due' || status === 'unpaid'
            ? 'unpaid'
            : 'no-plan'
      expect(lackOf(subscriptions, now)).toBe(lack)
      const running = entitlement(subscriptions, now)?.plan ?? null
      for (const [name, { own, running: other, room, bound }] of Object.entries(months))
        for (const spareExtras of [0, 1])
          for (const freeProjectUsed of [false, true])
            for (const isFree of [false, true]) {
              const rights = { plan: running, freeProjectUsed, spareExtras, lack }
              const answer = rightToEnter(rights, { isFree, own, running: other })
              const expected = isFree
                ? { right: 'free', takesExtra: false }
                : counts && room
                  ? { right: 'plan', takesExtra: false }
                  : bound
                    ? // In another month it is given back and taken anew.
                      { right: 'extra', takesExtra: other !== null }
                    : spareExtras > 0
                      ? { right: 'extra', takesExtra: true }
                      : { waits: counts ? 'month-full' : lack }
              expect(answer, `${name}, ${spareExtras} spare, ${isFree ? 'free' : 'not free'}`).toEqual(expected)
              answered++
            }
    })
  it('every combination of subscription, month and rights was checked', () =>
    expect(answered).toBe(8 * 3 * 3 * 2 * 7 * 2 * 2 * 2))

  it('no sequence of steps lets more videos enter the queue than the plan and the bought videos allow', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom('submit', 'release', 'cancel-waiting', 'cancel-entered', 'buy') }),
      fc.record({ do: fc.constant('plan'), quota: fc.constantFrom(null, 0, 1, 3, 6) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let quota: number | null = 3
        let most = 3
        let bought = 0
        let spare = 0
        let month: MonthProgress = { used: 0, extras: 0, waiting: 0, onPlan: 0 }
        const entered = () => month.used - month.waiting
        for (const one of steps) {
          const now = quota === null ? null : { ...plan, projectsPerMonth: quota }
          const rights = { plan: now, freeProjectUsed: true, spareExtras: spare, lack: null }
          if (one.do === 'plan') {
            quota = 'quota' in one ? one.quota : null
            most = Math.max(most, quota ?? 0)
          } else if (one.do === 'buy') {
            bought++
            spare++
          } else if (one.do === 'submit') {
            const right = rightToSubmit(rights, month)
            if (!('right' in right)) continue
            const extra = Number(right.right === 'extra')
            spare -= extra
            month = { ...month, used: month.used + 1, waiting: month.waiting + 1, extras: month.extras + extra }
          } else if (one.do === 'release' && month.waiting > 0) {
            const right = rightToEnter(rights, { isFree: false, own: month, running: null })
            if (!('right' in right)) continue
            spare -= Number(right.takesExtra)
            month = {
              ...month,
              waiting: month.waiting - 1,
              extras: month.extras + Number(right.takesExtra),
              onPlan: month.onPlan + Number(right.right === 'plan'),
            }
          } else if (one.do === 'cancel-waiting' || one.do === 'cancel-entered') {
            const hadEntered = one.do === 'cancel-entered'
            if (hadEntered ? entered() === 0 : month.waiting === 0) continue
            // Of the entered projects one on the plan is canceled first, and one on a bought video takes its place.
            const wasOnPlan = hadEntered && month.onPlan > 0
            const { extraFreed, ...left } = givenBack(month, { hadEntered })
            const takesPlace = wasOnPlan && extraFreed && entered() > month.onPlan
            spare += Number(extraFreed)
            month = {
              ...left,
              waiting: month.waiting - Number(!hadEntered),
              onPlan: month.onPlan - Number(wasOnPlan && !takesPlace),
            }
          }
          expect(spare + month.extras).toBe(bought)
          expect(entered()).toBeLessThanOrEqual(most + month.extras)
          expect(entered() - month.onPlan).toBeLessThanOrEqual(month.extras)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('stopsBefore is true when the plan ends or is paused by the given day', () => {
    const facts = {
      status: 'active',
      ofTenant: false,
      periodStart: now,
      pausedFrom: null,
      endsAt: null,
      isSurplus: false,
      plan,
    }
    expect(stopsBefore(facts, after(30))).toBe(false)
    expect(stopsBefore({ ...facts, endsAt: after(30) }, after(30))).toBe(true)
    expect(stopsBefore({ ...facts, endsAt: after(31) }, after(30))).toBe(false)
    expect(stopsBefore({ ...facts, pausedFrom: after(29) }, after(30))).toBe(true)
  })
})

describe('subscriptions and months at their limits', () => {
  const subscription = (more: Partial<SubscriptionFacts>): SubscriptionFacts => ({
    status: 'active',
    ofTenant: false,
    periodStart: now,
    pausedFrom: null,
    endsAt: null,
    isSurplus: false,
    plan,
    ...more,
  })
  it('only a past-due subscription has a grace period, and without a known start it has no end', () => {
    expect(graceEnd({ status: 'active', periodStart: now, owedSince: null })).toBeNull()
    expect(graceEnd({ status: 'past_due', periodStart: null })).toBeNull()
    expect(graceEnd({ status: 'past_due', periodStart: null, owedSince: now })).toEqual(
      new Date(now.getTime() + graceDays * 86_400_000),
    )
    expect(entitles(subscription({ status: 'past_due', periodStart: null }), after(1000))).toBe(true)
  })
  it('a pause counts from its first instant', () => {
    expect(lackOf([subscription({ pausedFrom: now })], now)).toBe('paused')
    expect(stopsBefore(subscription({ pausedFrom: now }), now)).toBe(true)
    expect(stopsBefore(subscription({ pausedFrom: after(1) }), now)).toBe(false)
  })
  it('a bought video uses none of the plan’s quota, and is all that a month without a plan allows', () => {
    const rights = { plan, freeProjectUsed: true, spareExtras: 0 }
    expect(rightToSubmit(rights, { used: 2, extras: 1 })).toEqual({ right: 'plan' })
    expect(monthAllows({ ...rights, plan: null, spareExtras: 1 }, { used: 2, extras: 2 })).toBe(3)
  })
  it('a project cannot enter the queue on a quota that another project of the month uses', () => {
    const rights = { plan, freeProjectUsed: true, spareExtras: 0, lack: null }
    const enter = (own: MonthProgress, running: MonthUse | null = null, more = {}) =>
      rightToEnter({ ...rights, ...more }, { isFree: false, own, running })
    const bought = { used: 2, extras: 1, waiting: 1, onPlan: 0 }
    expect(enter(bought, { used: 2, extras: 0 })).toEqual({ waits: 'month-full' })
    expect(enter({ used: 3, extras: 0, waiting: 1, onPlan: 0 })).toEqual({ waits: 'month-full' })
    expect(enter({ used: 3, extras: 1, waiting: 1, onPlan: 0 })).toEqual({ right: 'plan', takesExtra: false })
    expect(enter({ used: 1, extras: 0, waiting: 1, onPlan: 0 }, null, { plan: null })).toEqual({ waits: 'no-plan' })
  })
})

describe('amounts in whole cents', () => {
  const price = fc.integer({ min: 0, max: 5_000_000 })
  const percentOff = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
  const billed: fc.Arbitrary<Billed> = fc.record({
    price,
    quantity: fc.integer({ min: 1, max: 500 }),
    percentOff,
    interval: fc.constantFrom('month', 'year'),
  })
  const period = { start: now, end: after(30) }
  const moment = fc.integer({ min: 0, max: 30 * 86_400 }).map((seconds) => new Date(now.getTime() + seconds * 1000))

  it('a discounted price is exact to the cent, and half a cent is rounded in the customer’s favour', () => {
    expect(periodPrice({ price: 9_900, quantity: 1, percentOff: 20 })).toBe(7_920)
    expect(periodPrice({ price: 5, quantity: 1, percentOff: 50 })).toBe(2)
    expect(periodPrice({ price: 333, quantity: 3, percentOff: 12.5 })).toBe(874)
    fc.assert(
      fc.property(billed, (one) => {
        const whole = one.price * one.quantity
        const exact = (whole * (10_000 - Math.round(one.percentOff * 100))) / 10_000
        expect(Number.isInteger(periodPrice(one))).toBe(true)
        expect(Math.abs(periodPrice(one) - exact)).toBeLessThanOrEqual(0.5)
        expect(periodPrice(one)).toBeLessThanOrEqual(whole)
      }),
    )
  })

  it('partLeft falls from the whole amount to nothing over a period, in whole cents', () => {
    fc.assert(
      fc.property(price, moment, moment, (amount, one, other) => {
        const [early, late] = one < other ? [one, other] : [other, one]
        const [more, less] = [partLeft(amount, period, early), partLeft(amount, period, late)]
        expect(Number.isInteger(more) && more >= less && less >= 0 && more <= amount).toBe(true)
        expect(partLeft(amount, period, period.start)).toBe(amount)
        expect(partLeft(amount, period, period.end)).toBe(0)
      }),
    )
  })

  const use = (videos: number, of: number, payment: PeriodUse['payment'] = 'paid'): PeriodUse => ({
    videos,
    of,
    payment,
    back: 0,
  })
  const anyUse = fc.tuple(fc.nat(50), fc.nat(40)).map(([videos, of]) => use(videos, of))

  it('the same plan costs nothing, a bigger one never pays out, a smaller one never costs, and back again never pays', () => {
    fc.assert(
      fc.property(billed, billed, moment, anyUse, (from, to, at, used) => {
        expect(planChange(from, from, period, at, used).due).toBe(0)
        const there = planChange(from, to, period, at, used)
        expect(there.due).toBe(there.charge - there.credit)
        expect(there.restarts).toBe(from.interval !== to.interval)
        if (!there.restarts) {
          expect(there.due + planChange(to, from, period, at, used).due).toBeGreaterThanOrEqual(0)
          if (periodPrice(to) >= periodPrice(from)) expect(there.due).toBeGreaterThanOrEqual(0)
          else expect(there.due).toBeLessThanOrEqual(0)
        } else expect(there.charge).toBe(periodPrice(to))
      }),
    )
  })

  it('the credit of a plan change never exceeds the unused share, by time and by videos', () => {
    fc.assert(
      fc.property(billed, billed, moment, anyUse, (from, to, at, used) => {
        const { credit } = planChange(from, to, period, at, used)
        const paid = periodPrice(from)
        expect(credit).toBeLessThanOrEqual(partLeft(paid, period, at))
        expect(credit).toBeLessThanOrEqual(paid * (1 - Math.min(1, used.of === 0 ? 1 : used.videos / used.of)) + 1)
        for (const payment of ['owed', 'paused'] as const)
          expect(planChange(from, to, period, at, { ...used, payment }).credit).toBe(0)
      }),
    )
  })

  it('money that went back of a payment already does not come back again as the credit of a plan change', () => {
    fc.assert(
      fc.property(billed, billed, moment, anyUse, fc.nat(200), (from, to, at, used, percent) => {
        const paid = periodPrice(from)
        const back = Math.floor((paid * percent) / 100)
        const plain = planChange(from, to, period, at, used)
        const change = planChange(from, to, period, at, { ...used, back })
        expect(change.credit).toBeLessThanOrEqual(Math.min(plain.credit, Math.max(0, paid - back)))
        // A whole second of the period at most is lost to the bound.
        const stands = Math.min(plain.credit, paid - back)
        if (back < paid) expect(change.credit).toBeGreaterThanOrEqual(stands - Math.ceil(paid / (30 * 86_400)) - 1)
      }),
    )
  })

  const starter: Billed = { price: 9_900, quantity: 1, percentOff: 0, interval: 'month' }
  const team: Billed = { ...starter, price: 59_900 }
  it('a plan with all videos used gives no credit, and with half of them used gives half of the difference', () => {
    expect(planChange(team, starter, period, now, use(0, 40)).due).toBe(-50_000)
    expect(planChange(team, starter, period, now, use(20, 40)).due).toBe(-25_000)
    expect(planChange(team, starter, period, now, use(40, 40)).due).toBe(0)
    expect(planChange(team, starter, period, after(15), use(4, 40)).due).toBe(-25_000)
  })
  it('a bigger plan costs the whole difference for the begun month, since all of its videos are available at once', () => {
    expect(planChange(starter, team, period, after(29), use(4, 4))).toMatchObject({ credit: 0, charge: 50_000 })
    const year = { start: now, end: periodEnd(now, 'year', 1) }
    const [small, big] = [starter, team].map((one) => ({ ...one, interval: 'year' as const, price: 12 * one.price }))
    const { due } = planChange(small!, big!, year, after(40), use(0, 48))
    expect(Math.abs(due - 550_000)).toBeLessThan(3_000)
    expect(planChange(small!, starter, year, after(40), use(48, 48))).toMatchObject({ credit: 0, restarts: true })
  })
  it('added seats are paid for the begun month, removed ones are credited if unused, and paused ones cost nothing', () => {
    const seats = (quantity: number): Billed => ({ ...starter, quantity })
    expect(planChange(seats(1), seats(101), period, after(29), use(0, 4)).due).toBe(990_000)
    expect(planChange(seats(101), seats(1), period, after(29), use(404, 404)).due).toBe(0)
    expect(planChange(seats(100), seats(1), period, now, use(0, 400, 'paused')).due).toBe(0)
    expect(planChange(seats(1), seats(100), period, now, use(0, 4, 'paused')).due).toBe(0)
  })

  it('no sequence of plan changes in a month pays less than the used videos are worth, or credits more than was paid', () => {
    const shelf = [
      { ...starter, videos: 4 },
      { ...starter, price: 19_900, videos: 10 },
      { ...team, videos: 40 },
      { ...starter, price: 95_000, interval: 'year' as const, videos: 4 },
      { ...team, price: 575_000, interval: 'year' as const, videos: 40 },
    ]
    const holds = ({ videos, interval, quantity }: (typeof shelf)[number]) =>
      videos * quantity * (interval === 'year' ? 12 : 1)
    const step = fc.oneof(
      fc.record({ do: fc.constant('submit'), count: fc.nat(12) }),
      fc.record({ do: fc.constant('wait'), count: fc.nat(4) }),
      fc.record({ do: fc.constant('plan'), count: fc.nat(4) }),
      fc.record({ do: fc.constant('seats'), count: fc.integer({ min: 1, max: 5 }) }),
    )
    fc.assert(
      fc.property(fc.nat(4), fc.array(step, { maxLength: 40 }), (first, steps) => {
        let plan = shelf[first]!
        let at = now
        let term = { start: at, end: periodEnd(at, plan.interval, 1) }
        let [paid, used, usedInTerm] = [periodPrice(plan), 0, 0]
        let [paidInTerm, given] = [paid, 0]
        let dearest = 0
        for (const one of steps) {
          if (one.do === 'wait') at = new Date(Math.min(at.getTime() + one.count * day, after(27).getTime()))
          else if (one.do === 'submit') {
            // The month’s count, as it is asked at each submission, for all seats together.
            const more = Math.max(0, Math.min(one.count, plan.videos * plan.quantity - used))
            used += more
            usedInTerm += more
          } else {
            const to =
              one.do === 'plan' ? { ...shelf[one.count]!, quantity: plan.quantity } : { ...plan, quantity: one.count }
            const change = planChange(plan, to, term, at, use(usedInTerm, holds(plan)))
            paid += change.due
            given = change.credit
            // Nothing comes back that was not paid for this very period.
            expect(given).toBeLessThanOrEqual(paidInTerm)
            paidInTerm = change.restarts ? change.charge : paidInTerm + change.due
            if (change.restarts) {
              term = { start: at, end: periodEnd(at, to.interval, 1) }
              usedInTerm = 0
            }
            plan = to
          }
          // What a video is worth at the cheapest of what is sold.
          dearest = Math.max(dearest, used)
          const cheapest = Math.min(
            ...shelf.map((sold) => periodPrice({ ...sold, quantity: 1 }) / holds({ ...sold, quantity: 1 })),
          )
          expect(paid).toBeGreaterThanOrEqual(Math.floor(dearest * cheapest) - steps.length)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('an extra video costs its share of the monthly price, rounded up', () => {
    expect(extraPrice({ price: 9_900, interval: 'month', percentOff: 0 }, 4)).toBe(2_475)
    expect(extraPrice({ price: 99_000, interval: 'year', percentOff: 0 }, 4)).toBe(2_063)
    expect(extraPrice({ price: 9_900, interval: 'month', percentOff: 15 }, 4)).toBe(2_104)
    for (const percentOff of [99, 100])
      expect(extraPrice({ price: 9_900, interval: 'month', percentOff }, 4)).toBe(2_475)
  })

  it('a period keeps its day of the month, or ends on the last day of a shorter month', () => {
    const from = new Date('2027-01-31T10:00:00Z')
    expect([1, 2, 3, 12, 13].map((n) => periodEnd(from, 'month', n).toISOString().slice(0, 10))).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2028-01-31',
      '2028-02-29',
    ])
    expect(periodEnd(new Date('2028-02-29T00:00:00Z'), 'year', 1).toISOString()).toBe('2029-02-28T00:00:00.000Z')
  })
})

describe('amounts at their limits', () => {
  const at = (text: string) => new Date(`${text}Z`)
  const small: Billed = { price: 1000, quantity: 1, percentOff: 0, interval: 'month' }
  const big: Billed = { ...small, price: 2000 }
  const november = { start: at('2026-11-01T00:00'), end: at('2026-12-01T00:00') }
  const unused: PeriodUse = { videos: 0, of: 10, payment: 'paid', back: 0 }

  it('partLeft counts whole seconds: all before the period, nothing after it, nothing of an empty one', () => {
    const tenSeconds = { start: at('2026-11-01T00:00:00'), end: at('2026-11-01T00:00:10') }
    expect(partLeft(10, tenSeconds, at('2026-11-01T00:00:02.900'))).toBe(8)
    expect(partLeft(10, tenSeconds, at('2026-10-31T00:00'))).toBe(10)
    expect(partLeft(10, tenSeconds, at('2026-11-02T00:00'))).toBe(0)
    expect(partLeft(10, { ...tenSeconds, end: tenSeconds.start }, tenSeconds.start)).toBe(0)
  })
  it('a bigger plan is charged from the start of the current month of the period, and never after the period', () => {
    const year = { start: at('2026-01-01T00:00'), end: at('2027-01-01T00:00') }
    expect(changeCounts(small, big, year, at('2026-02-01T00:00'), unused)).toEqual(at('2026-02-01T00:00'))
    expect(changeCounts(small, big, year, at('2026-01-31T23:59'), unused)).toEqual(year.start)
    expect(changeCounts(small, big, november, at('2027-01-05T00:00'), unused)).toEqual(november.end)
  })
  it('the part of a price that went back counts from the start of the period, all of it as all of the period', () => {
    const gone = (back: number, videos = 0) =>
      changeCounts(big, small, november, at('2026-11-10T00:00'), { ...unused, videos, back })
    expect(gone(0)).toEqual(at('2026-11-10T00:00'))
    expect(gone(1000)).toEqual(at('2026-11-16T00:00'))
    // The later of what was used and what went back.
    expect(gone(1000, 8)).toEqual(at('2026-11-25T00:00'))
    expect([gone(2000), gone(9000)]).toEqual([november.end, november.end])
    // What stands of all payments that cover the period bounds it, too, whatever went back in the period itself.
    const standing = (stands: number) =>
      planChange(big, small, november, at('2026-11-01T00:00'), { ...unused, stands }).credit
    expect([standing(9000), standing(2000), standing(500), standing(0), standing(-100)]).toEqual([
      2000, 2000, 500, 0, 0,
    ])
    // Nothing went back of a price of nothing.
    const free = { ...big, percentOff: 100, interval: 'year' as const }
    expect(changeCounts(free, small, november, at('2026-11-10T00:00'), unused)).toEqual(at('2026-11-10T00:00'))
    // More is paid as before: the whole difference.
    expect(planChange(small, big, november, at('2026-11-10T00:00'), { ...unused, back: 1000 }).due).toBe(1000)
  })

  it('a period without videos gives no credit, and changing to the same plan moves no money', () => {
    const noVideos = { ...unused, of: 0 }
    expect(changeCounts(big, small, november, at('2026-11-10T00:00'), noVideos)).toEqual(november.end)
    expect(planChange(small, small, november, at('2026-11-10T00:00'), unused)).toEqual({
      credit: 0,
      charge: 0,
      due: 0,
      restarts: false,
    })
  })
  it('an extra video under fifty cents costs the full price', () => {
    const { price, interval } = small
    expect(extraPrice({ price, interval, percentOff: 90 }, 2)).toBe(50)
    expect(extraPrice({ price, interval, percentOff: 91 }, 2)).toBe(500)
  })
  it('an amount is taken off once after the percent of all seats, and nothing costs less than nothing', () => {
    expect(periodPrice({ price: 1000, quantity: 3, percentOff: 10, amountOff: 500 })).toBe(2200)
    expect(periodPrice({ price: 1000, quantity: 1, percentOff: 50, amountOff: 500 })).toBe(0)
    expect(periodPrice({ price: 1000, quantity: 1, percentOff: 50, amountOff: 501 })).toBe(0)
  })
  it('a discount counts for what is invoiced before it ends', () => {
    const off = { percentOff: 10, amountOff: 5, ends: at('2026-12-01T00:00') }
    expect(discountAt(off, at('2026-11-30T23:59'))).toEqual({ percentOff: 10, amountOff: 5 })
    expect(discountAt(off, off.ends)).toEqual({ percentOff: 0, amountOff: 0 })
    expect(discountAt({ ...off, ends: null }, at('2099-01-01T00:00'))).toEqual({ percentOff: 10, amountOff: 5 })
    expect([periodsOff(3, 'month'), periodsOff(3, 'year'), periodsOff(12, 'year'), periodsOff(13, 'year')]).toEqual([
      3, 1, 1, 2,
    ])
  })
  it('the better offer is the one that makes the first period cheapest, in either order; of equal ones the longer', () => {
    const offer = (percentOff: number, amountOff = 0, months: number | null = null) => ({
      percentOff,
      amountOff,
      months,
      currency: amountOff > 0 ? 'usd' : null,
    })
    const plan = { price: 1000, quantity: 1, currency: 'usd' }
    const [ten, twenty, fifteenCents] = [offer(10), offer(20), offer(0, 150)]
    expect([betterOffer(plan, ten, twenty), betterOffer(plan, twenty, ten), betterOffer(plan, ten, null)]).toEqual([
      twenty,
      twenty,
      ten,
    ])
    expect(betterOffer(plan, null, offer(0))).toBeNull()
    expect(betterOffer(plan, ten, fifteenCents)).toEqual(fifteenCents)
    // Of two seats ten percent are more.
    expect(betterOffer({ ...plan, quantity: 2 }, ten, fifteenCents)).toEqual(ten)
    expect(betterOffer({ ...plan, currency: 'cad' }, fifteenCents)).toBeNull()
    expect(betterOffer(plan, offer(10, 0, 3), ten)).toEqual(ten)
    expect(betterOffer(plan, ten, offer(10, 0, 3))).toEqual(ten)
    // One for good that takes off less is no better than more for a while.
    expect(betterOffer(plan, offer(20, 0, 3), ten)).toEqual(offer(20, 0, 3))
  })
})

describe('the plan page', () => {
  it('shows an end before a pause, and a pause as begun once the next period has begun', () => {
    const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z']
    expect(planStateOf({ currentPeriodStart: first })).toBe('renews')
    expect(planStateOf({ currentPeriodStart: first, endsAt: second, pausedFrom: second })).toBe('ends')
    expect(planStateOf({ currentPeriodStart: first, pausedFrom: second })).toBe('pauses')
    expect(planStateOf({ currentPeriodStart: second, pausedFrom: second })).toBe('paused')
    expect(planStateOf({ pausedFrom: second })).toBe('pauses')
  })
  it.each([
    [{ buysOwn: false, buysForCompany: false, hasFreeVideo: false, hadPlan: true }, 'none'],
    [{ buysOwn: false, buysForCompany: true, hasFreeVideo: false, hadPlan: true }, 'company'],
    [{ buysOwn: true, buysForCompany: false, hasFreeVideo: true, hadPlan: true }, 'free-video'],
    [{ buysOwn: true, buysForCompany: false, hasFreeVideo: false, hadPlan: true }, 'again'],
    [{ buysOwn: true, buysForCompany: false, hasFreeVideo: false, hadPlan: false }, 'first'],
  ] as const)('offers %j without a plan: %s', (person, offer) => {
    expect(offerWithoutPlan(person)).toBe(offer)
  })
})

describe('a single video that is set aside in a month', () => {
  const of = (company: string | null, bought: number, videos: number) => ({ company, bought, videos })
  it.each([
    ['stands for a video of its company, and of none', [of('A', 2, 1), of(null, 0, 1)], []],
    ['stands for any where it is of no company', [of('A', 0, 1), of(null, 2, 1)], []],
    ['stands for no video of another company', [of('A', 1, 0), of('B', 0, 1)], [{ company: 'A', videos: 1 }]],
    [
      'stands for one video once',
      [of('A', 1, 0), of('B', 1, 0), of(null, 1, 1)],
      [
        { company: 'B', videos: 1 },
        { company: null, videos: 1 },
      ],
    ],
    ['is none where none was bought', [], []],
  ])('%s', (_, month, idle) => {
    expect(boughtForNothing(month)).toEqual(idle)
  })
})
