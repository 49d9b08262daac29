import { useState } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CreditCard, FileText, Undo2 } from 'lucide-react'
import { subscriptions, type Payment } from '@clear-to-post/contract/subscriptions'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { ListPage } from '../list-page.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { useFilters } from '../use-filters.ts'
import { GiveBackDialog } from './give-back-dialog.tsx'
import { messages } from './messages.ts'
import { paymentStates, wheresOf } from './search.ts'

const route = getRouteApi('/panel/payments')

/** Payments of everybody: what failed and what to do about it, and giving back. */
export const PaymentsPage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch())
  const list = usePages(subscriptions.payments, { perPage: 50, wheres: wheresOf(search) })
  const [givenId, give] = useState<string | null>(null)
  // As it is now: what is left changes while the dialog is open.
  const given = list.items?.find(({ id }) => id === givenId)
  const menu = (payment: Payment) => <PaymentMenu payment={payment} onGive={() => give(payment.id)} />
  return (
    <>
      <ListPage
        words={messages}
        icon={CreditCard}
        beside={
          <LinkButton variant="quiet" size="small" to={paths.payersPlans}>
            {messages.toPlans}
          </LinkButton>
        }
        filter={{
          words: messages,
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
                options={paymentStates.map((state) => ({ value: state, label: messages.states[state] }))}
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
            label={messages.list}
            rows={items}
            columns={[
              ...columns,
              { key: 'menu', title: messages.actions, cellClassName: 'text-right', cell: (one) => menu(one) },
            ]}
            isStale={list.isPlaceholderData}
            card={(one) => (
              <>
                <div className="grid min-w-0 flex-1 gap-1">
                  <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <span className="font-medium [overflow-wrap:anywhere]">{one.payer.name}</span>
                    <Amount of={one} />
                  </p>
                  <p className="text-[0.8125rem] text-muted">
                    {dayWords(one.created)} · {one.description || messages.invoice}
                  </p>
                  <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem]">
                    <State of={one} />
                    <Next of={one} />
                  </p>
                </div>
                {menu(one)}
              </>
            )}
          />
        )}
      </ListPage>
      {given && <GiveBackDialog key={given.id} payment={given} onClose={() => give(null)} />}
    </>
  )
}

const PaymentMenu = ({ payment, onGive }: { payment: Payment; onGive: () => void }) => {
  const navigate = useNavigate()
  const { payer, receiptUrl, paid, ways, description = '' } = payment
  const toPlan = () =>
    void navigate({ to: paths.plan, search: payer.isCompany ? { company: payer.id } : { person: payer.id } })
  const actions: MenuAction[] = [
    { label: messages.openPlan, icon: CreditCard, onAction: toPlan },
    ...(receiptUrl === ''
      ? []
      : [
          {
            label: paid ? messages.receipt : messages.openInvoice,
            icon: FileText,
            onAction: () => void window.open(receiptUrl, '_blank', 'noreferrer'),
          },
        ]),
    ...(ways.length > 0 ? [{ label: messages.giveBack, icon: Undo2, onAction: onGive }] : []),
  ]
  return <ActionMenu label={messages.actionsOf(description || messages.invoice, payer.name)} actions={actions} />
}

const State = ({ of: { paid, status } }: { of: Payment }) => {
  const state = status === 'refunded' ? 'refunded' : paid ? 'paid' : status === 'failed' ? 'failed' : 'open'
  const tone = { paid: 'good', failed: 'danger', open: 'warn', refunded: 'plain' } as const
  return <Badge tone={tone[state]}>{messages.states[state]}</Badge>
}

const Next = ({ of: { step, until, refunds, disputed = 0, currency = 'usd' } }: { of: Payment }) => {
  const back = refunds.filter(({ state }) => state !== 'refused').reduce((sum, { amount }) => sum + amount, 0)
  const words = [
    messages.steps[step](until === undefined ? undefined : dayWords(until)),
    disputed > 0 && messages.takenBack(moneyWords(disputed, currency)),
    back > 0 && messages.givenBack(moneyWords(back, currency)),
  ]
  return <span>{words.find(Boolean)}</span>
}

const Amount = ({ of: { price, currency = 'usd' } }: { of: Payment }) => (
  <span className="figures font-medium whitespace-nowrap">{moneyWords(price, currency)}</span>
)

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
  { key: 'state', title: messages.state, cell: (one) => <State of={one} /> },
  { key: 'next', title: messages.next, headClassName: 'w-[28%]', cell: (one) => <Next of={one} /> },
  {
    key: 'amount',
    title: messages.amount,
    headClassName: 'text-right',
    cellClassName: 'text-right',
    cell: (one) => <Amount of={one} />,
  },
]
