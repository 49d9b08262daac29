import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { addressOf } from '@clear-to-post/contract/client'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { notifications } from '@clear-to-post/contract/notifications'
import { tenants } from '@clear-to-post/contract/tenants'
import { submitProject } from './factories.ts'
import { admits } from './ids.ts'
import { samplesOf, type Sample } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { callConfirmed, confirmed, makePerson, openService, type Person, type Service } from './service.ts'
import { watchTransactions } from './waiting-inside.ts'

/**
 * Every reading call is asked as everybody whom it lets in, between two companies, with people, keys, videos and triggers that
 * went from one to the other. Then its statements are judged, and what it did while it held its transaction.
 */
let service: Service
let bound: pg.Client, unbound: pg.Client
type Sent = { enter: pg.QueryConfig; text: string; values: unknown[] }
type Asked = { name: string; role: string; status: number; sent: Sent[]; transactions: number; waits: string[] }
const asked: Asked[] = []

beforeAll(async () => {
  service = await openService()
  ;[bound, unbound] = [
    new pg.Client({ connectionString: service.urls.appUrl }),
    new pg.Client({ connectionString: service.urls.superuserUrl }),
  ]
  await Promise.all([bound.connect(), unbound.connect()])
  const [ours, theirs] = [await openStage(service), await openStage(service)]
  await exchange(ours, theirs)
  await exchange(theirs, ours)
  const answered = await answeredSamples(ours)
  const sent: Sent[] = []
  listen(sent)
  const transactions = watchTransactions(service.database)
  const everywhere = await makePerson(service, 'ADMIN')
  for (const { name, shape } of everyCall.filter((one) => one.shape.method === 'GET')) {
    for (const [stage, who] of [ours, theirs].flatMap((one) =>
      askers(one, everywhere).map((who) => [one, who] as const),
    )) {
      if (who ? !admits(shape, who) : shape.access !== 'anyone') continue
      const { params, query } = answered[name] ?? samplesOf(stage)[name]!()
      const headers = who ? { authorization: `Bearer ${(await confirmed(service, who)).token}` } : {}
      const before = { sent: sent.length, count: transactions.count, waits: transactions.waits.length }
      const { statusCode } = await service.app.inject({ method: 'GET', url: addressOf(shape, params, query), headers })
      asked.push({
        name,
        role: who?.role ?? 'nobody',
        status: statusCode,
        sent: sent.slice(before.sent),
        transactions: transactions.count - before.count,
        waits: transactions.waits.slice(before.waits),
      })
    }
  }
  transactions.stop()
}, 300_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await Promise.all([bound.end(), unbound.end()])
  await service.close()
})

/** Statements that only row-level security narrows, by a part of each, and why that is no gap. */
const explained: readonly { text: string; why: string }[] = []

/**
 * Every statement is asked twice: as the product's role, which policies bind, and past them. Where the answers differ, the query's
 * own conditions let through what row-level security holds back: its second wall is missing.
 */
it('every statement of a reading call answers the same without row-level security', async () => {
  const faults = new Map<string, string>()
  const texts = new Set<string>()
  const used = new Set<string>()
  // Whose session it is, and the like, every call asks alike.
  const before = new Set<string>()
  for (const { name, role, sent } of asked)
    for (const one of sent.filter(({ enter }) => enter.values![1] !== 'SYSTEM')) {
      const question = JSON.stringify([one.enter.values, one.text, one.values])
      if (before.has(question)) continue
      before.add(question)
      texts.add(one.text)
      const [within, past] = [await answerOf(bound, one), await answerOf(unbound, one)]
      if (within === past) continue
      const text = one.text.replace(/\s+/g, ' ').trim()
      const reason = explained.find((known) => text.includes(known.text))
      if (reason) used.add(reason.text)
      else faults.set(text, `${name} as ${role}: ${text}\n  ${within}\n  ${past}`)
    }
  console.log(`both walls: ${texts.size} statements asked, ${faults.size} without a second wall`)
  expect(texts.size).toBeGreaterThan(80)
  expect([...faults.values()], [...faults.values()].join('\n')).toEqual([])
  expect(explained.filter(({ text }) => !used.has(text))).toEqual([])
}, 300_000)

