import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'pages that were opened before use a coupon more often than it can be',
    file: 'server/src/stand-ins/payments/billing.ts',
    from: '  await requireUses(tx, order)\n',
    to: '',
    noticed: ['server/src/subscriptions/catalogue.test.ts', 'a coupon is used as often as it can be'],
  },
]
