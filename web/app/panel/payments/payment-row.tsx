import type { Payment } from '@clear-to-post/contract/subscriptions'
import { dayWords } from '../../times.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'
import { PaymentMenu } from './payment-menu.tsx'

/** A payment on a phone. */
export const PaymentCard = ({ of: one }: { of: Payment }) => (
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
        <PaymentState of={one} />
        <NextStep of={one} />
      </p>
    </div>
    <PaymentMenu of={one} />
  </>
)

export const stateOf = ({ paid, status }: Payment) =>
  status === 'refunded' ? 'refunded' : paid ? 'paid' : status === 'failed' ? 'failed' : 'open'

/** What went back of it, to the card or as credit. */
export const backOf = ({ refunds }: Payment): number =>
  refunds.filter(({ state }) => state !== 'refused').reduce((sum, { amount }) => sum + amount, 0)

export const PaymentState = ({ of: one }: { of: Payment }) => {
  const state = stateOf(one)
  const tone = { paid: 'good', failed: 'danger', open: 'warn', refunded: 'plain' } as const
  return <Badge tone={tone[state]}>{messages.states[state]}</Badge>
}

/** What comes next of a payment, or how much of it went back. */
export const NextStep = ({ of: one }: { of: Payment }) => {
  const { step, until, disputed = 0, currency = 'usd' } = one
  const back = backOf(one)
  const words = [
    messages.steps[step](until === undefined ? undefined : dayWords(until)),
    disputed > 0 && messages.takenBack(moneyWords(disputed, currency)),
    back > 0 && messages.givenBack(moneyWords(back, currency)),
  ]
  return <span>{words.find(Boolean)}</span>
}

export const Amount = ({ of: { price, currency = 'usd' } }: { of: Payment }) => (
  <span className="figures font-medium whitespace-nowrap">{moneyWords(price, currency)}</span>
)
