import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { monthIn } from '@clear-to-post/domain/calendar'
import {
  addPlans,
  anyChange,
  anyOrder,
  anyResume,
  anySingle,
  buyer,
  cards,
  checkout,
  passDays,
  post,
  settle,
  useCard,
} from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { changeAccountState } from '../accounts/actions.ts'
import { graceDays } from '@clear-to-post/domain/plans'
import { sql } from '../kernel/database.ts'
import { createProject } from '../projects/create.ts'
import type { Jobs } from '../kernel/queue.ts'
import type { ErasureTargets } from '../kernel/personal-data.ts'
import { registry } from '../main/registry.ts'
import { PaymentAway, payments, usePayments } from '../outside/payments/payments.ts'
import { tellWhoPayBeside } from './beside.ts'
import { subscriptionsData } from './personal-data.ts'

let service: Service
let small: string, big: string, year: string
beforeAll(async () => {
  service = await openService()
  ;[small, big, year] = (await addPlans(service, 2)) as [string, string, string]
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
/** A person's notifications after every waiting notice was delivered, each twice. */
const told = async (who: Person) => {
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: Jobs['notice'] }>`select data from pgboss.job where name = 'notice' order by created_on`),
  )
  for (const { data } of [...waiting, ...waiting]) await registry.notice.run(data, jobContext(service))
  return (await callAs(service, who)(notifications.list, {})).items.map(({ title }) => title)
}
/** Of their purchase: it would do the work of those that a test is about. */
const forgetJobsOf = (who: Jobs['payer-standing']) =>
  service.database.asSystem((tx) =>
    tx.count(sql`delete from pgboss.job where name = 'payer-standing' and data = ${JSON.stringify(who)}::jsonb`),
  )
/** Does what waits for a payer's payments, as a worker would, the second look included. */
const jobsOf = async (who: Jobs['payer-standing']) => {
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(
      sql`delete from pgboss.job where name = 'payer-standing' and data = ${JSON.stringify(who)}::jsonb returning id`,
    ),
  )
  for (const _ of waiting) await registry['payer-standing'].run(who, jobContext(service))
  await settle(service)
}
const refused = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
const active = (person: Person) => as(person)(subscriptions.active, {})
const charges = async (person: Person) =>
  (await as(person)(subscriptions.charges, {})).map(({ price, paid }) => [price, paid])
/** What is kept of the plan that somebody pays, or their company. */
const keptOf = async ({ id }: Person) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ provider_id: string; ends_at: Date | null; charges: number }>`
      select s.provider_id, s.ends_at, (
        select count(*)::integer from charge c where c.user_id = s.user_id or c.tenant_id = s.tenant_id) as charges
      from subscription s join person p on p.id = s.user_id or p.tenant_id = s.tenant_id where p.id = ${id}`),
  ))!
const endOf = async (person: Person) => (await keptOf(person)).ends_at
const submit = async (person: Person, submitMonth?: string) =>
  submitProject(service, person, { title: 'V', ...(submitMonth ? { submitMonth } : {}) })
const thisMonth = async (person: Person) => (await as(person)(projects.allowance, {})).months[0]!

