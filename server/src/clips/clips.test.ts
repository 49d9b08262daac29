import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import type { CallInput } from '@clear-to-post/contract/call'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeEdit } from '../../test/make-edit.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sweepForgotten } from '../assets/jobs.ts'
import { sql } from '../kernel/database.ts'
import { readMigrations } from '../postgres/migrate.ts'
import { keptDays, sweepClips } from './jobs.ts'

let service: Service
let officer: Person, editor: Person, admin: Person, serviceAdmin: Person, otherAdmin: Person, otherEditor: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  const { tenantId } = officer
  const elsewhere = await makeTenant(service)
  editor = await makePerson(service, 'Editor', { tenantId })
  admin = await makePerson(service, 'ADMIN', { tenantId })
  serviceAdmin = await makePerson(service, 'ADMIN')
  otherAdmin = await makePerson(service, 'ADMIN', { tenantId: elsewhere })
  otherEditor = await makePerson(service, 'Editor', { tenantId: elsewhere })
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)
const inProject = ({ id }: Project) => ({ params: { projectId: id } })

const add = async (person: Person, title: string, tags: string[] = [], more: { tenantId?: string } = {}) =>
  as(person)(clips.add, { body: { assetId: await makeVideo(service, person), title, tags, ...more } })
const titlesFor = async (person: Person) => (await as(person)(clips.list, {})).items.map(({ title }) => title)

const begin = async (): Promise<{ project: Project; recipe: Recipe }> => {
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })
  const project = await as(editor)(projects.start, { body: { projectId: id } })
  return { project, recipe: await makeEdit(service, project, source) }
}
const covered = (recipe: Recipe, assetId: string): Recipe => ({
  ...recipe,
  layers: [
    {
      id: 'b1',
      kind: 'b-roll',
      assetId,
      fromMs: 0,
      focus: { x: 0.5, y: 0.5 },
      span: { source: 's1', start: 200, end: 1200 },
      on: true,
    },
  ],
})

test('a company sees its own library and the service’s, and never another company’s', async () => {
  const own = await add(admin, 'Own street')
  const ours = await add(serviceAdmin, 'Everybody’s keys')
  const theirs = await add(otherAdmin, 'Their office')
  const given = await add(serviceAdmin, 'Given to them', [], { tenantId: otherAdmin.tenantId! })
  expect([own.tenantId, ours.tenantId, given.tenantId]).toEqual([officer.tenantId, null, otherAdmin.tenantId])
  expect((await titlesFor(editor)).toSorted()).toEqual(['Everybody’s keys', 'Own street'])
  expect((await titlesFor(otherEditor)).toSorted()).toEqual(['Everybody’s keys', 'Given to them', 'Their office'])
  expect(await titlesFor(serviceAdmin)).toEqual(
    expect.arrayContaining(['Own street', 'Everybody’s keys', 'Their office']),
  )
  await expect(as(officer)(clips.list, {})).rejects.toMatchObject({ kind: 'forbidden' })
  // What one sees, one may look at; the file of another company's clip is absent.
  await as(editor)(assets.find, { params: { assetId: ours.asset.assetId } })
  const hidden = { params: { assetId: theirs.asset.assetId } }
  await expect(as(editor)(assets.find, hidden)).rejects.toMatchObject({ code: 'asset.not-found' })
  await expect(as(officer)(assets.find, hidden)).rejects.toMatchObject({ code: 'asset.not-found' })
})

test('an ADMIN changes the clips of the library that they set up, and nobody else does', async () => {
  const own = await add(admin, 'Porch')
  const ours = await add(serviceAdmin, 'Skyline')
  expect([own.actions, ours.actions]).toEqual([['change'], ['change']])
  const change = (person: Person, clipId: string) =>
    outcome(as(person)(clips.change, { params: { clipId }, body: { title: 'Changed' } }))
  expect(await change(editor, own.id)).toBe('access.forbidden')
  expect(await change(otherAdmin, own.id)).toBe('clip.not-found')
  expect(await change(admin, ours.id)).toBe('clip.not-found')
  expect(await change(serviceAdmin, own.id)).toBe('done')
  const seen = (await as(admin)(clips.list, { query: { wheres: ['about:contains:skyline'] } })).items
  expect(seen.map(({ title, actions }) => [title, actions])).toEqual([['Skyline', []]])
})

test('a change of a clip is refused where somebody has changed the same words since it was begun', async () => {
  const { id, title, tags } = await add(otherAdmin, 'A bench', ['wood'])
  const change = (person: Person, body: CallInput<typeof clips.change>['body']) =>
    as(person)(clips.change, { params: { clipId: id }, body })
  await change(serviceAdmin, { tags: ['wood', 'green'], was: { tags } })
  // Other words: both stay.
  expect(await change(otherAdmin, { title: 'A bench in a garden', was: { title } })).toMatchObject({
    tags: ['wood', 'green'],
  })
  expect(await outcome(change(otherAdmin, { tags: ['wood', 'sun'], was: { tags } }))).toBe('clip.changed')
  const { items } = await as(otherAdmin)(clips.list, { query: { wheres: [`id:eq:${id}`] } })
  const own = { tags: [...items[0]!.tags, 'sun'] }
  expect(await change(otherAdmin, { ...own, was: { tags: items[0]!.tags } })).toMatchObject({
    title: 'A bench in a garden',
    tags: ['wood', 'green', 'sun'],
  })
})

