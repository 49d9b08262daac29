import { useState } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { mostPaid, reports, type PaidEditor } from '@clear-to-post/contract/reports'
import { usualWeek } from '@clear-to-post/domain/availability'
import { monthAfter, monthIn } from '@clear-to-post/domain/calendar'
import { paidHours, paidMinutes } from '@clear-to-post/domain/payroll'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { paths } from '../../paths.ts'
import { currentZone, monthWords } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Nothing, type Column } from '../../ui/data-table.tsx'
import { listOf } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { zoneWords } from '../availability/availability-dialog.tsx'
import { hoursOfWeek } from '../availability/week-words.ts'
import type { CsvColumn } from '../csv.ts'
import { CsvOfTable } from '../csv-button.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { ReportsNav } from '../reports/reports-nav.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { RateDialog } from './rate-dialog.tsx'
import { monthsOf } from './search.ts'

const route = getRouteApi('/panel/reports/payroll')

/** A month's work of the editors and what it is worth; rates are set here, and the month is taken along as CSV. */
export const PayrollPage = () => {
  const { search, change } = useFilters(route.useSearch())
  const thisMonth = monthIn(new Date(), currentZone())
  const month = search.month ?? monthAfter(thisMonth, -1)
  const answer = useQuery({
    ...query(reports.payroll, { query: { month, timezone: currentZone() } }),
    placeholderData: keepPreviousData,
  })
  const [asked, setAsked] = useState<PaidEditor | null>(null)
  const list = listOf(answer, ({ items }) => rowsOf(items))
  const rate = ({ of }: Row) => <RateOf of={of} onPress={() => setAsked(of)} />
  return (
    <>
      <TablePage
        words={messages}
        icon={HandCoins}
        beside={
          <>
            <ReportsNav />
            <Select
              label={messages.month}
              hideLabel
              className="w-44"
              value={month}
              options={monthsOf(thisMonth, month).map((one) => ({ value: one, label: monthWords(one) }))}
              onChange={(chosen) => change({ month: chosen })}
            />
          </>
        }
        list={{ ...list, isPlaceholderData: answer.isPlaceholderData }}
        emptyAction={<LinkButton to={paths.people}>{messages.toPeople}</LinkButton>}
        label={messages.list}
        columns={[...columns, { key: 'rate', title: messages.rate, cell: rate }, payColumn]}
        card={(one) => <PaidCard of={one.of} rate={rate(one)} />}
        foot={answer.data && answer.data.items.length > 0 && <Foot {...answer.data} month={month} />}
      />
      {asked && <RateDialog editor={asked} month={month} onClose={() => setAsked(null)} />}
    </>
  )
}

/** Whoever was moved within the month stands there once for each company. */
type Row = { id: string; of: PaidEditor }
const rowsOf = (items: readonly PaidEditor[]): Row[] => items.map((of, place) => ({ id: `${of.id} ${place}`, of }))

const Foot = ({ items, isCut, month }: { items: readonly PaidEditor[]; isCut: boolean; month: string }) => {
  const sums = new Map<string, number>()
  for (const { rate, pay = 0 } of items) if (rate) sums.set(rate.currency, (sums.get(rate.currency) ?? 0) + pay)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="figures font-medium">
        {sums.size > 0 && messages.total([...sums].map(([currency, sum]) => moneyWords(sum, currency)).join(', '))}
      </p>
      {isCut && <p className="text-muted">{messages.isCut(mostPaid)}</p>}
      <div className="ml-auto">
        <CsvOfTable
          rows={items}
          columns={csvColumns}
          name={`payroll-${month}`}
          label={messages.csvOf(monthWords(month))}
        >
          {messages.csv}
        </CsvOfTable>
      </div>
      <div className="basis-full">
        <p className="max-w-prose text-[0.8125rem] text-muted">{messages.hoursHint}</p>
      </div>
    </div>
  )
}

const RateOf = ({ of: { name, rate, hasLeft }, onPress }: { of: PaidEditor; onPress: () => void }) => {
  if (hasLeft) return rate ? rateWords(rate) : <Nothing />
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={rate ? messages.changeRate(name, rateWords(rate)) : messages.setRate(name)}
      onPress={onPress}
      className="-ml-2"
    >
      {rate ? rateWords(rate) : messages.set}
    </Button>
  )
}

const rateWords = ({ amount, currency, unit }: NonNullable<PaidEditor['rate']>): string =>
  messages.rateWords(moneyWords(amount, currency), unit)

