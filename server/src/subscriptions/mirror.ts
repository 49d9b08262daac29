import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { sendMail } from '../mail/actions.ts'
import { payments, type ObjectRef, type ProviderEvent, type Snapshot } from '../outside/payments/payments.ts'
import { tellWhoPayBeside } from './beside.ts'
import { moveCredited, returnCredited } from './credited.ts'
import { failExtra, openExtras, payOwed } from './extras-store.ts'
import { noteOwing } from './owing.ts'
import { companiesWithOtherSeats, keepPeriod, payerRow, surplusIds } from './store.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'

/**
 * Our copy of what the provider knows. Nothing an event says is believed: the thing it is about is read anew, and what was
 * read is written unless a reading that began later stands there already. Whatever happens to a thing is followed by an
 * event, and so by a reading that began after it: in whichever order events come, however often, the last one wins.
 */

/** Keeps an event with the job that handles it, in one transaction; a second delivery changes nothing. */
export const receiveEvent = async (tx: Tx, event: ProviderEvent): Promise<void> => {
  const isNew = await tx.count(sql`
    insert into payment_event (id, type, object_kind, object_id, created_at)
    values (${event.id}, ${event.type}, ${event.about.kind}, ${event.about.id}, ${event.createdAt}) on conflict do nothing`)
  if (isNew === 1) await enqueue(tx, 'payment', { eventId: event.id })
}

/** Handles one kept event. Safe to repeat, and to leave in the middle. */
export const handleEvent = async (database: Database, eventId: string): Promise<void> => {
  const event = await database.asSystem((tx) =>
    tx.first(sql<{ object_kind: string; object_id: string }>`
      select object_kind, object_id from payment_event where id = ${eventId} and handled_at is null`),
  )
  if (!event) return
  await syncFromProvider(database, { kind: event.object_kind, id: event.object_id })
  await database.asSystem((tx) => tx.count(sql`update payment_event set handled_at = now() where id = ${eventId}`))
}

/** Reads a thing of the provider's, and keeps what was read. */
export const syncFromProvider = async (database: Database, about: ObjectRef): Promise<void> => {
  const reading = await database.asSystem(beginReading)
  const snapshots = await payments().read(about)
  await keep(database, snapshots, reading)
}

/** The number of a reading that begins now: later ones have higher ones. */
export const beginReading = async (tx: Tx): Promise<number> =>
  (await tx.first(sql<{ reading: number }>`select nextval('payment_reading')::float8 as reading`))!.reading

/** Keeps what was read, unless newer readings stand there. */
export const keep = async (database: Database, snapshots: readonly Snapshot[], reading: number): Promise<void> => {
  for (const snapshot of snapshots) {
    const isUnknown =
      snapshot.kind === 'subscription' && !(await database.asSystem((tx) => hasPlan(tx, snapshot.planId)))
    if (isUnknown) await syncFromProvider(database, { kind: 'price', id: snapshot.planId })
  }
  await database.asSystem((tx) => keepAll(tx, snapshots, reading))
}

/** The same in a transaction of the service's; a subscription to a plan that we do not know yet is left out. */
export const keepAll = async (tx: Tx, snapshots: readonly Snapshot[], reading: number): Promise<void> => {
  // Two that keep the same things in another order would wait for each other for ever.
  await keepAlone(tx)
  for (const snapshot of snapshots) await keepers[snapshot.kind](tx, snapshot as never, reading)
}

/** Until the transaction ends nobody else keeps anything of the provider's. */
export const keepAlone = (tx: Tx) => tx.rows(sql`select pg_advisory_xact_lock(4172665021)`)

/** Asks for events that never came to our door, and takes up again those that came and were not handled. */
export const sweepEvents = async (database: Database, now: Date): Promise<number> => {
  const rounds = { name: 'missed', pause: 5 * minute, patience: 5 * minute } as const
  return (await inRound(database, rounds, now, (last) => sweepSince(database, last, now))) ?? 0
}

