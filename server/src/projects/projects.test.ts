import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { goals } from '@clear-to-post/contract/goals'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { monthIn } from '@clear-to-post/domain/calendar'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../kernel/database.ts'
import { isLong } from '../../test/random.ts'
import { letDayPass, submitProject } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { runDue } from './due.ts'

let service: Service
let officer: Person
let editor: Person
let otherEditor: Person
let qa: Person
let admin: Person

beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  ;[editor, otherEditor, qa, admin] = await Promise.all([
    makePerson(service, 'Editor'),
    makePerson(service, 'Editor'),
    makePerson(service, 'QA'),
    makePerson(service, 'ADMIN'),
  ])
})
beforeEach(() => letDayPass(service))
afterAll(() => service.close())

const races = isLong ? 1000 : 50
const rush = isLong ? { editors: 50, projects: 200 } : { editors: 25, projects: 50 }
const as = (person: Person | null) => callAs(service, person)
const at = (project: { id: string }) => ({ params: { projectId: project.id } })

const submit = async (who = officer, more: { submitMonth?: string; title?: string } = {}) =>
  submitProject(service, who, more)
const start = (project: Project, who = editor) => as(who)(projects.start, { body: { projectId: project.id } })
const send = async (project: Project, who = editor) =>
  as(who)(projects.send, { ...at(project), body: { finalVideoId: await makeVideo(service, who, project) } })
const waiting = async () => {
  const project = await submit()
  await start(project)
  return send(project)
}
const finished = async () => as(qa)(projects.approve, at(await waiting()))
const denial = {
  denyFeedback: { criteria: feedbackCriteria.map((c) => ({ ...c, score: 4, comment: 'Too slow' })) },
  categories: ['cut' as const],
}
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString()
const refusalOf = (promise: Promise<unknown>) => expect(promise).rejects

describe('the chain', () => {
  it('runs from submission to a scheduled, published video, and the timeline lists every step', async () => {
    const project = await submit(officer, { title: 'Three myths' })
    expect(project).toMatchObject({ status: 0, title: 'Three myths', queue: { place: expect.any(Number) } })
    expect(await start(project)).toMatchObject({ status: 1, editorId: editor.id })
    expect(await send(project)).toMatchObject({ status: 3, cuts: 1 })
    expect(await as(qa)(projects.deny, { ...at(project), body: denial })).toMatchObject({ status: 4 })
    expect((await as(editor)(projects.find, at(project))).feedback?.criteria[0]).toMatchObject({ score: 4 })
    expect(await as(editor)(projects.next, { params: { userId: editor.id } })).toMatchObject({ id: project.id })
    await start(project)
    await send(project)
    const approved = await as(qa)(projects.approve, at(project))
    expect(approved).toMatchObject({ status: 2, expirationTimestamp: expect.any(String) })
    await as(officer)(projects.comment, { ...at(project), body: { atMs: 1500, text: 'Logo is late' } })
    await refusalOf(
      as(officer)(projects.comment, { ...at(project), body: { atMs: 3500, text: 'Behind the end' } }),
    ).toMatchObject({ code: 'project.beyond-cut', issues: [{ path: 'body.atMs' }] })
    expect(await as(officer)(projects.review, { ...at(project), body: { revision: 'Shorter intro' } })).toMatchObject({
      status: 5,
    })
    expect((await as(officer)(projects.comments, at(project))).items).toMatchObject([
      { atMs: 1500, attached: true, cut: 2 },
    ])
    await start(project)
    await send(project)
    await as(qa)(projects.approve, at(project))
    const publishAt = inAWeek()
    expect(await as(officer)(projects.schedule, { ...at(project), body: { publishAt } })).toMatchObject({
      status: 7,
      publishAt,
    })
    expect(await as(officer)(projects.unschedule, at(project))).toMatchObject({ status: 2 })
    await as(officer)(projects.schedule, { ...at(project), body: { publishAt } })
    await runDue(service.database, new Date(Date.parse(publishAt) + 1))
    const done = await as(officer)(projects.find, at(project))
    expect(done.status).toBe(2)
    expect(done.timeline.map((item) => item.metadata.verb)).toEqual(
      'create start send deny start send approve review start send approve schedule unschedule schedule publish'.split(
        ' ',
      ),
    )
    expect((await as(editor)(projects.cuts, at(project))).items.map((v) => v.verdict)).toEqual([
      'approved',
      'approved',
      'denied',
    ])
  })

  it('has comments that staff tick off for everybody, and take the tick back', async () => {
    const project = await waiting()
    const { id } = await as(qa)(projects.comment, { ...at(project), body: { atMs: 10, text: 'Logo is late' } })
    const params = { ...at(project).params, commentId: id }
    const tick = (isDone: boolean, who = editor) => as(who)(projects.tickComment, { params, body: { isDone } })
    expect(await tick(true)).toMatchObject({ id, doneAt: expect.any(String) })
    expect((await as(qa)(projects.comments, at(project))).items).toMatchObject([{ id, doneAt: expect.any(String) }])
    expect(await tick(false, qa)).not.toHaveProperty('doneAt')
    expect((await as(editor)(projects.comments, at(project))).items[0]).not.toHaveProperty('doneAt')
    // A comment of another project is none of this one.
    const other = await waiting()
    await refusalOf(
      as(editor)(projects.tickComment, { params: { ...params, ...at(other).params }, body: { isDone: true } }),
    ).toMatchObject({ code: 'comment.not-found' })
  })

  it('shows the officer approved cuts only, and no scores', async () => {
    const project = await waiting()
    await as(qa)(projects.comment, { ...at(project), body: { atMs: 10, text: 'Between us' } })
    expect((await as(officer)(projects.comments, at(project))).items).toEqual([])
    expect((await as(editor)(projects.comments, at(project))).items).toMatchObject([{ text: 'Between us' }])
    await as(qa)(projects.deny, { ...at(project), body: denial })
    const seen = await as(officer)(projects.find, at(project))
    expect(seen).not.toHaveProperty('finalVideoId')
    expect(seen).not.toHaveProperty('feedback')
    expect(JSON.stringify(seen.timeline)).not.toContain('Too slow')
    expect((await as(officer)(projects.cuts, at(project))).items).toEqual([])
  })
})

