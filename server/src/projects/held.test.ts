import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { addPlans, anySingle, buyer, cards, settle, useCard } from '../../test/buying.ts'
import { submitProject } from '../../test/factories.ts'
import { runNotices } from '../../test/mails.ts'
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
import { addEvent } from '../stand-ins/payments/events.ts'
import { runDue } from './due.ts'

/** Videos whose month has begun, and which others’ plans, seats and payments hold back or let in. */

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())
// No officer of an earlier test is waiting.
beforeEach(() => write(sql`update project set due_at = '9998-01-01' where due_at is not null`))

const zone = 'America/New_York'
const month = (ahead: number) => monthAfter(monthIn(new Date(), zone), ahead)
const inMonth = (ahead: number, days = 0) =>
  new Date(startOfMonth(month(ahead), zone).getTime() + days * 86_400_000 + 60_000)
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
const officerOf = async (tenantId: string | null, name = 'Officer'): Promise<Person> => {
  const officer = await makePerson(service, 'User', { tenantId, name, timeZone: zone })
  await write(sql`update person set free_projects = 1 where id = ${officer.id}`)
  return officer
}
/** Who signed in anew: what was changed of them ended their older tokens. */
const again = async (person: Person): Promise<Person> => {
  const { stamp } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ stamp: number }>`select security_stamp as stamp from person where id = ${person.id}`),
  ))!
  return confirmed(service, { ...person, securityStamp: stamp })
}
const submit = async (officer: Person, times: number, ahead = 1) => {
  const all: { id: string }[] = []
  for (let n = 0; n < times; n++) all.push(await submitProject(service, officer, { submitMonth: month(ahead) }))
  return all
}
/** Its status, and why it waits. */
const standing = (all: readonly { id: string }[]) =>
  Promise.all(
    all.map(async ({ id }) => {
      const row = await service.database.asSystem((tx) =>
        tx.first(
          sql<{ status: number; waits_for: string | null }>`select status, waits_for from project where id = ${id}`,
        ),
      )
      return row!.waits_for ?? row!.status
    }),
  )
const run = (now: Date) => runDue(service.database, now)

