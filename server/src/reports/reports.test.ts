import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { reports } from '@clear-to-post/contract/reports'
import { dayIn, monthAfter } from '@clear-to-post/domain/calendar'
import { denyCategoryValues, feedbackCriteria } from '@clear-to-post/domain/feedback'
import { dayAfter, periodBefore, stepsOf } from '@clear-to-post/domain/periods'
import { submitProject } from '../../test/factories.ts'
import { denials, keptAndTold, summed, toldBy, type Told } from '../../test/figures.ts'
import { seeded, seedOfRun, type Random } from '../../test/random.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let admin: Person
let companies: string[]
let companyAdmin: Person
let officers: Person[]
let editors: Person[]
/** Of two products. */
const plans = ['basic-monthly', 'plus-monthly']

const seed = seedOfRun()
const zone = 'America/New_York'
const [first, last] = ['2026-01-10', '2026-06-20']

beforeAll(async () => {
  service = await openService()
  companies = [await makeTenant(service), await makeTenant(service)]
  admin = await makePerson(service, 'ADMIN')
  companyAdmin = await makePerson(service, 'ADMIN', { tenantId: companies[0]! })
  officers = await Promise.all(
    [companies[0]!, companies[0]!, companies[1]!, null, null].map((tenantId) =>
      makePerson(service, 'User', { tenantId }),
    ),
  )
  editors = await Promise.all([1, 2, 3].map(() => makePerson(service, 'Editor')))
  for (const plan of plans)
    await service.database.asSystem(async (tx) => {
      await tx.count(
        sql`insert into product (id, name, descriptions, metadata) values (${`product of ${plan}`}, ${plan}, '{}', '{}')`,
      )
      await tx.count(sql`
        insert into plan (id, product_id, currency, price, interval, metadata)
        values (${plan}, ${`product of ${plan}`}, 'usd', 100, 'month', '{}')`)
    })
  await writeHistories(seeded(seed), 60)
})
afterAll(() => service.close())

const asked = (from: string, to: string) => ({ from, to, timezone: zone })
const between = (told: readonly Told[], from: string, to: string) =>
  told.filter(({ at }) => dayIn(at, zone) >= from && dayIn(at, zone) <= to)
const told = () => service.database.asSystem(toldBy)

