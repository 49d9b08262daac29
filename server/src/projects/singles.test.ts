import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { Status } from '@clear-to-post/domain/workflow'
import { letDayPass, submitProject } from '../../test/factories.ts'
import { isLong, seeded, seedOfRun, type Random } from '../../test/random.ts'
import {
  callAs,
  callConfirmed,
  confirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { runDue } from './due.ts'

/** Videos that are bought by themselves, and the months that need them. */

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN', { tenantId: null })
})
afterAll(() => service.close())
// No officer of an earlier test is waiting.
beforeEach(() => write(sql`update project set due_at = '9998-01-01' where due_at is not null`))

const zone = 'America/New_York'
const month = (ahead: number) => monthAfter(monthIn(new Date(), zone), ahead)
const inMonth = (ahead: number) => new Date(startOfMonth(month(ahead), zone).getTime() + 60_000)
const rows = <R>(query: ReturnType<typeof sql<R>>) => service.database.asSystem((tx) => tx.rows(query))
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
const run = (now: Date) => runDue(service.database, now)
const buy = ({ id }: { id: string }) =>
  write(sql`
    insert into extra_project (user_id, request_id, price, currency, state)
    values (${id}, gen_random_uuid()::text, 100, 'usd', 'paid')`)
/** How many videos of a month the plan of this payer holds from now on. */
const holds = async (payer: { userId: string } | { tenantId: string }, videos: number) => {
  const isOf = 'userId' in payer ? sql`s.user_id = ${payer.userId}` : sql`s.tenant_id = ${payer.tenantId}`
  const changed = await write(sql`
    update plan l set metadata = l.metadata || jsonb_build_object('projectsPerMonth', ${videos}::integer)
    where id in (select s.plan_id from subscription s where ${isOf})`)
  if (changed === 0) await subscribe(service, payer, videos)
}
const officerOf = async (tenantId: string | null): Promise<Person> => {
  const officer = await makePerson(service, 'User', { tenantId, timeZone: zone })
  await write(sql`update person set free_projects = 1 where id = ${officer.id}`)
  return officer
}
/** Who came to another company, or to none. */
const movedTo = async (officer: Person, tenantId: string | null): Promise<Person> => {
  await write(sql`update person set tenant_id = ${tenantId} where id = ${officer.id}`)
  const [now] = await rows(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${officer.id}`)
  return confirmed(service, { ...officer, tenantId, securityStamp: now!.stamp })
}
const submit = async (officer: Person, ahead: number) => {
  await letDayPass(service)
  return submitProject(service, officer, { submitMonth: month(ahead) })
}
const spareOf = async (officer: Person) => (await callAs(service, officer)(subscriptions.active, {})).extra?.spare ?? 0

describe('a single video that was bought for a month ahead', () => {
  it.each([
    ['on a bigger plan', null, 2],
    ['on the plan of a company that its officer joined', 'company', 4],
  ])('is there for another month where the month’s videos enter the queue %s', async (_, where, videos) => {
    let officer = await officerOf(null)
    await holds({ userId: officer.id }, 1)
    await buy(officer)
    const planned = [await submit(officer, 1), await submit(officer, 1)]
    expect(await spareOf(officer)).toBe(0)
    const tenantId = where && (await makeTenant(service))
    if (tenantId !== null) officer = await movedTo(officer, tenantId)
    await holds(tenantId === null ? { userId: officer.id } : { tenantId }, videos)
    await run(inMonth(1))
    const entered = await rows(sql<{ status: Status; paid: boolean }>`
      select status, paid_by is not null as paid from project where user_id = ${officer.id}`)
    expect(entered).toEqual(planned.map(() => ({ status: Status.submitted, paid: true })))
    expect(await spareOf(officer)).toBe(1)
  })

  it('stays set aside while a video of that month may need it', async () => {
    const officer = await officerOf(null)
    await holds({ userId: officer.id }, 1)
    await buy(officer)
    const planned = [await submit(officer, 1), await submit(officer, 1)]
    await run(inMonth(1))
    expect(await spareOf(officer)).toBe(0)
    await callConfirmed(service, admin)(projects.cancel, { params: { projectId: planned[0]!.id } })
    expect(await spareOf(officer)).toBe(1)
  })
})

type Video = { id: string; company: string | null; month: string; stands: 'waits' | 'plan' | 'bought' | 'over' }
const videosOf = ({ id }: Person) =>
  rows(sql<Video>`
    select id, tenant_id as company, submit_month as month, case when used_at is not null and paid_by is null then 'bought'
      when paid_by is not null then 'plan' when status = ${Status.scheduled} then 'waits' else 'over' end as stands
    from project where user_id = ${id} and not is_free order by id`)
const singlesOf = ({ id }: Person) =>
  rows(sql<{ id: string; month: string | null; company: string | null }>`
    select id, used_month as month, used_for as company from extra_project where user_id = ${id} order by id`)

/** How many of these find one of their own among those: what was bought for a company, a video of it or of none. */
const matched = (
  bought: readonly { company: string | null }[],
  videos: readonly { company: string | null }[],
): number => {
  const standsOn = new Map<number, number>()
  const finds = (one: number, seen: Set<number>): boolean =>
    videos.some((video, at) => {
      const { company } = bought[one]!
      if (seen.has(at) || (company !== null && video.company !== null && company !== video.company)) return false
      seen.add(at)
      if (standsOn.has(at) && !finds(standsOn.get(at)!, seen)) return false
      standsOn.set(at, one)
      return true
    })
  return bought.filter((_, one) => finds(one, new Set())).length
}

/** What does not hold of an officer's videos and of what they bought. */
const wrongOf = async (officer: Person): Promise<string[]> => {
  const [videos, singles] = [await videosOf(officer), await singlesOf(officer)]
  return [...new Set(singles.flatMap((one) => one.month ?? []))].flatMap((of) => {
    const bought = singles.filter((one) => one.month === of)
    const onBought = videos.filter((one) => one.month === of && one.stands === 'bought')
    const all = videos.filter((one) => one.month === of && (one.stands === 'bought' || one.stands === 'waits'))
    return [
      ...(matched(bought, all) < bought.length ? [`${bought.length} bought in ${of} for ${all.length}`] : []),
      ...(matched(bought, onBought) < onBought.length
        ? [`${onBought.length} entered on ${bought.length} in ${of}`]
        : []),
    ]
  })
}

const weights = { buy: 3, ahead: 6, now: 3, cancel: 3, undo: 2, move: 2, plan: 3, due: 1 }

const history = async (random: Random): Promise<{ wrong: string[]; log: string[] }> => {
  const companies = [await makeTenant(service), await makeTenant(service)]
  const wheres = [null, ...companies]
  let officer = await officerOf(random.one(wheres))
  let bought = 0
  let passed = 0
  const log: string[] = []
  const steps = {
    buy: async () => {
      bought += 1
      await buy(officer)
      return ''
    },
    now: () => outcome(submit(officer, passed)),
    ahead: () => outcome(submit(officer, passed + random.whole(1, 2))),
    cancel: async () => {
      const left = (await videosOf(officer)).filter(({ stands }) => stands !== 'over')
      if (left.length === 0) return 'none'
      return outcome(callConfirmed(service, admin)(projects.cancel, { params: { projectId: random.one(left).id } }))
    },
    undo: async () => {
      const gone = (await videosOf(officer)).filter(({ stands }) => stands !== 'waits')
      if (gone.length === 0) return 'none'
      const one = random.one(gone)
      const by = one.company === null ? admin : await makePerson(service, 'ADMIN', { tenantId: one.company })
      return outcome(callAs(service, by)(projects.rollback, { params: { projectId: one.id } }))
    },
    move: async () => {
      const to = random.one(wheres)
      officer = await movedTo(officer, to)
      return String(wheres.indexOf(to))
    },
    plan: async () => {
      const payer = random.one(wheres)
      const videos = random.whole(0, 3)
      await holds(payer === null ? { userId: officer.id } : { tenantId: payer }, videos)
      return `${wheres.indexOf(payer)} ${videos}`
    },
    due: async () => {
      passed = Math.min(passed + 1, 2)
      await run(inMonth(passed))
      return String(passed)
    },
  }
  for (let step = 0; step < 24; step++) {
    const name = random.weighted(weights)
    log.push(`${name}:${await steps[name]()}`)
    const wrong = await wrongOf(officer)
    if (wrong.length > 0) return { wrong, log }
  }
  await run(inMonth(passed + 3))
  for (const { id, stands } of await videosOf(officer))
    if (stands === 'waits') await callConfirmed(service, admin)(projects.cancel, { params: { projectId: id } })
  const entered = (await videosOf(officer)).filter(({ stands }) => stands === 'bought').length
  const spare = (await singlesOf(officer)).filter((one) => one.month === null).length
  const lost = bought - entered - spare
  return { wrong: [...(await wrongOf(officer)), ...(lost === 0 ? [] : [`${lost} of ${bought} lost`])], log }
}

const count = isLong ? 60 : 4
it(
  `single videos stand for a video each, and none is lost, in ${count} random histories`,
  { timeout: 400_000 },
  async () => {
    const seed = seedOfRun()
    for (let n = 0; n < count; n++) {
      const { wrong, log } = await history(seeded(seed + n))
      expect(wrong, `PROVE_SEED=${seed + n}: ${log.join(', ')}`).toEqual([])
      await write(sql`update project set due_at = '9998-01-01' where due_at is not null`)
    }
  },
)
