import { getRouteApi } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { subscriptions, type PayersPlan } from '@clear-to-post/contract/subscriptions'
import { usePages } from '../../api.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { CsvButton } from '../csv-button.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { sumWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'
import { PaymentsNav } from './payments-nav.tsx'
import { Payer, PlanCard, planWords, PlanState, Price } from './plan-row.tsx'
import { planStates, wheresOf } from './search.ts'

const route = getRouteApi('/panel/payments/plans')

/** Who has which plan, in which state. */
export const PayersPlansPage = () => {
  const filters = useFilters(route.useSearch())
  const wheres = wheresOf(filters.search)
  return (
    <TablePage
      words={messages.plans}
      icon={CreditCard}
      beside={<PaymentsNav />}
      create={<CsvButton shape={subscriptions.plans} asked={{ wheres }} columns={csv} name="plans" />}
      emptyAction={null}
      filter={searchFilter(
        { ...messages.plans, search: messages.search },
        filters,
        <FilterSelect
          label={messages.state}
          all={messages.allStates}
          value={filters.search.state}
          options={planStates.map((state) => ({ value: state, label: messages.planStates[state] }))}
          onChange={(state) => filters.change({ state })}
        />,
      )}
      list={usePages(subscriptions.plans, { perPage: 50, wheres })}
      label={messages.plans.title}
      columns={columns}
      card={(one) => <PlanCard of={one} />}
    />
  )
}

const csv = [
  { title: messages.payer, text: ({ payer }: PayersPlan) => payer.name },
  { title: messages.plan, text: ({ product }: PayersPlan) => product },
  { title: messages.seats, text: ({ quantity }: PayersPlan) => String(quantity) },
  { title: messages.state, text: ({ state }: PayersPlan) => messages.planStates[state] },
  { title: messages.started, text: ({ started }: PayersPlan) => started },
  { title: messages.untilDay, text: ({ until = '' }: PayersPlan) => until },
  { title: messages.price, text: ({ renewalPrice }: PayersPlan) => sumWords(renewalPrice) },
  { title: messages.interval, text: ({ interval }: PayersPlan) => messages.intervals[interval] },
  { title: messages.currency, text: ({ currency }: PayersPlan) => currency.toUpperCase() },
]

const columns: Column<PayersPlan>[] = [
  { key: 'payer', title: messages.payer, headClassName: 'w-[30%]', cell: (one) => <Payer of={one} /> },
  { key: 'plan', title: messages.plan, cell: planWords },
  { key: 'state', title: messages.state, cell: (one) => <PlanState of={one} /> },
  {
    key: 'price',
    title: messages.price,
    headClassName: 'text-right',
    cellClassName: 'text-right',
    cell: (one) => <Price of={one} />,
  },
]