describe('figures of random histories', () => {
  it('each kept figure is what the ledger tells, undone steps left out', async () => {
    const { kept, told } = await service.database.asSystem(keptAndTold)
    expect(kept.length).toBeGreaterThan(100)
    expect(kept, `seed ${seed}`).toEqual(told)
    const again = await service.database.asSystem((tx) =>
      tx.rows(sql<{ n: number }>`
      select count(*)::integer as n from project_event where undoes is not null`),
    )
    expect(again[0]!.n).toBeGreaterThan(3)
  })

  it('a report counts, step by step and as a whole, what the ledger tells', async () => {
    const all = await told()
    for (const [from, to, narrowed, keep] of [
      [first, last, {}, () => true],
      ['2026-03-01', '2026-03-31', {}, () => true],
      ['2026-02-05', '2026-04-20', { tenantId: companies[0]! }, (one: Told) => one.tenantId === companies[0]],
      [first, last, { editorId: editors[1]!.id }, (one: Told) => one.editorId === editors[1]!.id],
      [first, last, { userId: officers[3]!.id }, (one: Told) => one.userId === officers[3]!.id],
    ] as const) {
      const report = await callAs(service, admin)(reports.videos, { query: { ...asked(from, to), ...narrowed } })
      const kept = all.filter(keep)
      const own = between(kept, from, to)
      const before = periodBefore(from, to)
      const starts = stepsOf(from, to)
      const { categories, criteria } = denials(own)
      expect({ total: report.total, before: report.before, points: report.points }, `seed ${seed}`).toEqual({
        total: summed(own),
        before: summed(between(kept, before.from, before.to)),
        points: starts.map((start, i) => ({
          ...summed(between(kept, start, dayAfter(starts[i + 1] ?? dayAfter(to, 1), -1))),
          from: start,
        })),
      })
      expect(new Map(report.categories.map(({ category, count }) => [category, count]))).toEqual(categories)
      expect(new Map(report.criteria.map(({ id, ...one }) => [id, rounded(one)]))).toEqual(
        new Map([...criteria].map(([id, one]) => [id, rounded(one)])),
      )
      expect(report.officers).toEqual('editorId' in narrowed ? undefined : officersOf(kept, from, to))
    }
  })

  it('reports by editor, company, officer and product are the same figures in parts, and lost officers are named', async () => {
    const all = await told()
    const [from, to] = ['2026-03-20', '2026-05-10']
    const own = between(all, from, to)
    const products = await productsSold()
    expect(new Set(own.map(({ projectId }) => products.get(projectId) ?? null)).size).toBe(3)
    for (const [by, key] of [
      ['editor', (one: Told) => one.editorId],
      ['company', (one: Told) => one.tenantId],
      ['officer', (one: Told) => one.userId],
      ['product', (one: Told) => products.get(one.projectId) ?? null],
    ] as const) {
      const { items, isCut } = await callAs(service, admin)(reports.parts, { query: { ...asked(from, to), by } })
      const groups = Map.groupBy(by === 'editor' ? own.filter(key) : own, key)
      expect(
        new Map(items.map(({ id, productId, ...figures }) => [productId ?? id, figures])),
        `${by}, seed ${seed}`,
      ).toEqual(new Map([...groups].map(([id, steps]) => [id, { ...summed(steps), name: expect.any(String) }])))
      expect(isCut).toBe(false)
      expect(items.every(({ id, productId, name }) => (productId ?? id) === null || name !== '')).toBe(true)
    }
    const lost = await callAs(service, admin)(reports.lost, { query: asked('2026-06-10', '2026-06-20') })
    const before = sendersIn(all, periodBefore('2026-06-10', '2026-06-20'))
    const now = sendersIn(all, { from: '2026-06-10', to: '2026-06-20' })
    expect(new Set(lost.items.map(({ id }) => id))).toEqual(new Set([...before].filter((id) => !now.has(id))))
  })

  it('a company’s admin counts their own company alone, whomever they ask for', async () => {
    const all = (await told()).filter(({ tenantId }) => tenantId === companies[0])
    const mine = callAs(service, companyAdmin)
    const report = await mine(reports.videos, { query: asked(first, last) })
    expect(report.total, `seed ${seed}`).toEqual(summed(between(all, first, last)))
    const other = await mine(reports.videos, { query: { ...asked(first, last), tenantId: companies[1]! } })
    expect(other.total).toEqual(summed([]))
    expect(other.officers).toEqual({ active: 0, fresh: 0, lost: 0 })
    const parts = await mine(reports.parts, { query: { ...asked(first, last), by: 'officer' } })
    expect(new Set(parts.items.map(({ id }) => id))).toEqual(new Set(all.map(({ userId }) => userId)))
    const lost = await mine(reports.lost, { query: { ...asked('2026-06-10', '2026-06-20'), tenantId: companies[1]! } })
    expect(lost.items).toEqual([])
  })
})

it('a step in the product is counted at once, and one that is rolled back is not', async () => {
  const officer = await makeOfficer(service)
  const project = await submitProject(service, officer)
  const editor = editors[0]!
  const qa = await makePerson(service, 'QA')
  const at = { params: { projectId: project.id } }
  const cut = async () => ({
    finalVideoId: await makeVideo(service, editor, { id: project.id, tenantId: officer.tenantId }),
  })
  const today = dayIn(new Date(), zone)
  const total = async () =>
    (await callAs(service, admin)(reports.videos, { query: { ...asked(today, today), userId: officer.id } })).total
  await callAs(service, editor)(projects.start, { body: { projectId: project.id } })
  await callAs(service, editor)(projects.send, { ...at, body: await cut() })
  const denyFeedback = { criteria: [{ ...feedbackCriteria[0]!, score: 4 }] }
  await callAs(service, qa)(projects.deny, { ...at, body: { denyFeedback, categories: ['audio'] } })
  expect(await total()).toMatchObject({ sentIn: 1, denied: 1, approved: 0 })
  await callAs(service, qa)(projects.rollback, at)
  expect(await total()).toMatchObject({ sentIn: 1, denied: 0, approved: 0 })
  await callAs(service, qa)(projects.approve, at)
  expect(await total()).toMatchObject({
    approved: 1,
    firstPass: 1,
    promised: 1,
    onTime: 1,
    lengthMs: 2000,
    promisedHours: 24,
  })
  await callAs(service, officer)(projects.review, { ...at, body: { revision: 'Slower' } })
  expect(await total()).toMatchObject({ approved: 1, revisions: 1 })
  const { kept, told } = await service.database.asSystem(keptAndTold)
  expect(kept).toEqual(told)
})

