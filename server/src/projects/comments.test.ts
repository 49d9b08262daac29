import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { sql } from '../kernel/database.ts'
import { letDayPass } from '../../test/factories.ts'
import {
  callConfirmed,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let officer: Awaited<ReturnType<typeof makeOfficer>>
let stranger: Awaited<ReturnType<typeof makeOfficer>>
let editor: Person
let qa: Person
let admin: Person

beforeAll(async () => {
  service = await openService()
  ;[officer, stranger] = [await makeOfficer(service), await makeOfficer(service)]
  ;[editor, qa, admin] = await Promise.all([
    makePerson(service, 'Editor'),
    makePerson(service, 'QA'),
    makePerson(service, 'ADMIN'),
  ])
})
beforeEach(() => letDayPass(service))
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const waiting = async () => {
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Rate lock', assets: [source] } })
  await as(editor)(projects.start, { body: { projectId: id } })
  const finalVideoId = await makeVideo(service, editor, { id, tenantId: officer.tenantId })
  await as(editor)(projects.send, { params: { projectId: id }, body: { finalVideoId } })
  return { projectId: id }
}
const write = (params: { projectId: string }, who: Person, text: string) =>
  as(who)(projects.comment, { params, body: { atMs: 10, text } })
const read = async (params: { projectId: string }, who: Person) => (await as(who)(projects.comments, { params })).items
const told = (cause: string) =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ ids: string[] }>`
      select data->'userIds' as ids from pgboss.job where name = 'notice' and data->'notice'->>'cause' = ${cause}`),
  )
const refused = { code: 'comment.refused', kind: 'forbidden' }

it('comments of a revision request that is taken back are their author’s again, and go along with the next one', async () => {
  const params = await waiting()
  await as(qa)(projects.approve, { params })
  const { id } = await write(params, officer, 'The rate is wrong')
  const commentId = { params: { ...params, commentId: id } }
  await as(officer)(projects.review, { params, body: { revision: 'See comments' } })
  const change = () => as(officer)(projects.editComment, { ...commentId, body: { text: 'The rate is 6.1' } })
  await expect(change()).rejects.toMatchObject(refused)
  await as(admin)(projects.rollback, { params })
  expect(await change()).toMatchObject({ text: 'The rate is 6.1' })
  await as(officer)(projects.review, { params, body: { revision: 'See comments' } })
  await expect(change()).rejects.toMatchObject(refused)
})

it('a remark reaches nobody else than its writer believed: where that changed meanwhile it is refused', async () => {
  const params = await waiting()
  const internal = async (who: Person) => (await as(who)(projects.find, { params })).remarksAreInternal
  const post = (who: Person, isInternal: boolean) =>
    as(who)(projects.comment, { params, body: { atMs: 10, text: 'Check the licence', isInternal } })
  const others = { code: 'project.other-readers', kind: 'conflict' }
  expect(await internal(qa)).toBe(true)
  expect(await post(qa, true)).toMatchObject({ isInternal: true })
  await as(admin)(projects.approve, { params })
  expect(await internal(qa)).toBeUndefined()
  await expect(post(qa, true)).rejects.toMatchObject(others)
  expect(await read(params, officer)).toEqual([])
  expect(await post(qa, false)).not.toHaveProperty('isInternal')
  // An officer’s own are never between staff.
  expect(await post(officer, false)).not.toHaveProperty('isInternal')
  await as(officer)(projects.review, { params, body: { revision: 'Louder' } })
  await expect(post(qa, false)).rejects.toMatchObject(others)
})

it('an editor answers a reviewer, who hears of it; between staff the officer reads neither', async () => {
  const params = await waiting()
  const { id } = await write(params, qa, 'Logo is late')
  const at = { params: { ...params, commentId: id } }
  const answer = await as(editor)(projects.answerComment, { ...at, body: { text: 'The officer wants it so' } })
  expect(answer).toMatchObject({ parentId: id, isInternal: true, authorId: editor.id, atMs: 10 })
  expect((await read(params, qa)).map(({ text }) => text)).toEqual(['Logo is late', 'The officer wants it so'])
  expect(await read(params, officer)).toEqual([])
  expect(await told(`answer ${answer.id}`)).toEqual([{ ids: [qa.id] }])
  // An answer has no answers of its own.
  const below = { params: { ...params, commentId: answer.id } }
  await expect(as(qa)(projects.answerComment, { ...below, body: { text: 'No' } })).rejects.toMatchObject(refused)
  const hidden = as(officer)(projects.answerComment, { ...at, body: { text: 'What?' } })
  await expect(hidden).rejects.toMatchObject({ code: 'comment.not-found' })
})

