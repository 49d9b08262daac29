export const paymentStates = ['failed', 'open', 'paid', 'refunded'] as const
export const planStates = ['owing', 'paused', 'ending', 'ended', 'running'] as const

/** What of the list of payments lives in its address. */
export type PaymentsSearch = { q?: string; state?: (typeof paymentStates)[number] }
export type PlansSearch = { q?: string; state?: (typeof planStates)[number] }

const reader =
  <State extends string>(states: readonly State[]) =>
  (search: Record<string, unknown>): { q?: string; state?: State } => {
    const state = states.find((one) => one === search['state'])
    return {
      ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
      ...(state === undefined ? {} : { state }),
    }
  }

export const readPaymentsSearch = reader(paymentStates)
export const readPlansSearch = reader(planStates)

/** The filters of both calls. */
export const wheresOf = ({ q, state }: { q?: string; state?: string }): string[] => [
  ...(q === undefined ? [] : [`payer:contains:${q}`]),
  ...(state === undefined ? [] : [`state:eq:${state}`]),
]
