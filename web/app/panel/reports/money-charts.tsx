import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reports } from '@clear-to-post/contract/reports'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import type { CsvColumn } from '../csv.ts'
import { FigureCard } from './figure-card.tsx'
import { messages } from './messages.ts'
import { StepChart } from './step-chart.tsx'
import { numberWords, stepWords } from './words.ts'

type Money = CallAnswer<typeof reports.money>
type Point = Money['currencies'][number]['points'][number]

/** What came in, what failed and went back, in each currency, and what the running plans are worth. */
export const MoneyCharts = ({
  asked,
}: {
  asked: { from: string; to: string; timezone: string; tenantId?: string }
}) => {
  const answer = useQuery({ ...query(reports.money, { query: asked }), placeholderData: keepPreviousData })
  return (
    <Loaded
      answer={answer}
      failed={messages.moneyFailed}
      loading={<Skeleton className="h-72 rounded-card" />}
      className="grid"
    >
      {({ currencies, plans, step }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
          {currencies.map(({ currency, points }) => (
            <MoneyOf key={currency} currency={currency} points={points} step={step} />
          ))}
          {currencies.length === 0 && <p className="text-muted xl:col-span-2">{messages.noMoney}</p>}
          <FigureCard
            title={messages.charts.plans}
            className="xl:col-span-2"
            rows={plans}
            columns={planColumns}
            name="running-plans"
          >
            {plans.length === 0 && <p className="text-muted">{messages.noPlans}</p>}
          </FigureCard>
        </div>
      )}
    </Loaded>
  )
}

const MoneyOf = ({ currency, points, step }: { currency: string; points: readonly Point[]; step: Money['step'] }) => {
  const words = (cents: number) => moneyWords(cents, currency)
  const amount = (title: string, value: (point: Point) => number): CsvColumn<Point> => ({
    title,
    text: (point) => (value(point) / 100).toFixed(2),
  })
  const first: CsvColumn<Point> = { title: messages.from, text: ({ from }) => from }
  const steps = points.map(({ from }) => stepWords(from, step))
  const titleOf = (what: string) => messages.in(what, currency.toUpperCase())
  return (
    <>
      <FigureCard
        title={titleOf(messages.charts.revenue)}
        rows={points}
        columns={[
          first,
          amount(messages.paid, ({ paid }) => paid),
          amount(messages.invoiced, ({ invoiced }) => invoiced),
        ]}
        name={`revenue-${currency}`}
      >
        <StepChart
          label={titleOf(messages.charts.revenue)}
          steps={steps}
          words={words}
          isCount
          series={[
            { name: messages.paid, kind: 'bar', tone: 'primary', values: points.map(({ paid }) => paid) },
            { name: messages.invoiced, kind: 'bar', tone: 'quiet', values: points.map(({ invoiced }) => invoiced) },
          ]}
        />
        <p className="text-[0.8125rem] text-muted">{messages.invoicedNote}</p>
      </FigureCard>
      <FigureCard
        title={titleOf(messages.charts.back)}
        rows={points}
        columns={[
          first,
          { title: messages.failedCount, text: ({ failed }) => String(failed) },
          amount(messages.failedPrice, ({ failedPrice }) => failedPrice),
          amount(messages.wentBack, ({ wentBack }) => wentBack),
        ]}
        name={`failed-and-back-${currency}`}
      >
        <StepChart
          label={titleOf(messages.charts.back)}
          steps={steps}
          words={words}
          isCount
          {...(points.some((one) => one.failedPrice + one.wentBack > 0) ? {} : { most: 10_000 })}
          series={[
            { name: messages.failedPrice, kind: 'bar', tone: 'danger', values: points.map((one) => one.failedPrice) },
            { name: messages.wentBack, kind: 'bar', tone: 'quiet', values: points.map(({ wentBack }) => wentBack) },
          ]}
        />
        <p className="text-[0.8125rem] text-muted">
          {messages.wentBackNote}{' '}
          <Link to={paths.payments} search={{ state: 'failed' }} className="underline hover:text-ink">
            {messages.toFailed}
          </Link>
        </p>
      </FigureCard>
    </>
  )
}

const planColumns: CsvColumn<Money['plans'][number]>[] = [
  { title: messages.product, text: ({ product }) => product },
  { title: messages.interval, text: ({ interval }) => messages.intervals[interval] },
  { title: messages.running, text: ({ running }) => numberWords(running) },
  { title: messages.owing, text: ({ owing }) => numberWords(owing) },
  { title: messages.seats, text: ({ seats }) => numberWords(seats) },
  { title: messages.price, text: ({ price, currency }) => moneyWords(price, currency) },
]
