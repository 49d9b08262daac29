import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { tenants } from '@clear-to-post/contract/tenants'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../kernel/database.ts'
import { letDayPass } from '../../test/factories.ts'
import { makeEdit } from '../../test/make-edit.ts'
import {
  callConfirmed,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let editor: Person
let qa: Person
let admin: Person
/** An ADMIN who has a part in a cut. */
let part: Person

beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  ;[editor, qa, admin, part] = await Promise.all([
    makePerson(service, 'Editor'),
    makePerson(service, 'QA'),
    makePerson(service, 'ADMIN'),
    makePerson(service, 'ADMIN'),
  ])
})
beforeEach(() => letDayPass(service))
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const at = ({ id }: { id: string }) => ({ params: { projectId: id } })
const submit = async () => {
  const source = await makeVideo(service, officer)
  const project = await as(officer)(projects.create, { body: { title: 'Rate lock', assets: [source] } })
  return { ...project, recipe: await makeEdit(service, project, source) }
}
const start = (project: { id: string }, who = editor) => as(who)(projects.start, { body: { projectId: project.id } })
const upload = (project: { id: string }, who = editor) =>
  makeVideo(service, who, { id: project.id, tenantId: officer.tenantId })
const send = async (project: { id: string }, who = editor, file?: string) =>
  as(who)(projects.send, { ...at(project), body: { finalVideoId: file ?? (await upload(project)) } })
const waiting = async () => {
  const project = await submit()
  await start(project)
  return send(project)
}
const denial = {
  denyFeedback: { criteria: [{ ...feedbackCriteria[0]!, score: 4 }] },
  categories: ['cut' as const],
}
const deny = (project: { id: string }, cut?: number) =>
  as(qa)(projects.deny, { ...at(project), body: { ...denial, ...(cut ? { cut } : {}) } })
const approve = (project: { id: string }, cut?: number, who = qa) =>
  as(who)(projects.approve, { ...at(project), ...(cut ? { body: { cut } } : {}) })
/** A second cut waits, after the first was denied. */
const second = async (): Promise<Project> => {
  const project = await waiting()
  await deny(project)
  await start(project)
  return send(project)
}
const last = ({ timeline }: Project) => timeline.at(-1)!.metadata
const inDatabase = (statement: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(statement))

describe('four eyes', () => {
  type Begun = Awaited<ReturnType<typeof submit>>
  const parts: Record<string, { reason: string; make: (project: Begun) => Promise<unknown> }> = {
    uploader: {
      reason: 'You uploaded this cut. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        await send(project, editor, await upload(project, part))
      },
    },
    renderer: {
      reason: 'You rendered this cut. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        const file = await upload(project)
        await inDatabase(sql`
          insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
          select ${project.id}, ${officer.tenantId}, 1, recipe, 'done', ${file}, ${part.id} from edit where project_id = ${project.id}`)
        await send(project, editor, file)
      },
    },
    'author of a revision': {
      reason: 'You changed the edit of this cut. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        const { recipe } = project
        await as(part)(edits.save, { ...at(project), body: { revision: 1, recipe } })
        await as(editor)(edits.save, { ...at(project), body: { revision: 2, recipe } })
        await send(project)
      },
    },
    'author of a revision of an earlier cut': {
      reason: 'You changed the edit of this cut. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        await as(part)(edits.save, { ...at(project), body: { revision: 1, recipe: project.recipe } })
        await send(project)
        await deny(project)
        await start(project)
        await as(editor)(edits.save, { ...at(project), body: { revision: 2, recipe: project.recipe } })
        await send(project)
      },
    },
    'whoever had the first cut made anew': {
      reason: 'You changed the edit of this cut. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        await as(part)(edits.make, { ...at(project), body: { script: 'Other words' } })
        await send(project)
      },
    },
    assignee: {
      reason: 'You are the editor of this video. Somebody else approves it.',
      make: async (project) => {
        await start(project, part)
        await send(project, admin)
      },
    },
    sender: {
      reason: 'You sent this cut to approval. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        await send(project, part)
      },
    },
    officer: {
      reason: 'This is your own video. Somebody else approves it.',
      make: async (project) => {
        await start(project)
        await send(project)
        await inDatabase(sql`update project set user_id = ${part.id} where id = ${project.id}`)
      },
    },
  }

  it.each(Object.entries(parts))('the %s of a cut cannot approve it, and reads why', async (_who, { reason, make }) => {
    const project = await submit()
    await make(project)
    const isKept = async () => {
      const seen = await as(part)(projects.find, at(project))
      expect(seen.actions).not.toContain('approve')
      expect(seen.withheld).toEqual([{ verb: 'approve', reason }])
      const query = { orderBy: 'modified:asc', wheres: 'status:eq:3', perPage: 100 }
      const listed = (await as(part)(projects.list, { query })).items.find(({ id }) => id === project.id)
      expect([listed?.actions.includes('approve'), listed?.withheld]).toEqual([false, seen.withheld])
      await expect(approve(project, undefined, part)).rejects.toMatchObject({
        code: 'project.own-edit',
        kind: 'forbidden',
        message: reason,
      })
    }
    await isKept()
    const judged = await as(qa)(projects.find, at(project))
    expect(judged.actions).toContain('approve')
    expect(judged).not.toHaveProperty('withheld')
    expect(await approve(project)).toMatchObject({ status: 2 })
    // Taking an approval back opens no way around.
    await as(part)(projects.rollback, at(project))
    await isKept()
    expect(await approve(project)).toMatchObject({ status: 2 })
  })

  it('a recipe saved after a cut was sent does not make its author a part of that cut', async () => {
    const project = await submit()
    await start(project)
    await send(project)
    await as(part)(edits.save, { ...at(project), body: { revision: 1, recipe: project.recipe } })
    expect(await approve(project, 1, part)).toMatchObject({ status: 2 })
  })
})

