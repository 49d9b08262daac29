import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallInput } from '@clear-to-post/contract/call'
import { scripts } from '@clear-to-post/contract/scripts'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { callAs, makePerson, makeTenant, makePicture, openService, outcome, type Service } from '../../test/service.ts'
import { fileUrl } from '../assets/addresses.ts'
import { sql } from '../kernel/database.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const addLibrary = (tenantId: string | null, title: string) =>
  service.database.asSystem(async (tx) => {
    if (tenantId !== null) await tx.count(sql`insert into script_library (tenant_id) values (${tenantId})`)
    for (const [position, active] of [true, false].entries())
      await tx.count(sql`
        with category as (
          insert into script_category (library_id, title, picture_url, background_color, active, position)
          select id, ${`${title} ${position}`}, '', '#fff', ${active}, ${position} from script_library where tenant_id is not distinct from ${tenantId}::uuid
          returning id)
        insert into script (category_id, title, content, position)
        select id, s.title, '…', s.position from category, (values ('Second', 2), ('First', 1)) s (title, position)`)
  })

test('the script library of a new service is empty', async () => {
  const library = await callAs(service, await makePerson(service, 'User'))(scripts.library, {})
  expect([library.tenantId, library.categories]).toEqual([null, []])
})

test('a company that uses its own scripts shows its own library, and any other the service’s', async () => {
  const [plain, own, empty] = [await makeTenant(service), await makeTenant(service), await makeTenant(service)]
  await service.database.asSystem((tx) =>
    tx.count(sql`update tenant set use_own_scripts = true where id = any(${[own, empty]}::uuid[])`),
  )
  await addLibrary(null, 'Service')
  await addLibrary(plain, 'Unused')
  await addLibrary(own, 'Own')
  const titles = async (role: 'User' | 'ADMIN', tenantId: string | null) => {
    const library = await callAs(service, await makePerson(service, role, { tenantId }))(scripts.library, {})
    return [library.tenantId, ...library.categories.map(({ title }) => title)]
  }
  expect(await titles('User', null)).toEqual([null, 'Service 0'])
  expect(await titles('User', plain)).toEqual([null, 'Service 0'])
  expect(await titles('User', own)).toEqual([own, 'Own 0'])
  expect(await titles('User', empty)).toEqual([null, 'Service 0'])
  expect(await titles('ADMIN', null)).toEqual([null, 'Service 0', 'Service 1'])
  const { categories } = await callAs(service, await makePerson(service, 'User'))(scripts.library, {})
  expect(categories[0]!.scripts.map(({ title }) => title)).toEqual(['First', 'Second'])
})

