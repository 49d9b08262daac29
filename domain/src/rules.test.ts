import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audiences } from './audiences.ts'
import { dailyTargets, defaultWeeklyTarget } from './goals.ts'
import { between, spread, step } from './queue.ts'
import { codeLetters, defaultSeats, tenantFields } from './tenants.ts'
import { workflow } from './workflow.ts'

describe('queue positions', () => {
  it('between(low, high) is strictly between two positions, or null', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
        fc.double({ noNaN: true, min: 1e-12, max: 1e6 }),
        (low, gap) => {
          const high = low + gap
          const middle = between(low, high)
          if (middle !== null) expect(low < middle && middle < high).toBe(true)
        },
      ),
    )
  })
  it('between() is null for neighbours that no number fits between', () => {
    const [one, two, three] = [1, 1 + Number.EPSILON, 1 + 2 * Number.EPSILON]
    expect([between(one, two), between(two, three), between(2, 4)]).toEqual([null, null, 3])
  })
  it('a gap takes more than forty halvings, then between() is null', () => {
    let high: number | null = 1024
    let turns = 0
    for (; high !== null; turns++) high = between(0.5, high)
    expect(turns).toBeGreaterThan(40)
  })
  it('positions before the first and after the last lead outwards by one step', () => {
    expect(between(null, 5)!).toBeLessThan(5)
    expect(between(5, null)!).toBeGreaterThan(5)
    expect(spread(3, 4, 8)).toEqual([5, 6, 7])
    expect(between(null, null)).toBe(0)
    expect([between(null, 5), between(5, null)]).toEqual([5 - step, 5 + step])
    expect([spread(2, null, null), spread(1, null, 5), spread(1, 5, null)]).toEqual([
      [step, 2 * step],
      [5 - step],
      [5 + step],
    ])
  })
})

it('a week’s daily targets add up to its weekly target, with none on the weekend', () => {
  fc.assert(
    fc.property(fc.nat(200), (target) => {
      const days = dailyTargets('2026-W47', target)
      expect(days.reduce((sum, day) => sum + day.target, 0)).toBe(target)
      expect(days.slice(5).every((day) => day.target === 0)).toBe(true)
    }),
  )
})

it('the default target is two videos a working day, and a remainder goes to the earlier days', () => {
  const spreadOver = (target: number) => dailyTargets('2026-W47', target).map((day) => day.target)
  expect(spreadOver(defaultWeeklyTarget)).toEqual([2, 2, 2, 2, 2, 0, 0])
  expect(spreadOver(13)).toEqual([3, 3, 3, 2, 2, 0, 0])
  expect(dailyTargets('2026-W47', 1)[0]).toEqual({ date: '2026-11-16', target: 1 })
})

it('a company’s ADMIN sets its appearance and way of working; only the service sets payment and activity', () => {
  const of = (who: string) => Object.entries(tenantFields).flatMap(([field, sets]) => (sets === who ? [field] : []))
  expect(of('own').join(' ')).toBe(
    'name preferences inviteCode useOwnScripts requireSecondFactor fourEyes nmlsNumber licenceStates equalHousing',
  )
  expect(of('service').join(' ')).toBe(
    'isActive totalUsersAllowed chargeByEmail defaultProductId defaultPlanId defaultCoupomCode allowedProducts',
  )
  expect(defaultSeats).toBe(10)
  expect(codeLetters).toMatch(/^[A-Z2-9]{31}$/)
  expect(codeLetters).not.toMatch(/[01IO]/)
})

it('every audience row belongs to a verb and its message names the video', () => {
  for (const [verb, messages] of Object.entries(audiences)) {
    expect(workflow).toHaveProperty(verb)
    for (const { body } of messages) expect(body).toContain('{title}')
  }
})
