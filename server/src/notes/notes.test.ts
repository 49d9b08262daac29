import { afterAll, beforeAll, expect, test } from 'vitest'
import { notes } from '@clear-to-post/contract/notes'
import { assets } from '@clear-to-post/contract/assets'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sweepForgotten } from '../assets/jobs.ts'
import { sql } from '../kernel/database.ts'
import {
  callAs,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let officer: Person
let editor: Person
beforeAll(async () => {
  service = await openService()
  officer = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
  editor = await makePerson(service, 'Editor')
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)
const list = async (who: Person) => (await as(who)(notes.list, { params: { userId: officer.id } })).items

test('a change of a note that somebody changed since it was read is refused, and takes nothing of theirs away', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const { id: userId } = await makePerson(service, 'User')
  const note = await as(editor)(notes.save, { body: { userId, title: 'Family', content: 'Two dogs' } })
  const params = { id: note.id }
  const theirs = await as(admin)(notes.change, {
    params,
    body: { content: 'Never show the dogs', modified: note.modified },
  })
  const late = { code: 'note.changed', kind: 'conflict' }
  const { modified } = note
  const changed = as(editor)(notes.change, { params, body: { title: 'Dogs', modified } })
  await expect(changed).rejects.toMatchObject(late)
  const body = { id: note.id, userId, title: 'Dogs', content: 'Two dogs', modified }
  await expect(as(editor)(notes.save, { body })).rejects.toMatchObject(late)
  expect(await as(editor)(notes.change, { params, body: { title: 'Dogs', modified: theirs.modified } })).toMatchObject({
    title: 'Dogs',
    content: 'Never show the dogs',
  })
  // Whoever deletes it has read its last words.
  const remove = (seen: string) => as(editor)(notes.remove, { params, query: { modified: seen } })
  await expect(remove(modified)).rejects.toMatchObject(late)
  const { items } = await as(editor)(notes.list, { params: { userId } })
  await remove(items[0]!.modified)
})

test('a note keeps its history until it is deleted', async () => {
  const video = await makeVideo(service, editor)
  const note = await as(editor)(notes.save, {
    body: { userId: officer.id, title: 'Taste', content: 'Slow cuts', assets: [video] },
  })
  expect(note).toMatchObject({
    title: 'Taste',
    assets: [{ assetId: video }],
    authorEmail: expect.stringContaining('@'),
  })
  const qa = await makePerson(service, 'QA')
  // A file without a project is visible to readers of the note that shows it.
  expect((await list(qa))[0]!.assets.map(({ assetId }) => assetId)).toEqual([video])
  await as(qa)(notes.change, { params: { id: note.id }, body: { content: 'Quick cuts', assets: [] } })
  await as(qa)(notes.change, { params: { id: note.id }, body: { content: 'Quick cuts' } })
  const [seen] = await list(editor)
  expect(seen!.history!.map(({ type, details }) => [type, details])).toEqual([
    ['created', undefined],
    ['asset-added', video],
    ['updated', 'content'],
    ['asset-removed', video],
  ])
  const replaced = await as(editor)(notes.save, {
    body: { id: note.id, userId: officer.id, title: 'All new', content: '' },
  })
  expect(replaced).toMatchObject({ id: note.id, title: 'All new', assets: [] })
  await as(editor)(notes.remove, { params: { id: note.id } })
  expect(await list(editor)).toEqual([])
  // The history keeps that the note existed and was deleted, not its text.
  const { items: deleted } = await as(qa)(notes.list, { params: { userId: officer.id }, query: { deleted: 'true' } })
  expect(deleted).toMatchObject([{ id: note.id, title: 'All new', content: '', assets: [] }])
  expect(deleted[0]!.history!.at(-1)).toMatchObject({ type: 'deleted', actorEmail: note.authorEmail })
  await expect(as(editor)(notes.change, { params: { id: note.id }, body: { title: 'x' } })).rejects.toMatchObject({
    code: 'note.not-found',
  })
})

test('creating a note answers 201, and replacing it 200', async () => {
  const save = (body: object) =>
    service.app.inject({
      method: 'PUT',
      url: '/api/user-context/notes/',
      headers: { authorization: `Bearer ${editor.token}` },
      payload: { userId: officer.id, title: 'New', content: '', ...body },
    })
  const made = await save({})
  expect(made.statusCode).toBe(201)
  expect((await save({ id: made.json<{ id: string }>().id })).statusCode).toBe(200)
  await as(editor)(notes.remove, { params: { id: made.json<{ id: string }>().id } })
})

test('a note is never shown to its officer or to staff of another company', async () => {
  await as(editor)(notes.save, { body: { userId: officer.id, title: 'Private', content: '' } })
  await expect(list(officer)).rejects.toMatchObject({ kind: 'forbidden' })
  const foreign = await makePerson(service, 'QA', { tenantId: await makeTenant(service) })
  await expect(list(foreign)).rejects.toMatchObject({ kind: 'not-found' })
})

test('a note about an unknown officer or with an unknown file is refused completely', async () => {
  const body = { userId: editor.id, title: 'x', content: '' }
  await expect(as(editor)(notes.save, { body })).rejects.toMatchObject({ code: 'account.not-found' })
  const before = (await list(editor)).length
  await expect(
    as(editor)(notes.save, { body: { ...body, userId: officer.id, assets: ['00000000-0000-4000-8000-000000000000'] } }),
  ).rejects.toMatchObject({ code: 'asset.not-found' })
  expect(await list(editor)).toHaveLength(before)
})

test('notes about a person have most numbers of notes, letters and files, and what was deleted makes room', async () => {
  const about = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const add = (count: number, content: string) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        insert into note (user_id, tenant_id, author_id, author_email, title, content, created_at, modified_at)
        select ${about.id}, ${officer.tenantId}::uuid, ${editor.id}, '', 'Many', ${content}, now(), now()
        from generate_series(1, ${count}::integer)`),
    )
  const save = (body: { content: string; assets?: string[] }) =>
    as(editor)(notes.save, { body: { userId: about.id, title: 'One', ...body } })
  await add(mostKept.notes - 1, 'x')
  const last = await save({ content: '' })
  await expect(save({ content: '' })).rejects.toMatchObject({ code: 'note.too-many' })
  await as(editor)(notes.remove, { params: { id: last.id } })
  const again = await save({ content: '' })

  const change = (body: { content?: string; assets?: string[] }) =>
    as(editor)(notes.change, { params: { id: again.id }, body })
  await service.database.asSystem((tx) =>
    tx.count(sql`update note set content = repeat('x', ${Math.floor(mostKept.noteLetters / mostKept.notes)}::integer)
      where user_id = ${about.id} and id <> ${again.id}`),
  )
  await expect(change({ content: 'x'.repeat(20_000) })).rejects.toMatchObject({
    message: expect.stringContaining('million letters'),
  })
  expect((await change({ content: 'x' })).content).toBe('x')

  const video = await makeVideo(service, editor)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into note_asset (note_id, asset_id, position)
      select id, ${video}, 1 from note where user_id = ${about.id} and id <> ${again.id} and deleted_at is null`),
  )
  expect((await change({ assets: [video] })).assets).toHaveLength(1)
  const other = await makeVideo(service, editor)
  await expect(change({ assets: [video, other] })).rejects.toMatchObject({
    message: expect.stringContaining('300 files'),
  })
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from note_asset a using note n where n.id = a.note_id and n.user_id = ${about.id}`),
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`update asset set file_size = ${mostKept.noteFileBytes} where id = ${video}`),
  )
  expect((await change({ assets: [video] })).assets).toHaveLength(1)
  await expect(change({ assets: [video, other] })).rejects.toMatchObject({ message: expect.stringContaining('10 GB') })
})

test('a file that a note shows is kept as long as the note, and waits for nothing', async () => {
  const about = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const video = await makeVideo(service, editor)
  const note = await as(editor)(notes.save, { body: { userId: about.id, title: 'A', content: '', assets: [video] } })
  const inTwoMonths = new Date(Date.now() + 60 * 86_400_000)
  const isThere = async () => {
    await sweepForgotten(service.database, inTwoMonths)
    return (await service.database.asSystem((tx) => tx.count(sql`select from asset where id = ${video}`))) === 1
  }
  expect(await isThere()).toBe(true)
  expect((await as(editor)(assets.unused, {})).items.map(({ assetId }) => assetId)).not.toContain(video)
  await as(editor)(notes.remove, { params: { id: note.id } })
  expect(await isThere()).toBe(false)
})

test('a note shows its newest 30 changes', async () => {
  const { id } = await as(editor)(notes.save, { body: { userId: officer.id, title: 'Often', content: '' } })
  for (let n = 0; n < mostKept.noteHistory; n++)
    await as(editor)(notes.change, { params: { id }, body: { content: `${n}` } })
  const { history } = (await list(editor)).find((note) => note.id === id)!
  expect([history!.length, history![0]!.type]).toEqual([mostKept.noteHistory, 'updated'])
})