describe('a plan in its whole life', () => {
  let officer: Person
  beforeAll(async () => void (officer = await makePerson(service, 'User')))

  it('starts on the sandbox’s payment page, after a declined card and a bank’s question', async () => {
    const url = await checkout(service, officer, small)
    for (const [number, said] of [
      ['4111111111111111', 'Use one of the test cards'],
      [cards.declined, 'declined'],
      [cards.fails, 'declined'],
      [cards.asks, 'is it you'],
    ] as const)
      expect((await post(service, url, { number })).body, number).toContain(said)
    expect(await refused(active(officer))).toBe('subscription.none')
    const paid = await post(service, url, { number: cards.asks, answer: 'yes' })
    expect([paid.statusCode, paid.headers.location]).toEqual([303, `${service.config.publicUrl}/panel/plan?bought=yes`])
    expect(await active(officer)).toMatchObject({
      status: 'active',
      type: 0,
      plan: { id: small },
      renewAutomatically: true,
      renewalPrice: 10_000,
      card: { last4: '3155' },
      actions: ['portal', 'pause', 'change', 'charge'],
    })
    expect(await charges(officer)).toEqual([[10_000, true]])
    // Paid once, however often the form is sent.
    await post(service, url, { number: cards.pays })
    expect(await charges(officer)).toHaveLength(1)
    expect(await refused(checkout(service, officer, big))).toBe('subscription.running')
  })

  it('is used up for the month, takes a submission for the next and an extra video, and gets canceled ones back', async () => {
    await submit(officer)
    await submit(officer)
    expect(await refused(submit(officer))).toBe('project.quota-used')
    const next = monthIn(new Date(Date.now() + 35 * 86_400_000), 'America/New_York')
    expect(await submit(officer, next)).toMatchObject({ status: 7, submitMonth: next })
    expect(await thisMonth(officer)).toMatchObject({ used: 2, allowed: 2, right: 'none' })

    const requestId = randomUUID()
    const parallel = [1, 2, 3].map(() => as(officer)(subscriptions.charge, anySingle, { requestId }))
    expect(await Promise.all(parallel)).toEqual([{ success: true }, { success: true }, { success: true }])
    expect(await as(officer)(subscriptions.charge, anySingle, { requestId })).toEqual({ success: true })
    await settle(service)
    expect((await charges(officer)).filter(([price]) => price === 5_000)).toEqual([[5_000, true]])
    expect(await thisMonth(officer)).toMatchObject({ used: 2, allowed: 3, right: 'extra' })

    const third = await submit(officer)
    expect(await refused(submit(officer))).toBe('project.quota-used')
    expect((await active(officer)).extra).toMatchObject({ price: 5_000, spare: 0 })
    await as(officer)(projects.cancel, { params: { projectId: third.id } })
    expect(await thisMonth(officer)).toMatchObject({ used: 2, allowed: 3, right: 'extra' })
    expect((await active(officer)).extra).toMatchObject({ spare: 1 })
    const admin = await makePerson(service, 'ADMIN')
    await as(admin)(projects.rollback, { params: { projectId: third.id } })
    expect(await thisMonth(officer)).toMatchObject({ used: 3, allowed: 3, right: 'none' })
  })

  it('is changed, and the difference shown before is what is charged', async () => {
    expect(await refused(as(officer)(subscriptions.previewPlan, { query: { planId: small } }))).toBe('plan.same')
    const preview = await as(officer)(subscriptions.previewPlan, { query: { planId: big } })
    // The whole difference: all videos of the bigger plan are there at once, and those that were used count in it.
    expect(preview).toMatchObject({ renewalPrice: 20_000, interval: 'month', credit: 0, charge: 10_000, due: 10_000 })
    await as(officer)(subscriptions.updatePlan, anyChange(big))
    await settle(service)
    expect(Math.abs(((await charges(officer))[0]![0] as number) - preview.due)).toBeLessThanOrEqual(1)
    expect(await thisMonth(officer)).toMatchObject({ used: 3, allowed: 5, right: 'plan' })
    // Down again: nothing is charged, and what was not used is kept for later: one of four videos, since one was bought at
    // this plan's price, and all of the time.
    const before = (await charges(officer)).length
    expect((await as(officer)(subscriptions.previewPlan, { query: { planId: small } })).due).toBe(-2_500)
    await as(officer)(subscriptions.updatePlan, anyChange(small))
    await settle(service)
    expect(await charges(officer)).toHaveLength(before)
    expect((await active(officer)).credit).toBe(2_500)
    const yearly = await as(officer)(subscriptions.previewPlan, { query: { planId: year } })
    expect(yearly).toMatchObject({ charge: 100_000, interval: 'year' })
  })

  it('is paused without charges and keeps its month, then resumes with a new period', async () => {
    expect(await as(officer)(subscriptions.pause, {})).toMatchObject({
      renewAutomatically: false,
      actions: ['portal', 'resume', 'charge'],
    })
    expect(await refused(as(officer)(subscriptions.pause, {}))).toBe('subscription.paused')
    expect(await refused(as(officer)(subscriptions.updatePlan, anyChange(big)))).toBe('subscription.paused')
    const before = (await charges(officer)).length
    await passDays(service, 32)
    expect(await charges(officer)).toHaveLength(before)
    const paused = await active(officer)
    expect(new Date(paused.currentPeriodStart!) >= new Date(paused.pausedFrom!)).toBe(true)
    const resumed = await as(officer)(subscriptions.resume, anyResume)
    await settle(service)
    expect(resumed).toMatchObject({ status: 'active', renewAutomatically: true })
    expect(resumed.pausedFrom).toBeUndefined()
    expect(await refused(as(officer)(subscriptions.resume, anyResume))).toBe('subscription.not-paused')
    // Paid from what the smaller plan left over.
    expect((await charges(officer)).length).toBeLessThanOrEqual(before + 1)
  })

  it('fails a renewal, continues in its grace period with one notification, and recovers with a new card', async () => {
    await useCard(service, officer, cards.fails)
    await passDays(service, 32)
    expect(await active(officer)).toMatchObject({
      status: 'past_due',
      graceUntil: expect.any(String),
      actions: ['portal', 'charge'],
    })
    expect((await charges(officer))[0]).toEqual([10_000, false])
    expect(await refused(as(officer)(subscriptions.pause, {}))).toBe('subscription.owes')
    expect(await refused(as(officer)(subscriptions.charge, anySingle))).toBe('payment.declined')
    await passDays(service, 4)
    expect(await told(officer)).toEqual(['Your plan could not be renewed'])
    await useCard(service, officer, cards.pays)
    expect(await active(officer)).toMatchObject({ status: 'active', card: { last4: '4242' } })
  })

  it('ends with its period when it is canceled, or after the last failed attempt to charge', async () => {
    const { url } = await as(officer)(subscriptions.portal, {})
    const what = (await service.database.asSystem((tx) =>
      tx.first(sql<{ id: string }>`select provider_id as id from subscription where user_id = ${officer.id}`),
    ))!.id
    await post(service, url, { do: 'end', what })
    expect(await active(officer)).toMatchObject({
      status: 'active',
      endsAt: expect.any(String),
      actions: ['portal', 'charge'],
    })
    await post(service, url, { do: 'keep', what })
    expect((await active(officer)).endsAt).toBeUndefined()
    await post(service, url, { do: 'end', what })
    await passDays(service, 32)
    expect(await refused(active(officer))).toBe('subscription.none')
    expect((await told(officer))[0]).toBe('Your plan has ended')
    // The free video was still theirs.
    expect(await refused(submit(officer))).toBe('done')
    expect(await refused(submit(officer))).toBe('project.no-plan')

    const poor = await buyer(service, small)
    await useCard(service, poor, cards.fails)
    await passDays(service, 60)
    expect(await refused(active(poor))).toBe('subscription.none')
    expect((await charges(poor)).filter(([, paid]) => paid === false).length).toBe(5)
    // Each attempt has its own day, however far the clock jumps.
    const tried = (await callAs(service, poor)(subscriptions.charges, {})).filter(({ paid }) => !paid)
    const days = tried.map(({ created }) => Date.parse(created) / 86_400_000)
    expect(days.map((day) => Math.round(day - days.at(-1)!))).toEqual([14, 13, 8, 3, 0])
  })
})