const sweepSince = async (database: Database, last: Date, now: Date): Promise<number> => {
  let found = 0
  // An hour more than needed: what failed at the end of the last round is seen again.
  for await (const event of payments().missed(
    new Date(Math.max(last.getTime() - 60 * minute, now.getTime() - 25 * day)),
  )) {
    await database.asSystem((tx) => receiveEvent(tx, event))
    found++
  }
  await database.asSystem(async (tx) => {
    const stuck = await tx.rows(sql<{ id: string }>`
      select id from payment_event where handled_at is null and received_at < ${new Date(now.getTime() - 60 * minute)} limit 100`)
    for (const { id } of stuck) await enqueue(tx, 'payment', { eventId: id })
    await tx.count(sql`delete from payment_event where handled_at < ${new Date(now.getTime() - 60 * day)}`)
  })
  await settleExtras(database, now)
  return found
}

/** Once a day: everything is read, whatever events told. `force` does it now. */
export const reconcile = async (database: Database, now: Date, force = false): Promise<boolean> => {
  const rounds = {
    name: 'reconcile',
    ...(force ? { pause: 0, patience: 0 } : { pause: day, patience: 60 * minute }),
  } as const
  return (await inRound(database, rounds, now, () => readAll(database, now))) ?? false
}

const readAll = async (database: Database, now: Date): Promise<true> => {
  const reading = await database.asSystem(beginReading)
  const seen = { subscription: new Set<string>(), product: new Set<string>() }
  for await (const snapshot of payments().everything(new Date(now.getTime() - 35 * day))) {
    if (snapshot.kind === 'subscription' || snapshot.kind === 'product') seen[snapshot.kind].add(snapshot.id)
    await keep(database, [snapshot], reading)
  }
  await database.asSystem(async (tx) => {
    // A provider without a catalogue sells what we list.
    if (seen.product.size > 0)
      await tx.count(sql`update product set is_active = false where not (id = any(${[...seen.product]}::text[]))`)
    // What runs here and is unknown there has ended.
    await tx.count(sql`
      update subscription set status = 'canceled', ends_at = least(ends_at, now()), reading = ${reading}
      where provider_id is not null and status <> 'canceled' and reading < ${reading}
        and not (provider_id = any(${[...seen.subscription]}::text[]))`)
    for (const providerId of await surplusIds(tx)) await enqueue(tx, 'surplus', { providerId })
    for (const tenantId of await companiesWithOtherSeats(tx)) await enqueue(tx, 'seats', { tenantId })
  })
  return true
}

/** What became of purchases whose answer never came is asked about, never guessed. */
const settleExtras = async (database: Database, now: Date): Promise<void> => {
  const open = await database.asSystem((tx) => openExtras(tx, new Date(now.getTime() - 5 * minute)))
  for (const { id, customer_id } of open) {
    const found = customer_id === null ? null : await payments().findPurchase(customer_id, id)
    if (found) await syncFromProvider(database, found)
    else await database.asSystem((tx) => failExtra(tx, id, 'payment.unavailable'))
  }
}

type Rounds = { name: 'missed' | 'reconcile'; pause: number; patience: number }

/**
 * Makes a round, unless one was done within `pause`, or begun by somebody within `patience`; null then. It is told when the last one
 * was done: whatever failed or was killed since is seen again, however long nobody answered.
 */
const inRound = async <T>(
  database: Database,
  rounds: Rounds,
  now: Date,
  make: (last: Date) => Promise<T>,
): Promise<T | null> => {
  const last = await database.asSystem((tx) => claimRound(tx, rounds, now))
  if (last === null) return null
  const made = await make(last)
  await database.asSystem((tx) =>
    tx.count(sql`update payment_round set done_at = ${now} where name = ${rounds.name} and at = ${now}`),
  )
  return made
}

// A time further ahead is that of a wrong clock, and says nothing.
const claimRound = async (tx: Tx, { name, pause, patience }: Rounds, now: Date): Promise<Date | null> => {
  const { at, done } = (await tx.first(sql<{ at: Date; done: Date }>`
    select case when at = '-infinity' then to_timestamp(0) else at end as at,
      case when done_at = '-infinity' then to_timestamp(0) else done_at end as done
    from payment_round where name = ${name} for update`))!
  const isWithin = (one: Date, so: number) => Math.abs(now.getTime() - one.getTime()) < so
  if (isWithin(at, patience) || isWithin(done, pause)) return null
  await tx.count(sql`update payment_round set at = ${now} where name = ${name}`)
  return done > now ? new Date(0) : done
}

