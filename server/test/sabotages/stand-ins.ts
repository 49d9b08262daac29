import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a field that a network does not describe is taken by its stand-in',
    file: 'server/src/stand-ins/networks/described.ts',
    from: ': `${at} has no ${name}`',
    to: ': null',
    noticed: ['server/src/stand-ins/networks/described.test.ts'],
  },
  {
    what: 'pages that were opened before use a coupon more often than it can be',
    file: 'server/src/stand-ins/payments/billing.ts',
    from: '  await requireUses(tx, order)\n',
    to: '',
    noticed: ['server/src/subscriptions/catalogue.test.ts', 'a coupon is used as often as it can be'],
  },
]
