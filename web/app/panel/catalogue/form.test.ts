import { expect, test } from 'vitest'
import { formOf, isChanged, newPlan, priceOf, writtenOf } from './form.ts'

const plan = {
  id: 'plan_1',
  currency: 'usd',
  price: 9_950,
  interval: 'month' as const,
  projectsPerMonth: 4,
  revisionsPerProject: 1,
  turnaroundHours: 48,
  isActive: true,
  subscribers: 3,
}
const product = {
  id: 'prod_1',
  name: 'Starter',
  subtitle: 's',
  description: 'd',
  position: 2,
  couponId: null,
  isActive: true,
  version: 'v',
  plans: [plan, { ...plan, id: 'plan_0', price: 5_000, isActive: false }],
}

test('a product is written as it is sold, without the plans that are sold no more, and sent back unchanged', () => {
  const written = writtenOf(product, 9)
  expect(written.plans.map(({ price }) => price)).toEqual(['99.50'])
  const { isActive: _isActive, subscribers: _subscribers, ...sold } = plan
  expect(formOf(written)).toEqual({
    name: 'Starter',
    subtitle: 's',
    description: 'd',
    position: 2,
    couponId: null,
    isActive: true,
    plans: [sold],
  })
})

test('a plan is changed by its price, period or quota, and a price that is none is not sent', () => {
  const written = writtenOf(product, 9)
  const [first] = written.plans
  expect(isChanged(first!)).toBe(false)
  expect(isChanged({ ...first!, price: '99.5' })).toBe(false)
  for (const part of [
    { price: '120' },
    { interval: 'year' as const },
    { projectsPerMonth: 5 },
    { turnaroundHours: 24 },
  ])
    expect(isChanged({ ...first!, ...part })).toBe(true)
  for (const price of ['', '0.49', '1,5', 'ten', '1000000.01']) {
    expect(priceOf({ ...first!, price })).toBeNull()
    expect(formOf({ ...written, plans: [{ ...first!, price }] })).toBeNull()
  }
})

test('the plan that is added beside a monthly one is yearly, for ten months’ price', () => {
  expect(newPlan(writtenOf(product, 9).plans)).toMatchObject({ interval: 'year', price: '995', before: null })
  expect(newPlan([])).toMatchObject({ interval: 'month', price: '' })
})