describe('a video of one company', () => {
  it('is not put to sleep with one of the same officer at another company, whose plan is another', async () => {
    const [here, there] = [await makeTenant(service), await makeTenant(service)]
    for (const tenantId of [here, there]) await subscribe(service, { tenantId }, 4)
    const officer = await officerOf(here)
    const [left] = await submit(officer, 1)
    await write(sql`update person set tenant_id = ${there} where id = ${officer.id}`)
    const [own] = await submit(await again({ ...officer, tenantId: there }), 1)
    await write(sql`update subscription set status = 'canceled' where tenant_id = ${there}`)
    await run(inMonth(1))
    await run(inMonth(1, 1))
    expect(await standing([left!, own!])).toEqual(['no-plan', 'no-plan'])
    await subscribe(service, { tenantId: there }, 4)
    await run(inMonth(1, 2))
    expect(await standing([left!, own!])).toEqual(['no-plan', 0])
  })

  /** An officer with four videos for the next month, or another one, at one company, and as many as are bought; moved to another one since. */
  const moved = async (bought: number, ahead = 1) => {
    const [here, there] = [await makeTenant(service), await makeTenant(service)]
    await write(sql`update tenant set name = 'Former Lending' where id = ${here}`)
    for (const tenantId of [here, there]) await subscribe(service, { tenantId }, 4)
    const admin = await makePerson(service, 'ADMIN', { tenantId: null })
    const officer = await officerOf(here)
    await useCard(service, officer, cards.pays)
    for (let one = 0; one < bought; one++) await callAs(service, officer)(subscriptions.charge, anySingle)
    const left = await submit(officer, 4 + bought, ahead)
    await callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, tenantId: there } })
    return { left, officer: await again({ ...officer, tenantId: there }), admin, there }
  }
  const spare = async ({ id }: Person) =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ n: number }>`
        select count(*)::integer as n from extra_project where user_id = ${id} and used_month is null`),
    ))!.n
  const nextMonth = async (officer: Person) =>
    (await callAs(service, officer)(projects.allowance, {})).months.find((one) => one.month === month(1))!

  it('takes nothing of its officer’s month at another company, nor of what they bought there', async () => {
    const { left, officer } = await moved(0)
    expect(await nextMonth(officer)).toMatchObject({ used: 0, right: 'plan' })
    const own = await submit(officer, 4)
    expect(await outcome(submit(officer, 1))).toBe('project.quota-used')
    await callAs(service, officer)(subscriptions.charge, anySingle)
    own.push(...(await submit(officer, 1)))
    expect(await nextMonth(officer)).toMatchObject({ used: 5, right: 'none' })
    await run(inMonth(1))
    expect([await standing(left), await standing(own)]).toEqual([Array(4).fill('no-plan'), Array(5).fill(0)])
    // What waits there gives back nothing that was used here.
    await callAs(service, officer)(projects.cancel, { params: { projectId: left[0]!.id }, query: {} })
    expect([await spare(officer), await outcome(submit(officer, 1))]).toEqual([0, 'project.quota-used'])
    // And what is bought here is not for it.
    await callAs(service, officer)(subscriptions.charge, anySingle)
    await write(sql`update project set due_at = ${inMonth(1, 1)} where id = ${left[1]!.id}`)
    await run(inMonth(1, 1))
    expect([await spare(officer), ...(await standing(left.slice(1)))]).toEqual([1, 'no-plan', 'no-plan', 'no-plan'])
  })

  it('enters the queue on what was bought for it, which is for no video of another company', async () => {
    const { left, officer } = await moved(1)
    const own = await submit(officer, 4)
    expect(await outcome(submit(officer, 1))).toBe('project.quota-used')
    await run(inMonth(1))
    expect([(await standing(left)).toSorted(), await standing(own)]).toEqual([
      [0, ...Array(4).fill('no-plan')],
      Array(4).fill(0),
    ])
    expect(await outcome(submit(officer, 1))).toBe('project.quota-used')
  })

  it.each([
    ['waits for its month', 1, 7],
    ['was in the queue', 0, 0],
  ] as const)(
    'that %s comes back from a cancellation on nothing that was bought elsewhere',
    async (_, ahead, status) => {
      const { left, officer, admin } = await moved(0, ahead)
      await callAs(service, officer)(subscriptions.charge, anySingle)
      await callAs(service, admin)(projects.cancel, { params: { projectId: left[0]!.id }, query: {} })
      await callAs(service, admin)(projects.rollback, { params: { projectId: left[0]!.id }, body: {} })
      expect([await spare(officer), ...(await standing(left))]).toEqual([1, ...Array(4).fill(status)])
    },
  )

  it('takes nothing of the plan there by entering on a plan of its officer’s own, nor do those there of that one', async () => {
    const [first, last] = [await moved(0), await moved(0)]
    for (const { officer } of [first, last]) expect(await nextMonth(officer)).toMatchObject({ used: 0, right: 'plan' })
    const own = [await submit(first.officer, 4), await submit(last.officer, 4)]
    await subscribe(service, { userId: first.officer.id }, 4)
    await run(inMonth(1))
    expect([await standing(first.left), await standing(own[0]!)]).toEqual([Array(4).fill(0), Array(4).fill(0)])
    expect([await standing(last.left), await standing(own[1]!)]).toEqual([Array(4).fill('no-plan'), Array(4).fill(0)])
    await subscribe(service, { userId: last.officer.id }, 4)
    await run(inMonth(1, 1))
    expect(await standing(last.left)).toEqual(Array(4).fill(0))
  })

  it('enters on its officer’s own plan after those of the company where they are, and counts for that plan', async () => {
    const { left, officer, there } = await moved(0)
    await write(sql`update subscription set status = 'canceled' where tenant_id = ${there}`)
    await subscribe(service, { userId: officer.id }, 4)
    expect(await nextMonth(officer)).toMatchObject({ used: 0, allowed: 4, right: 'plan' })
    const own = await submit(officer, 3)
    await run(inMonth(1))
    await run(inMonth(1, 1))
    expect([(await standing(left)).toSorted(), await standing(own)]).toEqual([
      [0, 'month-full', 'month-full', 'month-full'],
      [0, 0, 0],
    ])
    expect([await nextMonth(officer), await outcome(submit(officer, 1))]).toMatchObject([
      { used: 4, allowed: 4, right: 'none' },
      'project.quota-used',
    ])
    await runNotices(service)
    const told = (await callAs(service, officer)(notifications.list, {})).items.find(({ title }) =>
      title.endsWith('wait'),
    )!
    expect([told.title, told.body]).toEqual([
      expect.stringContaining('at Former Lending'),
      expect.stringContaining('A single video that you buy now is not for it'),
    ])
  })

  it('says to an officer who is elsewhere which company it was sent in for, and to cancel it', async () => {
    const { left, officer } = await moved(0)
    await run(inMonth(1))
    await runNotices(service)
    const [told, ...more] = (await callAs(service, officer)(notifications.list, {})).items.filter(({ title }) =>
      title.endsWith('wait'),
    )
    expect([told!.title, more]).toEqual([expect.stringContaining('at Former Lending'), []])
    expect(told!.body).toContain('for Former Lending, where you are no more')
    expect(told!.body).toContain('Cancel it.')
    expect(told!.body).not.toContain('Choose a plan')
    await expect(
      callAs(service, officer)(projects.unschedule, { params: { projectId: left[0]!.id }, body: {} }),
    ).rejects.toMatchObject({ code: 'project.no-plan', message: expect.stringContaining('Former Lending') })
  })
})

