import type { z } from 'zod'
import type { Charge } from '@clear-to-post/contract/subscriptions'
import { messages } from './messages.ts'
import { moneyWords } from './money.ts'

type Stands = Pick<z.output<typeof Charge>, 'paid' | 'status' | 'price' | 'disputed' | 'currency'>

/** How a payment stands, in words: what its bank took back is not paid, whatever the payment service calls it. */
export const chargeState = ({ paid, status, price, disputed = 0, currency = 'usd' }: Stands) => {
  if (paid && disputed > 0)
    return {
      words: disputed >= price ? messages.takenBack : messages.partTakenBack(moneyWords(disputed, currency)),
      tone: 'warn' as const,
    }
  const tone = paid ? 'good' : status === 'failed' ? 'danger' : 'warn'
  return { words: messages.states[status] ?? status, tone } as const
}