test('row-level security alone hides another company’s library and another person’s scripts', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  await addLibrary(there, 'Hidden')
  const foreign = await makePerson(service, 'User', { tenantId: there })
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into script (user_id, title, content) values (${foreign.id}, 'Mine', '…')`),
  )
  for (const role of ['User', 'Editor', 'QA', 'ADMIN'] as const) {
    const { id, tenantId, securityStamp } = await makePerson(service, role, { tenantId: here })
    const seen = await service.database.inTenant({ id, role, tenantId, securityStamp }, async (tx) => [
      await tx.rows(sql`select 1 from script_category where title like 'Hidden%'`),
      await tx.rows(sql`select 1 from script s where s.title = 'Mine' or exists (
        select from script_category c where c.id = s.category_id and c.title like 'Hidden%')`),
    ])
    expect(seen, role).toEqual([[], []])
  }
})

test('a category’s picture must be an upload, stays when it is not sent, and is removed by an empty text', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const save = callAs(service, admin)
  const category = { title: 'Pictures', backgroundColor: '#E8EEFF' }
  const body = { ...category, pictureUrl: `/media/${crypto.randomUUID()}/original.jpg` }
  await expect(save(scripts.saveCategory, { body })).rejects.toMatchObject({ code: 'asset.not-found' })
  const elsewhere = save(scripts.saveCategory, { body: { ...category, pictureUrl: 'https://pictures.test/keys.jpg' } })
  await expect(elsewhere).rejects.toMatchObject({ message: expect.stringContaining('Upload the picture') })
  const pictureUrl = fileUrl(await makePicture(service, admin), 'original.jpg', new Date())
  const [picture] = pictureUrl.split('?')
  const made = await save(scripts.saveCategory, { body: { ...category, pictureUrl } })
  expect(made.pictureUrl.split('?')[0]).toBe(picture)
  const kept = await save(scripts.saveCategory, { body: { ...category, id: made.id, title: 'Keys' } })
  expect([kept.title, kept.pictureUrl.split('?')[0]]).toEqual(['Keys', picture])
  const gone = await save(scripts.saveCategory, { body: { ...category, id: made.id, pictureUrl: '' } })
  expect(gone.pictureUrl).toBe('')
})

test('a person keeps so many scripts of their own, a category so many, and a library so many categories', async () => {
  const officer = await makePerson(service, 'User')
  const admin = await makePerson(service, 'ADMIN')
  const { id: categoryId } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from script_category where title = 'Service 0'`),
  ))!
  await service.database.asSystem(async (tx) => {
    const many = sql`'Many', '…' from generate_series(1, ${mostKept.scripts}::integer)`
    await tx.count(sql`insert into script (user_id, title, content) select ${officer.id}, ${many}`)
    await tx.count(sql`insert into script (category_id, title, content) select ${categoryId}, ${many}`)
  })
  const library = sql`(select library_id from script_category where id = ${categoryId})`
  const category = { title: 'One more', backgroundColor: '#ffffff', active: true }
  const addCategory = () => outcome(callAs(service, admin)(scripts.saveCategory, { body: category }))
  expect(await addCategory()).toBe('done')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into script_category (library_id, title, picture_url, background_color, active, position)
      select ${library}, 'Many', '', '#ffffff', true, n from generate_series(1000, 999 + ${mostKept.categories}::integer) n`),
  )
  expect(await addCategory()).toBe('category.too-many')
  await service.database.asSystem((tx) => tx.count(sql`delete from script_category where title = 'Many'`))
  const body = { title: 'One more', content: '…' }
  const add = () => outcome(callAs(service, officer)(scripts.create, { body }))
  expect(await add()).toBe('script.too-many')
  expect(await outcome(callAs(service, admin)(scripts.create, { body: { ...body, categoryId } }))).toBe(
    'script.too-many',
  )
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from script where id = (select id from script where user_id = ${officer.id} limit 1)`),
  )
  expect([await add(), await add()]).toEqual(['done', 'script.too-many'])
})

test('a library keeps 3,000 scripts together, and tags count among its letters', async () => {
  const admin = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const category = (title: string) =>
    callAs(service, admin)(scripts.saveCategory, { body: { title, backgroundColor: '#ffffff', active: true } })
  const [{ id: full }, { id: categoryId }] = [await category('Full'), await category('Room')]
  const add = (tags: string[] = []) =>
    outcome(callAs(service, admin)(scripts.create, { body: { title: 'One more', content: '…', categoryId, tags } }))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into script (category_id, title, content)
      select ${full}, 'Many', '…' from generate_series(1, ${mostKept.libraryScripts}::integer)`),
  )
  expect(await add()).toBe('script.too-many')
  await service.database.asSystem((tx) => tx.count(sql`delete from script where category_id = ${full}`))
  expect(await add()).toBe('done')
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into script (category_id, title, content, tags)
      select ${full}, 'M', '…', array_fill(repeat('x', 40), array[20]) from generate_series(1, 1_246)`),
  )
  expect(await add()).toBe('done')
  expect(await add(Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(40, 'x')))).toBe('script.too-many')
})

