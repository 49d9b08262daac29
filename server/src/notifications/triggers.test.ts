import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { nextDues } from '@clear-to-post/domain/occurrences'
import { entitlement } from '@clear-to-post/domain/plans'
import { startProcess } from '../../test/processes.ts'
import { isLong, seeded, seedOfRun } from '../../test/random.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { openDatabase, sql } from '../kernel/database.ts'
import { openQueue } from '../kernel/queue.ts'
import { sizeOfAudience, type Audience } from './triggers-audience.ts'
import { fireDue, skipDueRuns, workRuns } from './triggers-runs.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const day = 86_400_000
const hour = 3_600_000
const daily = { frequency: 'daily', interval: 1 } as const
const words = { title: 'Time for a video', body: 'Film one this week' }
const made = (more: object = {}, who = admin) =>
  callConfirmed(service, who)(notifications.createTrigger, {
    body: {
      title: 'Come back',
      transportType: ['push'],
      notification: words,
      timeOfDay: '09:00',
      timezone: 'America/New_York',
      criteria: { type: 'allUsers' },
      ...more,
    },
  })
const change = (id: string, body: object, who = admin) =>
  callConfirmed(service, who)(notifications.updateTrigger, { params: { id }, body })
const read = (id: string) => callAs(service, admin)(notifications.trigger, { params: { id } })
const remove = (id: string) => callAs(service, admin)(notifications.deleteTrigger, { params: { id } })
/** What the clock does at `now`, until nothing is left to do. */
const tick = async (now: Date) => {
  await fireDue(service.database, now)
  await workRuns(service.database, { now })
}
/** How often each person was notified by a trigger. */
const told = async (triggerId: string) => {
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ user_id: string; times: number }>`
      select user_id, count(*) as times from notification where trigger_id = ${triggerId} group by 1`),
  )
  return new Map(rows.map(({ user_id, times }) => [user_id, times]))
}
const at = (iso: string | undefined, plus = 0) => new Date(Date.parse(iso!) + plus)

