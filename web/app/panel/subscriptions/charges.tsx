import type { UseQueryResult } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Charge } from '@clear-to-post/contract/subscriptions'
import { dayWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { bodyRow, cell } from '../../ui/table-look.ts'
import { TableFrame } from '../../ui/data-table.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { chargeState } from './charge-state.ts'
import { messages } from './messages.ts'
import { moneyWords } from './money.ts'

type OneCharge = z.output<typeof Charge>

/** What was charged, with the card and the receipt of each; a list where there is no room for columns. */
export const Charges = ({ found }: { found: UseQueryResult<OneCharge[]> }) => (
  <section aria-labelledby="charges" className="grid gap-3">
    <h2 id="charges" className="text-lg">
      {messages.charges}
    </h2>
    <Listed
      isSmall
      list={listOf(found, (charges) => charges)}
      failed={messages.chargesFailed}
      loading={<Skeleton className="h-24 rounded-card" />}
      empty={<p className="text-muted">{messages.noCharges}</p>}
    >
      {(charges) => (
        <TableFrame label={messages.charges} heads={heads} narrow="max-lg">
          {charges.map((charge) => (
            <ChargeRow key={charge.id} charge={charge} />
          ))}
        </TableFrame>
      )}
    </Listed>
  </section>
)

const heads = [
  ...[messages.date, messages.what, messages.paidWith, messages.state].map((title) => ({ title })),
  { title: messages.amount, className: 'text-right' },
  { title: messages.receipt, isHidden: true },
]

const ChargeRow = ({ charge }: { charge: OneCharge }) => {
  const { created, description, price, currency = 'usd', receiptUrl, paymentType } = charge
  const { words, tone } = chargeState(charge)
  const isInvoice = paymentType === 'invoice'
  const what = description || messages.invoice
  return (
    <tr
      className={cx(
        bodyRow,
        'max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:p-4',
      )}
    >
      <td className={cx(narrow, 'whitespace-nowrap text-muted max-lg:row-start-2')}>{dayWords(created)}</td>
      <th scope="row" className={cx(narrow, 'text-left font-medium')}>
        {what}
      </th>
      <td className={cx(narrow, 'text-muted max-lg:col-start-1')}>{paidWith(charge)}</td>
      <td className={cx(narrow, 'max-lg:col-start-2 max-lg:row-start-2 max-lg:justify-self-end')}>
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td className={cx(narrow, 'figures text-right font-medium max-lg:col-start-2 max-lg:row-start-1')}>
        {moneyWords(price, currency)}
      </td>
      <td className={cx(narrow, 'text-right max-lg:col-start-2')}>
        {receiptUrl !== '' && (charge.paid || isInvoice) && (
          <a
            href={receiptUrl}
            target="_blank"
            rel="noreferrer"
            className="touch inline-flex items-center underline underline-offset-2"
          >
            {charge.paid ? messages.receipt : messages.payInvoice}
            <span className="sr-only">: {messages.receiptOf(what, dayWords(created))}</span>
          </a>
        )}
      </td>
    </tr>
  )
}

const paidWith = ({ brand, last4, paymentType, credit, currency = 'usd' }: OneCharge): string => {
  const way = brand && last4 ? messages.card(cardName(brand), last4) : (messages.ways[paymentType] ?? paymentType)
  const ofCredit = credit === undefined ? null : messages.ofCredit(moneyWords(credit, currency))
  return [paymentType === 'credit' ? null : way, ofCredit].filter(Boolean).join(', ') || way
}

/** `visa` → `Visa`. */
export const cardName = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1)

const narrow = cx(cell, 'max-lg:block max-lg:p-0!')