it('no reading call waits for anything but its statements while it holds a transaction', () => {
  const waiting = asked.flatMap(({ name, waits }) => waits.map((wait) => `${name} waits for ${wait}`))
  expect([...new Set(waiting)]).toEqual([])
  const without = (is: (one: Asked) => boolean) =>
    [...Map.groupBy(asked, ({ name }) => name)].flatMap(([name, all]) => (all.some(is) ? [] : [name]))
  expect(without(({ transactions }) => transactions > 0)).toEqual(['identity.providers', 'identity.keys'])
  expect(without(({ status }) => status === 200)).toEqual(Object.keys(unanswered))
})

/** What is refused here, and why that leaves nothing out. */
const unanswered: Record<string, string> = {
  'accounts.getToken': 'a session with a cookie is asked for, in one statement',
  'subscriptions.previewPlan':
    'the payment service is asked about a subscription of its own, before and after the transaction',
}

const askers = ({ officer, editor, qa, admin }: Stage, everywhere: Person) => [
  null,
  officer,
  editor,
  qa,
  admin,
  everywhere,
]

/** What calls are asked for in place of their samples, so that they answer. */
const answeredSamples = async ({
  tenantId,
  officer,
  editor,
  admin,
  begun,
  cut,
}: Stage): Promise<Record<string, Sample>> => {
  const { inviteCode } = await callConfirmed(service, admin)(tenants.inviteCode, { params: { tenantId } })
  const { rows } = await unbound.query<{ id: string }>('select id from product limit 1')
  // As if it had been sent.
  await unbound.query(
    `insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at)
     values ($1, 1, $2, $3, $4, $5, now())`,
    [begun.id, officer.id, tenantId, cut, editor.id],
  )
  return {
    'projects.captions': { params: { projectId: begun.id, assetId: cut } },
    'projects.next': { params: { userId: editor.id } },
    'subscriptions.publicProduct': { params: { id: rows[0]!.id } },
    'tenants.invitation': { params: { code: inviteCode } },
  }
}

/** Keeps each reading statement that the service sends from now on, and as whom. */
const listen = (sent: Sent[]) => {
  const entered = new WeakMap<pg.Client, pg.QueryConfig>()
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [pg.QueryConfig | string]
    if (this !== bound && this !== unbound && typeof first !== 'string' && first.text !== undefined) {
      if (/^\s*select enter\(/.test(first.text)) entered.set(this, first)
      else if (/^\s*(select|with)\b/.test(first.text))
        sent.push({ enter: entered.get(this)!, text: first.text, values: first.values ?? [] })
    }
    return query.call(this, ...args)
  } as typeof pg.Client.prototype.query)
}

/** Reads one statement as whoever sent it did. */
const answerOf = async (client: pg.Client, { enter, text, values }: Sent): Promise<string> => {
  await client.query('begin')
  try {
    await client.query({ text: enter.text, values: enter.values! })
    return JSON.stringify((await client.query({ text, values })).rows)
  } catch (error) {
    return String(error)
  } finally {
    await client.query('rollback')
  }
}

/** An officer and an editor of one company who leave for the other, with what stays behind; and a trigger that goes along. */
const exchange = async (from: Stage, to: Stage) => {
  const officer = await makePerson(service, 'User', { tenantId: from.tenantId })
  const admin: Person = await makePerson(service, 'ADMIN')
  await submitProject(service, officer)
  await callConfirmed(service, officer)(apiKeys.create, {
    body: { name: `Key of ${officer.name}`, scopes: ['videos.read'], days: 30 },
  })
  const { id } = await callConfirmed(service, admin)(notifications.createTrigger, {
    body: {
      title: 'Harbor news',
      transportType: ['push'],
      notification: { title: 'Hello', body: 'Film one' },
      timeOfDay: '09:00',
      criteria: { type: 'allUsers' },
      tenantIds: [from.tenantId],
    },
  })
  await callConfirmed(service, admin)(notifications.updateTrigger, {
    params: { id },
    body: { title: 'Summit news', tenantIds: [to.tenantId] },
  })
  await unbound.query(`
    set session_replication_role = replica;
    update person set tenant_id = '${to.tenantId}' where id = '${officer.id}';
    set session_replication_role = origin`)
}
