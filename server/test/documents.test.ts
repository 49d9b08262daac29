import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifications } from '@clear-to-post/contract/notifications'
import { goals } from '@clear-to-post/contract/goals'
import { scripts } from '@clear-to-post/contract/scripts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tracking } from '@clear-to-post/contract/tracking'
import { sql } from '../src/kernel/database.ts'
import { callConfirmed, makePerson, makeTenant, openService, subscribe, type Person, type Service } from './service.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())
const as = (person: Person | null) => callConfirmed(service, person)

test('scripts are saved, searched by tag, changed and deleted by their owner only', async () => {
  const [officer, stranger] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const script = await as(officer)(scripts.create, {
    body: { title: 'Rate lock', content: 'Words', tags: ['rates', 'basics'] },
  })
  await as(officer)(scripts.create, { body: { title: 'Escrow', content: 'Other words' } })
  const tagged = await as(officer)(scripts.list, { query: { wheres: 'tag:contains:rates' } })
  expect(tagged.items).toEqual([script])
  const byTag = async (where: string) => (await as(officer)(scripts.list, { query: { wheres: where } })).items.length
  expect(await Promise.all(['tag:eq:rates', 'tag:in:other,basics', 'tag:startsWith:RA'].map(byTag))).toEqual([1, 1, 1])
  expect(await Promise.all(['tag:eq:rate', 'tag:eq:rates basics'].map(byTag))).toEqual([0, 0])
  const untagged = await as(officer)(scripts.list, { query: { wheres: 'tag:ne:rates' } })
  expect(untagged.items.map(({ id }) => id)).not.toContain(script.id)
  for (const call of [scripts.update, scripts.remove])
    await expect(as(stranger)(call, { params: { id: script.id }, body: {} } as never)).rejects.toMatchObject({
      code: 'script.not-found',
    })
  expect(await as(officer)(scripts.update, { params: { id: script.id }, body: { tags: [] } })).toMatchObject({
    title: 'Rate lock',
    tags: [],
  })
  await as(officer)(scripts.remove, { params: { id: script.id } })
  expect((await as(officer)(scripts.list, {})).items).toHaveLength(1)
})

test('the service’s ADMIN writes the common library, and a company’s ADMIN the company’s own', async () => {
  const tenantId = await makeTenant(service)
  const own = await makePerson(service, 'ADMIN', { tenantId })
  const category = await as(own)(scripts.saveCategory, { body: { title: 'Ours', backgroundColor: '#112233' } })
  const script = await as(own)(scripts.create, { body: { title: 'S', content: 'C', categoryId: category.id } })
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set use_own_scripts = true where id = ${tenantId}`),
  )
  const officer = await makePerson(service, 'User', { tenantId })
  expect(await as(officer)(scripts.library, {})).toMatchObject({
    tenantId,
    categories: [{ title: 'Ours', scripts: [{ id: script.id }] }],
  })
  const general = await as(admin)(scripts.saveCategory, { body: { title: 'General', backgroundColor: '#445566' } })
  const refused = { rejects: { code: 'category.not-found' } }
  await expect(
    as(own)(scripts.saveCategory, { body: { id: general.id, title: 'Mine', backgroundColor: '#445566' } }),
  ).rejects.toMatchObject(refused.rejects)
  await expect(
    as(own)(scripts.create, { body: { title: 'S', content: 'C', categoryId: general.id } }),
  ).rejects.toMatchObject(refused.rejects)
  await expect(
    as(officer)(scripts.create, { body: { title: 'S', content: 'C', categoryId: category.id } }),
  ).rejects.toMatchObject({ kind: 'forbidden' })
})

test('a running subscription shows its product and plan, and a company’s counts for its members', async () => {
  const tenantId = await makeTenant(service)
  const officer = await makePerson(service, 'User', { tenantId })
  await expect(as(officer)(subscriptions.active, {})).rejects.toMatchObject({ code: 'subscription.none' })
  await subscribe(service, { tenantId }, 7)
  const active = await as(officer)(subscriptions.active, {})
  expect(active).toMatchObject({
    type: 1,
    status: 'active',
    plan: { metadata: { projectsPerMonth: 7 }, subscriptionItemId: active.id },
  })
  const seen = await as(admin)(subscriptions.find, { params: { userId: officer.id } })
  expect(seen).toMatchObject({ id: active.id, plan: active.plan, actions: [] })
  const allowed = active.product.id
  await subscribe(service, { userId: (await makePerson(service, 'User')).id })
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set allowed_products = ${[allowed]} where id = ${tenantId}`),
  )
  expect((await as(officer)(subscriptions.products, {})).map(({ id }) => id)).toEqual([allowed])
  expect((await as(null)(subscriptions.publicProducts, {})).length).toBeGreaterThan(1)
  expect(await as(null)(subscriptions.publicProduct, { params: { id: allowed } })).toMatchObject({ id: allowed })
})

