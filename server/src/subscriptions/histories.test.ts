import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import {
  addPlans,
  anyChange,
  anyResume,
  anySingle,
  buyer,
  cards,
  checkout,
  fill,
  passDays,
  passToDraft,
  post,
  settle,
  useCard,
} from '../../test/buying.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { jobContext } from '../../test/mails.ts'
import { isLong, seeded, seedOfRun, type Random } from '../../test/random.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { registry } from '../main/registry.ts'
import { addEvent, deliverEvents } from '../stand-ins/payments/events.ts'
import { postTo } from '../stand-ins/payments/pages.ts'

let service: Service
let admin: Person
/** Small, big and yearly: without a coupon, and with each kind of one. */
let products: string[][]
const offers = [
  { percent: 50, amount: null, months: 1 },
  { percent: null, amount: 3000, months: 3 },
  { percent: 30, amount: null, months: null },
  { percent: null, amount: 2500, months: null },
]
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
  products = [await addPlans(service)]
  for (const [at, { percent, amount, months }] of offers.entries()) {
    const plans = await addPlans(service)
    await service.database.asSystem(async (tx) => {
      await tx.count(sql`
        insert into coupon (id, percent_off, amount_off, currency, months)
        values (${`OFFER${at}`}, ${percent}, ${amount}, ${amount === null ? null : 'usd'}, ${months})`)
      await tx.count(sql`
        update product set metadata = metadata || ${JSON.stringify({ coupon: `OFFER${at}` })}::jsonb
        where id = (select product_id from plan where id = ${plans[0]!})`)
    })
    products.push(plans)
  }
})
afterAll(() => service.close())

const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const below = (random: Random, most: number) => random.whole(0, most - 1)

/** Who pays: a person, or the company whose admin acts. */
type Payer = { person: Person; name: string }
const whoseId = ({ id, tenantId }: Person) => tenantId ?? id
const objectsOf = ({ person }: Payer) =>
  rows(sql<{ id: string; kind: string; body: Record<string, any> }>`
    select o.id, o.kind, o.body from sandbox_object o
      join customer c on c.user_id = ${whoseId(person)} or c.tenant_id = ${whoseId(person)}
    where o.id = c.id or o.customer_id = c.id order by o.created_at, o.id`)

/** What was paid, what went back to cards and what stands to the payer's good, of the provider's own books. */
const booksOf = async (payer: Payer) => {
  const books = { paid: 0, back: 0, credit: 0 }
  for (const { kind, body } of await objectsOf(payer)) {
    if (kind === 'customer') books.credit = body.credit
    if (kind === 'invoice' && body.status === 'paid') books.paid += body.price
    if (kind !== 'charge' || !body.paid) continue
    books.paid += body.price
    const refunds = Object.values<number>(body.refunds ?? {})
    books.back +=
      (body.status === 'refunded' ? body.price : refunds.reduce((all, one) => all + one, 0)) + (body.disputed ?? 0)
  }
  return books
}

const work = async () => {
  for (const { id } of await rows(sql<{ id: string }>`
    select id from refund where state = 'waiting' order by created_at, id`))
    await outcome(registry.refund.run({ refundId: id }, jobContext(service)))
  const jobs = await rows(sql<{ name: 'seats' | 'surplus'; data: never }>`
    delete from pgboss.job where name in ('seats', 'surplus') returning name, data`)
  for (const { name, data } of jobs) await outcome(registry[name].run(data, jobContext(service)))
}

/** Events come in any order, some twice and some late. */
const hear = async (random: Random) => {
  await deliverEvents(service.database, postTo(service.app))
  const waiting = await rows(sql<{ id: string; at: number }>`
    select id, 0 as at from payment_event where handled_at is null order by received_at, id`)
  const inAnyOrder = waiting.map(({ id }) => ({ id, at: random.next() })).toSorted((a, b) => a.at - b.at)
  for (const { id, at } of inAnyOrder)
    for (let times = at < 0.2 ? 0 : at < 0.8 ? 1 : 2; times > 0; times--)
      await registry.payment.run({ eventId: id }, jobContext(service))
}

const company = async (random: Random, planId: string): Promise<Payer> => {
  const tenantId = await makeTenant(service, 1 + below(random, 4))
  const name = `Company ${tenantId}`
  const byMail = below(random, 2) === 0
  await rows(sql`update tenant set name = ${name}, charge_by_email = ${byMail} where id = ${tenantId}`)
  const person = await makePerson(service, 'ADMIN', { tenantId })
  if (byMail) await checkout(service, person, planId)
  else await buyer(service, planId, person)
  await settle(service)
  return { person, name }
}

/** Of some the first payment is heard of late. */
const individual = async (random: Random, planId: string): Promise<Payer> => {
  const person = await makePerson(service, 'User')
  await fill(service, await checkout(service, person, planId), { number: cards.pays })
  await (below(random, 2) === 0 ? settle(service) : hear(random))
  return { person, name: person.name }
}