const hasPlan = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from plan where id = ${id}`)) !== undefined

type Kept<K extends Snapshot['kind']> = Extract<Snapshot, { kind: K }>

const keepers: { [K in Snapshot['kind']]: (tx: Tx, snapshot: Kept<K>, reading: number) => Promise<unknown> } = {
  subscription: async (tx, s, reading) => {
    const owner = await payerOf(tx, s.customerId)
    // Somebody the account has beside us, or a plan that is none of ours.
    if (!owner || !(await hasPlan(tx, s.planId))) return
    const before = await tx.first(sql<{ status: string; ends_at: Date | null }>`
      select status, ends_at from subscription where provider_id = ${s.id} for update`)
    const written = await tx.count(sql`
      insert into subscription (provider_id, user_id, tenant_id, plan_id, status, start_date, current_period_start,
        current_period_end, item_id, quantity, percent_off, amount_off, discount_ends, paused_from, ends_at, days_until_due, payment_method_id,
        card_brand, card_last4, credit, coupon_ids, reading, period_since)
      values (${s.id}, ${owner.user_id}, ${owner.tenant_id}, ${s.planId}, ${s.status}, ${s.startedAt}, ${s.periodStart},
        ${s.periodEnd}, ${s.itemId}, ${s.quantity}, ${s.percentOff}, ${s.amountOff}, ${s.discountEnds}, ${s.pausedFrom}, ${s.endsAt}, ${s.daysUntilDue},
        ${s.paymentMethodId}, ${s.card?.brand ?? null}, ${s.card?.last4 ?? null}, ${s.credit}, ${s.couponIds}, ${reading},
        -- In a sandbox whose clock was moved, a period may begin in our future.
        least(${s.periodStart}::timestamptz, now()))
      on conflict (provider_id) do update set
        -- A renewal is paid at its start; what begins within a period with a change of plan, by what was paid before.
        covered_since = case
          when subscription.current_period_start is not distinct from excluded.current_period_start then subscription.covered_since
          when (select b.interval <> a.interval or (b.id <> a.id and excluded.current_period_start < subscription.current_period_end)
              from plan b, plan a where b.id = subscription.plan_id and a.id = excluded.plan_id)
            then coalesce(subscription.covered_since, subscription.current_period_start) end,
        period_since = case
          when subscription.current_period_start is not distinct from excluded.current_period_start then subscription.period_since
          else excluded.period_since end,
        plan_id = excluded.plan_id, status = excluded.status, start_date = excluded.start_date,
        current_period_start = excluded.current_period_start, current_period_end = excluded.current_period_end,
        item_id = excluded.item_id, quantity = excluded.quantity, percent_off = excluded.percent_off,
        amount_off = excluded.amount_off, discount_ends = excluded.discount_ends,
        paused_from = excluded.paused_from, ends_at = excluded.ends_at, days_until_due = excluded.days_until_due,
        payment_method_id = excluded.payment_method_id, card_brand = excluded.card_brand,
        card_last4 = excluded.card_last4, credit = excluded.credit, reading = excluded.reading,
        coupon_ids = array(select distinct unnest(subscription.coupon_ids || excluded.coupon_ids) as one order by one)
      where subscription.reading < excluded.reading`)
    if (written === 0) return
    const isPaidNow = await keepPeriod(tx, s.id, s.isCharged)
    if (s.status === 'past_due' && before?.status !== 'past_due') await notifyOwing(tx, owner, s)
    if (s.status === 'canceled' && before && before.status !== 'canceled') await notifyEnded(tx, owner, s)
    // The seats may have changed between the payment page and its payment, while it was to end, or while the invoice was a draft.
    const isKept = before?.ends_at && s.endsAt === null
    if ((before?.status !== s.status || isKept || isPaidNow) && owner.tenant_id !== null)
      await enqueue(tx, 'seats', { tenantId: owner.tenant_id })
    await noteOwing(tx, owner)
    const who = payerIn(owner)
    await tellWhoPayBeside(tx, who, new Date())
    // Bought, kept or resumed while its payer is switched off or shut out.
    const goesOn = s.status !== 'canceled' && s.endsAt === null
    if (goesOn && !(await payerRow(tx, who))?.is_active) await enqueue(tx, 'payer-standing', who)
    if (before?.status !== s.status)
      for (const providerId of await surplusIds(tx, owner)) await enqueue(tx, 'surplus', { providerId })
  },
  charge: async (tx, c, reading) => {
    const owner = await payerOf(tx, c.customerId)
    if (!owner) return
    const before = await tx.first(
      sql<{ paid: boolean; disputed: number }>`select paid, disputed from charge where id = ${c.id}`,
    )
    const written = await tx.count(sql`
      insert into charge (id, user_id, tenant_id, created_at, paid, receipt_url, status, price, credit, refunded, disputed,
        currency, payment_type, last4, brand, description, subscription_provider_id, reading, taken_back_at)
      values (${c.id}, ${owner.user_id}, ${owner.tenant_id}, ${c.createdAt}, ${c.paid}, ${c.receiptUrl}, ${c.status},
        ${c.price}, ${c.credit}, ${c.refunded}, ${c.disputed}, ${c.currency}, ${c.paymentType}, ${c.card?.last4 ?? null}, ${c.card?.brand ?? null}, ${c.description},
        ${c.subscriptionId}, ${reading}, case when ${wentBackToBank(c)} then now() end)
      on conflict (id) do update set paid = excluded.paid, receipt_url = excluded.receipt_url, status = excluded.status,
        price = excluded.price, credit = greatest(charge.credit, excluded.credit), refunded = excluded.refunded, disputed = excluded.disputed,
        payment_type = excluded.payment_type, last4 = excluded.last4, brand = excluded.brand,
        description = excluded.description, subscription_provider_id = excluded.subscription_provider_id, reading = excluded.reading,
        taken_back_at = case when ${wentBackToBank(c)} then coalesce(charge.taken_back_at, excluded.taken_back_at) end
      where charge.reading < excluded.reading`)
    // What credit paid of it is settled with it, and not every reading says so.
    if (c.credit > 0)
      await tx.count(sql`update charge set credit = ${c.credit} where id = ${c.id} and credit < ${c.credit}`)
    if ((await noteOwing(tx, owner)) > 0) {
      await tellWhoPayBeside(tx, payerIn(owner), new Date())
      // They waited for what is paid now, or are others by now than those that are owed.
      if (owner.tenant_id !== null) await enqueue(tx, 'seats', { tenantId: owner.tenant_id })
    }
    if (c.paid && !before?.paid) await moveCredited(tx, c.id)
    if (written === 1 && c.disputed > 0 && !before?.disputed) await notifyTakenBack(tx, owner, c)
    if (!before && c.paymentType === 'invoice' && c.status === 'open' && payments().kind === 'sandbox')
      await mailInvoice(tx, owner, c)
  },
  'failed-refund': (tx, { refundId, chargeId }) => refuseRefund(tx, refundId, chargeId),
  purchase: async (tx, { purchaseId, state, chargeId }, reading) => {
    const bought = await tx.first(sql<{ charge_id: string | null; is_first: boolean }>`
      update extra_project set state = ${state}, reading = ${reading}, charge_id = coalesce(${chargeId ?? null}, charge_id)
      where id = ${purchaseId} and reading < ${reading} and (used_month is null or ${state} <> 'started')
      returning charge_id, old.state <> 'paid' and old.charge_id is null as is_first`)
    if (bought?.is_first && state === 'paid') await payOwed(tx, purchaseId)
    if (bought?.charge_id) await returnCredited(tx, bought.charge_id)
  },
  product: async (tx, p, reading) => {
    const written = await tx.count(sql`
      insert into product (id, name, descriptions, metadata, percent_off, is_active, reading)
      values (${p.id}, ${p.name}, ${JSON.stringify(p.descriptions)}, ${JSON.stringify({ ...p.metadata, coupon: p.couponId })},
        coalesce((select percent_off from coupon where id = ${p.couponId} and is_valid), 0), ${p.isActive}, ${reading})
      on conflict (id) do update set name = excluded.name, descriptions = excluded.descriptions,
        metadata = excluded.metadata, percent_off = excluded.percent_off, is_active = excluded.is_active,
        reading = excluded.reading
      where product.reading < excluded.reading`)
    if (written === 0) return
    for (const plan of p.plans)
      await tx.count(sql`
        insert into plan (id, product_id, currency, price, interval, metadata)
        values (${plan.id}, ${p.id}, ${plan.currency}, ${plan.price}, ${plan.interval}, ${JSON.stringify(plan.metadata)})
        on conflict (id) do update set metadata = excluded.metadata, is_active = true`)
    const sold = p.plans.map(({ id }) => id)
    await tx.count(
      sql`update plan set is_active = false where product_id = ${p.id} and not (id = any(${sold}::text[]))`,
    )
  },
  coupon: (tx, { id, percentOff, amountOff, currency, months, redeemBy, mostUses, uses, isValid }) =>
    tx.count(sql`
      insert into coupon (id, percent_off, amount_off, currency, months, redeem_by, most_uses, uses, is_valid)
      values (${id}, ${percentOff}, ${amountOff}, ${currency}, ${months}, ${redeemBy}, ${mostUses}, ${uses}, ${isValid})
      on conflict (id) do update set percent_off = excluded.percent_off, amount_off = excluded.amount_off,
        currency = excluded.currency, months = excluded.months, redeem_by = excluded.redeem_by, most_uses = excluded.most_uses,
        uses = excluded.uses, is_valid = excluded.is_valid`),
  'gone-coupon': (tx, { id }) => tx.count(sql`update coupon set is_valid = false where id = ${id}`),
}

/**
 * A refund that reached nobody counts for nothing, and whoever gave it is told. One that was done is refused, too: a card's
 * bank may say so days later.
 */
export const refuseRefund = async (tx: Tx, id: string, chargeId: string): Promise<void> => {
  const refund = await tx.first(sql<{ by_id: string; amount: number; currency: string; payer: string }>`
    update refund r set state = 'refused', settled_at = now()
    from charge c left join person p on p.id = c.user_id left join tenant t on t.id = c.tenant_id
    where c.id = r.charge_id and c.id = ${chargeId} and r.id::text = ${id} and r.state <> 'refused'
    returning r.by_id, r.amount, r.currency, coalesce(t.name, p.name) as payer`)
  if (!refund) return
  const { by_id: by, payer } = refund
  const notice = {
    kind: 'payments' as const,
    cause: `refund ${id} refused`,
    title: `A refund did not reach ${payer}`,
    body: `The payment service could not give ${amountWords(refund.amount, refund.currency)} back, so nothing went back.\n\nGive it another way, or ask ${payer} how.`,
    cta: { label: 'Open payments', url: `/panel/payments?q=${encodeURIComponent(payer)}` },
    metadata: {},
  }
  await enqueue(tx, 'notice', { notice, userIds: [by] })
}

export const amountWords = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)

const payerOf = (tx: Tx, customerId: string) =>
  tx.first(sql<Whose>`
    select user_id, tenant_id from customer where id = ${customerId}`)

type Whose = { user_id: string | null; tenant_id: string | null }

const payerIn = ({ user_id, tenant_id }: Whose) => (tenant_id === null ? { userId: user_id! } : { tenantId: tenant_id })

/** The people who hear of what happens to a plan: who pays it, or a company's admins. */
export const payersOf = (tx: Tx, { user_id, tenant_id }: Whose) =>
  tx.rows(sql<{ id: string; email: string }>`
    select id, email from person where removed_at is null and not is_disabled
      and (id = ${user_id} or (tenant_id = ${tenant_id}::uuid and ${hasDutySql(sql`role`, 'administer')}))`)

const notifyOwing = (tx: Tx, owner: Whose, { id, periodStart, daysUntilDue }: Kept<'subscription'>) =>
  notifyPayers(tx, owner, {
    cause: `owing ${id} ${periodStart.toISOString()}`,
    title: 'Your plan could not be renewed',
    body:
      daysUntilDue === null
        ? 'The card did not pay. Nothing changes for two weeks: we try again by ourselves, and your videos go on.\n\nUpdate the card to be sure.'
        : 'The last invoice is not paid, and its two weeks are over. New videos wait until it is paid.\n\nPlease pay it, or write to us.',
  })

/** Whether nothing of a payment is left, and its bank took it back: what we gave back wholly is a gift, whatever its bank does then. */
const wentBackToBank = ({ paid, price, refunded, disputed }: Kept<'charge'>): boolean =>
  paid && disputed > 0 && refunded < price && disputed + refunded >= price

/** Once for each payment, whatever becomes of it at the bank. */
const notifyTakenBack = async (tx: Tx, owner: Whose, { id, disputed, currency }: Kept<'charge'>) => {
  const isSingle = (await tx.first(sql`select from extra_project where charge_id = ${id}`)) !== undefined
  const means = isSingle
    ? 'Where it was the whole payment of a single video that you used, pay for it on the page of your plan: you can buy no further one before that. One that you did not use is gone, and nothing is owed for it.'
    : 'Where it was the whole payment of the running period, or of credit that a period is paid with, the plan takes no new videos two weeks after this message.'
  await notifyPayers(tx, owner, {
    cause: `taken back ${id}`,
    title: 'Your bank took a payment back',
    body: `${amountWords(disputed, currency)} of what you paid went back to you, so what it was for is not paid. ${means}\n\nIf that is a mistake, tell your bank that the payment was right, or write to us.`,
  })
}

/** Whoever has another plan that runs misses nothing. */
const notifyEnded = async (tx: Tx, owner: Whose, { id }: Kept<'subscription'>) => {
  const other = await tx.first(sql`
    select 1 from subscription where status <> 'canceled'
      and (user_id = ${owner.user_id} or tenant_id = ${owner.tenant_id}::uuid)`)
  if (other) return
  await sayEnded(tx, owner, id)
}

/** Who was shut out hears of nothing: their plan's end is said when they are let in again, to whom it was not said before. */
export const sayEndedMeanwhile = async (tx: Tx, owner: Whose): Promise<void> => {
  const since = new Date(Date.now() - mostKept.noticeDays * day)
  const last = await tx.first(sql<{ provider_id: string; is_over: boolean }>`
    select provider_id, status = 'canceled' and current_period_end > ${since} as is_over from subscription
    where provider_id is not null and (user_id = ${owner.user_id} or tenant_id = ${owner.tenant_id}::uuid)
    order by status = 'canceled', start_date desc, id limit 1`)
  if (last?.is_over) await sayEnded(tx, owner, last.provider_id)
}

const sayEnded = async (tx: Tx, owner: Whose, id: string) => {
  await notifyPayers(tx, owner, {
    cause: `ended ${id}`,
    title: 'Your plan has ended',
    body: 'Videos in the queue go on. Those for later months wait until a plan runs. To send in more, choose a plan.',
  })
}

// Stripe mails its invoices itself; for the sandbox it is we.
const mailInvoice = async (tx: Tx, owner: Whose, { id, price, currency, description, receiptUrl }: Kept<'charge'>) => {
  const amount = amountWords(price, currency)
  for (const person of await payersOf(tx, owner))
    await sendMail(tx, {
      key: `invoice ${id} ${person.id}`,
      to: person.email,
      template: 'message',
      data: {
        title: `Your invoice: ${amount}`,
        body: `${description}.\n\nIt is to be paid within 14 days. Until then, and while it is on its way, everything goes on.`,
        link: { label: 'Pay the invoice', url: receiptUrl },
      },
    })
}

const notifyPayers = async (tx: Tx, owner: Whose, words: { cause: string; title: string; body: string }) => {
  const userIds = (await payersOf(tx, owner)).map((person) => person.id)
  const notice = {
    kind: 'payments' as const,
    cta: { label: 'Open my plan', url: '/panel/plan' },
    metadata: {},
    ...words,
  }
  await enqueue(tx, 'notice', { notice, userIds })
}

const minute = 60_000
const day = 86_400_000