describe('the queue', () => {
  it(
    'keeps the order of arrival until an ADMIN moves a project, however narrow the gap',
    { tags: 'long' },
    async () => {
      const [a, b, c] = [await submit(), await submit(), await submit()]
      expect([a, b, c].map((p) => p.queue!.position)).toEqual(
        [a, b, c].map((p) => p.queue!.position).sort((x, y) => x - y),
      )
      const move = (p: Project, position: number) =>
        as(admin)(projects.reorder, { body: { projectId: p.id, position } })
      // Ever into the same gap: halving alone would run out after some fifty moves.
      let low = a.queue!.position
      for (let i = 0; i < 120; i++) {
        const [moving, staying] = i % 2 === 0 ? [c, b] : [b, c]
        const stay = (await as(admin)(projects.find, at(staying))).queue!.position
        low = (await as(admin)(projects.find, at(a))).queue!.position
        const wished = low + (stay - low) / 2
        const moved = await move(moving, wished)
        expect(moved.queue!.position).toBeGreaterThan(low)
      }
      const all = await as(admin)(projects.list, {
        query: { orderBy: 'position:asc', wheres: 'status:eq:0', perPage: 100 },
      })
      const places = all.items.map((p) => p.queue!.position)
      expect(places).toEqual([...places].sort((x, y) => x - y))
      expect(all.items.findIndex((p) => p.id === a.id)).toBeLessThan(all.items.findIndex((p) => p.id === b.id))
    },
  )

  it('is ordered by the service’s ADMIN only, and a position beyond its ends is the end', async () => {
    const [first, project, last] = [await submit(), await submit(), await submit()]
    const itsAdmin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
    const move = (who: Person, position: number) =>
      as(who)(projects.reorder, { body: { projectId: project.id, position } })
    expect((await as(itsAdmin)(projects.find, at(project))).actions).not.toContain('reorder')
    await refusalOf(move(itsAdmin, -1e12)).toMatchObject({ code: 'project.forbidden' })
    const waitingAt = async () =>
      (
        await as(admin)(projects.list, { query: { orderBy: 'position:asc', wheres: 'status:eq:0', perPage: 100 } })
      ).items
        .filter(({ id }) => id !== project.id)
        .map(({ queue }) => queue!.position)
    const places = await waitingAt()
    expect((await move(admin, 1e15)).queue!.position).toBe(last.queue!.position + 1024)
    expect((await move(admin, -1e15)).queue).toEqual({ position: places[0]! - 1024, place: 1 })
    expect(await waitingAt()).toEqual(places)
    expect(places).toContain(first.queue!.position)
  })

  it('shows an ADMIN what the given editor would be shown, and only for editors', async () => {
    const elsewhere = await makePerson(service, 'Editor', { tenantId: await makeTenant(service) })
    await submit()
    await refusalOf(as(admin)(projects.next, { params: { userId: elsewhere.id } })).toMatchObject({
      code: 'project.queue-empty',
    })
    await refusalOf(as(admin)(projects.next, { params: { userId: officer.id } })).toMatchObject({
      code: 'account.not-found',
    })
  })

  it('is only read by next; start takes a project, and assigned work goes to its editor only', async () => {
    await submit()
    await as(admin)(projects.assign, { ...at(await submit()), body: { editorId: otherEditor.id } })
    const fresh = await makePerson(service, 'Editor')
    const next = await as(fresh)(projects.next, { params: { userId: fresh.id } })
    expect(next.editorId).toBeUndefined()
    expect((await as(fresh)(projects.next, { params: { userId: fresh.id } })).id).toBe(next.id)
    expect((await as(fresh)(projects.start, {})).id).toBe(next.id)
    await refusalOf(as(fresh)(projects.next, { params: { userId: otherEditor.id } })).toMatchObject({
      kind: 'not-found',
    })
  })
})

