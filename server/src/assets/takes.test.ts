import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arrivedAt, hashOf } from '../../test/arrived.ts'
import { assets } from '@clear-to-post/contract/assets'
import { mostNoted, type TakeLog } from '@clear-to-post/domain/take-log'
import { openTakeBytes } from '@clear-to-post/domain/upload-room'
import { callAs, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { closeSilentTakes, sweepForgotten, sweepUploads } from './jobs.ts'

let service: Service
let base: string
let officer: Person
const { inQuarantine, jobsOf, quarantined, stateOf } = arrivedAt(() => service)

beforeAll(async () => {
  service = await openService()
  base = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  officer = await makePerson(service, 'User')
})
afterAll(() => service.close())

describe('a take that is sent while it is recorded', () => {
  it('grows piece by piece, says its length with the last one, and is the same bytes', async () => {
    const id = await begin(officer, randomUUID())
    expect((await send(id, 0, 'fragment one ')).status).toBe(204)
    const open = await callAs(service, officer)(assets.find, { params: { assetId: id } })
    expect(open).toMatchObject({ state: 'uploading', isOpen: true })
    const asked = await ask('HEAD', `/uploads/${id}`)
    expect([asked.headers.get('upload-offset'), asked.headers.get('upload-defer-length')]).toEqual(['13', '1'])
    expect((await send(id, 13, 'two ')).status).toBe(204)
    const last = await send(id, 17, 'three', 22)
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '22'])
    const found = await callAs(service, officer)(assets.find, { params: { assetId: id } })
    expect(found).toMatchObject({ state: 'received', fileSize: 22, receivedBytes: 22 })
    expect(found.isOpen).toBeUndefined()
    expect(await quarantined(id)).toBe(hashOf('fragment one two three'))
    expect((await ask('HEAD', `/uploads/${id}`)).headers.get('upload-length')).toBe('22')
    expect(await jobsOf(id)).toBe(1)
  })

  it('may say its length without another byte, once, and no smaller one than is here', async () => {
    const id = await begin(officer, randomUUID())
    await send(id, 0, '0123456789')
    expect((await send(id, 10, '', 5)).status).toBe(400)
    expect((await send(id, 10, '', openTakeBytes('unconfirmed') * 100)).status).toBe(413)
    expect(await stateOf(id)).toBe('uploading')
    expect((await send(id, 10, '', 10)).status).toBe(204)
    expect(await stateOf(id)).toBe('received')
    expect((await send(id, 10, '', 12)).status).toBe(400)
    expect(await jobsOf(id)).toBe(1)
  })

  it('that begins twice is one upload, also side by side and after its end; another person’s id is another', async () => {
    const take = randomUUID()
    const ids = await Promise.all(Array.from({ length: 5 }, () => begin(officer, take)))
    expect(new Set(ids).size).toBe(1)
    await send(ids[0]!, 0, 'all of it', 9)
    expect(await begin(officer, take)).toBe(ids[0])
    expect((await ask('HEAD', `/uploads/${ids[0]}`)).headers.get('upload-offset')).toBe('9')
    expect(await begin(await makePerson(service, 'User'), take)).not.toBe(ids[0])
    expect(await begin(officer, randomUUID())).not.toBe(ids[0])
  })

  it('keeps what its recorder noted, until it is whole, and nothing beyond the bounds or of another person’s take', async () => {
    const log = {
      again: [{ ms: 4200, word: 3 }],
      shown: [
        [0, 0],
        [1, 350],
      ] as [number, number][],
    }
    const note = (person: Person, assetId: string, body: TakeLog) =>
      callAs(service, person)(assets.note, { params: { assetId }, body: body as typeof log })
    const kept = (id: string) =>
      service.database.asSystem((tx) =>
        tx.first(sql<{ take_log: unknown }>`select take_log from asset where id = ${id}`),
      )
    const id = await begin(officer, randomUUID())
    await note(officer, id, { again: [], shown: [] })
    await note(officer, id, log)
    expect(await kept(id)).toEqual({ take_log: log })
    const many = { again: Array(mostNoted.again + 1).fill({ ms: 0, word: 0 }), shown: [] }
    await expect(note(officer, id, many)).rejects.toMatchObject({ code: 'request.invalid' })
    const stranger = await makePerson(service, 'User')
    await expect(note(stranger, id, log)).rejects.toMatchObject({ code: 'asset.not-found' })
    await send(id, 0, 'all', 3)
    await expect(note(officer, id, { again: [], shown: [] })).rejects.toMatchObject({ code: 'asset.not-found' })
    expect(await kept(id)).toEqual({ take_log: log })
  })

  it('holds no more bytes than the room that is kept for it', async () => {
    const id = await begin(officer, randomUUID())
    await service.database.asSystem((tx) => tx.count(sql`update asset set file_size = 8 where id = ${id}`))
    expect((await send(id, 0, '0123')).status).toBe(204)
    expect((await send(id, 4, '456789')).status).toBe(413)
    expect((await send(id, 4, '4567', 8)).status).toBe(204)
    expect(await stateOf(id)).toBe('received')
  })

  it('is finished with what came of it when its recorder never comes back; one without a byte goes', async () => {
    const [kept, empty] = [await begin(officer, randomUUID()), await begin(officer, randomUUID())]
    await send(kept, 0, 'what was said')
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    await sweepUploads(service.database, later(40))
    await closeSilentTakes(service.database, later(59))
    expect([await stateOf(kept), await stateOf(empty)]).toEqual(['uploading', 'uploading'])
    await closeSilentTakes(service.database, later(61))
    await sweepForgotten(service.database, later(61))
    expect([await stateOf(kept), await stateOf(empty)]).toEqual(['received', undefined])
    expect(await quarantined(kept)).toBe(hashOf('what was said'))
    expect(await jobsOf(kept)).toBe(1)
  })

  it('an upload that was left is kept while the service stands still, and goes when it has run for a day', async () => {
    const metadata = `filename ${Buffer.from('Left.mp4').toString('base64')}`
    const begun = await ask('POST', '/uploads', { 'upload-length': '20', 'upload-metadata': metadata })
    const left = begun.headers.get('location')!.split('/').at(-1)!
    await send(left, 0, 'some of it')
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    // The service comes back after three days, and others go on at once.
    const other = await begin(officer, randomUUID())
    await send(other, 0, 'another')
    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set modified_at = ${later(73)} where id = ${other}`),
    )
    await sweepForgotten(service.database, later(74), later(73))
    expect(await stateOf(left)).toBe('uploading')
    await sweepForgotten(service.database, later(97.1), later(73))
    expect([await stateOf(left), await stateOf(other)]).toEqual([undefined, 'uploading'])
  })

  it('and a hundred others with a byte here outlast three days in which the service stood still', async () => {
    const id = await begin(officer, randomUUID())
    await send(id, 0, 'what was said')
    const ids = await service.database.asSystem((tx) =>
      tx.rows(sql<{ id: string }>`
        insert into asset (id, author_id, tenant_id, purpose, file_name, extension, declared_type, file_size, is_open, state, take_id,
          received_bytes)
        select gen_random_uuid(), author_id, tenant_id, purpose, file_name, extension, declared_type, file_size, true, state, gen_random_uuid(),
          0
        from asset, generate_series(1, 101) where id = ${id} returning id`),
    )
    for (const one of ids) await writeFile(inQuarantine(one.id), 'what was said')
    const later = new Date(Date.now() + 74 * 3_600_000)
    // Before anything else has gone on, and after.
    await sweepForgotten(service.database, later)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into asset (id, author_id, tenant_id, purpose, file_name, extension, declared_type, file_size, state, received_bytes,
          modified_at)
        select gen_random_uuid(), author_id, tenant_id, purpose, file_name, extension, declared_type, file_size, 'ready', 1, ${later}
        from asset where id = ${id}`),
    )
    await sweepForgotten(service.database, later)
    await closeSilentTakes(service.database, later)
    const states = await service.database.asSystem((tx) =>
      tx.rows(sql<{ state: string; n: number }>`
        select state, count(*)::integer as n from asset where author_id = ${officer.id} and take_id is not null group by 1`),
    )
    expect(states).toEqual([{ state: 'received', n: 102 }])
  })
})

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string, person = officer) =>
  fetch(base + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${person.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const begin = async (person: Person, takeId: string): Promise<string> => {
  const named = { filename: 'Take.mp4', filetype: 'video/mp4', takeId }
  const metadata = Object.entries(named).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
  const headers = { 'upload-defer-length': '1', 'upload-metadata': metadata.join() }
  const begun = await ask('POST', '/uploads', headers, undefined, person)
  expect(begun.status).toBe(201)
  return begun.headers.get('location')!.split('/').at(-1)!
}

const send = (id: string, offset: number, bytes: string, length?: number) =>
  ask(
    'PATCH',
    `/uploads/${id}`,
    {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...(length === undefined ? {} : { 'upload-length': String(length) }),
    },
    bytes,
  )