describe('plan changes', () => {
  const credit = async (who: Person) => (await active(who)).credit ?? 0
  const change = async (who: Person, planId: string) => {
    await as(who)(subscriptions.updatePlan, anyChange(planId))
    await settle(service)
  }
  /** The provider answers nothing about this plan until the answered function is called. */
  const holdProvider = (who: Person) =>
    holdRow(sql`
      select from sandbox_object where id = (select provider_id from subscription where user_id = ${who.id}) for update`)
  /** Somebody else holds what this statement locks, until the answered function is called. */
  const holdRow = async (lock: ReturnType<typeof sql>): Promise<() => Promise<void>> => {
    const [gate, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = service.database.asSystem(async (tx) => {
      await tx.rows(lock)
      held.resolve()
      await gate.promise
    })
    await held.promise
    return () => {
      gate.resolve()
      return holding
    }
  }
  const isWaiting = async () =>
    (
      await service.database.asSystem((tx) =>
        tx.rows(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      )
    ).length > 0
  const usedAt = async (who: Person): Promise<Date> =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ used_at: Date }>`select used_at from project where user_id = ${who.id}`),
    ))!.used_at
  const marks = (who: Person) =>
    service.database.asSystem((tx) =>
      tx.rows(sql`select from subscription where user_id = ${who.id} and changing_until > now()`),
    )
  const submits = async (who: Person, count: number) => {
    for (let n = 0; n < count; n++) await submit(who)
  }
  const net = async (who: Person) =>
    (await charges(who)).reduce((sum, [price]) => sum + Number(price), 0) - (await credit(who))

  it('give no credit for a plan whose videos were all used', async () => {
    const officer = await buyer(service, big)
    await submits(officer, 4)
    const preview = await as(officer)(subscriptions.previewPlan, { query: { planId: small } })
    expect(preview).toMatchObject({ credit: 0, due: 0 })
    await change(officer, small)
    expect(await credit(officer)).toBe(0)
    const yearly = await as(officer)(subscriptions.previewPlan, { query: { planId: year } })
    expect(yearly).toMatchObject({ credit: 0, charge: 100_000, due: 100_000 })
    // Up and down again pays for the bigger plan each time, and brings nothing.
    await change(officer, big)
    await change(officer, small)
    expect([await credit(officer), await net(officer)]).toEqual([0, 30_000])
  })

  it('give credit for unused videos, and only edited or queued ones count as used', async () => {
    const officer = await buyer(service, big)
    await submits(officer, 1)
    const gone = await submit(officer)
    const next = monthIn(new Date(Date.now() + 35 * 86_400_000), 'America/New_York')
    await submit(officer, next)
    await as(officer)(projects.cancel, { params: { projectId: gone.id } })
    await change(officer, small)
    expect(await credit(officer)).toBe(7_500)
  })

  it('count videos that were bought at the old plan’s price as used', async () => {
    const officer = await buyer(service, big)
    for (let n = 0; n < 3; n++) await as(officer)(subscriptions.charge, anySingle)
    expect(await as(officer)(subscriptions.previewPlan, { query: { planId: small } })).toMatchObject({ credit: 5_000 })
    await change(officer, small)
    expect(await credit(officer)).toBe(2_500)
  })

  it('and pauses and resumptions start from what the provider knows, whatever is kept here', async () => {
    const officer = await buyer(service, big)
    await as(officer)(subscriptions.pause, {})
    const kept = await active(officer)
    await passDays(service, 32)
    // As if the events of the new period were still on their way.
    const forget = () =>
      service.database.asSystem((tx) =>
        tx.count(sql`
          update subscription set current_period_start = ${kept.currentPeriodStart!}, current_period_end = ${kept.currentPeriodEnd!}
          where user_id = ${officer.id}`),
      )
    await forget()
    const before = (await charges(officer)).length
    await as(officer)(subscriptions.resume, anyResume)
    await settle(service)
    expect(await charges(officer)).toHaveLength(before + 1)
    const { currentPeriodStart, currentPeriodEnd } = await active(officer)
    expect(currentPeriodStart).not.toBe(kept.currentPeriodStart)
    await forget()
    expect(await as(officer)(subscriptions.pause, {})).toMatchObject({ pausedFrom: currentPeriodEnd })
  })

  it('refuse submissions on the plan until the change is settled, and a mark ends by itself', async () => {
    const officer = await buyer(service, big)
    const mark = (until: Date | null) =>
      service.database.asSystem((tx) =>
        tx.count(sql`update subscription set changing_until = ${until} where user_id = ${officer.id}`),
      )
    await mark(new Date(Date.now() + 60_000))
    expect(await refused(submit(officer))).toBe('subscription.changing')
    await mark(new Date(Date.now() - 1))
    expect(await refused(submit(officer))).toBe('done')
    // The provider does not answer yet: what was used so far is counted, and nobody submits beside it.
    const release = await holdProvider(officer)
    const changing = change(officer, small)
    await expect.poll(() => marks(officer)).toHaveLength(1)
    expect(await refused(submit(officer))).toBe('subscription.changing')
    await Promise.all([release(), changing])
    expect(await credit(officer)).toBe(7_500)
    expect(await marks(officer)).toHaveLength(0)
    expect(await refused(submit(officer))).toBe('done')
  })

  it('come one after the other: another one is refused meanwhile, and nothing is lost', async () => {
    const pause = (who: Person) => as(who)(subscriptions.pause, {})
    const ways: [first: (who: Person) => Promise<unknown>, second: (who: Person) => Promise<unknown>][] = [
      [(who) => change(who, big), (who) => change(who, year)],
      [(who) => change(who, year), (who) => change(who, big)],
      [(who) => change(who, big), pause],
      [pause, (who) => change(who, year)],
    ]
    const cash = async (who: Person) => (await charges(who)).reduce((sum, [price]) => sum + Number(price), 0)
    for (const [first, second] of ways) {
      const [officer, alone] = [await buyer(service, small), await buyer(service, small)]
      await first(alone)
      const release = await holdProvider(officer)
      const changing = first(officer)
      await expect.poll(() => marks(officer)).toHaveLength(1)
      expect(await refused(second(officer))).toBe('subscription.changing')
      await release()
      await changing
      await settle(service)
      // As if the second had not been asked for; of the running second a cent may be used more or less.
      expect((await active(officer)).plan?.id).toBe((await active(alone)).plan?.id)
      const [paid, kept] = [await cash(officer), await credit(officer)]
      expect(Math.abs(paid - (await cash(alone)))).toBeLessThanOrEqual(5)
      expect(Math.abs(kept - (await credit(alone)))).toBeLessThanOrEqual(5)
    }
  })

  it('may be repeated with the same request id while the outcome is unknown', async () => {
    const officer = await buyer(service, small)
    const requestId = randomUUID()
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update subscription set changing_until = now() + interval '1 minute', changing_by = ${`change to ${big} ${officer.id} ${requestId}`}
        where user_id = ${officer.id}`),
    )
    expect(await refused(as(officer)(subscriptions.pause, {}))).toBe('subscription.changing')
    await as(officer)(subscriptions.updatePlan, anyChange(big), { requestId })
    await settle(service)
    expect((await active(officer)).plan?.id).toBe(big)
    expect(await refused(as(officer)(subscriptions.pause, {}))).toBe('done')
  })

  it('that fail before the provider is asked for them leave no mark, and a repeat leaves that of the first', async () => {
    const officer = await buyer(service, small)
    const requestId = randomUUID()
    const to = () => refused(as(officer)(subscriptions.updatePlan, anyChange(big), { requestId }))
    const provider = payments()
    const without = (part: 'previewChange' | 'change') =>
      usePayments({ ...provider, [part]: () => Promise.reject(new PaymentAway('no answer')) })
    try {
      without('previewChange')
      expect(await to()).toBe('payment.unavailable')
      expect(await marks(officer)).toHaveLength(0)
      without('change')
      expect(await to()).toBe('payment.unavailable')
      expect(await marks(officer)).toHaveLength(1)
      without('previewChange')
      expect(await to()).toBe('payment.unavailable')
      expect(await marks(officer)).toHaveLength(1)
    } finally {
      usePayments(provider)
    }
    expect(await to()).toBe('done')
    expect(await marks(officer)).toHaveLength(0)
  })

  it('count a video from when it was let in, and not from when it was asked for', async () => {
    const officer = await buyer(service, big)
    const body = { title: 'V', assets: [await makeVideo(service, officer)] }
    const [began, asked] = [Date.now(), new Date(Date.now() - 60_000)]
    const input = projects.create.body.parse(body)
    await service.database.inTenant(officer, (tx) => createProject(tx, officer, input, asked))
    expect((await usedAt(officer)).getTime()).toBeGreaterThanOrEqual(began)
  })

  it('refuse a video whose right was read before the change, so that it is asked for anew', async () => {
    const officer = await buyer(service, big)
    await submit(officer)
    const release = await holdRow(sql`select from quota_use where user_id = ${officer.id} for update`)
    const submitted = refused(submit(officer))
    await expect.poll(isWaiting).toBe(true)
    await change(officer, small)
    await release()
    expect(await submitted).toBe('subscription.changing')
  })

  it('let a single video be bought while another one is being sent in, which waits for the same plan', async () => {
    const officer = await buyer(service, big)
    await submit(officer)
    const release = await holdRow(sql`select from quota_use where user_id = ${officer.id} for update`)
    const submitted = refused(submit(officer))
    await expect.poll(isWaiting).toBe(true)
    expect(await refused(as(officer)(subscriptions.charge, anySingle))).toBe('done')
    await release()
    expect(await submitted).toBe('done')
  })

  it('and purchases of single videos do not come between each other', async () => {
    const officer = await buyer(service, small)
    const release = await holdProvider(officer)
    const changed = refused(as(officer)(subscriptions.updatePlan, anyChange(big)))
    await expect.poll(() => marks(officer).then(({ length }) => length)).toBe(1)
    expect(await refused(as(officer)(subscriptions.charge, anySingle))).toBe('subscription.changing')
    await release()
    expect(await changed).toBe('done')
    await settle(service)
    const isOpen = (state: string) =>
      service.database.asSystem((tx) =>
        tx.count(sql`update extra_project set state = ${state} where user_id = ${officer.id}`),
      )
    expect(await refused(as(officer)(subscriptions.charge, anySingle))).toBe('done')
    await isOpen('started')
    const back = () => refused(as(officer)(subscriptions.updatePlan, anyChange(small)))
    expect(await back()).toBe('subscription.changing')
    await isOpen('paid')
    expect(await back()).toBe('done')
  })

  it('to two plans with one request id are two changes, and the second leaves the first its mark', async () => {
    const officer = await buyer(service, small)
    const requestId = randomUUID()
    const release = await holdProvider(officer)
    const to = (planId: string) => as(officer)(subscriptions.updatePlan, anyChange(planId), { requestId })
    const first = refused(to(big))
    await expect.poll(() => marks(officer).then(({ length }) => length)).toBe(1)
    expect(await refused(to(small))).toBe('subscription.changing')
    expect(await marks(officer)).toHaveLength(1)
    await release()
    expect(await first).toBe('done')
  })

  it('give no credit for an unpaid invoice or during a company’s pause', async () => {
    const tenantId = await makeTenant(service, 4)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    const admin = await makePerson(service, 'ADMIN')
    await service.database.asSystem((tx) =>
      tx.count(sql`update tenant set charge_by_email = true where id = ${tenantId}`),
    )
    await checkout(service, manager, big)
    await settle(service)
    expect(await refused(change(manager, small))).toBe('subscription.owes')
    expect(await credit(manager)).toBe(0)
    for (const { receiptUrl } of await as(manager)(subscriptions.charges, {})) await post(service, receiptUrl, {})
    await as(manager)(subscriptions.pause, {})
    await passDays(service, 32)
    await as(admin)(tenants.update, { body: { tenantId, data: { totalUsersAllowed: 1 } } })
    await registry.seats.run({ tenantId }, jobContext(service))
    await settle(service)
    expect(await active(manager)).toMatchObject({ quantity: 1 })
    expect(await credit(manager)).toBe(0)
  })
})

describe('several payment pages at once', () => {
  const open = async (officer: Person, planIds: string[]) =>
    Promise.all(planIds.map((planId) => checkout(service, officer, planId)))
  const owed = (officer: Person) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ status: string; plan_id: string }>`
        select status, plan_id from subscription where user_id = ${officer.id} order by start_date, provider_id`),
    )

  it('only the newest can be paid, and the others say so and charge nothing', async () => {
    const officer = await makePerson(service, 'User')
    const pages = await open(officer, [small, big, small])
    const paid = await Promise.all(pages.map((page) => post(service, page, { number: cards.pays })))
    await settle(service)
    expect(paid.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 303])
    expect(paid.find(({ statusCode }) => statusCode === 200)!.body).toContain('A newer payment page was opened')
    expect(await charges(officer)).toHaveLength(1)
    expect(await owed(officer)).toHaveLength(1)
  })

  it('of two that were both paid the later is ended and refunded, with one notification', async () => {
    const officer = await makePerson(service, 'User')
    const pages = await open(officer, [small, big])
    // As if both had been paid in the same moment.
    await service.database.asSystem((tx) =>
      tx.count(sql`update sandbox_object set body = body - 'isClosed' where kind = 'checkout.session'`),
    )
    for (const page of pages) await post(service, page, { number: cards.pays })
    // Until the later one is undone, it gives no videos.
    expect(await active(officer)).toMatchObject({ plan: { id: small } })
    expect(await thisMonth(officer)).toMatchObject({ allowed: 2 })
    const jobs = await service.database.asSystem((tx) =>
      tx.rows(sql<{ data: { providerId: string } }>`select data from pgboss.job where name = 'surplus'`),
    )
    expect(jobs).toHaveLength(1)
    for (let again = 0; again < 2; again++) await registry.surplus.run(jobs[0]!.data, jobContext(service))
    await settle(service)
    expect((await owed(officer)).map(({ status, plan_id }) => [status, plan_id])).toEqual([
      ['active', small],
      ['canceled', big],
    ])
    expect((await as(officer)(subscriptions.charges, {})).map(({ price, status }) => [price, status])).toEqual([
      [20_000, 'refunded'],
      [10_000, 'succeeded'],
    ])
    const mails = await service.database.asSystem((tx) =>
      tx.rows(
        sql`select 1 from mail where key like 'surplus %' and recipient = (select email from person where id = ${officer.id})`,
      ),
    )
    expect(mails).toHaveLength(1)
    expect(await active(officer)).toMatchObject({ status: 'active', plan: { id: small } })
  })
})

it('a company whose seats changed while its payment page was open pays for the seats it has', async () => {
  const tenantId = await makeTenant(service, 1)
  const manager = await makePerson(service, 'ADMIN', { tenantId })
  const page = await checkout(service, manager, small)
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set total_users_allowed = 20 where id = ${tenantId}`),
  )
  await post(service, page, { number: cards.pays })
  const jobs = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: Jobs['seats'] }>`
      select data from pgboss.job where name = 'seats' and data->>'tenantId' = ${tenantId}`),
  )
  for (const { data } of jobs) await registry.seats.run(data, jobContext(service))
  await settle(service)
  expect(await active(manager)).toMatchObject({ quantity: 20, renewalPrice: 200_000 })
})

