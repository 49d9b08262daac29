import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { assets } from '@clear-to-post/contract/assets'
import { calendar } from '@clear-to-post/contract/calendar'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { addressOf } from '@clear-to-post/contract/client'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../src/kernel/database.ts'
import { projectEventJob } from '../src/notifications/jobs.ts'
import { deliverMails, jobContext } from './mails.ts'
import { partOfWalk, seedOfRun } from './random.ts'
import { samplesOf } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import { callConfirmed, makePerson, makeTenant, makeVideo, openService, type Person, type Service } from './service.ts'

/**
 * Only staff in reach learn the id of a cut (and with it any address of its file) before it is approved. At every step of a
 * project, all answers, events and messages for other people are searched for it as raw text.
 */
let service: Service
let stage: Stage
let project: Project
/** What the live stream of staff with access has sent. */
let toldToQa: () => string
let outsiders: { who: string; person: Person; told: () => string }[]
/** Every cut of the project by its name that outsiders may not know now. */
const secret = new Map<string, string>()

beforeAll(async () => {
  service = await openService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  stage = await openStage(service)
  const elsewhere = await makeTenant(service)
  const people = {
    officer: stage.officer,
    colleague: await makePerson(service, 'User', { tenantId: stage.tenantId }),
    'officer of no company': await makePerson(service, 'User'),
    'editor elsewhere': await makePerson(service, 'Editor', { tenantId: elsewhere }),
    'QA elsewhere': await makePerson(service, 'QA', { tenantId: elsewhere }),
    'ADMIN elsewhere': await makePerson(service, 'ADMIN', { tenantId: elsewhere }),
  }
  outsiders = await Promise.all(
    Object.entries(people).map(async ([who, person]) => ({ who, person, told: await listen(person) })),
  )
  toldToQa = await listen(stage.qa)
  const source = await makeVideo(service, stage.officer)
  project = await as(stage.officer)(projects.create, { body: { title: 'Rate lock', assets: [source] } })
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const here = () => ({ params: { projectId: project.id } })
const start = () => as(stage.editor)(projects.start, { body: { projectId: project.id } })
const approve = () => as(stage.qa)(projects.approve, here())
const denial = { denyFeedback: { criteria: [{ ...feedbackCriteria[0], score: 2 }] }, categories: ['cut' as const] }

/** A finished file with everything that an address could be made of: half of them renders of the workbench. */
const upload = async (name: string): Promise<string> => {
  const id = await makeVideo(service, stage.editor, { id: project.id, tenantId: stage.tenantId })
  const derived = { original: 'o/original.mp4', play: 'o/play.mp4', poster: 'o/poster.jpg', thumb: 'o/thumb.jpg' }
  await service.database.asSystem(async (tx) => {
    await tx.count(
      sql`update asset set derived = ${JSON.stringify(derived)}, stage = 'video', progress = 0.5 where id = ${id}`,
    )
    if (secret.size % 2 === 0)
      await tx.count(sql`
        insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
        values (${project.id}, ${stage.tenantId}, 1, '{}', 'done', ${id}, ${stage.editor.id})`)
  })
  secret.set(name, id)
  return id
}
const send = (finalVideoId: string) => as(stage.editor)(projects.send, { ...here(), body: { finalVideoId } })

/** `npm test` asks a third of the outsiders at each moment, by the seed of the run, and others at the next; the tests after it ask all. */
const { share, options } = partOfWalk(3)
const seed = seedOfRun()
let turn = seed % share

const words = 'nobody without access to a cut learns its id before its approval, from any answer or event'
it(words, { ...options, timeout: 300_000 }, async () => {
  await start()
  const first = await upload('the first cut')
  await expectUntold('uploaded')
  await send(first)
  await expectUntold('waiting')
  await as(stage.qa)(projects.deny, { ...here(), body: denial })
  await expectUntold('denied')
  await start()
  const second = await upload('the second cut')
  await send(second)
  await expectUntold('waiting again')

  await approve()
  secret.delete('the second cut')
  await expectUntold('approved')
  expect(await asked(projects.find, here(), stage.officer), 'the officer’s own answer after approval').toContain(second)

  await as(stage.officer)(projects.review, { ...here(), body: { revision: 'Shorter' } })
  await start()
  await send(await upload('the third cut'))
  await expectUntold('waiting after a revision')
  await approve()
  await as(stage.qa)(projects.rollback, here())
  // What the officer was sent while it was approved stays sent; from now on nothing more may contain it.
  await expectUntold('waiting again after its approval was rolled back', { told: false })
})

const expectUntold = async (moment: string, { told: isTold = true } = {}) => {
  await tellAll()
  // Streams are served in order: what this one received, the others have received.
  const { seq } = await as(stage.qa)(projects.find, here())
  await expect.poll(toldToQa).toContain(`"projectId":"${project.id}","status"`)
  await expect.poll(toldToQa).toContain(`"seq":${seq}`)
  const leaks: string[] = []
  const search = (where: string, text: string) => {
    for (const [name, id] of secret) if (text.includes(id)) leaks.push(`${moment}: ${where} tells ${name}`)
  }
  for (const [at, { who, person, told }] of outsiders.entries()) {
    const isAsked = (turn + at) % share === 0
    for (const { name, shape, input } of isAsked ? questions(person) : [])
      search(`${name} to ${who}`, await asked(shape, input, person))
    search(`the calendar of ${who}`, await calendarOf(person))
    if (isTold) search(`the live stream of ${who}`, told())
    search(`a notification, mail or push for ${who}`, await keptFor(person))
  }
  turn += 1
  expect(leaks, `PROVE_SEED=${seed}`).toEqual([])
  // The test can fail: staff with access do read the id, in answers and events.
  for (const id of secret.values()) {
    expect(await asked(assets.find, { params: { assetId: id } }, stage.qa), moment).toContain(id)
    expect(toldToQa(), moment).toContain(id)
  }
}

/** Every GET call, and every other call about this project, each of which must be refused now. */
const questions = (person: Person) => {
  const samples = samplesOf({ ...stage, project, begun: project })
  return everyCall.flatMap(({ name, shape }) => {
    const { of, ...input } = samples[name]!()
    const isHarmless = shape.method === 'GET' || (of === 'project' && !(person === stage.officer && ownVerbs.has(name)))
    return isHarmless ? [{ name, shape, input }] : []
  })
}
// What an officer may do once there is a finished video; it would move the project on.
const ownVerbs = new Set(['projects.review', 'projects.schedule', 'projects.comment'])

type Input = {
  params?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

const asked = async (shape: CallShape, { params, query, body }: Input, person: Person): Promise<string> => {
  const response = await service.app.inject({
    method: shape.method,
    url: addressOf(shape, shape.params ? params : undefined, query),
    headers: { authorization: `Bearer ${person.token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  expect(response.statusCode, `${shape.method} ${shape.path}`).toBeLessThan(500)
  return `${JSON.stringify(response.headers)} ${response.body}`
}

const calendarOf = async (person: Person): Promise<string> => {
  if (person.role !== 'User') return ''
  const { url } = await as(person)(calendar.renew, {} as CallInput<typeof calendar.renew>)
  return (await service.app.inject({ url: new URL(url).pathname })).body
}

/** Everything stored to be sent to a person, sent or not. */
const keptFor = async (person: Person): Promise<string> => {
  const rows = await service.database.asSystem(async (tx) => {
    const { email } = (await tx.first(sql<{ email: string }>`select email from person where id = ${person.id}`))!
    await deliverMails(service, email)
    return tx.rows(sql`
      select to_jsonb(n) from notification n where n.user_id = ${person.id}
      union all select to_jsonb(m) from mail m where m.recipient = ${email}`)
  })
  return JSON.stringify(rows)
}

/** Runs the notification jobs of every step so far. */
const tellAll = async () => {
  const steps = await service.database.asSystem((tx) =>
    tx.rows(sql<{ seq: number }>`select seq from project_event where project_id = ${project.id} order by seq`),
  )
  for (const { seq } of steps) await projectEventJob.run({ projectId: project.id, seq }, jobContext(service))
}

/** Opens a person's live stream; answers what has come by now. */
const listen = async ({ token }: Person): Promise<() => string> => {
  const { port } = service.app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  let text = ''
  void (async () => {
    for await (const part of response.body!) text += Buffer.from(part).toString()
  })().catch(() => {})
  await vi.waitFor(() => expect(text).toContain('event: again'), { timeout: 30_000 })
  return () => text
}