describe('review', () => {
  it('refuses an approval by the person who sent the cut, whoever is its editor', async () => {
    const project = await submit()
    await start(project)
    const sent = await send(project, admin)
    expect(sent.editorId).toBe(editor.id)
    expect(sent.actions).not.toContain('approve')
    await refusalOf(as(admin)(projects.approve, at(project))).toMatchObject({ code: 'project.own-edit' })
    expect(await as(qa)(projects.approve, at(project))).toMatchObject({ status: 2 })
  })
})

describe('rollback', () => {
  it('undoes an approval with its goal, expiry and verdict, and adds an event to the timeline', async () => {
    const goalNow = async () => (await as(editor)(goals.list, {})).items[0]!.progress
    const before = await goalNow()
    const project = await finished()
    expect(await goalNow()).toBe(before + 1)
    const back = await as(qa)(projects.rollback, at(project))
    expect(back).toMatchObject({ status: 3, expirationTimestamp: null })
    expect(back.timeline.length).toBe(project.timeline.length + 1)
    expect(await goalNow()).toBe(before)
    expect(await as(officer)(projects.find, at(project))).not.toHaveProperty('finalVideoId')
    expect(await as(qa)(projects.approve, at(project))).toMatchObject({ status: 2 })
  })

  it('of the service’s work is refused to a company’s ADMIN, and is not offered', async () => {
    const itsAdmin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
    const back = (project: { id: string }, who: Person) => as(who)(projects.rollback, at(project))
    const theirs = async (project: { id: string }) => {
      expect((await as(itsAdmin)(projects.find, at(project))).actions).not.toContain('rollback')
      await refusalOf(back(project, itsAdmin)).toMatchObject({
        code: 'project.forbidden',
        message: 'People of the service did this step, so only the service’s admin can undo it. Write to us.',
      })
    }
    const project = await finished()
    await theirs(project)
    for (const status of [3, 1]) {
      expect(await back(project, admin)).toMatchObject({ status })
      await theirs(project)
    }
    // What its own people did, a company takes back.
    const its = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
    const own = await submit()
    await start(own, its)
    expect((await as(itsAdmin)(projects.find, at(own))).actions).toContain('rollback')
    expect(await back(own, itsAdmin)).toMatchObject({ status: 0 })
  })

  it('updates the goal and the quota of people outside the reviewer’s company too', async () => {
    const mover = await makeOfficer(service)
    const itsQa = await makePerson(service, 'QA', { tenantId: mover.tenantId })
    const reached = async () => (await as(editor)(goals.list, {})).items[0]!.progress
    const before = await reached()
    const project = await submit(mover)
    await start(project)
    await as(itsQa)(projects.approve, at(await send(project)))
    expect(await reached()).toBe(before + 1)
    await as(itsQa)(projects.rollback, at(project))
    expect(await reached()).toBe(before)

    const later = await submit(mover, {
      submitMonth: monthIn(new Date(Date.now() + 40 * 86_400_000), 'America/New_York'),
    })
    const elsewhere = await makeTenant(service)
    const counted = async () =>
      (
        await service.database.asSystem((tx) =>
          tx.first(sql<{ used: number }>`
            select used from quota_use where user_id = ${mover.id} and month = ${later.submitMonth}`),
        )
      )?.used
    expect(await counted()).toBe(1)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set tenant_id = ${elsewhere} where id = ${mover.id}`),
    )
    const itsAdmin = await makePerson(service, 'ADMIN', { tenantId: mover.tenantId })
    await as(itsAdmin)(projects.cancel, at(later))
    expect(await counted()).toBe(0)
  })

  it('an editor’s target can be set by an ADMIN who serves them, and by nobody else', async () => {
    const tenantId = await makeTenant(service)
    const its = (role: 'Editor' | 'QA' | 'ADMIN', of: string | null = tenantId) =>
      makePerson(service, role, { tenantId: of })
    const cutter = await its('Editor')
    const set = (who: Person, target: number) =>
      as(who)(goals.set, { body: { editorId: cutter.id, isoWeek: '2026-W47', target } })
    expect(await set(await its('ADMIN'), 7)).toMatchObject({ target: 7 })
    expect(await set(await its('ADMIN', null), 14)).toMatchObject({ target: 14 })
    await refusalOf(set(await its('ADMIN', await makeTenant(service)), 21)).toMatchObject({ code: 'account.not-found' })
    const weeks = (await as(cutter)(goals.list, {})).items
    expect(weeks.find(({ isoWeek }) => isoWeek === '2026-W47')).toMatchObject({ target: 14 })
  })

  it('takes an approval back from the day that it was counted on, whatever the editor’s time zone is by then', async () => {
    const week = async () => {
      const [goal] = (await as(traveller)(goals.list, {})).items
      return [goal!.progress, goal!.dailyMilestones.reduce((sum, day) => sum + day.progress, 0)]
    }
    const zone = (timezone: string) => as(traveller)(accounts.update, { body: { timezone } })
    const traveller = await makePerson(service, 'Editor')
    const project = await submit()
    await start(project, traveller)
    await as(qa)(projects.approve, at(await send(project, traveller)))
    expect(await week()).toEqual([1, 1])
    // Half the world away it is another day, at some hours another week.
    await zone('Pacific/Kiritimati')
    await as(qa)(projects.rollback, at(project))
    await zone('America/New_York')
    expect(await week()).toEqual([0, 0])
    await as(qa)(projects.approve, at(project))
    expect(await week()).toEqual([1, 1])
  })

  it('by two people at once undoes two steps, the latest first', async () => {
    for (let i = 0; i < 10; i++) {
      const project = await waiting()
      const answers = await Promise.all([0, 1].map(() => as(admin)(projects.rollback, at(project))))
      expect(answers.map(({ status }) => status).sort()).toEqual([0, 1])
    }
  })

  it('of a sending makes the earlier cut the one to approve', async () => {
    const first = await waiting()
    await as(qa)(projects.deny, { ...at(first), body: denial })
    await start(first)
    const second = await send(first)
    expect(second.finalVideoId).not.toBe(first.finalVideoId)
    for (const status of [1, 4, 3]) expect(await as(admin)(projects.rollback, at(first))).toMatchObject({ status })
    await as(qa)(projects.approve, at(first))
    expect(await as(officer)(projects.find, at(first))).toMatchObject({ finalVideoId: first.finalVideoId })
  })

  it('goes back step by step to the submission, and no further', async () => {
    const project = await waiting()
    expect(await as(admin)(projects.rollback, at(project))).toMatchObject({ status: 1 })
    const first = await as(admin)(projects.rollback, at(project))
    expect(first).toMatchObject({ status: 0, queue: { position: project.queue?.position ?? expect.any(Number) } })
    expect(first).not.toHaveProperty('editorId')
    await refusalOf(as(admin)(projects.rollback, at(project))).toMatchObject({ code: 'project.nothing-to-roll-back' })
  })
})

describe('quotas', () => {
  it('count for the month of the project, and are given back if nobody has edited', async () => {
    const lone = await makePerson(service, 'User')
    await subscribe(service, { userId: lone.id }, 1)
    const project = await submit(lone)
    await refusalOf(submit(lone)).toMatchObject({ code: 'project.quota-used' })
    await as(lone)(projects.cancel, at(project))
    // Undone, the month is used again; canceled once more, it is free again.
    await as(admin)(projects.rollback, at(project))
    await refusalOf(submit(lone)).toMatchObject({ code: 'project.quota-used' })
    await as(lone)(projects.cancel, at(project))
    const again = await submit(lone)
    await start(again)
    await as(admin)(projects.cancel, at(again))
    await refusalOf(submit(lone)).toMatchObject({ code: 'project.quota-used' })
  })

  it('count again when a company’s ADMIN rolls a cancellation back, and without a right it is refused', async () => {
    const member = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
    const [whose, itsAdmin] = [
      { tenantId: member.tenantId! },
      await makePerson(service, 'ADMIN', { tenantId: member.tenantId }),
    ]
    const back = (project: { id: string }, who = itsAdmin) => as(who)(projects.rollback, at(project))
    const used = async () => (await as(member)(projects.allowance, {})).months[0]!.used
    // Without a plan: one free video, whatever is undone.
    const free = await submit(member)
    await as(itsAdmin)(projects.cancel, at(free))
    const second = await submit(member)
    await refusalOf(back(free)).toMatchObject({
      code: 'project.no-plan',
      message:
        'The free video is used by another one of this mailbox, or of its domain, now. Cancel that one first, or choose a plan.',
    })
    await as(itsAdmin)(projects.cancel, at(second))
    expect(await back(free)).toMatchObject({ status: 0, isFree: true })

    await subscribe(service, whose, 2)
    const first = [await submit(member), await submit(member)]
    for (const one of first) await as(itsAdmin)(projects.cancel, at(one))
    const fresh = [await submit(member), await submit(member)]
    for (const one of first)
      await refusalOf(back(one)).toMatchObject({
        code: 'project.quota-used',
        message:
          'The officer’s videos of that month are used up. Cancel another one of that month or take a bigger plan, then undo the step.',
      })
    expect(await used()).toBe(2)
    await as(itsAdmin)(projects.cancel, at(fresh[0]!))
    expect(await back(first[0]!)).toMatchObject({ status: 0 })
    expect(await used()).toBe(2)
    // The service may go over the limit.
    expect(await back(first[1]!, admin)).toMatchObject({ status: 0 })
    expect(await used()).toBe(3)
  })

  it('stay used for a video whose cut was sent, whatever is rolled back before it is canceled', async () => {
    const lone = await makePerson(service, 'User')
    await subscribe(service, { userId: lone.id }, 1)
    const project = await submit(lone)
    await start(project)
    await send(project)
    for (const status of [1, 0]) expect(await as(admin)(projects.rollback, at(project))).toMatchObject({ status })
    await as(admin)(projects.cancel, at(project))
    await refusalOf(submit(lone)).toMatchObject({ code: 'project.quota-used' })
  })

  it('stay used for a video of which a finished file was made, though nobody started to edit it', async () => {
    const lone = await makePerson(service, 'User')
    await subscribe(service, { userId: lone.id }, 1)
    const project = await submit(lone)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into render (project_id, revision, recipe, state, asked_by)
        values (${project.id}, 1, '{}', 'done', ${admin.id})`),
    )
    await as(lone)(projects.cancel, at(project))
    await refusalOf(submit(lone)).toMatchObject({ code: 'project.quota-used' })
  })

  it('include the free video once, also with 20 parallel submissions', async () => {
    const lone = await makePerson(service, 'User')
    expect(await as(lone)(projects.free, {})).toEqual({ canCreate: true })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => submit(lone)))
    expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(1)
    expect(await as(lone)(projects.free, {})).toEqual({ canCreate: false })
    const [only] = outcomes.filter((one) => one.status === 'fulfilled')
    await as(lone)(projects.cancel, at(only!.value))
    expect(await as(lone)(projects.free, {})).toEqual({ canCreate: true })
  })

  it('hold a project for a later month until it starts, or until it is unscheduled into the running one', async () => {
    const later = new Date(Date.now() + 45 * 86_400_000).toISOString().slice(0, 7)
    const waitingForMonth = await submit(officer, { submitMonth: later })
    expect(waitingForMonth).toMatchObject({ status: 7 })
    const pulled = await as(officer)(projects.unschedule, at(await submit(officer, { submitMonth: later })))
    expect(pulled).toMatchObject({ status: 0, submitMonth: monthIn(new Date(), 'America/New_York') })
    await runDue(service.database, new Date(Date.now() + 80 * 86_400_000))
    expect(await as(officer)(projects.find, at(waitingForMonth))).toMatchObject({ status: 0 })
  })
})

