import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { addPlans, anyChange, anyResume, buyer, passDays, post, settle } from '../../test/buying.ts'
import { jobContext } from '../../test/mails.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import type { Jobs } from '../kernel/queue.ts'
import { registry } from '../main/registry.ts'
import { advance } from './advance.ts'
import { runDue } from './due.ts'

/** What is submitted for a later month is asked for its plan again when that month begins. */

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())
// No officer of an earlier test is waiting.
const never = '9998-01-01'
beforeEach(() => write(sql`update project set due_at = ${never} where due_at is not null`))

const zone = 'America/New_York'
const current = monthIn(new Date(), zone)
const month = (ahead: number) => monthAfter(current, ahead)
/** A moment in the month that is so far ahead: its first hour, or some days later. */
const inMonth = (ahead: number, days = 0) =>
  new Date(startOfMonth(month(ahead), zone).getTime() + days * 86_400_000 + 60_000)
/** A moment that is to come, before the month that is so far ahead. */
const beforeMonth = (ahead: number) => new Date((Date.now() + startOfMonth(month(ahead), zone).getTime()) / 2)
const as = (person: Person) => callAs(service, person)
const at = ({ id }: { id: string }) => ({ params: { projectId: id } })
const submit = async (who: Person, ahead = 0, title = 'Rate lock') =>
  submitProject(service, who, { title, ...(ahead === 0 ? {} : { submitMonth: month(ahead) }) })
const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
const endPlan = ({ id }: Person) => write(sql`update subscription set status = 'canceled' where user_id = ${id}`)
const useFreeVideo = ({ id }: Person) => write(sql`update person set free_projects = 1 where id = ${id}`)
const buyExtra = ({ id }: Person, state = 'paid') =>
  write(sql`
    insert into extra_project (user_id, request_id, price, currency, state)
    values (${id}, gen_random_uuid()::text, 100, 'usd', ${state})`)
const planOf = async (subscriptionId: string | null) =>
  (
    await service.database.asSystem((tx) =>
      tx.first(sql<{ plan_id: string }>`select plan_id from subscription where id = ${subscriptionId}`),
    )
  )?.plan_id
const run = (now: Date) => runDue(service.database, now)
const found = async (who: Person, project: { id: string }) => {
  const { status, submitMonth, waitsFor } = await as(who)(projects.find, at(project))
  return { status, submitMonth, waitsFor }
}
const statuses = async (who: Person, all: readonly { id: string }[]) =>
  Promise.all(all.map(async (one) => (await found(who, one)).status))
const officerWith = async (projectsPerMonth: number): Promise<Person> => {
  const officer = await makePerson(service, 'User', { timeZone: zone })
  await useFreeVideo(officer)
  await subscribe(service, { userId: officer.id }, projectsPerMonth)
  return officer
}
/** A person's notifications after every waiting notice was delivered, each twice. */
const toldOf = async (who: Person) => {
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: Jobs['notice'] }>`select data from pgboss.job where name = 'notice' order by created_on`),
  )
  for (const { data } of [...waiting, ...waiting]) await registry.notice.run(data, jobContext(service))
  return (await as(who)(notifications.list, {})).items
}