const Pay = ({ of: { pay, rate } }: { of: PaidEditor }) =>
  pay === undefined || !rate ? <Nothing /> : <span className="font-medium">{moneyWords(pay, rate.currency)}</span>

/** Where they left, and the hours that hours in hand are counted by. */
const Hours = ({ of: one }: { of: PaidEditor }) => (
  <>
    {one.hasLeft && <span className="block">{messages.hasLeft(one.company)}</span>}
    {weekOf(one)}
  </>
)

const PaidCard = ({ of: one, rate }: { of: PaidEditor; rate: React.ReactNode }) => (
  <div className="grid min-w-0 flex-1 gap-1">
    <p className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="font-medium [overflow-wrap:anywhere]">{one.name}</span>
      <span className="figures">
        <Pay of={one} />
      </span>
    </p>
    <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
      <Hours of={one} />
    </p>
    <dl className="figures grid gap-y-0.5 text-[0.8125rem]">
      {figures.map(({ title, text }) => (
        <div key={title} className="flex justify-between gap-2">
          <dt className="text-muted">{title}</dt>
          <dd>{text(one)}</dd>
        </div>
      ))}
    </dl>
    <div>{rate}</div>
  </div>
)

/** The hours that hours in hand are counted by, as they are set now or were when they left. */
const weekOf = ({ workWeek, timezone }: PaidEditor): string => {
  const isUsual = workWeek === undefined || workWeek.every((hours) => hours === null)
  return messages.week(hoursOfWeek(isUsual ? usualWeek : workWeek), zoneWords(timezone), isUsual)
}

/** With two digits, as they are paid. */
const decimal = (value: number): string =>
  value.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const figures: CsvColumn<PaidEditor>[] = [
  { title: messages.approved, text: ({ approved }) => approved.toLocaleString(locale) },
  { title: messages.minutes, text: ({ lengthMs }) => decimal(paidMinutes(lengthMs)) },
  { title: messages.hours, text: ({ inHandMs }) => decimal(paidHours(inHandMs)) },
]

const columns: Column<Row>[] = [
  {
    key: 'editor',
    title: messages.editor,
    headClassName: 'w-[28%]',
    cellClassName: 'font-medium! [overflow-wrap:anywhere]',
    cell: ({ of: one }) => (
      <>
        {one.hasLeft ? (
          one.name
        ) : (
          <Link to={paths.person} params={{ personId: one.id }} className="underline-offset-2 hover:underline">
            {one.name}
          </Link>
        )}
        <span className="block text-[0.8125rem] font-normal text-muted">
          <Hours of={one} />
        </span>
      </>
    ),
  },
  {
    key: 'company',
    title: messages.company,
    isCompany: true,
    cellClassName: '[overflow-wrap:anywhere]',
    cell: ({ of: { company } }) => company ?? <Nothing />,
  },
  ...figures.map(({ title, text }) => ({
    key: title,
    title,
    headClassName: 'text-right',
    cellClassName: 'figures text-right',
    cell: ({ of }: Row) => text(of),
  })),
]

const payColumn: Column<Row> = {
  key: 'pay',
  title: messages.pay,
  headClassName: 'text-right',
  cellClassName: 'figures text-right',
  cell: ({ of }) => <Pay of={of} />,
}

// Plain numbers, which a spreadsheet sums.
const plain = (value: number): string => value.toFixed(2)

const csvColumns: CsvColumn<PaidEditor>[] = [
  { title: messages.editor, text: ({ name }) => name },
  { title: messages.email, text: ({ email = '' }) => email },
  { title: messages.company, text: ({ company = '' }) => company, isCompany: true },
  { title: messages.approved, text: ({ approved }) => String(approved) },
  { title: messages.minutes, text: ({ lengthMs }) => plain(paidMinutes(lengthMs)) },
  { title: messages.hours, text: ({ inHandMs }) => plain(paidHours(inHandMs)) },
  { title: messages.rate, text: ({ rate }) => (rate ? plain(rate.amount / 100) : '') },
  { title: messages.by, text: ({ rate }) => (rate ? messages.per[rate.unit] : '') },
  { title: messages.pay, text: ({ pay }) => (pay === undefined ? '' : plain(pay / 100)) },
  { title: messages.currency, text: ({ rate }) => rate?.currency.toUpperCase() ?? '' },
  { title: messages.weekTitle, text: weekOf },
]
