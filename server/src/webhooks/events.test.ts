import { afterAll, beforeAll, expect, test } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { webhookData } from '@clear-to-post/contract/webhook-events'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { monthAfter, monthIn, startOfMonth } from '@clear-to-post/domain/calendar'
import { denyCategoryValues, feedbackCriteria } from '@clear-to-post/domain/feedback'
import { postEvents } from '@clear-to-post/domain/posting'
import { webhookOfPost, webhookOfVerb, webhookTypes } from '@clear-to-post/domain/webhooks'
import { verbs } from '@clear-to-post/domain/workflow'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql, systemCaller } from '../kernel/database.ts'
import { runDue } from '../projects/due.ts'
import { movePost } from '../publishing/move.ts'
import { postColumns, type PostRow } from '../publishing/store.ts'

let service: Service
let officer: Person & { tenantId: string }
let admin: Person, editor: Person, qa: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  ;[editor, qa] = [await makePerson(service, 'Editor'), await makePerson(service, 'QA')]
  await callConfirmed(service, admin)(webhooks.create, {
    body: { url: 'https://program.example/', events: [...webhookTypes] },
  })
})
afterAll(() => service.close())

/** What a project's events are, in their order, each read by its own shape. */
const eventsOf = async (projectId: string) => {
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ type: keyof typeof webhookData; data: { seq?: number } & Record<string, unknown> }>`
      select v.type, v.data from webhook_delivery d join webhook_event v on v.id = d.event_id
      where v.project_id = ${projectId} order by d.number`),
  )
  for (const { type, data } of rows) expect(webhookData[type].parse(data)).toEqual(data)
  return rows
}
const ledgerOf = (projectId: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ verb: keyof typeof webhookOfVerb; seq: number }>`
      select verb, seq from project_event where project_id = ${projectId} order by seq`),
  )

const told = new Set<string>()
const expectAllTold = async (projectId: string) => {
  const ledger = (await ledgerOf(projectId)).filter(({ verb }) => webhookOfVerb[verb] !== null)
  const events = await eventsOf(projectId)
  expect(events.map(({ type, data }) => [type, data.seq])).toEqual(
    ledger.map(({ verb, seq }) => [webhookOfVerb[verb], seq]),
  )
  for (const { type } of events) told.add(type)
  return events
}

test('every step of a video is told in its own shape, and says nothing that people wrote', async () => {
  const { id } = await submitProject(service, officer, { title: 'A secret title', instructions: 'Secret words' })
  const at = { params: { projectId: id } }
  const as = (person: Person) => callAs(service, person)
  const cut = async () => {
    await as(editor)(projects.start, { body: { projectId: id } })
    const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
    await as(editor)(projects.send, { ...at, body: { finalVideoId } })
  }
  const ofService = await makePerson(service, 'ADMIN')
  await as(ofService)(projects.reorder, { body: { projectId: id, position: 1 } })
  await as(ofService)(projects.assign, { ...at, body: { editorId: editor.id } })
  await cut()
  const denyFeedback = { criteria: feedbackCriteria.map((one) => ({ ...one, score: 4, comment: 'Secret feedback' })) }
  await as(qa)(projects.deny, { ...at, body: { denyFeedback, categories: [denyCategoryValues[0]] } })
  await cut()
  await as(qa)(projects.approve, at)
  await as(officer)(projects.review, { ...at, body: { revision: 'Secret revision' } })
  await cut()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await as(qa)(projects.approve, { ...at, body: { publishAt: later } })
  await as(officer)(projects.unschedule, at)
  await as(officer)(projects.schedule, { ...at, body: { publishAt: later } })
  const latest = new Date(Date.now() + 7_200_000).toISOString()
  await as(officer)(projects.reschedule, { ...at, body: { publishAt: latest } })
  await runDue(service.database, new Date(Date.parse(latest) + 1000))
  await as(officer)(projects.review, { ...at, body: { revision: 'Secret revision' } })
  await as(admin)(projects.cancel, at)
  await as(admin)(projects.rollback, at)
  const events = await expectAllTold(id)
  expect(JSON.stringify(events)).not.toMatch(/secret/i)
  expect(events.findLast(({ type }) => type === 'video.scheduled')!.data).toMatchObject({ publishAt: latest })
  expect(events.find(({ type }) => type === 'video.assigned')!.data).toMatchObject({ editorId: editor.id })
})

test('a video that waits for its month and for a plan is told so', async () => {
  const zone = 'America/New_York'
  const month = monthAfter(monthIn(new Date(), zone), 1)
  const begins = startOfMonth(month, zone).getTime()
  const { id } = await submitProject(service, officer, { submitMonth: month })
  const set = (status: string) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update subscription set status = ${status} where tenant_id = ${officer.tenantId}`),
    )
  await set('canceled')
  await runDue(service.database, new Date(begins + 86_400_000))
  await set('active')
  await runDue(service.database, new Date(begins + 14 * 86_400_000))
  const events = await expectAllTold(id)
  expect(events.map(({ type }) => type)).toEqual(['video.submitted', 'video.waiting', 'video.queued'])
  expect(events[1]!.data).toMatchObject({ waitsFor: expect.any(String) })
})

test('every outcome of a post that is told is told in its own shape', async () => {
  const { id } = await submitProject(service, officer)
  const asset = await makeVideo(service, officer)
  const outcomes = postEvents.filter((event) => webhookOfPost[event] !== null)
  const from = { live: 'processing', fail: 'processing', lose: 'processing', remove: 'live' } as Record<string, string>
  for (const event of outcomes)
    await service.database.asSystem(async (tx) => {
      const post = await tx.first(sql<PostRow>`
        with connected as (
          insert into connection (user_id, network, account_id, name, connected_at, modified_at)
          values (${officer.id}, 'youtube', ${event}, 'An account', now(), now()) returning id),
        p as (
          insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, state)
          select ${id}, ${officer.tenantId}, ${officer.id}, connected.id, 'youtube', ${asset}, 'x', 'Secret words', now(),
            ${from[event]} from connected returning *)
        select ${postColumns} from p`)
      const more = event === 'fail' ? { failure: 'reauth' as const, failure_words: 'Secret words' } : {}
      await movePost(tx, systemCaller, post!, event, new Date(), more)
    })
  const events = (await eventsOf(id)).filter(({ type }) => type.startsWith('post.'))
  expect(events.map(({ type }) => type)).toEqual(outcomes.map((event) => webhookOfPost[event]))
  expect(events.find(({ type }) => type === 'post.failed')!.data).toMatchObject({ failure: 'reauth', state: 'failed' })
  expect(JSON.stringify(events)).not.toMatch(/secret/i)
  for (const { type } of events) told.add(type)
})

test('these tests have told of every type that an endpoint can choose', () => {
  expect([...told].sort()).toEqual([...webhookTypes].sort())
  expect(verbs.filter((verb) => webhookOfVerb[verb] === null)).toEqual(['reorder'])
})