describe('a plan that has ended', () => {
  it('releases no project of a later month, and the project shows why it waits', async () => {
    const officer = await officerWith(2)
    const all = []
    for (let ahead = 0; ahead <= 12; ahead++) {
      all.push(await submit(officer, ahead), await submit(officer, ahead))
      await letDayPass(service)
    }
    await endPlan(officer)
    await run(inMonth(1))
    expect(await found(officer, all[2]!)).toEqual({ status: 7, submitMonth: month(1), waitsFor: 'no-plan' })
    // QA and ADMIN see it too, and the timeline lists it once.
    const seen = await as(admin)(projects.find, at(all[2]!))
    expect(seen.waitsFor).toBe('no-plan')
    expect(seen.timeline.map(({ metadata }) => metadata.verb)).toEqual(['create', 'hold'])
    expect(seen.timeline.at(-1)).toMatchObject({ title: 'Waits for a plan', metadata: { waits: 'no-plan' } })
    for (let ahead = 2; ahead <= 13; ahead++) await run(inMonth(ahead))
    expect((await statuses(officer, all)).filter((status) => status === 0)).toHaveLength(2)
    // One notice for each month, not for each video.
    const told = await toldOf(officer)
    expect(told).toHaveLength(12)
    expect(told.at(-1)!.body).toContain('no plan runs')
    expect(told.at(-1)!.cta).toMatchObject({ url: `/panel/projects/${all[2]!.id}` })
    expect(told.at(-1)!.body).toContain('What still waits 90 days from now is canceled')
  })

  it('has what waited 90 days for another one canceled, and its files end', async () => {
    const officer = await officerWith(2)
    const [first, second] = [await submit(officer, 1), await submit(officer, 2)]
    await endPlan(officer)
    await run(inMonth(1))
    await run(inMonth(1, 89))
    expect(await statuses(officer, [first, second])).toEqual([7, 7])
    await write(sql`update project set due_at = ${inMonth(1, 91)} where id = ${first.id}`)
    await run(inMonth(1, 91))
    expect(await statuses(officer, [first, second])).toEqual([6, 7])
    const seen = await as(admin)(projects.find, at(first))
    expect(seen.timeline.at(-1)).toMatchObject({ title: 'Canceled', metadata: { waits: 'no-plan' } })
    expect(Date.parse(seen.expirationTimestamp!)).toBeGreaterThan(Date.now())
  })

  it('that was paused for long cancels nothing that waited: it is told anew, and the 90 days begin then', async () => {
    const officer = await officerWith(2)
    const project = await submit(officer, 1)
    await write(sql`update subscription set paused_from = ${beforeMonth(1)} where user_id = ${officer.id}`)
    for (const ahead of [1, 2, 3, 4]) await run(inMonth(ahead))
    expect(await found(officer, project)).toMatchObject({ status: 7, waitsFor: 'paused' })
    await endPlan(officer)
    const askAt = async (days: number) => {
      await write(sql`update project set due_at = ${inMonth(4, days)} where id = ${project.id} and status = 7`)
      await run(inMonth(4, days))
      return found(officer, project)
    }
    expect(await askAt(5)).toMatchObject({ status: 7, waitsFor: 'no-plan' })
    // A pause between begins them once more.
    await write(sql`update subscription set status = 'active' where user_id = ${officer.id}`)
    expect(await askAt(50)).toMatchObject({ status: 7, waitsFor: 'paused' })
    await endPlan(officer)
    for (const days of [60, 149]) expect(await askAt(days)).toMatchObject({ status: 7, waitsFor: 'no-plan' })
    const told = await toldOf(officer)
    expect(told).toHaveLength(3)
    expect(told[0]!.body).toMatch(/no plan runs.* 90 days from now/s)
    expect(await askAt(151)).toMatchObject({ status: 6 })
    const events = await service.database.asSystem((tx) =>
      tx.rows(sql<{ data: Jobs['project-event'] }>`
        select data from pgboss.job where name = 'project-event' and data->>'projectId' = ${project.id}`),
    )
    for (const { data } of events) await registry['project-event'].run(data, jobContext(service))
    const canceled = (await toldOf(officer)).find(({ title }) => title === 'Canceled')
    expect(canceled?.body).toMatch(/no paid plan for 90 days.* until \w+ \d+/s)
  })

  it('leaves what waits without a first cut, which is made when it enters the queue', async () => {
    const officer = await officerWith(2)
    const [now, later, pulled] = [await submit(officer), await submit(officer, 1), await submit(officer, 1)]
    const isAsked = ({ id }: { id: string }) =>
      service.database.asSystem(
        async (tx) =>
          (await tx.rows(sql`select from pgboss.job where name = 'first-cut' and data->>'projectId' = ${id}`)).length >
          0,
      )
    expect(await Promise.all([now, later, pulled].map(isAsked))).toEqual([true, false, false])
    await as(officer)(projects.unschedule, at(pulled))
    await run(inMonth(1))
    expect(await Promise.all([later, pulled].map(isAsked))).toEqual([true, true])
  })

  it('releases waiting projects when a plan runs again, on that plan’s own month and not on past ones', async () => {
    const officer = await officerWith(2)
    const [late, later] = [await submit(officer, 1), await submit(officer, 1)]
    const own = await submit(officer, 2)
    await endPlan(officer)
    await run(inMonth(1))
    await run(inMonth(2))
    expect(await statuses(officer, [late, later, own])).toEqual([7, 7, 7])
    await subscribe(service, { userId: officer.id }, 2)
    await run(inMonth(2, 1))
    // Two videos a month: the one counted for this month, and one of a past month.
    expect(await statuses(officer, [late, later, own])).toEqual([0, 7, 0])
    expect(await found(officer, late)).toMatchObject({ submitMonth: month(2) })
    expect(await found(officer, later)).toMatchObject({ submitMonth: month(1), waitsFor: 'month-full' })
    expect(await outcome(submit(officer, 2))).toBe('project.quota-used')
    // With the next month there is room again.
    await run(inMonth(3))
    expect(await found(officer, later)).toEqual({ status: 0, submitMonth: month(3), waitsFor: undefined })
  })

  it('does not affect released projects, and a resumed or paid plan releases the next ones', async () => {
    const officer = await officerWith(3)
    const released = await submit(officer, 1)
    await run(inMonth(1))
    const [paused, unpaid] = [await submit(officer, 2), await submit(officer, 3)]
    const set = (change: ReturnType<typeof sql>) =>
      write(sql`update subscription set ${change} where user_id = ${officer.id}`)
    await set(sql`paused_from = ${inMonth(1)}`)
    await run(inMonth(2))
    expect(await found(officer, paused)).toMatchObject({ status: 7, waitsFor: 'paused' })
    await set(sql`paused_from = null`)
    await run(inMonth(2, 1))
    await set(sql`status = 'past_due', current_period_start = ${inMonth(2, 1)}`)
    await run(inMonth(3))
    expect(await found(officer, unpaid)).toMatchObject({ status: 7, waitsFor: 'unpaid' })
    await set(sql`status = 'active'`)
    await run(inMonth(3, 1))
    expect(await statuses(officer, [released, paused, unpaid])).toEqual([0, 0, 0])
  })

  it('in its grace period still releases the month’s projects', async () => {
    const officer = await officerWith(1)
    const project = await submit(officer, 1)
    await write(sql`
      update subscription set status = 'past_due', current_period_start = ${inMonth(1, -10)} where user_id = ${officer.id}`)
    await run(inMonth(1))
    expect(await found(officer, project)).toMatchObject({ status: 0 })
  })
})