describe('videos of an officer who is away', () => {
  /** A company with one seat of four videos, paid by card, whose officer has planned them for the next month. */
  const company = async (name: string) => {
    const [plan] = await addPlans(service)
    const tenantId = await makeTenant(service, 1)
    const admin = await buyer(service, plan!, await makePerson(service, 'ADMIN', { tenantId }))
    await settle(service)
    const officer = await officerOf(tenantId, name)
    const change = (what: { isDisabled: boolean } | { role: 'Editor' | 'User' }) =>
      callConfirmed(service, admin)(accounts.update, { body: { userId: officer.id, ...what } })
    return { tenantId, admin, officer, planned: await submit(officer, 4), change }
  }
  const toldOf = async (who: Person) => {
    await runNotices(service)
    return (await callAs(service, who)(notifications.list, {})).items.filter(({ title }) => title.includes('wait'))
  }

  it('leave the seat to who came after, and enter the queue once the officer is enabled again', async () => {
    const { tenantId, officer, planned, change } = await company('Xaver')
    await change({ isDisabled: true })
    const next = await officerOf(tenantId, 'Yves')
    const theirs = await submit(next, 4)
    await run(inMonth(1))
    expect([await standing(planned), await standing(theirs)]).toEqual([
      Array(4).fill('officer-inactive'),
      Array(4).fill(0),
    ])
    // However often they are asked, they wait, and without an end.
    for (const [ahead, days] of [
      [1, 1],
      [2, 0],
      [3, 0],
      [5, 0],
    ] as const)
      await run(inMonth(ahead, days))
    expect(await standing(planned)).toEqual(Array(4).fill('officer-inactive'))
    await write(sql`update tenant set total_users_allowed = 2 where id = ${tenantId}`)
    await write(sql`update subscription set quantity = 2 where tenant_id = ${tenantId}`)
    await run(inMonth(5, 1))
    await change({ isDisabled: false })
    const { due } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ due: number }>`
        select count(*)::integer as due from project where user_id = ${officer.id} and due_at <= now()`),
    ))!
    expect(due).toBe(4)
    await run(inMonth(5, 2))
    expect(await standing(planned)).toEqual(Array(4).fill(0))
  })

  it('are told to the admins of their company once a month, with what to do, and not to the officer', async () => {
    const { admin, officer, planned, change } = await company('Xaver')
    await submit(officer, 1, 2)
    await change({ isDisabled: true })
    await run(inMonth(1))
    await run(inMonth(1, 1))
    const [told, ...more] = await toldOf(admin)
    expect(more).toEqual([])
    expect(told!.title).toMatch(/^Videos of Xaver for \w+( \d{4})? wait$/)
    expect(told!.body).toMatch(
      /^4 videos of Xaver .* Xaver is disabled and cannot sign in\. .*Enable them under People.*cancel/s,
    )
    expect(planned.map(({ id }) => `/panel/projects/${id}`)).toContain(told!.cta!.url)
    const seen = await callAs(service, admin)(projects.find, { params: { projectId: planned[0]!.id } })
    expect(seen.timeline.at(-1)).toMatchObject({
      title: 'Waits for its officer',
      metadata: { waits: 'officer-inactive' },
    })
    expect(await outcome(callAs(service, admin)(projects.unschedule, { params: { projectId: planned[0]!.id } }))).toBe(
      'project.officer-inactive',
    )
    expect(await outcome(callAs(service, admin)(projects.cancel, { params: { projectId: planned[0]!.id } }))).toBe(
      'done',
    )
    await run(inMonth(2))
    expect((await toldOf(admin)).map(({ body }) => body.split(' of ')[0]).toSorted()).toEqual(['4 videos', 'One video'])
    await change({ isDisabled: false })
    expect(await toldOf(await again(officer))).toEqual([])
  })

  it('wait while the officer is an editor, the free one, too, and go on when they are an officer again', async () => {
    const { admin, planned, change } = await company('Xaver')
    await write(sql`update project set is_free = true where id = ${planned[3]!.id}`)
    await change({ role: 'Editor' })
    await run(inMonth(1))
    await run(inMonth(1, 1))
    expect(await standing(planned)).toEqual(Array(4).fill('officer-inactive'))
    expect((await toldOf(admin))[0]!.body).toMatch(/is no loan officer any more.*Make them a loan officer again/s)
    await change({ role: 'User' })
    await run(inMonth(1, 2))
    expect(await standing(planned)).toEqual(Array(4).fill(0))
  })

  it.each([
    ['disabled', { isDisabled: true }],
    ['made an editor', { role: 'Editor' }],
  ] as const)(
    'say to a former company nothing of an officer who is %s elsewhere: no plan pays for them',
    async (_, what) => {
      for (const isElsewhere of [true, false]) {
        const { admin, officer, planned } = await company('Zelda')
        const serviceAdmin = await makePerson(service, 'ADMIN', { tenantId: null })
        const tenantId = isElsewhere ? await makeTenant(service) : null
        await callConfirmed(service, serviceAdmin)(accounts.update, { body: { userId: officer.id, tenantId } })
        await callConfirmed(service, serviceAdmin)(accounts.update, { body: { userId: officer.id, ...what } })
        await run(inMonth(1))
        expect(await standing(planned)).toEqual(Array(4).fill('no-plan'))
        expect(await toldOf(admin)).toEqual([])
        const asked = callAs(service, admin)
        expect(await outcome(asked(projects.unschedule, { params: { projectId: planned[0]!.id } }))).toBe(
          'project.no-plan',
        )
        const { timeline } = await asked(projects.find, { params: { projectId: planned[0]!.id } })
        expect(JSON.stringify(timeline)).not.toMatch(/disabled|inactive|no officer/)
        // As with an officer who is well elsewhere, they lie here for 90 days.
        await run(inMonth(5))
        await run(inMonth(5, 1))
        expect(await standing(planned)).toEqual(Array(4).fill(6))
      }
    },
  )

  it('are told to the admins after they waited for a plan, and to the officer anew when they are back', async () => {
    const { tenantId, admin, officer, planned, change } = await company('Xaver')
    await write(sql`update subscription set status = 'canceled' where tenant_id = ${tenantId}`)
    await run(inMonth(1))
    await run(inMonth(1, 1))
    expect((await toldOf(officer)).map(({ body }) => body)).toEqual([expect.stringContaining('90 days from now')])
    await change({ isDisabled: true })
    await run(inMonth(2))
    expect(await standing(planned)).toEqual(Array(4).fill('officer-inactive'))
    expect(await toldOf(admin)).toHaveLength(1)
    // Days in which the officer could not sign in do not count.
    await run(inMonth(5))
    await change({ isDisabled: false })
    await run(inMonth(5, 1))
    expect(await standing(planned)).toEqual(Array(4).fill('no-plan'))
    expect(await toldOf(await again(officer))).toHaveLength(2)
  })
})

