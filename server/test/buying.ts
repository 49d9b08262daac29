import { randomUUID } from 'node:crypto'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { sql } from '../src/kernel/database.ts'
import { postTo } from '../src/stand-ins/payments/pages.ts'
import { draftMs, runSandbox } from '../src/stand-ins/payments/billing.ts'
import { moveClock, sandboxNow } from '../src/stand-ins/payments/clock.ts'
import { deliverEvents } from '../src/stand-ins/payments/events.ts'
import { registry } from '../src/main/registry.ts'
import { jobContext } from './mails.ts'
import { callAs, callConfirmed, makePerson, type Person, type Service } from './service.ts'

/** Plans of one product that the sandbox sells: $100 and $200 a month, $1,000 a year. Answers their ids. */
export const addPlans = async ({ database }: Pick<Service, 'database'>, projectsPerMonth = 4): Promise<string[]> => {
  const product = `prod_${randomUUID()}`
  const plans = [
    { id: `${product}_small`, price: 10_000, interval: 'month', projectsPerMonth, rank: 1 },
    { id: `${product}_big`, price: 20_000, interval: 'month', projectsPerMonth: 2 * projectsPerMonth, rank: 2 },
    { id: `${product}_year`, price: 100_000, interval: 'year', projectsPerMonth, rank: 1 },
  ]
  await database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into product (id, name, descriptions, metadata)
      values (${product}, 'Steady', '{"description":"","subtitle":""}', '{"position":1}')`)
    for (const { id, price, interval, projectsPerMonth, rank } of plans)
      await tx.count(sql`
        insert into plan (id, product_id, currency, price, interval, metadata) values (${id}, ${product}, 'usd', ${price},
          ${interval}, ${JSON.stringify({ projectsPerMonth, revisionsPerProject: 2, turnaroundHours: 24, rank })})`)
  })
  return plans.map(({ id }) => id)
}

/** Says what the sandbox has to say at the webhook door, and does the jobs that follow, as a worker would. */
export const settle = async (service: Service): Promise<void> => {
  await deliverEvents(service.database, postTo(service.app))
  const open = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from payment_event where handled_at is null order by received_at, id`),
  )
  for (const { id } of open) await registry.payment.run({ eventId: id }, jobContext(service))
}

/** Lets the sandbox's days go by, and the hour after which a renewal is charged. */
export const passDays = (service: Service, days: number): Promise<void> =>
  passTime(service, days * 86_400_000 + draftMs)

const passTime = async (service: Service, ms: number): Promise<void> => {
  await service.database.asSystem((tx) => moveClock(tx, ms))
  await runSandbox(service.database, new Date())
  await settle(service)
}

/** Lets the running period of somebody's plan end: the next one has begun, and its invoice is a draft. */
export const passToDraft = async (service: Service, { id, tenantId }: Person): Promise<void> => {
  const ends = await service.database.asSystem(async (tx) => {
    const next = await tx.first(sql<{ at: Date }>`
      select (o.body->>'periodEnd')::timestamptz as at from sandbox_object o join customer c on c.id = o.customer_id
      where (c.user_id = ${id} or c.tenant_id = ${tenantId}::uuid) and o.kind = 'subscription' and o.body->>'status' <> 'canceled'
      order by at limit 1`)
    return next && next.at.getTime() - (await sandboxNow(tx, new Date())).getTime()
  })
  if (ends !== undefined) await passTime(service, ends + draftMs / 2)
}

export const cards = {
  pays: '4242424242424242',
  asks: '4000002500003155',
  fails: '4000000000000341',
  declined: '4000000000000002',
  failsRefunds: '4000000000005126',
  takesBack: '4000000000000259',
}

/** Fills a form of the sandbox's in; what it has to say of that is not heard yet. */
export const fill = ({ app }: Pick<Service, 'app'>, url: string, fields: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

/** The same, heard of at once, and follows where it leads on the sandbox, as a browser would. */
export const post = async (service: Service, url: string, fields: Record<string, string>) => {
  const response = await fill(service, url, fields)
  await settle(service)
  const { location } = response.headers
  return location?.startsWith('/sandbox/') ? service.app.inject(location) : response
}

/** What tests send that are not about what was shown: whatever it costs, reckoned as of now. */
const most = { due: 1_000_000_000, renewalPrice: 1_000_000_000 }
export const anyOrder = (planId: string) => ({ body: { planId, shown: most } })
export const anyChange = (planId: string) => ({
  body: { planId, shown: { ...most, fromCredit: 0, at: new Date(0).toISOString() } },
})
export const anyResume = { body: { shown: most } }
export const anySingle = { body: { shown: { due: most.due } } }

export const checkout = async (service: Service, who: Person, planId: string): Promise<string> =>
  (await callAs(service, who)(subscriptions.checkout, anyOrder(planId))).url

/** An officer with a plan of their own, paid by card on the sandbox's page. */
export const buyer = async (service: Service, planId: string, who?: Person, number = cards.pays): Promise<Person> => {
  const person = who ?? (await makePerson(service, 'User'))
  await post(service, await checkout(service, person, planId), { number })
  return person
}

export const useCard = async (service: Service, who: Person, number: string) =>
  post(service, (await callConfirmed(service, who)(subscriptions.portal, {})).url, { do: 'card', number })
