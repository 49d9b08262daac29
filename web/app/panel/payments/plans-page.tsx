import { getRouteApi, Link } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { subscriptions, type PayersPlan } from '@clear-to-post/contract/subscriptions'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { LinkButton } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { ListPage } from '../list-page.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { planStates, wheresOf } from './search.ts'

const route = getRouteApi('/panel/payments/plans')

/** Who has which plan, in which state. */
export const PayersPlansPage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch())
  const list = usePages(subscriptions.plans, { perPage: 50, wheres: wheresOf(search) })
  return (
    <ListPage
      words={messages.plans}
      icon={CreditCard}
      beside={
        <LinkButton variant="quiet" size="small" to={paths.payments}>
          {messages.toPayments}
        </LinkButton>
      }
      filter={{
        words: messages.plans,
        isOn: isFiltered,
        fields: (
          <FilterBar
            search={messages.search}
            words={search.q}
            onWords={(q) => change({ q })}
            clear={messages.clear}
            onClear={isFiltered ? clear : undefined}
          >
            <FilterSelect
              label={messages.state}
              all={messages.allStates}
              value={search.state}
              options={planStates.map((state) => ({ value: state, label: messages.planStates[state] }))}
              onChange={(state) => change({ state })}
            />
          </FilterBar>
        ),
        onClear: clear,
      }}
      list={list}
      loading={<PeopleLoading count={6} />}
    >
      {(items) => (
        <DataTable
          label={messages.plans.title}
          rows={items}
          columns={columns}
          isStale={list.isPlaceholderData}
          card={(one) => (
            <div className="grid min-w-0 flex-1 gap-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <Payer of={one} />
                <Price of={one} />
              </p>
              <p className="text-[0.8125rem] text-muted">{planWords(one)}</p>
              <State of={one} />
            </div>
          )}
        />
      )}
    </ListPage>
  )
}

const Payer = ({ of: { payer } }: { of: PayersPlan }) => (
  <Link
    to={paths.plan}
    search={payer.isCompany ? { company: payer.id } : { person: payer.id }}
    className="touch inline-flex items-center font-medium [overflow-wrap:anywhere] underline-offset-2 hover:underline"
  >
    {payer.name}
  </Link>
)

const planWords = ({ product, quantity, isByHand }: PayersPlan): string =>
  [product, quantity > 1 && messages.seatsOf(quantity), isByHand && messages.byHand].filter(Boolean).join(' · ')

const State = ({ of: { state, until } }: { of: PayersPlan }) => {
  const tone = { running: 'good', owing: 'danger', paused: 'warn', ending: 'warn', ended: 'plain' } as const
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
      <Badge tone={tone[state]}>{messages.planStates[state]}</Badge>
      {until !== undefined && messages.until[state](dayWords(until))}
    </span>
  )
}

const Price = ({ of: { renewalPrice, currency, interval } }: { of: PayersPlan }) => (
  <span className="figures whitespace-nowrap">
    {moneyWords(renewalPrice, currency)} {messages.each[interval]}
  </span>
)

const columns: Column<PayersPlan>[] = [
  { key: 'payer', title: messages.payer, headClassName: 'w-[30%]', cell: (one) => <Payer of={one} /> },
  { key: 'plan', title: messages.plan, cell: planWords },
  { key: 'state', title: messages.state, cell: (one) => <State of={one} /> },
  {
    key: 'price',
    title: messages.price,
    headClassName: 'text-right',
    cellClassName: 'text-right',
    cell: (one) => <Price of={one} />,
  },
]