describe('without a plan', () => {
  it('the free video is released in its month, and a bought video releases one waiting project', async () => {
    const officer = await makePerson(service, 'User', { timeZone: zone })
    const free = await submit(officer, 1)
    await subscribe(service, { userId: officer.id }, 2)
    const [first, second] = [await submit(officer, 1), await submit(officer, 1)]
    await endPlan(officer)
    await run(inMonth(1))
    expect(await statuses(officer, [free, first, second])).toEqual([0, 7, 7])
    await buyExtra(officer, 'started')
    await run(inMonth(1, 1))
    expect(await statuses(officer, [first, second])).toEqual([7, 7])
    await write(sql`update extra_project set state = 'paid' where user_id = ${officer.id}`)
    await run(inMonth(1, 2))
    expect(await statuses(officer, [first, second])).toEqual([0, 7])
    // It is used: neither a new video nor a canceled one of those that wait gives it back.
    expect(await outcome(submit(officer))).toBe('project.no-plan')
    await as(officer)(projects.cancel, at(second))
    expect(await outcome(submit(officer))).toBe('project.no-plan')
  })

  it('a project submitted on a bought video is released on it', async () => {
    const officer = await officerWith(1)
    await buyExtra(officer)
    const all = [await submit(officer, 1), await submit(officer, 1)]
    await endPlan(officer)
    await run(inMonth(1))
    expect((await statuses(officer, all)).toSorted()).toEqual([0, 7])
  })

  it('nobody can unschedule a waiting project into the queue', async () => {
    const officer = await officerWith(1)
    const [held, ahead] = [await submit(officer, 1), await submit(officer, 2)]
    await endPlan(officer)
    await run(inMonth(1))
    for (const person of [officer, admin, await makePerson(service, 'QA')])
      for (const project of [held, ahead])
        expect(await outcome(as(person)(projects.unschedule, at(project)))).toBe('project.no-plan')
    await subscribe(service, { userId: officer.id }, 1)
    expect(await as(officer)(projects.unschedule, at(ahead))).toMatchObject({ status: 0, submitMonth: current })
    expect(await outcome(as(officer)(projects.unschedule, at(held)))).toBe('project.quota-used')
  })

  it('an ADMIN submits for an officer by the officer’s right only, and the refusal names what is lacking', async () => {
    const officer = await makePerson(service, 'User')
    await useFreeVideo(officer)
    const ask = async () =>
      as(admin)(projects.create, {
        body: { title: 'For you', userId: officer.id, assets: [await makeVideo(service, officer)] },
      })
    await expect(ask()).rejects.toMatchObject({
      code: 'project.no-plan',
      message: expect.stringContaining('This officer has no plan'),
    })
    await subscribe(service, { userId: officer.id }, 1)
    expect(await ask()).toMatchObject({ userId: officer.id, status: 0 })
    await expect(ask()).rejects.toMatchObject({
      code: 'project.quota-used',
      message: expect.stringContaining('This officer’s videos'),
    })
  })
})