describe('parallel calls', () => {
  it(
    `of ${rush.editors} editors for ${rush.projects} projects give each project one editor`,
    { tags: 'long', timeout: 300_000 },
    async () => {
      const others = await Promise.all(Array.from({ length: rush.editors }, () => makePerson(service, 'Editor')))
      await service.database.asSystem((tx) =>
        tx.count(sql`update project set status = 6, queue_position = null where status = 0`),
      )
      const officerOfRace = await makePerson(service, 'User', { tenantId: officer.tenantId })
      const ids: string[] = []
      for (let ten = 0; ten < rush.projects / 10; ten++) {
        await letDayPass(service)
        ids.push(...(await Promise.all(Array.from({ length: 10 }, () => submit(officerOfRace)))).map(({ id }) => id))
      }
      const won = new Map<string, string[]>()
      await Promise.all(
        others.map(async (person) => {
          for (;;) {
            try {
              const { id } = await as(person)(projects.start, {})
              won.set(id, [...(won.get(id) ?? []), person.id])
            } catch (error) {
              // A service under load may answer 503; then no project was started.
              if ((error as { kind?: string }).kind === 'unavailable') continue
              expect(error).toMatchObject({ code: 'project.queue-empty' })
              return
            }
          }
        }),
      )
      expect([...won.keys()].sort()).toEqual([...ids].sort())
      expect([...won.values()].every((winners) => winners.length === 1)).toBe(true)
    },
  )

  it(`to approve, deny and cancel one project make one transition, in ${races} races`, async () => {
    const cut = await makeVideo(service, editor, await submit())
    const ids = await service.database.asSystem(async (tx) => {
      const rows = await tx.rows(sql<{ id: string }>`
        insert into project (tenant_id, user_id, editor_id, title, instructions, caption_style, submit_month, status,
          final_video_id, editing_begun, cuts, submitted_at, modified_at, seq)
        select ${officer.tenantId}::uuid, ${officer.id}::uuid, ${editor.id}::uuid, 'race', '', 1, '2026-11', 3, ${cut}::uuid, true, 1, now(), now(), 1
        from generate_series(1, ${races}::integer) returning id`)
      await tx.count(sql`
        insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at)
        select id, 1, user_id, tenant_id, ${cut}::uuid, editor_id, now() from project where title = 'race'`)
      return rows.map(({ id }) => id)
    })
    let winners = 0
    for (const id of ids) {
      const outcomes = await Promise.allSettled([
        as(qa)(projects.approve, at({ id })),
        as(qa)(projects.deny, { ...at({ id }), body: denial }),
        as(admin)(projects.cancel, at({ id })),
      ])
      for (const o of outcomes) if (o.status === 'rejected') expect(o.reason).toMatchObject({ kind: 'conflict' })
      // A denied project can still be canceled and an approved one cannot: the timeline must agree.
      winners += outcomes.filter((o) => o.status === 'fulfilled').length
    }
    const ledger = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string; verbs: string[]; folds: boolean }>`
        select p.id, array_agg(e.verb order by e.seq) as verbs,
               p.status = (array_agg(e.to_status order by e.seq desc))[1] and p.seq = max(e.seq) as folds
        from project p join project_event e on e.project_id = p.id where p.title = 'race' group by p.id`),
    )
    expect(ledger).toHaveLength(races)
    expect(ledger.every(({ folds }) => folds)).toBe(true)
    expect(ledger.reduce((sum, { verbs }) => sum + verbs.length, 0)).toBe(winners)
    const possible = new Set(['approve', 'deny', 'cancel', 'deny,cancel'])
    expect(ledger.filter(({ verbs }) => !possible.has(verbs.join()))).toEqual([])
  }, 300_000)

  it('of 100 posts with one request id make one row, and 100 equal answers', async () => {
    const body = { title: 'Once', assets: [await makeVideo(service, officer)] }
    const requestId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => as(officer)(projects.create, { body }, { requestId })),
    )
    expect(new Set(answers.map((a) => JSON.stringify(a))).size).toBe(1)
    await refusalOf(as(officer)(projects.create, { body: { ...body, title: 'Other' } }, { requestId })).toMatchObject({
      code: 'request.id-reused',
    })
  })
})