it('a comment is changed by its author alone, and taken back by them or an ADMIN', async () => {
  const params = await waiting()
  const { id } = await write(params, qa, 'Logo is late')
  const at = { params: { ...params, commentId: id } }
  for (const who of [editor, admin])
    await expect(as(who)(projects.editComment, { ...at, body: { text: 'Mine' } })).rejects.toMatchObject(refused)
  await expect(as(editor)(projects.deleteComment, at)).rejects.toMatchObject(refused)
  const changed = await as(qa)(projects.editComment, { ...at, body: { text: 'Logo is early' } })
  expect(changed).toMatchObject({ text: 'Logo is early', editedAt: expect.any(String) })
  await as(editor)(projects.answerComment, { ...at, body: { text: 'True' } })
  await as(admin)(projects.deleteComment, at)
  expect(await told(`deletion ${id}`), 'its author hears of it').toEqual([{ ids: [qa.id] }])
  // Who answered sees that something stood there; without an answer nothing stays.
  const kept = await read(params, qa)
  expect(kept).toMatchObject([{ id, text: '', isDeleted: true, actions: [] }, { text: 'True' }])
  const own = { params: { ...params, commentId: kept[1]!.id } }
  await as(editor)(projects.deleteComment, own)
  expect(await told(`deletion ${own.params.commentId}`), 'who takes back their own knows').toEqual([])
  expect(await read(params, qa)).toEqual([])
})

it('an officer resolves what they read, and what went along with a revision stays as it was', async () => {
  const params = await waiting()
  await as(qa)(projects.approve, { params })
  const { id } = await write(params, officer, 'Slower here')
  const at = { params: { ...params, commentId: id } }
  expect(await as(officer)(projects.tickComment, { ...at, body: { isDone: true } })).toHaveProperty('doneAt')
  await expect(as(stranger)(projects.tickComment, { ...at, body: { isDone: true } })).rejects.toMatchObject({
    code: 'project.not-found',
  })
  const gone = await write(params, officer, 'Not this')
  await as(officer)(projects.deleteComment, { params: { ...params, commentId: gone.id } })
  const asked = await as(officer)(projects.review, { params, body: { revision: 'Slower' } })
  expect(asked.timeline.at(-1)!.metadata).toMatchObject({ comments: 1 })
  await expect(as(officer)(projects.editComment, { ...at, body: { text: 'Faster' } })).rejects.toMatchObject(refused)
  expect((await read(params, officer))[0]).toMatchObject({ text: 'Slower here', actions: ['answer', 'tick'] })
})

it('decisions are listed for who reviews, newest first, with those that were taken back', async () => {
  const params = await waiting()
  await as(qa)(projects.approve, { params })
  await as(qa)(projects.rollback, { params })
  await as(admin)(projects.approve, { params })
  const { items } = await as(qa)(projects.decided, {})
  expect(items.slice(0, 2)).toMatchObject([
    { ...params, verdict: 'approved', cut: 1, isOwn: false, isUndone: false },
    { ...params, verdict: 'approved', cut: 1, isOwn: true, isUndone: true },
  ])
  // Whoever serves several companies reads which one each was of.
  expect(items.slice(0, 2)).toMatchObject([{ tenantName: 'A tenant' }, { tenantName: 'A tenant' }])
  const own = await makePerson(service, 'QA', { tenantId: officer.tenantId })
  const [ofOwn] = (await as(own)(projects.decided, {})).items
  expect(ofOwn).toMatchObject(params)
  expect(ofOwn).not.toHaveProperty('tenantName')
  const other = await makePerson(service, 'QA', { tenantId: stranger.tenantId })
  const seen = (await as(other)(projects.decided, {})).items.map(({ projectId }) => projectId)
  expect(seen).not.toContain(params.projectId)
})
