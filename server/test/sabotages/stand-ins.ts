import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a plan that its customer ended goes on once they are switched off and on',
    file: 'server/src/stand-ins/payments/provider.ts',
    from: "subscription.body.status === 'canceled' || !subscription.body.isEndedByService",
    to: "subscription.body.status === 'canceled'",
    noticed: ['server/src/subscriptions/paying.test.ts', 'go on with their plan, unless they had ended it themselves'],
  },
  {
    what: 'a forgotten customer of the sandbox’s gets a name again',
    file: 'server/src/stand-ins/payments/provider.ts',
    from: 'if (!customer || customer.body.isForgotten) return',
    to: 'if (!customer) return',
    noticed: ['server/src/subscriptions/customers.test.ts', 'never again once they are removed'],
  },
  {
    what: 'a field that a network does not describe is taken by its stand-in',
    file: 'server/src/stand-ins/networks/described.ts',
    from: ': `${at} has no ${name}`',
    to: ': null',
    noticed: ['server/src/stand-ins/networks/described.test.ts'],
  },
  {
    what: 'the address of a post on X is asked for a token',
    file: 'server/src/stand-ins/networks/x.ts',
    from: 'status\\/([^/]+)$/',
    to: 'statuses\\/([^/]+)$/',
    noticed: ['server/src/publishing/publishing.test.ts', 'at every network the address of a post opens'],
  },
  {
    what: 'pages that were opened before use a coupon more often than it can be',
    file: 'server/src/stand-ins/payments/billing.ts',
    from: 'await requireUses(tx, order.couponId)',
    to: 'void requireUses',
    noticed: ['server/src/subscriptions/catalogue.test.ts', 'a coupon is used as often as it can be'],
  },
  {
    what: 'a plan whose payment a bank took back is credited when it is changed',
    file: 'server/src/stand-ins/payments/billing.ts',
    from: 'used.credited + (await wentBackOf(tx, subscription))',
    to: 'used.credited',
    noticed: ['server/src/subscriptions/refunds.test.ts', 'does not come back as credit'],
  },
  {
    what: 'a coupon that a change of plan took away can be used by another',
    file: 'server/src/stand-ins/payments/catalogue.ts',
    from: "or jsonb_exists(o.body->'formerCoupons', c.id)",
    to: '',
    noticed: ['server/src/subscriptions/catalogue.test.ts', 'takes the coupon of the plan that it leads to'],
  },
  {
    what: 'a single video that was refunded is used all the same',
    file: 'server/src/stand-ins/payments/provider.ts',
    from: "status === 'succeeded' && stands > 0 ?",
    to: "status === 'succeeded' ?",
    noticed: ['server/src/subscriptions/refunds.test.ts', 'single video whose payment went back'],
  },
  {
    what: 'a page of another site moves the stand-ins of networks',
    file: 'server/src/stand-ins/networks/program.ts',
    from: 'if (!mayAsk(request))',
    to: 'if (false)',
    noticed: ['server/src/stand-ins/networks/program.test.ts', 'are changed by no page of another site'],
  },
  {
    what: 'a pattern hangs the stand-ins of networks',
    file: 'server/src/stand-ins/networks/program.ts',
    from: ', apart, { timeout: 100 })',
    to: ', apart)',
    noticed: ['server/src/stand-ins/networks/program.test.ts', 'a pattern that takes for ever'],
  },
]
