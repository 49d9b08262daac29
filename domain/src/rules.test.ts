import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audiences } from './audiences.ts'
import { dailyTargets } from './goals.ts'
import { between, spread } from './queue.ts'
import { workflow } from './workflow.ts'

describe('queue positions', () => {
  it('a place between two neighbours is between them, or there is none', () => {
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
  it('a gap is used up after some forty halvings, and says so', () => {
    let high: number | null = 1024
    let turns = 0
    for (; high !== null; turns++) high = between(0.5, high)
    expect(turns).toBeGreaterThan(40)
  })
  it('open ends lead outwards', () => {
    expect(between(null, 5)!).toBeLessThan(5)
    expect(between(5, null)!).toBeGreaterThan(5)
    expect(spread(3, 0, 4)).toEqual([1, 2, 3])
  })
})

it('a week’s days add up to its target, with the weekend free', () => {
  fc.assert(
    fc.property(fc.nat(200), (target) => {
      const days = dailyTargets('2026-W47', target)
      expect(days.reduce((sum, day) => sum + day.target, 0)).toBe(target)
      expect(days.slice(5).every((day) => day.target === 0)).toBe(true)
    }),
  )
})

it('every message belongs to a verb and names the video', () => {
  for (const [verb, messages] of Object.entries(audiences)) {
    expect(workflow).toHaveProperty(verb)
    for (const { body } of messages) expect(body).toContain('{title}')
  }
})