const weights = {
  change: 6,
  give: 3,
  wait: 3,
  draft: 2,
  card: 2,
  seats: 2,
  pay: 2,
  dispute: 1,
  pause: 1,
  resume: 1,
  end: 1,
  keep: 1,
  buy: 3,
  single: 1,
} satisfies Partial<Record<keyof ReturnType<typeof stepsOf>, number>>

/** What may happen to a payer; each answers what more a bank took back than was asked for. */
const stepsOf = (payer: Payer, random: Random, own: string[]) => {
  const { person } = payer
  const as = callConfirmed(service, person)
  // Mostly within one product, whose coupon goes along.
  const next = () => (below(random, 4) === 0 ? random.one(products) : own)[below(random, 3)]!
  const some = async (kind: string, fits: (body: Record<string, any>) => boolean) => {
    const found = (await objectsOf(payer)).filter((one) => one.kind === kind && fits(one.body))
    return found[below(random, found.length)]
  }
  const atPortal = async (step: 'end' | 'keep') => {
    const plan = await some('subscription', ({ status }) => status !== 'canceled')
    if (plan) await post(service, (await as(subscriptions.portal, {})).url, { do: step, what: plan.id })
  }
  const card = ['pays', 'pays', 'fails', 'failsRefunds', 'takesBack'] as const
  return {
    change: () => as(subscriptions.updatePlan, anyChange(next())),
    give: async () => {
      const { items } = await callAs(service, admin)(subscriptions.payments, {
        query: { wheres: [`payer:eq:${payer.name}`] },
      })
      const open = items.filter(({ left = 0 }) => left > 0)
      const payment = open[below(random, open.length)]
      if (!payment) return
      const amount = below(random, 2) === 0 ? payment.left! : 1 + below(random, payment.left!)
      const way = payment.ways[below(random, payment.ways.length)]!
      const body = { amount, way, reason: 'Asked for', left: payment.left! }
      await callConfirmed(service, admin)(subscriptions.giveBack, { params: { chargeId: payment.id }, body })
    },
    pause: () => as(subscriptions.pause, {}),
    resume: () => as(subscriptions.resume, anyResume),
    wait: () => passDays(service, [1, 10, 31, 31][below(random, 4)]!),
    draft: () => passToDraft(service, person),
    end: () => atPortal('end'),
    keep: () => atPortal('keep'),
    buy: async () => {
      const url = await checkout(service, person, next())
      if (url.includes('/sandbox/')) await post(service, url, { number: cards[card[below(random, 5)]!] })
    },
    card: () => useCard(service, person, cards[card[below(random, 5)]!]),
    single: () => as(subscriptions.charge, anySingle),
    seats: async () => {
      if (person.tenantId === null) return
      const data = { totalUsersAllowed: 1 + below(random, 6) }
      await callConfirmed(service, admin)(tenants.update, { body: { tenantId: person.tenantId, data } })
    },
    pay: async () => {
      const open = await some('invoice', ({ status }) => status === 'open')
      if (open) await post(service, `${service.config.publicUrl}/sandbox/invoices/${open.id}`, {})
    },
    dispute: async () => {
      const charge = await some('charge', ({ paid, disputed, status }) => paid && !disputed && status === 'succeeded')
      if (!charge) return 0
      const { price, refunds = {} } = charge.body
      const disputed = price - Object.values<number>(refunds).reduce((all, one) => all + one, 0)
      await service.database.asSystem(async (tx) => {
        await tx.count(sql`
          update sandbox_object set body = body || ${JSON.stringify({ disputed })}::jsonb where id = ${charge.id}`)
        await addEvent(tx, 'charge.dispute.created', charge.id, new Date())
      })
      return disputed
    },
  } satisfies Record<string, () => Promise<unknown>>
}

const timeout = isLong ? 3_600_000 : 120_000
test(
  'no more goes out to a payer than was paid, in any history of changes, refunds, seats and disputes',
  { timeout },
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const told: Record<string, number> = {}
    const histories = isLong ? Number(process.env.HISTORIES ?? 300) : 5
    for (let history = 0; history < histories; history++) {
      const own = products[history % products.length]!
      const first = own[below(random, 3)]!
      const payer = history % 3 === 2 ? await company(random, first) : await individual(random, first)
      const doing = stepsOf(payer, random, own)
      const steps: string[] = []
      // What a bank took back after it stood to the payer's good does not take that good away (decision 820).
      let late = 0
      for (let step = 0; step < (isLong ? 16 : 9); step++) {
        const name = random.weighted(weights)
        const became = await outcome(Promise.resolve(doing[name]()).then((more) => void (late += Number(more) || 0)))
        await work()
        await hear(random)
        steps.push(`${name}: ${became}`)
        told[name] = (told[name] ?? 0) + (became === 'done' ? 1 : 0)
        const { paid, back, credit } = await booksOf(payer)
        const said = `${steps.join(', ')} (history ${history}, seed ${seed})`
        expect(back + credit, said).toBeLessThanOrEqual(paid + late)
        if (below(random, 2) === 0) continue
        await settle(service)
        // Nor would it if all that may still be given back were.
        const { left } = (
          await rows(sql<{ left: number }>`
          select coalesce(sum(greatest(0, price - given_back(id) - credited)), 0)::integer as left from charge
          where paid and status <> 'refunded' and (user_id = ${whoseId(payer.person)} or tenant_id = ${whoseId(payer.person)})`)
        )[0]!
        expect(back + credit + left, said).toBeLessThanOrEqual(paid + late)
      }
    }
    console.log(`${histories} histories with seed ${seed}: ${JSON.stringify(told)}`)
  },
)