describe('the settings of a trigger', () => {
  test('show the next run at once, and a change keeps fields that it does not name', async () => {
    const trigger = await made({ recurrence: daily, timezone: 'America/Chicago', description: 'For all' })
    expect(trigger).toMatchObject({ status: 'scheduled', actions: ['edit', 'pause', 'cancel', 'delete'], history: [] })
    expect(at(trigger.nextExecution) > new Date()).toBe(true)
    const renamed = await change(trigger.id, { title: 'Other' })
    expect(renamed).toEqual({ ...trigger, title: 'Other', modified: renamed.modified })
    // A change based on an older version is refused.
    const late = { title: 'Mine', modified: trigger.modified }
    await expect(change(trigger.id, late)).rejects.toMatchObject({ code: 'trigger.changed' })
    expect(await change(trigger.id, { ...late, modified: renamed.modified })).toMatchObject({ title: 'Mine' })
    const paused = await change(trigger.id, { status: 'paused' })
    expect(paused).toMatchObject({ status: 'paused', actions: ['edit', 'resume', 'cancel', 'delete'] })
    expect(paused.nextExecution).toBeUndefined()
    expect(await change(trigger.id, { status: 'scheduled' })).toMatchObject({
      status: 'scheduled',
      nextExecution: trigger.nextExecution,
    })
    const once = await change(trigger.id, { recurrence: null, executionDate: '2999-01-01' })
    expect(once.recurrence).toBeUndefined()
    expect(once.nextExecution).toBe('2999-01-01T15:00:00.000Z')
    expect(await change(trigger.id, { status: 'cancelled' })).toMatchObject({
      status: 'cancelled',
      actions: ['delete'],
    })
    await expect(change(trigger.id, { title: 'Too late' })).rejects.toMatchObject({ code: 'trigger.ended' })
    await remove(trigger.id)
  })

  test('count repeated values once, and refuse a button with an unsafe address', async () => {
    const trigger = await made({
      transportType: ['push', 'push'],
      recurrence: { frequency: 'weekly', interval: 1, weekDays: [7, 1, 7] },
    })
    expect(trigger).toMatchObject({ transportType: ['push'], recurrence: { weekDays: [1, 7] } })
    await remove(trigger.id)
    // Paths that climb, or begin anew, where a page resolves them once more.
    const climbing = ['/.//else.test', '/..//else.test', '/panel/../..//else.test', '/panel/..', 'https:///else.test']
    for (const url of [
      '//else.test',
      '/\\else.test',
      '/panel\\x',
      'https://x\\@else.test',
      'javascript:x',
      '/a b',
      ...climbing,
    ])
      await expect(made({ notification: { ...words, cta: { label: 'Go', url } } })).rejects.toMatchObject({
        code: 'request.invalid',
      })
  })

  test('of triggers made before the scheduler existed get their next run', async () => {
    const [daily1, past] = [await made({ recurrence: daily }), await made({ executionDate: '2999-01-01' })]
    const ids = [daily1.id, past.id]
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update notification_trigger set first_day = null, next_execution = null, execution_date =
          case when recurrence is null then '2020-01-01' end where id = any(${ids}::uuid[])`),
    )
    expect((await read(daily1.id)).nextExecution).toBeUndefined()
    await fireDue(service.database, new Date())
    expect(await read(daily1.id)).toMatchObject({ status: 'scheduled', nextExecution: daily1.nextExecution })
    expect(await read(past.id)).toMatchObject({ status: 'expired', actions: ['delete'] })
    for (const id of ids) await remove(id)
  })

  test('that would never run are refused', async () => {
    await expect(made({ executionDate: '2020-01-01' })).rejects.toMatchObject({ code: 'trigger.never' })
    await expect(made({ recurrence: { ...daily, endDate: '2020-01-01T00:00:00Z' } })).rejects.toMatchObject({
      code: 'trigger.never',
    })
    const trigger = await made({ recurrence: daily })
    const over = { recurrence: { ...daily, endDate: '2020-01-01T00:00:00Z' } }
    await expect(change(trigger.id, over)).rejects.toMatchObject({ code: 'trigger.never' })
    await remove(trigger.id)
  })

  test('of a company that will run are a hundred at most', async () => {
    const tenantId = await makeTenant(service)
    const manager = await makePerson(service, 'ADMIN', { tenantId })
    const first = await made({ recurrence: daily }, manager)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into notification_trigger (title, description, transport_type, notification, recurrence, time_zone,
          tenant_ids, time_of_day, criteria, first_day, next_execution, created_at, modified_at)
        select title, description, transport_type, notification, recurrence, time_zone, tenant_ids, time_of_day, criteria,
          first_day, next_execution, created_at, modified_at
        from notification_trigger, generate_series(2, ${mostKept.triggers}) where id = ${first.id}`),
    )
    const more = () => made({ recurrence: daily }, manager)
    await expect(more()).rejects.toMatchObject({ code: 'trigger.too-many' })
    await change(first.id, { status: 'cancelled' }, manager)
    await more()
    await made({ recurrence: daily })
    await service.database.asSystem((tx) =>
      tx.count(sql`delete from notification_trigger where tenant_ids = array[${tenantId}::uuid]`),
    )
  })

  test('with days before 1970 or past the years of four digits are refused, and hold nobody up', async () => {
    for (const date of ['9999-12-31T23:59:59-23:59', '9999-12-31', '9999-01-01T00:00:00Z', '1969-12-31', '0000-01-01'])
      for (const executionDate of [date, undefined]) {
        const endDate = date.includes('T') ? date : `${date}T00:00:00Z`
        const recurrence = executionDate === undefined ? { ...daily, endDate } : daily
        const schedule = { timeOfDay: '23:59', ...(executionDate === undefined ? {} : { executionDate }), recurrence }
        const preview = callAs(service, admin)(notifications.previewTrigger, { body: { schedule } })
        await expect(preview).rejects.toMatchObject({ code: 'request.invalid' })
        await expect(made(schedule)).rejects.toMatchObject({ code: 'request.invalid' })
      }
  })

  test('are previewed with the next five runs and the number of people, and can be tested with a message to oneself', async () => {
    const officer = await makePerson(service, 'User')
    const schedule = { timeOfDay: '09:00', timezone: 'Europe/Berlin', executionDate: '2999-01-01', recurrence: daily }
    const preview = await callAs(service, admin)(notifications.previewTrigger, {
      body: { criteria: { type: 'allUsers' }, schedule },
    })
    expect(preview.nextExecutions).toHaveLength(5)
    expect(preview.nextExecutions![0]).toBe('2999-01-01T08:00:00.000Z')
    expect(preview.users).toBeGreaterThan(0)
    // One's own digest and quiet hours are not waited for: one looks for it now.
    const nextMinute = (n: number) => new Date(Date.now() + n * 60_000).toISOString().slice(11, 16)
    const quiet = { from: nextMinute(-5), until: nextMinute(5) }
    await service.database.asSystem((tx) => tx.count(sql`update person set time_zone = 'UTC' where id = ${admin.id}`))
    await callAs(service, admin)(notifications.choose, { body: { kinds: [{ kind: 'news', email: 'daily' }], quiet } })
    const body = { transportType: ['email' as const], notification: words }
    await callAs(service, admin)(notifications.testTrigger, { body })
    const [left] = await service.database.asSystem((tx) =>
      tx.rows(sql<{ waiting: number; mails: number }>`
        select (select count(*) from notification_waiting where user_id = ${admin.id}) as waiting,
          (select count(*) from mail m join notification n on m.key = 'notice:' || n.id where n.user_id = ${admin.id}) as mails`),
    )
    expect(left).toEqual({ waiting: 0, mails: 1 })
    expect((await callAs(service, admin)(notifications.list, {})).items).toMatchObject([words])
    expect((await callAs(service, officer)(notifications.list, {})).items).toEqual([])
  })
})