describe('a smaller plan', () => {
  const switchTo = async (officer: Person, projectsPerMonth: number) =>
    write(sql`
      update plan set metadata = jsonb_set(metadata, '{projectsPerMonth}', ${String(projectsPerMonth)}::jsonb)
      where id = (select plan_id from subscription where user_id = ${officer.id})`)

  it('releases the first projects, and the others after an upgrade, a bought video or a cancellation', async () => {
    const officer = await officerWith(5)
    const all = []
    for (let n = 0; n < 5; n++) all.push(await submit(officer, 1, `Video ${n}`))
    await switchTo(officer, 2)
    await run(inMonth(1))
    expect(await statuses(officer, all)).toEqual([0, 0, 7, 7, 7])
    expect(await found(officer, all[2]!)).toMatchObject({ waitsFor: 'month-full' })
    const [month] = (await as(officer)(projects.allowance, {})).months.slice(1)
    expect(month).toMatchObject({ used: 5, allowed: 2, held: 3 })
    await as(officer)(projects.cancel, at(all[0]!))
    await run(inMonth(1, 1))
    expect(await statuses(officer, all)).toEqual([6, 0, 0, 7, 7])
    await buyExtra(officer, 'started')
    await write(sql`update extra_project set state = 'paid' where user_id = ${officer.id}`)
    await run(inMonth(1, 2))
    expect(await statuses(officer, all)).toEqual([6, 0, 0, 0, 7])
    await switchTo(officer, 3)
    await run(inMonth(1, 3))
    expect(await statuses(officer, all)).toEqual([6, 0, 0, 0, 0])
  })

  it('keeps a bought video in use when other waiting projects are canceled', async () => {
    const officer = await officerWith(5)
    const all = []
    for (let n = 0; n < 5; n++) all.push(await submit(officer, 1))
    await switchTo(officer, 1)
    await buyExtra(officer)
    await run(inMonth(1))
    expect(await statuses(officer, all)).toEqual([0, 0, 7, 7, 7])
    for (const one of all.slice(2)) await as(officer)(projects.cancel, at(one))
    const spare = await service.database.asSystem((tx) =>
      tx.rows(sql`select 1 from extra_project where user_id = ${officer.id} and used_month is null`),
    )
    expect(spare).toHaveLength(0)
    expect(await outcome(submit(officer, 1))).toBe('project.quota-used')
  })

  it('gets quota back for the canceled month only, and a rollback uses it again', async () => {
    const officer = await officerWith(1)
    const ahead = await submit(officer, 1)
    await submit(officer)
    await as(officer)(projects.cancel, at(ahead))
    expect(await outcome(submit(officer))).toBe('project.quota-used')
    const again = await submit(officer, 1)
    // The admin brings the canceled one back: one over the month’s count, and so one of the two waits.
    await as(admin)(projects.rollback, at(ahead))
    expect(await found(officer, ahead)).toMatchObject({ status: 7, submitMonth: month(1) })
    await run(inMonth(1))
    expect((await statuses(officer, [ahead, again])).toSorted()).toEqual([0, 7])
    // Canceled in its month and rolled back, it is checked at once instead of waiting without a reason.
    const other = await officerWith(1)
    const gone = await submit(other, 1)
    await as(other)(projects.cancel, at(gone))
    await endPlan(other)
    await write(sql`update project set expires_at = ${inMonth(2)} where id = ${gone.id}`)
    await service.database.inTenant(admin, (tx) => advance(tx, admin, gone.id, 'rollback', {}, inMonth(1)))
    await run(inMonth(1))
    expect(await found(other, gone)).toMatchObject({ status: 7, waitsFor: 'no-plan' })
  })

  it('keeps a release that was rolled back out of the queue and out of the quota used', async () => {
    const officer = await officerWith(1)
    const project = await submit(officer, 1)
    await run(inMonth(1))
    await service.database.inTenant(admin, (tx) => advance(tx, admin, project.id, 'rollback', {}, inMonth(1)))
    expect(await found(officer, project)).toEqual({ status: 7, submitMonth: month(1), waitsFor: undefined })
    const { used_at } = (await service.database.asSystem((tx) =>
      tx.first(sql<{ used_at: Date | null }>`select used_at from project where id = ${project.id}`),
    ))!
    expect(used_at).toBeNull()
    // It is asked again with the next month, so that it is not forgotten; also after its plan has ended.
    await run(inMonth(1, 20))
    expect(await found(officer, project)).toMatchObject({ status: 7 })
    await endPlan(officer)
    await run(inMonth(2))
    expect(await found(officer, project)).toMatchObject({ status: 7, waitsFor: 'no-plan' })
  })

  it('stays in the queue once a file of it was made, also if its editing is rolled back', async () => {
    const officer = await officerWith(1)
    const [rendered, open, edited] = [await submit(officer, 1), await submit(officer, 2), await submit(officer, 3)]
    const renderOf = ({ id }: { id: string }, state: 'running' | 'done') =>
      service.database.asSystem((tx) =>
        tx.count(sql`
          insert into render (project_id, revision, recipe, state, asked_by)
          values (${id}, 1, '{}', ${state}, ${admin.id})`),
      )
    const back = (project: { id: string }) => outcome(as(admin)(projects.rollback, at(project)))

    await run(inMonth(1))
    await renderOf(rendered, 'done')
    expect(await back(rendered)).toBe('project.nothing-to-roll-back')
    expect(await found(officer, rendered)).toMatchObject({ status: 0 })

    await run(inMonth(2))
    await renderOf(open, 'running')
    expect(await back(open)).toBe('done')
    const states = await service.database.asSystem((tx) =>
      tx.rows(sql<{ state: string }>`select state from render where project_id = ${open.id}`),
    )
    expect(states).toEqual([{ state: 'canceled' }])

    await run(inMonth(3))
    await as(admin)(projects.start, { body: { projectId: edited.id } })
    await renderOf(edited, 'done')
    expect(await back(edited)).toBe('done')
    expect(await back(edited)).toBe('project.nothing-to-roll-back')
  })

  it('of one company is let in on no plan of another, where its officer is now', async () => {
    const [here, there] = [await makeTenant(service), await makeTenant(service)]
    for (const tenantId of [here, there]) await subscribe(service, { tenantId }, 4)
    const officer = await makePerson(service, 'User', { tenantId: here, timeZone: zone })
    await useFreeVideo(officer)
    const project = await submit(officer, 1)
    await write(sql`update person set tenant_id = ${there} where id = ${officer.id}`)
    await run(inMonth(1))
    expect(await found(admin, project)).toMatchObject({ status: 7, waitsFor: 'no-plan' })
    await write(sql`update person set tenant_id = ${here} where id = ${officer.id}`)
    await write(sql`update project set due_at = now() where id = ${project.id}`)
    await run(inMonth(1))
    expect(await found(admin, project)).toMatchObject({ status: 0 })
  })

  it('keeps what it used when it is scheduled, unscheduled and rolled back after its approval', async () => {
    const officer = await officerWith(1)
    const project = await submit(officer, 0)
    const used = () =>
      service.database.asSystem((tx) =>
        tx.first(sql<{ used_at: Date | null; paid_by: string | null; paid_plan: string | null }>`
          select used_at, paid_by, paid_plan from project where id = ${project.id}`),
      )
    const before = await used()
    expect(before?.used_at).not.toBeNull()
    // The plan that its subscription has now: reports count by it, whatever plan follows.
    expect(before?.paid_plan).toBe(await planOf(before!.paid_by))
    expect(before?.paid_plan).not.toBeNull()
    const editor = await makePerson(service, 'Editor')
    await as(editor)(projects.start, { body: { projectId: project.id } })
    const finalVideoId = await makeVideo(service, editor, project)
    await as(editor)(projects.send, { ...at(project), body: { finalVideoId } })
    await as(await makePerson(service, 'QA'))(projects.approve, at(project))
    await as(officer)(projects.schedule, { ...at(project), body: { publishAt: '2099-01-01T12:00:00.000Z' } })
    await as(officer)(projects.unschedule, at(project))
    await as(admin)(projects.rollback, at(project))
    expect(await used()).toEqual(before)
  })
})