test('a plan whose payer’s bank took everything back is owed from then on, in any history', { timeout }, async () => {
  const seed = seedOfRun()
  const random = seeded(seed)
  const weights = { change: 6, wait: 4, draft: 1, seats: 1, single: 1, end: 1, buy: 2, dispute: 1 } as const
  const histories = isLong ? Number(process.env.HISTORIES ?? 300) : 4
  let owed = 0
  for (let history = 0; history < histories; history++) {
    const own = products[history % products.length]!
    const payer = await individual(random, own[below(random, 2) === 0 ? 2 : below(random, 3)]!)
    const doing = stepsOf(payer, random, own)
    const steps: string[] = []
    const hearAll = async () => {
      await work()
      await settle(service)
    }
    await settle(service)
    for (let step = 0; step < 5; step++) {
      const name = random.weighted(weights)
      steps.push(`${name}: ${await outcome(Promise.resolve(doing[name]()))}`)
      await hearAll()
    }
    await useCard(service, payer.person, cards.fails)
    for (let more = await doing.dispute(); more > 0;) more = await doing.dispute()
    await hearAll()
    // What was a draft is charged: nobody has paid it.
    await passDays(service, 0)
    for (let month = 0; month < 4; month++) {
      const plans = await rows(sql<{ owes: boolean; said: string }>`
        select s.is_taken_back as owes, row_to_json(s)::text || (select json_agg(json_build_array(c.created_at, c.price, c.credit, c.credited,
          c.taken_back_at) order by c.created_at) from charge c where c.user_id = s.user_id)::text as said from subscription s
        where s.user_id = ${payer.person.id} and s.status = 'active'`)
      const { paid, back } = await booksOf(payer)
      for (const { owes, said } of plans) {
        expect(
          owes,
          `month ${month} after ${steps.join(', ')} (history ${history}, seed ${seed}), paid ${paid}, back ${back} ${said}`,
        ).toBe(true)
        owed++
      }
      await passDays(service, 31)
    }
  }
  console.log(`${histories} histories with seed ${seed}: owed ${owed} times`)
  expect(owed).toBeGreaterThan(0)
})

test(
  'a payer who missed no payment in the end sends in a whole month each month, in any history',
  { timeout },
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const plans = await addPlans(service, 2)
    const numbers = [2, 4, 2]
    const histories = isLong ? Number(process.env.HISTORIES ?? 300) : 4
    const happened = { late: 0, draft: 0, change: 0, months: 0 }
    for (let history = 0; history < histories; history++) {
      let plan = below(random, 4) > 0 ? 1 : 0
      const officer = await buyer(service, plans[plan]!)
      await rows(sql`update person set free_projects = 1 where id = ${officer.id}`)
      const steps: string[] = []
      let sent = 0
      // What a bigger plan adds to a month that has begun is of its own payment, and the next month's.
      let most = numbers[plan]!
      const send = async () => {
        for (; sent < Math.min(most, numbers[plan]!); sent++) {
          const became = await outcome(submitProject(service, officer))
          expect(became, `${sent} sent in after ${steps.join(', ')} (history ${history}, seed ${seed})`).toBe('done')
        }
        await letDayPass(service)
      }
      const change = async () => {
        const next = below(random, 3) === 0 ? plan : below(random, 6) === 0 ? 2 : 1 - plan
        if (next === plan) return
        await callConfirmed(service, officer)(subscriptions.updatePlan, anyChange(plans[next]!))
        await settle(service)
        plan = next
        happened.change++
      }
      const fail = async () => {
        if (below(random, 2) === 0) return
        await useCard(service, officer, cards.fails)
        happened.late++
      }
      /** What happens in a period, in this order; a month begins once in each. */
      const first = { bought: async () => {}, changed: change, end: async () => {} }
      const renewed = {
        draft: async () => {
          await fail()
          await passToDraft(service, officer)
        },
        charged: () => passDays(service, 0),
        paid: () => useCard(service, officer, cards.pays),
        changed: change,
        end: async () => {},
      }
      await send()
      for (let period = 0; period < 4 && plan < 2; period++) {
        const moments = Object.entries<() => Promise<unknown>>(period === 0 ? first : renewed)
        const begins = below(random, moments.length)
        for (const [at, [name, happens]] of moments.entries()) {
          await happens()
          steps.push(`${name} on plan ${plan}`)
          if (at === begins) {
            await rows(sql`update quota_use set used = 0 where user_id = ${officer.id}`)
            steps.push('a month begins')
            sent = 0
            most = numbers[plan]!
            happened.months++
            if (name === 'draft') happened.draft++
          }
          // What they have not sent in when the next month begins is lost.
          if (below(random, 6) > 0) await send()
        }
      }
    }
    console.log(`${histories} histories with seed ${seed}: ${JSON.stringify(happened)}`)
  },
)