it('a company’s plan pays for so many videos a month for each seat, whoever takes the seats in turn', async () => {
  const tenantId = await makeTenant(service, 1)
  const [manager, admin] = [await makePerson(service, 'ADMIN', { tenantId }), await makePerson(service, 'ADMIN')]
  await buyer(service, small, manager)
  const [first, next] = [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'User', { tenantId }),
  ]
  const gone = await submit(first)
  await submit(first)
  expect(await refused(submit(next))).toBe('project.seats-used')
  // One that comes back makes room for another, and two at once do not share it.
  await as(manager)(projects.cancel, { params: { projectId: gone.id } })
  const outcomes = await Promise.all([refused(submit(next)), refused(submit(next)), refused(submit(first))])
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(await refused(as(manager)(projects.rollback, { params: { projectId: gone.id } }))).toMatch(
    /(seats|quota)-used/,
  )
  // More seats hold more videos.
  await as(admin)(tenants.update, { body: { tenantId, data: { totalUsersAllowed: 2 } } })
  await registry.seats.run({ tenantId }, jobContext(service))
  await settle(service)
  expect(await refused(submit(next))).toBe('done')
})

describe('payers', () => {
  it('without a card cannot buy, and cannot use or change another’s subscription', async () => {
    const tenantId = await makeTenant(service, 3)
    const member = await makePerson(service, 'User', { tenantId })
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    await buyer(service, small, manager)
    expect(await active(member)).toMatchObject({ type: 1, quantity: 3, actions: ['charge'] })
    expect(await active(member)).not.toHaveProperty('card')
    expect(await refused(as(member)(subscriptions.charge, anySingle))).toBe('payment.no-card')
    expect(await refused(as(member)(subscriptions.pause, {}))).toBe('subscription.of-company')
    expect(await refused(checkout(service, member, small))).toBe('subscription.of-company')
    expect(await charges(member)).toEqual([])
    expect(await charges(manager)).toEqual([[30_000, true]])
    const editor = await makePerson(service, 'Editor')
    expect(await refused(as(editor)(subscriptions.portal, {}))).toBe('payment.not-for-you')
    // What the service's admin sees of a company and of its people.
    const admin = await makePerson(service, 'ADMIN')
    expect(await as(admin)(subscriptions.chargesOf, { params: { payerId: tenantId } })).toHaveLength(1)
    expect(await as(admin)(subscriptions.find, { params: { userId: member.id } })).toMatchObject({
      type: 1,
      renewalPrice: 30_000,
      card: { last4: '4242' },
      actions: [],
    })
    expect((await as(admin)(tenants.find, { params: { tenantId } })).subscription).toMatchObject({
      renewalPrice: 30_000,
    })
    expect((await as(member)(tenants.me, {})).subscription).not.toHaveProperty('renewalPrice')

    // More seats: the difference is charged, and every later period.
    await as(admin)(tenants.update, { body: { tenantId, data: { totalUsersAllowed: 5 } } })
    for (let again = 0; again < 2; again++) await registry.seats.run({ tenantId }, jobContext(service))
    await settle(service)
    expect(await active(manager)).toMatchObject({ quantity: 5, renewalPrice: 50_000 })
    expect(await charges(manager)).toHaveLength(2)
  })

  /** Moved to this company, or out of any. */
  const moved = async (who: Person, tenantId: string | null): Promise<Person> => {
    const { stamp } = await service.database.asSystem(async (tx) => {
      const { email } = (await tx.first(sql<{ email: string }>`select email from person where id = ${who.id}`))!
      await changeAccountState(tx, email, { tenantId })
      return (await tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${who.id}`))!
    })
    const now = { ...who, tenantId, securityStamp: stamp }
    return { ...now, token: await service.identity.signIdToken(now) }
  }
  const goesOn = 'Your own plan goes on beside your company’s'

  it('of a plan of their own who join a company with one are told, and end or pause what they pay', async () => {
    const tenantId = await makeTenant(service, 4)
    const join = (who: Person) => moved(who, tenantId)
    // One is there before the company buys, and one joins after it.
    const isThere = await join(await buyer(service, small))
    expect(await told(isThere)).toEqual([])
    await buyer(service, big, await makePerson(service, 'ADMIN', { tenantId }))
    const joined = await join(await buyer(service, small))
    for (const officer of [isThere, joined]) {
      expect(await told(officer)).toEqual([goesOn])
      expect(await active(officer)).toMatchObject({
        type: 1,
        quantity: 4,
        actions: ['charge'],
        paidBeside: { type: 0, renewalPrice: 10_000, actions: ['portal', 'pause'] },
      })
      expect((await as(officer)(subscriptions.portal, {})).url).toContain('/sandbox/')
      const paused = await as(officer)(subscriptions.pause, {})
      expect(paused).toMatchObject({ type: 1, paidBeside: { actions: ['portal', 'resume'] } })
    }
    const admin = await makePerson(service, 'ADMIN')
    const found = await as(admin)(subscriptions.find, { params: { userId: joined.id } })
    expect(found).toMatchObject({ type: 1, actions: [], paidBeside: { renewalPrice: 10_000, actions: [] } })
    // Whoever pays nothing of their own, or for the last time, is told nothing.
    const ending = await buyer(service, small)
    await service.database.asSystem((tx) =>
      tx.count(sql`update subscription set ends_at = current_period_end where user_id = ${ending.id}`),
    )
    expect(await told(await join(ending))).toEqual([])
    const none = await join(await makePerson(service, 'User'))
    expect(await told(none)).toEqual([])
    expect(await active(none)).not.toHaveProperty('paidBeside')
  })

  it('of a plan of their own are told of it whenever the company’s comes to count, and no longer than it does', async () => {
    const tenantId = await makeTenant(service, 9)
    const manager = await buyer(service, big, await makePerson(service, 'ADMIN', { tenantId }))
    const company = (changed: ReturnType<typeof sql>) =>
      service.database.asSystem((tx) => tx.count(sql`update subscription set ${changed} where tenant_id = ${tenantId}`))
    // Paid on a page that was opened before.
    const late = await makePerson(service, 'User')
    const page = await checkout(service, late, small)
    const paysLate = await moved(late, tenantId)
    expect(await told(paysLate)).toEqual([])
    await post(service, page, { number: cards.pays })
    expect(await told(paysLate)).toEqual([goesOn])
    // The company owes, and its plan counts; past the grace it does not.
    await company(sql`status = 'past_due', current_period_start = now() - interval '2 days'`)
    expect(await told(await moved(await buyer(service, small), tenantId))).toEqual([goesOn])
    await company(sql`current_period_start = now() - interval '30 days'`)
    const owedTo = await moved(await buyer(service, small), tenantId)
    expect(await told(owedTo)).toEqual([])
    await company(sql`status = 'active', current_period_start = now()`)
    // A pause that was asked for, and has not begun: it counts.
    await as(manager)(subscriptions.pause, {})
    const joined = await moved(await buyer(service, small), tenantId)
    expect(await told(joined)).toEqual([goesOn])
    // It begins: what nobody read is true no more, and what was read is said anew once it is true again.
    await as(paysLate)(notifications.readAll, {})
    await company(sql`paused_from = now() - interval '1 minute'`)
    await service.database.asSystem((tx) => tellWhoPayBeside(tx, { tenantId }, new Date()))
    expect([await told(joined), await told(paysLate)]).toEqual([[], [goesOn]])
    await as(manager)(subscriptions.resume, anyResume)
    await settle(service)
    for (const officer of [joined, owedTo]) expect(await told(officer)).toEqual([goesOn])
    expect(await told(paysLate)).toEqual([goesOn, goesOn])
    // It ends with the own plan, and with leaving the company.
    await as(joined)(subscriptions.pause, {})
    await settle(service)
    expect(await told(joined)).toEqual([])
    expect(await told(await moved(owedTo, null))).toEqual([])
  })

  it('that are companies invoiced by e-mail pay by invoice, with their coupon, from their allowed products', async () => {
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    const product = small.replace(/_small$/, '')
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`insert into coupon (id, percent_off) values ('QUARTER', 25)`)
      await tx.count(sql`
        update tenant set charge_by_email = true, default_coupon_code = 'quarter', allowed_products = ${[product]} where id = ${tenantId}`)
    })
    const [other] = await addPlans(service)
    expect(await refused(checkout(service, manager, other!))).toBe('plan.not-found')
    expect(await as(manager)(subscriptions.products, {})).toMatchObject([{ id: product, percentOff: 25 }])
    expect(await checkout(service, manager, small)).toContain('/panel/plan?bought=yes')
    await settle(service)
    expect(await active(manager)).toMatchObject({ type: 1, daysUntilDue: 14, percentOff: 25, renewalPrice: 15_000 })
    // One more video at the same terms.
    const member = await makePerson(service, 'User', { tenantId })
    expect((await active(member)).extra).toMatchObject({ price: 3_750 })
    const [invoice] = await as(manager)(subscriptions.charges, {})
    expect(invoice).toMatchObject({ status: 'open', paid: false, price: 15_000, paymentType: 'invoice' })
    const mails = await service.database.asSystem((tx) =>
      tx.rows(sql`
        select 1 from mail join person on email = recipient where key like ${`invoice ${invoice!.id} %`} and person.id = ${manager.id}`),
    )
    expect(mails).toHaveLength(1)
    await passDays(service, 15)
    expect(await active(manager)).toMatchObject({ status: 'past_due' })
    await post(service, invoice!.receiptUrl, {})
    expect(await active(manager)).toMatchObject({ status: 'active' })
  })

  it('that are invoiced companies get no plan while an invoice is open, and none while they are switched off', async () => {
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
    await write(sql`update tenant set charge_by_email = true where id = ${tenantId}`)
    await checkout(service, manager, small)
    await settle(service)
    // As if it had ended unpaid.
    await write(sql`update subscription set status = 'canceled' where tenant_id = ${tenantId}`)
    expect(await refused(checkout(service, manager, big))).toBe('subscription.owes')
    const [invoice] = await as(manager)(subscriptions.charges, {})
    await write(sql`update charge set paid = true, status = 'paid' where id = ${invoice!.id}`)
    await write(sql`update tenant set is_active = false where id = ${tenantId}`)
    expect(await refused(checkout(service, manager, big))).toBe('tenant.switched-off')
    await write(sql`update tenant set is_active = true where id = ${tenantId}`)
    expect(await refused(checkout(service, manager, big))).toBe('done')
  })

  it('that are companies switched off are charged no more, and their open payment page is closed', async () => {
    const tenantId = await makeTenant(service, 2)
    const [manager, admin] = [
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId: null }),
    ]
    const turn = async (isActive: boolean) => {
      await as(admin)(tenants.update, { body: { tenantId, data: { isActive } } })
      await jobsOf({ tenantId })
    }
    const page = await checkout(service, manager, small)
    await turn(false)
    expect((await post(service, page, { number: cards.pays })).body).toContain('closed')
    expect(await charges(manager)).toEqual([])
    await turn(true)

    await post(service, await checkout(service, manager, small), { number: cards.pays })
    const portal = (await as(manager)(subscriptions.portal, {})).url
    expect((await service.app.inject(new URL(portal).pathname)).statusCode).toBe(200)
    expect((await active(manager)).endsAt).toBeUndefined()
    await turn(false)
    expect((await active(manager)).endsAt).toBe((await active(manager)).currentPeriodEnd)
    expect((await service.app.inject(new URL(portal).pathname)).statusCode).toBe(404)
    await passDays(service, 32)
    expect(await refused(active(manager))).toBe('subscription.none')
    expect(await charges(manager)).toEqual([[20_000, true]])
  })

  it('that are switched off and on again go on with their plan, unless they had ended it themselves', async () => {
    const admin = await makePerson(service, 'ADMIN', { tenantId: null })
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    await post(service, await checkout(service, manager, small), { number: cards.pays })
    const officer = await buyer(service, small)
    const becomes = (role: 'User' | 'Editor') => as(admin)(accounts.update, { body: { userId: officer.id, role } })
    const turns = [
      {
        payer: manager,
        who: { tenantId },
        turn: (isActive: boolean) => as(admin)(tenants.update, { body: { tenantId, data: { isActive } } }),
      },
      {
        payer: officer,
        who: { userId: officer.id },
        turn: (isActive: boolean) =>
          as(admin)(accounts.update, { body: { userId: officer.id, isDisabled: !isActive } }),
      },
      {
        payer: officer,
        who: { userId: officer.id },
        turn: (isActive: boolean) => becomes(isActive ? 'User' : 'Editor'),
      },
    ]
    for (const { payer, who, turn } of turns) {
      const endsAt = () => endOf(payer)
      const turned = async (isActive: boolean) => {
        await turn(isActive)
        await jobsOf(who)
      }
      await forgetJobsOf(who)
      await turned(false)
      expect(await endsAt()).not.toBeNull()
      await turned(true)
      expect(await endsAt()).toBeNull()
      // Off and on, and on and off, before any of the jobs was done.
      await turn(false)
      await turned(true)
      expect(await endsAt()).toBeNull()
      await turned(false)
      await turn(true)
      await turned(false)
      expect(await endsAt()).not.toBeNull()
      await turned(true)
      await passDays(service, 31)
      expect(await endsAt()).toBeNull()
    }
    for (const payer of [manager, officer]) expect((await keptOf(payer)).charges).toBeGreaterThan(1)
    // Theirs stays ended, also when they are switched off and on after it.
    const { url } = await as(manager)(subscriptions.portal, {})
    await post(service, url, { do: 'end', what: (await keptOf(manager)).provider_id })
    const ended = await endOf(manager)
    for (const isActive of [false, true]) {
      await turns[0]!.turn(isActive)
      await jobsOf({ tenantId })
    }
    expect([ended !== null, await endOf(manager)]).toEqual([true, ended])
    // Too late: it has ended meanwhile, and their page says that none runs.
    await turns[0]!.turn(false)
    await jobsOf({ tenantId })
    await passDays(service, 32)
    await turns[0]!.turn(true)
    await jobsOf({ tenantId })
    expect(await refused(active(manager))).toBe('subscription.none')
    expect(await told(manager)).toContain('Your plan has ended')
  })

  it('that are switched while the provider is told of it have what stands in the end', async () => {
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    await post(service, await checkout(service, manager, small), { number: cards.pays })
    const turn = (isActive: boolean) =>
      service.database.asSystem((tx) => tx.count(sql`update tenant set is_active = ${isActive} where id = ${tenantId}`))
    const look = () => registry['payer-standing'].run({ tenantId }, jobContext(service))
    const provider = payments()
    for (const [call, isActive] of [
      ['endWithPeriod', false],
      ['goOn', true],
    ] as const) {
      await turn(isActive)
      let times = 0
      usePayments({
        ...provider,
        // Switched back, and that job done, before this one's words arrive.
        [call]: async (id: string) => {
          if (times++ === 0) {
            usePayments(provider)
            await turn(!isActive)
            await look()
          }
          return provider[call](id)
        },
      })
      try {
        await look()
      } finally {
        usePayments(provider)
      }
      expect((await endOf(manager)) === null, call).toBe(!isActive)
    }
  })

  it('that are companies switched off change nothing of their plan, and what they keep elsewhere ends again', async () => {
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    await post(service, await checkout(service, manager, small), { number: cards.pays })
    const portal = (await as(manager)(subscriptions.portal, {})).url
    const { provider_id: id } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ provider_id: string }>`select provider_id from subscription where tenant_id = ${tenantId}`),
    ))!
    await service.database.asSystem((tx) => tx.count(sql`update tenant set is_active = false where id = ${tenantId}`))
    for (const change of [subscriptions.pause, subscriptions.portal] as const)
      expect(await refused(as(manager)(change as typeof subscriptions.portal, {}))).toBe('tenant.switched-off')
    expect(await refused(as(manager)(subscriptions.resume, anyResume))).toBe('tenant.switched-off')
    expect(await refused(as(manager)(subscriptions.updatePlan, anyChange(big)))).toBe('tenant.switched-off')
    // A page of the provider's that lives on.
    await post(service, portal, { do: 'end', what: id })
    await jobsOf({ tenantId })
    await service.database.asSystem((tx) =>
      tx.count(sql`update sandbox_object set body = body - 'isClosed' where kind = 'portal'`),
    )
    await post(service, portal, { do: 'keep', what: id })
    expect((await active(manager)).endsAt).toBeUndefined()
    await jobsOf({ tenantId })
    expect((await active(manager)).endsAt).toBe((await active(manager)).currentPeriodEnd)
  })

  it(
    'that are invoiced companies have one grace, however many periods begin unpaid, and resume nothing unpaid',
    { tags: 'long' },
    async () => {
      const tenantId = await makeTenant(service, 2)
      const manager = await makePerson(service, 'ADMIN', { tenantId })
      const member = await makePerson(service, 'User', { tenantId })
      await service.database.asSystem((tx) =>
        tx.count(sql`update tenant set charge_by_email = true where id = ${tenantId}`),
      )
      await checkout(service, manager, small)
      await settle(service)
      expect((await thisMonth(member)).right).toBe('plan')
      await passDays(service, 15)
      const first = (await active(manager)).graceUntil
      expect(first).toBeDefined()
      for (let month = 0; month < 2; month++) {
        await passDays(service, 31)
        expect((await active(manager)).graceUntil).toBe(first)
      }
      await as(manager)(subscriptions.pause, {}).catch(() => {})
      await service.database.asSystem((tx) =>
        tx.count(sql`update subscription set paused_from = now() where tenant_id = ${tenantId}`),
      )
      const { id } = (await service.database.asSystem((tx) =>
        tx.first(sql<{ id: string }>`select provider_id as id from subscription where tenant_id = ${tenantId}`),
      ))!
      await service.database.asSystem((tx) =>
        tx.count(sql`
        update sandbox_object set body = body || jsonb_build_object('pausedFrom', now()) where id = ${id}`),
      )
      expect(await refused(as(manager)(subscriptions.resume, anyResume))).toBe('subscription.owes')
    },
  )

  it('that are invoiced companies owe each invoice: paying the newest alone keeps no plan', async () => {
    const tenantId = await makeTenant(service, 2)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    const member = await makePerson(service, 'User', { tenantId })
    await service.database.asSystem((tx) =>
      tx.count(sql`update tenant set charge_by_email = true where id = ${tenantId}`),
    )
    await checkout(service, manager, small)
    await settle(service)
    await passDays(service, 32)
    const open = (await as(manager)(subscriptions.charges, {})).filter(({ paid }) => !paid)
    expect(open).toHaveLength(2)
    const byAge = open.toSorted((one, other) => one.created.localeCompare(other.created))
    await post(service, byAge[1]!.receiptUrl, {})
    const graceUntil = new Date(Date.parse(byAge[0]!.created) + graceDays * 86_400_000).toISOString()
    expect(await active(manager)).toMatchObject({ status: 'active', graceUntil })
    // As if those days were over: the clock of the payment service runs ahead of ours.
    await service.database.asSystem((tx) =>
      tx.count(sql`update subscription set owed_since = now() - interval '15 days' where tenant_id = ${tenantId}`),
    )
    expect((await thisMonth(member)).right).toBe('free')
    await post(service, byAge[0]!.receiptUrl, {})
    const paid = await active(manager)
    expect([paid.status, paid.graceUntil]).toEqual(['active', undefined])
    expect((await thisMonth(member)).right).toBe('plan')
  })

  it(
    'that become staff are charged no more for a plan of their own, and its pages are closed',
    { tags: 'long' },
    async () => {
      const tenantId = await makeTenant(service, 2)
      const [officer, admin] = [
        await makePerson(service, 'User', { tenantId }),
        await makePerson(service, 'ADMIN', { tenantId: null }),
      ]
      await buyer(service, small, officer)
      const portal = (await as(officer)(subscriptions.portal, {})).url
      await forgetJobsOf({ userId: officer.id })
      await as(admin)(accounts.update, { body: { userId: officer.id, role: 'Editor' } })
      await jobsOf({ userId: officer.id })
      expect((await service.app.inject(new URL(portal).pathname)).statusCode).toBe(404)
      await passDays(service, 70)
      const charged = await service.database.asSystem((tx) =>
        tx.rows(sql`select from charge where user_id = ${officer.id}`),
      )
      expect(charged).toHaveLength(1)
    },
  )

  it('that are shut out are charged no more for a plan of their own', { tags: 'long' }, async () => {
    const [officer, admin] = [await makePerson(service, 'User'), await makePerson(service, 'ADMIN', { tenantId: null })]
    await buyer(service, small, officer)
    const portal = (await as(officer)(subscriptions.portal, {})).url
    await forgetJobsOf({ userId: officer.id })
    await as(admin)(accounts.update, { body: { userId: officer.id, isDisabled: true } })
    await jobsOf({ userId: officer.id })
    expect((await service.app.inject(new URL(portal).pathname)).statusCode).toBe(404)
    await passDays(service, 70)
    const charged = await service.database.asSystem((tx) =>
      tx.rows(sql`select from charge where user_id = ${officer.id}`),
    )
    expect(charged).toHaveLength(1)
  })

  it('that are companies leave no payment page open when one of their ADMINs leaves', async () => {
    const tenantId = await makeTenant(service, 2)
    const [manager, other, third, admin] = [
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId: null }),
    ]
    const pages: Record<string, string> = {}
    const byOperator = async () => {
      const { email } = (await service.database.asSystem((tx) =>
        tx.first(sql<{ email: string }>`select email from person where id = ${third.id}`),
      ))!
      await service.database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: true }))
    }
    const leave = {
      operator: byOperator,
      disabled: () => as(admin)(accounts.update, { body: { userId: manager.id, isDisabled: true } }),
      removed: () => as(other)(accounts.remove, {}),
    }
    for (const [how, who] of [
      ['operator', third],
      ['disabled', manager],
      ['removed', other],
    ] as const) {
      pages[how] = await checkout(service, who, small)
      await leave[how]()
      await jobsOf({ tenantId })
      expect((await post(service, pages[how], { number: cards.pays })).body, how).toContain('closed')
    }
    const paid = await service.database.asSystem((tx) => tx.rows(sql`select from charge where tenant_id = ${tenantId}`))
    expect(paid).toEqual([])
  })

  it('see a period paid completely by credit in their list of payments', async () => {
    const thrifty = await buyer(service, year)
    await as(thrifty)(subscriptions.updatePlan, anyChange(small))
    await passDays(service, 32)
    const [renewal, first, ...others] = await as(thrifty)(subscriptions.charges, {})
    expect(renewal).toMatchObject({ price: 0, credit: 10_000, paid: true, status: 'paid', paymentType: 'credit' })
    expect(first).toMatchObject({ price: 100_000, paymentType: 'card' })
    expect(others).toEqual([])
    expect((await service.app.inject(new URL(renewal!.receiptUrl).pathname)).body).toContain('Paid by credit')
    expect((await active(thrifty)).credit).toBeLessThan(80_001)
  })

  it('are charged no more after they remove their account', async () => {
    const leaving = await buyer(service, small)
    const providerId = (await service.database.asSystem((tx) =>
      tx.first(sql<{ id: string }>`select provider_id as id from subscription where user_id = ${leaving.id}`),
    ))!.id
    await as(leaving)(accounts.remove, {})
    await registry.endSubscription.run({ providerId }, jobContext(service))
    await registry.endSubscription.run({ providerId }, jobContext(service))
    const before = (await charges(await makePerson(service, 'User'))).length
    await passDays(service, 40)
    const after = await service.database.asSystem((tx) =>
      tx.rows(sql`select 1 from charge where user_id = ${leaving.id}`),
    )
    expect([before, after.length]).toEqual([0, 1])
  })

  it('that pay on an open page while their account was removed get it back, and nothing renews', async () => {
    const leaving = await makePerson(service, 'User')
    const { url } = await as(leaving)(subscriptions.checkout, anyOrder(small))
    const { customer } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ customer: string }>`select id as customer from customer where user_id = ${leaving.id}`),
    ))!
    const open = await buyer(service, small)
    await as(leaving)(accounts.remove, {})
    await post(service, url, { number: '4242 4242 4242 4242' })
    expect(await payments().runningOf(customer)).toHaveLength(1)
    const { traces } = (await service.database.asSystem((tx) =>
      tx.first(
        sql<{ traces: ErasureTargets }>`select work->'traces' as traces from removal where person_id = ${leaving.id}`,
      ),
    ))!
    for (let twice = 0; twice < 2; twice++) await subscriptionsData.eraseOutside!(traces, service.database)
    expect(await payments().runningOf(customer)).toEqual([])
    const paid = await service.database.asSystem((tx) =>
      tx.rows(sql<{ status: string }>`
        select body->>'status' as status from sandbox_object where kind = 'charge' and customer_id = ${customer}`),
    )
    expect(paid).toEqual([{ status: 'refunded' }])
    // Somebody else's plan is left alone.
    expect((await active(open)).status).toBe('active')
  })

  it('can ask for as many revisions as their plan includes', async () => {
    const officer = await buyer(service, small)
    const [editor, qa] = [await makePerson(service, 'Editor'), await makePerson(service, 'QA')]
    const { id } = await submit(officer)
    const params = { projectId: id }
    for (let round = 0; round < 3; round++) {
      await as(editor)(projects.start, { body: { projectId: id } })
      await as(editor)(projects.send, { params, body: { finalVideoId: await makeVideo(service, editor, { id }) } })
      await as(qa)(projects.approve, { params })
      const asked = await refused(as(officer)(projects.review, { params, body: { revision: 'Shorter' } }))
      expect(asked).toBe(round < 2 ? 'done' : 'project.revisions-used')
    }
    // What is in the queue keeps what it was promised: the words do not sell a plan for it.
    await service.database.asSystem((tx) =>
      tx.count(sql`update plan set metadata = metadata || '{"revisionsPerProject": 9}' where id = ${big}`),
    )
    await as(officer)(subscriptions.updatePlan, anyChange(big))
    await settle(service)
    await expect(as(officer)(projects.review, { params, body: { revision: 'Shorter' } })).rejects.toMatchObject({
      code: 'project.revisions-used',
      message: expect.stringMatching(/another plan counts only for videos that join the queue later.* Write to us/),
    })
    const admin = await makePerson(service, 'ADMIN')
    await as(admin)(projects.rollback, { params })
    expect(await refused(as(admin)(projects.rollback, { params }))).toBe('done')
  })
})

it('in production the payment sandbox sells nothing', async () => {
  const closed = await openService({ NODE_ENV: 'production' })
  try {
    const [plan] = await addPlans(closed)
    const officer = await makePerson(closed, 'User')
    const bought = callAs(closed, officer)(subscriptions.checkout, anyOrder(plan!))
    await expect(bought).rejects.toMatchObject({ code: 'payment.closed' })
    expect((await closed.app.inject({ method: 'POST', url: '/sandbox/clock', payload: { days: 1 } })).statusCode).toBe(
      404,
    )
  } finally {
    await closed.close()
  }
})
