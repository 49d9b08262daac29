import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arrivedAt, hashOf } from '../../test/arrived.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  makePerson,
  makeTenant,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { assets } from '@clear-to-post/contract/assets'
import { mostKept, uploadWeight, writesPerMinute } from '@clear-to-post/domain/most-kept'
import { FairTurns } from '../kernel/fair-turns.ts'
import { sql, type Database } from '../kernel/database.ts'
import { failureOf } from '../kernel/errors.ts'
import { boundWrites } from '../kernel/written.ts'
import { otherOperations } from '../http/other-operations.ts'
import { mountUploads } from '../http/uploads.ts'
import { startHttp } from '../main/http.ts'
import { openLine } from '../../test/line.ts'
import { onDisk } from '../../test/on-disk.ts'
import { seeded } from '../../test/random.ts'
import { sweepForgotten, sweepUploads } from './jobs.ts'
import type { Disk } from '../outside/disk-storage.ts'
import { openStorage } from '../outside/open-storage.ts'
import { keptFree } from '../outside/storage.ts'
import { beginUpload, UploadStore } from './uploads.ts'

let service: Service
let base: string
let tenantId: string
let officer: Person
const { inQuarantine, jobsOf, quarantined, stateOf } = arrivedAt(() => service)

beforeAll(async () => {
  service = await openService()
  base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  tenantId = await makeTenant(service)
})
// A new person each time, since a person may have ten open files at most.
beforeEach(async () => {
  officer = await makePerson(service, 'User', { tenantId })
})
afterAll(() => service.close())