test('the scripts of a person, and of a library, hold a million letters together, and shortening is always allowed', async () => {
  const [writer, admin] = [await makePerson(service, 'User'), await makePerson(service, 'ADMIN')]
  const { id: categoryId } = await callAs(service, admin)(scripts.saveCategory, {
    body: { title: 'Long ones', backgroundColor: '#ffffff', active: true },
  })
  const long = 'm'.repeat(20_000)
  await service.database.asSystem((tx) =>
    tx.count(sql`delete from script where category_id is not null and category_id <> ${categoryId}`),
  )
  for (const [who, place] of [
    [writer, {}],
    [admin, { categoryId }],
  ] as const) {
    const add = () => callAs(service, who)(scripts.create, { body: { title: 'Long', content: long, ...place } })
    const { id } = await add()
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into script (user_id, category_id, title, content)
        select user_id, category_id, title, content from script, generate_series(1, 48) where id = ${id}`),
    )
    const change = (content: string) => callAs(service, who)(scripts.update, { params: { id }, body: { content } })
    expect([await outcome(change('Short')), await outcome(add())]).toEqual(['done', 'done'])
    expect(await outcome(add())).toBe('script.too-many')
    expect(await outcome(change(long))).toBe('script.too-many')
    expect(await outcome(change('Shorter'))).toBe('done')
  }
})

test('a change of a script is refused where somebody has changed the same part since it was begun', async () => {
  const [one, other] = [await makePerson(service, 'ADMIN'), await makePerson(service, 'ADMIN')]
  const { id: categoryId } = await callAs(service, one)(scripts.saveCategory, {
    body: { title: 'Two at once', backgroundColor: '#aabbcc' },
  })
  const began = { title: 'Rates', content: 'Say what moved.', tags: ['rates'] }
  const { id } = await callAs(service, one)(scripts.create, { body: { ...began, categoryId } })
  const change = (who: typeof one, body: CallInput<typeof scripts.update>['body']) =>
    callAs(service, who)(scripts.update, { params: { id }, body })

  await change(other, { content: 'Say what moved. Never promise a rate.', was: { content: began.content } })
  // Another part: both stay.
  expect(await change(one, { title: 'Rates today', was: { title: began.title } })).toMatchObject({
    title: 'Rates today',
    content: 'Say what moved. Never promise a rate.',
  })
  const own = { content: 'Say why.', tags: ['why'] }
  const { content, tags } = began
  expect(await outcome(change(one, { ...own, was: { content, tags } }))).toBe('script.changed')
  // With what it says now in sight.
  const seen = { content: 'Say what moved. Never promise a rate.', tags }
  expect(await change(one, { ...own, was: seen })).toMatchObject(own)
  expect(await outcome(change(other, { tags: [], was: { tags } }))).toBe('script.changed')
})

test('a change of a category is refused where somebody has changed the same part since it was begun', async () => {
  const [one, other] = [await makePerson(service, 'ADMIN'), await makePerson(service, 'ADMIN')]
  const began = { title: 'Market', backgroundColor: '#aabbcc', active: false }
  const { id } = await callAs(service, one)(scripts.saveCategory, { body: began })
  const change = (who: typeof one, body: CallInput<typeof scripts.saveCategory>['body']) =>
    callAs(service, who)(scripts.saveCategory, { body: { id, ...body } })

  await change(other, { title: 'The market', was: { title: began.title } })
  // Other parts, and a picture: all stay.
  expect(await change(one, { backgroundColor: '#112233', was: { backgroundColor: '#aabbcc' } })).toMatchObject({
    title: 'The market',
    backgroundColor: '#112233',
    active: false,
  })
  const picture = await makePicture(service, one)
  const shown = await change(one, { pictureUrl: fileUrl(picture, 'original.png', new Date()) })
  expect(shown).toMatchObject({ title: 'The market', backgroundColor: '#112233', active: false })
  expect(shown.pictureUrl).toContain(picture)
  const own = { title: 'Markets', active: true }
  expect(await outcome(change(one, { ...own, was: { title: began.title, active: false } }))).toBe('category.changed')
  // With what it says now in sight.
  expect(await change(one, { ...own, was: { title: 'The market', active: false } })).toMatchObject(own)
  expect(await outcome(change(other, { active: false, was: { active: false } }))).toBe('category.changed')
})

test('a category that is new needs a title and a colour', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const add = (body: CallInput<typeof scripts.saveCategory>['body']) =>
    callAs(service, admin)(scripts.saveCategory, { body })
  const missing = (field: string) => ({ code: 'request.invalid', message: expect.stringContaining(field) })
  await expect(add({ backgroundColor: '#aabbcc' })).rejects.toMatchObject(missing('title'))
  await expect(add({ title: 'Rates' })).rejects.toMatchObject(missing('colour'))
  expect(await add({ title: 'Rates', backgroundColor: '#aabbcc' })).toMatchObject({ active: true })
})
