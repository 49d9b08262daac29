import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { decode, problemsOf } from '../../../test/stripe-description.ts'
import { signatureOf } from './events.ts'
import { BadSignature, PaymentAway, PaymentRefused, type Payments, type TakenOff } from './payments.ts'
import { stripe } from './stripe.ts'

const lately = Math.floor(Date.now() / 1000) - 86_400
/** Of the running period. */
const ends = new Date((lately + 30 * 86_400) * 1000)
/** The one subscription of the account; a test may change it. */
const held = subscription()
const heldCharge = charge()
const heldInvoice = invoice()
/** The refund that Stripe answers, and what its lists hold; a test may change them. */
const made: Record<string, unknown> = { id: 're_1' }
const [refunds, disputes, notes] = [list([]), list([]), list([])]
const invoices = list([invoice(), { ...invoice(), ending_balance: -200 }])
const transactions = list([{ id: 'cbtxn_1', metadata: {} }])
const paidBy = list([{ id: 'inpay_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }])

/** Each request the adapter makes, and where Stripe describes its parameters; what is not here is refused. */
const calls: [method: string, path: RegExp, file: string, params: string, answer: object][] = [
  ['POST', /^customers$/, 'Customers', 'CustomerCreateParams', { id: 'cus_1' }],
  ['POST', /^customers\/\w+$/, 'Customers', 'CustomerUpdateParams', { id: 'cus_1' }],
  [
    'GET',
    /^customers\/\w+$/,
    'Customers',
    'CustomerRetrieveParams',
    { id: 'cus_1', invoice_settings: { default_payment_method: null } },
  ],
  [
    'POST',
    /^checkout\/sessions$/,
    'Checkout/Sessions',
    'Checkout.SessionCreateParams',
    { id: 'cs_1', url: 'https://pay.test' },
  ],
  [
    'GET',
    /^checkout\/sessions\/\w+$/,
    'Checkout/Sessions',
    'Checkout.SessionRetrieveParams',
    { subscription: 'sub_1' },
  ],
  [
    'GET',
    /^checkout\/sessions$/,
    'Checkout/Sessions',
    'Checkout.SessionListParams',
    list([{ id: 'cs_newer' }, { id: 'cs_1' }, { id: 'cs_old' }]),
  ],
  ['POST', /^checkout\/sessions\/\w+\/expire$/, 'Checkout/Sessions', 'Checkout.SessionExpireParams', { id: 'cs_old' }],
  ['POST', /^invoices\/\w+\/void$/, 'Invoices', 'InvoiceVoidInvoiceParams', { id: 'in_1' }],
  ['GET', /^invoice_payments$/, 'InvoicePayments', 'InvoicePaymentListParams', paidBy],
  ['GET', /^customers\/\w+\/balance_transactions$/, 'Customers', 'CustomerListBalanceTransactionsParams', transactions],
  [
    'POST',
    /^customers\/\w+\/balance_transactions$/,
    'Customers',
    'CustomerCreateBalanceTransactionParams',
    { id: 'cbtxn_2' },
  ],
  ['POST', /^refunds$/, 'Refunds', 'RefundCreateParams', made],
  ['GET', /^refunds$/, 'Refunds', 'RefundListParams', refunds],
  ['GET', /^refunds\/\w+$/, 'Refunds', 'RefundRetrieveParams', made],
  ['GET', /^disputes$/, 'Disputes', 'DisputeListParams', disputes],
  ['GET', /^disputes\/\w+$/, 'Disputes', 'DisputeRetrieveParams', { id: 'dp_1', charge: 'ch_1' }],
  ['GET', /^credit_notes$/, 'CreditNotes', 'CreditNoteListParams', notes],
  ['GET', /^credit_notes\/\w+$/, 'CreditNotes', 'CreditNoteRetrieveParams', { id: 'cn_1', invoice: 'in_1' }],
  [
    'POST',
    /^billing_portal\/sessions$/,
    'BillingPortal/Sessions',
    'BillingPortal.SessionCreateParams',
    { url: 'https://portal.test' },
  ],
  ['POST', /^subscriptions$/, 'Subscriptions', 'SubscriptionCreateParams', { id: 'sub_1' }],
  ['POST', /^subscriptions\/\w+$/, 'Subscriptions', 'SubscriptionUpdateParams', { id: 'sub_1' }],
  ['DELETE', /^subscriptions\/\w+$/, 'Subscriptions', 'SubscriptionCancelParams', { id: 'sub_1' }],
  ['GET', /^payment_methods$/, 'PaymentMethods', 'PaymentMethodListParams', list([{ id: 'pm_1' }])],
  ['POST', /^payment_intents$/, 'PaymentIntents', 'PaymentIntentCreateParams', { id: 'pi_1' }],
  [
    'GET',
    /^payment_intents$/,
    'PaymentIntents',
    'PaymentIntentListParams',
    list([{ id: 'pi_1', metadata: { purchaseId: 'p1' } }]),
  ],
  ['POST', /^invoices\/create_preview$/, 'Invoices', 'InvoiceCreatePreviewParams', preview()],
  [
    'GET',
    /^events$/,
    'Events',
    'EventListParams',
    list([{ id: 'evt_1', type: 'price.updated', created: 1, data: { object: { id: 'price_1', object: 'price' } } }]),
  ],
  [
    'GET',
    /^coupons$/,
    'Coupons',
    'CouponListParams',
    list([
      coupon(),
      { ...coupon(), id: 'TRIAL', percent_off: null, amount_off: 500, currency: 'usd', duration: 'once' },
    ]),
  ],
  ['POST', /^coupons$/, 'Coupons', 'CouponCreateParams', coupon()],
  ['GET', /^coupons\/\w+$/, 'Coupons', 'CouponRetrieveParams', coupon()],
  ['DELETE', /^coupons\/\w+$/, 'Coupons', 'CouponDeleteParams', { id: 'TEN', deleted: true }],
  ['POST', /^products$/, 'Products', 'ProductCreateParams', product()],
  ['POST', /^products\/\w+$/, 'Products', 'ProductUpdateParams', product()],
  ['GET', /^products\/\w+$/, 'Products', 'ProductRetrieveParams', product()],
  ['POST', /^prices$/, 'Prices', 'PriceCreateParams', { id: 'price_new' }],
  ['POST', /^prices\/\w+$/, 'Prices', 'PriceUpdateParams', { id: 'price_1' }],
  ['GET', /^products$/, 'Products', 'ProductListParams', list([product()])],
  [
    'GET',
    /^prices$/,
    'Prices',
    'PriceListParams',
    list([
      {
        id: 'price_1',
        currency: 'usd',
        unit_amount: 9900,
        metadata: {},
        recurring: { interval: 'month', interval_count: 1 },
      },
    ]),
  ],
  [
    'GET',
    /^prices\/\w+$/,
    'Prices',
    'PriceRetrieveParams',
    { id: 'price_2', currency: 'usd', unit_amount: 1200, recurring: { interval: 'month' } },
  ],
  ['GET', /^subscriptions$/, 'Subscriptions', 'SubscriptionListParams', list([subscription()])],
  ['GET', /^subscriptions\/\w+$/, 'Subscriptions', 'SubscriptionRetrieveParams', held],
  ['GET', /^charges$/, 'Charges', 'ChargeListParams', list([heldCharge])],
  ['GET', /^charges\/\w+$/, 'Charges', 'ChargeRetrieveParams', heldCharge],
  ['GET', /^invoices$/, 'Invoices', 'InvoiceListParams', invoices],
  ['GET', /^invoices\/\w+$/, 'Invoices', 'InvoiceRetrieveParams', heldInvoice],
]

let server: Server
let api: Payments
let seen: { path: string; key: string | undefined; params: unknown }[]
let problems: string[]
let failure:
  | { status: number; error: object; method?: 'POST'; of?: (path: string, params: unknown, method?: string) => boolean }
  | undefined
const keys = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' }

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://api.test')
      const path = url.pathname.replace(/^\/v1\//, '')
      const call = calls.find(([method, pattern]) => method === request.method && pattern.test(path))
      const params = decode(request.method === 'POST' ? new URLSearchParams(text) : url.searchParams)
      seen.push({ path, key: request.headers['idempotency-key'] as string | undefined, params })
      if (request.headers['stripe-version'] !== '2026-10-28.endive') problems.push('another version')
      if (!call) problems.push(`${request.method} ${path} is not described`)
      else problems.push(...problemsOf(call[2], call[3], params).map((one) => `${request.method} ${path}: ${one}`))
      const isFailing =
        (failure?.method ?? request.method) === request.method && (failure?.of?.(path, params, request.method) ?? true)
      const failing = isFailing ? failure : undefined
      response.writeHead(failing?.status ?? (call ? 200 : 404), { 'content-type': 'application/json' })
      response.end(JSON.stringify(failing ? { error: failing.error } : answerOf(call?.[4] ?? {}, params)))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  api = stripe({ ...keys, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
afterAll(() => server.close())
beforeEach(() => {
  Object.assign(heldCharge, charge())
  Object.assign(heldInvoice, invoice())
  Object.assign(paidBy, list([{ id: 'inpay_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } }]))
  Object.assign(made, { status: 'succeeded', charge: 'ch_1', metadata: { refundId: 'r1' } })
  for (const one of [refunds, disputes, notes]) one.data = []
  invoices.data = [invoice(), { ...invoice(), ending_balance: -200 }]
  seen = []
  problems = []
  failure = undefined
})

const order = { planId: 'price_1', quantity: 3, couponId: 'TEN', percentOff: 10, amountOff: 0, months: null }
const running = { id: 'sub_1', itemId: 'si_1', customerId: 'cus_1' }
const asCounted = () => {
  const [{ price, current_period_start }] = held.items.data as [(typeof held.items.data)[number]]
  return { ...running, from: { planId: price.id, periodStart: new Date(current_period_start * 1000) } }
}
const unused = { videos: 0, of: 4, credited: 0 }
const purchase = { customerId: 'cus_1', purchaseId: 'p1', price: 2475, currency: 'usd', description: 'One more video' }

test('every request to Stripe matches Stripe’s description, and every change has an idempotency key', async () => {
  expect(await api.createCustomer({ owner: { userId: 'u' }, name: 'N', email: 'e@x.test', key: 'k1' })).toBe('cus_1')
  await api.updateCustomer('cus_1', { name: 'N', email: 'f@x.test' })
  expect(
    await api.checkout({
      ...order,
      customerId: 'cus_1',
      doneUrl: 'https://a.test/d',
      backUrl: 'https://a.test/b',
      key: 'k2',
    }),
  ).toBe('https://pay.test')
  await api.subscribeByMail({ ...order, customerId: 'cus_1', daysUntilDue: 14, key: 'k3' })
  expect(await api.portal('cus_1', 'https://a.test')).toBe('https://portal.test')
  expect(await api.buy(purchase)).toEqual({ kind: 'payment_intent', id: 'pi_1' })
  expect(await api.findPurchase('cus_1', 'p1')).toEqual({ kind: 'payment_intent', id: 'pi_1' })
  await api.pause('sub_1', ends, 'k4')
  // Another period has begun: its charge is not held back any more.
  const tooLate = () => api.pause('sub_1', new Date(lately * 1000), 'k4 again')
  await expect(tooLate()).rejects.toMatchObject({ reason: 'subscription.changing' })
  const { pause_collection: notPaused } = held
  Object.assign(held, { pause_collection: { behavior: 'void' } })
  // A repeat whose answer was lost: it is paused.
  await tooLate()
  await api.resume('sub_1', false, 'k5')
  await api.resume('sub_1', true, 'k6')
  Object.assign(held, { pause_collection: notPaused })
  // What goes on already would be charged twice.
  await api.resume('sub_1', true, 'k6 again')
  expect(await api.previewChange(running, { planId: 'price_2', quantity: 3 }, unused)).toMatchObject({
    credit: 0,
    charge: 700,
    due: 700,
  })
  await api.change(asCounted(), { planId: 'price_2', quantity: 3 }, unused, 'k7')
  for (const other of [{ planId: 'price_9' }, { periodStart: new Date(0) }]) {
    const meanwhile = { ...running, from: { ...asCounted().from, ...other } }
    const refused = api.change(meanwhile, { planId: 'price_2', quantity: 3 }, unused, 'k7 again')
    await expect(refused).rejects.toMatchObject({ reason: 'subscription.changing' })
  }
  await api.endWithPeriod('sub_1')
  await api.end('sub_1', 'k8')
  await api.undo('sub_1', 'k9')
  await api.refund({ chargeId: 'ch_1', amount: 500, refundId: 'r1' })
  await api.credit({ customerId: 'cus_1', amount: 500, currency: 'usd', refundId: 'r2' })
  expect(problems).toEqual([])
  const changes = seen.filter(({ key }) => key !== undefined).map(({ key }) => key)
  expect(changes.filter((key) => key?.endsWith('again'))).toEqual([])
  expect(changes).toEqual(
    expect.arrayContaining([
      'k1',
      'k2',
      'k3',
      'purchase-p1',
      'k4',
      'k5',
      'k6',
      'k7',
      'k8',
      'k9',
      'k9 inpay_1',
      'k9 balance in_1',
    ]),
  )
  expect(seen.find(({ key }) => key === 'k9 balance in_1')?.params).toMatchObject({
    amount: '-1200',
    currency: 'usd',
    metadata: { undone: 'sub_1', invoice: 'in_1' },
  })
  expect(seen.find(({ path }) => path === 'refunds')?.params).toEqual({ payment_intent: 'pi_1', reason: 'duplicate' })
  // Only payment pages that are older than the one just made are closed.
  const closed = () => seen.filter(({ path }) => path.endsWith('/expire')).map(({ path }) => path)
  expect(closed()).toEqual(['checkout/sessions/cs_old/expire'])
  seen = []
  await api.closePages('cus_1')
  expect(problems).toEqual([])
  expect(closed()).toEqual(['cs_newer', 'cs_1', 'cs_old'].map((id) => `checkout/sessions/${id}/expire`))
  seen = []
  expect(await api.runningOf('cus_1')).toEqual(['sub_1'])
  expect([problems, seen.map(({ path, params }) => [path, params])]).toEqual([
    [],
    [['subscriptions', { customer: 'cus_1', limit: '100' }]],
  ])
})

test('a plan change is prorated from the same moment in preview and change, by our rule', async () => {
  const start = Math.floor(Date.now() / 1000) - 86_400
  const end = start + 30 * 86_400
  const [item] = held.items.data
  const set = (quantity: number, status = 'paid', pausedFrom: number | null = null) => {
    Object.assign(item!, { quantity, current_period_start: start, current_period_end: end })
    Object.assign(held, {
      latest_invoice: { ...held.latest_invoice, status },
      pause_collection: pausedFrom === null ? null : { behavior: 'void' },
      metadata: pausedFrom === null ? {} : { paused_from: String(pausedFrom) },
    })
  }
  const asked = async (quantity: number, used: { videos: number; of: number; credited?: number }, at?: Date) => {
    seen = []
    const to = { planId: 'price_1', quantity, ...(at ? { at } : {}) }
    const preview = await api.previewChange(running, to, { credited: 0, ...used })
    await api.change(asCounted(), to, { credited: 0, ...used }, 'k')
    const bodies = seen.map(({ params }) => params as Record<string, unknown>)
    const change = bodies.find((body) => 'payment_behavior' in body)!
    const shown = bodies.find((body) => 'subscription_details' in body)?.['subscription_details'] ?? null
    const { proration_behavior, proration_date } = change
    if (shown) expect(shown).toMatchObject({ proration_behavior, ...(proration_date ? { proration_date } : {}) })
    return { preview, proration_behavior, from: proration_date === undefined ? null : Number(proration_date) }
  }
  try {
    // 1,200 a month each, after the price that the test answers: from three seats at 500.
    set(3)
    expect(await asked(4, { videos: 12, of: 12 })).toMatchObject({ proration_behavior: 'always_invoice', from: start })
    // Half of the videos are used: from the middle of the period on, although a day has passed.
    set(9)
    const half = await asked(1, { videos: 18, of: 36 })
    expect(half).toMatchObject({ proration_behavior: 'always_invoice', from: start + 15 * 86_400 })
    expect(await asked(1, { videos: 36, of: 36 })).toMatchObject({
      proration_behavior: 'none',
      from: null,
      preview: { credit: 0, charge: 0, due: 0 },
    })
    // As of when it was shown, and of nothing before its period.
    for (const [at, from] of [
      [start + 80_000, start + 80_000],
      [start - 80_000, start],
    ] as const)
      expect(await asked(1, { videos: 0, of: 36 }, new Date(at * 1000))).toMatchObject({ from })
    // Of 4,050 so much went back, to the card or by its bank: what stands is the period's last part.
    const paidWith = (amount_refunded: number, lost = 0) => {
      const paying = { ...charge(), amount: 4050, amount_refunded, disputed: lost > 0 }
      paidBy.data = [{ id: 'inpay_1', payment: { payment_intent: { id: 'pi_1', latest_charge: paying } } }] as never
      disputes.data = lost > 0 ? [{ id: 'dp_1', amount: lost, status: 'lost' }] : []
    }
    invoices.data = [invoice()]
    const unusedAll = { videos: 0, of: 36 }
    for (const [refunded, lost] of [
      [2700, 0],
      [0, 2700],
      [1350, 1350],
    ] as const) {
      paidWith(refunded, lost)
      expect(await asked(1, unusedAll)).toMatchObject({ from: start + 20 * 86_400 })
    }
    paidWith(0)
    expect(await asked(1, { ...unusedAll, credited: 2700 })).toMatchObject({ from: start + 20 * 86_400 })
    paidWith(4050)
    expect(await asked(1, unusedAll)).toMatchObject({ proration_behavior: 'none', preview: { credit: 0 } })
    const asks = seen.find(
      ({ path, params }) => path === 'invoices' && (params as { status?: string }).status === 'paid',
    )
    expect(asks?.params).toMatchObject({ subscription: 'sub_1', status: 'paid', created: { gte: String(start - 60) } })
    paidWith(0)
    // What was taken back was paid before; what is void otherwise was not. Paused since before the period began, nothing comes back.
    set(9, 'void')
    expect(await asked(1, { videos: 0, of: 36 })).toMatchObject({ proration_behavior: 'none' })
    Object.assign(held, { metadata: { taken_back: 'in_1' } })
    expect(await asked(1, { videos: 0, of: 36 })).toMatchObject({ proration_behavior: 'always_invoice' })
    set(9, 'paid', start)
    expect(await asked(1, { videos: 0, of: 36 })).toMatchObject({ proration_behavior: 'none' })
    expect(problems).toEqual([])
  } finally {
    Object.assign(held, subscription())
  }
})

test('a plan is not changed while an invoice of it is open, and goes back to what was paid, whose invoice is void', async () => {
  const to = { planId: 'price_2', quantity: 3 }
  const owes = { reason: 'subscription.owes' }
  const changes = () => seen.filter(({ key }) => key !== undefined).map(({ path, params, key }) => [path, params, key])
  const back = async () => {
    const invoice = await api.voidOpen('sub_1', 'k')
    if (invoice !== null) await api.putBack(running, { planId: 'price_2', quantity: 2, invoice }, 'k')
    return invoice
  }
  // The last one is paid.
  expect([await back(), changes()]).toEqual([null, []])
  invoices.data = [{ ...invoice(), id: 'in_2', status: 'open' }, invoice()]
  await expect(api.previewChange(running, to, unused)).rejects.toMatchObject(owes)
  await expect(api.change(asCounted(), to, unused, 'k')).rejects.toMatchObject(owes)
  expect(changes()).toEqual([])
  expect(seen.find(({ path }) => path === 'invoices')?.params).toMatchObject({ subscription: 'sub_1', status: 'open' })
  // Asked once more for what runs already, it is no other change.
  await api.previewChange(running, { planId: 'price_1', quantity: 3 }, unused)
  seen = []
  expect(await back()).toBe('in_2')
  const items = [{ id: 'si_1', price: 'price_2', quantity: '2' }]
  const putBack = ['subscriptions/sub_1', { items, proration_behavior: 'none', metadata: { taken_back: 'in_2' } }, 'k']
  expect(changes()).toEqual([['invoices/in_2/void', {}, 'k void in_2'], putBack])
  // Cut in between, and gone on with: it is void already.
  invoices.data = [{ ...invoice(), id: 'in_2', status: 'void' }, invoice()]
  Object.assign(held, { latest_invoice: { ...held.latest_invoice, id: 'in_2', status: 'void' } })
  seen = []
  expect(await back()).toBe('in_2')
  expect(changes()).toEqual([putBack])
  // One that is written and not sent yet is as good as open.
  invoices.data = [invoice()]
  Object.assign(held, { latest_invoice: { ...held.latest_invoice, status: 'draft' } })
  await expect(api.change(asCounted(), to, unused, 'k')).rejects.toMatchObject(owes)
  Object.assign(held, subscription())
  expect(problems).toEqual([])
})

test('a plan that is undone ends last: cut anywhere before, it runs still and is found and undone once more', async () => {
  const changes = () => seen.filter(({ key }) => key !== undefined).map(({ path }) => path)
  invoices.data = [invoice()]
  await api.undo('sub_1', 'k')
  const whole = changes()
  expect(whole).toEqual(['refunds', 'customers/cus_1/balance_transactions', 'subscriptions/sub_1'])
  const error = { type: 'invalid_request_error', message: 'not now' }
  for (const [at, cut] of whole.entries()) {
    seen = []
    failure = { status: 400, error, of: (path, _params, method) => path === cut && method !== 'GET' }
    await expect(api.undo('sub_1', `k ${at}`)).rejects.toMatchObject({ message: 'not now' })
    expect(changes()).toEqual(whole.slice(0, at + 1))
  }
  failure = undefined
  // One that is not paid is void before it ends.
  seen = []
  invoices.data = [{ ...invoice(), status: 'open' }]
  await api.undo('sub_1', 'k open')
  expect(changes()).toEqual(['invoices/in_1/void', 'subscriptions/sub_1'])
  expect(problems).toEqual([])
})

test('all that was paid for a plan that is undone goes back, of each of its invoices once, however often it is asked', async () => {
  const other = { ...invoice(), id: 'in_2', starting_balance: -300, ending_balance: 0 }
  // A seat more is open, and one less put 400 to the payer's good.
  const fewer = { ...invoice(), id: 'in_4', total: -400, starting_balance: 0, ending_balance: -400 }
  invoices.data = [{ ...invoice(), id: 'in_3', status: 'open' }, fewer, other, invoice()]
  paidBy.data = ['in_4', 'in_2', 'in_1'].map((of) => ({
    id: `inpay_${of}`,
    invoice: of,
    payment: { type: 'payment_intent', payment_intent: `pi_${of}` },
  }))
  const undone = async () => {
    seen = []
    await api.undo('sub_1', 'k')
    return seen.flatMap(({ path, key, params }) => {
      const { payment_intent, amount } = params as Record<string, string>
      return key === undefined ? [] : [[path, payment_intent ?? amount, key]]
    })
  }
  const balance = 'customers/cus_1/balance_transactions'
  const ofCards = [
    ['invoices/in_3/void', undefined, 'k void in_3'],
    ['refunds', 'pi_in_4', 'k inpay_in_4'],
    [balance, '400', 'k balance in_4'],
    ['refunds', 'pi_in_2', 'k inpay_in_2'],
    [balance, '-300', 'k balance in_2'],
    ['refunds', 'pi_in_1', 'k inpay_in_1'],
    [balance, '-1200', 'k balance in_1'],
    ['subscriptions/sub_1', undefined, 'k'],
  ]
  expect(await undone()).toEqual(ofCards)
  // Stripe has forgotten the keys: the marks find what went back of the one, and of the other it goes back still.
  transactions.data = [{ id: 'cbtxn_1', metadata: { undone: 'sub_1', invoice: 'in_2' } }]
  const balances = (await undone()).flatMap(([path, amount]) => (path === balance ? [amount] : []))
  transactions.data = [{ id: 'cbtxn_1', metadata: {} }]
  expect(balances).toEqual(['400', '-1200'])
  expect(problems).toEqual([])
})

/** Each call that makes more than one change at Stripe, and what holds where it is cut in between. */
const ofSeveralChanges = {
  checkout: 'pages that stay open beside the new one are paid once: the second plan is undone',
  undo: 'the plan ends last, and is found until then',
  saveProduct: 'nothing of it is sold before all of it is there, and it is asked for again',
}
test('calls that make more than one change at Stripe are known, each with what holds where it is cut', async () => {
  const several: string[] = []
  const background: typeof waitedFor = {
    closePages: () => api.closePages('cus_1'),
    end: () => api.end('sub_1', 'k'),
    endWithPeriod: () => api.endWithPeriod('sub_1'),
    goOn: () => api.goOn('sub_1'),
    undo: () => api.undo('sub_1', 'k'),
    updateCustomer: () => api.updateCustomer('cus_1', { name: 'N', email: '' }),
    refund: () => api.refund({ chargeId: 'ch_1', amount: 500, refundId: 'r1' }),
    credit: () => api.credit({ customerId: 'cus_1', amount: 500, currency: 'usd', refundId: 'r2' }),
    retireCoupon: () => api.retireCoupon('TEN'),
    createCoupon: () => {
      const terms = { currency: null, months: null, redeemBy: null, mostUses: null, percentOff: 10, amountOff: null }
      return api.createCoupon({ id: 'TEN', ...terms, key: 'k' })
    },
  }
  const single: (keyof Payments)[] = ['forgetCustomer']
  invoices.data = [{ ...invoice(), status: 'open' }]
  for (const [name, asked] of Object.entries({ ...waitedFor, ...background })) {
    seen = []
    await asked().catch(() => {})
    // The same one for several things, such as all open pages, goes on where it is asked again.
    const kinds = new Set(seen.filter(({ key }) => key !== undefined).map(({ path }) => path.replace(/\w+_\w+/g, '1')))
    if (kinds.size > 1) several.push(name)
  }
  expect([...several, 'saveProduct'].toSorted()).toEqual(Object.keys(ofSeveralChanges).toSorted())
  const all = [...Object.keys(waitedFor), ...inTheBackground, ...ofTheCatalogue]
  const reads = [
    'kind',
    'says',
    'clockAhead',
    'readEvent',
    'read',
    'everything',
    'missed',
    'findPurchase',
    'runningOf',
    'isGiven',
  ]
  const known = [...Object.keys(waitedFor), ...Object.keys(background), ...single, ...reads, 'saveProduct']
  expect(known.toSorted()).toEqual(all.toSorted())
})

test('a plan with more videos that costs no more begins a period, and one with as many does not', async () => {
  const asked = async (next?: number) => {
    seen = []
    const offer = { couponId: 'MOST', percentOff: 70, amountOff: 0, months: null }
    const to = { planId: 'price_2', quantity: 3, offer }
    await api.change(asCounted(), to, { ...unused, ...(next ? { next } : {}) }, 'k')
    const bodies = seen.map(({ params }) => params as Record<string, unknown>)
    return bodies.find((body) => 'payment_behavior' in body)!['billing_cycle_anchor']
  }
  expect([await asked(20), await asked(4), await asked()]).toEqual([{ type: 'now' }, undefined, undefined])
  expect(problems).toEqual([])
})

test('a plan change takes the coupon of its offer, or none, in preview and change alike', async () => {
  const asked = async (offer: TakenOff | null | undefined) => {
    seen = []
    const to = { planId: 'price_2', quantity: 3, ...(offer === undefined ? {} : { offer }) }
    await api.previewChange(running, to, unused)
    await api.change(asCounted(), to, unused, 'k')
    const bodies = seen.map(({ params }) => params as Record<string, unknown>)
    const [shown, made] = ['subscription_details', 'payment_behavior'].map((name) =>
      bodies.find((body) => name in body)!,
    )
    expect(shown!['discounts']).toEqual(made!['discounts'])
    return [made!['discounts'], made!['metadata']]
  }
  const offer = { couponId: 'HALF', percentOff: 50, amountOff: 0, months: 3 }
  expect(await asked(offer)).toEqual([[{ coupon: 'HALF' }], { coupon: 'HALF' }])
  expect(await asked(null)).toEqual(['', undefined])
  expect(await asked(undefined)).toEqual([undefined, undefined])
  // What is taken off decides whether it is more or less: three at 500 less 10 % to three at 1,200 less 70 %.
  await asked({ ...offer, percentOff: 70 })
  const change = seen.map(({ params }) => params as Record<string, unknown>).find((body) => 'payment_behavior' in body)!
  const [item] = held.items.data
  expect(Number(change['proration_date'])).toBeGreaterThan(item!.current_period_start)
  expect(problems).toEqual([])
})

test('subscriptions, the whole account and missed events are read from Stripe', async () => {
  const [used, read] = await api.read({ kind: 'checkout.session', id: 'cs_1' })
  expect(used).toMatchObject({ kind: 'coupon', id: 'TEN', uses: 4, mostUses: 50, months: 3, isValid: true })
  expect(read).toMatchObject({
    kind: 'subscription',
    id: 'sub_1',
    planId: 'price_1',
    quantity: 3,
    percentOff: 10,
    amountOff: 0,
    discountEnds: null,
    card: { brand: 'visa', last4: '4242' },
    couponIds: ['TEN'],
  })
  // A coupon for one invoice, which the next one uses: it ends with the running period, and is none for good.
  Object.assign(held, { discounts: [{ end: null, source: { coupon: { ...coupon(), duration: 'once' } } }] })
  const afterPeriod = new Date((held.items.data[0]!.current_period_end + 1) * 1000)
  expect(await api.read({ kind: 'subscription', id: 'sub_1' })).toContainEqual(
    expect.objectContaining({ discountEnds: afterPeriod }),
  )
  // Its discount is over and listed no more; what was ordered stands beside it.
  Object.assign(held, { discounts: [], metadata: { coupon: 'TEN' } })
  expect(await api.read({ kind: 'subscription', id: 'sub_1' })).toMatchObject([{ percentOff: 0, couponIds: ['TEN'] }])
  Object.assign(held, subscription())
  const all: string[] = []
  for await (const one of api.everything(new Date(0))) all.push(one.kind)
  // The invoice paid by credit is read as a charge; the other invoice is read by its own charge.
  expect(all).toEqual(['coupon', 'coupon', 'product', 'subscription', 'charge', 'charge'])
  expect(await api.read({ kind: 'invoice', id: 'in_1' })).toMatchObject([
    { kind: 'charge', paid: true, price: 0, credit: 1200, paymentType: 'credit' },
  ])
  for await (const one of api.missed(new Date(0))) expect(one.about).toEqual({ kind: 'price', id: 'price_1' })
  expect(await api.read({ kind: 'radar.review', id: 'x' })).toEqual([])
  expect(problems).toEqual([])
})

test('a product that is saved makes its new prices first, and retires old ones once another is the default', async () => {
  const metadata = { projectsPerMonth: 4, revisionsPerProject: 1, turnaroundHours: 48, rank: 1 }
  const plan = { currency: 'usd', price: 9900, interval: 'month' as const, metadata }
  const order = {
    id: 'prod_1',
    isNew: false,
    name: 'Steady',
    descriptions: { description: '', subtitle: 's' },
    position: 2,
    couponId: null,
    isActive: true,
    plans: [
      { ...plan, id: null, isBack: false },
      { ...plan, id: 'price_back', isBack: true, interval: 'year' as const },
      { ...plan, id: 'price_kept', isBack: false, price: 5 },
    ],
    retired: ['price_old'],
    key: 'k1',
  }
  const [kept] = await api.saveProduct(order)
  expect(kept).toMatchObject({ kind: 'product', id: 'prod_1', plans: [{ id: 'price_1', price: 9900 }] })
  const changes = () => seen.filter(({ key }) => key !== undefined).map(({ path, params }) => [path, params])
  expect(changes()).toEqual([
    [
      'prices',
      {
        product: 'prod_1',
        currency: 'usd',
        unit_amount: '9900',
        recurring: { interval: 'month' },
        metadata: { projectsPerMonth: '4', revisionsPerProject: '1', turnaroundHours: '48', rank: '1' },
        active: 'false',
      },
    ],
    ['products/prod_1', { name: 'Steady', description: '', metadata: { position: '2', subtitle: 's', coupon: '' } }],
    ['prices/price_new', { active: 'true' }],
    ['prices/price_back', { active: 'true' }],
    ['products/prod_1', { active: 'true', default_price: 'price_new' }],
    ['prices/price_old', { active: 'false' }],
  ])
  seen = []
  await api.saveProduct({ ...order, isNew: true, couponId: 'TEN', retired: [] })
  // Nothing is sold, and nothing is ours, before all of it is there.
  expect(changes()[0]).toEqual(['products', { id: 'prod_1', name: 'Steady', active: 'false' }])
  expect(changes()[2]).toEqual([
    'products/prod_1',
    { name: 'Steady', description: '', metadata: { position: '2', subtitle: 's', coupon: 'TEN' } },
  ])
  const keys = seen.flatMap(({ key }) => key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
  expect(problems).toEqual([])
})

test('an invalid request is refused in Stripe’s words, and nothing of a half-made product is sold', async () => {
  const metadata = { projectsPerMonth: 4, revisionsPerProject: 1, turnaroundHours: 48, rank: 1 }
  const plan = { id: null, isBack: false, currency: 'usd', price: 9900, interval: 'month' as const, metadata }
  const about = {
    id: 'prod_1',
    name: 'S',
    descriptions: { description: '', subtitle: '' },
    position: 2,
    couponId: null,
  }
  const plans = [plan, { ...plan, currency: 'xyz' }, { ...plan, id: 'price_back', isBack: true }]
  const error = { type: 'invalid_request_error', param: 'currency', message: 'Invalid currency: xyz' }
  failure = { status: 400, error, of: (_path, params) => (params as { currency?: string }).currency === 'xyz' }
  const says = { field: 'currency', words: 'Invalid currency: xyz' }
  for (const isNew of [true, false]) {
    seen = []
    const asked = api.saveProduct({ ...about, isNew, isActive: true, plans, retired: ['price_old'], key: `k ${isNew}` })
    await expect(asked).rejects.toMatchObject({ reason: 'payment.refused', says })
    const changes = seen.filter(({ key }) => key !== undefined).map(({ params }) => params)
    expect(changes).toHaveLength(isNew ? 3 : 2)
    for (const params of changes) expect(params).toMatchObject({ active: 'false' })
  }
  failure = { status: 400, error: { ...error, param: 'redeem_by', message: 'Too far' }, method: 'POST' }
  const refused = { reason: 'payment.refused', says: { field: 'redeem_by', words: 'Too far' } }
  const coupon = { id: 'TEN', currency: null, months: null, redeemBy: null, mostUses: null }
  const made = api.createCoupon({ ...coupon, percentOff: 10, amountOff: null, key: 'k1' })
  await expect(made).rejects.toMatchObject(refused)
})

/** What a person waits for, each as they ask for it; the rest is asked by the service, which says a mistake as one. */
const waitedFor: Partial<Record<keyof Payments, () => Promise<unknown>>> = {
  createCustomer: () => api.createCustomer({ owner: { userId: 'u' }, name: 'N', email: 'e@x.test', key: 'k1' }),
  checkout: () =>
    api.checkout({
      ...order,
      customerId: 'cus_1',
      doneUrl: 'https://a.test/d',
      backUrl: 'https://a.test/b',
      key: 'k2',
    }),
  subscribeByMail: () => api.subscribeByMail({ ...order, customerId: 'cus_1', daysUntilDue: 14, key: 'k3' }),
  portal: () => api.portal('cus_1', 'https://a.test'),
  buy: () => api.buy(purchase),
  pause: () => api.pause('sub_1', ends, 'k4'),
  resume: () => api.resume('sub_1', false, 'k5'),
  previewChange: () => api.previewChange(running, { planId: 'price_2', quantity: 3 }, unused),
  change: () => api.change(asCounted(), { planId: 'price_2', quantity: 3 }, unused, 'k6'),
  voidOpen: () => api.voidOpen('sub_1', 'k7'),
  putBack: () => api.putBack(running, { planId: 'price_2', quantity: 3, invoice: 'in_1' }, 'k8'),
}
const inTheBackground: (keyof Payments)[] = [
  ...(['kind', 'says', 'clockAhead', 'readEvent', 'read', 'everything', 'missed', 'findPurchase'] as const),
  ...(['closePages', 'runningOf', 'end', 'endWithPeriod', 'goOn', 'undo', 'updateCustomer', 'forgetCustomer'] as const),
  ...(['refund', 'credit', 'isGiven'] as const),
]
const ofTheCatalogue: (keyof Payments)[] = ['saveProduct', 'createCoupon', 'retireCoupon']

test('each call that a person waits for is refused in Stripe’s words where it is invalid, and not while it runs', async () => {
  expect(Object.keys(api).toSorted()).toEqual(
    [...Object.keys(waitedFor), ...inTheBackground, ...ofTheCatalogue].toSorted(),
  )
  const error = { type: 'invalid_request_error', param: 'customer', message: 'No such customer' }
  const says = { field: 'customer', words: 'No such customer' }
  Object.assign(held, { pause_collection: { behavior: 'void' } })
  try {
    for (const [name, asked] of Object.entries(waitedFor))
      for (const method of [undefined, 'POST'] as const) {
        invoices.data = name === 'voidOpen' ? [{ ...invoice(), status: 'open' }] : [invoice()]
        const only = method ? { method } : {}
        failure = { status: 400, error, ...only }
        await expect(asked(), name).rejects.toMatchObject({ reason: 'payment.refused', says })
      }
    // The same request is under way there. (Asked of one: the SDK asks each again for two seconds.)
    failure = { status: 409, error: { ...error, code: 'idempotency_key_in_use' }, method: 'POST' }
    await expect(waitedFor.checkout!()).rejects.toBeInstanceOf(PaymentAway)
  } finally {
    Object.assign(held, subscription())
  }
})

test('a coupon is made with its terms, one that exists is refused, and one that is deleted is gone', async () => {
  const coupon = { id: 'TEN', currency: null, months: null, redeemBy: null, mostUses: null }
  expect(await api.createCoupon({ ...coupon, percentOff: 10, amountOff: null, key: 'k1' })).toMatchObject([
    { kind: 'coupon', id: 'TEN', percentOff: 10, months: 3, uses: 4, redeemBy: new Date(1_800_000_000_000) },
  ])
  const terms = { months: 3, redeemBy: new Date(1_800_000_000_000), mostUses: 50 }
  await api.createCoupon({ ...coupon, ...terms, percentOff: null, amountOff: 500, currency: 'usd', key: 'k2' })
  expect(seen.map(({ params }) => params)).toEqual([
    { id: 'TEN', percent_off: '10', duration: 'forever' },
    {
      id: 'TEN',
      amount_off: '500',
      currency: 'usd',
      duration: 'repeating',
      duration_in_months: '3',
      redeem_by: '1800000000',
      max_redemptions: '50',
    },
  ])
  expect(await api.retireCoupon('TEN')).toEqual([{ kind: 'gone-coupon', id: 'TEN' }])
  expect(problems).toEqual([])
  failure = {
    status: 400,
    error: { type: 'invalid_request_error', code: 'resource_already_exists', message: 'exists' },
    method: 'POST',
  }
  const taken = api.createCoupon({ ...coupon, percentOff: 10, amountOff: null, key: 'k3' })
  await expect(taken).rejects.toMatchObject({ reason: 'coupon.taken' })
  failure = { status: 404, error: { type: 'invalid_request_error', code: 'resource_missing', message: 'gone' } }
  expect(await api.read({ kind: 'coupon', id: 'TEN' })).toEqual([{ kind: 'gone-coupon', id: 'TEN' }])
})

test('the sum refunded of a charge is read with it', async () => {
  expect(await api.read({ kind: 'charge', id: 'ch_1' })).toMatchObject([{ price: 500, refunded: 200 }])
})

test('a refund that failed is refused, not asked for again, and read with its payment', async () => {
  const given = { chargeId: 'ch_1', amount: 500, refundId: 'r1' }
  const created = () => seen.filter(({ path, key }) => path === 'refunds' && key !== undefined)
  for (const status of ['failed', 'canceled']) {
    // Stripe answers a key with what it answered before.
    Object.assign(made, { status })
    refunds.data = []
    await expect(api.refund(given)).rejects.toMatchObject({ reason: 'payment.declined' })
    refunds.data = [made]
    seen = []
    await expect(api.refund(given)).rejects.toMatchObject({ reason: 'payment.declined' })
    expect(created()).toEqual([])
    const failed = { kind: 'failed-refund', refundId: 'r1', chargeId: 'ch_1' }
    expect(await api.read({ kind: 'refund', id: 're_1' })).toMatchObject([failed, { kind: 'charge', id: 'ch_1' }])
  }
  // One that is on its way beside a failed one of former code, and one that was made by other hands.
  refunds.data = [{ ...made }, { ...made, status: 'pending' }]
  await api.refund(given)
  expect(created()).toEqual([])
  Object.assign(made, { metadata: {} })
  expect(await api.read({ kind: 'refund', id: 're_1' })).toMatchObject([{ kind: 'charge' }])
  refunds.data = [{ ...made, metadata: { refundId: 'r3' }, charge: charge() }]
  const kinds: string[] = []
  for await (const one of api.everything(new Date(0))) kinds.push(one.kind)
  expect(kinds).toContain('failed-refund')
  expect(problems).toEqual([])
})

test('money that a bank took back is read with the charge, until the bank returns it', async () => {
  Object.assign(heldCharge, { disputed: true, payment_intent: null })
  const takenBack = async (status: string) => {
    disputes.data = [{ id: 'dp_1', amount: 300, status }]
    const [read] = await api.read({ kind: 'dispute', id: 'dp_1' })
    return read?.kind === 'charge' ? read.disputed : null
  }
  for (const status of ['needs_response', 'under_review', 'lost']) expect(await takenBack(status)).toBe(300)
  for (const status of ['won', 'prevented', 'warning_needs_response', 'warning_closed'])
    expect(await takenBack(status)).toBe(0)
  expect(problems).toEqual([])
})

test('a purchase whose charge went back wholly, to the card or by its bank, is read as failed', async () => {
  const bought = async (amount_refunded: number, lost: number) => {
    Object.assign(heldCharge, { amount_refunded, disputed: lost > 0, metadata: { purchaseId: 'p1' } })
    disputes.data = lost > 0 ? [{ id: 'dp_1', amount: lost, status: 'lost' }] : []
    const [read] = await api.read({ kind: 'charge', id: 'ch_1' })
    return read?.kind === 'purchase' ? [read.purchaseId, read.state] : null
  }
  expect(await bought(499, 0)).toEqual(['p1', 'paid'])
  for (const [refunded, lost] of [
    [500, 0],
    [0, 500],
    [200, 300],
  ] as const)
    expect(await bought(refunded, lost)).toEqual(['p1', 'failed'])
  // One that failed bought nothing in the first place, which its payment intent says.
  Object.assign(heldCharge, { paid: false })
  expect(await bought(0, 0)).toBeNull()
  expect(problems).toEqual([])
})

test('the daily round reads what a charge bought before the charge, as events do', async () => {
  Object.assign(heldCharge, { metadata: { purchaseId: 'p1' } })
  const kinds: string[] = []
  for await (const one of api.everything(new Date(0))) kinds.push(one.kind)
  expect(kinds.indexOf('purchase')).toBe(kinds.indexOf('charge') - 1)
  expect(problems).toEqual([])
})

test('a charge is read with the subscription of its invoice, also in the daily round, and a single video with none', async () => {
  const of = {
    ...invoice(),
    collection_method: 'send_invoice',
    parent: { subscription_details: { subscription: 'sub_7' } },
  }
  Object.assign(heldCharge, { payment_intent: 'pi_1', amount_refunded: 0 })
  paidBy.data = [{ ...paidBy.data[0]!, invoice: { ...of, collection_method: 'charge_automatically' } }] as never
  const expected = { kind: 'charge', id: 'ch_1', subscriptionId: 'sub_7' }
  expect(await api.read({ kind: 'charge', id: 'ch_1' })).toMatchObject([expected])
  const asked = seen.find(({ path }) => path === 'invoice_payments')?.params
  expect(asked).toMatchObject({ payment: { type: 'payment_intent', payment_intent: 'pi_1' } })
  const all: object[] = []
  for await (const one of api.everything(new Date(0))) all.push(one)
  expect(all).toContainEqual(expect.objectContaining(expected))
  Object.assign(heldInvoice, of)
  expect(await api.read({ kind: 'invoice', id: 'in_1' })).toContainEqual(
    expect.objectContaining({ id: 'in_1', subscriptionId: 'sub_7' }),
  )
  // What credit paid beside it: the charge of the invoice, read by the invoice.
  Object.assign(heldInvoice, { ...of, collection_method: 'charge_automatically', ending_balance: -500, total: 1500 })
  paidBy.data = [{ id: 'inpay_1', payment: { payment_intent: { id: 'pi_1', latest_charge: charge() } } }] as never
  expect(await api.read({ kind: 'invoice', id: 'in_1' })).toContainEqual(expect.objectContaining(expected))
  seen = []
  Object.assign(heldCharge, { metadata: { purchaseId: 'p1' } })
  expect(await api.read({ kind: 'charge', id: 'ch_1' })).toMatchObject([{ kind: 'purchase' }, { subscriptionId: null }])
  expect(seen.map(({ path }) => path)).toEqual(['charges/ch_1'])
  expect(problems).toEqual([])
})

test('credit notes and refunds of a mailed invoice are read with it', async () => {
  Object.assign(heldInvoice, {
    collection_method: 'send_invoice',
    starting_balance: 0,
    ending_balance: 0,
    post_payment_credit_notes_amount: 700,
  })
  // 400 of the first note went to the payer's good; a void note counts for nothing.
  notes.data = [
    { status: 'issued', post_payment_amount: 700, refunds: [{ type: 'refund', amount_refunded: 300 }] },
    { status: 'void', post_payment_amount: 900, refunds: [] },
  ]
  const paying = { ...charge(), amount_refunded: 350, disputed: true }
  paidBy.data = [{ id: 'inpay_1', payment: { payment_intent: { id: 'pi_1', latest_charge: paying } } }] as never
  disputes.data = [{ id: 'dp_1', amount: 50, status: 'lost' }]
  const expected = { id: 'in_1', price: 1200, refunded: 750, disputed: 50 }
  expect(await api.read({ kind: 'credit_note', id: 'cn_1' })).toMatchObject([expected])
  // Whatever goes back of a charge goes back of the invoice that it paid.
  Object.assign(heldCharge, { payment_intent: 'pi_1' })
  paidBy.data = [{ ...paidBy.data[0]!, invoice: heldInvoice }] as never
  expect(await api.read({ kind: 'charge', id: 'ch_1' })).toMatchObject([expected])
  expect(problems).toEqual([])
})

test('a mailed invoice that a card pays is one payment, and a card that failed on it is a charge of its own', async () => {
  const mailed = { ...invoice(), collection_method: 'send_invoice', starting_balance: 0, ending_balance: 0 }
  const paying = { id: 'inpay_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' }, invoice: mailed }
  invoices.data = [mailed]
  Object.assign(heldInvoice, mailed)
  const read = async (how: object) => {
    Object.assign(heldCharge, { payment_intent: 'pi_1', ...how })
    paidBy.data = [paying]
    const found = new Set<string>()
    const all = await api.read({ kind: 'charge', id: 'ch_1' })
    for await (const one of api.everything(new Date(0))) all.push(one)
    for (const one of all) if (one.kind === 'charge') found.add(one.id)
    return [...found].toSorted()
  }
  expect(await read({})).toEqual(['in_1'])
  expect(await read({ paid: false, status: 'pending' })).toEqual(['in_1'])
  expect(await read({ paid: false, status: 'failed' })).toEqual(['ch_1', 'in_1'])
  expect(problems).toEqual([])
})

test('a mailed invoice that takes nothing is no payment, and a credit note lowers what one takes', async () => {
  const read = async (how: object) => {
    Object.assign(heldInvoice, { collection_method: 'send_invoice', starting_balance: 0, ending_balance: 0, ...how })
    paidBy.data = []
    const all = await api.read({ kind: 'invoice', id: 'in_1' })
    return all.flatMap((one) => (one.kind === 'charge' ? [[one.price, one.status]] : []))
  }
  // Of a smaller plan: its difference is to the payer's good.
  expect(await read({ total: -700, ending_balance: -700 })).toEqual([])
  expect(await read({ total: 0, ending_balance: 0 })).toEqual([])
  expect(await read({ total: 1200, status: 'open', pre_payment_credit_notes_amount: 500 })).toEqual([[700, 'open']])
  expect(await read({ total: 1200, status: 'paid', pre_payment_credit_notes_amount: 1200 })).toEqual([[0, 'paid']])
  expect(problems).toEqual([])
})

test('a charge that paid what credit did not is read with that credit, by its invoice, also in the daily round', async () => {
  const partly = { ...invoice(), ending_balance: -500, total: 1500 }
  Object.assign(heldInvoice, partly)
  invoices.data = [partly]
  const paying = { ...charge(), id: 'ch_2', disputed: true }
  paidBy.data = [{ id: 'inpay_1', payment: { payment_intent: { id: 'pi_1', latest_charge: paying } } }] as never
  disputes.data = [{ id: 'dp_1', amount: 300, status: 'lost', charge: paying }] as never
  const expected = { kind: 'charge', id: 'ch_2', price: 500, credit: 1000, refunded: 200, disputed: 300 }
  expect(await api.read({ kind: 'invoice', id: 'in_1' })).toMatchObject([expected])
  const all: object[] = []
  for await (const one of api.everything(new Date(0))) all.push(one)
  expect(all).toContainEqual(expect.objectContaining(expected))
  // What was not paid yet has used nothing up.
  Object.assign(heldInvoice, { status: 'open' })
  expect(await api.read({ kind: 'invoice', id: 'in_1' })).toEqual([])
  expect(problems).toEqual([])
})

test('a running period counts as charged once its invoice is paid, or mailed: it begins with a draft', async () => {
  const { latest_invoice: before } = held
  const read = async (status: string, more: object = {}) => {
    Object.assign(held, { latest_invoice: { ...before, status }, ...more })
    const all = await api.read({ kind: 'subscription', id: 'sub_1' })
    return all.flatMap((one) => (one.kind === 'subscription' ? [one.isCharged] : []))[0]
  }
  const said = async (statuses: string[], more?: object) => {
    const each: (boolean | undefined)[] = []
    for (const status of statuses) each.push(await read(status, more))
    return each
  }
  const statuses = ['draft', 'open', 'paid', 'void']
  try {
    expect(await said(statuses)).toEqual([false, false, true, false])
    expect(await said(statuses, { metadata: { taken_back: 'in_1' } })).toEqual([false, false, true, true])
    expect(await said(statuses, { collection_method: 'send_invoice' })).toEqual([false, true, true, true])
    expect(seen[0]?.params).toMatchObject({ expand: expect.arrayContaining(['latest_invoice']) })
    expect(problems).toEqual([])
  } finally {
    Object.assign(held, { latest_invoice: before, metadata: {}, collection_method: undefined })
  }
})

test('a change that costs at once at Stripe leaves everything as it was where the card does not pay', async () => {
  const { pause_collection: notPaused } = held
  const asked = async (work: () => Promise<unknown>) => {
    seen = []
    await work()
    return seen.flatMap(({ params }) => {
      const { billing_cycle_anchor, proration_behavior, payment_behavior } = params as Record<string, unknown>
      const costs = billing_cycle_anchor !== undefined || proration_behavior === 'always_invoice'
      return costs ? [payment_behavior] : []
    })
  }
  try {
    expect(await asked(() => api.change(asCounted(), { planId: 'price_2', quantity: 3 }, unused, 'm1'))).toEqual([
      'error_if_incomplete',
    ])
    Object.assign(held, { pause_collection: { behavior: 'void' } })
    expect(await asked(() => api.resume('sub_1', true, 'm2'))).toEqual(['error_if_incomplete'])
    expect(await asked(() => api.resume('sub_1', false, 'm3'))).toEqual([])
  } finally {
    Object.assign(held, { pause_collection: notPaused })
  }
})

test('the Stripe description check reports a wrong request', () => {
  const judged = (params: unknown) => problemsOf('Subscriptions', 'SubscriptionUpdateParams', params)
  expect(judged({ items: [{ id: 'si_1', prize: 'x' }] })).toEqual(['params.items[0].prize is not described'])
  expect(judged({ proration_behavior: 'sometimes' })).toHaveLength(1)
  expect(judged({ pause_collection: {} })).toEqual(['params.pause_collection.behavior is missing'])
  expect(problemsOf('PaymentIntents', 'PaymentIntentCreateParams', { amount: 'much', currency: 'usd' })).toHaveLength(1)
})

test('a customer whom nobody may be written to any more loses the address, and a deleted one stays deleted', async () => {
  await api.updateCustomer('cus_1', { name: 'N', email: '' })
  expect(seen).toMatchObject([{ path: 'customers/cus_1', params: { name: 'N', email: '' } }])
  failure = { status: 404, error: { type: 'invalid_request_error', code: 'resource_missing', message: 'gone' } }
  await api.updateCustomer('cus_1', { name: 'N', email: 'f@x.test' })
  failure = { status: 400, error: { type: 'invalid_request_error', param: 'email', message: 'Invalid email' } }
  await expect(api.updateCustomer('cus_1', { name: 'N', email: 'f' })).rejects.toMatchObject({ param: 'email' })
  expect(problems).toEqual([])
})

test('a plan that was canceled at once ended when Stripe says that it did', async () => {
  const [day, periodEnd] = [86_400, held.items.data[0]!.current_period_end]
  Object.assign(held, { status: 'canceled', ended_at: periodEnd - day })
  const read = await api
    .read({ kind: 'subscription', id: 'sub_1' })
    .finally(() => Object.assign(held, { ...subscription(), ended_at: null }))
  expect(read).toContainEqual(
    expect.objectContaining({ status: 'canceled', endsAt: new Date((periodEnd - day) * 1000) }),
  )
})

test('a plan that Stripe does not let end is a failure to be seen, unless it has ended already', async () => {
  failure = { status: 400, error: { type: 'invalid_request_error', message: 'no change' }, method: 'POST' }
  await expect(api.endWithPeriod('sub_1')).rejects.toMatchObject({ type: 'StripeInvalidRequestError' })
  Object.assign(held, { status: 'canceled' })
  await api.endWithPeriod('sub_1').finally(() => Object.assign(held, subscription()))
  failure = { status: 404, error: { type: 'invalid_request_error', code: 'resource_missing', message: 'gone' } }
  await api.endWithPeriod('sub_1')
  await api.goOn('sub_1')
})

test('a plan that we ended goes on again, and one that its customer ended, or that has ended, is left as it is', async () => {
  const changesOf = async (as: object, ask: (id: string) => Promise<void>) => {
    seen = []
    Object.assign(held, as)
    await ask('sub_1').finally(() => Object.assign(held, { ...subscription(), metadata: {} }))
    return seen.filter(({ path, params }) => path === 'subscriptions/sub_1' && Object.keys(params as object).length > 0)
  }
  const change = (cancel_at_period_end: string, ended_by: string) => [
    { params: { cancel_at_period_end, metadata: { ended_by } } },
  ]
  const ended = { cancel_at_period_end: true }
  const ours = { metadata: { ended_by: 'service' } }
  expect(await changesOf({}, api.endWithPeriod)).toMatchObject(change('true', 'service'))
  expect(await changesOf({ ...ended, ...ours }, api.goOn)).toMatchObject(change('false', ''))
  // Kept on the provider's own page meanwhile: what they end themselves from now on is theirs.
  expect(await changesOf(ours, api.goOn)).toMatchObject(change('false', ''))
  expect(await changesOf(ended, api.endWithPeriod)).toEqual([])
  expect(await changesOf({ cancel_at: lately }, api.endWithPeriod)).toEqual([])
  expect(await changesOf(ended, api.goOn)).toEqual([])
  expect(await changesOf({ status: 'canceled', ...ended, ...ours }, api.goOn)).toEqual([])
  expect(problems).toEqual([])
})

test('a refusal by Stripe and a failure to answer are different errors', async () => {
  const outcome = (call: Promise<unknown>) => call.catch((error: unknown) => error)
  failure = { status: 402, error: { type: 'card_error', code: 'card_declined', message: 'no' } }
  expect(await outcome(api.change(asCounted(), { planId: 'p', quantity: 1 }, unused, 'a'))).toMatchObject({
    reason: 'payment.declined',
  })
  failure = { status: 402, error: { type: 'card_error', code: 'authentication_required', message: 'ask' } }
  const asked = await outcome(api.change(asCounted(), { planId: 'p', quantity: 1 }, unused, 'b'))
  expect(asked).toBeInstanceOf(PaymentRefused)
  expect(asked).toMatchObject({ reason: 'payment.needs-confirmation' })
  failure = { status: 500, error: { type: 'api_error', message: 'down' } }
  expect(await outcome(api.portal('cus_1', 'https://a.test'))).toBeInstanceOf(PaymentAway)
  failure = { status: 404, error: { type: 'invalid_request_error', code: 'resource_missing', message: 'gone' } }
  expect(await api.read({ kind: 'subscription', id: 'sub_9' })).toEqual([])
  expect(await outcome(api.end('sub_9', 'c'))).toBeUndefined()
})

test('an event is accepted only with a valid signature over its exact bytes', async () => {
  const text = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.succeeded',
    created: 7,
    data: { object: { id: 'ch_1', object: 'charge' } },
  })
  const now = new Date()
  const signature = await signatureOf(text, keys.webhookSecret, now)
  expect(await api.readEvent(Buffer.from(text), signature, now)).toMatchObject({
    id: 'evt_1',
    about: { kind: 'charge', id: 'ch_1' },
  })
  await expect(api.readEvent(Buffer.from(`${text} `), signature, now)).rejects.toThrow(BadSignature)
})

/** What Stripe answers: of a list that is asked for by status, or by invoice, those of it alone. */
function answerOf(answer: object, params: unknown): object {
  const { status, invoice: of } = (params ?? {}) as { status?: string; invoice?: string }
  const isBy = (one: object) => !('invoice' in one) || typeof one.invoice !== 'string' || one.invoice === of
  if (of !== undefined && 'data' in answer) return { ...answer, data: (answer.data as object[]).filter(isBy) }
  const isOf = (one: object) => !('status' in one) || !('collection_method' in one) || one.status === status
  return status !== undefined && 'data' in answer ? { ...answer, data: (answer.data as object[]).filter(isOf) } : answer
}
function list(data: object[]) {
  return { object: 'list', data, has_more: false }
}
function preview() {
  return {
    total: 700,
    currency: 'usd',
    period_end: 1,
    lines: {
      data: [
        { amount: -500, period: { end: 5 } },
        { amount: 1200, period: { end: 9 } },
      ],
    },
  }
}
function product() {
  return {
    id: 'prod_1',
    name: 'Steady',
    active: true,
    description: 'd',
    metadata: { position: '1', projectsPerMonth: '4', revisionsPerProject: '1', turnaroundHours: '48', rank: '1' },
  }
}
function coupon() {
  return {
    id: 'TEN',
    percent_off: 10,
    amount_off: null,
    currency: null,
    duration: 'repeating',
    duration_in_months: 3,
    redeem_by: 1_800_000_000,
    max_redemptions: 50,
    times_redeemed: 4,
    valid: true,
  }
}
function charge() {
  return {
    id: 'ch_1',
    customer: 'cus_1',
    created: 1,
    paid: true,
    receipt_url: 'https://r.test',
    status: 'succeeded',
    refunded: false,
    amount: 500,
    amount_refunded: 200,
    currency: 'usd',
    description: null,
    metadata: {},
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
  }
}
function invoice() {
  return {
    id: 'in_1',
    customer: 'cus_1',
    created: 1,
    collection_method: 'charge_automatically',
    status: 'paid',
    total: 1200,
    pre_payment_credit_notes_amount: 0,
    starting_balance: -1500,
    ending_balance: -300,
    currency: 'usd',
    number: 'A-1',
    hosted_invoice_url: 'https://i.test',
    parent: null,
  }
}
function subscription() {
  return {
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    start_date: 1,
    metadata: {},
    pause_collection: null,
    cancel_at_period_end: false,
    cancel_at: null,
    days_until_due: null,
    // Of its 3,000, 1,200 came out of the balance.
    latest_invoice: { id: 'in_1', status: 'paid', currency: 'usd', starting_balance: -1200, ending_balance: 0 },
    default_payment_method: { id: 'pm_1', card: { brand: 'visa', last4: '4242' } },
    discounts: [{ end: null, source: { coupon: coupon() } }],
    items: {
      data: [
        {
          id: 'si_1',
          quantity: 3,
          current_period_start: lately,
          current_period_end: ends.getTime() / 1000,
          price: { id: 'price_1', unit_amount: 500, recurring: { interval: 'month' } },
        },
      ],
    },
  }
}
