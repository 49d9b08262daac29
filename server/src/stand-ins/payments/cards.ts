import type { SandboxCard } from './objects.ts'

/** The only cards that the sandbox takes; any other number is refused, so that nobody types a real one. */
export const testCards = {
  '4242424242424242': { pays: 'always', brand: 'visa', words: 'pays' },
  '4000002500003155': { pays: 'always', brand: 'visa', words: 'pays after the bank has asked you', asks: true },
  '4000000000000341': { pays: 'never', brand: 'visa', words: 'is accepted, and fails whenever it is charged' },
  '4000000000005126': {
    pays: 'always',
    brand: 'visa',
    words: 'pays, and a refund to it fails a day later',
    later: 'fails refunds',
  },
  '4000000000000259': {
    pays: 'always',
    brand: 'visa',
    words: 'pays, and its bank takes the money back',
    later: 'takes back',
  },
  '4000000000000002': { pays: 'never', brand: 'visa', words: 'is declined', declined: true },
} as const satisfies Record<string, TestCard>
type TestCard = Pick<SandboxCard, 'pays' | 'brand' | 'later'> & { words: string; asks?: true; declined?: true }

export type CardOutcome = { card: SandboxCard } | { refused: 'unknown' | 'declined' | 'asks' }

/** What becomes of a typed number; `confirmed`: the bank has asked already. */
export const readCard = (typed: string, confirmed: boolean): CardOutcome => {
  const number = typed.replace(/[\s-]/g, '')
  const known: TestCard | undefined = testCards[number as keyof typeof testCards]
  if (!known) return { refused: 'unknown' }
  if (known.declined) return { refused: 'declined' }
  if (known.asks && !confirmed) return { refused: 'asks' }
  const { pays, brand, later } = known
  return { card: { pays, brand, last4: number.slice(-4), ...(later === undefined ? {} : { later }) } }
}