describe('the turnaround and revisions of a project for a later month', () => {
  const terms = {
    small: { turnaroundHours: 72, revisionsPerProject: 1 },
    big: { turnaroundHours: 12, revisionsPerProject: 5 },
  }
  /** Ids of a small and a big plan that the sandbox sells. */
  const plansToBuy = async () => {
    const [small, big] = (await addPlans(service)) as [string, string]
    for (const [id, of] of [
      [small, terms.small],
      [big, terms.big],
    ] as const)
      await write(sql`update plan set metadata = metadata || ${JSON.stringify(of)}::jsonb where id = ${id}`)
    return { small, big }
  }
  const switchTo = async (officer: Person, planId: string) => {
    await as(officer)(subscriptions.updatePlan, anyChange(planId))
    await settle(service)
  }
  const hoursGiven = async (who: Person, project: { id: string }, now: Date) =>
    (Date.parse((await as(who)(projects.find, at(project))).dueBy!) - now.getTime()) / 3_600_000
  /** How often the officer of a project in the queue may ask for a revision of it, up to three times. */
  const revisionsOf = async (officer: Person, { id: projectId }: { id: string }) => {
    const [editor, qa] = [await makePerson(service, 'Editor'), await makePerson(service, 'QA')]
    for (let asked = 0; ; asked++) {
      await as(editor)(projects.start, { body: { projectId } })
      const finalVideoId = await makeVideo(service, editor, { id: projectId })
      await as(editor)(projects.send, { params: { projectId }, body: { finalVideoId } })
      await as(qa)(projects.approve, { params: { projectId } })
      const ask = as(officer)(projects.review, { params: { projectId }, body: { revision: 'Shorter, please' } })
      const ended = await outcome(ask)
      if (ended === 'done' && asked < 2) continue
      if (ended === 'done') return asked + 1
      expect(ended).toBe('project.revisions-used')
      return asked
    }
  }

  it('are those of the plan that runs when it is released, also of a smaller one', async () => {
    const { small, big } = await plansToBuy()
    const officer = await buyer(service, big, await makePerson(service, 'User', { timeZone: zone }))
    const [released, sooner] = [await submit(officer, 1), await submit(officer, 1)]
    await switchTo(officer, small)
    const before = Date.now()
    await as(officer)(projects.unschedule, at(sooner))
    // Rounded to hours, without the time that the step took.
    expect(Math.round(await hoursGiven(officer, sooner, new Date(before)))).toBe(72)
    // The next period is paid at the small plan's price.
    await passDays(service, 32)
    await run(inMonth(1))
    expect(await hoursGiven(officer, released, inMonth(1))).toBe(72)
    for (const project of [released, sooner]) expect(await revisionsOf(officer, project)).toBe(1)
  })

  it('are those of a bigger plan that runs when it is released', async () => {
    const { small, big } = await plansToBuy()
    const officer = await buyer(service, small, await makePerson(service, 'User', { timeZone: zone }))
    const project = await submit(officer, 1)
    await switchTo(officer, big)
    await run(inMonth(1))
    expect(await hoursGiven(officer, project, inMonth(1))).toBe(12)
    expect(await revisionsOf(officer, project)).toBe(3)
  })

  it('are always the free video’s for the free video', async () => {
    const { big } = await plansToBuy()
    const officer = await makePerson(service, 'User', { timeZone: zone })
    const project = await submit(officer, 1)
    expect(project.isFree).toBe(true)
    await buyer(service, big, officer)
    await run(inMonth(1))
    expect(await hoursGiven(officer, project, inMonth(1))).toBe(48)
    expect(await revisionsOf(officer, project)).toBe(1)
  })

  it('return to the earlier ones when the release is rolled back, and are set again at the next one', async () => {
    const { small, big } = await plansToBuy()
    const officer = await buyer(service, big, await makePerson(service, 'User', { timeZone: zone }))
    const project = await submit(officer, 1)
    await switchTo(officer, small)
    await run(inMonth(1))
    await as(admin)(projects.rollback, at(project))
    const kept = () =>
      service.database.asSystem((tx) =>
        tx.first(sql`select turnaround_hours, revisions_left, due_by from project where id = ${project.id}`),
      )
    expect(await kept()).toEqual({ turnaround_hours: 12, revisions_left: 5, due_by: null })
    await as(officer)(projects.unschedule, at(project))
    expect(await kept()).toMatchObject({ turnaround_hours: 72, revisions_left: 1 })
  })
})