describe('the cut that a decision is about', () => {
  it('must be the current one: a decision about another cut is refused and changes nothing', async () => {
    const project = await second()
    expect(project).toMatchObject({ cuts: 2, currentCut: 2 })
    const words = 'Cut 2 is the current one, not cut 1. Watch cut 2, then decide.'
    for (const judgement of [() => approve(project, 1), () => deny(project, 1)])
      await expect(judgement()).rejects.toMatchObject({ code: 'project.other-cut', kind: 'conflict', message: words })
    const [waits] = (await as(qa)(projects.cuts, at(project))).items
    expect(waits).toMatchObject({ number: 2, verdict: 'waiting' })
    expect(await as(qa)(projects.find, at(project))).toMatchObject({ status: 3, seq: project.seq })
    const approved = await approve(project, 2)
    expect(last(approved)).toMatchObject({ verb: 'approve', cut: 2, finalVideoId: project.finalVideoId })
    expect(last(await as(officer)(projects.find, at(project)))).toMatchObject({ verb: 'approve', cut: 2 })
  })

  it('is the current one when none is named, and the timeline records its number', async () => {
    const project = await waiting()
    expect(last(project)).toMatchObject({ verb: 'send', cut: 1, finalVideoId: project.finalVideoId })
    const denied = await deny(project)
    expect(last(denied)).toMatchObject({ verb: 'deny', cut: 1 })
    expect((await as(qa)(projects.cuts, at(project))).items).toMatchObject([{ number: 1, verdict: 'denied' }])
    await start(project)
    await send(project)
    expect(last(await approve(project))).toMatchObject({ verb: 'approve', cut: 2 })
  })

  it('is never a file that was uploaded but not sent', async () => {
    const project = await waiting()
    await upload(project, admin)
    expect(last(await deny(project, 1))).toMatchObject({ cut: 1 })
    const other = await waiting()
    await upload(other, admin)
    expect(await approve(other, 1)).toMatchObject({ finalVideoId: other.finalVideoId })
  })

  it('is the earlier one again after its successor’s sending was rolled back', async () => {
    const project = await second()
    for (const status of [1, 4, 3]) expect(await as(admin)(projects.rollback, at(project))).toMatchObject({ status })
    expect(await as(qa)(projects.find, at(project))).toMatchObject({ cuts: 2, currentCut: 1 })
    expect(await outcome(approve(project, 2))).toBe('project.other-cut')
    expect(last(await approve(project, 1))).toMatchObject({ cut: 1 })
  })

  it('is checked for remarks, revisions and schedules too', async () => {
    const project = await second()
    const remark = (who: Person, cut?: number) =>
      as(who)(projects.comment, { ...at(project), body: { atMs: 1, text: 'Louder', ...(cut ? { cut } : {}) } })
    expect(await outcome(remark(qa, 1))).toBe('project.other-cut')
    expect(await remark(qa, 2)).toMatchObject({ cut: 2 })
    expect(await remark(qa)).toMatchObject({ cut: 2 })
    await approve(project, 2)
    expect((await as(officer)(projects.find, at(project))).currentCut).toBe(2)
    expect(await outcome(remark(officer, 1))).toBe('project.other-cut')
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    const schedule = (cut: number) => as(officer)(projects.schedule, { ...at(project), body: { publishAt, cut } })
    const revise = (cut: number) => as(officer)(projects.review, { ...at(project), body: { revision: 'Longer', cut } })
    expect(await outcome(schedule(1))).toBe('project.other-cut')
    expect(last(await schedule(2))).toMatchObject({ cut: 2 })
    expect(await outcome(revise(1))).toBe('project.other-cut')
    expect(last(await revise(2))).toMatchObject({ cut: 2, revision: 'Longer' })
  })

  it('cannot be replaced while it is being approved', async () => {
    for (let round = 0; round < 10; round++) {
      const project = await waiting()
      const [, , ended] = await Promise.all([
        as(admin)(projects.rollback, at(project)).catch(() => null),
        send(project).catch(() => null),
        outcome(approve(project, 1)),
      ])
      const seen = await as(qa)(projects.find, at(project))
      if (ended === 'done')
        expect(seen.timeline.find(({ metadata }) => metadata.verb === 'approve')?.metadata.cut).toBe(1)
      else expect(['project.other-cut', 'project.wrong-status']).toContain(ended)
    }
  })
})

