import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { views } from '@clear-to-post/contract/views'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { callAs, makePerson, openService, outcome, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let admin: Person, colleague: Person
beforeAll(async () => {
  service = await openService()
  ;[admin, colleague] = [await makePerson(service, 'ADMIN'), await makePerson(service, 'ADMIN')]
})
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const keep = (name: string, search: Record<string, string | number | boolean>, page = '/panel/people', by = admin) =>
  as(by)(views.create, { body: { page, name, search } })
const named = async (by = admin) => (await as(by)(views.list, {})).items.map(({ page, name }) => [page, name])

test('a view is kept for its person alone, with all that stands in the address, and listed by page and name', async () => {
  const made = await keep('Our editors', { role: 'Editor', order: 'email:asc', q: 'eli', status: 3, isLate: true })
  await keep('b', {}, '/panel/board')
  await keep('Abroad', { company: randomUUID() })
  expect(await named()).toEqual([
    ['/panel/board', 'b'],
    ['/panel/people', 'Abroad'],
    ['/panel/people', 'Our editors'],
  ])
  const { items } = await as(admin)(views.list, {})
  expect(items.find(({ id }) => id === made.id)?.search).toEqual({
    role: 'Editor',
    order: 'email:asc',
    q: 'eli',
    status: 3,
    isLate: true,
  })
  expect(await named(colleague)).toEqual([])
})

test('the same name on the same page replaces a view, and two views of one page never have one name', async () => {
  const first = await keep('Mine', { q: 'one' })
  expect(await keep('Mine', { q: 'two' })).toEqual({ ...first, search: { q: 'two' } })
  const other = await keep('Other', {})
  const rename = (name: string, viewId = other.id, by = admin) =>
    as(by)(views.rename, { params: { viewId }, body: { name } })
  expect(await outcome(rename('Mine'))).toBe('view.name-taken')
  expect(await rename('Other')).toMatchObject({ name: 'Other' })
  expect(await rename('Another')).toMatchObject({ id: other.id, name: 'Another', search: {} })
  // On another page it may be called the same.
  expect(await keep('Mine', {}, '/panel/tenants')).toMatchObject({ page: '/panel/tenants' })
  expect(await outcome(rename('Mine', other.id, colleague))).toBe('view.not-found')
  const remove = (viewId: string, by = admin) => as(by)(views.remove, { params: { viewId } })
  expect(await outcome(remove(other.id, colleague))).toBe('view.not-found')
  await remove(other.id)
  expect(await outcome(remove(other.id))).toBe('view.not-found')
  expect(await outcome(rename('Gone'))).toBe('view.not-found')
})

test('a view that makes no sense is refused, and so is one more than anybody needs', async () => {
  for (const [page, search] of [
    ['/panel/../etc', {}],
    ['https://elsewhere.test', {}],
    ['/panel/people', { 'q[]': 'x' }],
    ['/panel/people', { q: 'a\nb' }],
    ['/panel/people', { q: 'x'.repeat(301) }],
    ['/panel/people', { q: { deep: true } as never }],
  ] as const)
    expect(await outcome(keep('Odd', search, page))).toBe('request.invalid')
  const busy = await makePerson(service, 'ADMIN')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into saved_view (person_id, page, name, search)
      select ${busy.id}, '/panel/people', 'View ' || n, '{}' from generate_series(2, ${mostKept.views}) n`),
  )
  const both = await Promise.all([1, 2].map((n) => outcome(keep(`At once ${n}`, {}, '/panel/people', busy))))
  expect(both.toSorted()).toEqual(['done', 'view.too-many'])
  expect(await outcome(keep('View 2', { q: 'again' }, '/panel/people', busy))).toBe('done')
})