test('a goal’s daily targets follow its weekly target, and its progress stays', async () => {
  const editor = await makePerson(service, 'Editor')
  const goal = await as(admin)(goals.set, { body: { editorId: editor.id, isoWeek: '2026-W47', target: 7 } })
  expect(goal.dailyMilestones.map(({ target }) => target)).toEqual([2, 2, 1, 1, 1, 0, 0])
  expect(await as(admin)(goals.set, { body: { editorId: editor.id, isoWeek: '2026-W47', target: 0 } })).toMatchObject({
    target: 0,
    progress: 0,
  })
  await expect(
    as(admin)(goals.set, { body: { editorId: randomUUID(), isoWeek: '2026-W47', target: 1 } }),
  ).rejects.toMatchObject({ kind: 'not-found' })
})

test('a trigger can be changed until it has ended, and a company’s ADMIN can target that company only', async () => {
  const words = { title: 'Come back', body: 'Film one' }
  const body = {
    title: 'Monthly nudge',
    transportType: ['push' as const],
    notification: words,
    timeOfDay: '09:00',
    criteria: { type: 'noProjects' as const, params: {} },
    recurrence: { frequency: 'monthly' as const, interval: 1, dayOfMonth: 31, ocurrences: 12 },
  }
  const trigger = await as(admin)(notifications.createTrigger, { body })
  expect(trigger).toMatchObject({
    status: 'scheduled',
    criteria: { params: { days: 30 } },
    recurrence: { ocurrences: 12 },
  })
  expect(
    await as(admin)(notifications.updateTrigger, { params: { id: trigger.id }, body: { status: 'paused' } }),
  ).toMatchObject({ status: 'paused' })
  await as(admin)(notifications.updateTrigger, { params: { id: trigger.id }, body: { status: 'cancelled' } })
  await expect(
    as(admin)(notifications.updateTrigger, { params: { id: trigger.id }, body: { title: 'x' } }),
  ).rejects.toMatchObject({ code: 'trigger.ended' })
  const tenantId = await makeTenant(service)
  const own = await makePerson(service, 'ADMIN', { tenantId })
  expect(
    await as(own)(notifications.createTrigger, { body: { ...body, tenantIds: [await makeTenant(service)] } }),
  ).toMatchObject({ tenantIds: [tenantId] })
  expect((await as(own)(notifications.triggers, {})).items).toHaveLength(1)
  await as(admin)(notifications.deleteTrigger, { params: { id: trigger.id } })
  await expect(as(admin)(notifications.deleteTrigger, { params: { id: trigger.id } })).rejects.toMatchObject({
    code: 'trigger.not-found',
  })
})

test('a push notifies each person once, and nobody out of reach', async () => {
  const tenantId = await makeTenant(service)
  const own = await makePerson(service, 'ADMIN', { tenantId })
  const [officer, foreign] = [await makePerson(service, 'User', { tenantId }), await makePerson(service, 'User')]
  const body = {
    userIds: [officer.id, officer.id],
    title: 'New rates',
    body: 'Look',
    cta: { label: 'Open', url: '/panel' },
  }
  expect(await as(own)(notifications.push, { body })).toEqual({ success: true })
  expect((await as(officer)(notifications.list, {})).items).toMatchObject([
    { title: 'New rates', cta: { label: 'Open' } },
  ])
  await expect(
    as(own)(notifications.push, { body: { ...body, userIds: [officer.id, foreign.id] } }),
  ).rejects.toMatchObject({ kind: 'not-found' })
  expect((await as(officer)(notifications.list, {})).items).toHaveLength(1)
})

test('tracking always answers success, in JSON and as a form, and stores valid events only', async () => {
  const post = (payload: unknown, type: string) =>
    service.app.inject({
      method: 'POST',
      url: '/api/track/public/send',
      headers: { 'content-type': type },
      payload: payload as string,
    })
  const event = { category: 'page', label: 'plans', action: 'seen' }
  for (const [payload, type] of [
    [JSON.stringify({ ...event, params: [{ name: 'plan', value: 1 }] }), 'application/json'],
    [
      new URLSearchParams({ ...event, params: '[{"name":"plan","value":"x"}]' }).toString(),
      'application/x-www-form-urlencoded',
    ],
    ['{"category": 7}', 'application/json'],
    ['params=%7Bbroken', 'application/x-www-form-urlencoded'],
  ])
    expect((await post(payload, type!)).statusCode).toBe(200)
  await expect
    .poll(() =>
      service.database.asSystem(
        async (tx) => (await tx.rows(sql`select 1 from tracked_event where label = 'plans'`)).length,
      ),
    )
    .toBe(2)
  expect(await as(null)(tracking.version, {})).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
})