describe('a deadlock', () => {
  it('is resolved by running the canceled transaction again', async () => {
    const project = await waiting()
    await as(editor)(goals.list, {})
    const other = new pg.Client({ connectionString: service.urls.superuserUrl })
    await other.connect()
    // Of the two that wait only the call looks for a knot, a second after it began to wait and once only: until then the
    // knot is tied in the database itself, however slow we are.
    // Run again, the call may be back at the project before the other one has woken up: that one then gives up, before the
    // call has been canceled as often as it tries.
    await other.query(`set deadlock_timeout = '1min'`)
    await other.query(`begin; select from goal where editor_id = '${editor.id}' for update`)
    const tied = other.query(`
      do $$ begin
        while not exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))) loop
          perform pg_sleep(0.005);
        end loop;
      end $$;
      set statement_timeout = '2500ms';
      select from project where id = '${project.id}' for update`)
    const approving = as(qa)(projects.approve, at(project))
    await tied.catch((error) => expect(error).toMatchObject({ code: '57014' }))
    await other.end()
    const approved = await approving
    expect(approved).toMatchObject({ status: 2 })
    expect(approved.timeline.filter(({ status }) => status === 2)).toHaveLength(1)
  })
})

describe('invalid input', () => {
  it('a request id that cannot be stored is refused', async () => {
    const body = { title: 'Named', assets: [await makeVideo(service, officer)] }
    for (const requestId of ['x'.repeat(201), 'two words'])
      await refusalOf(as(officer)(projects.create, { body }, { requestId })).toMatchObject({ code: 'request.invalid' })
    const kept = 'a/b+c='.padEnd(200, '~')
    const first = await as(officer)(projects.create, { body }, { requestId: kept })
    expect(await as(officer)(projects.create, { body }, { requestId: kept })).toEqual(first)
  })
  it('an action on a stale project is refused and changes nothing', async () => {
    const project = await waiting()
    await refusalOf(as(qa)(projects.approve, { ...at(project), body: { seq: project.seq - 1 } })).toMatchObject({
      code: 'project.changed',
    })
    expect(await as(qa)(projects.find, at(project))).toMatchObject({ status: 3, seq: project.seq })
  })
  it('other people’s files, used files and other projects’ cuts are refused', async () => {
    const stranger = await makePerson(service, 'User')
    const theirs = await makeVideo(service, stranger)
    await refusalOf(as(officer)(projects.create, { body: { title: 'x', assets: [theirs] } })).toMatchObject({
      code: 'asset.not-found',
    })
    const project = await submit()
    await start(project)
    const foreignCut = await makeVideo(service, editor, await submit())
    await refusalOf(as(editor)(projects.send, { ...at(project), body: { finalVideoId: foreignCut } })).toMatchObject({
      code: 'asset.not-found',
    })
    await refusalOf(as(stranger)(projects.find, at(project))).toMatchObject({ kind: 'not-found' })
    await refusalOf(as(officer)(projects.start, { body: { projectId: project.id } })).toMatchObject({
      kind: 'forbidden',
    })
  })
  it('unknown fields, filters, orders and cursors are named in the refusal', async () => {
    await refusalOf(as(officer)(projects.list, { query: { wheres: 'secret:eq:1' } })).toMatchObject({
      message: expect.stringContaining('secret'),
    })
    await refusalOf(as(officer)(projects.list, { query: { orderBy: 'title:asc' } })).toMatchObject({
      message: expect.stringContaining('title'),
    })
    await refusalOf(as(officer)(projects.list, { query: { cursor: 'garbage' } })).toMatchObject({
      kind: 'invalid-argument',
    })
    const forged = (key: string) =>
      Buffer.from(JSON.stringify(['submitTimestamp', 'desc', key, randomUUID()])).toString('base64url')
    for (const [query, path] of [
      [{ cursor: forged('soon') }, 'cursor'],
      [{ cursor: forged('2026-13-45') }, 'cursor'],
      [{ wheres: 'modified:gt:0000-01-01' }, 'wheres'],
      [{ wheres: 'title:contains:\0' }, 'wheres'],
    ] as const)
      await refusalOf(as(officer)(projects.list, { query })).toMatchObject({ issues: [{ path }] })
    const body = { title: 'x', assets: [randomUUID()], admin: true } as never
    await refusalOf(as(officer)(projects.create, { body })).toMatchObject({ issues: [{ path: 'body' }] })
  })
  it('a filter “not this editor” includes projects without an editor, and a list of over 100 values is refused', async () => {
    const project = await submit()
    const others = await as(admin)(projects.list, {
      query: { wheres: `editorId:ne:${editor.id}`, orderBy: 'submitTimestamp:desc', perPage: 100 },
    })
    expect(others.items.map(({ id }) => id)).toContain(project.id)
    const many = Array.from({ length: 101 }, () => randomUUID()).join()
    await refusalOf(as(admin)(projects.list, { query: { wheres: `editorId:in:${many}` } })).toMatchObject({
      code: 'request.invalid',
    })
  })

  it('pages contain each project once, at any size and in both directions', async () => {
    const lone = await makePerson(service, 'User', { tenantId: officer.tenantId })
    for (let i = 0; i < 7; i++) await submit(lone)
    for (const orderBy of ['submitTimestamp:asc', 'modified:desc']) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await as(lone)(projects.list, { query: { perPage: 3, orderBy, ...(cursor ? { cursor } : {}) } })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(new Set(seen).size).toBe(7)
      expect(seen).toHaveLength(7)
    }
  })
})

