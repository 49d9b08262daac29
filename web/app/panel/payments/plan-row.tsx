import { Link } from '@tanstack/react-router'
import type { PayersPlan } from '@clear-to-post/contract/subscriptions'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { moneyWords } from '../subscriptions/money.ts'
import { messages } from './messages.ts'

/** A payer's plan on a phone. */
export const PlanCard = ({ of: one }: { of: PayersPlan }) => (
  <div className="grid min-w-0 flex-1 gap-1">
    <p className="flex flex-wrap items-baseline justify-between gap-x-3">
      <Payer of={one} />
      <Price of={one} />
    </p>
    <p className="text-[0.8125rem] text-muted">{planWords(one)}</p>
    <PlanState of={one} />
  </div>
)

export const Payer = ({ of: { payer } }: { of: PayersPlan }) => (
  <Link
    to={paths.plan}
    search={payer.isCompany ? { company: payer.id } : { person: payer.id }}
    className="touch inline-flex items-center font-medium [overflow-wrap:anywhere] underline-offset-2 hover:underline"
  >
    {payer.name}
  </Link>
)

export const planWords = ({ product, quantity, isByHand }: PayersPlan): string =>
  [product, quantity > 1 && messages.seatsOf(quantity), isByHand && messages.byHand].filter(Boolean).join(' · ')

export const PlanState = ({ of: { state, until } }: { of: PayersPlan }) => {
  const tone = { running: 'good', owing: 'danger', paused: 'warn', ending: 'warn', ended: 'plain' } as const
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
      <Badge tone={tone[state]}>{messages.planStates[state]}</Badge>
      {until !== undefined && messages.until[state](dayWords(until))}
    </span>
  )
}

export const Price = ({ of: { renewalPrice, currency, interval } }: { of: PayersPlan }) => (
  <span className="figures whitespace-nowrap">
    {moneyWords(renewalPrice, currency)} {messages.each[interval]}
  </span>
)
