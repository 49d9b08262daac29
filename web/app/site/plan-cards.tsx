import type { z } from 'zod'
import { captionStyleValues } from '@clear-to-post/domain/captions'
import type { Plan, Product } from '@clear-to-post/contract/subscriptions'
import { periodPrice } from '@clear-to-post/domain/money'
import { planPath } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { formatPrice } from './price.ts'
import { words } from './words/plans.ts'

export type Product = z.output<typeof Product>
type Plan = z.output<typeof Plan>
type Interval = Plan['interval']

/** Monthly by default, yearly by choice (docs/specification/things.md). The choice is CSS alone: `.plans` in styles.css. */
export const PlanPeriod = ({ period = 'month' }: { period?: Interval }) => (
  <fieldset className="flex rounded-control border border-line bg-sunken p-1">
    <legend className="sr-only">{words.period}</legend>
    {(['month', 'year'] as const).map((interval) => (
      <label
        key={interval}
        className="touch flex cursor-pointer items-center justify-center rounded-md px-4 py-1.5 text-sm font-medium text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-primary"
      >
        <input type="radio" name="period" value={interval} defaultChecked={interval === period} className="sr-only" />
        {words[interval]}
      </label>
    ))}
  </fieldset>
)

/** What a viewer has to do with the plans: the one chosen, the one that runs; `isToLook`: nothing can be chosen. */
export type PlanChoice = { chosen?: string | undefined; running?: string | undefined; isToLook?: boolean }

/** What we sell, in the order it came; both periods' prices stand in each card, and one shows. */
export const PlanCards = ({ products, ...choice }: { products: readonly Product[] } & PlanChoice) => (
  <ul className="grid gap-4 md:grid-cols-[repeat(auto-fit,minmax(15rem,1fr))]">
    {products.map((product, i) => (
      <Card key={product.id} product={product} isDark={i === 1 && products.length > 2} choice={choice} />
    ))}
  </ul>
)

const Card = ({ product, isDark, choice }: { product: Product; isDark: boolean; choice: PlanChoice }) => {
  const { name, descriptions, plans } = product
  const of = (interval: Interval) => plans.find((plan) => plan.interval === interval)
  const month = of('month') ?? of('year')
  const year = of('year') ?? month
  if (!month || !year) return null
  return (
    <li
      className={cx(
        'flex flex-col rounded-card border p-6',
        isDark ? 'on-ink border-night-edge bg-night text-on-night' : 'border-line bg-canvas',
      )}
    >
      <h3 className="flex items-center justify-between gap-2 text-xl">
        {name}{' '}
        {(month.offer ?? year.offer) && (
          <span className="rounded-full bg-good-tint px-2.5 py-0.5 font-sans text-xs font-medium text-good">
            {offWords(month.offer ? month : year)}
          </span>
        )}
      </h3>
      <p className={cx('text-sm', isDark ? 'text-muted-on-night' : 'text-muted')}>{descriptions.subtitle}</p>
      <Side of="month" plan={month} {...{ month, name, isDark, choice }} />
      <Side of="year" plan={year} {...{ month, name, isDark, choice }} />
    </li>
  )
}

/** What the first period of a plan costs for so many seats. */
export const firstPrice = ({ price, offer }: Plan, quantity: number): number =>
  periodPrice({ price, quantity, percentOff: offer?.percentOff ?? 0, amountOff: offer?.amountOff ?? 0 })

/** What the period after the first costs: what is taken off may end with the first. */
export const secondPrice = (plan: Plan, quantity: number): number =>
  plan.offer?.periods === 1 ? plan.price * quantity : firstPrice(plan, quantity)

/** What a seat of a plan costs for good. */
const lastingPrice = (plan: Plan): number => (plan.offer?.periods === undefined ? firstPrice(plan, 1) : plan.price)

const offWords = ({ offer, currency }: Plan): string =>
  offer && offer.percentOff > 0
    ? words.off(offer.percentOff)
    : words.amountOff(formatPrice(offer?.amountOff ?? 0, currency))

const Side = ({
  of,
  plan,
  month,
  name,
  isDark,
  choice: { chosen, running, isToLook = false },
}: {
  of: Interval
  plan: Plan
  month: Plan
  name: string
  isDark: boolean
  choice: PlanChoice
}) => {
  const { price, currency, interval, metadata, offer } = plan
  // What it saves is told of prices that last.
  const saved = interval === 'year' && month.interval === 'month' ? lastingPrice(month) * 12 - lastingPrice(plan) : 0
  const muted = isDark ? 'text-muted-on-night' : 'text-muted'
  return (
    <div data-period={of} className="mt-5 flex flex-1 flex-col">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {offer && (
          <s className={cx('text-lg', muted)}>
            <span className="sr-only">{words.before} </span>
            {formatPrice(price, currency)}
          </s>
        )}
        <span className="figures font-display text-[2.75rem] leading-none font-bold tracking-tight">
          {formatPrice(firstPrice(plan, 1), currency)}
        </span>
        <span className={muted}>{interval === 'month' ? words.aMonth : words.aYear}</span>
      </p>
      <p className={cx('min-h-6 pt-1 text-sm', muted)}>
        {offer?.periods === undefined
          ? saved > 0 && words.saves(formatPrice(saved, currency))
          : words.forFirst(offer.periods, interval, formatPrice(price, currency))}
      </p>
      <ul
        className={cx(
          'mt-4 mb-6 grid gap-2.5 border-t pt-5 text-[0.9375rem]',
          isDark ? 'border-white/15' : 'border-line',
        )}
      >
        {[
          words.videos(metadata.projectsPerMonth),
          words.turnaround(metadata.turnaroundHours),
          words.revisions(metadata.revisionsPerProject),
          words.captions(captionStyleValues.length),
        ].map((line) => (
          <li key={line} className="flex gap-2.5">
            <svg
              viewBox="0 0 16 16"
              aria-hidden
              className={cx('mt-1 size-4 shrink-0 fill-none', isDark ? 'stroke-current' : 'stroke-primary')}
              strokeWidth="2"
            >
              <path d="M3 8.5l3.2 3.2L13 4.8" />
            </svg>
            {line}
          </li>
        ))}
      </ul>
      {plan.id === running ? (
        <p className="mt-auto flex h-11 items-center justify-center rounded-control border border-dashed border-current/40 font-medium">
          {words.yours}
        </p>
      ) : isToLook ? null : (
        <a
          href={planPath(plan.id)}
          {...(plan.id === chosen ? { 'aria-current': 'true' as const } : {})}
          className={cx(buttonLook({ variant: isDark ? 'primary' : 'secondary', size: 'large' }), 'mt-auto w-full')}
        >
          {plan.id === chosen ? words.chosen(name) : words.choose(name)}
        </a>
      )}
    </div>
  )
}
