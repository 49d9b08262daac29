import { afterAll, beforeAll, expect, test } from 'vitest'
import { looks } from '@clear-to-post/contract/looks'
import { projects } from '@clear-to-post/contract/projects'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { lookOf } from '@clear-to-post/edit/look'
import { wholeRecipe } from '@clear-to-post/edit/recipe'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeVideo,
  openService,
  outcome,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let editor: Person, qa: Person, otherEditor: Person, serviceEditor: Person
let projectId: string, theirs: string
beforeAll(async () => {
  service = await openService()
  const officer = await makeOfficer(service)
  const { tenantId } = officer
  const other = await makeOfficer(service)
  editor = await makePerson(service, 'Editor', { tenantId })
  qa = await makePerson(service, 'QA', { tenantId })
  otherEditor = await makePerson(service, 'Editor', { tenantId: other.tenantId })
  serviceEditor = await makePerson(service, 'Editor')
  const video = async (person: Person) =>
    (await as(person)(projects.create, { body: { title: 'Rates', assets: [await makeVideo(service, person)] } })).id
  projectId = await video(officer)
  theirs = await video(other)
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)

const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: '', line: '', legal: '' }
const source = { id: 's1', assetId: 'a', name: 'a.mp4', durationMs: 1000, width: 9, height: 16, hasSound: true }
const content = lookOf(wholeRecipe([{ ...source, fps: { num: 30, den: 1 } }], brand))
const add = (person: Person, name: string, more: { isForAll?: boolean; content?: unknown } = {}, id = projectId) =>
  as(person)(looks.add, { params: { projectId: id }, body: { name, content, ...more } as never })
const namesFor = async (person: Person, id = projectId) =>
  (await as(person)(looks.list, { params: { projectId: id } })).items.map(({ name, actions }) => [name, actions[0]])

test('a company’s look is its staff’s to use, one for all everybody’s, and each is kept by editors who serve it', async () => {
  const own = await add(editor, 'Calm')
  expect(own).toMatchObject({ tenantId: editor.tenantId, name: 'Calm', content })
  const all = await add(serviceEditor, 'bright', { isForAll: true })
  expect(all.tenantId).toBeNull()
  expect((await add(serviceEditor, 'Theirs', {}, theirs)).tenantId).toBe(otherEditor.tenantId)
  // Whoever is of a company saves for it, whatever they say.
  expect((await add(editor, 'Dark', { isForAll: true })).tenantId).toBe(editor.tenantId)
  expect(await namesFor(editor)).toEqual([
    ['bright', undefined],
    ['Calm', 'change'],
    ['Dark', 'change'],
  ])
  expect(await namesFor(otherEditor, theirs)).toEqual([
    ['bright', undefined],
    ['Theirs', 'change'],
  ])
  expect(await namesFor(qa)).toEqual(['bright', 'Calm', 'Dark'].map((name) => [name, undefined]))
  expect(await outcome(add(qa, 'No'))).toBe('access.forbidden')
  expect(await outcome(namesFor(otherEditor))).toBe('project.not-found')
  const rename = (person: Person, lookId: string, name: string) =>
    outcome(as(person)(looks.rename, { params: { lookId }, body: { name } }))
  expect(await rename(editor, all.id, 'Mine')).toBe('look.not-found')
  expect(await rename(otherEditor, own.id, 'Mine')).toBe('look.not-found')
  expect(await rename(editor, own.id, 'DARK')).toBe('look.name-taken')
  expect(await rename(editor, own.id, 'calm')).toBe('done')
  const remove = (person: Person, lookId: string) => outcome(as(person)(looks.remove, { params: { lookId } }))
  expect(await remove(otherEditor, own.id)).toBe('look.not-found')
  expect(await remove(editor, own.id)).toBe('done')
  expect(await remove(editor, own.id)).toBe('look.not-found')
  expect(await namesFor(qa)).toEqual(['bright', 'Dark'].map((name) => [name, undefined]))
})

test('a look with a wrong shape, a name that is there, and one too many are refused', async () => {
  expect(await outcome(add(editor, 'Odd', { content: { ...content, colour: 'blue' } }))).toBe('look.invalid')
  expect(await outcome(add(editor, 'Odd', { content: { ...content, words: [] } }))).toBe('look.invalid')
  await add(editor, 'Once')
  expect(await outcome(add(editor, 'ONCE'))).toBe('look.name-taken')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into look (tenant_id, name, content)
      select ${editor.tenantId}::uuid, 'many ' || n, '{}' from generate_series(1, ${mostKept.looks}::integer) n`),
  )
  expect(await outcome(add(editor, 'One more'))).toBe('look.library-full')
})

test('of several looks that are given one name at once one has it', async () => {
  const looksOfAll = await Promise.all(Array.from({ length: 4 }, (_, n) => add(otherEditor, `Look ${n}`, {}, theirs)))
  const rename = (lookId: string) =>
    outcome(as(otherEditor)(looks.rename, { params: { lookId }, body: { name: 'The one name' } }))
  const answers = await Promise.all(looksOfAll.map(({ id }) => rename(id)))
  expect(answers.toSorted()).toEqual(['done', ...Array<string>(3).fill('look.name-taken')])
})
