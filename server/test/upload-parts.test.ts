import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { makeClip } from '@clear-to-post/media/make-clip'
import { mostOpenParts, uploadParts } from '@clear-to-post/domain/upload-parts'
import { ingestAsset } from '../src/assets/ingest.ts'
import { assetTasks } from '../src/assets/jobs.ts'
import { editTasks } from '../src/edits/jobs.ts'
import { sql } from '../src/kernel/database.ts'
import { openBucket, type Bucket } from '../src/outside/bucket.ts'
import { storage } from '../src/outside/storage.ts'
import { sendParts } from '../../web/app/spool/send-parts.ts'
import { jobContext } from './mails.ts'
import { openObjectStore } from './object-store.ts'
import { putByFetch } from './parts.ts'
import { callAs, headersOf, makeOfficer, openService, type OpenedService, type Person } from './service.ts'

const store = await openObjectStore()
afterAll(() => store?.close())

const MiB = 1024 ** 2
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(!store)('parts straight to a real object store', { timeout: 120_000 }, () => {
  let service: OpenedService
  let bucket: Bucket
  let officer: Person
  let other: Person
  beforeAll(async () => {
    const place = await store!.makeBucket()
    bucket = openBucket(place)
    service = await openService({
      STORAGE: 'bucket',
      BUCKET_URL: place.url,
      BUCKET_PUBLIC_URL: place.url,
      BUCKET_KEY_ID: place.keyId,
      BUCKET_SECRET: place.secret,
    })
    officer = await makeOfficer(service)
    other = await makeOfficer(service)
  })
  afterAll(() => service?.close())
  afterEach(() => void vi.useRealTimers())

  const tus = (person: Person, method: 'POST' | 'PATCH' | 'HEAD', url: string, headers: object, payload?: Buffer) =>
    service.app.inject({
      method,
      url,
      headers: {
        ...headersOf(person),
        'tus-resumable': '1.0.0',
        ...(payload ? { 'content-type': 'application/offset+octet-stream' } : {}),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    })
  const begin = async (size: number, person = officer) => {
    const begun = await tus(person, 'POST', '/uploads', { 'upload-length': String(size) })
    expect(begun.statusCode).toBe(201)
    expect(begun.headers['upload-parts']).toBe('yes')
    return String(begun.headers.location).split('/').at(-1)!
  }
  type Asked = { writer?: string; put?: string[]; next?: { at: number; bytes: number; sha256: string }[] }
  const send = (assetId: string, body: Asked, person = officer) =>
    callAs(service, person)(assets.sendParts, { params: { assetId }, body })
  const partOf = (film: Uint8Array, at: number, bytes: number) => ({
    at,
    bytes,
    sha256: hashOf(film.subarray(at, at + bytes)),
  })
  const put = async ({ url, headers }: { url: string; headers: Record<string, string> }, bytes: Uint8Array) =>
    (await fetch(url, { method: 'PUT', headers, body: bytes as Uint8Array<ArrayBuffer> })).status
  const addressOf = async (assetId: string, film: Uint8Array, at: number, bytes: number) => {
    const { writer } = await send(assetId, {})
    const { addresses } = await send(assetId, { writer, next: [partOf(film, at, bytes)] })
    return { writer, ...addresses[0]! }
  }
  const arrived = async (id: string) => {
    await using copies = storage().copies()
    return hashOf(await readFile(await copies.upload(id)))
  }
  const keysOf = async (id: string) => {
    const keys: string[] = []
    for await (const page of bucket.list(`quarantine/${id}/`)) keys.push(...page.map(({ key }) => key))
    return keys
  }
  const stateOf = async (id: string) => (await callAs(service, officer)(assets.find, { params: { assetId: id } })).state

  it('a film goes in parts as a page sends it, is checked, and plays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-film-'))
    await makeClip({ out: join(folder, 'take.mp4'), seconds: 2, width: 180, height: 320, hue: 40 })
    const film = await readFile(join(folder, 'take.mp4'))
    await rm(folder, { recursive: true })
    const id = await begin(film.length)
    const heard: number[] = []
    const how = await sendParts(new Blob([film]), {
      ask: (body) => callAs(service, officer)(assets.sendParts, { params: { assetId: id }, body }),
      put: putByFetch,
      signal: new AbortController().signal,
      onSent: (bytes) => heard.push(bytes),
    })
    expect(how).toBe('whole')
    expect(await stateOf(id)).toBe('received')
    await ingestAsset(jobContext(service), id)
    const asset = await callAs(service, officer)(assets.find, { params: { assetId: id } })
    expect(asset).toMatchObject({ state: 'ready', type: 'video', sha256: hashOf(film) })
  })

  it('parts that come in any order, and a rest by tus, are the bytes that were sent', async () => {
    const film = randomBytes(4.5 * MiB)
    const id = await begin(film.length)
    const { writer } = await send(id, {})
    const asked = [3.5, 1, 2.25].map((at) => partOf(film, at * MiB, at === 3.5 ? MiB : 1.25 * MiB))
    const { addresses } = await send(id, { writer, next: asked })
    for (const address of addresses)
      expect(await put(address, film.subarray(address.at, address.at + address.bytes))).toBe(200)
    const told = await send(id, { writer, put: addresses.map(({ partId }) => partId) })
    expect(told).toMatchObject({ receivedBytes: 0, isWhole: false })
    expect(told.here.map(({ at }) => at)).toEqual([1 * MiB, 2.25 * MiB, 3.5 * MiB])
    // Its beginning comes by the other protocol; behind it stands what has come.
    expect((await tus(officer, 'HEAD', `/uploads/${id}`, {})).headers['upload-offset']).toBe('0')
    const patched = await tus(officer, 'PATCH', `/uploads/${id}`, { 'upload-offset': '0' }, film.subarray(0, MiB))
    expect(patched.statusCode).toBe(204)
    expect(await send(id, {})).toMatchObject({ receivedBytes: film.length, isWhole: true })
    expect(await stateOf(id)).toBe('received')
    expect(await arrived(id)).toBe(hashOf(film))
    // Asked again after a lost answer.
    expect(await send(id, { writer })).toMatchObject({ isWhole: true, addresses: [] })
  })

  it('of two senders the later one goes on, and the earlier one adds nothing', async () => {
    const film = randomBytes(2 * MiB)
    const id = await begin(film.length)
    const early = await addressOf(id, film, 0, MiB)
    expect(await put(early, film.subarray(0, MiB))).toBe(200)
    const late = await addressOf(id, film, 0, 2 * MiB)
    await expect(send(id, { writer: early.writer, put: [early.partId] })).rejects.toMatchObject({ code: 'asset.busy' })
    // An earlier one's part counts for nobody.
    expect(await send(id, { writer: late.writer, put: [early.partId] })).toMatchObject({ receivedBytes: 0, here: [] })
    expect(await put(late, film)).toBe(200)
    expect(await send(id, { writer: late.writer, put: [late.partId] })).toMatchObject({ isWhole: true })
    expect(await arrived(id)).toBe(hashOf(film))
  })

  it('nobody else’s upload is answered, and no part of another upload counts for one', async () => {
    const film = randomBytes(MiB)
    const [mine, theirs] = [await begin(film.length), await begin(film.length, other)]
    await expect(send(theirs, {})).rejects.toMatchObject({ code: 'asset.not-found' })
    await expect(send(randomUUID(), {})).rejects.toMatchObject({ code: 'asset.not-found' })
    const address = await addressOf(mine, film, 0, MiB)
    expect(await put(address, film)).toBe(200)
    const { writer } = await send(theirs, {}, other)
    expect(await send(theirs, { writer, put: [address.partId] }, other)).toMatchObject({ receivedBytes: 0, here: [] })
    await expect(send(theirs, { writer: address.writer }, other)).rejects.toMatchObject({ code: 'asset.busy' })
  })

  it('an address takes only its own key and length, and takes nothing after its end', async () => {
    const film = randomBytes(MiB)
    const id = await begin(film.length)
    const address = await addressOf(id, film, 0, MiB)
    const at = (change: (url: URL) => void) => {
      const url = new URL(address.url)
      change(url)
      return { ...address, url: url.href }
    }
    const attacks = {
      'another key': put(
        at((url) => (url.pathname = url.pathname.replace(/part-0-/, 'part-1-'))),
        film,
      ),
      'an asset of somebody': put(
        at((url) => (url.pathname = url.pathname.replace(/quarantine/, 'assets'))),
        film,
      ),
      'a longer life': put(
        at((url) => url.searchParams.set('X-Amz-Expires', '86400')),
        film,
      ),
      'more bytes': put(address, randomBytes(MiB + 1)),
      'fewer bytes': put(address, film.subarray(1)),
      'another hash': put({ ...address, headers: { 'x-amz-checksum-sha256': 'A'.repeat(43) + '=' } }, film),
      'no hash': put({ ...address, headers: {} }, film),
      reading: fetch(address.url).then(({ status }) => status),
      removing: fetch(address.url, { method: 'DELETE', headers: address.headers }).then(({ status }) => status),
    }
    for (const [attack, answered] of Object.entries(attacks)) expect(await answered, attack).toBe(403)

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (uploadParts.seconds + 5) * 1000 })
    const { url, headers } = await bucket.addressToPut(`quarantine/${id}/late`, MiB, hashOf(film), uploadParts.seconds)
    vi.useRealTimers()
    expect(await put({ url, headers }, film)).toBe(403)
    expect(await keysOf(id)).toEqual([])
    expect(await put(address, film)).toBe(200)
  })

  it('a file of which other bytes were put than declared is refused when it is taken in, and the sender told', async () => {
    const film = randomBytes(MiB)
    for (const replaced of ['before', 'after'] as const) {
      const id = await begin(film.length)
      const address = await addressOf(id, film, 0, MiB)
      const first = await put(address, replaced === 'before' ? randomBytes(MiB) : film)
      // A store that compares checksums itself takes no other bytes at all.
      if (first !== 200) continue
      await send(id, { writer: address.writer, put: [address.partId] })
      if (replaced === 'after' && (await put(address, randomBytes(MiB))) !== 200) continue
      expect(await stateOf(id)).toBe('received')
      await ingestAsset(jobContext(service), id)
      expect(await callAs(service, officer)(assets.find, { params: { assetId: id } })).toMatchObject({
        state: 'rejected',
        error: 'This file did not come as it was sent. Please send it again.',
      })
    }
  })

  it('a part that is not there, or said to be put and of another length, is not counted', async () => {
    const film = randomBytes(2 * MiB)
    const id = await begin(film.length)
    const { writer, partId } = await addressOf(id, film, 0, 2 * MiB)
    expect(await send(id, { writer, put: [partId, randomUUID()] })).toMatchObject({ receivedBytes: 0, here: [] })
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<{ key: string }>`select key from stored_part where id = ${partId}`),
    )
    await bucket.put(row!.key, film.subarray(1))
    expect(await send(id, { writer, put: [partId] })).toMatchObject({ receivedBytes: 0, here: [] })
    expect(await keysOf(id)).toEqual([])
  })

  it('parts that overlap, go too far or are too many at once are refused in words', async () => {
    const film = randomBytes(8 * MiB)
    const id = await begin(film.length)
    const { writer } = await send(id, {})
    const refused = (...parts: [at: number, bytes: number][]) =>
      send(id, { writer, next: parts.map(([at, bytes]) => ({ at, bytes, sha256: '0'.repeat(64) })) })
    await expect(refused([0, 9 * MiB])).rejects.toThrow(/beyond the size/)
    await expect(refused([0, 2 * MiB], [MiB, MiB])).rejects.toThrow(/share bytes/)
    await expect(refused([0, 1000])).rejects.toThrow(/1 MiB to 16 MiB/)
    const eight = Array.from({ length: 8 }, (_, n): [number, number] => [n * MiB, MiB])
    for (let n = 0; n < mostOpenParts / 8; n++) await refused(...eight)
    await expect(refused([0, MiB])).rejects.toMatchObject({ code: 'request.too-many' })
  })

  it('a part put after its upload ended is removed, and nothing is left that no row names', async () => {
    const film = randomBytes(2 * MiB)
    for (const end of ['thrown away', 'taken in'] as const) {
      const id = await begin(film.length)
      const first = await addressOf(id, film, 0, MiB)
      await put(first, film.subarray(0, MiB))
      await send(id, { writer: first.writer, put: [first.partId] })
      const second = (await send(id, { writer: first.writer, next: [partOf(film, MiB, MiB)] })).addresses[0]!
      if (end === 'taken in') {
        await put(second, film.subarray(MiB))
        expect(await send(id, { writer: first.writer, put: [second.partId] })).toMatchObject({ isWhole: true })
      } else await callAs(service, officer)(assets.discard, { params: { assetId: id } })
      await ingestAsset(jobContext(service), id)
      expect(await keysOf(id)).toEqual([])
      expect(await put(second, film.subarray(MiB))).toBe(200)
      expect(await put(first, film.subarray(0, MiB))).toBe(200)
      const later = new Date(Date.now() + 2 * 3_600_000)
      expect(await storage().dropLateParts(later)).toBeGreaterThan(0)
      expect(await keysOf(id), end).toEqual([])
      await storage().remove(id)
      const rows = sql<object>`select asset_id from stored_file where asset_id = ${id} union all select asset_id from stored_part where asset_id = ${id}`
      expect(await service.database.asSystem((tx) => tx.rows(rows))).toEqual([])
    }
  })

  it('a piece of an upload that goes on for days outlives its address', async () => {
    const film = randomBytes(2 * MiB)
    const id = await begin(film.length)
    const first = await addressOf(id, film, 0, MiB)
    await put(first, film.subarray(0, MiB))
    await send(id, { writer: first.writer, put: [first.partId] })
    const ahead = await send(id, { writer: first.writer, next: [partOf(film, 1.5 * MiB, MiB / 2)] })
    await put(ahead.addresses[0]!, film.subarray(1.5 * MiB))
    await send(id, { writer: first.writer, put: [ahead.addresses[0]!.partId] })
    await storage().dropLateParts(new Date(Date.now() + 86_400_000))
    const patched = await tus(
      officer,
      'PATCH',
      `/uploads/${id}`,
      { 'upload-offset': String(MiB) },
      film.subarray(MiB, 1.5 * MiB),
    )
    expect(patched.statusCode).toBe(204)
    expect(await send(id, {})).toMatchObject({ isWhole: true })
    expect(await arrived(id)).toBe(hashOf(film))
  })

  it('uploads, parts and pieces of renders leave the bucket on their day by a moved clock, and not before', async () => {
    const film = randomBytes(3 * MiB)
    const id = await begin(film.length)
    expect(
      (await tus(officer, 'PATCH', `/uploads/${id}`, { 'upload-offset': '0' }, film.subarray(0, 1000))).statusCode,
    ).toBe(204)
    const { writer } = await send(id, {})
    const asked = [partOf(film, MiB, MiB), partOf(film, 2 * MiB, MiB)]
    const { addresses } = await send(id, { writer, next: asked })
    for (const address of addresses) await put(address, film.subarray(address.at, address.at + address.bytes))
    // One is told of, the other is not.
    await send(id, { writer, put: [addresses[0]!.partId] })
    const chunks = storage().area('chunks')
    const project = randomUUID()
    await writeFile(join(await chunks.folder(project), 'piece.mp4'), film)
    await chunks.keep(project, ['piece.mp4'])

    const log = pino({ level: 'silent' })
    const tasks = [...assetTasks({ database: service.database, log }, new Date(0)), ...editTasks(service)]
    const day = async (days: number, name: string) =>
      tasks
        .find((task) => task.name === name)!
        .run(new Date(Date.now() + days * 86_400_000), new AbortController().signal)
    await day(0.02, 'forgotten files')
    expect(await keysOf(id)).toHaveLength(3)
    await day(2.9, 'forgotten files')
    expect(await keysOf(id)).toHaveLength(2)
    await day(3.1, 'forgotten files')
    // Its row is gone, and the job that removes its bytes has been enqueued.
    await ingestAsset(jobContext(service), id)
    await day(3.2, 'forgotten files')
    expect(await keysOf(id)).toEqual([])

    await day(6.9, 'chunks of last week')
    expect(await chunks.list(project)).toHaveLength(1)
    await day(7.1, 'chunks of last week')
    expect(await chunks.list(project)).toEqual([])
  })

  it('pages of the service’s own address may put to the bucket, once it was told so, and pages of others may not', async () => {
    const ours = 'https://video.example.com'
    await bucket.allowOrigin(ours)
    const address = await bucket.addressToPut('quarantine/asked', 1, '0'.repeat(64), 60)
    const preflight = (origin: string) =>
      fetch(address.url, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'x-amz-checksum-sha256',
        },
      })
    expect((await preflight(ours)).headers.get('access-control-allow-origin')).toBe(ours)
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    const page = await service.app.inject({ method: 'GET', url: '/api/health' })
    expect(page.headers['content-security-policy']).toContain(
      `connect-src 'self' ${new URL(service.config.bucket!.publicUrl!).origin};`,
    )
  })
})