describe('the audience of a trigger', () => {
  test('follows the four criteria within companies, and the preview counts those who are then notified', async () => {
    const tenantId = await makeTenant(service)
    const other = await makeTenant(service)
    const [filmed, idle, gone] = await Promise.all(
      [1, 2, 3].map(() => makePerson(service, 'User', { tenantId })) as [
        Promise<Person>,
        Promise<Person>,
        Promise<Person>,
      ],
    )
    const free = await makePerson(service, 'User', { tenantId: other })
    await makePerson(service, 'Editor', { tenantId })
    await service.database.asSystem((tx) => tx.count(sql`update person set is_disabled = true where id = ${gone.id}`))
    await submitProject(service, filmed, { title: 'One' })
    const productId = await sell('a-tier')
    await sell('another-tier')
    await subscribeTo('a-tier', { user_id: filmed.id })
    await subscribeTo('another-tier', { tenant_id: other })

    const cases: [criteria: object, tenantIds: string[], people: Person[]][] = [
      [{ type: 'allUsers' }, [tenantId], [filmed, idle]],
      [{ type: 'allUsers' }, [tenantId, other], [filmed, idle, free]],
      [{ type: 'noProjects' }, [tenantId, other], [idle, free]],
      [{ type: 'noSubscription' }, [tenantId, other], [idle]],
      [{ type: 'usersFromTier', params: { productIds: [productId] } }, [tenantId, other], [filmed]],
      [
        { type: 'usersFromTier', params: { productIds: [productId, 'another-tier'] } },
        [tenantId, other],
        [filmed, free],
      ],
    ]
    for (const [criteria, tenantIds, people] of cases) {
      const preview = await callAs(service, admin)(notifications.previewTrigger, {
        body: { criteria, tenantIds } as never,
      })
      expect(preview.users).toBe(people.length)
      const trigger = await made({ criteria, tenantIds })
      await tick(at(trigger.nextExecution))
      expect([...(await told(trigger.id)).keys()].sort()).toEqual(people.map(({ id }) => id).sort())
      const [entry] = (await read(trigger.id)).history!
      expect(entry).toMatchObject({
        status: 'success',
        users: { total: people.length, success: people.length, error: 0 },
      })
      await remove(trigger.id)
    }
    // A video of 31 days ago is too old to count.
    await service.database.asSystem((tx) =>
      tx.count(sql`update project set submitted_at = now() - interval '31 days' where user_id = ${filmed.id}`),
    )
    const preview = { criteria: { type: 'noProjects' as const }, tenantIds: [tenantId] }
    expect((await callAs(service, admin)(notifications.previewTrigger, { body: preview })).users).toBe(2)

    // An unknown id is refused by name, not counted as nobody.
    const nobody = randomUUID()
    const lost = {
      criteria: { type: 'usersFromTier', params: { productIds: [productId, 'no-tier'] } },
      tenantIds: [nobody],
    }
    const { id: kept } = await made({ tenantIds: [tenantId] })
    for (const refused of [
      () => callAs(service, admin)(notifications.previewTrigger, { body: lost as never }),
      () => made(lost),
      () => callConfirmed(service, admin)(notifications.updateTrigger, { params: { id: kept }, body: lost as never }),
    ])
      await expect(refused()).rejects.toMatchObject({
        kind: 'invalid-argument',
        message: `There is no company “${nobody}”. There is no product “no-tier”.`,
        issues: [{ path: 'body.tenantIds' }, { path: 'body.criteria.params.productIds' }],
      })
    await remove(kept)

    // A company's own ADMIN reaches its people only, whatever companies a trigger names.
    const own = await makePerson(service, 'ADMIN', { tenantId })
    const asked = { criteria: { type: 'noSubscription' as const }, tenantIds: [other] }
    expect((await callAs(service, own)(notifications.previewTrigger, { body: asked })).users).toBe(1)
    const scoped = await made({ criteria: { type: 'allUsers' }, tenantIds: [other] }, own)
    await tick(at(scoped.nextExecution))
    expect([...(await told(scoped.id)).keys()].sort()).toEqual([filmed.id, idle.id].sort())
    await remove(scoped.id)
  })

  test('by entitlement in SQL equals the domain’s rule, for every state of a subscription', async () => {
    const now = new Date()
    const about = (days: number) => new Date(now.getTime() + days * day)
    const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete']
    const pauses = [null, about(-1), about(1)]
    const periods = [null, about(-13), about(-15)]
    await sell('compared')
    for (const status of statuses)
      for (const paused_from of pauses)
        for (const current_period_start of periods)
          for (const ofTenant of [false, true]) {
            const tenantId = await makeTenant(service)
            const { id } = await makePerson(service, 'User', { tenantId })
            const payer = ofTenant ? { tenant_id: tenantId } : { user_id: id }
            await subscribeTo('compared', { ...payer, status, paused_from, current_period_start })
            const plan = { projectsPerMonth: 1, revisionsPerProject: 1, turnaroundHours: 1, rank: 1 }
            const facts = {
              status,
              ofTenant,
              periodStart: current_period_start,
              pausedFrom: paused_from,
              endsAt: null,
              isSurplus: false,
              plan,
            }
            const expected = entitlement([facts], now) ? 1 : 0
            const count = (criteria: Audience['criteria']) =>
              service.database.asSystem((tx) => sizeOfAudience(tx, { criteria, tenantIds: [tenantId] }, now))
            const compared: Audience['criteria'] = { type: 'usersFromTier', params: { productIds: ['compared'] } }
            const state = JSON.stringify(facts)
            expect([state, await count(compared)]).toEqual([state, expected])
            expect([state, await count({ type: 'noSubscription', params: {} })]).toEqual([state, 1 - expected])
          }
  })
})