describe('a company’s waiting projects', () => {
  it(
    'wait with few checks while its plan has ended, and are all released when it runs again',
    { tags: 'long', timeout: 120_000 },
    async () => {
      const tenantId = await makeTenant(service)
      await subscribe(service, { tenantId }, 2)
      const officer = await makePerson(service, 'User', { tenantId, timeZone: zone })
      const model = await submit(officer, 1)
      await service.database.asSystem(async (tx) => {
        await tx.count(sql`
        insert into person (email, name, role, tenant_id, time_zone, free_projects)
        select gen_random_uuid() || '@test.test', 'Officer', 'User', ${tenantId}, ${zone}, 1 from generate_series(1, 99)`)
        await tx.count(sql`
        insert into project (tenant_id, user_id, title, instructions, caption_style, submit_month, status, due_at,
          submitted_at, modified_at, seq)
        select ${tenantId}, p.id, 'Company', '', 1, ${month(1)}, 7, ${startOfMonth(month(1), zone)}, now(), now(), 1
        from person p, generate_series(1, 2) where p.tenant_id = ${tenantId} and p.name = 'Officer'`)
        await tx.count(sql`
        insert into quota_use (user_id, month, used)
        select id, ${month(1)}, 2 from person where tenant_id = ${tenantId} and name = 'Officer'`)
      })
      const count = async (condition: ReturnType<typeof sql>) =>
        (await service.database.asSystem((tx) =>
          tx.first(sql<{ n: number }>`
          select count(*)::integer as n from project where tenant_id = ${tenantId} and ${condition}`),
        ))!.n
      await write(sql`update subscription set status = 'canceled' where tenant_id = ${tenantId}`)
      expect(await run(inMonth(1))).toBe(0)
      expect(await count(sql`waits_for = 'no-plan'`)).toBe(199)
      // Asked once more, in case a plan was bought in that very moment; then not before the next month.
      const soon = new Date(inMonth(1).getTime() + 60_000)
      expect(await count(sql`due_at <= ${soon}`)).toBe(199)
      await run(soon)
      expect(await count(sql`due_at < ${startOfMonth(month(2), zone)}`)).toBe(0)
      expect(await count(sql`status = 7`)).toBe(199)
      // Another officer’s project is not delayed by them.
      const other = await officerWith(1)
      const theirs = await submit(other, 1)
      expect(await run(inMonth(1, 1))).toBe(1)
      expect(await found(other, theirs)).toMatchObject({ status: 0 })

      await write(sql`update subscription set status = 'active' where tenant_id = ${tenantId}`)
      expect(await run(inMonth(1, 2))).toBe(199)
      expect(await count(sql`status = 0 and waits_for is null`)).toBe(199)
      expect(await found(officer, model)).toMatchObject({ status: 0 })
    },
  )

  it('are released for an officer who joins with a plan, and for a company that is active again', async () => {
    const [active, closed] = [await makeTenant(service), await makeTenant(service)]
    for (const tenantId of [active, closed]) await subscribe(service, { tenantId }, 2)
    const setActive = (isActive: boolean) => write(sql`update tenant set is_active = ${isActive} where id = ${closed}`)
    const joins = await officerWith(1)
    const member = await makePerson(service, 'User', { tenantId: closed, timeZone: zone })
    const [first, second] = [await submit(joins, 1), await submit(member, 1)]
    // A project that was not the free video is not released on it.
    await endPlan(joins)
    await setActive(false)
    await run(inMonth(1))
    expect([(await found(joins, first)).status, (await found(member, second)).status]).toEqual([7, 7])
    await write(sql`update person set tenant_id = ${active} where id = ${joins.id}`)
    await setActive(true)
    await run(inMonth(1, 1))
    expect([(await found(joins, first)).status, (await found(member, second)).status]).toEqual([0, 0])
  })
})

