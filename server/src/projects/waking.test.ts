import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePerson, makeTenant, openService, subscribe, type Service } from '../../test/service.ts'
import { monthAfter, monthIn } from '@clear-to-post/domain/calendar'
import { submitProject } from '../../test/factories.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { printed } from '../kernel/statement.ts'
import { postponeWaiting } from './due-store.ts'
import { rightNow } from './quota.ts'
import type { ProjectRow } from './store.ts'

/**
 * Whether a waiting video may enter the queue is decided by what `rightNow` reads. Each column of it that can end a reason to wait has
 * to wake what waits, or a video waits for its next month although it is paid.
 */
let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Ending = (plan: string, officer: string) => ReturnType<typeof sql>
const ofPlan =
  (set: ReturnType<typeof sql>): Ending =>
  (plan) =>
    sql`update subscription set ${set} where id = ${plan}`

/** How each column changes when a reason to wait ends; in words, why no change of it ends one. */
const endings: Record<string, Ending | string> = {
  'subscription.id': 'is what it is',
  'subscription.user_id': 'changes with tenant_id alone, where a plan is of another payer',
  'subscription.tenant_id': ofPlan(
    sql`user_id = (select id from person where tenant_id = subscription.tenant_id and name = 'Waits'), tenant_id = null`,
  ),
  'subscription.plan_id': ofPlan(sql`plan_id = (select l.id from plan l where l.id <> plan_id limit 1)`),
  'subscription.status': ofPlan(sql`status = 'trialing'`),
  'subscription.quantity': ofPlan(sql`quantity = quantity + 1`),
  'subscription.owed_since': ofPlan(sql`owed_since = null`),
  'subscription.paused_from': ofPlan(sql`paused_from = null`),
  'subscription.current_period_start': ofPlan(sql`current_period_start = now()`),
  'subscription.start_date': ofPlan(sql`start_date = start_date - interval '1 day'`),
  'subscription.provider_id': ofPlan(sql`provider_id = 'sub_another'`),
  'subscription.changing_until': 'what meets a change is asked again in each round until it is over',
  'subscription.before_change': 'what meets a way back is asked again in each round until it is over',
  'plan.id': 'is what it is',
  'plan.interval': 'a price has one interval for good, at the provider too',
  'plan.metadata': (plan) => sql`
    update plan set metadata = metadata || '{"projectsPerMonth": 900}' where id = (select plan_id from subscription where id = ${plan})`,
  'tenant.id': 'is what it is',
  'tenant.is_active': (plan) => sql`
    update tenant set is_active = true where id = (select tenant_id from subscription where id = ${plan})`,
  'tenant.total_users_allowed': (plan) => sql`
    update tenant set total_users_allowed = total_users_allowed + 1 where id = (select tenant_id from subscription where id = ${plan})`,
  'subscription_period.subscription_id': (plan) => sql`
    insert into subscription_period (subscription_id, starts, ends, videos, whole, most_a_month)
    values (${plan}, now(), now() + interval '1 month', 1, 1, 1)`,
  'subscription_period.videos': (plan) => sql`
    update subscription_period set videos = videos + 1 where subscription_id = ${plan}`,
  'subscription_period.most_a_month': (plan) => sql`
    update subscription_period set most_a_month = most_a_month + 1 where subscription_id = ${plan}`,
  'subscription_period.starts': 'another start is another row, which is asked above',
  'subscription_period.recorded_at': 'is written once, with its row',
  'project.paid_by': (plan) => sql`
    update project set used_at = null, paid_by = null, paid_plan = null where paid_by = ${plan}`,
  'project.used_at': 'is taken away with paid_by alone',
  'project.submit_month': 'changes with paid_by alone, once it has entered the queue',
  'project.user_id': 'is what it is',
  'project.tenant_id': 'is what it is',
  'project.is_free': 'is what it is',
  'project.status': 'another video that waits no more gives its count back, or took one',
  'project.final_video_id': 'comes when it has entered the queue',
  'person.id': 'is what it is',
  'person.is_disabled': (_plan, officer) => sql`update person set is_disabled = false where id = ${officer}`,
  'person.role': (_plan, officer) => sql`update person set role = 'User' where id = ${officer}`,
  'person.tenant_id': (_plan, officer) => sql`update person set tenant_id = null where id = ${officer}`,
  'quota_use.user_id': 'is what it is',
  'quota_use.month': 'is what it is',
  'quota_use.used': (_plan, officer) => sql`update quota_use set used = used - 1 where user_id = ${officer}`,
  'extra_project.user_id': 'is what it is',
  'extra_project.state': (_plan, officer) => sql`update extra_project set state = 'paid' where user_id = ${officer}`,
  'extra_project.used_month': 'is given back with a count',
  'extra_project.used_for': 'the same',
}

/** What is read beside them, and of which no video waits: whether a new one may be the free one, and what pages show of a plan. */
const decidesNothing = [
  ...['domain', 'mailbox', 'used_at'].map((name) => `free_video.${name}`),
  ...['email', 'email_verified_at', 'free_projects'].map((name) => `person.${name}`),
  ...['currency', 'price', 'product_id'].map((name) => `plan.${name}`),
  'tenant.name',
  ...['name', 'value'].map((name) => `service_secret.${name}`),
  ...'amount_off card_brand card_last4 covered_since credit current_period_end days_until_due discount_ends ends_at'
    .concat(' is_taken_back item_id payment_method_id percent_off reading')
    .split(' ')
    .map((name) => `subscription.${name}`),
]

