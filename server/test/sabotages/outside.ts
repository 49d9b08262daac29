import type { Sabotage } from '../sabotage.ts'

const uploads = (test: string) => ['server/src/assets/uploads.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an upload goes on into the room that the database needs',
    file: 'server/src/outside/disk-storage.ts',
    from: `            await requireRoom('upload', batch.length)
`,
    to: '',
    noticed: uploads('an upload stops before the kept room'),
  },
  {
    what: 'a bucket that is full is taken for one that refuses us',
    file: 'server/src/outside/bucket.ts',
    from: 'if (status === 507 || full.includes(code)) return',
    to: 'if (status === 507) return',
    noticed: ['server/src/outside/bucket.test.ts', 'says in words what is wrong'],
  },
  {
    what: 'a file whose parts could not be joined is taken for kept',
    file: 'server/src/outside/bucket.ts',
    from: `if (!done.includes('<CompleteMultipartUploadResult'))`,
    to: 'if (done === null)',
    noticed: ['server/src/outside/bucket.test.ts', 'that parts cannot be joined'],
  },
  {
    what: 'a server error with a code of the network’s own is taken for a refusal',
    file: 'server/src/outside/networks/adapter.ts',
    from: 'if (answer.status >= 500 || answer.status === 408)',
    to: 'if (kind === null && answer.status >= 500)',
    noticed: ['server/src/outside/networks/adapter.test.ts', 'is silence'],
  },
  {
    what: 'what is put of a file while it is removed stays in the bucket',
    file: 'server/src/outside/bucket-rows.ts',
    from: 'and touched_at = ${moment}::timestamptz`',
    to: 'and ${moment} is not null`',
    noticed: ['server/test/bucket.test.ts', 'leaves nothing that no row names'],
  },
  {
    what: 'what went back of a payment elsewhere is not counted',
    file: 'server/src/outside/payments/stripe-snapshots.ts',
    from: 'refunded: c.amount_refunded,',
    to: 'refunded: 0,',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'the sum refunded of a charge'],
  },
  {
    what: 'a refund that Stripe answers as failed counts as done',
    file: 'server/src/outside/payments/stripe.ts',
    from: "      if (hasFailed(made)) throw new PaymentRefused('payment.declined')\n",
    to: '',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'a refund that failed is refused'],
  },
  {
    what: 'the event of a refund that failed is read as nothing',
    file: 'server/src/outside/payments/stripe-returned.ts',
    from: 'if (!hasFailed(refund) || refundId',
    to: 'if (hasFailed(refund) || refundId',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'a refund that failed is refused'],
  },
  {
    what: 'what a bank has returned counts as taken back',
    file: 'server/src/outside/payments/stripe-returned.ts',
    from: "status !== 'won' && ",
    to: '',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'money that a bank took back'],
  },
  {
    what: 'credit notes of a mailed invoice are not counted',
    file: 'server/src/outside/payments/stripe-returned.ts',
    from: "if (status === 'issued') refunded +=",
    to: "if (status === 'void') refunded +=",
    noticed: ['server/src/outside/payments/stripe.test.ts', 'credit notes and refunds of a mailed invoice'],
  },
  {
    what: 'what went back of the payment of a mailed invoice is not counted',
    file: 'server/src/outside/payments/stripe-returned.ts',
    from: 'refunded += charge.amount_refunded',
    to: 'refunded += 0 * charge.amount_refunded',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'credit notes and refunds of a mailed invoice'],
  },
  {
    what: 'mentioned names are asked for all at once',
    file: 'server/src/outside/networks/bluesky.ts',
    from: 'const askedAtOnce = 4',
    to: 'const askedAtOnce = 400',
    noticed: ['server/src/outside/networks/bluesky.test.ts', 'names in a post are asked for once each'],
  },
  {
    what: 'a push service that closes without an answer is waited for',
    file: 'server/src/outside/push/browsers.ts',
    from: "        asked.on('close', () => resolve({ state: 'later', error: 'no whole answer came' }))\n",
    to: '',
    noticed: ['server/src/push/push.test.ts', 'anything else than an answer is one that says nothing'],
  },
  {
    what: 'a name that leads to no address is taken for one that does',
    file: 'server/src/outside/public-address.ts',
    from: "        if (!first) return done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '')\n",
    to: "        if (!first) return done(null, '')\n",
    noticed: ['server/src/outside/public-address.test.ts', 'ends with an error, which nothing else hears of'],
  },
  {
    what: 'a plan is taken off sale at Stripe before another one is its product’s first',
    file: 'server/src/outside/payments/stripe-catalogue.ts',
    from: 'const main = sold[0] === undefined ? {} : { default_price: sold[0] }',
    to: 'const main = {}',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'makes its new prices first'],
  },
  {
    what: 'the percent of a coupon at Stripe is read as none',
    file: 'server/src/outside/payments/stripe-snapshots.ts',
    from: 'off.reduce((most, one) => Math.max(most, one?.percent_off ?? 0), 0)',
    to: 'off.reduce((most) => most, 0)',
    noticed: ['server/src/outside/payments/stripe.test.ts', 'are read from Stripe'],
  },
]
