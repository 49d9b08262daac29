import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { projects } from '@clear-to-post/contract/projects'
import {
  callAs,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { sweepForgotten } from './jobs.ts'
import { extensionOf, safeFileName, saveAs, distinctNames } from './names.ts'
import { letGo } from './put-file.ts'

let service: Service
let tenantId: string
let officer: Person

beforeAll(async () => {
  service = await openService()
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
})
afterAll(() => service.close())
beforeEach(async () => {
  officer = await makePerson(service, 'User', { tenantId })
})

const submit = (person: Person, ids: string[], userId?: string) =>
  callAs(service, person)(projects.create, { body: { title: 'A house', assets: ids, ...(userId ? { userId } : {}) } })

const change = (id: string, set: ReturnType<typeof sql>) =>
  service.database.asSystem((tx) => tx.count(sql`update asset set ${set} where id = ${id}`))

const rowOf = (id: string) =>
  service.database.asSystem((tx) => tx.first(sql<Record<string, unknown>>`select * from asset where id = ${id}`))

describe('a held file of our own making', () => {
  it('is nobody’s unused file and is not taken by a project until it is let go, once', async () => {
    const id = await makeVideo(service, officer)
    await change(id, sql`purpose = 'clip'`)
    expect((await callAs(service, officer)(assets.unused, {})).items).toEqual([])
    await expect(submit(officer, [id])).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(callAs(service, officer)(assets.find, { params: { assetId: id } })).rejects.toMatchObject({
      code: 'asset.not-found',
    })
    const free = () => service.database.inTenant(officer, (tx) => letGo(tx, id))
    expect([await free(), await free()]).toEqual([true, false])
    expect((await submit(officer, [id])).id).toBeTruthy()
  })

  it('is removed after a month in which nothing used it, and a clip of a library is not', async () => {
    const [left, fresh, kept] = [
      await makeVideo(service, officer),
      await makeVideo(service, officer),
      await makeVideo(service, officer),
    ]
    for (const id of [left, fresh, kept]) await change(id, sql`purpose = 'clip'`)
    for (const id of [left, kept]) await change(id, sql`modified_at = now() - interval '31 days'`)
    await service.database.asSystem((tx) =>
      tx.count(
        sql`insert into clip (asset_id, title, tags, added_at, modified_at) values (${kept}, 'Keys', '{}', now(), now())`,
      ),
    )
    await sweepForgotten(service.database, new Date())
    expect([await rowOf(left), await rowOf(fresh), await rowOf(kept)].map(Boolean)).toEqual([false, true, true])
  })
})

describe('the sources of a new project', () => {
  it('must be the officer’s own, ready and unused, with at least one video', async () => {
    const stranger = await makePerson(service, 'User', { tenantId })
    const [video, theirs, picture, waiting, refused] = [
      await makeVideo(service, officer),
      await makeVideo(service, stranger),
      await makeVideo(service, officer),
      await makeVideo(service, officer),
      await makeVideo(service, officer),
    ]
    await change(picture, sql`type = 'picture'`)
    await change(waiting, sql`state = 'checking'`)
    await change(refused, sql`state = 'rejected', reason = 'This file is empty.', file_name = 'a.mp4'`)
    await expect(submit(officer, [video, theirs])).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(submit(officer, [video, randomUUID()])).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(submit(officer, [video, waiting])).rejects.toMatchObject({ code: 'asset.not-ready' })
    await expect(submit(officer, [refused])).rejects.toMatchObject({ message: 'a.mp4: This file is empty.' })
    await expect(submit(officer, [picture])).rejects.toMatchObject({ code: 'asset.not-a-video' })
    const { id } = await submit(officer, [picture, video, video])
    expect(await rowOf(video)).toMatchObject({ project_id: id, tenant_id: tenantId, author_id: officer.id })
    await expect(submit(officer, [video])).rejects.toMatchObject({ code: 'asset.in-use' })
    await expect(callAs(service, officer)(assets.discard, { params: { assetId: video } })).rejects.toMatchObject({
      code: 'asset.in-use',
    })
  })

  it('go to exactly one project when several are submitted at once', async () => {
    const admin = await makePerson(service, 'ADMIN')
    const others = await Promise.all([1, 2, 3, 4].map(() => makePerson(service, 'User', { tenantId })))
    const ids = [await makeVideo(service, admin), await makeVideo(service, admin)]
    const all = await Promise.allSettled(
      others.map((other, n) => submit(admin, n % 2 ? ids : ids.toReversed(), other.id)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of all) if (one.status === 'rejected') expect(one.reason.code).toMatch(/^asset\.(in-use|not-found)$/)
  })

  it('may be an ADMIN’s own for the officer, and then become the officer’s', async () => {
    const admin = await makePerson(service, 'ADMIN')
    const [own, officers] = [await makeVideo(service, admin), await makeVideo(service, officer)]
    const { id } = await submit(admin, [own, officers], officer.id)
    expect(await rowOf(own)).toMatchObject({ project_id: id, tenant_id: tenantId, author_id: officer.id })
    const seen = await callAs(service, officer)(projects.find, { params: { projectId: id } })
    expect(seen.assets?.map(({ assetId }) => assetId).toSorted()).toEqual([own, officers].toSorted())
    const third = await makeVideo(service, await makePerson(service, 'User', { tenantId }))
    await expect(submit(admin, [third], officer.id)).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(submit(officer, [await makeVideo(service, admin)])).rejects.toMatchObject({ code: 'asset.not-found' })
  })
})

describe('a cut', () => {
  it('must be a ready video that was uploaded for this project', async () => {
    const editor = await makePerson(service, 'Editor')
    const project = await submit(officer, [await makeVideo(service, officer)])
    const other = await submit(officer, [await makeVideo(service, officer)])
    await callAs(service, editor)(projects.start, { body: { projectId: project.id } })
    const send = (finalVideoId: string) =>
      callAs(service, editor)(projects.send, { params: { projectId: project.id }, body: { finalVideoId } })
    const [cut, elsewhere, waiting, sound] = [
      await makeVideo(service, editor, project),
      await makeVideo(service, editor, other),
      await makeVideo(service, editor, project),
      await makeVideo(service, editor, project),
    ]
    await change(waiting, sql`state = 'checking'`)
    await change(sound, sql`type = 'audio'`)
    await expect(send(elsewhere)).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(send(project.assets![0]!.assetId)).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(send(waiting)).rejects.toMatchObject({ code: 'asset.not-ready' })
    await expect(send(sound)).rejects.toMatchObject({ code: 'asset.not-a-video' })

    const mine = () => callAs(service, editor)(assets.unused, {})
    expect((await mine()).items.map(({ assetId }) => assetId)).toContain(cut)
    await send(cut)
    expect((await mine()).items.map(({ assetId }) => assetId)).not.toContain(cut)
    await expect(callAs(service, editor)(assets.discard, { params: { assetId: cut } })).rejects.toMatchObject({
      code: 'asset.in-use',
    })
    await callAs(service, editor)(assets.discard, { params: { assetId: sound } })

    // The officer sees it when it is approved, and not before.
    const see = () => callAs(service, officer)(assets.find, { params: { assetId: cut } })
    await expect(see()).rejects.toMatchObject({ kind: 'not-found' })
    await callAs(service, await makePerson(service, 'QA'))(projects.approve, { params: { projectId: project.id } })
    expect(await see()).toMatchObject({ assetId: cut })
  })
})

it('file names are made safe and keep their letters', () => {
  expect(safeFileName('Küche & Bad.MOV')).toBe('Küche & Bad.MOV')
  expect(safeFileName('../../etc/passwd')).toBe('passwd')
  expect(safeFileName('C:\\Users\\me\\video.mp4')).toBe('video.mp4')
  expect(safeFileName('a\u202Egpj.exe\r\nX-Header: 1')).toBe('agpj.exeX-Header_ 1')
  expect(safeFileName('')).toBe('file')
  expect(safeFileName('...')).toBe('file')
  expect(safeFileName(`${'é'.repeat(300)}.mp4`)).toBe(`${'é'.repeat(120)}.mp4`)
  expect(extensionOf('a.b.MP4')).toBe('mp4')
  expect(extensionOf('none')).toBe('')
  expect(saveAs('a"b%\\.mp4')).toMatch(/^attachment; filename="a_b__\.mp4"; filename\*=UTF-8''a%22b%25%5C\.mp4$/)
  expect(distinctNames(['a.mp4', 'A.mp4', 'a.mp4', 'b'])).toEqual(['a.mp4', 'A (2).mp4', 'a (3).mp4', 'b'])
  expect(distinctNames(['a', 'a (2)', 'a', 'a (2)', 'A'])).toEqual(['a', 'a (2)', 'a (3)', 'a (2) (2)', 'A (4)'])
})

it('a name that many files have is not tried anew with every number for each of them', () => {
  const tried = vi.spyOn(Set.prototype, 'has')
  const names = distinctNames(Array.from({ length: 2000 }, () => 'clip.mov'))
  const { length } = tried.mock.calls
  tried.mockRestore()
  expect(names.slice(-2)).toEqual(['clip (1999).mov', 'clip (2000).mov'])
  expect(length).toBeLessThan(2 * 2000)
})