test('a library takes a ready video or picture of one’s own that nothing uses, and each once', async () => {
  const put = (person: Person, assetId: string) =>
    outcome(as(person)(clips.add, { body: { assetId, title: 'A clip', tags: [] } }))
  const set = (assetId: string, columns: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update asset set ${columns} where id = ${assetId}`))
  expect(await put(admin, await makeVideo(service, serviceAdmin))).toBe('asset.not-found')
  const sound = await makeVideo(service, admin)
  await set(sound, sql`type = 'audio'`)
  expect(await put(admin, sound)).toBe('clip.no-picture')
  const early = await makeVideo(service, admin)
  await set(early, sql`state = 'checking'`)
  expect(await put(admin, early)).toBe('asset.not-ready')
  const twice = await makeVideo(service, admin)
  expect(await put(admin, twice)).toBe('done')
  expect(await put(admin, twice)).toBe('asset.not-found')
  // It is the library's now: no project takes it, and nobody throws it away.
  expect(await outcome(as(admin)(assets.discard, { params: { assetId: twice } }))).toBe('asset.in-use')
  const create = as(admin)(projects.create, { body: { title: 'x', assets: [twice], userId: officer.id } as never })
  expect(await outcome(create)).toBe('asset.not-found')
})

test('clips are suggested by the words they are to cover, then by their sentence, then by name', async () => {
  const { project } = await begin()
  await add(admin, 'A family on the porch', ['home'])
  await add(admin, 'Signing papers', ['closing', 'mortgage'])
  await add(serviceAdmin, 'House keys in a hand', ['keys', 'closing'])
  await add(otherAdmin, 'Their keys', ['keys', 'closing'])
  const asked = {
    words: 'the keys',
    sentence: 'At the closing, you get the keys!',
  }
  const found = await as(editor)(edits.clips, { ...inProject(project), query: asked })
  const titles = found.items.map(({ title }) => title)
  // 'Everybody’s keys' is the service's from a test before.
  expect(titles.slice(0, found.fitting).toSorted()).toEqual([
    'Everybody’s keys',
    'House keys in a hand',
    'Signing papers',
  ])
  expect(titles[0]).toBe('House keys in a hand')
  expect(titles[2]).toBe('Signing papers')
  expect(titles).toContain('A family on the porch')
  expect(titles).not.toContain('Their keys')
  const search = async (text: string) =>
    (await as(editor)(edits.clips, { ...inProject(project), query: { ...asked, search: text } })).items.map(
      ({ title }) => title,
    )
  expect(await search('famil por')).toEqual(['A family on the porch'])
  expect(await search(`'); drop table clip; -- & | !`)).toEqual([])
  expect((await search(' ')).length).toBe(titles.length)
  await expect(as(otherEditor)(edits.clips, inProject(project))).rejects.toMatchObject({ code: 'project.not-found' })
})

test('an edit may show a clip of its company or of the service, and another company’s is no such file', async () => {
  const { project, recipe } = await begin()
  const editorOfAll = await makePerson(service, 'ADMIN')
  const save = (person: Person, revision: number, assetId: string) =>
    outcome(
      as(person)(edits.save, { ...inProject(project), body: { revision, recipe: covered(recipe, assetId) as never } }),
    )
  const theirs = await add(otherAdmin, 'Their lobby')
  expect(await save(editor, 1, theirs.asset.assetId)).toBe('asset.not-found')
  // Who serves every company may not carry one's clips to another either.
  expect(await save(editorOfAll, 1, theirs.asset.assetId)).toBe('asset.not-found')
  const own = await add(admin, 'Own lobby')
  expect(await save(editor, 1, own.asset.assetId)).toBe('done')
  const edit = await as(editor)(edits.find, inProject(project))
  expect(edit.clips.map(({ title, asset }) => [title, asset.assetId])).toEqual([['Own lobby', own.asset.assetId]])
  const ours = await add(serviceAdmin, 'Lobby of all')
  expect(await save(editor, 2, ours.asset.assetId)).toBe('done')
})

test('a clip that was taken out is offered no more, and stays while an edit that is not done shows it', async () => {
  const { project, recipe } = await begin()
  const clip = await add(admin, 'Old logo wall')
  const body = { revision: 1, recipe: covered(recipe, clip.asset.assetId) as never }
  await as(editor)(edits.save, { ...inProject(project), body })
  const change = (isRemoved: boolean) => as(admin)(clips.change, { params: { clipId: clip.id }, body: { isRemoved } })
  expect(await change(true)).toMatchObject({ isRemoved: true })
  expect(await titlesFor(editor)).not.toContain('Old logo wall')
  const offered = await as(editor)(edits.clips, { ...inProject(project), query: { search: 'logo' } })
  expect(offered.items).toEqual([])
  const shown = async () => (await as(editor)(edits.find, inProject(project))).clips.map(({ title }) => title)
  expect(await shown()).toEqual(['Old logo wall'])
  const later = new Date(Date.now() + (keptDays + 1) * 86_400_000)
  expect(await sweepClips(service.database, later)).toBe(0)
  // Put back by whoever took it out in error, and taken out again.
  expect(await change(false)).toMatchObject({ isRemoved: false, actions: ['change'] })
  await change(true)
  await service.database.asSystem((tx) =>
    tx.count(sql`update project set status = 6, expires_at = now() where id = ${project.id}`),
  )
  expect(await sweepClips(service.database, new Date())).toBe(0)
  expect(await sweepClips(service.database, later)).toBe(1)
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql`select id from asset where id = ${clip.asset.assetId}`),
  )
  expect(left).toEqual([])
})