describe('the periodic release', () => {
  it('names a project that cannot be released, and releases the others', async () => {
    const officer = await officerWith(2)
    const [broken, sound] = [await submit(officer, 1), await submit(officer, 1)]
    // An event with the next number exists already.
    await write(sql`
      insert into project_event (project_id, seq, user_id, verb, from_status, to_status, title, description, metadata, actor_id, actor_role, actor_serves_all, at)
      select id, seq + 1, user_id, 'assign', 7, 7, '', '', '{}', user_id, 'SYSTEM', true, now() from project where id = ${broken.id}`)
    await expect(run(inMonth(1))).rejects.toThrow(broken.id)
    expect(await statuses(officer, [broken, sound])).toEqual([7, 0])
    await write(sql`update project set due_at = ${never} where id = ${broken.id}`)
  })

  it('an officer reads what a later month will need before submitting for it', async () => {
    const officer = await officerWith(2)
    await submit(officer, 1)
    const months = async () => (await as(officer)(projects.allowance, {})).months.slice(0, 3)
    expect(await months()).toMatchObject([
      { month: current, right: 'plan', needs: 'nothing' },
      { month: month(1), used: 1, right: 'plan', needs: 'plan' },
      { month: month(2), needs: 'plan' },
    ])
    await write(sql`update subscription set ends_at = ${inMonth(2, -5)} where user_id = ${officer.id}`)
    expect((await months()).map(({ needs }) => needs)).toEqual(['nothing', 'plan', 'renewal'])
    await write(
      sql`update subscription set ends_at = null, paused_from = ${beforeMonth(1)} where user_id = ${officer.id}`,
    )
    expect((await months()).map(({ needs }) => needs)).toEqual(['nothing', 'renewal', 'renewal'])
    const free = await makePerson(service, 'User')
    expect((await as(free)(projects.allowance, {})).months[1]).toMatchObject({ right: 'free', needs: 'nothing' })
  })
})