it('nobody writes a figure by hand, and a period ends', async () => {
  for (const change of [sql`delete from step_figure`, sql`update step_figure set is_late = true`])
    await expect(service.database.asSystem((tx) => tx.count(change))).rejects.toMatchObject({ code: '42501' })
  const ask = callAs(service, admin)
  for (const [from, to] of [
    ['2026-01-02', '2026-01-01'],
    ['2025-01-01', '2026-01-02'],
  ] as const)
    await expect(ask(reports.videos, { query: asked(from, to) })).rejects.toMatchObject({ code: 'request.invalid' })
  expect((await ask(reports.videos, { query: asked('2026-01-01', '2026-12-31') })).step).toBe('month')
})

const rounded = <T extends { average: number }>(one: T) => ({ ...one, average: Math.round(one.average * 1e6) })

/** Of each project the product of the plan on which it entered the queue, by rows that no report reads together. */
const productsSold = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = <Row extends object>(statement: ReturnType<typeof sql<Row>>) =>
    service.database.asSystem((tx) => tx.rows(statement))
  const sold = new Map(
    (await rows(sql<{ id: string; product_id: string }>`select id, product_id from plan`)).map((one) => [
      one.id,
      one.product_id,
    ]),
  )
  const paid = await rows(sql<{ id: string; paid_plan: string | null }>`select id, paid_plan from project`)
  return new Map(paid.flatMap(({ id, paid_plan }) => (paid_plan === null ? [] : [[id, sold.get(paid_plan)!]])))
}

const sendersIn = (all: readonly Told[], { from, to }: { from: string; to: string }): Set<string> =>
  new Set(between(all, from, to).flatMap(({ verb, userId }) => (verb === 'create' ? [userId] : [])))

const officersOf = (all: readonly Told[], from: string, to: string) => {
  const now = sendersIn(all, { from, to })
  const ever = sendersIn(all, { from: '0000-01-01', to: dayAfter(from, -1) })
  const before = sendersIn(all, periodBefore(from, to))
  return {
    active: now.size,
    fresh: [...now].filter((id) => !ever.has(id)).length,
    lost: [...before].filter((id) => !now.has(id)).length,
  }
}

it('a payroll tells of each month what its report by editor and the ledger tell, and pays by it', async () => {
  const all = await told()
  const as = callConfirmed(service, admin)
  // From March on, and another one from May on.
  for (const [fromMonth, amount] of [
    ['2026-03', 250],
    ['2026-05', 333],
  ] as const)
    await as(reports.setRate, {
      body: { editorId: editors[0]!.id, fromMonth, rate: { unit: 'minute', amount, currency: 'usd' } },
    })
  for (const month of ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']) {
    const to = dayAfter(`${monthAfter(month, 1)}-01`, -1)
    const { items, isCut } = await callAs(service, admin)(reports.payroll, { query: { month, timezone: zone } })
    const report = await callAs(service, admin)(reports.parts, {
      query: { ...asked(`${month}-01`, to), by: 'editor' },
    })
    expect(isCut).toBe(false)
    const own = between(all, `${month}-01`, to)
    for (const editor of editors) {
      const paid = items.find(({ id }) => id === editor.id)!
      const { approved, lengthMs } = summed(own.filter(({ editorId }) => editorId === editor.id))
      expect({ month, approved: paid.approved, lengthMs: paid.lengthMs }, `seed ${seed}`).toEqual({
        month,
        approved,
        lengthMs,
      })
      const part = report.items.find(({ id }) => id === editor.id)
      expect([paid.approved, paid.lengthMs]).toEqual([part?.approved ?? 0, part?.lengthMs ?? 0])
      const amount = editor !== editors[0] || month < '2026-03' ? undefined : month < '2026-05' ? 250 : 333
      expect(paid.rate?.amount).toBe(amount)
      // By the minutes as they are shown, to the hundredth.
      expect(paid.pay).toBe(amount === undefined ? undefined : Math.round((Math.round(lengthMs / 600) * amount) / 100))
    }
  }
})

