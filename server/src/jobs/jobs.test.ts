import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '@clear-to-post/contract/audit'
import { jobs } from '@clear-to-post/contract/jobs'
import { jobKinds, type JobKind } from '@clear-to-post/domain/job-kinds'
import { callAs, makePerson, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { openStage, type Stage } from '../../test/stage.ts'
import { sql } from '../kernel/database.ts'
import { enqueue, type Jobs } from '../kernel/queue.ts'
import { redacted } from './redacted.ts'

let service: Service
let stage: Stage
let admin: Person
beforeAll(async () => {
  service = await openService()
  stage = await openStage(service)
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const list = async (kind?: JobKind) =>
  (await as(admin)(jobs.givenUp, { query: { perPage: 100, ...(kind && { wheres: [`kind:eq:${kind}`] }) } })).items

/** Has one job of a kind use up its tries, as a worker does that fails. Nothing else of this kind may wait. */
const giveUp = async <Kind extends JobKind>(kind: Kind, data: Jobs[Kind], message = 'nobody answers') => {
  await service.database.asSystem((tx) => enqueue(tx, kind, data))
  await tryInVain(kind, message)
}
const tryInVain = async (kind: JobKind, message: string) => {
  const { boss } = service.queue
  await service.database.asSystem((tx) =>
    tx.count(sql`update pgboss.job set retry_limit = 0 where name = ${kind} and state < 'active'`),
  )
  for (const { id } of await boss.fetch(kind, { batchSize: 10 })) await boss.fail(kind, id, new Error(message))
}
const id = async (what: ReturnType<typeof sql<{ id: string }>>) =>
  (await service.database.asSystem((tx) => tx.first(what)))!.id

/** A job of each kind about something of the stage's company, and its video where it has one. */
const samples: { [Kind in JobKind]: () => Promise<{ data: Jobs[Kind]; hasProject: boolean }> } = {
  'project-event': async () => ({ data: { projectId: stage.project.id, seq: 1 }, hasProject: true }),
  notice: async () => {
    const notice = { kind: 'support', title: 'x', body: '', cta: null, metadata: {}, cause: 'x' } as const
    return { data: { notice, userIds: [stage.officer.id] }, hasProject: false }
  },
  ingest: async () => ({ data: { assetId: stage.asset }, hasProject: true }),
  'first-cut': async () => ({ data: { projectId: stage.project.id }, hasProject: true }),
  render: async () => ({ data: { renderId: stage.render }, hasProject: true }),
  'render-ahead': async () => ({ data: { projectId: stage.project.id, revision: 1 }, hasProject: true }),
  mail: async () => ({
    data: {
      mailId: await id(sql`
        insert into mail (key, recipient, template, data)
        select ${randomUUID()}, email, 'notice', '{}' from person where id = ${stage.officer.id} returning id`),
    },
    hasProject: false,
  }),
  push: async () => ({
    data: {
      pushId: await id(sql`
        with made as (
          insert into push (title, body, url, useless_at) values ('x', 'x', '/panel', now() + interval '1 day') returning id),
        one as (insert into push_delivery (push_id, key, person_id) select id, 'x', ${stage.officer.id} from made)
        select id from made`),
    },
    hasProject: false,
  }),
  post: async () => ({ data: { postId: stage.post }, hasProject: true }),
  'post-upload': async () => ({ data: { postId: stage.post }, hasProject: true }),
  'post-comment': async () => ({ data: { postId: stage.post }, hasProject: true }),
  'post-file': async () => ({
    data: {
      fileId: await id(sql`
        insert into post_file (asset_id, parent_sha256, recipe) values (${stage.asset}, repeat('0', 64), '{}') returning id`),
    },
    hasProject: true,
  }),
  figures: async () => ({ data: { connectionId: stage.connection }, hasProject: false }),
  webhook: async () => ({ data: { endpointId: stage.endpoint }, hasProject: false }),
  payment: async () => ({
    data: {
      eventId: await id(sql`
        insert into payment_event (id, type, object_kind, object_id, created_at)
        values (${`evt_${randomUUID()}`}, 'x', 'subscription', 'sub_of_stage', now()) returning id`),
    },
    hasProject: false,
  }),
  endSubscription: async () => ({ data: { providerId: 'sub_of_stage' }, hasProject: false }),
  seats: async () => ({ data: { tenantId: stage.tenantId }, hasProject: false }),
  'payer-standing': async () => ({ data: { userId: stage.officer.id }, hasProject: false }),
  surplus: async () => ({ data: { providerId: 'sub_of_stage' }, hasProject: false }),
  refund: async () => ({
    data: {
      refundId: await id(sql`
        insert into refund (charge_id, user_id, kind, amount, currency, reason, by_id)
        values (${stage.charge}, ${stage.officer.id}, 'card', 100, 'usd', 'Asked', ${stage.admin.id}) returning id`),
    },
    hasProject: false,
  }),
  'left-work': async () => ({ data: { userId: stage.officer.id, tenantId: null }, hasProject: false }),
  erase: async () => ({
    data: {
      removalId: await id(sql`
        insert into removal (number, person_id, tenant_id, by_role, removed_at, erased, stays, work)
        values ('R-1', ${stage.officer.id}, ${stage.tenantId}, 'ADMIN', now(), '[]', '[]', '{}') returning id`),
    },
    hasProject: false,
  }),
  'end-grant': async () => ({
    data: {
      removalId: await id(sql`
        insert into removal (number, person_id, tenant_id, by_role, removed_at, erased, stays, work)
        values ('R-2', ${stage.officer.id}, ${stage.tenantId}, 'ADMIN', now(), '[]', '[]', '{}') returning id`),
      connectionId: randomUUID(),
    },
    hasProject: false,
  }),
  export: async () => ({
    data: {
      exportId: await id(
        sql`insert into data_export (person_id, asked_at) values (${stage.officer.id}, now()) returning id`,
      ),
    },
    hasProject: false,
  }),
}

test('a job of every kind that used up its tries is listed with its company, video, tries and reason', async () => {
  await service.database.asSystem((tx) =>
    tx.count(sql`update subscription set provider_id = 'sub_of_stage' where tenant_id = ${stage.tenantId}`),
  )
  // What the stage itself has enqueued is no part of this.
  await service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job`))
  const videos = new Map<JobKind, boolean>()
  for (const kind of jobKinds) {
    const { data, hasProject } = await samples[kind]()
    videos.set(kind, hasProject)
    await giveUp(kind, data as never, `${kind} met a wall`)
  }
  const found = await list()
  expect(found.map(({ kind }) => kind).sort()).toEqual([...jobKinds].sort())
  for (const one of found) {
    const said = { kind: one.kind, company: one.company?.id, hasProject: one.project !== undefined }
    expect(said).toEqual({ kind: one.kind, company: stage.tenantId, hasProject: videos.get(one.kind as JobKind) })
    expect(one).toMatchObject({ tries: 1, why: `${one.kind} met a wall`, sentBefore: 0 })
    expect(one.actions).toEqual(['send-again', 'let-rest'])
  }
  const { items } = await as(admin)(jobs.counts, {})
  expect(items.map(({ kind, count }) => `${kind} ${count}`).sort()).toEqual(jobKinds.map((kind) => `${kind} 1`).sort())
  expect((await list('mail')).map(({ kind }) => kind)).toEqual(['mail'])
})

test('a job of every kind is sent again with all its tries, comes back when it fails, and is let rest', async () => {
  const given = await list()
  expect(given.length).toBe(jobKinds.length)
  for (const { id, kind } of given) {
    expect(await as(admin)(jobs.sendAgain, { body: { jobIds: [id] } })).toEqual({ count: 1 })
    const waiting = await service.database.asSystem((tx) =>
      tx.rows(sql<{ retry_count: number; limits: boolean }>`
        select j.retry_count, j.retry_limit = q.retry_limit as limits from pgboss.job j join pgboss.queue q on q.name = j.name
        where j.name = ${kind} and j.state < 'active'`),
    )
    expect({ kind, waiting }).toEqual({ kind, waiting: [{ retry_count: 0, limits: true }] })
    expect(await as(admin)(jobs.sendAgain, { body: { jobIds: [id] } })).toEqual({ count: 0 })
  }
  expect(await list()).toEqual([])
  for (const kind of jobKinds) await tryInVain(kind, 'once more')
  const again = await list()
  expect(again.map(({ sentBefore }) => sentBefore)).toEqual(jobKinds.map(() => 1))
  const jobIds = again.map((one) => one.id)
  expect(await as(admin)(jobs.letRest, { body: { jobIds } })).toEqual({ count: jobKinds.length })
  expect(await as(admin)(jobs.letRest, { body: { jobIds } })).toEqual({ count: 0 })
  expect(await list()).toEqual([])
  expect((await as(admin)(jobs.counts, {})).items).toEqual([])
})

test('sending a job again and letting it rest stand in the audit log, with actor and kind', async () => {
  const entries = async (act: string) =>
    (await as(admin)(audit.list, { query: { perPage: 100, wheres: ['kind:eq:job'] } })).items.filter(({ changes }) =>
      changes.some(({ field, to }) => field === 'act' && to === act),
    )
  for (const act of ['send-again', 'let-rest']) {
    const found = await entries(act)
    const kinds = found.flatMap(({ changes }) => changes.filter(({ field }) => field === 'kind').map(({ to }) => to))
    expect(kinds.sort()).toEqual([...jobKinds].sort())
    expect(new Set(found.map(({ actor }) => actor?.id))).toEqual(new Set([admin.id]))
  }
})

test('all jobs of one kind are sent again at once, and two who do it at the same time send each once', async () => {
  for (let n = 0; n < 5; n++) await giveUp('seats', { tenantId: stage.tenantId })
  await giveUp('first-cut', { projectId: stage.project.id })
  const answers = await Promise.all([1, 2].map(() => as(admin)(jobs.sendAll, { body: { kind: 'seats' } })))
  expect(answers.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  const waiting = sql`select 1 from pgboss.job where name = 'seats' and state < 'active'`
  expect(await service.database.asSystem((tx) => tx.rows(waiting))).toHaveLength(5)
  expect((await list()).map(({ kind }) => kind)).toEqual(['first-cut'])
})

test('an admin of one company neither sees jobs that were given up nor decides about them', async () => {
  const [found] = await list()
  const own = as(stage.admin)
  expect(await outcome(own(jobs.givenUp, {}))).toBe('tenant.service-only')
  expect(await outcome(own(jobs.counts, {}))).toBe('tenant.service-only')
  for (const call of [jobs.sendAgain, jobs.letRest])
    expect(await outcome(own(call, { body: { jobIds: [found!.id] } }))).toBe('tenant.service-only')
  expect(await outcome(own(jobs.sendAll, { body: { kind: 'first-cut' } }))).toBe('tenant.service-only')
  expect(await list()).toHaveLength(1)
})

test('an error’s words are told without addresses, keys, numbers of phones and places on the machine', () => {
  for (const [words, told] of [
    ['550 mailbox ada.moreno+x@lender.example is full', '550 mailbox [e-mail address] is full'],
    [
      'PUT https://user:pw@bucket.example:9000/a/b.mp4?X-Amz-Signature=abc failed',
      'PUT https://bucket.example:9000/… failed',
    ],
    ['401: Bearer ya29.a0AfH6SMBx-123456789 was refused', '401: Bearer [key] was refused'],
    ['{"access_token":"abc123","state":"x"}', '{"access_token":[key],"state":"x"}'],
    ['No such key: sk_live_51Hxyz0123456789abc', 'No such key: [key]'],
    ['jwt eyJhbGciOi.eyJzdWIiOi.sig is over', 'jwt [key] is over'],
    ['SMS to +1 (212) 555-0147 was refused', 'SMS to [number] was refused'],
    ["ENOENT: no such file, open '/srv/clear/media/x/source.mp4'", "ENOENT: no such file, open '…/source.mp4'"],
    ['video 019ac1d2-7c1e-7d7d-9d4c-0a1b2c3d4e5f is gone', 'video 019ac1d2-7c1e-7d7d-9d4c-0a1b2c3d4e5f is gone'],
    ['connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED 10.0.0.5:5432'],
    [`first\n    at stack (/home/x.ts:1:1)`, 'first'],
    ['x '.repeat(400), `${'x '.repeat(400).trim().slice(0, 399)}…`],
  ] as const)
    expect(redacted(words)).toBe(told)
})