test('a clip that an edit names as its logo is needed by it, as one that covers words is', async () => {
  const { project, recipe } = await begin()
  const clip = await add(admin, 'A sign')
  const brand = { ...recipe.brand, logo: clip.asset.assetId }
  await as(editor)(edits.save, { ...inProject(project), body: { revision: 1, recipe: { ...recipe, brand } } })
  const needed = await service.database.asSystem((tx) =>
    tx.rows(sql`select asset_id from edit_clip where project_id = ${project.id}`),
  )
  expect(needed).toEqual([{ asset_id: clip.asset.assetId }])
})

test('music that an editor brought to a project stays while its edit names it, and goes with what is unused then', async () => {
  const { project, recipe } = await begin()
  const song = await makeVideo(service, editor, project)
  const old = sql`update asset set type = 'audio', modified_at = now() - interval '31 days' where id = ${song}`
  await service.database.asSystem((tx) => tx.count(old))
  const save = (revision: number, music: Recipe['sound']['music']) =>
    as(editor)(edits.save, {
      ...inProject(project),
      body: { revision, recipe: { ...recipe, sound: { ...recipe.sound, music } } },
    })
  const isThere = async () => {
    await sweepForgotten(service.database, new Date())
    const rows = await service.database.asSystem((tx) => tx.rows(sql`select from asset where id = ${song}`))
    return rows.length === 1
  }
  await save(1, { assetId: song, gain: -12, duck: 8, fadeOutMs: 0 })
  expect(await isThere()).toBe(true)
  expect(await outcome(as(editor)(assets.discard, { params: { assetId: song } }))).toBe('asset.in-use')
  await save(2, null)
  expect(await isThere()).toBe(false)
})

test('music of an edit that was saved before migration 0440 is known to be named, and another file is not', async () => {
  const { project, recipe } = await begin()
  const [song, other] = [await makeVideo(service, editor, project), await makeVideo(service, editor, project)]
  const music = { assetId: song, gain: -12, duck: 8, fadeOutMs: 0 }
  const before = JSON.stringify({ ...recipe, sound: { ...recipe.sound, music } })
  await service.database.asSystem((tx) =>
    tx.count(sql`update edit set recipe = ${before}::jsonb where project_id = ${project.id}`),
  )
  const [migration] = (await readMigrations()).filter(({ name }) => name.startsWith('0440'))
  const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
  await owner.connect()
  try {
    await owner.query(migration!.sql)
  } finally {
    await owner.end()
  }
  const named = await service.database.asSystem((tx) =>
    tx.rows(sql`select asset_id from edit_clip where asset_id in (${song}, ${other})`),
  )
  expect(named).toEqual([{ asset_id: song }])
})

test('a library is full by its number of clips or by the bytes of their files, and only this one', async () => {
  const tenantId = await makeTenant(service)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  const first = await add(boss, 'A long drive')
  const size = (bytes: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update asset set file_size = ${bytes} where id = ${first.asset.assetId}`),
    )
  await size(mostKept.clipBytes)
  expect(await outcome(add(boss, 'One more'))).toBe('clip.library-full')
  expect(await outcome(add(admin, 'Another company’s'))).toBe('done')
  await size(1000)
  expect(await outcome(add(boss, 'One more'))).toBe('done')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      with file as (
        insert into asset (id, tenant_id, author_id, purpose, file_name, extension, declared_type, file_size, state)
        select gen_random_uuid(), ${tenantId}::uuid, ${boss.id}::uuid, 'source', 'a.mp4', 'mp4', 'video/mp4', 1, 'ready'
        from generate_series(1, ${mostKept.clips}::integer) returning id)
      insert into clip (tenant_id, asset_id, title) select ${tenantId}::uuid, id, 'Many' from file`),
  )
  expect(await outcome(add(boss, 'One more'))).toBe('clip.library-full')
  // One that was taken out comes back while there is a place, and not beyond.
  const turn = (isRemoved: boolean) =>
    callAs(service, boss)(clips.change, { params: { clipId: first.id }, body: { isRemoved } })
  await turn(true)
  expect(await outcome(turn(false))).toBe('clip.library-full')
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from clip where tenant_id = ${tenantId} and title = 'Many'`),
  )
  expect(await outcome(turn(false))).toBe('done')
})
