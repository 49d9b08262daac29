import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { uploaders } from '@clear-to-post/domain/upload-room'
import { makeClip } from '@clear-to-post/media/make-clip'
import { mostBesideUploads, mostOpenParts, uploadParts } from '@clear-to-post/domain/upload-parts'
import { ingestAsset } from '../src/assets/ingest.ts'
import { assetTasks } from '../src/assets/jobs.ts'
import { editTasks } from '../src/edits/jobs.ts'
import { sql } from '../src/kernel/database.ts'
import { openBucket, type Bucket } from '../src/outside/bucket.ts'
import { PartsOfSenderFull, storage } from '../src/outside/storage.ts'
import { sendParts } from '../../web/app/spool/send-parts.ts'
import { jobContext } from './mails.ts'
import { openObjectStore } from './object-store.ts'
import { putByFetch } from './parts.ts'
import { callAs, headersOf, makeOfficer, openService, type OpenedService, type Person } from './service.ts'

const store = await openObjectStore()
afterAll(() => store?.close())

const MiB = 1024 ** 2
const part = uploadParts.bytes
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
  const partOf = (film: Uint8Array, at: number, bytes = Math.min(part, film.length - at)) => ({
    at,
    bytes,
    sha256: hashOf(film.subarray(at, at + bytes)),
  })
  const put = async ({ url, headers }: { url: string; headers: Record<string, string> }, bytes: Uint8Array) =>
    (await fetch(url, { method: 'PUT', headers, body: bytes as Uint8Array<ArrayBuffer> })).status
  const addressOf = async (assetId: string, film: Uint8Array, at = 0) => {
    const { writer } = await send(assetId, {})
    const { addresses } = await send(assetId, { writer, next: [partOf(film, at)] })
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
  const discard = (id: string) => callAs(service, officer)(assets.discard, { params: { assetId: id } })
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
    const film = randomBytes(3.5 * part)
    const id = await begin(film.length)
    const { writer } = await send(id, {})
    const asked = [3, 1, 2].map((n) => partOf(film, n * part))
    const { addresses } = await send(id, { writer, next: asked })
    for (const address of addresses)
      expect(await put(address, film.subarray(address.at, address.at + address.bytes))).toBe(200)
    const told = await send(id, { writer, put: addresses.map(({ partId }) => partId) })
    expect(told).toMatchObject({ receivedBytes: 0, isWhole: false })
    expect(told.here.map(({ at }) => at)).toEqual([part, 2 * part, 3 * part])
    // Its beginning comes by the other protocol; behind it stands what has come.
    expect((await tus(officer, 'HEAD', `/uploads/${id}`, {})).headers['upload-offset']).toBe('0')
    const patch = (from: number, to: number) =>
      tus(officer, 'PATCH', `/uploads/${id}`, { 'upload-offset': String(from) }, film.subarray(from, to))
    expect((await patch(0, MiB)).statusCode).toBe(204)
    // Between what came so and the next part fits one alone.
    const now = await send(id, {})
    await expect(send(id, { writer: now.writer, next: [partOf(film, MiB, MiB)] })).rejects.toThrow(/8 MiB each/)
    await send(id, { writer: now.writer, next: [partOf(film, MiB, part - MiB)] })
    const patched = await patch(MiB, part)
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
    const early = await addressOf(id, film)
    expect(await put(early, film)).toBe(200)
    const late = await addressOf(id, film)
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
    const address = await addressOf(mine, film)
    expect(await put(address, film)).toBe(200)
    const { writer } = await send(theirs, {}, other)
    expect(await send(theirs, { writer, put: [address.partId] }, other)).toMatchObject({ receivedBytes: 0, here: [] })
    await expect(send(theirs, { writer: address.writer }, other)).rejects.toMatchObject({ code: 'asset.busy' })
  })

  it('an address takes only its own key and length, and takes nothing after its end', async () => {
    const film = randomBytes(MiB)
    const id = await begin(film.length)
    const address = await addressOf(id, film)
    const other = (headers: Record<string, string>) => ({ ...address, headers: { ...address.headers, ...headers } })
    const { 'x-amz-checksum-sha256': _, ...withoutHash } = address.headers
    const { 'x-amz-acl': __, ...withoutRights } = address.headers
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
      'another hash': put(other({ 'x-amz-checksum-sha256': 'A'.repeat(43) + '=' }), film),
      'no hash': put({ ...address, headers: withoutHash }, film),
      'for everybody to read': put(other({ 'x-amz-acl': 'public-read' }), film),
      'no word on who reads': put({ ...address, headers: withoutRights }, film),
      'as a page': put(other({ 'content-type': 'text/html' }), film),
      reading: fetch(address.url).then(({ status }) => status),
      removing: fetch(address.url, { method: 'DELETE', headers: address.headers }).then(({ status }) => status),
    }
    for (const [attack, answered] of Object.entries(attacks)) expect(await answered, attack).toBe(403)

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (uploadParts.seconds + 5) * 1000 })
    const { url, headers } = await bucket.addressToPut(`quarantine/${id}/late`, MiB, hashOf(film), uploadParts.seconds)
    vi.useRealTimers()
    expect(await put({ url, headers }, film)).toBe(403)
    const everybody = { 'x-amz-grant-read': 'uri="http://acs.amazonaws.com/groups/global/AllUsers"' }
    expect(await put(other(everybody), film)).toBe(400)
    expect(await keysOf(id)).toEqual([])
    expect(await put(address, film)).toBe(200)
    const { origin, pathname } = new URL(address.url)
    expect((await fetch(origin + pathname)).status).toBe(403)
  })

  it('a file of which other bytes were put than declared is refused when it is taken in, and the sender told', async () => {
    const film = randomBytes(MiB)
    for (const replaced of ['before', 'after'] as const) {
      const id = await begin(film.length)
      const address = await addressOf(id, film)
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
    const { writer, partId } = await addressOf(id, film)
    expect(await send(id, { writer, put: [partId, randomUUID()] })).toMatchObject({ receivedBytes: 0, here: [] })
    const row = await service.database.asSystem((tx) =>
      tx.first(sql<{ key: string }>`select key from stored_part where id = ${partId}`),
    )
    await bucket.put(row!.key, film.subarray(1))
    expect(await send(id, { writer, put: [partId] })).toMatchObject({ receivedBytes: 0, here: [] })
    expect(await keysOf(id)).toEqual([])
  })

  it('parts that overlap, go too far or are too many at once are refused in words', async () => {
    const id = await begin(8 * part)
    const { writer } = await send(id, {})
    const refused = (...parts: [at: number, bytes: number][]) =>
      send(id, { writer, next: parts.map(([at, bytes]) => ({ at, bytes, sha256: '0'.repeat(64) })) })
    await expect(refused([0, 9 * part])).rejects.toThrow(/beyond the size/)
    await expect(refused([part, part], [part, part])).rejects.toThrow(/share bytes/)
    for (const odd of [
      [0, MiB],
      [part - 1, 1],
      [1, part],
      [0, 2 * part],
    ] as const)
      await expect(refused([...odd])).rejects.toThrow(/8 MiB each/)
    const eight = Array.from({ length: 8 }, (_, n): [number, number] => [n * part, part])
    for (let n = 0; n < mostOpenParts / 8; n++) await refused(...eight)
    await expect(refused([0, part])).rejects.toMatchObject({ code: 'request.too-many' })
    await discard(id)
  })

  it(
    'however many uploads somebody begins and throws away, what they may put beside them is bounded',
    { tags: 'long' },
    async () => {
      const person = await makeOfficer(service)
      await service.database.asSystem((tx) =>
        tx.count(sql`update person set email_verified_at = null where id = ${person.id}`),
      )
      const most = mostBesideUploads(uploaders.unconfirmed.bytes)
      const film = { at: 0, bytes: part, sha256: hashOf(Buffer.alloc(part)) }
      let addressed = 0
      let last: { url: string; headers: Record<string, string> } | undefined
      /** As many addresses of one upload as are given; whether that was the end of all. */
      const askAll = async (): Promise<boolean> => {
        const id = await begin(part + 1, person)
        const { writer } = await send(id, {}, person)
        try {
          for (;;) {
            const { addresses } = await send(id, { writer, next: [film] }, person)
            addressed += addresses.length * part
            last = addresses[0]
          }
        } catch (error) {
          const { code } = error as { code: string }
          expect(['request.too-many', 'asset.no-parts']).toContain(code)
          return code === 'asset.no-parts'
        } finally {
          await callAs(service, person)(assets.discard, { params: { assetId: id } })
        }
      }
      let uploads = 1
      while (!(await askAll())) expect(++uploads).toBeLessThan(20)
      expect(addressed).toBeLessThanOrEqual(most)
      expect(addressed).toBeGreaterThan(most - part)
      // What is put after all is there until the addresses are over, and then they may ask again; others never notice.
      expect(await put(last!, Buffer.alloc(part))).toBe(200)
      expect(await askAll()).toBe(true)
      expect(addressed).toBeLessThanOrEqual(most)
      const others = await begin(part + 1)
      const { writer } = await send(others, {})
      expect((await send(others, { writer, next: [film] })).addresses).toHaveLength(1)
      await storage().dropLateParts(new Date(Date.now() + 2 * 3_600_000))
      expect(await askAll()).toBe(false)
      await discard(others)
    },
  )

  it('parts of an upload that ended count until their addresses are over, those of one that goes on are in its room', async () => {
    const film = randomBytes(3 * part)
    const id = await begin(film.length)
    const parts = storage().parts!
    const { writer } = (await parts.open(id, film.length))!
    const sender = (most: number) => ({ id: officer.id, most })
    // Whatever this officer sent before stands an hour later, too.
    await storage().dropLateParts(new Date(Date.now() + 2 * 3_600_000))
    const [first] = await parts.addresses(id, writer, [partOf(film, 0)], sender(part))
    await expect(parts.addresses(id, writer, [partOf(film, part)], sender(part))).rejects.toBeInstanceOf(
      PartsOfSenderFull,
    )
    await put(first!, film.subarray(0, part))
    await parts.acknowledge(id, writer, film.length, [first!.id])
    await parts.addresses(id, writer, [partOf(film, part)], sender(part))
    await discard(id)
    await ingestAsset(jobContext(service), id)
    const next = await begin(film.length)
    const { writer: other } = (await parts.open(next, film.length))!
    await expect(parts.addresses(next, other, [partOf(film, 0)], sender(2 * part))).rejects.toBeInstanceOf(
      PartsOfSenderFull,
    )
    expect(await parts.addresses(next, other, [partOf(film, 0)], sender(3 * part))).toHaveLength(1)
    await discard(next)
  })

  it('an exchange in which nothing comes keeps no upload alive', async () => {
    const id = await begin(2 * part)
    const touched = async () =>
      (await service.database.asSystem((tx) =>
        tx.first(sql<{ at: string }>`select modified_at::text as at from asset where id = ${id}`),
      ))!.at
    const before = await touched()
    const { writer } = await send(id, {})
    await send(id, { writer })
    expect(await touched()).toBe(before)
    const film = Buffer.alloc(2 * part)
    const { addresses } = await send(id, { writer, next: [partOf(film, 0)] })
    await put(addresses[0]!, film.subarray(0, part))
    await send(id, { writer, put: [addresses[0]!.partId] })
    expect(await touched()).not.toBe(before)
    await discard(id)
  })

  it('a part that is put twice at its place counts once, and the upload goes on to its end', async () => {
    const film = randomBytes(part + MiB)
    const id = await begin(film.length)
    const { writer } = await send(id, {})
    const ask = async (at: number) => (await send(id, { writer, next: [partOf(film, at)] })).addresses[0]!
    const last = [await ask(part), await ask(part)]
    for (const address of last) await put(address, film.subarray(part))
    const told = await Promise.all(last.map(({ partId }) => send(id, { writer, put: [partId] })))
    for (const { here } of told) expect(here).toEqual([{ at: part, bytes: MiB }])
    const copied = (ofId: string) =>
      service.database.asSystem((tx) =>
        tx.count(sql`
          insert into stored_part (id, asset_id, writer, at, bytes, sha256, key, state, ends_at)
          select gen_random_uuid(), asset_id, writer, at, bytes, sha256, key, state, ends_at from stored_part
          where asset_id = ${ofId} and state = 'put'`),
      )
    await expect(copied(id)).rejects.toThrow(/stored_part_put/)
    const first = await ask(0)
    await put(first, film.subarray(0, part))
    expect(await send(id, { writer, put: [first.partId] })).toMatchObject({ isWhole: true })
    expect(await arrived(id)).toBe(hashOf(film))
    await discard(id)
  })

  it('a take that four people each begin again five times at once asks for no second connection', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => makeOfficer(service)))
    const takes = new Map(people.map((person) => [person, Buffer.from(randomUUID()).toString('base64')]))
    const again = async (person: (typeof people)[number]) =>
      (
        await tus(person, 'POST', '/uploads', {
          'upload-length': '1000',
          'upload-metadata': `takeId ${takes.get(person)}`,
        })
      ).statusCode
    expect(await Promise.all(people.map(again))).toEqual(people.map(() => 201))
    // As many as the database has connections: once each holds one, a second one would be waited for by all.
    const all = Array.from({ length: 5 }, () => people).flat()
    const other = new pg.Client({ connectionString: service.urls.superuserUrl })
    await other.connect()
    const held = async (lock: string) => {
      for (const { id } of people)
        await other.query(`select pg_advisory_${lock}(hashtextextended($1, 0))`, [`asset-room ${id}`])
    }
    await held('lock')
    const begun = all.map(again)
    const waiting = async () =>
      (await other.query(`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`)).rows[0]
        .n
    await expect.poll(waiting).toBe(all.length)
    await held('unlock')
    await other.end()
    expect(await Promise.all(begun)).toEqual(all.map(() => 201))
  })

  it('a take of which nobody knows the length yet is sent by tus alone, and no part goes beyond its length', async () => {
    const film = randomBytes(2 * MiB)
    const begun = await tus(officer, 'POST', '/uploads', { 'upload-defer-length': '1' })
    expect(begun.statusCode).toBe(201)
    expect(begun.headers['upload-parts']).toBeUndefined()
    const id = String(begun.headers.location).split('/').at(-1)!
    expect((await tus(officer, 'HEAD', `/uploads/${id}`, {})).headers['upload-parts']).toBeUndefined()
    const refused = { code: 'asset.no-parts', message: expect.stringContaining('still being recorded') }
    await expect(send(id, {})).rejects.toMatchObject(refused)
    await expect(send(id, { writer: randomUUID(), next: [partOf(film, 0)] })).rejects.toMatchObject(refused)
    // Parts that were acknowledged, and asked for, as if it were longer.
    const { writer } = (await storage().parts!.open(id, part))!
    const wanted = [partOf(film, MiB, MiB), partOf(film, 1.5 * MiB, MiB / 2)]
    const addresses = await storage().parts!.addresses(id, writer, wanted, { id: officer.id, most: 1000 * part })
    for (const { url, headers, at, bytes } of addresses) await put({ url, headers }, film.subarray(at, at + bytes))
    await storage().parts!.acknowledge(id, writer, part, [addresses[0]!.id])
    const length = { 'upload-offset': '0', 'upload-length': String(1.25 * MiB) }
    expect((await tus(officer, 'PATCH', `/uploads/${id}`, length, film.subarray(0, MiB))).statusCode).toBe(204)
    const now = await send(id, {})
    expect(now).toMatchObject({ receivedBytes: MiB, isWhole: false })
    await storage().parts!.acknowledge(id, now.writer, 1.25 * MiB, [addresses[1]!.id])
    const rest = { 'upload-offset': String(MiB) }
    expect((await tus(officer, 'PATCH', `/uploads/${id}`, rest, film.subarray(MiB, 1.25 * MiB))).statusCode).toBe(204)
    expect(await stateOf(id)).toBe('received')
    expect(await arrived(id)).toBe(hashOf(film.subarray(0, 1.25 * MiB)))
    await discard(id)
  })

  it('a part put after its upload ended is removed, and nothing is left that no row names', async () => {
    const film = randomBytes(part + MiB)
    for (const end of ['thrown away', 'taken in'] as const) {
      const id = await begin(film.length)
      const first = await addressOf(id, film)
      await put(first, film.subarray(0, part))
      await send(id, { writer: first.writer, put: [first.partId] })
      const second = (await send(id, { writer: first.writer, next: [partOf(film, part)] })).addresses[0]!
      if (end === 'taken in') {
        await put(second, film.subarray(part))
        expect(await send(id, { writer: first.writer, put: [second.partId] })).toMatchObject({ isWhole: true })
      } else await discard(id)
      await ingestAsset(jobContext(service), id)
      expect(await keysOf(id)).toEqual([])
      expect(await put(second, film.subarray(part))).toBe(200)
      expect(await put(first, film.subarray(0, part))).toBe(200)
      const later = new Date(Date.now() + 2 * 3_600_000)
      expect(await storage().dropLateParts(later)).toBeGreaterThan(0)
      expect(await keysOf(id), end).toEqual([])
      await storage().remove(id)
      const rows = sql<object>`select asset_id from stored_file where asset_id = ${id} union all select asset_id from stored_part where asset_id = ${id}`
      expect(await service.database.asSystem((tx) => tx.rows(rows))).toEqual([])
    }
  })

  it('a piece of an upload that goes on for days outlives its address', async () => {
    const film = randomBytes(2.5 * part)
    const id = await begin(film.length)
    const first = await addressOf(id, film)
    await put(first, film.subarray(0, part))
    await send(id, { writer: first.writer, put: [first.partId] })
    const ahead = await send(id, { writer: first.writer, next: [partOf(film, 2 * part)] })
    await put(ahead.addresses[0]!, film.subarray(2 * part))
    await send(id, { writer: first.writer, put: [ahead.addresses[0]!.partId] })
    await storage().dropLateParts(new Date(Date.now() + 86_400_000))
    const patched = await tus(
      officer,
      'PATCH',
      `/uploads/${id}`,
      { 'upload-offset': String(part) },
      film.subarray(part, 2 * part),
    )
    expect(patched.statusCode).toBe(204)
    expect(await send(id, {})).toMatchObject({ isWhole: true })
    expect(await arrived(id)).toBe(hashOf(film))
  })

  it('uploads, parts and pieces of renders leave the bucket on their day by a moved clock, and not before', async () => {
    const film = randomBytes(2 * part + MiB)
    const id = await begin(film.length)
    expect(
      (await tus(officer, 'PATCH', `/uploads/${id}`, { 'upload-offset': '0' }, film.subarray(0, 1000))).statusCode,
    ).toBe(204)
    const { writer } = await send(id, {})
    const asked = [partOf(film, part), partOf(film, 2 * part)]
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
          'access-control-request-headers': Object.keys(address.headers).toSorted().join(','),
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