describe('payments of every other month', () => {
  const kept = (officer: Person) =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ videos: number }>`
        select p.videos from subscription_period p join subscription s on s.id = p.subscription_id
        where s.user_id = ${officer.id} order by p.starts`),
    )

  it('hold their own videos and one month’s more, however the plan is paused and resumed', async () => {
    const [small] = await addPlans(service, 1)
    const officer = await buyer(service, small!, await makePerson(service, 'User', { timeZone: zone }))
    const videos = [await submit(officer)]
    for (const ahead of [1, 2, 3]) videos.push(await submit(officer, ahead))
    // The first payment holds this month's video and, with the month before it, the next one's.
    await run(inMonth(1))
    expect(await statuses(officer, videos)).toEqual([0, 0, 7, 7])
    await callConfirmed(service, officer)(subscriptions.pause, {})
    await passDays(service, 32)
    await callConfirmed(service, officer)(subscriptions.resume, anyResume)
    await settle(service)
    expect(await kept(officer)).toEqual([{ videos: 1 }, { videos: 1 }])
    await run(inMonth(2))
    await run(inMonth(3))
    expect(await statuses(officer, videos)).toEqual([0, 0, 0, 7])
    await passDays(service, 32)
    await run(inMonth(3))
    expect(await kept(officer)).toHaveLength(3)
    expect(await statuses(officer, videos)).toEqual([0, 0, 0, 0])
  })

  it('count for a plan that was ended and bought again, and a new video says what opens more', async () => {
    const [small] = await addPlans(service, 1)
    const officer = await buyer(service, small!, await makePerson(service, 'User', { timeZone: zone }))
    const { url } = await callConfirmed(service, officer)(subscriptions.portal, {})
    const [{ what }] = (await service.database.asSystem((tx) =>
      tx.rows(sql<{ what: string }>`select provider_id as what from subscription where user_id = ${officer.id}`),
    )) as [{ what: string }]
    await post(service, url, { do: 'end', what })
    await passDays(service, 32)
    await buyer(service, small!, officer)
    expect(await kept(officer)).toEqual([{ videos: 1 }, { videos: 1 }])
    // As if each were another month's.
    const newMonth = () => write(sql`update quota_use set used = 0 where user_id = ${officer.id}`)
    for (let n = 0; n < 3; n++) {
      expect(await outcome(submit(officer))).toBe('done')
      await newMonth()
    }
    expect(await outcome(submit(officer))).toBe('project.payments-used')
    // A renewal that fails is tried again, and changes nothing until its grace period ends.
    const owe = (columns: ReturnType<typeof sql>) =>
      write(sql`
        update subscription set status = 'past_due', ${columns}
        where user_id = ${officer.id} and status in ('active', 'past_due')`)
    // Not where the period was counted already, as an invoice's is that nobody has paid by its day.
    await owe(sql`owed_since = null`)
    expect(await outcome(submit(officer))).toBe('project.payments-used')
    await owe(sql`current_period_start = current_period_start + interval '31 days'`)
    expect(await outcome(submit(officer))).toBe('done')
  })

  it('are used on by whoever takes a smaller plan, and by none who only goes to a bigger one and back', async () => {
    const [small, big] = await addPlans(service, 1)
    await write(sql`update plan set metadata = metadata || '{"projectsPerMonth": 4}' where id = ${big!}`)
    const newMonth = (officer: Person) => write(sql`update quota_use set used = 0 where user_id = ${officer.id}`)
    const send = async (officer: Person, n: number) => {
      for (let i = 0; i < n; i++) expect(await outcome(submit(officer))).toBe('done')
      await newMonth(officer)
    }
    const take = async (officer: Person, planId: string) => {
      await callConfirmed(service, officer)(subscriptions.updatePlan, anyChange(planId))
      await settle(service)
    }
    const zoned = () => makePerson(service, 'User', { timeZone: zone })
    // Bought in the middle of a month: that month's, and the next one's before it is paid.
    const goesDown = await buyer(service, big!, await zoned())
    await send(goesDown, 4)
    await send(goesDown, 4)
    await take(goesDown, small!)
    for (let month = 0; month < 2; month++) {
      await passDays(service, 32)
      await send(goesDown, 1)
    }
    expect(await outcome(submit(goesDown))).toBe('project.payments-used')
    // The bigger plan is credited whole: none of it was used.
    const goesBack = await buyer(service, small!, await zoned())
    await take(goesBack, big!)
    await take(goesBack, small!)
    await send(goesBack, 1)
    await send(goesBack, 1)
    expect(await outcome(submit(goesBack))).toBe('project.payments-used')
  })
})