describe('an upload', () => {
  it('is stored whole, reports its state, and enqueues its ingest once', async () => {
    const bytes = noise(3_000_000, 1)
    const id = await send(base, officer, bytes, { filename: 'My house.MOV' })
    const asset = await callAs(service, officer)(assets.find, { params: { assetId: id } })
    expect(asset).toMatchObject({
      state: 'received',
      fileName: 'My house.MOV',
      extension: 'mov',
      receivedBytes: 3_000_000,
    })
    expect(asset).toMatchObject({ fileSize: 3_000_000, authorId: officer.id, assetUrl: '', type: 'file' })
    expect(await quarantined(id)).toBe(hashOf(bytes))
    expect(await jobsOf(id)).toBe(1)
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('3000000')
  })

  it('continues where it stopped after the network is cut several times', async () => {
    const bytes = noise(12_000_000, 2)
    const line = await cutLine(new URL(base), [1_500_000, 4_000_000, 70_000, 3_000_000])
    const id = await send(line.address, officer, bytes, { filename: 'cut.mp4' })
    line.close()
    expect(line.cuts()).toBe(4)
    expect(await quarantined(id)).toBe(hashOf(bytes))
    expect(await jobsOf(id)).toBe(1)
  })

  it('has every one of its operations in the API reference', () => {
    for (const { method, route } of otherOperations)
      expect(service.app.hasRoute({ method, url: route }), `${method} ${route}`).toBe(true)
  })

  it('may send bytes with its creation, and may be empty', async () => {
    const created = await raw('POST', '/uploads', officer, {
      headers: {
        'upload-length': '5',
        'content-type': 'application/offset+octet-stream',
        'upload-metadata': meta('a.txt'),
      },
      body: Buffer.from('hello'),
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('upload-offset')).toBe('5')
    expect(await stateOf(idOf(created))).toBe('received')
    const empty = await raw('POST', '/uploads', officer, { headers: { 'upload-length': '0' } })
    expect(await stateOf(idOf(empty))).toBe('received')
  })

  it('that was refused is kept among the newest twenty of its sender, until others come', async () => {
    const sender = await makePerson(service, 'User')
    await service.database.asSystem((tx) =>
      tx.count(sql`
        insert into asset (id, author_id, purpose, file_name, extension, declared_type, file_size, state, modified_at)
        select gen_random_uuid(), ${sender.id}, 'source', n || '.mp4', 'mp4', '', 0, 'rejected', now() - n * interval '1 minute'
        from generate_series(1, 150) n`),
    )
    const begin = () => raw('POST', '/uploads', sender, { headers: { 'upload-length': '5' } })
    for (let left = 2; left > 0; left--) expect((await begin()).status).toBe(201)
    const refused = await service.database.asSystem((tx) =>
      tx.rows(sql<{ file_name: string }>`
        select file_name from asset where author_id = ${sender.id} and state = 'rejected' order by modified_at desc`),
    )
    expect(refused.map(({ file_name }) => file_name)).toEqual(
      Array.from({ length: mostKept.refusedFiles - 1 }, (_, index) => `${index + 1}.mp4`),
    )
  })

  it('that is begun counts among what a person writes', async () => {
    const sender = await makePerson(service, 'User')
    const app = fastify().decorateRequest('caller', null)
    app.setErrorHandler((error, { id }, reply) => void reply.code(failureOf(error, id).status).send())
    const { authenticate } = service.identity
    const requireWritable = boundWrites({ hasRoom: async () => true, limits: true })
    await mountUploads(app, { config: service.config, database: service.database, authenticate, requireWritable })
    const headers = { 'tus-resumable': '1.0.0', authorization: `Bearer ${sender.token}` }
    const begun: number[] = []
    for (let n = 0; n <= writesPerMinute / uploadWeight; n++) {
      const answer = await app.inject({
        method: 'POST',
        url: '/uploads',
        headers: { ...headers, 'upload-length': '5' },
      })
      begun.push(answer.statusCode)
      if (answer.headers.location) await app.inject({ method: 'DELETE', url: String(answer.headers.location), headers })
    }
    expect([new Set(begun.slice(0, -1)), begun.at(-1)]).toEqual([new Set([201]), 429])
    await app.close()
  })

  it('that is refused at its creation leaves nothing behind, and answers why', async () => {
    const bytes = { 'content-type': 'application/offset+octet-stream' }
    const refused: [Record<string, string>, words: RegExp, body?: Buffer][] = [
      [{ 'upload-length': '5', 'upload-defer-length': '1' }, /Upload-Defer-Length/],
      [{ 'upload-defer-length': '2' }, /Upload-Defer-Length/],
      [{ 'upload-length': '5', 'upload-concat': 'partial' }, /Upload-Concat/],
      [{ 'upload-length': '5', 'upload-concat': 'final;/uploads/a /uploads/b' }, /Upload-Concat/],
      ...['1e3', '0x10', '5.0', '+5', '-5', '007', '5 5', '0b1', 'Infinity', '99999999999999999999'].map(
        (length): [Record<string, string>, RegExp] => [{ 'upload-length': length }, /Upload-Length/],
      ),
      [{}, /Upload-Length/],
      // These are refused only after the upload has a row.
      [{ 'upload-length': '5', 'upload-offset': 'x' }, /upload-offset/],
      [{ 'upload-length': '5', 'tus-version': '9' }, /tus-version/],
      [{ 'upload-length': '5', ...bytes }, /More bytes came/, Buffer.from('hello and more')],
    ]
    for (const [headers, words, body] of refused) {
      const response = await raw('POST', '/uploads', officer, { headers, ...(body ? { body } : {}) })
      const answer = (await response.json()) as { code: string; message: string }
      expect({ headers, status: response.status, answer }).toMatchObject({
        status: body ? 413 : 400,
        answer: { code: body ? 'asset.too-large' : 'request.invalid', message: expect.stringMatching(words) },
      })
      const left = await service.database.asSystem((tx) =>
        tx.rows(sql`select id, state from asset where author_id = ${officer.id}`),
      )
      expect({ headers, left }).toEqual({ headers, left: [] })
    }
  })

  it('refuses bytes at a wrong offset or of a wrong type, and keeps what it has', async () => {
    const id = await begin(officer, 10)
    expect((await patch(id, officer, 0, Buffer.from('01234'))).status).toBe(204)
    const wrong = await patch(id, officer, 3, Buffer.from('3456789'))
    expect(wrong.status).toBe(409)
    expect(await wrong.json()).toMatchObject({ kind: 'conflict', code: 'asset.wrong-offset' })
    const tooMany = await patch(id, officer, 5, Buffer.from('56789 and more'))
    expect(tooMany.status).toBe(413)
    expect(await tooMany.json()).toMatchObject({ message: expect.stringContaining('More bytes came') })
    const asJson = await raw('PATCH', `/uploads/${id}`, officer, {
      headers: { 'upload-offset': '5', 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    })
    expect([asJson.status, await asJson.json()]).toMatchObject([400, { code: 'request.wrong-type' }])
    const nowhere = await raw('PATCH', `/uploads/${id}`, officer, {
      headers: { 'content-type': 'application/offset+octet-stream' },
      body: Buffer.from('56789'),
    })
    expect([nowhere.status, await nowhere.json()]).toMatchObject([
      400,
      { kind: 'invalid-argument', message: 'Upload-Offset must say where these bytes begin.' },
    ])
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('5')
    expect((await patch(id, officer, 5, Buffer.from('56789'))).status).toBe(204)
    expect(await quarantined(id)).toBe(hashOf(Buffer.from('0123456789')))
  })

  it('accepts one of several simultaneous writers, and its bytes are those of the file', async () => {
    const bytes = noise(2_000_000, 3)
    const id = await begin(officer, bytes.length)
    const answers = await Promise.all(Array.from({ length: 6 }, () => patch(id, officer, 0, bytes)))
    const taken = answers.filter(({ status }) => status === 204)
    expect(taken).toHaveLength(1)
    expect(answers.every(({ status }) => [204, 409, 423].includes(status))).toBe(true)
    // On a slow machine it is asked to let go in the middle: what was answered stands, and the rest follows.
    const offset = Number(taken[0]!.headers.get('upload-offset'))
    expect(await quarantined(id)).toBe(hashOf(bytes.subarray(0, offset)))
    if (offset < bytes.length) expect((await patch(id, officer, offset, bytes.subarray(offset))).status).toBe(204)
    expect(await quarantined(id)).toBe(hashOf(bytes))
    expect(await jobsOf(id)).toBe(1)
  })

  it('is not blocked by a connection that died half way', async () => {
    const id = await begin(officer, 10)
    const dead = connect(Number(new URL(base).port), '127.0.0.1')
    const head = ['PATCH /uploads/' + id + ' HTTP/1.1', 'host: x', `authorization: Bearer ${officer.token}`]
    const protocol = ['tus-resumable: 1.0.0', 'upload-offset: 0', 'content-length: 10']
    dead.write([...head, ...protocol, 'content-type: application/offset+octet-stream', '', '01234'].join('\r\n'))
    await expect.poll(async () => (await readFile(inQuarantine(id))).length).toBe(5)
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('5')
    expect((await patch(id, officer, 5, Buffer.from('56789'))).status).toBe(204)
    dead.destroy()
    expect(await quarantined(id)).toBe(hashOf(Buffer.from('0123456789')))
  })

  it('that another connection takes over answers the first one with a refusal, and can be continued', async () => {
    const id = await begin(officer, 10)
    // The first one's look at what is here rests until the second one has had it let go.
    const [looks, rests, asks] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [Gate, Gate, Gate]
    let isFirst = true
    const database: Database = {
      ...service.database,
      asSystem: async (work) => {
        if (isFirst) {
          isFirst = false
          looks.resolve()
          await rests.promise
        }
        return service.database.asSystem(work)
      },
      inTenant: (caller, work) => {
        const done = service.database.inTenant(caller, work)
        if (!isFirst) void done.then(() => asks.resolve())
        return done
      },
    }
    const app = fastify().decorateRequest('caller', null)
    const { authenticate } = service.identity
    const requireWritable = boundWrites({ hasRoom: async () => true, limits: false })
    await mountUploads(app, { config: service.config, database, authenticate, requireWritable })
    const ask = (method: 'PATCH' | 'HEAD', headers: Record<string, string> = {}, payload?: Buffer) =>
      app.inject({
        method,
        url: `/uploads/${id}`,
        headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${officer.token}`, ...headers },
        ...(payload ? { payload } : {}),
      })
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const first = ask('PATCH', headers, Buffer.from('0123456789'))
    await looks.promise
    const second = ask('HEAD')
    await asks.promise
    // The first connection gets a second to release the upload.
    await sleep(1500)
    rests.resolve()
    expect([(await first).statusCode, (await first).json()]).toMatchObject([
      423,
      { kind: 'conflict', code: 'asset.busy' },
    ])
    expect([(await second).statusCode, (await second).headers['upload-offset']]).toEqual([200, '0'])
    await app.close()
    expect((await patch(id, officer, 0, Buffer.from('0123456789'))).status).toBe(204)
  })

  it('that is complete but not marked so is completed by the next request or by the sweep', async () => {
    for (const wake of [
      (id: string) => raw('HEAD', `/uploads/${id}`, officer),
      () => sweepUploads(service.database, new Date(Date.now() + 60_000)),
    ]) {
      const id = await begin(officer, 4)
      await writeFile(inQuarantine(id), 'abcd')
      await wake(id)
      expect(await stateOf(id)).toBe('received')
      expect(await jobsOf(id)).toBe(1)
    }
  })

  it('starts again when its file was lost, and never counts bytes that are missing', async () => {
    const id = await begin(officer, 8)
    await patch(id, officer, 0, Buffer.from('abcd'))
    await truncate(inQuarantine(id), 2)
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('2')
    await rm(inQuarantine(id))
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('0')
    expect((await patch(id, officer, 4, Buffer.from('efgh'))).status).toBe(409)
    expect((await patch(id, officer, 0, Buffer.from('abcdefgh'))).status).toBe(204)
    expect(await quarantined(id)).toBe(hashOf(Buffer.from('abcdefgh')))
  })

  it('that was taken in is replaced by nothing, whatever is sent to its address afterwards', async () => {
    const id = await begin(officer, 8)
    await patch(id, officer, 0, Buffer.from('abcdefgh'))
    await onDisk().admit(id, 'original.mp4')
    const original = async () => hashOf(await readFile(onDisk().path(id, 'original.mp4')))
    for (const body of [Buffer.alloc(0), Buffer.from('more')])
      for (const at of [0, 8]) {
        await patch(id, officer, at, body)
        await onDisk().admit(id, 'original.mp4')
        expect(await original()).toBe(hashOf(Buffer.from('abcdefgh')))
      }
    // A late beginning makes its empty file anew.
    await onDisk().create(id)
    await onDisk().admit(id, 'original.mp4')
    expect(await original()).toBe(hashOf(Buffer.from('abcdefgh')))
  })

  it('goes on after the service stood still for longer than it is kept', async () => {
    const id = await begin(officer, 8)
    await patch(id, officer, 0, Buffer.from('abcd'))
    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set modified_at = now() - interval '80 hours' where id = ${id}`),
    )
    expect((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset')).toBe('4')
    expect((await patch(id, officer, 4, Buffer.from('efgh'))).status).toBe(204)
    expect(await quarantined(id)).toBe(hashOf(Buffer.from('abcdefgh')))
  })

  it('can be discarded by its owner, over tus or by the call', async () => {
    const [byTus, byCall] = [await begin(officer, 4), await begin(officer, 4)]
    expect((await raw('DELETE', `/uploads/${byTus}`, officer)).status).toBe(204)
    await callAs(service, officer)(assets.discard, { params: { assetId: byCall } })
    for (const id of [byTus, byCall]) {
      expect((await raw('HEAD', `/uploads/${id}`, officer)).status).toBe(404)
      expect((await patch(id, officer, 0, Buffer.from('abcd'))).status).toBe(404)
      expect(await jobsOf(id)).toBe(1)
    }
  })

  it('that was abandoned is swept, and an active one is not', async () => {
    const person = await makePerson(service, 'User')
    const [never, stopped] = [await begin(person, 4), await begin(person, 4)]
    await patch(stopped, person, 0, Buffer.from('ab'))
    const inHours = (hours: number) => sweepForgotten(service.database, new Date(Date.now() + hours * 3_600_000))
    await inHours(0.5)
    expect(await stateOf(never)).toBe('uploading')
    await inHours(2)
    expect(await stateOf(never)).toBeUndefined()
    expect(await stateOf(stopped)).toBe('uploading')
    await inHours(100)
    expect(await stateOf(stopped)).toBeUndefined()
  })
})

describe('access to uploads and their limits', () => {
  it('another person’s upload is not found by any method, and an ADMIN in reach can only read its state', async () => {
    const id = await begin(officer, 4)
    const strangers = [
      await makePerson(service, 'User', { tenantId }),
      await makePerson(service, 'User'),
      // A draft belongs to its officer alone, and is hidden even from later editors and reviewers.
      await makePerson(service, 'Editor'),
      await makePerson(service, 'QA', { tenantId }),
      await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) }),
    ]
    for (const person of strangers) {
      expect((await raw('HEAD', `/uploads/${id}`, person)).status).toBe(404)
      expect((await patch(id, person, 0, Buffer.from('evil'))).status).toBe(404)
      expect((await raw('DELETE', `/uploads/${id}`, person)).status).toBe(404)
      const find = callAs(service, person)(assets.find, { params: { assetId: id } })
      await expect(find).rejects.toMatchObject({ kind: 'not-found' })
    }
    // An ADMIN in reach looks, to help; the bytes stay the officer's.
    const helper = await makePerson(service, 'ADMIN', { tenantId })
    expect(await callAs(service, helper)(assets.find, { params: { assetId: id } })).toMatchObject({
      state: 'uploading',
    })
    expect((await patch(id, helper, 0, Buffer.from('evil'))).status).toBe(404)
    expect((await raw('HEAD', `/uploads/${id}`, null)).status).toBe(401)
    expect((await raw('POST', '/uploads', null, { headers: { 'upload-length': '4' } })).status).toBe(401)
    expect((await raw('HEAD', `/uploads/${randomUUID()}`, officer)).status).toBe(404)
    for (const path of ['/uploads/..%2f..%2fmedia-key', '/uploads/x', '/uploads/%00'])
      expect((await raw('HEAD', path, officer)).status).toBeGreaterThanOrEqual(400)
    expect((await patch(id, officer, 0, Buffer.from('good'))).status).toBe(204)
  })

  it('an address that names two uploads never reads, changes or discards another person’s', async () => {
    const stranger = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
    const [mine, theirs] = [await begin(stranger, 8), await begin(officer, 8)]
    await patch(theirs, officer, 0, Buffer.from('good'))
    const forms = [
      `${mine}?/${theirs}`,
      `${mine}?id=/uploads/${theirs}`,
      `${mine}?${theirs}`,
      `${mine}?assetId=${theirs}&uploads=/${theirs}`,
      `${mine}%3F/${theirs}`,
      `${mine}%2F${theirs}`,
      `${mine}/${theirs}`,
      `${mine}/../${theirs}`,
      `${mine}/..%2f${theirs}`,
      `${mine};/${theirs}`,
      `${mine}#/${theirs}`,
      `?/${theirs}`,
      `/${mine}//${theirs}`,
    ]
    const ask = (method: string, form: string, headers: Record<string, string> = {}, payload?: string) =>
      service.app.inject({
        method: method as 'PATCH',
        url: `/uploads/${form}`,
        headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${stranger.token}`, ...headers },
        ...(payload === undefined ? {} : { payload }),
      })
    const bytes = { 'upload-offset': '4', 'content-type': 'application/offset+octet-stream' }
    for (const form of forms) {
      const read = await ask('HEAD', form)
      if (read.statusCode < 300) expect(read.headers['upload-offset'], form).toBe('0')
      const written = await ask('PATCH', form, bytes, 'evil')
      expect(written.statusCode, form).toBeGreaterThanOrEqual(400)
    }
    for (const form of forms) await ask('DELETE', form)
    expect((await raw('HEAD', `/uploads/${theirs}`, officer)).headers.get('upload-offset')).toBe('4')
    expect((await patch(theirs, officer, 4, Buffer.from('good'))).status).toBe(204)
    expect(await quarantined(theirs)).toBe(hashOf(Buffer.from('goodgood')))
  })

  it('an upload is refused after the session has ended', async () => {
    const person = await makePerson(service, 'User')
    const id = await begin(person, 4)
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set security_stamp = security_stamp + 1 where id = ${person.id}`),
    )
    expect((await patch(id, person, 0, Buffer.from('late'))).status).toBe(401)
  })

  it('an unverified account can have three open files of at most 1 GB each', async () => {
    const person = await makePerson(service, 'User', { isEmailVerified: false })
    const begin = (bytes: number) => raw('POST', '/uploads', person, { headers: { 'upload-length': String(bytes) } })
    const tooMuch = await begin(1024 ** 3 + 1)
    expect({ status: tooMuch.status, body: await tooMuch.json() }).toMatchObject({
      status: 403,
      body: { code: 'account.unverified' },
    })
    const begun = await Promise.all(Array.from({ length: 5 }, () => begin(4)))
    expect(begun.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 403, 403])
    await service.database.asSystem((tx) =>
      tx.count(sql`update person set email_verified_at = now() where id = ${person.id}`),
    )
    expect((await begin(1024 ** 3 + 1)).status).toBe(201)
  })

  it('a file may have 4 GB at most; a person has ten open files and 4 GB, or 20 GB with a plan', async () => {
    const person = await makePerson(service, 'User')
    const gigabyte = 1024 ** 3
    const tooLarge = await raw('POST', '/uploads', person, { headers: { 'upload-length': String(4 * gigabyte + 1) } })
    expect(tooLarge.status).toBe(413)
    expect(await tooLarge.json()).toMatchObject({ kind: 'too-large', code: 'asset.too-large' })

    const begun = await Promise.all(
      Array.from({ length: 14 }, () => raw('POST', '/uploads', person, { headers: { 'upload-length': '4' } })),
    )
    expect(begun.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), ...Array(4).fill(409)])
    const full = await raw('POST', '/uploads', person, { headers: { 'upload-length': '4' } })
    expect(await full.json()).toMatchObject({ kind: 'conflict', code: 'asset.no-room' })
    await raw('DELETE', `/uploads/${idOf(begun.find(({ status }) => status === 201)!)}`, person)
    expect((await raw('POST', '/uploads', person, { headers: { 'upload-length': '4' } })).status).toBe(201)

    const holding = async (bytes: number, tenantId?: string) => {
      const other = await makePerson(service, 'User', { tenantId: tenantId ?? null })
      await service.database.asSystem((tx) =>
        tx.count(sql`
          insert into asset (id, author_id, purpose, file_name, extension, file_size, state)
          values (${randomUUID()}, ${other.id}, 'source', 'big.mp4', 'mp4', ${bytes}, 'ready')`),
      )
      return raw('POST', '/uploads', other, { headers: { 'upload-length': String(2 * gigabyte) } })
    }
    const paying = await makeTenant(service)
    await subscribe(service, { tenantId: paying })
    expect((await holding(17 * gigabyte, paying)).status).toBe(201)
    expect((await holding(19 * gigabyte, paying)).status).toBe(409)
    expect((await holding(2 * gigabyte)).status).toBe(201)
    const withoutPlan = await holding(3 * gigabyte)
    expect({ status: withoutPlan.status, body: await withoutPlan.json() }).toMatchObject({
      status: 409,
      body: { code: 'asset.no-room', message: expect.stringMatching(/4 GB together.*With a plan there is more/) },
    })
  })

  describe('on a small disk', () => {
    const megabyte = 1024 ** 2
    afterAll(() => openStorage(service.config.dataDir))
    /** The disk has `megabytes` beyond the kept room; what uploads write on it takes them. */
    const openSmallDisk = async (megabytes: number) => {
      const folder = join(service.config.dataDir, 'media', 'quarantine')
      const used = async () => {
        const files = await readdir(folder)
        return (await Promise.all(files.map((name) => stat(join(folder, name))))).reduce(
          (sum, { size }) => sum + size,
          0,
        )
      }
      await service.database.asSystem((tx) => tx.count(sql`delete from asset where state = 'uploading'`))
      const before = await used()
      const disk: Disk = {
        kept: keptFree,
        free: async () => keptFree.upload + megabytes * megabyte - ((await used()) - before),
      }
      await openStorage(service.config.dataDir, disk)
      return disk
    }

    it('uploads are refused that would not fit beside the rest of the others, however many begin at once', async () => {
      await openSmallDisk(40)
      const people = await Promise.all(Array.from({ length: 5 }, () => makePerson(service, 'User')))
      const ask = (person: Person) =>
        raw('POST', '/uploads', person, { headers: { 'upload-length': String(15 * megabyte) } })
      // All of them come to where the room is counted before any has its own.
      const waiting = async () =>
        (
          await service.database.asSystem((tx) =>
            tx.rows(sql`
              select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                and strpos(query, ${'disk-room'}) > 0`),
          )
        ).length
      const asked = await service.database.asSystem(async (tx) => {
        await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('disk-room', 0))`)
        const answers = people.map(ask)
        await expect.poll(waiting).toBe(people.length)
        return { answers }
      })
      const begun = await Promise.all(asked.answers)
      expect(begun.map(({ status }) => status).toSorted()).toEqual([201, 201, 503, 503, 503])
      expect(await begun.find(({ status }) => status === 503)!.json()).toMatchObject({ code: 'service.unavailable' })
      const taken = begun.findIndex(({ status }) => status === 201)
      await raw('DELETE', `/uploads/${idOf(begun[taken]!)}`, people[taken]!)
      expect((await ask(officer)).status).toBe(201)
    })

    it('an upload stops before the kept room, keeps what came, and goes on when there is room again', async () => {
      const disk = await openSmallDisk(40)
      const bytes = noise(4 * megabyte, 7)
      const id = await begin(officer, bytes.length)
      const free = disk.free
      // Something else fills the disk: 2 MB are left.
      disk.free = async () => (await free()) - 38 * megabyte
      await openStorage(service.config.dataDir, disk)
      const stopped = await patch(id, officer, 0, bytes)
      expect({ status: stopped.status, body: await stopped.json() }).toMatchObject({
        status: 503,
        body: { code: 'service.unavailable', message: expect.stringMatching(/no room/) },
      })
      expect(await disk.free()).toBeGreaterThanOrEqual(keptFree.upload)
      disk.free = free
      await openStorage(service.config.dataDir, disk)
      const at = Number((await raw('HEAD', `/uploads/${id}`, officer)).headers.get('upload-offset'))
      expect(at).toBeGreaterThan(0)
      expect((await patch(id, officer, at, bytes.subarray(at))).status).toBe(204)
      expect(await quarantined(id)).toBe(hashOf(bytes))
    })
  })

  it('staff can upload cuts for projects that they may see, and officers for none', async () => {
    await subscribe(service, { tenantId })
    const project = await submitProject(service, officer, { title: 'A house' })
    const post = (person: Person, projectId: string) =>
      raw('POST', '/uploads', person, {
        headers: {
          'upload-length': '4',
          'upload-metadata': `${meta('cut.mp4')},projectId ${Buffer.from(projectId).toString('base64')}`,
        },
      })
    const editor = await makePerson(service, 'Editor')
    const created = await post(editor, project.id)
    expect(created.status).toBe(201)
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<object>`select purpose, project_id, tenant_id, author_id from asset where id = ${idOf(created)}`),
    )
    expect(row).toEqual({ purpose: 'cut', project_id: project.id, tenant_id: tenantId, author_id: editor.id })

    expect(
      (await post(await makePerson(service, 'Editor', { tenantId: await makeTenant(service) }), project.id)).status,
    ).toBe(404)
    expect((await post(editor, randomUUID())).status).toBe(404)
    expect((await post(editor, 'nonsense')).status).toBe(404)
    expect((await post(officer, project.id)).status).toBe(403)
  })

  it('a request that breaks the tus protocol is refused in the contract’s form', async () => {
    const bad: Record<string, string>[] = [
      { 'upload-length': 'many' },
      { 'upload-length': '-1' },
      { 'upload-defer-length': 'yes' },
      { 'upload-length': '4', 'upload-metadata': 'filename not base64!' },
      { 'upload-length': '4', 'tus-resumable': '0.2.2' },
    ]
    for (const headers of bad) {
      const answer = await raw('POST', '/uploads', officer, { headers })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ kind: 'invalid-argument', requestId: expect.any(String) })
    }
    const id = await begin(officer, 4)
    for (const length of ['4', '9', 'x', '0']) {
      const answer = await raw('PATCH', `/uploads/${id}`, officer, {
        headers: {
          'upload-length': length,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body: Buffer.from('0123'),
      })
      expect({ length, status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'request.invalid', message: expect.stringMatching(/Upload-Length/) },
      })
    }
    expect((await patch(id, officer, 0, Buffer.from('0123'))).status).toBe(204)
    const options = await raw('OPTIONS', '/uploads', null)
    expect(options.headers.get('tus-extension')).toContain('creation-with-upload')
    expect(options.headers.get('tus-max-size')).toBe(String(4 * 1024 ** 3))
    expect(options.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it('an upload continues with the next server after the service was stopped', { tags: 'long' }, async () => {
  const bytes = noise(20_000_000, 4)
  const start = (port: number) =>
    startHttp({ config: { ...service.config, port, host: '127.0.0.1' }, appUrl: service.urls.appUrl, limits: false })
  const first = await start(0)
  const port = Number(new URL(first.address).port)
  // One request for the whole file, through a connection that pauses after 4 MB until the service has stopped.
  let stands = true
  const middle = Promise.withResolvers<void>()
  const line = await openLine(
    () => port,
    (passed) => {
      if (!stands || passed < 4_000_000) return 0
      middle.resolve()
      return 3_600_000
    },
  )
  const sending = send(line.address, officer, bytes, { filename: 'stopped.mp4' }, { retryDelays: Array(200).fill(100) })
  await middle.promise
  await first.close()
  stands = false
  const second = await start(port)
  const id = await sending
  line.close()
  await second.close()
  expect(await quarantined(id)).toBe(hashOf(bytes))
})

type Gate = PromiseWithResolvers<void>
type Options = Partial<ConstructorParameters<typeof Upload>[1]>

/** Sends by the real client, which goes on after every failure; answers the asset's id. */
const send = async (
  to: string,
  person: Person,
  bytes: Buffer,
  metadata: Record<string, string>,
  more: Options = {},
) => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes as never, {
    endpoint: `${to}/uploads`,
    retryDelays: [20, 50, 100, 200, 400],
    headers: { authorization: `Bearer ${person.token}` },
    metadata,
    onSuccess: () => resolve(),
    onError: reject,
    ...more,
  })
  upload.start()
  await promise
  return upload.url!.split('/').at(-1)!
}

const raw = (
  method: string,
  path: string,
  person: Person | null,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Response> =>
  fetch(base + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...(person ? { authorization: `Bearer ${person.token}` } : {}), ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  })

const patch = (id: string, person: Person, offset: number, body: Buffer) =>
  raw('PATCH', `/uploads/${id}`, person, {
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
  })

const begin = async (person: Person, size: number): Promise<string> => {
  const created = await raw('POST', '/uploads', person, {
    headers: { 'upload-length': String(size), 'upload-metadata': meta('clip.mp4') },
  })
  expect(created.status).toBe(201)
  return idOf(created)
}

const meta = (fileName: string) => `filename ${Buffer.from(fileName).toString('base64')}`
const idOf = (response: Response) => response.headers.get('location')!.split('/').at(-1)!

/** A line to the server that breaks after so many bytes, once for each entry. */
const cutLine = async (to: URL, after: number[]) => {
  let cuts = 0
  const line = await openLine(
    () => Number(to.port),
    (passed, near) => {
      if (cuts >= after.length || passed < after[cuts]!) return 0
      cuts++
      near.resetAndDestroy()
      return 0
    },
  )
  return { ...line, cuts: () => cuts }
}

/** The same bytes for the same seed, and no two places alike. */
const noise = (size: number, seed: number): Buffer => {
  const { next } = seeded(seed)
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.floor(next() * 2 ** 32), at)
  return bytes
}

it('every piece is written in a turn of its owner, and never more at once than allowed', async () => {
  class CountedTurns extends FairTurns {
    most = 0
    owners = new Set<string>()
    override take<T>(owner: string, work: () => Promise<T>): Promise<T> {
      this.owners.add(owner)
      return super.take(owner, () => {
        this.most = Math.max(this.most, this.taken)
        return work()
      })
    }
  }
  const turns = new CountedTurns(2)
  const store = new UploadStore(service.database, service.app.log, turns)
  const people = await Promise.all(Array.from({ length: 3 }, () => makePerson(service, 'User', { tenantId })))
  const bytes = noise(3_000_000, 9)
  const chunks = Array.from({ length: 60 }, (_, n) => bytes.subarray(n * 50_000, (n + 1) * 50_000))
  const uploads = await Promise.all(
    people.flatMap((person) =>
      Array.from({ length: 4 }, () =>
        beginUpload(service.database, person, { size: bytes.length, fileName: 'turn.mp4', fileType: 'video/mp4' }),
      ),
    ),
  )
  const ends = await Promise.all(uploads.map((id) => store.write(Readable.from(chunks), id, 0)))
  expect(ends).toEqual(Array(12).fill(bytes.length))
  for (const id of uploads) expect(await quarantined(id)).toBe(hashOf(bytes))
  expect(turns.most).toBe(2)
  expect(turns.owners).toEqual(new Set(people.map(({ id }) => id)))
})
