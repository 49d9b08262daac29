import { expect, it } from 'vitest'
import { everyClass, lanesOf, workClasses, type WorkClass } from './lanes.ts'

const heavy = everyClass.filter((one) => workClasses[one] !== null)
const least: Partial<Record<WorkClass, number>> = { render: 1, ingest: 2, speech: 2 }
const on = (workClass: WorkClass, cores: number, does: readonly WorkClass[] = everyClass) =>
  lanesOf(workClass, least[workClass] ?? 1, { cores, does })

it('a small machine has the lanes that it always had, and a large one as many as its cores keep busy', () => {
  for (const cores of [1, 2, 4])
    expect([on('render', cores).lanes, on('ingest', cores).lanes, on('speech', cores).lanes]).toEqual([1, 2, 2])
  expect([on('render', 32).lanes, on('ingest', 32).lanes, on('speech', 32).lanes]).toEqual([4, 4, 6])
})

it('a machine for one class alone gives it all of its cores', () => {
  expect(on('render', 16, ['render'])).toEqual({ lanes: 4, quick: 2, cores: 4 })
  expect(on('ingest', 16, ['ingest', 'rest']).lanes).toBe(8)
  expect(on('render', 8, ['render']).lanes).toBe(2)
})

it('from sixteen cores on no mix of work is promised more cores than there are, and three lanes in ten stay quick', () => {
  for (let cores = 16; cores <= 256; cores++)
    for (let set = 1; set < 2 ** heavy.length; set++) {
      const does = heavy.filter((_, n) => set & (2 ** n))
      const all = does.map((one) => ({ rule: workClasses[one]!, ...on(one, cores, does) }))
      expect(all.reduce((sum, { lanes, rule }) => sum + lanes * rule.cores, 0)).toBeLessThanOrEqual(cores)
      expect(all.reduce((sum, one) => sum + one.lanes * one.cores, 0)).toBeLessThanOrEqual(cores)
      for (const { lanes, quick } of all) {
        expect(quick).toBeGreaterThanOrEqual(lanes > 1 ? lanes * 0.3 : 0)
        expect(quick).toBeLessThan(lanes)
      }
    }
})
