import type { ProductForm, SoldProduct, Terms } from '@clear-to-post/contract/catalogue'
import { centsOf, moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** A plan as it is written: the price in dollars, and the plan that it was. */
export type WrittenPlan = Omit<Terms, 'price'> & {
  key: string
  price: string
  before: SoldProduct['plans'][number] | null
}

export type Written = {
  name: string
  subtitle: string
  description: string
  position: number
  couponId: string
  isActive: boolean
  plans: WrittenPlan[]
}

export const least = 50
export const most = 100_000_000

/** What a product is written as; without one, what a new one begins with. */
export const writtenOf = (product: SoldProduct | undefined, position: number): Written =>
  product
    ? {
        name: product.name,
        subtitle: product.subtitle,
        description: product.description,
        position: product.position,
        couponId: product.couponId ?? '',
        isActive: product.isActive,
        plans: product.plans.filter(({ isActive }) => isActive).map(planOf),
      }
    : { name: '', subtitle: '', description: '', position, couponId: '', isActive: true, plans: [newPlan([])] }

/** What a product says as a whole, each plan in a line. */
export const readOf = (product: SoldProduct) => {
  const { plans: _written, ...others } = writtenOf(product, product.position)
  return {
    ...others,
    plans: product.plans
      .filter(({ isActive }) => isActive)
      .map(({ price, currency, interval, projectsPerMonth, revisionsPerProject, turnaroundHours }) =>
        [
          messages.planLine(moneyWords(price, currency), interval),
          messages.videos(projectsPerMonth),
          `${messages.revisionsPerProject}: ${revisionsPerProject}`,
          `${messages.turnaroundHours}: ${turnaroundHours}`,
        ].join(', '),
      )
      .join('\n'),
  }
}

/** A plan more: yearly beside a monthly one, ten months' price. */
export const newPlan = (plans: readonly WrittenPlan[]): WrittenPlan => {
  const monthly = plans.find(({ interval }) => interval === 'month')
  const hasYear = plans.some(({ interval }) => interval === 'year')
  const cents = monthly ? centsOf(monthly.price) : null
  const { currency, projectsPerMonth, revisionsPerProject, turnaroundHours } = monthly ?? {
    currency: 'usd',
    projectsPerMonth: 4,
    revisionsPerProject: 1,
    turnaroundHours: 48,
  }
  const isYear = monthly !== undefined && !hasYear
  return {
    key: crypto.randomUUID(),
    currency,
    projectsPerMonth,
    revisionsPerProject,
    turnaroundHours,
    interval: isYear ? 'year' : 'month',
    price: isYear && cents !== null ? dollarsOf(cents * 10) : '',
    before: null,
  }
}

/** The price in cents; null where it is none. */
export const priceOf = ({ price }: WrittenPlan): number | null => {
  const cents = centsOf(price)
  return cents !== null && cents >= least && cents <= most ? cents : null
}

/** Other terms than it was sold with. */
export const isChanged = (plan: WrittenPlan): boolean =>
  plan.before !== null &&
  (priceOf(plan) !== plan.before.price ||
    (['interval', 'projectsPerMonth', 'revisionsPerProject', 'turnaroundHours'] as const).some(
      (part) => plan[part] !== plan.before?.[part],
    ))

/** What is sent; null while a price is none. */
export const formOf = ({ couponId, plans, name, subtitle, description, ...form }: Written): ProductForm | null => {
  const prices = plans.map(priceOf)
  if (prices.includes(null)) return null
  return {
    ...form,
    name: name.trim(),
    subtitle: subtitle.trim(),
    description: description.trim(),
    couponId: couponId === '' ? null : couponId,
    plans: plans.map(({ key: _key, before, ...plan }, i) => ({
      ...plan,
      price: prices[i]!,
      ...(before === null ? {} : { id: before.id }),
    })),
  }
}

const planOf = (plan: SoldProduct['plans'][number]): WrittenPlan => ({
  key: plan.id,
  currency: plan.currency,
  interval: plan.interval,
  projectsPerMonth: plan.projectsPerMonth,
  revisionsPerProject: plan.revisionsPerProject,
  turnaroundHours: plan.turnaroundHours,
  price: dollarsOf(plan.price),
  before: plan,
})

const dollarsOf = (cents: number): string => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2))
