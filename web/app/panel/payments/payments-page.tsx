import { getRouteApi } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { subscriptions, type Payment } from '@clear-to-post/contract/subscriptions'
import { usePages } from '../../api.ts'
import { dayWords } from '../../times.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { CsvButton } from '../csv-button.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { sumWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'
import { PaymentMenu } from './payment-menu.tsx'
import { PaymentsNav } from './payments-nav.tsx'
import { Amount, backOf, NextStep, PaymentCard, PaymentState, stateOf } from './payment-row.tsx'
import { paymentStates, wheresOf } from './search.ts'

const route = getRouteApi('/panel/payments')

/** Payments of everybody: what failed and what to do about it, and giving back. */
export const PaymentsPage = () => {
  const filters = useFilters(route.useSearch())
  const wheres = wheresOf(filters.search)
  return (
    <TablePage
      words={messages}
      icon={CreditCard}
      beside={<PaymentsNav />}
      create={<CsvButton shape={subscriptions.payments} asked={{ wheres }} columns={csv} name="payments" />}
      emptyAction={null}
      filter={searchFilter(
        messages,
        filters,
        <FilterSelect
          label={messages.state}
          all={messages.allStates}
          value={filters.search.state}
          options={paymentStates.map((state) => ({ value: state, label: messages.states[state] }))}
          onChange={(state) => filters.change({ state })}
        />,
      )}
      list={usePages(subscriptions.payments, { perPage: 50, wheres })}
      label={messages.list}
      columns={columns}
      card={(one) => <PaymentCard of={one} />}
    />
  )
}

const csv = [
  { title: messages.payer, text: ({ payer }: Payment) => payer.name },
  { title: messages.date, text: ({ created }: Payment) => created },
  { title: messages.what, text: ({ description }: Payment) => description || messages.invoice },
  { title: messages.state, text: (one: Payment) => messages.states[stateOf(one)] },
  { title: messages.amount, text: ({ price }: Payment) => sumWords(price) },
  { title: messages.refunded, text: (one: Payment) => sumWords(backOf(one)) },
  { title: messages.disputed, text: ({ disputed = 0 }: Payment) => sumWords(disputed) },
  { title: messages.currency, text: ({ currency = 'usd' }: Payment) => currency.toUpperCase() },
]

const columns: Column<Payment>[] = [
  {
    key: 'payer',
    title: messages.payer,
    cellClassName: 'font-medium! [overflow-wrap:anywhere]',
    cell: ({ payer }) => payer.name,
  },
  {
    key: 'date',
    title: messages.date,
    cellClassName: 'whitespace-nowrap text-muted',
    cell: ({ created }) => dayWords(created),
  },
  { key: 'what', title: messages.what, cell: ({ description }) => description || messages.invoice },
  { key: 'state', title: messages.state, cell: (one) => <PaymentState of={one} /> },
  { key: 'next', title: messages.next, headClassName: 'w-[28%]', cell: (one) => <NextStep of={one} /> },
  {
    key: 'amount',
    title: messages.amount,
    headClassName: 'text-right',
    cellClassName: 'text-right',
    cell: (one) => <Amount of={one} />,
  },
  { key: 'menu', title: messages.actions, cellClassName: 'text-right', cell: (one) => <PaymentMenu of={one} /> },
]
