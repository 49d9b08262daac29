import { refusal } from '@clear-to-post/contract/errors'

/**
 * What something costs, in the smallest unit: `due` now (below zero: that much comes to the payer's good), of which `fromCredit` is
 * taken of what stands there already, and what each further period costs.
 */
export type Price = { due: number; fromCredit?: number; renewalPrice?: number }

/**
 * Nobody pays more than they were shown when they pressed; less they may. Of who says nothing of it, nothing is asked. Throws
 * `price.changed`.
 */
export const requireShown = (shown: Price | undefined, reckoned: Price & { currency: string }): void => {
  const costs = [(one: Price) => one.due, restOf, (one: Price) => one.renewalPrice ?? 0]
  if (shown === undefined || costs.every((cost) => cost(reckoned) <= cost(shown))) return
  throw refusal(
    'price.changed',
    `This costs something else by now: ${priceWords(reckoned)}. Nothing was charged. Look at it again.`,
  )
}

/**
 * So many minutes what was shown is charged as it was shown, although by the second less comes back of what was paid before; by how
 * many periods of the plan began within a day. Who begins another each hour would have the time between for nothing.
 */
const shownFor = [60, 10, 10]

/** The moment as of which a change is reckoned: that of its preview, unless it is too long ago. */
export const asShown = (at: Date | undefined, now: Date, periodsOfDay: number): Date => {
  const within = (shownFor[periodsOfDay] ?? 0) * 60_000
  return at !== undefined && at <= now && now.getTime() - at.getTime() <= within ? at : now
}

const restOf = ({ due, fromCredit = 0 }: Price): number => Math.max(0, due - fromCredit)

const priceWords = ({ currency, ...price }: Price & { currency: string }): string => {
  const money = (amount: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Math.abs(amount) / 100)
  const now = price.due < 0 ? `${money(price.due)} to your good` : money(restOf(price))
  return price.renewalPrice === undefined
    ? now
    : `${now} now, and ${money(price.renewalPrice)} each period from then on`
}