/** The columns that a statement reads, as PostgreSQL itself understands it. */
const columnsOf = async (tx: Tx, query: Parameters<Tx['rows']>[0]): Promise<string[]> => {
  const text = printed(query).text.replaceAll(/\$\d+/g, 'null')
  await tx.executeSql(`create temporary view what_is_read as ${text}`)
  const rows = await tx.rows(sql<{ name: string }>`
    select distinct c.relname || '.' || a.attname as name
    from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where r.ev_class = 'what_is_read'::regclass and d.refclassid = 'pg_class'::regclass and c.relname <> 'what_is_read'`)
  await tx.executeSql('drop view what_is_read')
  return rows.map(({ name }) => name)
}

const stop = new Error('undone')
/** Nothing of the work stands. */
const tried = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  let answer: T
  await service.database
    .asSystem(async (tx) => {
      answer = await work(tx)
      throw stop
    })
    .catch((error: unknown) => {
      if (error !== stop) throw error
    })
  return answer!
}

/** Asks for a waiting video in its own month and in a later one, and keeps what is read of the database and of its row. */
const asked = (waiting: string) =>
  tried(async (tx) => {
    const queries = new Map<string, Parameters<Tx['rows']>[0]>()
    const keep = <A>(ask: (query: Parameters<Tx['rows']>[0]) => A) =>
      ((query: Parameters<Tx['rows']>[0]) => {
        queries.set(printed(query).text, query)
        return ask(query)
      }) as never
    const seen: Tx = { ...tx, rows: keep(tx.rows), first: keep(tx.first), count: keep(tx.count) }
    const row = (await tx.first(sql<ProjectRow>`select * from project where id = ${waiting}`))!
    const ofRow = new Set<string>()
    const watched = new Proxy(row, {
      get: (all, name: keyof ProjectRow) => {
        ofRow.add(name)
        return all[name]
      },
    })
    for (const month of [row.submit_month, monthAfter(row.submit_month, 1)]) {
      const found = await rightNow(seen, watched, month, new Date())
      expect('right' in found && found.right).toBe('plan')
    }
    const names = new Set<string>()
    for (const [text, query] of queries)
      if (/^\s*(select|with)\b[^]*\bfrom\b/.test(text)) for (const name of await columnsOf(tx, query)) names.add(name)
    return { names: [...names].sort(), ofRow: [...ofRow] }
  })

/** A company's plan with a video on it, and another officer's video of a later month. */
const somePlan = async () => {
  const tenantId = await makeTenant(service, 2)
  for (const whose of [{ tenantId }, { tenantId: await makeTenant(service) }]) await subscribe(service, whose)
  const [sender, officer] = [
    await makePerson(service, 'User', { tenantId }),
    await makePerson(service, 'User', { tenantId, name: 'Waits' }),
  ]
  await submitProject(service, sender)
  const submitMonth = monthAfter(monthIn(new Date(), 'America/New_York'), 1)
  const { id: waiting } = await submitProject(service, officer, { submitMonth })
  return { tenantId, officer: officer.id, waiting }
}

it('every column that decides whether a waiting video may enter the queue is known here, and no other', async () => {
  const { names } = await asked((await somePlan()).waiting)
  expect(names).toEqual([...Object.keys(endings), ...decidesNothing].sort())
})

it('those put to sleep with a video are alike in every column of it that decides whether it may enter the queue', async () => {
  const { ofRow } = await asked((await somePlan()).waiting)
  const statements: string[] = []
  const hearing = {
    count: (query: Parameters<Tx['count']>[0]) => (statements.push(printed(query).text), Promise.resolve(0)),
  } as unknown as Tx
  await postponeWaiting(hearing, {} as ProjectRow, 'no-plan', new Date(), new Date())
  const compared = /where user_id[^]*$/.exec(statements.join())![0]
  expect(ofRow.length).toBeGreaterThan(3)
  expect(ofRow.filter((name) => !new RegExp(`\\b${name} (=|is not distinct from) `).test(compared))).toEqual([])
})

/** The plan is owed and paused, its company switched off and the officer shut out. */
const someWait = async () => {
  const { tenantId, officer, waiting } = await somePlan()
  return service.database.asSystem(async (tx) => {
    const { id: plan } = (await tx.first(sql<{ id: string }>`
      update subscription set owed_since = now(), paused_from = now() where tenant_id = ${tenantId} returning id`))!
    await tx.count(sql`
      insert into subscription_period (subscription_id, starts, ends, videos, whole, most_a_month)
      values (${plan}, now() - interval '1 month', now(), 1, 1, 1)`)
    await tx.count(sql`update tenant set is_active = false where id = ${tenantId}`)
    await tx.count(sql`update person set is_disabled = true, role = 'Editor' where id = ${officer}`)
    await tx.count(sql`
      insert into extra_project (user_id, request_id, price, currency) values (${officer}, 'waits', 100, 'usd')`)
    await tx.count(sql`update project set waits_for = 'month-full', due_at = '9998-01-01' where id = ${waiting}`)
    return { plan, officer, waiting }
  })
}

it('a change of each of them that can end a reason to wait wakes the video that waits', async () => {
  const { plan, officer, waiting } = await someWait()
  const asleep: string[] = []
  for (const [name, ending] of Object.entries(endings)) {
    if (typeof ending === 'string') continue
    const { changed, isAwake } = await tried(async (tx) => {
      const changed = await tx.count(ending(plan, officer))
      const row = await tx.first(sql<{ isAwake: boolean }>`
        select due_at <= now() as "isAwake" from project where id = ${waiting}`)
      return { changed, ...row! }
    })
    expect([name, changed]).toEqual([name, 1])
    if (!isAwake) asleep.push(name)
  }
  expect(asleep).toEqual([])
})