/** Ledgers of half a year, each a random way through the workflow, written step by step as the product appends them. */
const writeHistories = async (random: Random, count: number) => {
  type Line = Record<string, unknown> & { seq: number }
  const rounds: Line[][] = []
  const rows: Record<string, unknown>[] = []
  const cuts: Record<string, unknown>[] = []
  for (let i = 0; i < count; i++) {
    const id = randomUUID()
    const officer = random.one(officers)
    const own = { project_id: id, user_id: officer.id, tenant_id: officer.tenantId }
    let at = Date.parse('2026-01-01T00:00:00Z') + random.whole(0, 170 * 86_400) * 1000
    const dueBy = random.next() < 0.8 ? new Date(at + random.whole(4, 48) * 3_600_000).toISOString() : null
    let [status, seq, cut] = [0, 0, 0]
    const done: { seq: number; from: number }[] = []
    const step = (verb: string, to: number, more: Record<string, unknown> = {}) => {
      seq++
      const round = (rounds[seq] ??= [])
      round.push({ ...own, seq, verb, to_status: to, at: new Date(at).toISOString(), metadata: {}, ...more })
      if (more['undoes'] === undefined) done.push({ seq, from: status })
      status = to
      at += random.whole(600, 30 * 3600) * 1000
    }
    step('create', random.next() < 0.2 ? 7 : 0)
    if (status === 7) step('release', 0)
    const judged = () => ({ metadata: { cut }, counted: { cut }, before: { due_by: dueBy } })
    for (let left = random.whole(0, 14); left > 0 && status !== 6; left--) {
      const undone = done.length > 2 && random.next() < 0.15 ? done.pop() : undefined
      if (undone) step('rollback', undone.from, { undoes: undone.seq })
      else if (status === 0 || status === 4 || status === 5) {
        if (random.next() < 0.1) step('cancel', 6)
        else step('start', 1)
      } else if (status === 1) {
        cut++
        const editor = random.one(editors)
        cuts.push({
          ...own,
          number: cut,
          editor_id: editor.id,
          asset_id: randomUUID(),
          duration_ms: random.whole(20_000, 150_000),
        })
        step('send', 3, { counted: { cut } })
      } else if (status === 3) {
        if (random.next() < 0.6) step('approve', 2, judged())
        else {
          const { metadata, ...more } = judged()
          const criteria = feedbackCriteria.map((one) => ({ ...one, score: random.whole(0, 10) }))
          const categories = denyCategoryValues.filter(() => random.next() < 0.3)
          step('deny', 4, { ...more, metadata: { ...metadata, denyFeedback: { criteria }, categories } })
        }
      } else step('review', 5, { metadata: { cut } })
    }
    rows.push({ ...own, seq, plan: random.one([...plans, null]) })
  }
  const fill = (table: string, statement: (given: string) => ReturnType<typeof sql>, given: unknown) =>
    service.database
      .asSystem((tx) => tx.count(statement(JSON.stringify(given))))
      .catch((error: unknown) => {
        throw new Error(table, { cause: error })
      })
  await fill(
    'project',
    (given) => sql`
    insert into project (id, tenant_id, user_id, title, instructions, caption_style, submit_month, status, submitted_at, modified_at, seq,
      paid_plan)
    select project_id, tenant_id, user_id, 'Rate lock', '', 1, '2026-01', 6, now(), now(), seq, plan
    from jsonb_to_recordset(${given}::jsonb) r (project_id uuid, tenant_id uuid, user_id uuid, seq integer, plan text)`,
    rows,
  )
  await fill(
    'asset',
    (given) => sql`
    insert into asset (id, tenant_id, author_id, project_id, purpose, file_name, extension, file_size, state, type, duration_ms)
    select asset_id, tenant_id, editor_id, project_id, 'cut', 'cut.mp4', 'mp4', 1000, 'ready', 'video', duration_ms
    from jsonb_to_recordset(${given}::jsonb) r (asset_id uuid, tenant_id uuid, editor_id uuid, project_id uuid, duration_ms integer)`,
    cuts,
  )
  await fill(
    'project_cut',
    (given) => sql`
    insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at)
    select project_id, number, user_id, tenant_id, asset_id, editor_id, now()
    from jsonb_to_recordset(${given}::jsonb)
      r (project_id uuid, number integer, user_id uuid, tenant_id uuid, asset_id uuid, editor_id uuid)`,
    cuts,
  )
  for (const lines of rounds.slice(1))
    await fill(
      'project_event',
      (given) => sql`
      insert into project_event (project_id, seq, user_id, tenant_id, verb, to_status, title, description, metadata, actor_id,
        actor_role, actor_serves_all, at, before, counted, undoes)
      select project_id, seq, user_id, tenant_id, verb, to_status, '', '', metadata, user_id, 'User', false, at, before, counted, undoes
      from jsonb_to_recordset(${given}::jsonb) r (project_id uuid, seq integer, user_id uuid, tenant_id uuid, verb text,
        to_status smallint, metadata jsonb, at timestamptz, before jsonb, counted jsonb, undoes integer)`,
      lines,
    )
}