describe('a single video that was set aside for a later month', () => {
  const planned = async () => {
    const [plan] = await addPlans(service)
    const officer = await buyer(service, plan!, await officerOf(null))
    await callConfirmed(service, officer)(subscriptions.charge, anySingle)
    const all = await submit(officer, 5)
    await settle(service)
    return { officer, all }
  }
  /** The bank takes its payment back. */
  const takeBack = async ({ id }: Person) => {
    await service.database.asSystem(async (tx) => {
      const { charge_id } = (await tx.first(sql<{ charge_id: string }>`
        select charge_id from extra_project where user_id = ${id}`))!
      await tx.count(sql`
        update sandbox_object set body = body || jsonb_build_object('disputed', body->'price') where id = ${charge_id}`)
      await addEvent(tx, 'charge.dispute.created', charge_id, new Date())
    })
    await settle(service)
  }

  it('lets a video in where its payment stands, and none where the bank took it back before the month', async () => {
    const [paid, back] = [await planned(), await planned()]
    await takeBack(back.officer)
    await run(inMonth(1))
    expect(await standing(paid.all)).toEqual([0, 0, 0, 0, 0])
    expect(await standing(back.all)).toEqual([0, 0, 0, 0, 'month-full'])
  })

  it('stays used where a video entered the queue on it before its payment went back', async () => {
    const { officer, all } = await planned()
    await run(inMonth(1))
    const stays = async () => {
      await takeBack(officer)
      return (await service.database.asSystem((tx) =>
        tx.first(
          sql<{ used_month: string | null }>`select used_month from extra_project where user_id = ${officer.id}`,
        ),
      ))!.used_month
    }
    expect([await standing(all), await stays()]).toEqual([[0, 0, 0, 0, 0], month(1)])
  })

  it('is there again when its payment is back, and its video goes on', async () => {
    const { officer, all } = await planned()
    await takeBack(officer)
    await run(inMonth(1))
    expect(await standing(all)).toEqual([0, 0, 0, 0, 'month-full'])
    await write(sql`update extra_project set state = 'paid' where user_id = ${officer.id}`)
    await run(inMonth(1, 1))
    expect(await standing(all)).toEqual([0, 0, 0, 0, 0])
  })
})