describe('A project’s record', () => {
  const filled = (project: Project, steps: number, metadata = '{"verb": "assign"}') =>
    service.database.asSystem(async (tx) => {
      await tx.count(sql`
        insert into project_event (project_id, seq, user_id, tenant_id, verb, to_status, title, description, metadata,
          actor_id, actor_role, actor_serves_all, at)
        select p.id, p.seq + n, p.user_id, p.tenant_id, 'assign', p.status, 'Assigned', '', ${metadata}::jsonb,
          p.user_id, 'ADMIN', true, now()
        from project p, generate_series(1, ${steps}::integer - p.seq) n where p.id = ${project.id}`)
      await tx.count(sql`update project set seq = ${steps} where id = ${project.id}`)
    })

  it('takes 480 steps by which something begins, then only its end; a list shows the newest 20 of them', async () => {
    const project = await submit()
    await as(admin)(projects.assign, { ...at(project), body: { editorId: null } })
    const most = mostKept.steps - mostKept.stepsToFinish
    await filled(project, most - 1)
    await as(admin)(projects.assign, { ...at(project), body: { editorId: editor.id } })
    const full = as(admin)(projects.assign, { ...at(project), body: { editorId: null } })
    await expect(full).rejects.toMatchObject({ code: 'project.too-many-steps' })
    await expect(start(project)).rejects.toMatchObject({ code: 'project.too-many-steps' })
    const seen = await as(admin)(projects.find, at(project))
    expect([seen.timeline.length, seen.actions]).toEqual([most, ['cancel']])
    const { items } = await as(admin)(projects.list, { query: { wheres: `title:eq:${project.title}`, perPage: '100' } })
    const listed = items.find(({ id }) => id === project.id)!
    expect(listed.timeline).toEqual(seen.timeline.slice(-mostKept.listedSteps))
    expect(listed.actions).toEqual(seen.actions)
    // Nobody is given what nobody can start.
    const next = await as(editor)(projects.next, { params: { userId: editor.id } }).catch(() => null)
    expect(next?.id).not.toBe(project.id)
    expect((await as(officer)(projects.cancel, at(project))).timeline).toHaveLength(most + 1)
  })

  it('however long it is, a list offers the same as the video’s page, and names the same cut', async () => {
    const revised = async () => {
      const project = await finished()
      await as(officer)(projects.review, { ...at(project), body: { revision: 'Once more' } })
      return start(project)
    }
    for (const make of [submit, waiting, finished, revised]) {
      const project = await make()
      await filled(project, 2 * mostKept.listedSteps + project.timeline.length)
      for (const person of [officer, admin]) {
        const { actions, currentCut } = await as(person)(projects.find, at(project))
        const query = { wheres: `status:eq:${project.status}`, perPage: '100' }
        const { items } = await as(person)(projects.list, { query })
        const listed = items.find(({ id }) => id === project.id)!
        expect(listed.timeline).toHaveLength(mostKept.listedSteps)
        expect({ actions: listed.actions, currentCut: listed.currentCut }).toEqual({ actions, currentCut })
      }
    }
  })

  it('keeps its last 100 steps for staff', async () => {
    const project = await finished()
    await filled(project, mostKept.steps - mostKept.stepsOfStaff)
    const asked = as(officer)(projects.review, { ...at(project), body: { revision: 'Once more' } })
    await expect(asked).rejects.toMatchObject({ code: 'project.too-many-steps' })
    expect((await as(admin)(projects.find, at(project))).actions).toContain('rollback')
    expect((await as(officer)(projects.find, at(project))).actions).not.toContain('review')
  })

  it('keeps its last 20 steps for what finishes it: a cut is judged, and nothing begins', async () => {
    const project = await waiting()
    await filled(project, mostKept.steps - mostKept.stepsToFinish)
    expect((await as(admin)(projects.find, at(project))).actions).toEqual(expect.arrayContaining(['approve', 'deny']))
    expect((await as(admin)(projects.find, at(project))).actions).not.toContain('rollback')
    await filled(project, mostKept.steps)
    expect((await as(admin)(projects.find, at(project))).actions).toEqual(['cancel'])
  })

  it('takes a million letters of words, and says so', async () => {
    const project = await finished()
    await filled(project, 100, JSON.stringify({ revision: 'x'.repeat(12_000) }))
    const asked = as(officer)(projects.review, { ...at(project), body: { revision: 'Once more' } })
    await expect(asked).rejects.toMatchObject({
      code: 'project.too-many-steps',
      message: expect.stringContaining('million letters'),
    })
  })

  it('leaves what a denial said to the feedback in lists', async () => {
    const project = await waiting()
    const denied = await as(qa)(projects.deny, { ...at(project), body: denial })
    const { items } = await as(qa)(projects.list, { query: { perPage: '100' } })
    const listed = items.find(({ id }) => id === project.id)!
    expect(listed.feedback).toEqual(denied.feedback)
    expect(JSON.stringify(denied.timeline)).toContain('denyFeedback')
    expect(JSON.stringify(listed.timeline)).not.toContain('denyFeedback')
  })

  it('takes 300 remarks that the officer reads, and 300 between staff', async () => {
    const project = await finished()
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into project_comment (project_id, user_id, tenant_id, number, at_ms, text, author_id, created_at, internal)
        select p.id, p.user_id, p.tenant_id, 1, 0, 'Many', p.user_id, now(), false
        from project p, generate_series(1, ${mostKept.remarks}::integer) where p.id = ${project.id}`),
    )
    const say = (who: Person) => as(who)(projects.comment, { ...at(project), body: { atMs: 0, text: 'One more' } })
    await expect(say(officer)).rejects.toMatchObject({ code: 'project.too-many-remarks' })
    await as(officer)(projects.review, { ...at(project), body: { revision: 'All of them' } })
    // Until the video is finished again, remarks stay between staff.
    expect((await say(qa)).text).toBe('One more')
  })
})