it('the database refuses a completed project whose final video is not the approved one', async () => {
  const project = await approve(await waiting())
  const other = await upload(project)
  for (const status of [2, 7])
    await expect(
      inDatabase(sql`update project set status = ${status}, final_video_id = ${other} where id = ${project.id}`),
    ).rejects.toThrow(/check/)
})

it('a file older than the edit is sent only when the sender confirms it, and staff can read that later', async () => {
  const project = await submit()
  await start(project)
  const rendered = await upload(project)
  const uploaded = await upload(project)
  await inDatabase(sql`
    insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
    values (${project.id}, ${officer.tenantId}, 1, ${JSON.stringify(project.recipe)}, 'done', ${rendered}, ${editor.id})`)
  const olderOf = async () =>
    (await as(editor)(projects.find, at(project)))
      .unsentCuts!.filter(({ isOlder }) => isOlder)
      .map(({ assetId }) => assetId)
  expect(await olderOf()).toEqual([])

  const changed = { ...project.recipe, keep: project.recipe.keep.map((one) => ({ ...one, end: one.end - 200 })) }
  const save = (revision: number, recipe: object) =>
    as(editor)(edits.save, { ...at(project), body: { revision, recipe: recipe as never } })
  await save(1, changed)
  expect(await olderOf()).toEqual([rendered])
  await expect(send(project, editor, rendered)).rejects.toMatchObject({
    code: 'project.older-render',
    kind: 'conflict',
    message: 'The edit was changed after this file was rendered. Render it again to send what the edit shows now.',
  })
  expect((await as(editor)(projects.find, at(project))).status).toBe(1)

  // A change that is taken back leaves nothing behind, and a file made elsewhere shows no recipe.
  await save(2, project.recipe)
  expect(await olderOf()).toEqual([])
  const sent = await send(project, editor, rendered)
  expect(sent.timeline.at(-1)!.metadata).not.toHaveProperty('isOlder')
  await deny(sent)
  await start(project)
  await save(3, changed)
  const other = await send(project, editor, uploaded)
  expect(other.timeline.at(-1)!.metadata).not.toHaveProperty('isOlder')

  // Confirmed, it is sent; reviewers can read that it is older, and the officer cannot.
  await deny(other)
  await start(project)
  const late = await upload(project)
  await inDatabase(sql`
    insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
    values (${project.id}, ${officer.tenantId}, 3, ${JSON.stringify(project.recipe)}, 'done', ${late}, ${editor.id})`)
  const body = { finalVideoId: late, olderIsMeant: true }
  await as(editor)(projects.send, { ...at(project), body })
  const stepOf = async (who: Person) =>
    (await as(who)(projects.find, at(project))).timeline.findLast(({ metadata }) => metadata.verb === 'send')!.metadata
  expect(await stepOf(qa)).toMatchObject({ isOlder: true })
  expect(await stepOf(officer)).not.toHaveProperty('isOlder')
})

it('the three-people rule requires different people to make, send and approve a cut', async () => {
  const asked = { tenantId: officer.tenantId, data: { fourEyes: 'three-people' as const } }
  expect(await as(admin)(tenants.update, { body: asked })).toMatchObject({ fourEyes: 'three-people' })
  const project = await submit()
  const begun = await start(project)
  expect(begun.actions).not.toContain('send')
  const reason = 'You are the editor of this video. In this company somebody else sends it to approval.'
  expect(begun.withheld).toEqual([{ verb: 'send', reason }])
  const uploaded = {
    code: 'project.own-edit',
    message: 'You uploaded this cut. In this company somebody else sends it to approval.',
  }
  await expect(send(project)).rejects.toMatchObject(uploaded)
  await expect(send(project, part, await upload(project, part))).rejects.toMatchObject(uploaded)
  const file = await upload(project)
  expect((await as(part)(projects.find, at(project))).unsentCuts?.map(({ assetId }) => assetId)).toContain(file)
  const sent = await send(project, part, file)
  expect((await as(part)(projects.find, at(project))).unsentCuts).toBeUndefined()
  expect(sent.withheld).toEqual([
    { verb: 'approve', reason: 'You sent this cut to approval. Somebody else approves it.' },
  ])
  expect(await approve(project)).toMatchObject({ status: 2 })
  await as(admin)(tenants.update, { body: { ...asked, data: { fourEyes: 'author-and-approver' } } })
  expect(await waiting()).toMatchObject({ status: 3 })
})