describe('the runs of a trigger', () => {
  test('set to run once go from scheduled over running to completed, with counts and duration in the history', async () => {
    const tenantIds = [await makeTenant(service)]
    const officer = await makePerson(service, 'User', { tenantId: tenantIds[0]! })
    const trigger = await made({ tenantIds, notification: { ...words, cta: { label: 'Film', url: '/panel/new' } } })
    await fireDue(service.database, at(trigger.nextExecution, -1))
    expect((await read(trigger.id)).status).toBe('scheduled')
    await fireDue(service.database, at(trigger.nextExecution, hour))
    expect(await read(trigger.id)).toMatchObject({ status: 'running', history: [{ status: 'info' }] })
    await workRuns(service.database, { now: at(trigger.nextExecution, hour) })
    const ended = await read(trigger.id)
    expect(ended).toMatchObject({ status: 'completed', actions: ['delete'] })
    expect(ended.nextExecution).toBeUndefined()
    expect(ended.history).toMatchObject([
      { status: 'success', timezone: 'America/New_York', users: { total: 1, success: 1, error: 0 } },
    ])
    expect(ended.history![0]!.executionTimeDuration).toBeGreaterThanOrEqual(0)
    expect((await callAs(service, officer)(notifications.list, {})).items).toMatchObject([
      { ...words, triggerId: trigger.id, cta: { url: '/panel/new' } },
    ])
    const runs = await callAs(service, admin)(notifications.triggerRuns, { params: { id: trigger.id } })
    expect(runs.items).toEqual(ended.history)
    await remove(trigger.id)
    await expect(read(trigger.id)).rejects.toMatchObject({ code: 'trigger.not-found' })
  })

  test('set to repeat are active between runs and expired after the last, and an empty audience is no error', async () => {
    const trigger = await made({ tenantIds: [await makeTenant(service)], recurrence: { ...daily, ocurrences: 2 } })
    await tick(at(trigger.nextExecution))
    const between = await read(trigger.id)
    expect(between).toMatchObject({ status: 'active', history: [{ status: 'info', users: { total: 0 } }] })
    await tick(at(between.nextExecution))
    expect(await read(trigger.id)).toMatchObject({ status: 'expired', history: [{}, {}] })
    await remove(trigger.id)
  })

  test('late by up to an hour are made up, and later ones are recorded as missed', async () => {
    const tenantIds = [await makeTenant(service)]
    const trigger = await made({ tenantIds, recurrence: daily })
    const first = at(trigger.nextExecution)
    // Away for three days and two hours: three times were missed; the fourth is still to come.
    await tick(new Date(first.getTime() + 2 * day + hour + 1))
    const after = await read(trigger.id)
    expect(after.history).toMatchObject([{ status: 'warn' }, { status: 'warn' }, { status: 'warn' }])
    expect(after.history!.map(({ executedAt }) => executedAt)).toContain(trigger.nextExecution)
    expect(after.history![0]!.errorList![0]).toMatch(/^Missed/)
    expect(after.status).toBe('scheduled')
    await tick(at(after.nextExecution, hour))
    expect((await read(trigger.id)).history![0]).toMatchObject({ status: 'info' })
    await remove(trigger.id)

    const once = await made({ tenantIds })
    await tick(at(once.nextExecution, hour + 1))
    const missed = await read(once.id)
    expect(missed).toMatchObject({ status: 'failed', history: [{ status: 'warn' }] })
    const again = await change(once.id, { executionDate: '2999-01-01' })
    expect(again).toMatchObject({ status: 'scheduled', nextExecution: '2999-01-01T14:00:00.000Z' })
    await remove(once.id)
  })

  test('after a restore skip what came due before, and continue with what comes later', async () => {
    const tenantIds = [await makeTenant(service)]
    const officer = await makePerson(service, 'User', { tenantId: tenantIds[0]! })
    const trigger = await made({ tenantIds, recurrence: daily })
    const first = at(trigger.nextExecution)
    const restoredAt = new Date(first.getTime() + day + 60_000)
    expect(await skipDueRuns(service.database, restoredAt, 'Restored from a backup')).toBeGreaterThanOrEqual(2)
    // Both lie behind the moment, the second by a minute only.
    await tick(new Date(restoredAt.getTime() + 1000))
    const after = await read(trigger.id)
    expect(after.history).toMatchObject([{ status: 'warn' }, { status: 'warn' }])
    expect(after.history![0]!.errorList).toEqual(['Restored from a backup'])
    expect(await callAs(service, officer)(notifications.list, {})).toMatchObject({ items: [] })
    await tick(at(after.nextExecution, 1))
    expect((await read(trigger.id)).history![0]).toMatchObject({ status: 'success' })
    await remove(trigger.id)
  })

  test(
    'happen once for each due time with five schedulers, broken connections and a jumping clock',
    { tags: 'long' },
    async () => {
      const seed = seedOfRun()
      const random = seeded(seed)
      const tenantIds = [await makeTenant(service)]
      const officer = await makePerson(service, 'User', { tenantId: tenantIds[0]! })
      const trigger = await made({ tenantIds, recurrence: daily, timeOfDay: '02:30' })
      const schedulers = await Promise.all(Array.from({ length: 5 }, openScheduler))
      const start = Date.now()
      const killer = new pg.Client({ connectionString: service.urls.superuserUrl })
      await killer.connect()
      let torn = 0
      // Ten days in steps of a quarter of an hour to two and a half hours; each scheduler's own clock is a little off.
      for (let now = start; now < start + 10 * day; now += random.whole(15, 150) * 60_000) {
        const work = schedulers.map(async ({ database }) => {
          const own = new Date(now - random.whole(0, 60_000))
          await fireDue(database, own).catch(() => torn++)
          await workRuns(database, { now: own }).catch(() => torn++)
        })
        if (random.next() < 0.3)
          await killer.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and state like 'active%' and pid <> pg_backend_pid() and query not like 'LISTEN%' limit 2`,
          )
        await Promise.all(work)
      }
      await killer.end()
      await tick(new Date(start + 10 * day))
      await Promise.all(schedulers.map(({ close }) => close()))

      const runs = await service.database.asSystem((tx) =>
        tx.rows(sql<{ due_at: Date; status: string; success: number }>`
        select due_at, status, success from trigger_run where trigger_id = ${trigger.id} order by due_at`),
      )
      const firstDay = at(trigger.nextExecution).toISOString().slice(0, 10)
      const timetable = { timeZone: 'America/New_York', timeOfDay: '02:30', firstDay, recurrence: daily }
      const expected = nextDues(timetable, new Date(start), 100).filter((due) => due.getTime() <= start + 10 * day)
      expect(runs.map(({ due_at }) => due_at)).toEqual(expected)
      const sent = runs.filter(({ status }) => status === 'success')
      const missed = runs.filter(({ status }) => status === 'warn')
      expect(sent.length + missed.length).toBe(runs.length)
      expect((await told(trigger.id)).get(officer.id)).toBe(sent.length)
      expect(sent.length).toBeGreaterThan(0)
      console.log(
        `triggers: seed ${seed}: ${runs.length} due times, 5 schedulers, ${torn} torn: ${sent.length} sent once, ${missed.length} missed`,
      )
      await remove(trigger.id)
    },
  )

  test('continue where a broken connection stopped them, and notify nobody twice', async () => {
    const tenantId = await crowd(3500)
    const trigger = await made({ tenantIds: [tenantId] })
    const due = at(trigger.nextExecution)
    await fireDue(service.database, due)
    // Its connection is broken in the middle of a run: at first, then after one and after two thousand people.
    const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
    await superuser.connect()
    await superuser.query(`
      create sequence tellings;
      create function tear() returns trigger language plpgsql security definer as $$ begin
        if nextval('tellings') in (1, 3, 5) then perform pg_terminate_backend(pg_backend_pid()), pg_sleep(1); end if;
        return null;
      end $$;
      create trigger tear after insert on notification for each statement execute function tear()`)
    const workers = await Promise.all([openScheduler(), openScheduler()])
    for (let now = due.getTime(); (await read(trigger.id)).status === 'running'; now += 60_000)
      await Promise.all(
        workers.map(({ database }) => workRuns(database, { now: new Date(now) }).catch(() => undefined)),
      )
    const { rows } = await superuser.query<{ n: number }>('select last_value as n from tellings')
    await superuser.query('drop trigger tear on notification')
    await superuser.end()
    await Promise.all(workers.map(({ close }) => close()))
    const times = await told(trigger.id)
    expect(times.size).toBe(3500)
    expect([...times.values()].every((n) => n === 1)).toBe(true)
    expect((await read(trigger.id)).history).toMatchObject([
      { status: 'success', users: { total: 3500, success: 3500, error: 0 } },
    ])
    // Four batches, and three that were broken off.
    expect(rows[0]!.n).toBe(7)
    await remove(trigger.id)
  })

  test('list people who cannot be notified, and a failure for everybody is tried again, then given up', async () => {
    const tenantId = await crowd(30)
    const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
    await superuser.connect()
    const refuse = (condition: string) =>
      superuser.query(`create or replace function refuse_some() returns trigger language plpgsql as $$ begin
        if ${condition} then raise exception 'does not fit'; end if; return new; end $$`)
    await refuse(`(select name from person where id = new.user_id) in ('Crowd 7', 'Crowd 9')`)
    await superuser.query(
      'create trigger refuse_some before insert on notification for each row execute function refuse_some()',
    )
    const some = await made({ tenantIds: [tenantId] })
    await fireDue(service.database, at(some.nextExecution))
    for (let n = 0; n < 2; n++) {
      await workRuns(service.database, { now: at(some.nextExecution, n * hour) })
      expect((await read(some.id)).status).toBe('running')
    }
    await workRuns(service.database, { now: at(some.nextExecution, 2 * hour) })
    const partly = await read(some.id)
    expect(partly).toMatchObject({
      status: 'completed',
      history: [{ status: 'warn', users: { total: 30, success: 28, error: 2 } }],
    })
    expect(partly.history![0]!.errorList!.sort()).toEqual(['Crowd 7: does not fit', 'Crowd 9: does not fit'])

    await refuse('true')
    const all = await made({ tenantIds: [tenantId], recurrence: daily })
    await fireDue(service.database, at(all.nextExecution))
    for (let n = 1; n <= 12; n++) await workRuns(service.database, { now: at(all.nextExecution, n * hour) })
    const failed = await read(all.id)
    expect(failed).toMatchObject({ status: 'failed', history: [{ status: 'failed' }] })
    expect((await told(all.id)).size).toBe(0)
    // The next day may be better.
    await superuser.query('drop trigger refuse_some on notification')
    await superuser.end()
    await tick(at(failed.nextExecution))
    expect(await read(all.id)).toMatchObject({ status: 'active', history: [{ status: 'success' }, {}] })
    await remove(some.id)
    await remove(all.id)
  })

  test('stop in the middle when the trigger is paused', async () => {
    const trigger = await made({ tenantIds: [await crowd(1500)], recurrence: daily })
    const due = at(trigger.nextExecution)
    await fireDue(service.database, due)
    // A worker that is shut down during its first batch of a thousand.
    const stop = new AbortController()
    const asSystem: Service['database']['asSystem'] = async (work) => {
      stop.abort()
      return service.database.asSystem(work)
    }
    await workRuns({ ...service.database, asSystem }, { now: due, signal: stop.signal })
    expect((await told(trigger.id)).size).toBe(1000)
    await change(trigger.id, { status: 'paused' })
    await tick(due)
    expect((await told(trigger.id)).size).toBe(1000)
    expect(await read(trigger.id)).toMatchObject({
      status: 'paused',
      history: [{ status: 'warn', errorList: [expect.stringMatching(/^Stopped/)], users: { total: 1000 } }],
    })
    expect(await change(trigger.id, { status: 'scheduled' })).toMatchObject({ status: 'scheduled' })
    await remove(trigger.id)
  })
})

// npm run prove -- triggers: whole processes, each killed while it has a run in hand.
if (isLong)
  test('with five workers killed (-9) during trigger runs every due time is sent and nobody is notified twice', async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const people = 5_000
    const tenantIds = [await crowd(people)]
    const triggers = await Promise.all([1, 2, 3].map(() => made({ tenantIds, recurrence: daily })))
    const ids = triggers.map(({ id }) => id)
    const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
    await superuser.connect()
    const start = (name: string) =>
      startProcess('server/test/killed-server.ts', ['worker', service.urls.appUrl, service.config.dataDir], {
        env: { PGAPPNAME: name },
      })
    const names = [1, 2, 3, 4, 5].map((n) => `killed-${n}`)
    const workers = new Map(await Promise.all(names.map(async (name) => [name, await start(name)] as const)))
    /** The workers that are inside the transaction of a run. */
    const atWork = async () => {
      const { rows } = await superuser.query<{ name: string }>(`
        select distinct a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where l.relation = 'trigger_run'::regclass and a.application_name like 'killed-%'
          and l.mode in ('RowShareLock', 'RowExclusiveLock')`)
      return rows.map(({ name }) => name).filter((name) => workers.has(name))
    }
    const rounds = 4
    let deaths = 0
    const revivals: Promise<unknown>[] = []
    for (let round = 1; round <= rounds; round++) {
      await superuser.query('update notification_trigger set next_execution = now() where id = any($1::uuid[])', [ids])
      const open = async () =>
        (
          await superuser.query<{ n: number }>(
            `select $2 - count(*) filter (where ended_at is not null)::integer as n
             from trigger_run where trigger_id = any($1::uuid[])`,
            [ids, round * ids.length],
          )
        ).rows[0]!.n
      // Three deaths for each run of the round; then it may come to its end.
      for (let left = 3 * ids.length; (await open()) > 0;) {
        await sleep(left > 0 ? 5 : 200)
        if (left === 0 || (await atWork()).length === 0) continue
        // A run of five thousand takes about a second: anywhere in it.
        await sleep(random.whole(0, 400))
        const busy = await atWork()
        const name = busy[random.whole(0, busy.length - 1)]
        const worker = name && workers.get(name)
        if (!worker) continue
        workers.delete(name)
        await worker.end('SIGKILL')
        deaths++
        left--
        revivals.push(start(name).then((again) => workers.set(name, again)))
      }
    }
    await Promise.all(revivals)
    await Promise.all([...workers.values()].map(({ end }) => end('SIGKILL')))
    await superuser.end()
    const runs = await service.database.asSystem((tx) =>
      tx.rows(sql<{ status: string; success: number }>`
        select status, success from trigger_run where trigger_id = any(${ids}::uuid[])`),
    )
    expect(runs).toEqual(Array.from({ length: rounds * ids.length }, () => ({ status: 'success', success: people })))
    for (const id of ids) {
      const times = await told(id)
      expect(times.size).toBe(people)
      expect([...times.values()].every((n) => n === rounds)).toBe(true)
    }
    expect(deaths).toBeGreaterThan(runs.length)
    console.log(
      `triggers: seed ${seed}: ${runs.length} runs to ${people} people each, ${deaths} workers killed inside one: each notified once a run`,
    )
  }, 1_800_000)

/** A worker's own pool, as another process would have it. */
const openScheduler = async () => {
  const queue = await openQueue(service.urls.appUrl)
  const database = openDatabase(service.urls.appUrl, { queue, max: 3 })
  return {
    database,
    close: async () => {
      await queue.close()
      await database.close()
    },
  }
}

/** Many officers of one new company, made at once. */
const crowd = async (people: number): Promise<string> => {
  const tenantId = await makeTenant(service)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into person (email, name, role, tenant_id)
      select gen_random_uuid() || '@crowd.test', 'Crowd ' || n, 'User', ${tenantId} from generate_series(1, ${people}) n`),
  )
  return tenantId
}

const sell = async (id: string): Promise<string> => {
  await service.database.asSystem(async (tx) => {
    await tx.count(
      sql`insert into product (id, name, descriptions, metadata) values (${id}, ${id}, '{}', '{"position":1}')`,
    )
    await tx.count(sql`
      insert into plan (id, product_id, currency, price, interval, metadata) values (${id}, ${id}, 'usd', 1, 'month', '{}')`)
  })
  return id
}

const subscribeTo = (
  planId: string,
  s: {
    user_id?: string
    tenant_id?: string
    status?: string
    paused_from?: Date | null
    current_period_start?: Date | null
  },
) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      insert into subscription (user_id, tenant_id, plan_id, status, paused_from, current_period_start)
      values (${s.user_id ?? null}, ${s.tenant_id ?? null}, ${planId}, ${s.status ?? 'active'}, ${s.paused_from ?? null},
        ${s.current_period_start ?? null})`),
  )
